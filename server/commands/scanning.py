"""Scans of public sites, as the operator starts them."""

import json
from collections.abc import Sequence

from readiness.report import GroupReport, Report
from readiness.site_type import DECLARABLE, Kind
from server.commands.output import Output
from server.commands.subjects import find_company
from server.service import Service
from workflows.errors import UnknownName
from workflows.scanning import ScanRequest


async def scan(
    service: Service, output: Output, company: str | None, request: ScanRequest, allow_hosts: Sequence[str]
) -> None:
    """Scan a site, store its report and print it."""
    owner = await find_company(service, company)
    scanner = service.visiting(allow_hosts).scanner
    with output.progress() as bar:
        task = bar.add_task("scanning", total=scanner.requests, rate="")

        def progress(stage: str, requests: int, limit: int) -> None:
            bar.update(task, description=f"scanning: {stage}", completed=requests, total=limit or None)

        report = await scanner.scan(owner.id, request, progress)
    output.data(json.loads(report.to_json()), lambda: show(output, report, request.public))


def declared_type(name: str | None) -> Kind | None:
    """Return the site type of this name. Raises UnknownName."""
    if name is None:
        return None
    found = {kind.value: kind for kind in DECLARABLE}.get(name)
    if found is None:
        raise UnknownName("site type", name, [kind.value for kind in DECLARABLE])
    return found


def show(output: Output, report: Report, public: bool) -> None:
    """Print the scores, the fixes worth most, and where the whole report is."""
    kind = report.siteType.value.replace("_", " ")
    output.people.print(f"{report.host} ({kind})", markup=False)
    rows = [("Overall", told(report.overall.score, report.overall.band, report.overall.reason), "", "", "")]
    rows += [(title, *figures(group)) for title, group in report.groups()]
    output.table(("", "score", "low", "high", "coverage"), rows)
    for fix in report.topFixes:
        output.people.print(f"+{fix.gain}  {fix.fix} ({fix.checkId})", markup=False)
    where = report.links.html if public else f"kept private as {report.reportId}"
    output.people.print(f"report: {where}", markup=False)


def figures(group: GroupReport) -> tuple[str, str, str, str]:
    """Return a group's figures as a table shows them."""
    low, high = ("" if bound is None else str(bound) for bound in (group.low, group.high))
    return told(group.score, group.band, group.reason), low, high, f"{group.coverage:.0%}"


def told(score: int | None, band: str | None, reason: str | None) -> str:
    """Return a score with its band, or why there is none."""
    return f"{score} ({band})" if score is not None else f"none ({(reason or '').replace('_', ' ')})"

"""Scans of public sites: started, followed and printed."""

import json
from collections.abc import Sequence
from typing import Annotated

import typer

from measurement.errors import UnknownName
from readiness.report.document import GroupReport, Report
from readiness.scans.scanner import ScanRequest
from readiness.survey.site_kind import DECLARABLE, Kind
from server.cli.lookup import find_company
from server.cli.options import AllowedHosts, Company, Json
from server.cli.output import Output
from server.cli.session import with_service
from server.service import Service


def scan(
    url: str,
    site_type: Annotated[
        str | None, typer.Option("--type", help="dealer, repair_shop or service_site; detected without it.")
    ] = None,
    private: Annotated[bool, typer.Option("--private", help="Keep the report inside the company.")] = False,
    probe_bots: Annotated[
        bool, typer.Option("--probe-bots", help="I run this site: also ask with the headers of AI bots.")
    ] = False,
    allow_host: AllowedHosts = None,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Scan a public site now and store its readiness report; exits with 1 when there is none."""
    from readiness.scans.scanner import ScanRequest

    request = ScanRequest(url, declared_type(site_type), not private, probe_bots)
    with_service(as_json, scan_site, company, request, allow_host or ())


async def scan_site(
    service: Service, output: Output, company: str | None, request: ScanRequest, allow_hosts: Sequence[str]
) -> None:
    """Scan a site, store its report and print it."""
    owner = await find_company(service.database, company)
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
    declared = {kind.value: kind for kind in DECLARABLE}.get(name)
    if declared is None:
        raise UnknownName("site type", name, [kind.value for kind in DECLARABLE])
    return declared


def show(output: Output, report: Report, public: bool) -> None:
    """Print the scores, the fixes worth most, and where the whole report is."""
    kind = report.siteType.value.replace("_", " ")
    output.people.print(f"{report.host} ({kind})", markup=False)
    rows = [
        ("Overall", score_text(report.overall.score, report.overall.band, report.overall.reason), "", "", "")
    ]
    rows += [(title, *group_cells(group)) for title, group in report.groups()]
    output.table(("", "score", "low", "high", "coverage"), rows)
    for fix in report.topFixes:
        output.people.print(f"+{fix.gain}  {fix.fix} ({fix.checkId})", markup=False)
    where = report.links.html if public else f"kept private as {report.reportId}"
    output.people.print(f"report: {where}", markup=False)


def group_cells(group: GroupReport) -> tuple[str, str, str, str]:
    """Return a group's figures as a table shows them."""
    low, high = ("" if bound is None else str(bound) for bound in (group.low, group.high))
    return score_text(group.score, group.band, group.reason), low, high, f"{group.coverage:.0%}"


def score_text(score: int | None, band: str | None, reason: str | None) -> str:
    """Return a score with its band, or why there is none."""
    return f"{score} ({band})" if score is not None else f"none ({(reason or '').replace('_', ' ')})"

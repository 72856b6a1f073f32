"""Readiness scans of sites, of any site or of one that the company owns; and the table of AI user agents."""

import json
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from measurement.errors import UnknownName, WorkError
from readiness.agent_lists import Comparison, UnreadableList, compare, read_list
from readiness.agents import BOT_LIST_VERSION, TOKENS
from readiness.report.document import Report
from readiness.scans.scanner import ScanRequest
from readiness.survey.site_kind import DECLARABLE
from server.cli.output import Output, wire_fields
from server.cli.session import AllowedHosts, JsonOption, Session, command

PACKAGE, FOLDER, FILE = "crawler-user-agents", "crawleruseragents", "crawler-user-agents.json"

sites = typer.Typer(no_args_is_help=True, help="Sites that your company owns.")
agents = typer.Typer(no_args_is_help=True, help="AI user agents of readiness reports.")


@command(service=True)
async def scan(
    session: Session,
    url: str,
    site_type: Annotated[
        str | None, typer.Option("--type", help="dealer, repair_shop or service_site. Detected by default.")
    ] = None,
    private: Annotated[bool, typer.Option("--private", help="Keep the report inside the company.")] = False,
    probe_bots: Annotated[
        bool, typer.Option("--probe-bots", help="I run this site: also request it as AI bots do.")
    ] = False,
    allow_host: AllowedHosts = None,
) -> None:
    """Scan a public site now and store its readiness report; exits with 1 when there is none."""
    kinds = {kind.value: kind for kind in DECLARABLE}
    if site_type is not None and site_type not in kinds:
        raise UnknownName("site type", site_type, list(kinds))
    request = ScanRequest(url, kinds[site_type] if site_type else None, not private, probe_bots)
    scanner = session.service.visiting(allow_host or ()).scanner
    with session.output.progress("scanning", "requests") as advance:

        def progress(stage: str, requests: int, limit: int) -> None:
            advance(requests, limit or None, f"scanning: {stage}")

        report = await scanner.scan(session.company.id, request, progress)
    show_report(session.output, report, public=request.public)


@sites.callback()
def keep_group() -> None:
    """Keep the name of the only command."""


@command(sites, "verify", service=True)
async def verify(
    session: Session,
    url: str,
    statement: Annotated[
        str, typer.Option(help="The owner's statement in the report; at most 600 characters.")
    ] = "",
    allow_host: AllowedHosts = None,
) -> None:
    """Prove that you own a site and scan it; without the token, the error says what to publish."""
    from readiness.scans.scan_service import ScanService

    visiting = session.service.visiting(allow_host or ())
    scans = ScanService(session.database, visiting.scanner, visiting.ownership)
    owner = await scans.prove_owner(session.company.id, url, statement)
    report = await visiting.scanner.scan(session.company.id, ScanRequest(url, owner=owner))
    show_report(session.output, report, public=True)


def show_report(output: Output, report: Report, *, public: bool) -> None:
    """Print the scores, the fixes worth most, and where the whole report is."""
    if output.as_json:
        output.show(json.loads(report.to_json()))
        return
    output.people.print(f"{report.host} ({report.siteType.value.replace('_', ' ')})")
    overall = report.overall
    rows = [("Overall", score_text(overall.score, overall.band, overall.reason), None, None, "")]
    rows += [
        (
            title,
            score_text(group.score, group.band, group.reason),
            group.low,
            group.high,
            f"{group.coverage:.0%}",
        )
        for title, group in report.groups()
    ]
    output.table(("", "score", "low", "high", "coverage"), rows)
    for fix in report.topFixes:
        output.people.print(f"+{fix.gain}  {fix.fix} ({fix.checkId})")
    output.people.print(f"report: {report.links.html if public else f'private, report id {report.reportId}'}")


def score_text(score: int | None, band: str | None, reason: str | None) -> str:
    """Return a score with its band, or why there is none."""
    return f"{score} ({band})" if score is not None else f"none ({(reason or '').replace('_', ' ')})"


@agents.callback()
def keep_agents_group() -> None:
    """Keep the name of the only command."""


@agents.command("compare")
def compare_agents(
    file: Annotated[
        Path | None,
        typer.Option(help="A published list as JSON. The installed crawler-user-agents by default."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare our table of AI user agents with a published list."""
    output = Output(as_json)
    source, text = (file.name, read_text(file)) if file else read_package()
    try:
        comparison: Comparison = compare(read_list(text))
    except UnreadableList as error:
        raise WorkError(
            f"{source}: {error}", "Give crawler-user-agents.json, or robots.json of ai.robots.txt."
        ) from error
    data = {"list": source, "botListVersion": BOT_LIST_VERSION, **wire_fields(comparison)}
    output.show(data if as_json else {"ourAgents": len(TOKENS), **data})


def read_text(path: Path) -> str:
    """Return the text of a list. Raises WorkError."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise WorkError(f"{path.name}: the file cannot be read.", "Give a JSON file in UTF-8.") from error


def read_package() -> tuple[str, str]:
    """Return name and text of the package's list. Raises WorkError when it is not installed."""
    try:
        source = f"{PACKAGE} {version(PACKAGE)}"
        return source, files(FOLDER).joinpath(FILE).read_text(encoding="utf-8")
    except (PackageNotFoundError, ModuleNotFoundError, OSError) as error:
        raise WorkError(
            f"The package {PACKAGE} is not installed.", f"pip install {PACKAGE}, or give a list with --file."
        ) from error

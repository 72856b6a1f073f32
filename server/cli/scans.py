"""Readiness scans of sites, of any site or of one that the company owns; and the table of AI user agents."""

import json
from collections.abc import Sequence
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from measurement.errors import UnknownName, WorkError
from readiness.agent_lists import Comparison, UnreadableList, compare, read_list
from readiness.agents import BOT_LIST_VERSION, TOKENS
from readiness.fetching.errors import ScanError
from readiness.report.document import Report, markdown
from readiness.report.exchange import SiteResult, junit, sarif
from readiness.scans.scanner import ScanRequest
from readiness.survey.site_kind import DECLARABLE
from server.cli.errors import error_text
from server.cli.output import Output, wire_fields
from server.cli.session import AllowedHosts, JsonOption, OutFile, Session, command

PACKAGE, FOLDER, FILE = "crawler-user-agents", "crawleruseragents", "crawler-user-agents.json"

BELOW = 3
"""Exit code of a scan whose score is below --fail-under, or that has no score."""


class Format(StrEnum):
    """What a scan prints."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    JUNIT = "junit"
    SARIF = "sarif"


sites = typer.Typer(no_args_is_help=True, help="Sites that your company owns.")
agents = typer.Typer(no_args_is_help=True, help="AI user agents of readiness reports.")


@command(service=True)
async def scan(
    session: Session,
    urls: Annotated[list[str], typer.Argument(metavar="URL...")],
    site_type: Annotated[
        str | None, typer.Option("--type", help="dealer, repair_shop or service_site. Detected by default.")
    ] = None,
    private: Annotated[bool, typer.Option("--private", help="Keep the report inside the company.")] = False,
    probe_bots: Annotated[
        bool, typer.Option("--probe-bots", help="I run this site: also request it as AI bots do.")
    ] = False,
    signals: Annotated[
        bool,
        typer.Option("--signals", help="Also request every known document for agents; they weigh nothing."),
    ] = False,
    fail_under: Annotated[
        int | None, typer.Option(min=0, max=100, help="The least overall score. Exit with 3 below it.")
    ] = None,
    format: Annotated[Format, typer.Option(help="What to print.")] = Format.TEXT,
    out: OutFile = None,
    allow_host: AllowedHosts = None,
) -> int:
    """Scan public sites now and store their readiness reports.

    Exits with 0 when every site has a report and no score is below --fail-under, with 1 when a site has no report,
    and with 3 when an overall score is below --fail-under or missing.
    """
    kinds = {kind.value: kind for kind in DECLARABLE}
    if site_type is not None and site_type not in kinds:
        raise UnknownName("site type", site_type, list(kinds))
    kind = kinds[site_type] if site_type else None
    scanner = session.service.visiting(allow_host or ()).scanner
    results: list[SiteResult] = []
    for url in urls:
        request = ScanRequest(url, kind, not private, probe_bots, signals)
        with session.output.progress(f"scanning {url}", "requests") as advance:

            def progress(stage: str, requests: int, limit: int) -> None:
                advance(requests, limit or None, f"scanning: {stage}")

            try:
                report = await scanner.scan(session.company.id, request, progress)
                results.append(SiteResult(url, report))
            except ScanError as error:
                if len(urls) == 1 and format is Format.TEXT:
                    raise
                results.append(SiteResult(url, error=error.message))
                session.output.say((error_text(error) or "").replace("error:", f"error: {url}:", 1).rstrip())
    show_results(session.output, results, format, fail_under, out, public=not private)
    if any(result.report is None for result in results):
        return 1
    return 0 if fail_under is None or all(result.meets(fail_under) for result in results) else BELOW


def show_results(
    output: Output,
    results: Sequence[SiteResult],
    format: Format,
    fail_under: int | None,
    out: Path | None,
    *,
    public: bool,
) -> None:
    """Print the reports in a format, or write them to a file. JSON is an object for one site and a list for several."""
    reports = [result.report for result in results if result.report]
    if format is Format.JUNIT:
        output.write(junit(results, fail_under), out)
    elif format is Format.SARIF:
        output.write(json.dumps(sarif(results), ensure_ascii=False, indent=2) + "\n", out)
    elif format is Format.MARKDOWN:
        output.write("\n".join(map(markdown, reports)), out)
    elif format is Format.JSON or output.as_json:
        documents = [json.loads(report.to_json()) for report in reports]
        shown = documents if len(results) > 1 else next(iter(documents), None)
        if shown is not None:
            output.write(json.dumps(shown, ensure_ascii=False, indent=2) + "\n", out)
    else:
        for report in reports:
            show_report(output, report, public=public)


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

"""Reports of engines about a brand's sites, compared with the answers that were measured."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from measurement.errors import WorkError
from measurement.imports.engine_reports import read_reports
from measurement.planning.engine_names import platform_name
from measurement.statistics.report_agreement import ReportAgreement, agreement
from server.cli.output import wire_fields
from server.cli.session import OneBrand, Session, command

SHOWN_PAGES = 20
COUNTED = {"bing": "citations in Bing", "google": "impressions in Google"}

app = typer.Typer(
    no_args_is_help=True, help="Reports of Bing Webmaster Tools and Google Search Console about AI answers."
)


@app.callback()
def reports() -> None:
    """Keep `compare` a command of its own, although there is no other one yet."""


@command(app, "compare")
async def compare(
    session: Session,
    files: Annotated[
        list[Path], typer.Argument(help="Exported CSV or ZIP files of one report.", exists=True)
    ],
    brand: OneBrand,
    since: Annotated[
        datetime | None, typer.Option("--from", help="First day, if no file has days.", formats=["%Y-%m-%d"])
    ] = None,
    until: Annotated[
        datetime | None, typer.Option("--to", help="Last day, if no file has days.", formats=["%Y-%m-%d"])
    ] = None,
) -> None:
    """Compare the pages that an engine says it cited with those that measured answers cite in the same period."""
    owner = await session.brand(brand)
    report = read_reports(files)
    first, last = report.period or (None, None)
    begin, end = since.date() if since else first, until.date() if until else last
    if begin is None or end is None:
        raise WorkError(
            "The files do not say their period.", "Give --from and --to, or add the export by day."
        )
    compared = await agreement(session.workspace, owner, report, begin, end)
    value = {
        **wire_fields(compared),
        "pages": [wire_fields(page) for page in compared.pages],
        "queries": [{"query": query, "reported": count} for query, count in report.queries.items()],
    }
    session.output.show(value, "\n".join(lines_of(compared)))
    if not compared.measurable:
        session.output.say("No measured answer of this engine has known citations in the period.")


def lines_of(compared: ReportAgreement) -> list[str]:
    """Return a comparison as lines of text."""
    platforms = ", ".join(map(platform_name, compared.platforms)) or "no engine"
    lines = [
        f"{compared.since} to {compared.until}: {compared.reported} {COUNTED[compared.vendor]}; "
        f"{compared.measurable} measured answers from {platforms}"
    ]
    if compared.seen is not None:
        lines.append(f"{compared.seen:.0%} of the reported count is on pages that measured answers cite, too")
    if compared.correlation is not None:
        lines.append(f"rank correlation of these pages: {compared.correlation:.2f}")
    lines += [
        f"{page.reported:>8} reported {page.answers:>6} answers  {page.page}"
        for page in compared.pages[:SHOWN_PAGES]
    ]
    if len(compared.pages) > SHOWN_PAGES:
        lines.append(f"and {len(compared.pages) - SHOWN_PAGES} more pages (see --json)")
    return lines

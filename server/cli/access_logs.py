"""Access logs of a brand's sites: taken in, and what AI crawlers did there."""

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated, Any

import typer

from measurement.access_logs.bot_verification import address_sources, parse_published
from measurement.access_logs.crawler_report import CrawlerReport, crawler_report, period_until
from measurement.access_logs.line_formats import FORMATS
from measurement.access_logs.log_files import BrokenArchive, read_lines
from measurement.access_logs.log_import import LogCounts, LogImporter, find_target, warnings_of
from measurement.clock import utc_now
from measurement.errors import UnknownName, WorkError
from measurement.planning.ask_plan import find_brand
from oauth.signing import LOG_LINES, sub_key
from server.cli.charts import percent
from server.cli.lookup import find_company
from server.cli.options import Company, Days, Json, OneBrand
from server.cli.output import Output, wire_fields
from server.cli.session import CommandSession, with_database
from storage.repositories.bot_addresses import BotAddressList

STANDARD_INPUT = "-"
LARGEST_LIST = 4 * 1024 * 1024

app = typer.Typer(no_args_is_help=True, help="Visits of AI crawlers, from access logs of your sites.")


@app.command("import")
def import_(
    files: Annotated[list[str], typer.Argument(help="Logs, plain or gzip; - for standard input.")],
    brand: OneBrand,
    log_format: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")] = "auto",
    site: Annotated[
        str | None,
        typer.Option(help="Whose lines they are that name no host; the brand's website without it."),
    ] = None,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Count visits of AI crawlers and referrals from AI products; a line that was counted before counts no more."""
    with_database(as_json, import_logs, files, brand, log_format, site, company)


async def import_logs(
    session: CommandSession,
    output: Output,
    files: Sequence[str],
    brand_name: str,
    log_format: str,
    site: str | None,
    company_name: str | None,
) -> None:
    """Take in files one after the other; those before a broken one are kept. Raises WorkError."""
    company = await find_company(session.database, company_name)
    workspace = session.database.workspace(company.id)
    target = await find_target(workspace, await find_brand(workspace, brand_name), site)
    importer = LogImporter(session.database, sub_key(session.settings.secret_key, LOG_LINES), utc_now)
    total = LogCounts()
    for name in files:
        with opened(name) as file:
            try:
                async for counts in importer.import_lines(target, read_lines(file), "file", log_format):
                    total.add(counts)
            except BrokenArchive as error:
                raise WorkError(
                    f"{name}: the gzip file is damaged or ends early",
                    f"{total.counted} visits before that place are counted; the whole file may be imported again.",
                ) from error
    output.data(intake_fields(total), lambda: show_counts(output, total))
    for warning in warnings_of(total):
        output.say(warning)


@contextmanager
def opened(name: str) -> Generator[IO[bytes]]:
    """Open a file or standard input. Raises WorkError."""
    if name == STANDARD_INPUT:
        yield sys.stdin.buffer.raw  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
        return
    try:
        with Path(name).open("rb", buffering=0) as file:
            yield file
    except OSError as error:
        raise WorkError(
            f"{name}: the file cannot be read", "Give the path of a log, or - for input."
        ) from error


def intake_fields(counts: LogCounts) -> dict[str, Any]:
    """Return what became of the lines, as it is printed and answered."""
    return {**wire_fields(counts), "counted": counts.counted, "skipped": counts.skipped}


def show_counts(output: Output, counts: LogCounts) -> None:
    """Print what became of the lines for people."""
    output.people.print(
        f"{counts.lines} lines: {counts.visits} visits of AI crawlers and {counts.referrals} referrals counted, "
        f"{counts.duplicates} counted before, {counts.skipped} skipped",
    )
    if counts.not_this_bot:
        output.people.print(
            f"{counts.not_this_bot} of the visits came under a crawler's name from somebody else's address",
        )
    output.people.print(
        f"skipped: {counts.other} of other visitors, {counts.unreadable} unreadable, "
        f"{counts.other_sites} of other sites, {counts.out_of_range} too old or in the future",
    )


@app.command("show")
def show(brand: OneBrand, days: Days = 28, company: Company = None, as_json: Json = False) -> None:
    """Show bots, pages, answers and referrals of the last days."""
    with_database(as_json, show_visits, brand, days, company)


async def show_visits(
    session: CommandSession, output: Output, brand_name: str, days: int, company_name: str | None
) -> None:
    """Print the report of a period."""
    company = await find_company(session.database, company_name)
    workspace = session.database.workspace(company.id)
    brand = await find_brand(workspace, brand_name)
    lists = {known.bot: known.fetched_at for known in await session.database.operators.bot_addresses.all()}
    report = await crawler_report(workspace, brand.key, *period_until(utc_now().date(), days), lists)
    output.data(
        {**wire_fields(report), "visits": report.visits, "verified": report.verified},
        lambda: show_report(output, report),
    )


def show_report(output: Output, report: CrawlerReport) -> None:
    """Print the report for people."""
    output.people.print(f"{report.first_day} to {report.last_day} (UTC)")
    columns = (
        "bot",
        "operator",
        "purpose",
        "visits",
        "verified",
        "answered 4xx, 5xx",
        "not this bot",
        "last",
    )
    output.table(
        columns,
        (
            (
                bot.bot,
                bot.operator,
                bot.purpose.replace("_", " "),
                bot.visits,
                percent(bot.verified / bot.visits) if bot.visits else "",
                bot.failed,
                bot.not_this_bot,
                bot.last_day,
            )
            for bot in report.bots
        ),
    )
    if report.pages:
        output.table(
            ("page", "visits", "bots", "answered 4xx, 5xx"),
            ((page.site + page.path, page.visits, page.bots, page.failed) for page in report.pages),
        )
    if report.landings:
        output.table(
            ("people came from", "to", "visits"),
            ((landing.product, landing.site + landing.path, landing.visits) for landing in report.landings),
        )
    if not report.bots and not report.landings:
        output.say("Nothing is counted for these days. Take in a log: seenby logs import FILE --brand NAME")


@app.command("addresses")
def addresses(
    file: Annotated[
        Path | None, typer.Option(help="An operator's published list as JSON, for --bot.", exists=True)
    ] = None,
    bot: Annotated[list[str] | None, typer.Option(help="Whose list the file is, such as GPTBot.")] = None,
    as_json: Json = False,
) -> None:
    """List the published addresses that crawlers are verified by, or store a list of an operator."""
    with_database(as_json, store_or_list_addresses, file, bot or [])


async def store_or_list_addresses(
    session: CommandSession, output: Output, file: Path | None, bots: Sequence[str]
) -> None:
    """Store a list, then print what is known. Raises WorkError."""
    sources: dict[str, list[str]] = address_sources()["lists"]
    known = {name: url for url, names in sources.items() for name in names}
    if (file is None) != (not bots):
        raise WorkError("a file and the bots that it is of go together", "Give --file and --bot.")
    for name in bots:
        if name not in known:
            raise UnknownName("bot with published addresses", name, known)
    if file is not None:
        with opened(str(file)) as content:
            text = content.read(LARGEST_LIST).decode("utf-8", "replace")
        prefixes, now = parse_published(text), utc_now()
        async with session.database.operation() as operators:
            await operators.bot_addresses.save(
                [BotAddressList(name, f"file {file.name}", prefixes, now) for name in bots]
            )
    stored = {one.bot: one for one in await session.database.operators.bot_addresses.all()}
    rows = [
        {
            "bot": name,
            "published": known[name],
            "networks": len(stored[name].prefixes) if name in stored else 0,
            "source": stored[name].source if name in stored else None,
            "fetchedAt": stored[name].fetched_at if name in stored else None,
        }
        for name in sorted(known)
    ]
    output.data(
        rows, lambda: output.table(("bot", "networks", "as of", "published at"), map(address_cells, rows))
    )


def address_cells(row: dict[str, Any]) -> tuple[object, ...]:
    """Return what a row of the table of addresses has."""
    return row["bot"], row["networks"] or "", row["fetchedAt"], row["published"]

"""Access logs of a brand's sites: taken in, and what AI crawlers did there."""

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated, Any

import typer

from measurement.errors import UnknownName, WorkError
from measurement.imports.access_logs.address_lists import FetchedList, published_at
from measurement.imports.access_logs.bot_verification import address_sources, parse_published
from measurement.imports.access_logs.crawler_report import CrawlerReport, crawler_report, period_until
from measurement.imports.access_logs.line_formats import FORMATS
from measurement.imports.access_logs.log_import import (
    BrokenArchive,
    LogCounts,
    LogImporter,
    find_target,
    read_lines,
    warnings_of,
)
from measurement.imports.access_logs.reverse_dns import reverse_dns_of
from measurement.planning.ask_plan import find_brand
from measurement.planning.clock import utc_now
from oauth.signing import LOG_LINES, sub_key
from server.cli.charts import percent
from server.cli.lookup import find_company
from server.cli.options import AllowedHosts, Company, Days, Json, OneBrand
from server.cli.output import Output, wire_fields
from server.cli.session import CommandSession, with_database, with_service
from server.service import Service
from storage.database import Database
from storage.repositories.crawler_visits import BotAddressList

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
    settings = session.settings
    reverse_dns = reverse_dns_of(settings.reverse_dns, settings.resolver)
    importer = LogImporter(session.database, sub_key(settings.secret_key, LOG_LINES), utc_now, reverse_dns)
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
    fetch: Annotated[
        bool, typer.Option("--fetch", help="Fetch the lists from their operators, all or those of --bot.")
    ] = False,
    url: Annotated[
        str | None,
        typer.Option(help="Fetch the list of --bot from here, such as a copy inside your network."),
    ] = None,
    bot: Annotated[list[str] | None, typer.Option(help="Whose list it is, such as GPTBot.")] = None,
    allow_host: AllowedHosts = None,
    as_json: Json = False,
) -> None:
    """List the published addresses and names that crawlers are verified by; store or fetch lists of operators."""
    with_service(as_json, update_or_list_addresses, file, fetch, url, bot or [], allow_host or ())


async def update_or_list_addresses(
    service: Service,
    output: Output,
    file: Path | None,
    fetch: bool,
    url: str | None,
    bots: Sequence[str],
    allow_hosts: Sequence[str],
) -> None:
    """Store a list or fetch some, then print what is known. Raises WorkError when none of them could be had."""
    known = {name for names in published_at().values() for name in names}
    if file is not None and (fetch or url):
        raise WorkError("a list is either in a file or fetched", "Give --file or --fetch.")
    if (file is not None or url) and not bots:
        raise WorkError("whose list it is has to be said", "Give --bot beside --file or --url.")
    if bots and file is None and not url and not fetch:
        raise WorkError("nothing says where the list is", "Give --file, --fetch or --url beside --bot.")
    for name in bots:
        if name not in known:
            raise UnknownName("bot with published addresses", name, known)
    if file is not None:
        await store_list(service.database, file, bots)
    elif fetch or url:
        sources = {url: list(bots)} if url else published_at(bots)
        fetched = await service.visiting(allow_hosts).address_lists.fetch(sources)
        tell_failures(output, fetched)
    await list_addresses(service.database, output)


async def store_list(database: Database, file: Path, bots: Sequence[str]) -> None:
    """Store an operator's list that somebody saved. Raises WorkError."""
    with opened(str(file)) as content:
        text = content.read(LARGEST_LIST).decode("utf-8", "replace")
    prefixes, now = parse_published(text), utc_now()
    async with database.operation() as operators:
        await operators.bot_addresses.save(
            [BotAddressList(name, f"file {file.name}", prefixes, now) for name in bots]
        )


def tell_failures(output: Output, fetched: Sequence[FetchedList]) -> None:
    """Say which lists could not be had. Raises WorkError when it is all of them."""
    failed = [result for result in fetched if result.failure is not None]
    for result in failed:
        output.say(f"{result.url}: {result.failure}; what was stored before is kept")
    if len(failed) == len(fetched):
        raise WorkError(
            "no list could be fetched",
            "Try again later, or save a list in a browser and give it with --file and --bot.",
        )


async def list_addresses(database: Database, output: Output) -> None:
    """Print which lists are here, and which names prove a bot."""
    known = {name: url for url, names in published_at().items() for name in names}
    names: dict[str, list[str]] = address_sources()["names"]
    stored = {listed.bot: listed for listed in await database.operators.bot_addresses.all()}
    rows = [
        {
            "bot": name,
            "published": known.get(name),
            "networks": len(stored[name].prefixes) if name in stored else 0,
            "source": stored[name].source if name in stored else None,
            "fetchedAt": stored[name].fetched_at if name in stored else None,
            "names": names.get(name, []),
        }
        for name in sorted({*known, *names})
    ]
    columns = ("bot", "networks", "as of", "reverse DNS", "published at")
    output.data(rows, lambda: output.table(columns, map(address_cells, rows)))


def address_cells(row: dict[str, Any]) -> tuple[object, ...]:
    """Return what a row of the table of addresses has."""
    return (
        row["bot"],
        row["networks"] or "",
        row["fetchedAt"],
        " ".join(row["names"]),
        row["published"] or "",
    )

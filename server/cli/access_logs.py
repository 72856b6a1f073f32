"""Access logs of a brand's sites: imported, reported, and the address lists that verify AI crawlers."""

import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated

import typer

from measurement.errors import UnknownName, WorkError
from measurement.imports.access_logs.address_lists import FetchedList, published_at
from measurement.imports.access_logs.bot_verification import address_sources, parse_published
from measurement.imports.access_logs.crawler_report import crawler_report, period_until
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
from measurement.planning.clock import utc_now
from oauth.signing import LOG_LINES, sub_key
from server.cli.output import Output, wire_fields
from server.cli.session import AllowedHosts, OneBrand, Session, command
from storage.database import Database
from storage.repositories.crawler_visits import BotAddressList

STANDARD_INPUT = "-"
LARGEST_LIST = 4 * 1024 * 1024

app = typer.Typer(no_args_is_help=True, help="Visits of AI crawlers, from access logs of your sites.")


@command(app, "import")
async def import_(
    session: Session,
    files: Annotated[list[str], typer.Argument(help="Logs, plain or gzip; - for standard input.")],
    brand: OneBrand,
    log_format: Annotated[str, typer.Option("--format", help=f"One of {', '.join(FORMATS)}.")] = "auto",
    site: Annotated[
        str | None,
        typer.Option(help="Site of lines without a host name. The brand's website by default."),
    ] = None,
) -> None:
    """Count visits of AI crawlers and referrals from AI products; lines that were counted before are skipped."""
    target = await find_target(session.workspace, await session.brand(brand), site)
    settings, output = session.settings, session.output
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
                    f"{name}: the gzip file is damaged or ends early.",
                    f"{total.counted} visits before that place are counted. The whole file may be imported again.",
                ) from error
    lines = [
        f"{total.lines} lines: {total.visits} visits of AI crawlers and {total.referrals} referrals counted, "
        f"{total.duplicates} counted before, {total.skipped} skipped",
        f"skipped: {total.other} of other visitors, {total.unreadable} unreadable, "
        f"{total.other_sites} of other sites, {total.out_of_range} too old or in the future",
    ]
    if total.not_this_bot:
        lines.insert(1, f"{total.not_this_bot} visits used a crawler's name from another address")
    value = {**wire_fields(total), "counted": total.counted, "skipped": total.skipped}
    output.show(value, "\n".join(lines))
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
            f"{name}: the file cannot be read.", "Give the path of a log, or - for standard input."
        ) from error


@command(app, "show")
async def show(
    session: Session, brand: OneBrand, days: Annotated[int, typer.Option(min=1, help="Days back.")] = 28
) -> None:
    """Show bots, pages and referrals of the last days."""
    owner = await session.brand(brand)
    lists = {known.bot: known.fetched_at for known in await session.database.operators.bot_addresses.all()}
    period = period_until(utc_now().date(), days)
    report = await crawler_report(session.workspace, owner.key, *period, lists)
    session.output.show({**wire_fields(report), "visits": report.visits, "verified": report.verified})
    if not report.bots and not report.landings:
        session.output.say("No visits in these days. Import a log with: seenby logs import FILE --brand NAME")


@command(app, "addresses", service=True, company=False)
async def addresses(
    session: Session,
    file: Annotated[
        Path | None, typer.Option(help="An operator's published list as JSON, for --bot.", exists=True)
    ] = None,
    fetch: Annotated[
        bool, typer.Option("--fetch", help="Fetch the lists of all operators, or those of --bot.")
    ] = False,
    url: Annotated[
        str | None, typer.Option(help="Fetch the list of --bot from here, such as a copy in your network.")
    ] = None,
    bot: Annotated[
        list[str] | None, typer.Option(help="Bot of the list, such as GPTBot. Repeatable.")
    ] = None,
    allow_host: AllowedHosts = None,
) -> None:
    """List the published addresses and names that verify crawlers; store or fetch operators' lists."""
    bots = bot or []
    known = {name for names in published_at().values() for name in names}
    if file is not None and (fetch or url):
        raise WorkError("A list is either read from a file or fetched.", "Give --file or --fetch.")
    if (file is not None or url) and not bots:
        raise WorkError("The list has no bot.", "Give --bot with --file or --url.")
    if bots and file is None and not url and not fetch:
        raise WorkError("There is no source for the list.", "Give --file, --fetch or --url with --bot.")
    for name in bots:
        if name not in known:
            raise UnknownName("bot with published addresses", name, known)
    if file is not None:
        await store_list(session.database, file, bots)
    elif fetch or url:
        sources = {url: bots} if url else published_at(bots)
        fetched = await session.service.visiting(allow_host or ()).address_lists.fetch(sources)
        report_failures(session.output, fetched)
    await list_addresses(session.database, session.output)


async def store_list(database: Database, file: Path, bots: Sequence[str]) -> None:
    """Store an operator's list from a file. Raises WorkError."""
    with opened(str(file)) as content:
        text = content.read(LARGEST_LIST).decode("utf-8", "replace")
    prefixes, now = parse_published(text), utc_now()
    async with database.operation() as operators:
        await operators.bot_addresses.save(
            [BotAddressList(name, f"file {file.name}", prefixes, now) for name in bots]
        )


def report_failures(output: Output, fetched: Sequence[FetchedList]) -> None:
    """Print which lists could not be fetched. Raises WorkError when none could."""
    failed = [result for result in fetched if result.failure is not None]
    for result in failed:
        output.say(f"{result.url}: {result.failure}; the stored list is kept")
    if len(failed) == len(fetched):
        raise WorkError(
            "No list could be fetched.",
            "Try again later, or save a list in a browser and give it with --file and --bot.",
        )


async def list_addresses(database: Database, output: Output) -> None:
    """Print which lists are stored, and which host names verify a bot."""
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
    output.show(rows, columns="bot networks fetchedAt names published")

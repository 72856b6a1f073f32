"""Archives: everything of a company or a brand as lines of JSON, out of the database and into another."""

from pathlib import Path
from typing import Annotated

import typer

from measurement.imports.archives import archive_records, take_in
from measurement.planning.brand_identity import find_brand
from measurement.planning.clock import utc_now
from server.cli import answers
from server.cli.lookup import find_company
from server.cli.options import Company, Json
from server.cli.output import Output
from server.cli.progress import show_progress
from server.cli.session import CommandSession, publisher_of, with_database

exports = typer.Typer(no_args_is_help=True, help="Stored data as lines of JSON.")
exports.command("answers")(answers.export)


@exports.command("everything")
def export(
    company: Company = None,
    brand: Annotated[str | None, typer.Option(help="Name or id; the whole company without it.")] = None,
    as_json: Json = False,
) -> None:
    """Print all that was told and measured as lines of JSON, raw answers included; no accounts and no keys."""
    with_database(as_json, export_everything, company, brand)


async def export_everything(
    session: CommandSession, output: Output, company_name: str | None, brand_name: str | None
) -> None:
    """Print every record of a company, or of one brand."""
    company = await find_company(session.database, company_name)
    workspace = session.database.workspace(company.id)
    brand = await find_brand(workspace, brand_name) if brand_name else None
    async for line in archive_records(workspace, company.name, brand, utc_now):
        output.line(line)


def import_(
    file: Path,
    company: Company = None,
    keep_schedules: Annotated[
        bool, typer.Option("--keep-schedules", help="Go on asking by the clock as the original does.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Take in what `export everything` printed elsewhere, and calculate the same numbers from it."""
    with_database(as_json, import_everything, file, company, keep_schedules=keep_schedules)


async def import_everything(
    session: CommandSession, output: Output, path: Path, company_name: str | None, *, keep_schedules: bool
) -> None:
    """Take an archive in, print how much of what was stored, and say what does not ask by the clock any more."""
    company = await find_company(session.database, company_name)
    with show_progress(output, "taking in", "records") as progress:
        taken = await take_in(
            session.database,
            publisher_of(session),
            company.id,
            path,
            progress,
            keep_schedules=keep_schedules,
        )
    value = {
        "records": taken.counts,
        "brands": [{"id": brand.id, "name": brand.name} for brand in taken.brands],
        "schedulesSwitchedOff": [
            {"kind": disabled.kind, "name": disabled.name, "schedule": disabled.schedule}
            for disabled in taken.switched_off
        ],
    }
    for disabled in taken.switched_off:
        output.say(f"switched off the schedule {disabled.schedule!r} of the {disabled.kind} {disabled.name}")
    if taken.switched_off:
        output.say(
            "Nothing is asked by the clock until schedules are set again; --keep-schedules keeps them."
        )
    output.data(value, lambda: output.table(("table", "records"), list(taken.counts.items())))

"""Answers captured elsewhere: imported from a file, and exported as lines that can be imported again."""

from pathlib import Path
from typing import Annotated

import typer

from measurement.clock import utc_now
from measurement.imports.captured_answers import Importer, exported
from measurement.planning.ask_plan import find_brand
from server.cli.lookup import find_company
from server.cli.options import Company, Json, OneBrand
from server.cli.output import Output
from server.cli.progress import show_progress
from server.cli.session import CommandSession, publisher_of, with_database

app = typer.Typer(no_args_is_help=True, help="Answers captured elsewhere.")


@app.command("import")
def import_(
    file: Path,
    brand: OneBrand,
    company: Company = None,
    keep_going: Annotated[bool, typer.Option(help="Store the good lines and report the bad ones.")] = False,
    as_json: Json = False,
) -> None:
    """Import answers captured elsewhere (JSONL, or CSV by its name); a line that was imported before is skipped."""
    with_database(as_json, import_answers, file, company, brand, keep_going)


async def import_answers(
    session: CommandSession,
    output: Output,
    path: Path,
    company_name: str | None,
    brand_name: str,
    keep_going: bool,
) -> int:
    """Import captured answers; return the exit code."""
    company = await find_company(session.database, company_name)
    brand = await find_brand(session.database.workspace(company.id), brand_name)
    importer = Importer(session.database, publisher_of(session), utc_now)
    with (
        show_progress(output, "importing", "answers") as storing,
        show_progress(output, "reading", "answers") as reading,
    ):
        result = await importer.import_file(
            company.id, brand, path, keep_going=keep_going, progress=storing, reading=reading
        )
    for line, reason in result.rejected:
        output.say(f"{path.name}, line {line}: {reason}")
    value = {
        "stored": result.stored,
        "duplicates": result.duplicates,
        "rejected": [{"line": line, "reason": reason} for line, reason in result.rejected],
    }
    summary = (
        f"{result.stored} stored, {result.duplicates} duplicates skipped, {len(result.rejected)} rejected"
    )
    output.data(value, lambda: output.people.print(summary))
    return 1 if result.rejected or not (result.stored or result.duplicates) else 0


def export(brand: OneBrand, company: Company = None, as_json: Json = False) -> None:
    """Print every stored answer of a brand as lines of JSON that can be imported again."""
    with_database(as_json, export_answers, company, brand)


async def export_answers(
    session: CommandSession, output: Output, company_name: str | None, brand_name: str
) -> None:
    """Print every answer of a brand as lines of JSON that can be imported."""
    company = await find_company(session.database, company_name)
    workspace = session.database.workspace(company.id)
    async for line in exported(workspace, await find_brand(workspace, brand_name)):
        output.line(line)

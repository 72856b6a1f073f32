"""Answers captured elsewhere: imported from a file, and exported as lines that can be imported again."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from measurement.clock import utc_now
from measurement.imports.captured_answers import Importer, exported
from measurement.planning.ask_plan import find_brand
from server.cli.lookup import find_company
from server.cli.options import Company, Json, OneBrand
from server.cli.output import Output, format_rate
from server.cli.session import CommandSession, with_database, with_service

if TYPE_CHECKING:
    from server.service import Service

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
    with_service(as_json, import_answers, file, company, brand, keep_going)


async def import_answers(
    service: "Service",
    output: Output,
    path: Path,
    company_name: str | None,
    brand_name: str,
    keep_going: bool,
) -> int:
    """Import captured answers; return the exit code."""
    company = await find_company(service.database, company_name)
    brand = await find_brand(service.database.workspace(company.id), brand_name)
    importer = Importer(service.database, service.publisher, utc_now)
    with output.progress() as bar:
        task = bar.add_task("importing", total=None, rate="")
        started = time.monotonic()

        def advanced(done: int, total: int) -> None:
            bar.update(
                task,
                completed=done,
                total=total,
                rate=format_rate(done, time.monotonic() - started, "answers"),
            )

        result = await importer.import_file(company.id, brand, path, keep_going=keep_going, progress=advanced)
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

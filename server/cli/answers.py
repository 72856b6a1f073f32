"""Answers: listed, opened, imported from a file, and exported as lines that can be imported again."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from measurement.planning.brand_identity import find_brand
from measurement.planning.clock import utc_now
from server.cli.lookup import find_company
from server.cli.option_groups import AnswerFilters, takes_option_groups
from server.cli.options import Company, Json, Limit, Offset, OneBrand
from server.cli.output import Output
from server.cli.progress import show_progress
from server.cli.session import CommandSession, publisher_of, with_database, with_rows
from server.cli.tool_words import does

SupplierName = Literal["dataforseo", "cloro", "brightdata", "serpapi"]
app = typer.Typer(no_args_is_help=True, help="Stored answers, and those captured elsewhere.")


@app.command("import")
def import_(
    file: Path,
    brand: OneBrand,
    company: Company = None,
    keep_going: Annotated[bool, typer.Option(help="Store the good lines and report the bad ones.")] = False,
    format_: Annotated[
        SupplierName | None,
        typer.Option(
            "--format", help="The file holds bodies of this supplier, as it sent them; gzip or plain."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Import answers captured elsewhere (JSONL, or CSV by its name); a line that was imported before is skipped."""
    with_database(as_json, import_answers, file, company, brand, keep_going, format_)


async def import_answers(
    session: CommandSession,
    output: Output,
    path: Path,
    company_name: str | None,
    brand_name: str,
    keep_going: bool,
    supplier: SupplierName | None = None,
) -> int:
    """Import captured answers; return the exit code."""
    from measurement.extraction.captured_lines import lines_of  # the matcher, for who imports
    from measurement.imports.captured_answers import Importer

    read = lines_of
    if supplier is not None:
        from measurement.imports.supplier_files import reader_of  # the parsers of all suppliers

        read = reader_of(supplier)
    company = await find_company(session.database, company_name)
    brand = await find_brand(session.database.workspace(company.id), brand_name)
    importer = Importer(session.database, publisher_of(session), utc_now)
    with (
        show_progress(output, "importing", "answers") as storing,
        show_progress(output, "reading", "answers") as reading,
    ):
        result = await importer.import_file(
            company.id,
            brand,
            path,
            keep_going=keep_going,
            read=read,
            progress=storing,
            reading=reading,
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


@app.command("list")
@does("list_answers")
@takes_option_groups
def list_(
    brand: OneBrand,
    filters: AnswerFilters,
    outcome: Annotated[
        str | None,
        typer.Option(
            help="names_us, rival_instead, nobody, anybody, cites_us, contradicts, truncated, left_out, judged, "
            "positive, neutral or negative."
        ),
    ] = None,
    competitor: Annotated[str | None, typer.Option(help="Only those that name this competitor.")] = None,
    source: Annotated[str | None, typer.Option(help="Only those that cite this domain or page.")] = None,
    limit: Limit = 20,
    offset: Offset = 0,
    company: Company = None,
    as_json: Json = False,
) -> None:
    """List stored answers, newest first."""
    from server.cli import stored_answers  # loaded by who looks at answers

    choice: dict[str, Any] = {"outcome": outcome, "competitor": competitor, "source": source}
    choice |= {"limit": limit, "offset": offset}
    with_rows(as_json, company, stored_answers.list_answers, brand, filters, choice)


@app.command("show")
@does("get_answer")
def show(
    answer: Annotated[str, typer.Argument(help="Id, as answers list prints it.")],
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Show one answer whole: its words, whom it names, what it cites and claims."""
    from server.cli import stored_answers

    with_rows(as_json, company, stored_answers.show_answer, answer)


def export(brand: OneBrand, company: Company = None, as_json: Json = False) -> None:
    """Print every stored answer of a brand as lines of JSON that can be imported again."""
    with_database(as_json, export_answers, company, brand)


async def export_answers(
    session: CommandSession, output: Output, company_name: str | None, brand_name: str
) -> None:
    """Print every answer of a brand as lines of JSON that can be imported."""
    from measurement.imports.captured_answers import exported

    company = await find_company(session.database, company_name)
    workspace = session.database.workspace(company.id)
    async for line in exported(workspace, await find_brand(workspace, brand_name), utc_now):
        output.line(line)

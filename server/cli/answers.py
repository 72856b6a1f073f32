"""Answers: imported and exported as files; unfinished batches; archives of everything."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from measurement.errors import WorkError
from measurement.planning.clock import utc_now
from server.cli.session import OneBrand, Session, command

DataProvider = Literal["dataforseo", "cloro", "brightdata", "serpapi"]

app = typer.Typer(
    no_args_is_help=True, help="Answers that were captured elsewhere. Read stored ones with seenby call."
)
batches = typer.Typer(no_args_is_help=True, help="Probes and imports that are not finished.")
exports = typer.Typer(no_args_is_help=True, help="Stored data as lines of JSON.")


@command(app, "import")
async def import_(
    session: Session,
    file: Path,
    brand: OneBrand,
    keep_going: Annotated[bool, typer.Option(help="Store valid lines and report the others.")] = False,
    format_: Annotated[
        DataProvider | None,
        typer.Option("--format", help="The file has response bodies of this data provider; gzip or plain."),
    ] = None,
) -> int:
    """Import answers captured elsewhere (JSONL, or CSV by its name); lines that were imported before are skipped."""
    from measurement.extraction.captured_lines import lines_of  # loads the matcher
    from measurement.imports.captured_answers import Importer

    read = lines_of
    if format_ is not None:
        from measurement.imports.supplier_files import reader_of  # loads the parsers of all data providers

        read = reader_of(format_)
    output = session.output
    importer = Importer(session.database, session.publisher, utc_now)
    owner = await session.brand(brand)
    with output.progress("importing", "answers") as storing, output.progress("reading", "answers") as reading:
        result = await importer.import_file(
            session.company.id,
            owner,
            file,
            keep_going=keep_going,
            read=read,
            progress=storing,
            reading=reading,
        )
    rejected = [{"line": line, "reason": reason} for line, reason in result.rejected]
    for line, reason in result.rejected:
        output.say(f"{file.name}, line {line}: {reason}")
    output.show(
        {"stored": result.stored, "duplicates": result.duplicates, "rejected": rejected},
        f"{result.stored} stored, {result.duplicates} duplicates skipped, {len(rejected)} rejected",
    )
    return 1 if rejected or not (result.stored or result.duplicates) else 0


@command(exports, "answers")
async def export_answers(session: Session, brand: OneBrand) -> None:
    """Print every stored answer of a brand as lines of JSON, which `answers import` reads."""
    from measurement.imports.captured_answers import exported

    async for line in exported(session.workspace, await session.brand(brand), utc_now):
        session.output.line(line)


@command(exports, "everything")
async def export_everything(
    session: Session,
    brand: Annotated[str | None, typer.Option(help="Name or id. The whole company by default.")] = None,
) -> None:
    """Print everything that is stored as lines of JSON, raw answers included; no accounts and no keys."""
    from measurement.imports.archives import archive_records

    owner = await session.brand(brand) if brand else None
    async for line in archive_records(session.workspace, session.company.name, owner, utc_now):
        session.output.line(line)


@command()
async def import_everything(
    session: Session,
    file: Path,
    keep_schedules: Annotated[
        bool, typer.Option("--keep-schedules", help="Keep schedules on; they are switched off by default.")
    ] = False,
) -> None:
    """Import what `export everything` printed elsewhere, and recompute the same numbers from it."""
    from measurement.imports.archives import take_in

    output = session.output
    with output.progress("importing", "records") as progress:
        taken = await take_in(
            session.database,
            session.publisher,
            session.company.id,
            file,
            progress,
            keep_schedules=keep_schedules,
        )
    for disabled in taken.switched_off:
        output.say(f"switched off the schedule {disabled.schedule!r} of the {disabled.kind} {disabled.name}")
    if taken.switched_off:
        output.say("Set schedules again when they should run here, or import with --keep-schedules.")
    disabled_fields = [
        {"kind": disabled.kind, "name": disabled.name, "schedule": disabled.schedule}
        for disabled in taken.switched_off
    ]
    value = {
        "records": taken.counts,
        "brands": [{"id": brand.id, "name": brand.name} for brand in taken.brands],
        "schedulesSwitchedOff": disabled_fields,
    }
    output.show(value if output.as_json else taken.counts)


@command(batches, "list")
async def list_batches(session: Session) -> None:
    """List probes and imports that are running or were interrupted; the same command resumes them."""
    rows = [
        {
            "batchId": batch.id,
            "brand": batch.brand_name,
            "source": batch.source,
            "createdAt": batch.created_at,
            "asks": batch.asks,
            "stored": batch.stored,
            "failed": batch.failed,
        }
        for batch in await session.workspace.batches.unfinished()
    ]
    session.output.show(rows, columns="batchId brand source createdAt asks stored failed")


@command(batches, "cancel")
async def cancel_batch(session: Session, batch_id: str) -> None:
    """Cancel a batch for good: it stops at once and is not published."""
    async with session.transaction() as writing:
        if not await writing.batches.cancel(batch_id, utc_now()):
            raise WorkError("No running batch has this id.", "List them with: seenby batches list")
    session.output.show({"batchId": batch_id, "status": "cancelled"}, f"{batch_id} cancelled")

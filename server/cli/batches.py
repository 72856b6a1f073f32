"""Batches: probes and imports that are not finished."""

import typer

from measurement.errors import WorkError
from measurement.planning.clock import utc_now
from server.cli.lookup import find_company
from server.cli.options import Company, Json
from server.cli.output import Output
from server.cli.session import CommandSession, with_database

app = typer.Typer(no_args_is_help=True, help="Probes and imports that are not finished.")


@app.command("list")
def list_(company: Company = None, as_json: Json = False) -> None:
    """List probes and imports that are running, or wait to be taken up by the same command."""
    with_database(as_json, list_batches, company)


async def list_batches(session: CommandSession, output: Output, company_name: str | None) -> None:
    """Print what is running or was cut short."""
    company = await find_company(session.database, company_name)
    values = [
        {
            "batchId": batch.id,
            "brand": batch.brand_name,
            "source": batch.source,
            "createdAt": batch.created_at,
            "asks": batch.asks,
            "stored": batch.stored,
            "failed": batch.failed,
        }
        for batch in await session.database.workspace(company.id).batches.unfinished()
    ]
    rows = [tuple(value.values()) for value in values]
    columns = ("batch", "brand", "source", "since", "asks", "stored", "failed")
    output.data(values, lambda: output.table(columns, rows))


@app.command("cancel")
def cancel(batch_id: str, company: Company = None, as_json: Json = False) -> None:
    """Cancel a batch for good: whoever asks it stops at once, and it counts for nothing."""
    with_database(as_json, cancel_batch, company, batch_id)


async def cancel_batch(
    session: CommandSession, output: Output, company_name: str | None, batch_id: str
) -> None:
    """Cancel a running batch. Raises WorkError when there is none of this id."""
    company = await find_company(session.database, company_name)
    async with session.database.transaction(company.id) as writing:
        if not await writing.batches.cancel(batch_id, utc_now()):
            raise WorkError("no running batch has this id", "List them with: seenby batches list")
    value = {"batchId": batch_id, "status": "cancelled"}
    output.data(value, lambda: output.people.print("cancelled; who was asking it stops"))

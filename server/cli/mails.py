"""The record of e-mails: whom what was sent, how often it was tried, and how it ended."""

from typing import Annotated

import typer

from server.cli.lookup import find_company
from server.cli.options import Company, Json
from server.cli.output import Output
from server.cli.session import CommandSession, with_database


def mails(
    company: Company = None,
    limit: Annotated[int, typer.Option(min=1, max=1000)] = 50,
    offset: Annotated[int, typer.Option(min=0)] = 0,
    as_json: Json = False,
) -> None:
    """List the e-mails of a company, newest first, with what became of each."""
    with_database(as_json, list_mails, company, limit, offset)


async def list_mails(
    session: CommandSession, output: Output, company_name: str | None, limit: int, offset: int
) -> None:
    """Print one page of the record."""
    company = await find_company(session.database, company_name)
    records, total = await session.database.workspace(company.id).mails.page(limit, offset)
    rows = [
        (record.created_at, record.kind, record.recipient, record.state, record.attempts, record.reply)
        for record in records
    ]
    columns = ("queued", "kind", "recipient", "state", "attempts", "reply")
    output.data({"mails": records, "total": total}, lambda: output.table(columns, rows))

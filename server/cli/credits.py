"""Credits: extra ones for a month, and the ledger of a month."""

from typing import Annotated

import typer

from measurement.errors import WorkError
from measurement.planning.clock import utc_now
from server.cli.lookup import find_company
from server.cli.options import Company, Json
from server.cli.output import Output
from server.cli.session import CommandSession, with_database
from workflows.credits import balance, period_of

app = typer.Typer(no_args_is_help=True, help="Credits: extra ones, and the ledger of a month.")


@app.command("grant")
def grant(amount: int, company: Company = None, as_json: Json = False) -> None:
    """Give a company extra credits for the current month."""
    with_database(as_json, grant_credits, company, amount)


async def grant_credits(
    session: CommandSession, output: Output, company_name: str | None, amount: int
) -> None:
    """Enter a grant in the ledger. Raises WorkError for less than one credit."""
    if amount < 1:
        raise WorkError("a grant is at least one credit", "Nothing was granted.")
    company, now = await find_company(session.database, company_name), utc_now()
    async with session.database.transaction(company.id) as workspace:
        await workspace.credits.lock()
        await workspace.credits.enter(period_of(now), None, "grant", amount, now)
        available = (await balance(workspace, now)).available
    output.data(
        {"company": company.id, "period": period_of(now), "granted": amount, "available": available},
        lambda: output.people.print(f"{company.name}: {amount} credits granted, {available} available"),
    )


@app.command("statement")
def statement(
    company: Company = None,
    month: Annotated[str | None, typer.Option(help="YYYY-MM in UTC; this month without it.")] = None,
    as_json: Json = False,
) -> None:
    """Print every line of a month's ledger."""
    with_database(as_json, print_statement, company, month)


async def print_statement(
    session: CommandSession, output: Output, company_name: str | None, month: str | None
) -> None:
    """Print the ledger of a month, `YYYY-MM` in UTC."""
    company = await find_company(session.database, company_name)
    entries = await session.database.workspace(company.id).credits.entries(month or period_of(utc_now()))
    rows = [(entry.created_at, entry.kind, entry.amount, entry.run_id) for entry in entries]
    output.data(entries, lambda: output.table(("time", "kind", "credits", "run"), rows))

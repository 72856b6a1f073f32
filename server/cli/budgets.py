"""Budgets: what asking engines may cost, for a run and for a day."""

from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

import typer

from measurement.errors import WorkError
from measurement.planning.clock import utc_now
from server.cli.lookup import find_company
from server.cli.options import Company, Json
from server.cli.output import Output, decimal_text
from server.cli.session import CommandSession, with_database
from storage.repositories.spending import SpendingBudget

app = typer.Typer(no_args_is_help=True, help="What asking may cost: a run, a day.")


@app.command("set")
def set_(
    per_run: Annotated[str | None, typer.Option(help="Most that one probe may cost.")] = None,
    per_day: Annotated[str | None, typer.Option(help="Most that one day in UTC may cost.")] = None,
    currency: Annotated[str, typer.Option(help="ISO 4217, the one of the price table.")] = "USD",
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Limit what asking may cost; a limit that is left out is none."""
    with_database(as_json, set_budget, company, per_run, per_day, currency)


async def set_budget(
    session: CommandSession,
    output: Output,
    company_name: str | None,
    per_run: str | None,
    per_day: str | None,
    currency: str,
) -> None:
    """Store a budget. Raises WorkError for what is no amount or no currency."""
    company = await find_company(session.database, company_name)
    if per_run is None and per_day is None:
        raise WorkError("no limit was given", "Give --per-run, --per-day or both.")
    if not (len(currency) == 3 and currency.isascii() and currency.isalpha()):
        raise WorkError("the currency is no ISO 4217 code", "For example: --currency EUR")
    budget = SpendingBudget(
        currency.upper(), parse_limit("--per-run", per_run), parse_limit("--per-day", per_day)
    )
    async with session.database.transaction(company.id) as writing:
        await writing.spending.set_budget(budget, utc_now())
    await show_budget(session, output, company.id)


@app.command("show")
def show(company: Company = None, as_json: Json = False) -> None:
    """Print the budget and what today has spent."""
    with_database(as_json, show_budget, company)


async def show_budget(session: CommandSession, output: Output, company_name: str | None) -> None:
    """Print the budget of a company."""
    company = await find_company(session.database, company_name)
    spending = session.database.workspace(company.id).spending
    budget = await spending.budget()
    spent = await spending.spent_on(utc_now().date(), budget.currency) if budget else Decimal(0)
    value = budget_fields(budget, spent)
    rows = [] if value is None else [tuple(value.values())]
    output.data(value, lambda: output.table(("currency", "per run", "per day", "spent today"), rows))
    if budget is None:
        output.say("there is no budget: asking is not limited")


@app.command("clear")
def clear(company: Company = None, as_json: Json = False) -> None:
    """Take the budget away."""
    with_database(as_json, clear_budget, company)


async def clear_budget(session: CommandSession, output: Output, company_name: str | None) -> None:
    """Take the budget of a company away."""
    company = await find_company(session.database, company_name)
    async with session.database.transaction(company.id) as writing:
        await writing.spending.set_budget(None, utc_now())
    await show_budget(session, output, company.id)


def budget_fields(budget: SpendingBudget | None, spent_today: Decimal) -> dict[str, Any] | None:
    """Return a budget as JSON; amounts are decimal text."""
    if budget is None:
        return None
    return {
        "currency": budget.currency,
        "perRun": decimal_text(budget.per_run),
        "perDay": decimal_text(budget.per_day),
        "spentToday": decimal_text(spent_today),
    }


def parse_limit(option: str, text: str | None) -> Decimal | None:
    """Return an amount from the command line. Raises WorkError unless it is a number from 0 to a billion."""
    if text is None:
        return None
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal(-1)
    if not (amount.is_finite() and 0 <= amount <= 1_000_000_000):
        raise WorkError(f"{option} is no amount", "Give a number of at least 0, for example 2.50.")
    return amount

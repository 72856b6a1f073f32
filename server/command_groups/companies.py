"""Companies, and the credits and budgets that they spend."""

from typing import Annotated

import typer

from server.command_groups.options import Company, Json
from server.command_groups.session import with_service

companies = typer.Typer(no_args_is_help=True, help="Companies: each is one workspace.")
ledger = typer.Typer(no_args_is_help=True, help="Credits: extra ones, and the ledger of a month.")
budget = typer.Typer(no_args_is_help=True, help="What asking may cost: a run, a day.")


@companies.command("create")
def create(
    name: str,
    email: Annotated[str, typer.Option(help="The owner's address.")],
    plan: Annotated[str, typer.Option(help="free, growth or scale.")] = "growth",
    as_json: Json = False,
) -> None:
    """Make a company and its owner."""
    from server.commands import tenants

    with_service(as_json, tenants.create_company, name, email, plan)


@companies.command("invite")
def invite(
    email: str,
    company: Company = None,
    role: Annotated[str, typer.Option(help="owner or member; a person who is there keeps theirs.")] = "owner",
    as_json: Json = False,
) -> None:
    """Print a link to the pages for one person: to join, or to choose a new password."""
    from server.commands import tenants

    with_service(as_json, tenants.invite, company, email, role)


@companies.command("list")
def list_companies(as_json: Json = False) -> None:
    """List the companies."""
    from server.commands import tenants

    with_service(as_json, tenants.list_companies)


@companies.command("set-plan")
def set_plan(name: str, plan: str, as_json: Json = False) -> None:
    """Put a company on another plan."""
    from server.commands import tenants

    with_service(as_json, tenants.set_plan, name, plan)


@ledger.command("grant")
def grant(amount: int, company: Company = None, as_json: Json = False) -> None:
    """Give a company extra credits for the current month."""
    from server.commands import tenants

    with_service(as_json, tenants.grant_credits, company, amount)


@ledger.command("statement")
def statement(
    company: Company = None,
    month: Annotated[str | None, typer.Option(help="YYYY-MM in UTC; this month without it.")] = None,
    as_json: Json = False,
) -> None:
    """Print every line of a month's ledger."""
    from server.commands import tenants

    with_service(as_json, tenants.credit_statement, company, month)


@budget.command("set")
def set_budget(
    per_run: Annotated[str | None, typer.Option(help="Most that one probe may cost.")] = None,
    per_day: Annotated[str | None, typer.Option(help="Most that one day in UTC may cost.")] = None,
    currency: Annotated[str, typer.Option(help="ISO 4217, the one of the price table.")] = "USD",
    company: Company = None,
    as_json: Json = False,
) -> None:
    """Limit what asking may cost; a limit that is left out is none."""
    from server.commands import spending

    with_service(as_json, spending.set_budget, company, per_run, per_day, currency)


@budget.command("show")
def show_budget(company: Company = None, as_json: Json = False) -> None:
    """Print the budget and what today has spent."""
    from server.commands import spending

    with_service(as_json, spending.show_budget, company)


@budget.command("clear")
def clear_budget(company: Company = None, as_json: Json = False) -> None:
    """Take the budget away."""
    from server.commands import spending

    with_service(as_json, spending.clear_budget, company)

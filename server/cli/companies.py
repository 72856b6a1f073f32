"""Companies, each a workspace: create, list, invite, change the plan; their credits and their budget for engines."""

from decimal import Decimal, InvalidOperation
from typing import Annotated

import typer

from measurement.errors import UnknownName, WorkError
from measurement.planning.clock import utc_now
from server.cli.session import Session, command, find_company
from storage.plans import PLANS, UNLIMITED
from storage.repositories.spending import SpendingBudget
from workflows.credits import balance, period_of

ROLES = ("owner", "member", "viewer")
LARGEST_LIMIT = 1_000_000_000

app = typer.Typer(no_args_is_help=True, help="Companies. Each company is a workspace.")
credits_app = typer.Typer(no_args_is_help=True, help="Credits: extra credits, and the ledger of a month.")
budget_app = typer.Typer(
    no_args_is_help=True, help="Spending limits for engine requests, per run and per day."
)

Amount = Annotated[str | None, typer.Option(help="An amount, such as 2.50.")]


@command(app, "create", company=False)
async def create(
    session: Session,
    name: str,
    email: Annotated[str, typer.Option(help="The owner's address.")],
    plan: Annotated[str, typer.Option(help=f"{', '.join(PLANS)}.")] = UNLIMITED,
) -> None:
    """Create a company with its owner."""
    check_plan(plan)
    if not name.strip() or "@" not in email:
        raise WorkError("A company needs a name and an e-mail address.", "Example: --email owner@example.com")
    async with session.database.operation() as operators:
        company = await operators.companies.create(name, email, plan, utc_now())
    session.output.show(company, f"{company.id}  {company.name}  plan {company.plan}")


@command(app, "list", company=False)
async def list_(session: Session) -> None:
    """List the companies."""
    session.output.show(await session.database.operators.companies.all(), columns="id name plan createdAt")


@command(app, "invite", service=True)
async def invite(
    session: Session,
    email: str,
    role: Annotated[
        str, typer.Option(help="owner, member or viewer. Members who joined keep their role.")
    ] = "owner",
) -> None:
    """Print a link with which one person joins, or chooses a new password."""
    from web.accounts import accounts  # loads the pages

    if role not in ROLES:
        raise UnknownName("role", role, ROLES)
    try:
        link = await accounts.invite(session.service.site(), session.company.id, email, role, None)
    except accounts.AccountRefusal as refusal:
        raise WorkError(" ".join(refusal.faults.values()), "No invitation was created.") from refusal
    session.output.say("The link works once, for a week, and is not stored. Anyone who has it can use it.")
    session.output.show({"company": session.company.name, "email": email, "link": link}, link)


@command(app, "set-plan", company=False)
async def set_plan(session: Session, name: str, plan: str) -> None:
    """Change a company's plan."""
    check_plan(plan)
    company = await find_company(session.database, name)
    async with session.database.operation() as operators:
        await operators.companies.set_plan(company.id, plan)
    session.output.show({"id": company.id, "plan": plan}, f"{company.name}: plan {plan}")


def check_plan(plan: str) -> None:
    """Raise UnknownName unless the plan exists."""
    if plan not in PLANS:
        raise UnknownName("plan", plan, PLANS)


@command(credits_app, "grant")
async def grant(session: Session, amount: int) -> None:
    """Give a company extra credits for the current month."""
    if amount < 1:
        raise WorkError("A grant is at least one credit.", "No credits were granted.")
    company, now = session.company, utc_now()
    async with session.transaction() as writing:
        await writing.credits.lock()
        await writing.credits.enter(period_of(now), None, "grant", amount, now)
        available = (await balance(writing, now)).available
    session.output.show(
        {"company": company.id, "period": period_of(now), "granted": amount, "available": available},
        f"{company.name}: {amount} credits granted, {available} available",
    )


@command(credits_app, "statement")
async def statement(
    session: Session,
    month: Annotated[str | None, typer.Option(help="YYYY-MM in UTC. The current month by default.")] = None,
) -> None:
    """Print the ledger of a month."""
    entries = await session.workspace.credits.entries(month or period_of(utc_now()))
    session.output.show(entries, columns="createdAt kind amount runId")


@command(budget_app, "set")
async def set_budget(
    session: Session,
    per_run: Amount = None,
    per_day: Amount = None,
    currency: Annotated[str, typer.Option(help="ISO 4217, as in the price table.")] = "USD",
) -> None:
    """Limit what engine requests may cost per run, per day (UTC) or both; an omitted limit is removed."""
    if per_run is None and per_day is None:
        raise WorkError("No limit was given.", "Give --per-run, --per-day or both.")
    if not (len(currency) == 3 and currency.isascii() and currency.isalpha()):
        raise WorkError("The currency is not an ISO 4217 code.", "Example: --currency EUR")
    budget = SpendingBudget(
        currency.upper(), parse_limit("--per-run", per_run), parse_limit("--per-day", per_day)
    )
    async with session.transaction() as writing:
        await writing.spending.set_budget(budget, utc_now())
    await print_budget(session)


@command(budget_app, "show")
async def show_budget(session: Session) -> None:
    """Print the budget and what was spent today."""
    await print_budget(session)


@command(budget_app, "clear")
async def clear_budget(session: Session) -> None:
    """Remove the budget."""
    async with session.transaction() as writing:
        await writing.spending.set_budget(None, utc_now())
    await print_budget(session)


async def print_budget(session: Session) -> None:
    """Print the budget of the company; amounts are decimal text in JSON."""
    spending = session.workspace.spending
    budget = await spending.budget()
    if budget is None:
        session.output.show(None, "No budget is set: requests are not limited.")
        return
    spent = await spending.spent_on(utc_now().date(), budget.currency)
    session.output.show(budget_fields(budget, spent))


def budget_fields(budget: SpendingBudget | None, spent_today: Decimal) -> dict[str, object] | None:
    """Return a budget as it is printed."""
    if budget is None:
        return None
    return {
        "currency": budget.currency,
        "perRun": budget.per_run,
        "perDay": budget.per_day,
        "spentToday": spent_today,
    }


def parse_limit(option: str, text: str | None) -> Decimal | None:
    """Return an amount from the command line. Raises WorkError unless it is a number from 0 to a billion."""
    if text is None:
        return None
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal(-1)
    if not (amount.is_finite() and 0 <= amount <= LARGEST_LIMIT):
        raise WorkError(f"{option} is not an amount.", "Give a number of at least 0, for example 2.50.")
    return amount

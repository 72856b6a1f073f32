"""Companies, each one workspace: made, listed, put on a plan; and links for the people in them."""

from typing import TYPE_CHECKING, Annotated

import typer

from measurement.errors import UnknownName, WorkError
from measurement.planning.clock import utc_now
from server.cli.lookup import find_company
from server.cli.options import Company, Json
from server.cli.output import Output
from server.cli.session import CommandSession, with_database, with_service
from storage.plans import PLANS

if TYPE_CHECKING:
    from server.service import Service

ROLES = ("owner", "member", "viewer")

app = typer.Typer(no_args_is_help=True, help="Companies: each is one workspace.")


@app.command("create")
def create(
    name: str,
    email: Annotated[str, typer.Option(help="The owner's address.")],
    plan: Annotated[str, typer.Option(help="free, growth or scale.")] = "growth",
    as_json: Json = False,
) -> None:
    """Make a company and its owner."""
    with_database(as_json, create_company, name, email, plan)


async def create_company(session: CommandSession, output: Output, name: str, email: str, plan: str) -> None:
    """Store a company with its owner. Raises WorkError or UnknownName."""
    check_plan(plan)
    if not name.strip() or "@" not in email:
        raise WorkError(
            "a company needs a name and an e-mail address", "For example: --email owner@example.com"
        )
    async with session.database.operation() as operators:
        company = await operators.companies.create(name, email, plan, utc_now())
    output.data(company, lambda: output.people.print(f"{company.id}  {company.name}  plan {company.plan}"))


@app.command("invite")
def invite(
    email: str,
    company: Company = None,
    role: Annotated[
        str, typer.Option(help="owner, member or viewer; a person who is there keeps theirs.")
    ] = "owner",
    as_json: Json = False,
) -> None:
    """Print a link to the pages for one person: to join, or to choose a new password."""
    with_service(as_json, print_invitation, company, email, role)


async def print_invitation(
    service: "Service", output: Output, company_name: str | None, email: str, role: str
) -> None:
    """Make a link that lets one person join, or choose a new password, and print it."""
    from web.accounts import accounts  # loads the pages

    company = await find_company(service.database, company_name)
    if role not in ROLES:
        raise UnknownName("role", role, ROLES)
    try:
        link = await accounts.invite(service.site(), company.id, email, role, None)
    except accounts.AccountRefusal as refusal:
        raise WorkError(" ".join(refusal.faults.values()), "Nothing was made.") from refusal
    output.say("The link works once, for a week, and is not kept. Whoever has it gets in.")
    output.data({"company": company.name, "email": email, "link": link}, lambda: output.people.print(link))


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List the companies."""
    with_database(as_json, list_companies)


async def list_companies(session: CommandSession, output: Output) -> None:
    """Print every company."""
    companies = await session.database.operators.companies.all()
    rows = [(company.id, company.name, company.plan, company.created_at) for company in companies]
    output.data(companies, lambda: output.table(("id", "name", "plan", "created"), rows))


@app.command("set-plan")
def set_plan(name: str, plan: str, as_json: Json = False) -> None:
    """Put a company on another plan."""
    with_database(as_json, change_plan, name, plan)


async def change_plan(session: CommandSession, output: Output, name: str, plan: str) -> None:
    """Store a company's new plan. Raises UnknownName."""
    check_plan(plan)
    company = await find_company(session.database, name)
    async with session.database.operation() as operators:
        await operators.companies.set_plan(company.id, plan)
    output.data({"id": company.id, "plan": plan}, lambda: output.people.print(f"{company.name}: plan {plan}"))


def check_plan(plan: str) -> None:
    """Raise UnknownName unless the plan exists."""
    if plan not in PLANS:
        raise UnknownName("plan", plan, PLANS)

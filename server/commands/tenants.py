"""Companies and their API keys, as the operator makes them."""

from dataclasses import asdict
from datetime import datetime

from oauth.api_keys import make_api_key
from server.commands.output import Output
from server.commands.subjects import find_company
from server.service import Service, utc_now
from storage.repositories.api_keys import ApiKey
from web import accounts
from workflows.catalog import PLANS
from workflows.credits import balance, period_of
from workflows.errors import UnknownName, WorkError

ROLES = ("owner", "member")


def check_plan(plan: str) -> None:
    """Raise UnknownName unless the plan exists."""
    if plan not in PLANS:
        raise UnknownName("plan", plan, PLANS)


async def create_company(service: Service, output: Output, name: str, email: str, plan: str) -> None:
    """Make a company with its owner."""
    check_plan(plan)
    if not name.strip() or "@" not in email:
        raise WorkError(
            "a company needs a name and an e-mail address", "For example: --email owner@example.com"
        )
    async with service.database.operation() as operators:
        company = await operators.companies.create(name, email, plan, utc_now())
    output.data(
        asdict(company), lambda: output.people.print(f"{company.id}  {company.name}  plan {company.plan}")
    )


async def invite(service: Service, output: Output, company_name: str | None, email: str, role: str) -> None:
    """Print a link that lets one person join, or choose a new password when the person is there already."""
    company = await find_company(service, company_name)
    if role not in ROLES:
        raise UnknownName("role", role, ROLES)
    try:
        link = await accounts.invite(service.site(), company.id, email, role, None)
    except accounts.Refused as refused:
        raise WorkError(" ".join(refused.faults.values()), "Nothing was made.") from refused
    output.say("The link works once, for a week, and is not kept. Whoever has it gets in.")
    output.data({"company": company.name, "email": email, "link": link}, lambda: output.people.print(link))


async def list_companies(service: Service, output: Output) -> None:
    """Print every company."""
    companies = await service.database.operators.companies.all()
    rows = [(one.id, one.name, one.plan, one.created_at.isoformat(timespec="seconds")) for one in companies]
    output.data(
        [asdict(one) for one in companies], lambda: output.table(("id", "name", "plan", "created"), rows)
    )


async def set_plan(service: Service, output: Output, name: str, plan: str) -> None:
    """Put a company on another plan."""
    check_plan(plan)
    company = await find_company(service, name)
    async with service.database.operation() as operators:
        await operators.companies.set_plan(company.id, plan)
    output.data({"id": company.id, "plan": plan}, lambda: output.people.print(f"{company.name}: plan {plan}"))


async def create_key(
    service: Service,
    output: Output,
    company_name: str | None,
    description: str | None,
    expires: str | None,
    rate_limit: int | None,
) -> None:
    """Make a key and print it, once."""
    company = await find_company(service, company_name)
    try:
        made = make_api_key(
            service.api_key_signing,
            company.id,
            utc_now(),
            description=description,
            expires_at=instant(expires) if expires else None,
            rate_limit=rate_limit,
        )
    except ValueError as error:
        raise WorkError(str(error), "Nothing was made.") from error
    async with service.database.operation() as operators:
        await operators.api_keys.add(made.stored)
    output.say("The key is shown this once; only its digest is kept.")
    output.data({**shown_key(made.stored), "key": made.raw}, lambda: output.people.print(made.raw))


def instant(text: str) -> datetime:
    """Read an ISO 8601 instant with its offset. Raises ValueError."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("the expiry is no ISO 8601 instant, for example 2027-01-31T00:00:00Z") from None
    if moment.tzinfo is None:
        raise ValueError("the expiry needs an offset, for example 2027-01-31T00:00:00Z")
    return moment


def shown_key(key: ApiKey) -> dict[str, object]:
    """Return what may be shown of a key."""
    fields = asdict(key)
    del fields["digest"]
    return fields


async def list_keys(service: Service, output: Output) -> None:
    """Print every key, never the key itself."""
    keys = await service.database.operators.api_keys.all()
    rows = [
        (one.id, one.company_id, f"{one.prefix}…{one.last4}", one.status, one.expires_at, one.last_used_at)
        for one in keys
    ]
    columns = ("id", "company", "key", "status", "expires", "last used")
    output.data([shown_key(one) for one in keys], lambda: output.table(columns, rows))


async def revoke_key(service: Service, output: Output, key_id: str) -> None:
    """Revoke a key at once and for good."""
    async with service.database.operation() as operators:
        if not await operators.api_keys.revoke(key_id):
            raise WorkError("there is no active key of this id", "See: seenby keys list")
    output.data({"id": key_id, "status": "revoked"}, lambda: output.people.print(f"{key_id} revoked"))


async def grant_credits(service: Service, output: Output, name: str | None, amount: int) -> None:
    """Give a company extra credits for the current month."""
    if amount < 1:
        raise WorkError("a grant is at least one credit", "Nothing was granted.")
    company, now = await find_company(service, name), utc_now()
    async with service.database.transaction(company.id) as workspace:
        await workspace.credits.lock()
        await workspace.credits.enter(period_of(now), None, "grant", amount, now)
        have = (await balance(workspace, now)).available
    output.data(
        {"company": company.id, "period": period_of(now), "granted": amount, "available": have},
        lambda: output.people.print(f"{company.name}: {amount} credits granted, {have} available"),
    )


async def credit_statement(service: Service, output: Output, name: str | None, month: str | None) -> None:
    """Print every line of a month's ledger."""
    company = await find_company(service, name)
    entries = await service.database.workspace(company.id).credits.entries(month or period_of(utc_now()))
    rows = [
        (one.created_at.isoformat(timespec="seconds"), one.kind, one.amount, one.run_id) for one in entries
    ]
    output.data(
        [asdict(one) for one in entries], lambda: output.table(("time", "kind", "credits", "run"), rows)
    )

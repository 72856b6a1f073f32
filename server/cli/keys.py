"""API keys: made, listed and revoked by the operator."""

from datetime import datetime
from typing import Annotated

import typer

from measurement.errors import WorkError
from measurement.planning.clock import utc_now
from oauth.api_keys import make_api_key
from oauth.signing import API_KEYS, sub_key
from server.cli.lookup import find_company
from server.cli.options import Company, Json
from server.cli.output import Output, wire_fields
from server.cli.session import CommandSession, with_database
from storage.repositories.api_keys import ApiKey

app = typer.Typer(no_args_is_help=True, help="API keys.")


@app.command("create")
def create(
    company: Company = None,
    description: str | None = None,
    expires: Annotated[str | None, typer.Option(help="ISO 8601 instant with offset.")] = None,
    rate_limit: Annotated[int | None, typer.Option(help="Calls a minute, 1 to 600.")] = None,
    as_json: Json = False,
) -> None:
    """Make an API key and print it, this once."""
    with_database(as_json, create_key, company, description, expires, rate_limit)


async def create_key(
    session: CommandSession,
    output: Output,
    company_name: str | None,
    description: str | None,
    expires: str | None,
    rate_limit: int | None,
) -> None:
    """Store a key and print it."""
    company = await find_company(session.database, company_name)
    try:
        key = make_api_key(
            sub_key(session.settings.secret_key, API_KEYS),
            company.id,
            utc_now(),
            description=description,
            expires_at=parse_instant(expires) if expires else None,
            rate_limit=rate_limit,
        )
    except ValueError as error:
        raise WorkError(str(error), "Nothing was made.") from error
    async with session.database.operation() as operators:
        await operators.api_keys.add(key.stored)
    output.say("The key is shown this once; only its digest is kept.")
    output.data({**public_fields(key.stored), "key": key.raw}, lambda: output.people.print(key.raw))


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List the keys, without the keys themselves."""
    with_database(as_json, list_keys)


async def list_keys(session: CommandSession, output: Output) -> None:
    """Print every key, never the key itself."""
    keys = await session.database.operators.api_keys.all()
    rows = [
        (key.id, key.company_id, f"{key.prefix}…{key.last4}", key.status, key.expires_at, key.last_used_at)
        for key in keys
    ]
    columns = ("id", "company", "key", "status", "expires", "last used")
    output.data([public_fields(key) for key in keys], lambda: output.table(columns, rows))


@app.command("revoke")
def revoke(key_id: str, as_json: Json = False) -> None:
    """Revoke a key at once and for good."""
    with_database(as_json, revoke_key, key_id)


async def revoke_key(session: CommandSession, output: Output, key_id: str) -> None:
    """Revoke a key. Raises WorkError when none is active under this id."""
    async with session.database.operation() as operators:
        if not await operators.api_keys.revoke(key_id):
            raise WorkError("there is no active key of this id", "See: seenby keys list")
    output.data({"id": key_id, "status": "revoked"}, lambda: output.people.print(f"{key_id} revoked"))


def parse_instant(text: str) -> datetime:
    """Read an ISO 8601 instant with its offset. Raises ValueError."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("the expiry is no ISO 8601 instant, for example 2027-01-31T00:00:00Z") from None
    if moment.tzinfo is None:
        raise ValueError("the expiry needs an offset, for example 2027-01-31T00:00:00Z")
    return moment


def public_fields(key: ApiKey) -> dict[str, object]:
    """Return what may be shown of a key: all but its digest."""
    shown = wire_fields(key)
    del shown["digest"]
    return shown

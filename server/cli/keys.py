"""API keys, and OAuth clients that the operator has pinned."""

from datetime import datetime
from typing import Annotated

import typer

from measurement.errors import WorkError
from measurement.planning.clock import utc_now
from oauth.api_keys import make_api_key
from oauth.signing import API_KEYS, sub_key
from server.cli.output import wire_fields
from server.cli.session import Session, command
from storage.repositories.api_keys import ApiKey

app = typer.Typer(no_args_is_help=True, help="API keys.")
clients = typer.Typer(no_args_is_help=True, help="OAuth clients that you trust.")


@command(app, "create")
async def create(
    session: Session,
    description: str | None = None,
    expires: Annotated[str | None, typer.Option(help="ISO 8601 time with UTC offset.")] = None,
    rate_limit: Annotated[int | None, typer.Option(help="Calls per minute, 1 to 600.")] = None,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Only reads, also as ?key= of /data/.")
    ] = False,
) -> None:
    """Create an API key and print it. It is shown only once."""
    try:
        key = make_api_key(
            sub_key(session.settings.secret_key, API_KEYS),
            session.company.id,
            utc_now(),
            description=description,
            expires_at=parse_time(expires) if expires else None,
            rate_limit=rate_limit,
            read_only=read_only,
        )
    except ValueError as error:
        raise WorkError(str(error), "No key was created.") from error
    async with session.database.operation() as operators:
        await operators.api_keys.add(key.stored)
    session.output.say("The key is shown only once; the database keeps a digest of it.")
    session.output.show({**public_fields(key.stored), "key": key.raw}, key.raw)


@command(app, "list", company=False)
async def list_(session: Session) -> None:
    """List the keys of all companies; the keys themselves are not shown."""
    keys = await session.database.operators.api_keys.all()
    columns = "id companyId prefix last4 description status expiresAt lastUsedAt"
    session.output.show([public_fields(key) for key in keys], columns=columns)


@command(app, "revoke", company=False)
async def revoke(session: Session, key_id: str) -> None:
    """Revoke a key at once and for good."""
    async with session.database.operation() as operators:
        if not await operators.api_keys.revoke(key_id):
            raise WorkError("No active key has this id.", "List keys with: seenby keys list")
    session.output.show({"id": key_id, "status": "revoked"}, f"{key_id} revoked")


def parse_time(text: str) -> datetime:
    """Read an ISO 8601 time with its offset. Raises ValueError."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("The expiry must be an ISO 8601 time, for example 2027-01-31T00:00:00Z.") from None
    if moment.tzinfo is None:
        raise ValueError("The expiry needs a UTC offset, for example 2027-01-31T00:00:00Z.")
    return moment


def public_fields(key: ApiKey) -> dict[str, object]:
    """Return what may be shown of a key: all but its digest."""
    shown = wire_fields(key)
    del shown["digest"]
    return shown


@command(clients, "pin", company=False)
async def pin(
    session: Session,
    url: Annotated[str, typer.Argument(help="The client's id: the https URL of its metadata.")],
    redirect: Annotated[list[str], typer.Option(help="A redirect URI. Repeatable.")],
    name: Annotated[str, typer.Option(help="Shown to people beside the host of the URL.")] = "",
) -> None:
    """Trust a client whose metadata cannot be fetched from here; this replaces an earlier entry."""
    from oauth.client_documents import vouched_for  # loads the authorization server

    oauth = session.settings.oauth
    if oauth is None:
        raise WorkError("OAuth is off.", "Set SEENBY_OAUTH=on.")
    try:
        client = vouched_for(url, name, redirect, oauth.redirects, utc_now())
    except ValueError as error:
        raise WorkError(str(error), "No client was pinned.") from error
    async with session.database.operation() as operators:
        await operators.pinned_clients.put(client)
    session.output.show(client, f"{client.id} is pinned")


@command(clients, "list", company=False)
async def list_clients(session: Session) -> None:
    """List the pinned clients."""
    session.output.show(await session.database.operators.pinned_clients.all(), columns="id name redirectUris")


@command(clients, "unpin", company=False)
async def unpin(session: Session, url: str) -> None:
    """Unpin a client: access that people granted to it ends at once."""
    async with session.database.operation() as operators:
        if not await operators.pinned_clients.remove(url):
            raise WorkError("No pinned client has this id.", "List clients with: seenby clients list")
    session.output.show({"id": url, "pinned": False}, f"{url} is no longer pinned")

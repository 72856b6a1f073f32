"""Who may call: API keys, and OAuth clients that the operator vouches for."""

from typing import Annotated

import typer

from server.command_groups.options import Company, Json
from server.command_groups.session import with_service

keys = typer.Typer(no_args_is_help=True, help="API keys.")
pinned = typer.Typer(no_args_is_help=True, help="OAuth clients that you vouch for.")


@keys.command("create")
def create_key(
    company: Company = None,
    description: str | None = None,
    expires: Annotated[str | None, typer.Option(help="ISO 8601 instant with offset.")] = None,
    rate_limit: Annotated[int | None, typer.Option(help="Calls a minute, 1 to 600.")] = None,
    as_json: Json = False,
) -> None:
    """Make an API key and print it, this once."""
    from server.commands import tenants

    with_service(as_json, tenants.create_key, company, description, expires, rate_limit)


@keys.command("list")
def list_keys(as_json: Json = False) -> None:
    """List the keys, without the keys themselves."""
    from server.commands import tenants

    with_service(as_json, tenants.list_keys)


@keys.command("revoke")
def revoke_key(key_id: str, as_json: Json = False) -> None:
    """Revoke a key at once and for good."""
    from server.commands import tenants

    with_service(as_json, tenants.revoke_key, key_id)


@pinned.command("pin")
def pin(
    url: Annotated[str, typer.Argument(help="The client's id: the https URL of its own metadata.")],
    redirect: Annotated[list[str], typer.Option(help="Where its answers go; may be given several times.")],
    name: Annotated[str, typer.Option(help="Shown to people beside the host of the URL.")] = "",
    as_json: Json = False,
) -> None:
    """Vouch for a client whose metadata cannot be fetched from here; it replaces an earlier entry."""
    from server.commands import clients

    with_service(as_json, clients.pin, url, redirect, name)


@pinned.command("list")
def list_pinned(as_json: Json = False) -> None:
    """List the clients that you vouch for."""
    from server.commands import clients

    with_service(as_json, clients.list_pinned)


@pinned.command("unpin")
def unpin(url: str, as_json: Json = False) -> None:
    """Take the word back: what people granted to the client ends at once."""
    from server.commands import clients

    with_service(as_json, clients.unpin, url)

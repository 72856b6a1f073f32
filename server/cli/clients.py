"""OAuth clients that the operator vouches for."""

from collections.abc import Sequence
from typing import Annotated

import typer

from measurement.errors import WorkError
from measurement.planning.clock import utc_now
from server.cli.options import Json
from server.cli.output import Output
from server.cli.session import CommandSession, with_database

app = typer.Typer(no_args_is_help=True, help="OAuth clients that you vouch for.")


@app.command("pin")
def pin(
    url: Annotated[str, typer.Argument(help="The client's id: the https URL of its own metadata.")],
    redirect: Annotated[list[str], typer.Option(help="Where its answers go; may be given several times.")],
    name: Annotated[str, typer.Option(help="Shown to people beside the host of the URL.")] = "",
    as_json: Json = False,
) -> None:
    """Vouch for a client whose metadata cannot be fetched from here; it replaces an earlier entry."""
    with_database(as_json, pin_client, url, redirect, name)


async def pin_client(
    session: CommandSession, output: Output, url: str, redirects: Sequence[str], name: str
) -> None:
    """Store a client, in the place of an earlier entry. Raises WorkError."""
    from oauth.client_documents import vouched_for  # loads the authorization server

    oauth = session.settings.oauth
    if oauth is None:
        raise WorkError("OAuth is switched off", "Set SEENBY_OAUTH=on.")
    try:
        client = vouched_for(url, name, redirects, oauth.redirects, utc_now())
    except ValueError as error:
        raise WorkError(str(error), "Nothing was pinned.") from error
    async with session.database.operation() as operators:
        await operators.pinned_clients.put(client)
    output.data(client, lambda: output.people.print(f"{client.id} is pinned"))


@app.command("list")
def list_(as_json: Json = False) -> None:
    """List the clients that you vouch for."""
    with_database(as_json, list_clients)


async def list_clients(session: CommandSession, output: Output) -> None:
    """Print the pinned clients."""
    clients = await session.database.operators.pinned_clients.all()
    rows = [(client.id, client.name, "\n".join(client.redirect_uris)) for client in clients]
    output.data(clients, lambda: output.table(("client", "name", "redirects"), rows))


@app.command("unpin")
def unpin(url: str, as_json: Json = False) -> None:
    """Stop vouching for a client: what people granted to it ends at once."""
    with_database(as_json, unpin_client, url)


async def unpin_client(session: CommandSession, output: Output, url: str) -> None:
    """Remove a client. Raises WorkError when it is not pinned."""
    async with session.database.operation() as operators:
        if not await operators.pinned_clients.remove(url):
            raise WorkError("there is no pinned client of this id", "See: seenby clients list")
    output.data({"id": url, "pinned": False}, lambda: output.people.print(f"{url} is no longer pinned"))

"""OAuth clients that the operator vouches for."""

from collections.abc import Sequence
from dataclasses import asdict

from oauth.pinning import vouched_for
from server.commands.output import Output
from server.service import Service, utc_now
from workflows.errors import WorkError


async def pin(service: Service, output: Output, url: str, redirects: Sequence[str], name: str) -> None:
    """Vouch for a client, in the place of what was said of it before."""
    oauth = service.settings.oauth
    if oauth is None:
        raise WorkError("OAuth is switched off", "Set SEENBY_OAUTH=on.")
    try:
        client = vouched_for(url, name, redirects, oauth.redirects, utc_now())
    except ValueError as error:
        raise WorkError(str(error), "Nothing was pinned.") from error
    async with service.database.operation() as operators:
        await operators.pinned_clients.put(client)
    output.data(asdict(client), lambda: output.people.print(f"{client.id} is pinned"))


async def list_pinned(service: Service, output: Output) -> None:
    """Print the clients."""
    clients = await service.database.operators.pinned_clients.all()
    rows = [(one.id, one.name, "\n".join(one.redirect_uris)) for one in clients]
    output.data([asdict(one) for one in clients], lambda: output.table(("client", "name", "redirects"), rows))


async def unpin(service: Service, output: Output, url: str) -> None:
    """Take the word back; what people granted to the client ends at once."""
    async with service.database.operation() as operators:
        if not await operators.pinned_clients.remove(url):
            raise WorkError("there is no pinned client of this id", "See: seenby clients list")
    output.data({"id": url, "pinned": False}, lambda: output.people.print(f"{url} is no longer pinned"))

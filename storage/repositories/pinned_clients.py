"""OAuth clients that the operator vouches for, so that their own metadata need not be fetched."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select

from storage.queries import Query
from storage.repository import Repository
from storage.tables.oauth import oauth_clients, oauth_pinned_clients


@dataclass(frozen=True, slots=True)
class PinnedClient:
    """One client; `id` is the URL of its own metadata."""

    id: str
    name: str
    redirect_uris: Sequence[str]
    created_at: datetime


COLUMNS = (
    oauth_pinned_clients.c.id,
    oauth_pinned_clients.c.name,
    oauth_pinned_clients.c.redirect_uris,
    oauth_pinned_clients.c.created_at,
)
BY_ID = Query(select(*COLUMNS).where(oauth_pinned_clients.c.id == bindparam("id")), PinnedClient)
ALL = Query(select(*COLUMNS).order_by(oauth_pinned_clients.c.id), PinnedClient)


class PinnedClientRepository(Repository):
    """The clients that hold for every company."""

    async def find(self, client_id: str) -> PinnedClient | None:
        """Return the client of this id."""
        return await self._first(BY_ID, id=client_id)

    async def all(self) -> list[PinnedClient]:
        """Return every client, by id."""
        return await self._all(ALL)

    async def put(self, client: PinnedClient) -> None:
        """Store a client in the place of an earlier one of the same id."""
        await self._write(delete(oauth_pinned_clients).where(oauth_pinned_clients.c.id == client.id))
        await self._write(
            insert(oauth_pinned_clients), {column.name: getattr(client, column.name) for column in COLUMNS}
        )

    async def remove(self, client_id: str) -> bool:
        """Forget a client with everything that was granted to it; False when it is not there."""
        removed = await self._write(
            delete(oauth_pinned_clients).where(oauth_pinned_clients.c.id == client_id)
        )
        if removed.rowcount == 0:
            return False
        await self._write(delete(oauth_clients).where(oauth_clients.c.id == client_id))
        return True

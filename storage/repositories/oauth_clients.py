"""OAuth clients: registered ones, and the last good copy of the documents of others."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, update

from storage.queries import Query
from storage.repository import Repository
from storage.tables.oauth import oauth_clients, oauth_grants


@dataclass(frozen=True, slots=True)
class StoredClient:
    """One client; `source` is `registration`, or `document` for one whose id is the URL of its metadata."""

    id: str
    source: str
    document: Mapping[str, Any]
    secret_digest: str | None
    created_at: datetime
    last_used_at: datetime | None


COLUMNS = (
    oauth_clients.c.id,
    oauth_clients.c.source,
    oauth_clients.c.document,
    oauth_clients.c.secret_digest,
    oauth_clients.c.created_at,
    oauth_clients.c.last_used_at,
)
BY_ID = Query(select(*COLUMNS).where(oauth_clients.c.id == bindparam("id")), StoredClient)


class OAuthClientRepository(Repository):
    """Every client, of whatever company its users are."""

    async def find(self, client_id: str) -> StoredClient | None:
        """Return the client of this id."""
        return await self._first(BY_ID, id=client_id)

    async def add(self, client: StoredClient) -> None:
        """Store a client that was just registered."""
        await self._write(
            insert(oauth_clients), {column.name: getattr(client, column.name) for column in COLUMNS}
        )

    async def keep_document(self, client_id: str, document: Mapping[str, Any], now: datetime) -> None:
        """Store a client's own metadata, in place of an older copy."""
        row = {"id": client_id, "source": "document", "document": document, "created_at": now}
        await self._write(self._insert_or_ignore(oauth_clients), row)
        await self._write(
            update(oauth_clients).where(oauth_clients.c.id == client_id).values(document=document)
        )

    async def used(self, client_id: str, moment: datetime) -> None:
        """Note that the client was granted something, or refreshed it."""
        await self._write(
            update(oauth_clients).where(oauth_clients.c.id == client_id).values(last_used_at=moment)
        )

    async def sweep(self, never_used_since: datetime, idle_since: datetime) -> int:
        """Delete clients made before the first instant and never used, or idle since the second."""
        unused = oauth_clients.c.last_used_at.is_(None) & (oauth_clients.c.created_at < never_used_since)
        granted = select(oauth_grants.c.id).where(oauth_grants.c.client_id == oauth_clients.c.id).exists()
        dead = (unused | (oauth_clients.c.last_used_at < idle_since)) & ~granted
        return (await self._write(delete(oauth_clients).where(dead))).rowcount

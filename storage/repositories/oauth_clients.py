"""OAuth clients: registered ones, those an admin vouches for, and authorization requests that wait for consent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, update

from storage.queries import Query
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.oauth import oauth_clients, oauth_grants, oauth_pinned_clients, oauth_requests


@dataclass(frozen=True, slots=True)
class StoredClient:
    """One client; `source` is `registration`, or `document` for one whose id is the URL of its metadata."""

    id: str
    source: str
    document: Mapping[str, Any]
    secret_digest: str | None
    created_at: datetime
    last_used_at: datetime | None


COLUMNS = row_columns(StoredClient, oauth_clients)
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


@dataclass(frozen=True, slots=True)
class PinnedClient:
    """One client; `id` is the URL of its own metadata."""

    id: str
    name: str
    redirect_uris: Sequence[str]
    created_at: datetime


PINNED_COLUMNS = row_columns(PinnedClient, oauth_pinned_clients)
PINNED_BY_ID = Query(
    select(*PINNED_COLUMNS).where(oauth_pinned_clients.c.id == bindparam("id")), PinnedClient
)
ALL = Query(select(*PINNED_COLUMNS).order_by(oauth_pinned_clients.c.id), PinnedClient)


class PinnedClientRepository(Repository):
    """The clients that hold for every company."""

    async def find(self, client_id: str) -> PinnedClient | None:
        """Return the client of this id."""
        return await self._first(PINNED_BY_ID, id=client_id)

    async def all(self) -> list[PinnedClient]:
        """Return every client, by id."""
        return await self._all(ALL)

    async def put(self, client: PinnedClient) -> None:
        """Store a client in the place of an earlier one of the same id."""
        await self._write(delete(oauth_pinned_clients).where(oauth_pinned_clients.c.id == client.id))
        await self._write(
            insert(oauth_pinned_clients),
            {column.name: getattr(client, column.name) for column in PINNED_COLUMNS},
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


@dataclass(frozen=True, slots=True)
class StoredRequest:
    """One request under the digest of its id, bound to a browser by the digest of a cookie."""

    digest: str
    flow_digest: str
    document: Mapping[str, Any]
    expires_at: datetime


REQUEST_COLUMNS = row_columns(StoredRequest, oauth_requests)
BY_DIGEST = Query(
    select(*REQUEST_COLUMNS).where(
        oauth_requests.c.digest.in_([bindparam("now_digest"), bindparam("former")])
    ),
    StoredRequest,
)


class OAuthRequestRepository(Repository):
    """The requests of every browser."""

    async def find(self, digests: tuple[str, str]) -> StoredRequest | None:
        """Return the request under one of the digests, expired or not."""
        return await self._first(BY_DIGEST, now_digest=digests[0], former=digests[1])

    async def add(self, request: StoredRequest) -> None:
        """Store a request."""
        await self._write(
            insert(oauth_requests), {column.name: getattr(request, column.name) for column in REQUEST_COLUMNS}
        )

    async def take(self, digest: str) -> bool:
        """Remove a request; False when another caller was faster."""
        return (
            await self._write(delete(oauth_requests).where(oauth_requests.c.digest == digest))
        ).rowcount == 1

    async def sweep(self, now: datetime) -> int:
        """Delete what has expired."""
        return (await self._write(delete(oauth_requests).where(oauth_requests.c.expires_at < now))).rowcount

"""Authorization requests that wait for a person's consent."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, insert, select

from storage.queries import Query
from storage.repository import Repository
from storage.tables.oauth import oauth_requests


@dataclass(frozen=True, slots=True)
class StoredRequest:
    """One request under the digest of its id, bound to a browser by the digest of a cookie."""

    digest: str
    flow_digest: str
    document: Mapping[str, Any]
    expires_at: datetime


COLUMNS = (
    oauth_requests.c.digest,
    oauth_requests.c.flow_digest,
    oauth_requests.c.document,
    oauth_requests.c.expires_at,
)
BY_DIGEST = Query(
    select(*COLUMNS).where(oauth_requests.c.digest.in_([bindparam("now_digest"), bindparam("former")])),
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
            insert(oauth_requests), {column.name: getattr(request, column.name) for column in COLUMNS}
        )

    async def take(self, digest: str) -> bool:
        """Remove a request; False when somebody was faster."""
        return (
            await self._write(delete(oauth_requests).where(oauth_requests.c.digest == digest))
        ).rowcount == 1

    async def sweep(self, now: datetime) -> int:
        """Delete what has expired."""
        return (await self._write(delete(oauth_requests).where(oauth_requests.c.expires_at < now))).rowcount

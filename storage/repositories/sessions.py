"""Sessions of people who are signed in: only a keyed digest of each session's identifier is kept."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, or_, select, update

from storage.queries import Query
from storage.repository import Repository
from storage.tables.accounts import sessions


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session; `seen_at` is its last use, right within a minute."""

    digest: str
    company_id: str
    user_id: str
    seen_at: datetime
    created_at: datetime


COLUMNS = (
    sessions.c.digest,
    sessions.c.company_id,
    sessions.c.user_id,
    sessions.c.seen_at,
    sessions.c.created_at,
)
BY_DIGEST = Query(
    select(*COLUMNS).where(sessions.c.digest.in_([bindparam("now_digest"), bindparam("former")])), SessionRow
)


class SessionRepository(Repository):
    """The sessions of every company, for the one who checks cookies."""

    async def find(self, digests: tuple[str, str]) -> SessionRow | None:
        """Return the session stored under one of the digests, however old."""
        return await self._first(BY_DIGEST, now_digest=digests[0], former=digests[1])

    async def add(self, session: SessionRow) -> None:
        """Store a new session."""
        await self._write(
            insert(sessions), {column.name: getattr(session, column.name) for column in COLUMNS}
        )

    async def seen(self, digest: str, now: datetime) -> None:
        """Remember a use."""
        await self._write(update(sessions).where(sessions.c.digest == digest).values(seen_at=now))

    async def end(self, digests: tuple[str, str]) -> None:
        """Sign out the session stored under one of the digests."""
        await self._write(delete(sessions).where(sessions.c.digest.in_(digests)))

    async def end_all(self, user_id: str) -> None:
        """Sign a person out everywhere."""
        await self._write(delete(sessions).where(sessions.c.user_id == user_id))

    async def sweep(self, idle_since: datetime, created_before: datetime) -> None:
        """Forget what nobody can use any more."""
        await self._write(
            delete(sessions).where(
                or_(sessions.c.seen_at < idle_since, sessions.c.created_at < created_before)
            )
        )

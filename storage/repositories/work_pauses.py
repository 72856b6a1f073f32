"""Whether this installation does work by itself: a restored copy does none until somebody says so."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import delete, select

from storage.queries import Query
from storage.repository import Repository
from storage.tables.webhooks import work_pauses

THE_ONLY: Final = 1


@dataclass(frozen=True, slots=True)
class WorkPause:
    """Why no work is done, and since when."""

    reason: str
    since: datetime


CURRENT = Query(select(work_pauses.c.reason, work_pauses.c.created_at), WorkPause, brief=True)


class WorkPauseRepository(Repository):
    """The one pause of an installation, of all companies at once."""

    async def current(self) -> WorkPause | None:
        """Return the pause that holds, if one does."""
        return await self._first(CURRENT)

    async def begin(self, reason: str, now: datetime) -> None:
        """Let no work be done from the next start of a process on, unless a pause holds already."""
        values = {"key": THE_ONLY, "reason": reason, "created_at": now}
        await self._write(self._insert_or_ignore(work_pauses), values)

    async def end(self) -> bool:
        """Let work be done again; False when no pause held."""
        return (await self._write(delete(work_pauses))).rowcount == 1

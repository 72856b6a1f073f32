"""Runs across companies, as those see them who keep the engine and the books in step."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select

from storage.repositories.runs.runs import IS_LIVE
from storage.statements.queries import Query
from storage.statements.repository import Repository
from storage.statements.tables.runs import workflow_runs


@dataclass(frozen=True, slots=True)
class LiveRun:
    """A run that has not ended, of any company."""

    id: str
    company_id: str
    status: str
    created_at: datetime
    started_at: datetime | None


W = workflow_runs.c
ANY = (W.id, W.company_id, W.status, W.created_at, W.started_at)
ALL_LIVE = Query(select(*ANY).where(IS_LIVE).order_by(W.key), LiveRun)
CANCELLED_SINCE = Query(
    select(W.id).where(W.status == "cancelled", W.finished_at > bindparam("since", type_=W.finished_at.type)),
    str,
)


class AllRunRepository(Repository):
    """The runs of every company."""

    async def live(self) -> list[LiveRun]:
        """Return every run that has not ended, oldest first."""
        return await self._reads.all(ALL_LIVE)

    async def cancelled(self, since: datetime) -> list[str]:
        """Return the runs that were cancelled after `since`."""
        return await self._reads.all(CANCELLED_SINCE, since=since)

"""Runs across companies, as those see them who keep the engine and the books in step."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, select, text

from storage.queries import Query
from storage.repositories.runs.runs import IS_LIVE
from storage.repository import Repository
from storage.tables.runs import workflow_runs


@dataclass(frozen=True, slots=True)
class LiveRun:
    """A run that has not ended, of any company."""

    id: str
    company_id: str
    status: str
    created_at: datetime
    started_at: datetime | None


ANY = (
    workflow_runs.c.id,
    workflow_runs.c.company_id,
    workflow_runs.c.status,
    workflow_runs.c.created_at,
    workflow_runs.c.started_at,
)
ALL_LIVE = Query(select(*ANY).where(IS_LIVE).order_by(workflow_runs.c.key), LiveRun)
CANCELLED_SINCE = Query(
    select(workflow_runs.c.id).where(
        workflow_runs.c.status == "cancelled",
        workflow_runs.c.finished_at > bindparam("since", type_=workflow_runs.c.finished_at.type),
    ),
    str,
)
ENGINE_TABLES = Query(
    text("SELECT count(*) FROM sqlite_master WHERE name = 'workflow_status'"),
    int,
    variants={
        "postgresql": text(
            "SELECT count(*) FROM pg_catalog.pg_class WHERE oid = to_regclass('dbos.workflow_status')"
        )
    },
)
UNFINISHED = "status IN ('ENQUEUED', 'PENDING')"
EXECUTIONS = Query(
    text(f"SELECT count(*) FROM workflow_status WHERE {UNFINISHED}"),
    int,
    variants={"postgresql": text(f"SELECT count(*) FROM dbos.workflow_status WHERE {UNFINISHED}")},
)
OLD_EXECUTIONS = Query(
    text(f"SELECT count(*) FROM workflow_status WHERE created_at < :before AND NOT {UNFINISHED}"),
    int,
    variants={
        "postgresql": text(
            f"SELECT count(*) FROM dbos.workflow_status WHERE created_at < :before AND NOT {UNFINISHED}"
        )
    },
)
"""Rows of the durable engine's own table, whose columns a test of the pinned version holds."""


class AllRunRepository(Repository):
    """The runs of every company."""

    async def is_engine_needed(self) -> bool:
        """Tell whether a run of any company lives, or the durable engine has yet to do or to end something."""
        if await self._first(ALL_LIVE):
            return True
        return await self.is_engine_used() and bool(await self._first(EXECUTIONS))

    async def is_engine_used(self) -> bool:
        """Tell whether the durable engine has been used on this database."""
        return bool(await self._first(ENGINE_TABLES))

    async def has_executions_before(self, instant: datetime) -> bool:
        """Tell whether the durable engine keeps records of what was made before then and has ended."""
        before = int(instant.timestamp() * 1000)
        return await self.is_engine_used() and bool(await self._first(OLD_EXECUTIONS, before=before))

    async def live(self) -> list[LiveRun]:
        """Return every run that has not ended, oldest first."""
        return await self._all(ALL_LIVE)

    async def cancelled(self, since: datetime) -> list[str]:
        """Return the runs that were cancelled after `since`."""
        return await self._all(CANCELLED_SINCE, since=since)

"""Schedules and live runs over all companies: prompt sets and agents that are due, and runs to keep in step."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, func, select, text, union_all

from storage.queries import Query, plain
from storage.repositories.row_columns import row_columns
from storage.repositories.runs.runs import IS_LIVE
from storage.repository import Repository
from storage.tables.agents import agent_assignments, agent_instances
from storage.tables.brands import brands
from storage.tables.companies import companies
from storage.tables.prompts import prompt_sets
from storage.tables.runs import workflow_runs


@dataclass(frozen=True, slots=True)
class DuePromptSet:
    """A prompt set whose time has come."""

    company_id: str
    set_id: str


@dataclass(frozen=True, slots=True)
class DueAgent:
    """A reusable agent whose time has come for one of its brands."""

    company_id: str
    instance_id: str
    brand_id: str


@dataclass(frozen=True, slots=True)
class ScheduleStatus:
    """How many schedules there are, how many of them are due, and when the first one is."""

    schedules: int
    due: int
    first: datetime | None


NOW = bindparam("now", type_=prompt_sets.c.next_run_at.type)
IS_MEASURED = brands.c.archived_at.is_(None) & companies.c.delete_at.is_(None)
"""Also where there is no brand; what waits for its deletion costs nothing more, and goes on when it is kept."""
PROMPT_SETS = (
    select(prompt_sets.c.company_id, prompt_sets.c.id)
    .join(companies, companies.c.id == prompt_sets.c.company_id)
    .outerjoin(brands, brands.c.key == prompt_sets.c.brand_key)
    .where(IS_MEASURED)
)
AGENTS = (
    select(agent_assignments.c.company_id, agent_instances.c.id, brands.c.id)
    .join(agent_instances, agent_instances.c.key == agent_assignments.c.instance_key)
    .join(brands, brands.c.key == agent_assignments.c.brand_key)
    .join(companies, companies.c.id == agent_assignments.c.company_id)
    .where(IS_MEASURED)
)
DUE_PROMPT_SETS = Query(
    PROMPT_SETS.where(prompt_sets.c.next_run_at <= NOW).order_by(
        prompt_sets.c.next_run_at, prompt_sets.c.key
    ),
    DuePromptSet,
)
DUE_AGENTS = Query(
    AGENTS.where(agent_assignments.c.next_run_at <= NOW).order_by(
        agent_assignments.c.next_run_at, agent_assignments.c.instance_key, agent_assignments.c.brand_key
    ),
    DueAgent,
)
TICKS = union_all(
    *(
        chosen.with_only_columns(column.label("at")).where(column.is_not(None))
        for chosen, column in (
            (PROMPT_SETS, prompt_sets.c.next_run_at),
            (AGENTS, agent_assignments.c.next_run_at),
        )
    )
).subquery()
STATUS = Query(select(func.count(), func.count().filter(TICKS.c.at <= NOW), func.min(TICKS.c.at)), plain)


class ScheduleRepository(Repository):
    """The schedules of every company; what is archived, is for an archived brand, or waits for the deletion of its
    company, is never due."""

    async def prompt_sets(self, now: datetime) -> list[DuePromptSet]:
        """Return the prompt sets that are due, the longest overdue first."""
        return await self._all(DUE_PROMPT_SETS, now=now)

    async def agents(self, now: datetime) -> list[DueAgent]:
        """Return the agents that are due, the longest overdue first."""
        return await self._all(DUE_AGENTS, now=now)

    async def status(self, now: datetime) -> ScheduleStatus:
        """Count the schedules, and those that were due at an instant."""
        row = await self._first(STATUS, now=now)
        return ScheduleStatus(*row) if row else ScheduleStatus(0, 0, None)


@dataclass(frozen=True, slots=True)
class LiveRun:
    """A run that has not ended, of any company."""

    id: str
    company_id: str
    status: str
    created_at: datetime
    started_at: datetime | None


ANY = row_columns(LiveRun, workflow_runs)
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
        """Return whether a run of any company lives, or the durable engine has yet to do or to end something."""
        if await self._first(ALL_LIVE):
            return True
        return await self.is_engine_used() and bool(await self._first(EXECUTIONS))

    async def is_engine_used(self) -> bool:
        """Return whether the durable engine has been used on this database."""
        return bool(await self._first(ENGINE_TABLES))

    async def has_executions_before(self, instant: datetime) -> bool:
        """Return whether the durable engine keeps records of what was made before then and has ended."""
        before = int(instant.timestamp() * 1000)
        return await self.is_engine_used() and bool(await self._first(OLD_EXECUTIONS, before=before))

    async def live(self) -> list[LiveRun]:
        """Return every run that has not ended, oldest first."""
        return await self._all(ALL_LIVE)

    async def cancelled(self, since: datetime) -> list[str]:
        """Return the runs that were cancelled after `since`."""
        return await self._all(CANCELLED_SINCE, since=since)

"""What is due by the clock, over all companies: prompt sets, and agents for their brands."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, func, select, union_all

from storage.queries import Query, plain
from storage.repository import Repository
from storage.tables.agents import agent_assignments, agent_instances
from storage.tables.brands import brands
from storage.tables.companies import companies
from storage.tables.prompts import prompt_sets


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

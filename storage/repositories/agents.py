"""Reusable agents: instances with every configuration they had, their brands, and how their runs went."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Select,
    Subquery,
    bindparam,
    case,
    cast,
    delete,
    func,
    insert,
    select,
    type_coerce,
    update,
)

from storage.errors import DuplicateRow
from storage.filters import MembershipFilter
from storage.ids import new_id
from storage.queries import Query, listings
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.agents import agent_assignments, agent_instances, agent_versions
from storage.tables.brands import brands
from storage.tables.runs import workflow_runs


@dataclass(frozen=True, slots=True)
class AgentInstance:
    """One reusable agent with its configuration of today."""

    key: int
    id: str
    name: str
    kind: str
    version: int
    configuration: Mapping[str, Any]
    archived_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Assignment:
    """One brand that an instance works for, and when."""

    instance_key: int
    brand_key: int
    brand_id: str
    brand_name: str
    schedule: str | None
    next_run_at: datetime | None
    brand_archived_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class LastRun:
    """The newest run of an instance."""

    id: str
    status: str
    version: int
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class AgentDraft:
    """How an instance shall be; `due` gives the next tick of each brand it works for, None without a schedule."""

    name: str
    kind: str
    configuration: Mapping[str, Any]
    schedule: str | None
    due: Mapping[int, datetime | None]
    archived_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RunTally:
    """Runs of one instance; `microseconds` is the time that the `timed` ones took together."""

    total: int
    completed: int
    failed: int
    timed: int
    microseconds: int
    last: datetime | None


def with_last(*columns: Any) -> tuple[AgentInstance, LastRun | None]:
    """Build an instance and its newest run, if any."""
    last = LastRun(*columns[-5:]) if columns[-5] else None
    return AgentInstance(*columns[:-5]), last


OURS = agent_instances.c.company_id == bindparam("company_id")
IS_ACTIVE = agent_instances.c.archived_at.is_(None)
COLUMNS = row_columns(AgentInstance, agent_instances, configuration=agent_versions.c.configuration)
CURRENT = agent_instances.join(
    agent_versions,
    (agent_versions.c.instance_key == agent_instances.c.key)
    & (agent_versions.c.version == agent_instances.c.version),
)
BY_ID = Query(
    select(*COLUMNS).select_from(CURRENT).where(OURS, agent_instances.c.id == bindparam("id")), AgentInstance
)
BY_NAMES = Query(
    select(*COLUMNS)
    .select_from(CURRENT)
    .where(
        OURS,
        MembershipFilter(agent_instances.c.id, "names")
        | MembershipFilter(agent_instances.c.name_folded, "names"),
    ),
    AgentInstance,
)
BY_NAME = Query(
    select(agent_instances.c.key).where(OURS, agent_instances.c.name_folded == bindparam("folded")), int
)
ACTIVE_COUNT = Query(select(func.count()).select_from(agent_instances).where(OURS, IS_ACTIVE), int)

NEWEST_RUN = (
    select(workflow_runs.c.key)
    .where(workflow_runs.c.instance_key == agent_instances.c.key)
    .order_by(workflow_runs.c.created_at.desc(), workflow_runs.c.key.desc())
    .limit(1)
    .correlate(agent_instances)
    .scalar_subquery()
)
CHOSEN = (
    select(agent_instances.c.key, NEWEST_RUN.label("newest"))
    .select_from(agent_instances)
    .where(OURS)
    .order_by(agent_instances.c.name_folded, agent_instances.c.key)
)


def shown(page: Subquery) -> Select[*tuple[Any, ...]]:
    """Look up what a list shows of the chosen instances."""
    return (
        select(
            *COLUMNS,
            workflow_runs.c.id,
            workflow_runs.c.status,
            workflow_runs.c.instance_version,
            workflow_runs.c.created_at,
            workflow_runs.c.finished_at,
        )
        .select_from(page)
        .join(agent_instances, agent_instances.c.key == page.c.key)
        .join(
            agent_versions,
            (agent_versions.c.instance_key == agent_instances.c.key)
            & (agent_versions.c.version == agent_instances.c.version),
        )
        .outerjoin(workflow_runs, workflow_runs.c.key == page.c.newest)
        .order_by(agent_instances.c.name_folded, agent_instances.c.key)
    )


LISTED_BY_ID = Query(shown(CHOSEN.where(agent_instances.c.id == bindparam("id")).subquery("page")), with_last)
COUNTED = select(func.count()).select_from(agent_instances).where(OURS)
ASSIGNED = (
    select(agent_assignments.c.instance_key)
    .where(agent_assignments.c.instance_key == agent_instances.c.key)
    .correlate(agent_instances)
)
OF_BRAND = (
    ~ASSIGNED.exists() | ASSIGNED.where(agent_assignments.c.brand_key == bindparam("brand_key")).exists()
)
PAGES = listings(CHOSEN, shown, COUNTED, with_last, OF_BRAND, IS_ACTIVE)
"""By whether a brand is named, and whether archived instances are left out."""
ASSIGNMENTS = (
    select(
        agent_assignments.c.instance_key,
        agent_assignments.c.brand_key,
        brands.c.id,
        brands.c.name,
        agent_assignments.c.schedule,
        agent_assignments.c.next_run_at,
        brands.c.archived_at,
    )
    .join(brands, brands.c.key == agent_assignments.c.brand_key)
    .where(agent_assignments.c.company_id == bindparam("company_id"))
    .order_by(agent_assignments.c.instance_key, brands.c.name_folded)
)
OF_INSTANCE = Query(
    ASSIGNMENTS.where(agent_assignments.c.instance_key == bindparam("instance_key")), Assignment
)
OF_BRAND_TICKS = Query(
    ASSIGNMENTS.where(
        agent_assignments.c.brand_key == bindparam("brand_key"), agent_assignments.c.next_run_at.is_not(None)
    ),
    Assignment,
)
OF_INSTANCES = Query(
    ASSIGNMENTS.where(MembershipFilter(agent_assignments.c.instance_key, "instance_keys")), Assignment
)


def microseconds(column: Any) -> Any:
    """Return an instant as the number it is stored as, to be calculated with."""
    return type_coerce(column, BigInteger)


IS_TIMED = ((workflow_runs.c.status == "completed") | (workflow_runs.c.status == "failed")) & (
    workflow_runs.c.finished_at >= workflow_runs.c.started_at
)
TALLY = Query(
    select(
        func.count(),
        func.count(case((workflow_runs.c.status == "completed", 1))),
        func.count(case((workflow_runs.c.status == "failed", 1))),
        func.count(case((IS_TIMED, 1))),
        cast(
            func.coalesce(
                func.sum(
                    case(
                        (
                            IS_TIMED,
                            microseconds(workflow_runs.c.finished_at)
                            - microseconds(workflow_runs.c.started_at),
                        )
                    )
                ),
                0,
            ),
            BigInteger,
        ),
        func.max(func.coalesce(workflow_runs.c.started_at, workflow_runs.c.created_at)),
    ).where(
        workflow_runs.c.company_id == bindparam("company_id"),
        workflow_runs.c.instance_key == bindparam("instance_key"),
    ),
    RunTally,
)


class AgentRepository(Repository):
    """The reusable agents of one company."""

    async def find(self, instance_id: str) -> AgentInstance | None:
        """Return an instance."""
        return await self._first(BY_ID, id=instance_id.lower())

    async def find_each(self, names: Sequence[str]) -> list[AgentInstance]:
        """Return the instances that have one of these ids or names, in one read."""
        return await self._all(BY_NAMES, names=[name.casefold() for name in names])

    async def listed(self, instance_id: str) -> tuple[AgentInstance, LastRun | None] | None:
        """Return an instance and its newest run."""
        return await self._first(LISTED_BY_ID, id=instance_id.lower())

    async def page(
        self, brand_key: int | None, include_archived: bool, limit: int, offset: int
    ) -> tuple[list[tuple[AgentInstance, LastRun | None]], int]:
        """Return one page by name, and how many there are; a brand's are its own and those of every brand."""
        brand_filter = {} if brand_key is None else {"brand_key": brand_key}
        listing = PAGES[brand_key is not None, not include_archived]
        return await self._page(listing, **brand_filter, limit=limit, offset=offset)

    async def active(self) -> int:
        """Return how many instances are not archived."""
        return await self._first(ACTIVE_COUNT) or 0

    async def assignments(self, instance_key: int) -> list[Assignment]:
        """Return the brands that an instance works for, by name; none means every brand."""
        return await self._all(OF_INSTANCE, instance_key=instance_key)

    async def assignments_of(self, instances: Sequence[AgentInstance]) -> dict[int, list[Assignment]]:
        """Return the assignments of several instances by the instance's key, in one read."""
        assignments: dict[int, list[Assignment]] = {instance.key: [] for instance in instances}
        for assignment in await self._all(OF_INSTANCES, instance_keys=list(assignments)):
            assignments[assignment.instance_key].append(assignment)
        return assignments

    async def scheduled_for(self, brand_key: int) -> list[Assignment]:
        """Return the assignments to a brand that have a next tick."""
        return await self._all(OF_BRAND_TICKS, brand_key=brand_key)

    async def tally(self, instance_key: int) -> RunTally:
        """Count the runs of an instance, live and cancelled ones too."""
        tally = await self._first(TALLY, instance_key=instance_key)
        assert tally is not None
        return tally

    async def create(self, draft: AgentDraft, now: datetime) -> str:
        """Make an instance with configuration version 1; return its id. Raises Duplicate when the name is taken."""
        await self._refuse_taken(draft.name, None)
        instance_id = new_id()
        own = {"id": instance_id, "company_id": self.company_id, "version": 1, "created_at": now}
        key = await self._insert(insert(agent_instances), {**columns_of(draft, now), **own})
        await self._save_version(key, 1, draft, now)
        await self._save_assignments(key, draft, now)
        return instance_id

    async def change(self, known: AgentInstance, draft: AgentDraft, now: datetime) -> None:
        """Bring an instance up to date; another configuration or kind is another version.

        Raises Duplicate when the name is taken by another instance.
        """
        await self._refuse_taken(draft.name, known.key)
        values = columns_of(draft, now)
        if (known.kind, known.configuration) != (draft.kind, draft.configuration):
            values["version"] = known.version + 1
            await self._save_version(known.key, known.version + 1, draft, now)
        await self._write(
            update(agent_instances)
            .where(agent_instances.c.key == known.key, agent_instances.c.company_id == self.company_id)
            .values(values)
        )
        await self._save_assignments(known.key, draft, now)

    async def claim_tick(self, due: Assignment, following: datetime) -> bool:
        """Move a due assignment to its next tick; True for the one caller who did."""
        claimed = await self._write(
            update(agent_assignments)
            .where(
                agent_assignments.c.instance_key == due.instance_key,
                agent_assignments.c.brand_key == due.brand_key,
                agent_assignments.c.company_id == self.company_id,
                agent_assignments.c.next_run_at == due.next_run_at,
            )
            .values(next_run_at=following)
        )
        return claimed.rowcount == 1

    async def _refuse_taken(self, name: str, key: int | None) -> None:
        holder = await self._first(BY_NAME, folded=name.casefold())
        if holder is not None and holder != key:
            raise DuplicateRow("agent", name)

    async def _save_version(self, key: int, version: int, draft: AgentDraft, now: datetime) -> None:
        own = {"instance_key": key, "company_id": self.company_id, "created_at": now}
        values = {**own, "version": version, "configuration": dict(draft.configuration)}
        await self._write(insert(agent_versions), values)

    async def _save_assignments(self, key: int, draft: AgentDraft, now: datetime) -> None:
        """Replace the brands; an assignment that stays keeps the day it was made."""
        ours = (agent_assignments.c.instance_key == key) & (agent_assignments.c.company_id == self.company_id)
        await self._write(
            delete(agent_assignments).where(ours, agent_assignments.c.brand_key.not_in(draft.due))
        )
        own = {"instance_key": key, "company_id": self.company_id, "created_at": now}
        rows = [
            {**own, "brand_key": brand_key, "schedule": draft.schedule, "next_run_at": due}
            for brand_key, due in draft.due.items()
        ]
        if rows:
            await self._write(self._insert_or_change(agent_assignments, "schedule", "next_run_at"), rows)


def columns_of(draft: AgentDraft, now: datetime) -> dict[str, Any]:
    """Return the columns that a draft decides."""
    return {
        "name": draft.name,
        "name_folded": draft.name.casefold(),
        "kind": draft.kind,
        "archived_at": draft.archived_at,
        "updated_at": now,
    }

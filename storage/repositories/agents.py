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


N, V, G, W = agent_instances.c, agent_versions.c, agent_assignments.c, workflow_runs.c


def with_last(*columns: Any) -> tuple[AgentInstance, LastRun | None]:
    """Build an instance and its newest run, if any."""
    last = LastRun(*columns[-5:]) if columns[-5] else None
    return AgentInstance(*columns[:-5]), last


OURS = N.company_id == bindparam("company_id")
IS_ACTIVE = N.archived_at.is_(None)
COLUMNS = (
    N.key,
    N.id,
    N.name,
    N.kind,
    N.version,
    V.configuration,
    N.archived_at,
    N.created_at,
    N.updated_at,
)
CURRENT = agent_instances.join(agent_versions, (V.instance_key == N.key) & (V.version == N.version))
BY_ID = Query(select(*COLUMNS).select_from(CURRENT).where(OURS, N.id == bindparam("id")), AgentInstance)
BY_NAMES = Query(
    select(*COLUMNS)
    .select_from(CURRENT)
    .where(OURS, MembershipFilter(N.id, "names") | MembershipFilter(N.name_folded, "names")),
    AgentInstance,
)
BY_NAME = Query(select(N.key).where(OURS, N.name_folded == bindparam("folded")), int)
ACTIVE_COUNT = Query(select(func.count()).select_from(agent_instances).where(OURS, IS_ACTIVE), int)

NEWEST_RUN = (
    select(W.key)
    .where(W.instance_key == N.key)
    .order_by(W.created_at.desc(), W.key.desc())
    .limit(1)
    .correlate(agent_instances)
    .scalar_subquery()
)
CHOSEN = (
    select(N.key, NEWEST_RUN.label("newest"))
    .select_from(agent_instances)
    .where(OURS)
    .order_by(N.name_folded, N.key)
)


def shown(page: Subquery) -> Select[*tuple[Any, ...]]:
    """Look up what a list shows of the chosen instances."""
    return (
        select(*COLUMNS, W.id, W.status, W.instance_version, W.created_at, W.finished_at)
        .select_from(page)
        .join(agent_instances, N.key == page.c.key)
        .join(agent_versions, (V.instance_key == N.key) & (V.version == N.version))
        .outerjoin(workflow_runs, W.key == page.c.newest)
        .order_by(N.name_folded, N.key)
    )


LISTED_BY_ID = Query(shown(CHOSEN.where(N.id == bindparam("id")).subquery("page")), with_last)
COUNTED = select(func.count()).select_from(agent_instances).where(OURS)
ASSIGNED = select(G.instance_key).where(G.instance_key == N.key).correlate(agent_instances)
OF_BRAND = ~ASSIGNED.exists() | ASSIGNED.where(G.brand_key == bindparam("brand_key")).exists()
PAGES = listings(CHOSEN, shown, COUNTED, with_last, OF_BRAND, IS_ACTIVE)
"""By whether a brand is named, and whether archived instances are left out."""
ASSIGNMENTS = (
    select(
        G.instance_key,
        G.brand_key,
        brands.c.id,
        brands.c.name,
        G.schedule,
        G.next_run_at,
        brands.c.archived_at,
    )
    .join(brands, brands.c.key == G.brand_key)
    .where(G.company_id == bindparam("company_id"))
    .order_by(G.instance_key, brands.c.name_folded)
)
OF_INSTANCE = Query(ASSIGNMENTS.where(G.instance_key == bindparam("instance_key")), Assignment)
OF_BRAND_TICKS = Query(
    ASSIGNMENTS.where(G.brand_key == bindparam("brand_key"), G.next_run_at.is_not(None)), Assignment
)
OF_INSTANCES = Query(ASSIGNMENTS.where(MembershipFilter(G.instance_key, "instance_keys")), Assignment)


def microseconds(column: Any) -> Any:
    """Return an instant as the number it is stored as, to be calculated with."""
    return type_coerce(column, BigInteger)


IS_TIMED = ((W.status == "completed") | (W.status == "failed")) & (W.finished_at >= W.started_at)
TALLY = Query(
    select(
        func.count(),
        func.count(case((W.status == "completed", 1))),
        func.count(case((W.status == "failed", 1))),
        func.count(case((IS_TIMED, 1))),
        cast(
            func.coalesce(
                func.sum(case((IS_TIMED, microseconds(W.finished_at) - microseconds(W.started_at)))), 0
            ),
            BigInteger,
        ),
        func.max(func.coalesce(W.started_at, W.created_at)),
    ).where(W.company_id == bindparam("company_id"), W.instance_key == bindparam("instance_key")),
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
            update(agent_instances).where(N.key == known.key, N.company_id == self.company_id).values(values)
        )
        await self._save_assignments(known.key, draft, now)

    async def claim_tick(self, due: Assignment, following: datetime) -> bool:
        """Move a due assignment to its next tick; True for the one caller who did."""
        claimed = await self._write(
            update(agent_assignments)
            .where(
                G.instance_key == due.instance_key,
                G.brand_key == due.brand_key,
                G.company_id == self.company_id,
                G.next_run_at == due.next_run_at,
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
        ours = (G.instance_key == key) & (G.company_id == self.company_id)
        await self._write(delete(agent_assignments).where(ours, G.brand_key.not_in(draft.due)))
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

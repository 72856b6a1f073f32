"""Monitors: when each one checks a brand next, and its observations."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, func, select, update

from storage.ids import new_id
from storage.queries import Query
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.brands import brands
from storage.tables.companies import companies
from storage.tables.monitors import monitor_results, monitor_schedules


@dataclass(frozen=True, slots=True)
class MonitorResult:
    """One script's observation of one brand at one slot; `memory` is the baseline for the next check."""

    script: str
    slot: datetime
    status: str
    error_code: str | None
    metrics: Mapping[str, Any]
    memory: Mapping[str, Any]
    started_at: datetime
    finished_at: datetime


@dataclass(frozen=True, slots=True)
class DueMonitor:
    """A schedule row of any company; `awaited_since` is a slot that was queued and has no result yet."""

    company_id: str
    brand_key: int
    brand_id: str
    script: str
    next_run_at: datetime
    awaited_since: datetime | None


@dataclass(frozen=True, slots=True)
class UnscheduledBrand:
    """A brand without a schedule for a script."""

    company_id: str
    key: int
    id: str


@dataclass(frozen=True, slots=True)
class NextCheck:
    """When one script checks next."""

    script: str
    next_run_at: datetime


FIELDS = row_columns(MonitorResult, monitor_results)
OF_BRAND = (monitor_results.c.company_id == bindparam("company_id")) & (
    monitor_results.c.brand_key == bindparam("brand_key")
)
LATEST = Query(
    select(*FIELDS)
    .where(OF_BRAND, monitor_results.c.script == bindparam("script"))
    .order_by(monitor_results.c.finished_at.desc(), monitor_results.c.key.desc())
    .limit(1),
    MonitorResult,
    brief=True,
)
LATEST_SEEN = Query(
    select(*FIELDS)
    .where(
        OF_BRAND,
        monitor_results.c.script == bindparam("script"),
        (monitor_results.c.status == "ok") | (monitor_results.c.status == "issues"),
    )
    .order_by(monitor_results.c.finished_at.desc(), monitor_results.c.key.desc())
    .limit(1),
    MonitorResult,
    brief=True,
)
AT_SLOT = Query(
    select(*FIELDS).where(
        OF_BRAND,
        monitor_results.c.script == bindparam("script"),
        monitor_results.c.slot == bindparam("slot", type_=monitor_results.c.slot.type),
    ),
    MonitorResult,
    brief=True,
)
NEXT_LOOKS = Query(
    select(monitor_schedules.c.script, monitor_schedules.c.next_run_at)
    .where(
        monitor_schedules.c.company_id == bindparam("company_id"),
        monitor_schedules.c.brand_key == bindparam("brand_key"),
    )
    .order_by(monitor_schedules.c.script),
    NextCheck,
    brief=True,
)
IS_WATCHED = brands.c.archived_at.is_(None) & companies.c.delete_at.is_(None)
"""A brand that awaits deletion is no longer checked; once restored, it is checked again."""
DUE = Query(
    select(*row_columns(DueMonitor, monitor_schedules, brand_id=brands.c.id))
    .join(brands, brands.c.key == monitor_schedules.c.brand_key)
    .join(companies, companies.c.id == monitor_schedules.c.company_id)
    .where(
        monitor_schedules.c.next_run_at <= bindparam("now", type_=monitor_schedules.c.next_run_at.type),
        IS_WATCHED,
    )
    .order_by(monitor_schedules.c.next_run_at, monitor_schedules.c.brand_key, monitor_schedules.c.script)
    .limit(bindparam("limit")),
    DueMonitor,
)
UNSCHEDULED = Query(
    select(brands.c.company_id, brands.c.key, brands.c.id)
    .join(companies, companies.c.id == brands.c.company_id)
    .outerjoin(
        monitor_schedules,
        (monitor_schedules.c.brand_key == brands.c.key) & (monitor_schedules.c.script == bindparam("script")),
    )
    .where(monitor_schedules.c.brand_key.is_(None), IS_WATCHED)
    .order_by(brands.c.key)
    .limit(bindparam("limit")),
    UnscheduledBrand,
)


class MonitorRepository(Repository):
    """The schedules and results of one company's monitors."""

    async def schedule(self, brand_key: int, script: str, first: datetime, now: datetime) -> None:
        """Schedule a script's checks of a brand from `first` on; an existing schedule is not changed."""
        own = {"company_id": self.company_id, "brand_key": brand_key, "created_at": now}
        row = {"script": script, "next_run_at": first, **own}
        await self._write(self._insert_or_ignore(monitor_schedules), row)

    async def schedule_now(self, brand_key: int, script: str, now: datetime) -> None:
        """Schedule a script's check of a brand for now, creating the schedule if needed."""
        await self.schedule(brand_key, script, now, now)
        row = (
            (monitor_schedules.c.brand_key == brand_key)
            & (monitor_schedules.c.script == script)
            & (monitor_schedules.c.company_id == self.company_id)
        )
        await self._write(
            update(monitor_schedules)
            .where(row, monitor_schedules.c.next_run_at > now)
            .values(next_run_at=now)
        )

    async def unschedule(self, brand_key: int) -> None:
        """Delete the schedules of a brand; unless it is archived, new ones are created automatically."""
        await self._write(
            delete(monitor_schedules).where(
                monitor_schedules.c.brand_key == brand_key, monitor_schedules.c.company_id == self.company_id
            )
        )

    async def claim(self, due: DueMonitor, following: datetime) -> bool:
        """Claim a due slot; only one of several processes succeeds."""
        row = (
            (monitor_schedules.c.brand_key == due.brand_key)
            & (monitor_schedules.c.script == due.script)
            & (monitor_schedules.c.company_id == self.company_id)
        )
        slot = {
            "next_run_at": following,
            "awaited_since": func.coalesce(
                monitor_schedules.c.awaited_since, monitor_schedules.c.next_run_at
            ),
        }
        done = await self._write(
            update(monitor_schedules)
            .where(row, monitor_schedules.c.next_run_at == due.next_run_at)
            .values(slot)
        )
        return done.rowcount == 1

    async def add(self, brand_key: int, result: MonitorResult) -> bool:
        """Store a result, unless the slot already has one; return whether it was stored."""
        names = ("script", "slot", "status", "error_code", "metrics", "memory", "started_at", "finished_at")
        values = {name: getattr(result, name) for name in names}
        own = {"id": new_id(), "company_id": self.company_id, "brand_key": brand_key}
        done = await self._write(self._insert_or_ignore(monitor_results), {**values, **own})
        row = (
            (monitor_schedules.c.brand_key == brand_key)
            & (monitor_schedules.c.script == result.script)
            & (monitor_schedules.c.company_id == self.company_id)
        )
        await self._write(update(monitor_schedules).where(row).values(awaited_since=None))
        return done.rowcount == 1

    async def latest(self, brand_key: int, script: str) -> MonitorResult | None:
        """Return the newest result of a script."""
        return await self._first(LATEST, brand_key=brand_key, script=script)

    async def latest_seen(self, brand_key: int, script: str) -> MonitorResult | None:
        """Return the newest result of a script with an observation: neither an error nor skipped."""
        return await self._first(LATEST_SEEN, brand_key=brand_key, script=script)

    async def at_slot(self, brand_key: int, script: str, slot: datetime) -> MonitorResult | None:
        """Return a script's observation at one slot."""
        return await self._first(AT_SLOT, brand_key=brand_key, script=script, slot=slot)

    async def next_looks(self, brand_key: int) -> dict[str, datetime]:
        """Return when each script checks a brand next."""
        return {check.script: check.next_run_at for check in await self._all(NEXT_LOOKS, brand_key=brand_key)}


class AllMonitorRepository(Repository):
    """The schedules of every company, for the process that claims them."""

    async def due(self, now: datetime, limit: int) -> list[DueMonitor]:
        """Return due checks, longest waiting first."""
        return await self._all(DUE, now=now, limit=limit)

    async def unscheduled(self, script: str, limit: int) -> list[UnscheduledBrand]:
        """Return brands without a schedule for a script."""
        return await self._all(UNSCHEDULED, script=script, limit=limit)

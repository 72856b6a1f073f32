"""Monitor the service's dependencies as gauges, and log a line whenever one starts or stops failing."""

import logging
import shutil
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Protocol

import anyio
from prometheus_client import CollectorRegistry, Gauge

from measurement.planning.clock import Clock
from storage.database import Database
from storage.errors import SchemaTooNew

events = logging.getLogger("seenby.events")
log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 10.0
PART_SECONDS: Final = 5.0
"""How long a dependency may take to answer before it counts as down."""
OVERDUE: Final = timedelta(minutes=2)
"""Age at which a due tick counts as overdue. A worker normally starts one within seconds."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Thresholds from which a dependency counts as failing."""

    database_seconds: float = 1.0
    disk_free_share: float = 0.05
    queue_wait: timedelta = timedelta(minutes=15)
    mail_wait: timedelta = timedelta(minutes=15)
    webhook_wait: timedelta = timedelta(minutes=15)


class Pinged(Protocol):
    """A dependency that can be pinged."""

    async def ping(self) -> None:
        """Ping the dependency. Raises when it does not answer."""
        ...


class Vitals:
    """Checks every dependency periodically. The gauges show the latest results."""

    def __init__(
        self,
        database: Database,
        data_dir: Path,
        registry: CollectorRegistry,
        now: Clock,
        redis: Pinged | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._database = database
        self._data_dir = data_dir
        self._now = now
        self._redis = redis
        self._limits = limits or Limits()
        self._failing: set[str] = set()

        def gauge(name: str, meaning: str, *labels: str) -> Gauge:
            # All processes that serve one port look at the same things, so the newest value counts.
            return Gauge(name, meaning, labels, registry=registry, multiprocess_mode="mostrecent")

        def summed_gauge(name: str, meaning: str) -> Gauge:
            return Gauge(name, meaning, ["pool"], registry=registry, multiprocess_mode="livesum")

        self._condition = gauge(
            "seenby_condition", "1 while a condition that wants a person holds.", "condition"
        )
        self._database_seconds = gauge("seenby_database_seconds", "How long a small read took.")
        self._runs = gauge("seenby_runs", "Runs that have not ended.", "status")
        self._queue_oldest = gauge("seenby_queue_oldest_seconds", "How long the oldest waiting run waits.")
        self._workers = gauge("seenby_workers", "Processes that execute runs.")
        self._schedules_overdue = gauge("seenby_schedules_overdue", "Schedules whose time has passed.")
        self._mails_waiting = gauge("seenby_mails_waiting", "Mails in the queue.")
        self._mails_oldest = gauge("seenby_mails_oldest_seconds", "How long the oldest queued mail waits.")
        self._webhooks_waiting = gauge("seenby_webhooks_waiting", "Deliveries in the queue of webhooks.")
        self._webhooks_overdue = gauge(
            "seenby_webhooks_overdue_seconds", "How long ago the first queued delivery was due."
        )
        self._connections = summed_gauge("seenby_database_connections_in_use", "Connections in use now.")
        self._most_connections = summed_gauge(
            "seenby_database_connections_max", "Connections that a pool may open."
        )
        self._disk_free = gauge("seenby_disk_free_bytes", "Free space where the data folder is.")

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            await self.look()
            await anyio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Look at every part once; one that fails hides no other."""
        for pool in self._database.pools:
            self._connections.labels(pool.name).set(pool.in_use)
            self._most_connections.labels(pool.name).set(pool.size)
        await self._check("database_unavailable", self._look_at_database)
        await self._check("redis_unavailable", self._look_at_redis)
        await self._check("disk_unreadable", self._look_at_disk)
        if "database_unavailable" not in self._failing:
            await self._check("schema_unreadable", self._look_at_schema)
            await self._check("queue_unreadable", self._look_at_queue)
            await self._check("schedules_unreadable", self._look_at_schedules)
            await self._check("mails_unreadable", self._look_at_mails)
            await self._check("webhooks_unreadable", self._look_at_webhooks)
            await self._check("pause_unreadable", self._look_at_pause)

    async def _check(self, condition: str, look: Callable[[], Awaitable[None]]) -> None:
        """Look at one part; that it does not answer in time is a condition of its own."""
        try:
            with anyio.fail_after(PART_SECONDS):
                await look()
        except Exception as error:
            log.debug("looking at a part", exc_info=True)
            self._set(condition, True, error=type(error).__name__)
        else:
            self._set(condition, False)

    async def _look_at_database(self) -> None:
        started = time.perf_counter()
        await self._database.ping()
        seconds = time.perf_counter() - started
        self._database_seconds.set(seconds)
        limit = self._limits.database_seconds
        self._set("database_slow", seconds > limit, seconds=round(seconds, 3), limit=limit)

    async def _look_at_schema(self) -> None:
        newer = None
        try:
            await self._database.check_schema()
        except SchemaTooNew as error:
            newer = str(error)
        self._set("schema_newer", newer is not None, reason=newer)

    async def _look_at_redis(self) -> None:
        if self._redis is not None:
            await self._redis.ping()

    async def _look_at_disk(self) -> None:
        usage = shutil.disk_usage(self._data_dir)
        self._disk_free.set(usage.free)
        share, limit = usage.free / usage.total, self._limits.disk_free_share
        self._set("disk_nearly_full", share < limit, free_bytes=usage.free, free_share=round(share, 4))

    async def _look_at_queue(self) -> None:
        live = await self._database.operators.runs.live()
        workers = await self._database.presence.workers()
        self._workers.set(workers)
        for status in ("pending", "running"):
            self._runs.labels(status).set(sum(run.status == status for run in live))
        pending = [run.created_at for run in live if run.status == "pending"]
        wait = self._age(min(pending, default=None))
        self._queue_oldest.set(wait.total_seconds())
        seconds = round(wait.total_seconds())
        self._set("queue_stuck", wait > self._limits.queue_wait, oldest_wait_seconds=seconds, workers=workers)

    async def _look_at_schedules(self) -> None:
        status = await self._database.operators.schedules.status(self._now() - OVERDUE)
        self._schedules_overdue.set(status.due)
        self._set("schedule_late", status.due > 0, overdue=status.due)

    async def _look_at_mails(self) -> None:
        waiting, oldest = await self._database.operators.mail_queue.waiting()
        wait = self._age(oldest)
        self._mails_waiting.set(waiting)
        self._mails_oldest.set(wait.total_seconds())
        seconds = round(wait.total_seconds())
        self._set("mails_stuck", wait > self._limits.mail_wait, waiting=waiting, oldest_wait_seconds=seconds)

    async def _look_at_webhooks(self) -> None:
        waiting, first_due = await self._database.operators.webhook_queue.waiting()
        overdue = max(self._age(first_due), timedelta(0))
        self._webhooks_waiting.set(waiting)
        self._webhooks_overdue.set(overdue.total_seconds())
        seconds = round(overdue.total_seconds())
        stuck = overdue > self._limits.webhook_wait
        self._set("webhooks_stuck", stuck, waiting=waiting, overdue_seconds=seconds)

    async def _look_at_pause(self) -> None:
        pause = await self._database.operators.work_pauses.current()
        self._set("work_paused", pause is not None, reason=pause.reason if pause else None)

    def _age(self, since: datetime | None) -> timedelta:
        return self._now() - since if since else timedelta(0)

    def _set(self, condition: str, holds: bool, **fields: object) -> None:
        """Show a condition in its gauge, and write a line when it begins and when it ends."""
        self._condition.labels(condition).set(holds)
        if holds and condition not in self._failing:
            self._failing.add(condition)
            events.warning("condition", extra={"condition": condition, "state": "began", **fields})
        elif not holds and condition in self._failing:
            self._failing.remove(condition)
            events.info("condition", extra={"condition": condition, "state": "ended", **fields})

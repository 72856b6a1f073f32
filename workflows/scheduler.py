"""Starts by the clock what is due, once for each tick however many processes look."""

import logging
import time
from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

import anyio

from measurement.clock import Clock

events = logging.getLogger("seenby.events")

log = logging.getLogger(__name__)

LOOK_SECONDS = 10.0


class ScheduleSource(Protocol):
    """One kind of thing that is due by the clock."""

    async def start_due(self, now: datetime) -> int:
        """Start what is due and return how many were started; what one tick starts, no other process does."""
        ...


class Scheduler:
    """Looks at its sources again and again; it remembers nothing, so that it may die at any moment."""

    def __init__(self, sources: Sequence[ScheduleSource], now: Clock) -> None:
        self._sources = sources
        self._now = now

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            await self.look()
            await anyio.sleep(LOOK_SECONDS)

    async def look(self) -> int:
        """Start everything that is due now; a source that fails is logged and does not stop the others."""
        started = 0
        for source in self._sources:
            began, name = time.perf_counter(), type(source).__name__
            try:
                count = await source.start_due(self._now())
            except Exception:
                log.exception("starting what is due of %s", name)
                log_look(name, "failed", 0, began)
            else:
                started += count
                log_look(name, "started" if count else "idle", count, began)
        return started


def log_look(source: str, outcome: str, count: int, began: float) -> None:
    """Write the line of a look at one source; one that finds nothing due is shown when debugging only."""
    level = {"idle": logging.DEBUG, "started": logging.INFO}.get(outcome, logging.ERROR)
    fields = {"source": source, "outcome": outcome, "started": count}
    events.log(
        level, "schedule", extra={**fields, "duration_ms": round((time.perf_counter() - began) * 1000, 3)}
    )

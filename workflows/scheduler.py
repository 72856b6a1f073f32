"""Starts by the clock what is due, once for each tick however many processes look."""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

import anyio

from measurement.clock import Clock

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
            try:
                started += await source.start_due(self._now())
            except Exception:
                log.exception("starting what is due of %s", type(source).__name__)
        return started

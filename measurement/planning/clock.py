"""The clock that is passed to code that needs the time."""

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

Clock = Callable[[], datetime]

utc_now: Clock = partial(datetime.now, UTC)
"""The current time, timezone-aware, in UTC."""

JUMP = timedelta(seconds=60)
"""Synchronized clocks drift by less than this between two readings."""
log = logging.getLogger(__name__)


class SteadyClock:
    """A clock that accepts jumps only after a while, for code that expires old things.

    After a machine slept, or its clock was set wrong and then corrected, all work in progress would seem old
    at once. For `settling`, this clock follows the monotonic clock; after that it accepts the system clock.
    """

    def __init__(
        self, now: Clock, settling: timedelta, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._now = now
        self._settling = settling.total_seconds()
        self._monotonic = monotonic
        self._believed, self._at = now(), monotonic()
        self._jumped_at: float | None = None

    def __call__(self) -> datetime:
        """Return the time, timezone-aware, in UTC."""
        wall, at = self._now(), self._monotonic()
        steady = self._believed + timedelta(seconds=at - self._at)
        if abs(wall - steady) < JUMP:
            self._jumped_at = None
        elif self._jumped_at is None:
            self._jumped_at = at
            log.warning("the clock jumped by %s; nothing is taken for old because of it", wall - steady)
        if self._jumped_at is not None and at - self._jumped_at < self._settling:
            return steady
        self._believed, self._at, self._jumped_at = wall, at, None
        return wall

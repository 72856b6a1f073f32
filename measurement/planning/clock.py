"""The clock that is passed to whatever needs the time."""

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

Clock = Callable[[], datetime]

utc_now: Clock = partial(datetime.now, UTC)
"""The time, aware, in UTC."""

JUMP = timedelta(seconds=60)
"""Clocks that are kept right drift by less between two looks at them."""
log = logging.getLogger(__name__)


class SteadyClock:
    """A clock whose jumps count only after a while, for whoever calls things dead that are old.

    After a machine slept, or its clock was set wrong and right again, everything under way would look old at once. For
    `settling` this clock goes on as the monotonic one does; then it believes the other one.
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
        """Return the time, aware, in UTC."""
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

"""Work that is done once a night, at its own hour; a night that fails ends no process."""

import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, time, timedelta

import anyio

from measurement.planning.clock import Clock

log = logging.getLogger(__name__)


async def repeat_nightly(hour: time, now: Clock, work: Callable[[], Awaitable[object]]) -> None:
    """Do the work every night at an hour (UTC) until cancelled; what it raises is logged, and the next night comes."""
    while True:
        await anyio.sleep((next_night(hour, now()) - now()).total_seconds())
        try:
            await work()
        except Exception:
            log.exception("work of the night")


def next_night(hour: time, now: datetime) -> datetime:
    """Return the next instant at which it is this hour in UTC."""
    today = datetime.combine(now.astimezone(UTC).date(), hour, UTC)
    return today if now < today else today + timedelta(days=1)

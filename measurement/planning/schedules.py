"""Schedules: five cron fields in a time zone, and work that runs once a night."""

import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import anyio
from cronsim import CronSim, CronSimError

from measurement.errors import ChangeRefused
from measurement.planning.clock import Clock

FIELDS = 5
log = logging.getLogger(__name__)


def normal_form(schedule: str) -> str:
    """Return the schedule in upper case with single spaces. Raises ChangeRefused if it is invalid or never due."""
    written = " ".join(schedule.split()).upper()
    next_tick(written, datetime.now(UTC))
    return written


def next_tick(schedule: str, after: datetime, timezone: str | None = None) -> datetime:
    """Return when the schedule is first due after an instant, in UTC. Raises ChangeRefused.

    `timezone` is a name of the IANA database, None for UTC. Where clocks are set forward, a skipped time is due at
    the first minute after it; where they are set back, a repeated time is due once.
    """
    try:
        if len(schedule.split()) == FIELDS:
            return next(CronSim(schedule, after.astimezone(ZoneInfo(timezone or "UTC")))).astimezone(UTC)
    except (CronSimError, StopIteration):
        pass
    raise ChangeRefused(
        "schedule: the cron expression cannot be read, or is never due",
        "Send five fields: minute, hour, day of month, month, day of week. `0 6 * * 1` is Monday at 6:00.",
    )


def count_ticks(
    schedule: str, after: datetime, until: datetime, most: int, timezone: str | None = None
) -> int:
    """Count how often a schedule is due after `after` through `until`, up to `most`. Raises ChangeRefused."""
    ticks, tick = 0, next_tick(schedule, after, timezone)
    while tick <= until and ticks < most:
        ticks, tick = ticks + 1, next_tick(schedule, tick, timezone)
    return ticks


async def repeat_nightly(hour: time, now: Clock, work: Callable[[], Awaitable[object]]) -> None:
    """Run the work every night at an hour (UTC) until cancelled; errors are logged and do not end the loop."""
    while True:
        await anyio.sleep((next_night(hour, now()) - now()).total_seconds())
        try:
            await work()
        except Exception:
            log.exception("work of the night")


def next_night(hour: time, now: datetime) -> datetime:
    """Return the next time at which it is this hour in UTC."""
    today = datetime.combine(now.astimezone(UTC).date(), hour, UTC)
    return today if now < today else today + timedelta(days=1)

"""Schedules: five cron fields in a time zone, and work that one of all processes does each night."""

import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import anyio
from cronsim import CronSim, CronSimError

from measurement.errors import ChangeRefused
from measurement.planning.clock import Clock
from storage.database import Database

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


async def repeat_nightly(
    database: Database, name: str, hour: time, now: Clock, work: Callable[[], Awaitable[object]]
) -> None:
    """Do the work every night at an hour (UTC) until cancelled; errors are logged and do not end the loop.

    Of all processes one does it. Another one does it again if that process fails or dies.
    """
    while True:
        night = next_night(hour, now())
        await anyio.sleep((night - now()).total_seconds())
        try:
            async with database.presence.alone(f"nightly {name}"):
                last = await database.operators.nightly_work.last(name)
                if last is not None and last >= night.date():
                    continue
                await work()
                async with database.operation() as operators:
                    await operators.nightly_work.record(name, night.date())
        except Exception:
            log.exception("work of the night")


def next_night(hour: time, now: datetime) -> datetime:
    """Return the next time at which it is this hour in UTC."""
    today = datetime.combine(now.astimezone(UTC).date(), hour, UTC)
    return today if now < today else today + timedelta(days=1)

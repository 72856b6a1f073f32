"""When a schedule is due: five cron fields, read in UTC."""

from datetime import UTC, datetime

from cronsim import CronSim, CronSimError

from measurement.errors import ChangeRefused

FIELDS = 5


def normal_form(schedule: str) -> str:
    """Return the schedule with single spaces. Raises ChangeRefused when it is none, or is never due."""
    written = " ".join(schedule.split()).upper()
    next_tick(written, datetime.now(UTC))
    return written


def next_tick(schedule: str, after: datetime) -> datetime:
    """Return when the schedule is due for the first time after an instant. Raises ChangeRefused."""
    try:
        if len(schedule.split()) == FIELDS:
            return next(CronSim(schedule, after.astimezone(UTC)))
    except (CronSimError, StopIteration):
        pass
    raise ChangeRefused(
        "schedule: the cron expression cannot be read, or is never due",
        "Send five fields in UTC: minute, hour, day of month, month, day of week. `0 6 * * 1` is Monday at 6:00.",
    )


def count_ticks(schedule: str, after: datetime, until: datetime, most: int) -> int:
    """Return how often a schedule is due after an instant and up to another, `most` at most. Raises ChangeRefused."""
    ticks, tick = 0, next_tick(schedule, after)
    while tick <= until and ticks < most:
        ticks, tick = ticks + 1, next_tick(schedule, tick)
    return ticks

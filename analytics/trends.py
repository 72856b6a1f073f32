"""Turns the metric points of successful batches into one value per day; a day without a batch is a gap."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from math import fsum

from analytics.intervals import mean
from analytics.metric_names import MetricName


@dataclass(frozen=True, slots=True)
class MetricPoint:
    """The value of one metric in one successful batch; None where it could not be measured. Time is aware."""

    captured_at: datetime
    value: float | None


@dataclass(frozen=True, slots=True)
class TrendDay:
    """One UTC day: the value, and how many batches it rests on."""

    day: date
    value: float
    samples: int


def daily(name: MetricName, points: Iterable[MetricPoint], today: date, days: int) -> list[TrendDay]:
    """One value per UTC day, oldest first, for today and the `days - 1` days before it.

    Counts are summed, all other metrics are the mean over the day's batches. A day without a measured batch
    is left out: it is never 0 and never carries another day's value. Raises ValueError unless days >= 1.
    """
    if days < 1:
        raise ValueError("a trend needs at least one day")
    first = today - timedelta(days=days - 1)
    by_day: dict[date, list[float]] = defaultdict(list)
    for point in points:
        day = point.captured_at.astimezone(UTC).date()
        if point.value is not None and first <= day <= today:
            by_day[day].append(point.value)
    fold = fsum if name is MetricName.MENTION_COUNT else mean
    return [TrendDay(day, fold(by_day[day]), len(by_day[day])) for day in sorted(by_day)]

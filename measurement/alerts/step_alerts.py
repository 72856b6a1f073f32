"""Tells of steps in a series that is looked at again and again, by evidence that may be read after every look."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from analytics.metric_names import MetricName
from analytics.metrics import shown
from analytics.series_watch import Alarm, Look, SeriesState, WatchedSeries
from measurement.planning.engine_names import channel_name, platform_name
from storage.repositories.brands import Brand
from storage.repositories.notifications import NotificationDraft

RECENT = timedelta(days=14)
"""An alarm that was seen before is history: it was told when it was seen."""
DAILY_LOOKS = 4
"""So many looks in two weeks are looks at days, which can give an early signal."""


def step_alerts(
    brand: Brand, series: WatchedSeries, looks: Sequence[Look], state: SeriesState
) -> Iterator[NotificationDraft]:
    """Return a notification of each recent alarm of a series: weekly means tell a change, days an early signal.

    Nothing else tells of a change of a scheduled measurement: a test of two
    looks that is repeated every day finds one by chance sooner or later.
    """
    if not looks:
        return
    until = looks[-1].day
    for alarm in state.changes:
        if until - alarm.seen <= RECENT:
            yield change_alert(brand, series, alarm)
    days = [look for look in looks if until - look.day <= RECENT]
    for alarm in state.early_signals:
        confirmed = any(change.seen >= alarm.since for change in state.changes)
        if len(days) >= DAILY_LOOKS and until - alarm.seen <= RECENT and not confirmed:
            yield early_signal(brand, series, alarm)


def change_alert(brand: Brand, series: WatchedSeries, alarm: Alarm) -> NotificationDraft:
    """Tell of a change that weekly means show."""
    verb, severity = ("rose", "info") if alarm.size > 0 else ("fell", "warning")
    return alert(
        brand,
        series,
        f"change:{series.name}:{alarm.since}",
        severity,
        f"The visibility of {brand.name}{_on(series)} {verb} by {points(alarm)} points",
        f"Weekly means of the same questions to {_asked(series)} show it since {alarm.since}. The evidence may be "
        "looked at every week: of unchanged series at most one in twenty shows as much within a year.",
    )


def early_signal(brand: Brand, series: WatchedSeries, alarm: Alarm) -> NotificationDraft:
    """Tell of what days show and weeks do not yet."""
    return alert(
        brand,
        series,
        f"early:{series.name}:{alarm.since}",
        "info",
        f"Early signal: the visibility of {brand.name}{_on(series)} may be {points(alarm)} points "
        f"{'higher' if alarm.size > 0 else 'lower'}",
        f"Single days of {_asked(series)} show it since {alarm.since}; weekly means do not yet. Days of one week often "
        "move together, so wait for the weeks before acting on it.",
    )


def points(alarm: Alarm) -> float | None:
    """Return the size of a step in points of the score."""
    return shown(MetricName.VISIBILITY_SCORE, abs(100 * alarm.size))


def alert(
    brand: Brand, series: WatchedSeries, event: str, severity: str, title: str, message: str
) -> NotificationDraft:
    """Return one notification; the same step of a series is told once."""
    filtered = "" if series.channel is None else f"?platform={series.channel.platform}"
    return NotificationDraft(
        kind="ai_mention",
        severity=severity,
        title=title,
        message=message,
        dedup_key=f"ai_mention:{brand.id}:step:{event}",
        brand_key=brand.key,
        path=f"/brands/{brand.id}{filtered}",
    )


def _on(series: WatchedSeries) -> str:
    return "" if series.channel is None else f" on {platform_name(series.channel.platform)}"


def _asked(series: WatchedSeries) -> str:
    return "the same engines" if series.channel is None else channel_name(str(series.channel))

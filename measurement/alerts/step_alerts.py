"""Alerts for steps in a monitored series, based on evidence that may be checked after every measurement."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from analytics.metric_names import MetricName
from analytics.metrics import shown
from analytics.series_watch import Alarm, Look, SeriesState, WatchedSeries
from measurement.planning.engine_names import channel_name, platform_name
from storage.repositories.brands import Brand
from storage.repositories.notifications import NotificationDraft

RECENT = timedelta(days=14)
"""How long an alarm counts as recent. Older alarms were reported when they were first observed."""
DAILY_LOOKS = 4
"""Measurements within two weeks from which a series counts as daily and can give an early signal."""


def step_alerts(
    brand: Brand, series: WatchedSeries, looks: Sequence[Look], state: SeriesState
) -> Iterator[NotificationDraft]:
    """Yield a notification for each recent alarm: weekly means give changes, single days give early signals.

    No other alert reports changes in a scheduled measurement. A test of two measurements that is repeated
    every day finds a change by chance sooner or later.
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
    """Return the notification for a change that weekly means show."""
    verb, severity = ("rose", "info") if alarm.size > 0 else ("fell", "warning")
    return alert(
        brand,
        series,
        f"change:{series.name}:{alarm.since}",
        severity,
        f"The visibility of {brand.name}{_on(series)} {verb} by {points(alarm)} points",
        f"Weekly means of the same prompts to {_asked(series)} show it since {alarm.since}. The evidence may be "
        "looked at every week: of unchanged series at most one in twenty shows as much within a year.",
    )


def early_signal(brand: Brand, series: WatchedSeries, alarm: Alarm) -> NotificationDraft:
    """Return the notification for a change that single days show but weekly means do not show yet."""
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
    """Return the size of a step in score points."""
    return shown(MetricName.VISIBILITY_SCORE, abs(100 * alarm.size))


def alert(
    brand: Brand, series: WatchedSeries, event: str, severity: str, title: str, message: str
) -> NotificationDraft:
    """Return one notification; the same step of a series notifies once."""
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

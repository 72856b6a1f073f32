"""Lines beside a trend: of engines, of competitors, of other metrics, and the models that were served."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, time
from math import fsum

from pydantic import Field

from analytics.intervals import mean
from analytics.metric_names import MetricName as Metric
from analytics.metrics import Metric as MeasuredMetric
from analytics.metrics import shown
from analytics.observation import Channel
from measurement.statistics.choices import has_channel
from measurement.statistics.daily_metrics import MOST_COMPETITOR_DAYS, DayMetrics
from measurement.statistics.model_changes import ModelChange
from storage.repositories.answers.answer_filters import OF_CHANNEL, AnswerFilter
from storage.repositories.brands import Brand
from storage.repositories.trend_points import ChannelPoint
from storage.workspace import Workspace
from tools.calls.wire import CleanText, Wire
from tools.trend_points import LinePoint, TrendPoint, line_point, point_intervals

MOST_ENGINE_POINTS = 120
"""Newest points of all engines together."""
MOST_CONTEXT_DAYS = MOST_COMPETITOR_DAYS
"""Newest measured days of a competitor and of each other metric."""
CompetitorDays = Mapping[str, Mapping[date, MeasuredMetric]]
"""A metric of each competitor by name and day."""


class CompetitorLine(Wire):
    """The same metric of one competitor on the same answers; a score is that of the ranking."""

    name: CleanText
    points: list[LinePoint]


class RelatedLine(Wire):
    """Another metric of the brand on the same answers."""

    metricName: str
    points: list[LinePoint]


class EngineLine(Wire):
    """The metric through one engine in one mode from one place, as it was published."""

    platform: str
    mode: str
    source: str = Field(description="api, or import: captured elsewhere.")
    country: str | None
    points: list[LinePoint]


class ServedModelChange(Wire):
    """A model that an engine served from this day on, and not before in these days."""

    day: date
    platform: str
    model: CleanText
    requested: bool = Field(
        default=False, description="True: it was asked for; what was served kept its name."
    )


async def engine_lines(
    workspace: Workspace, brand: Brand, metric: Metric, first: date, last: date, chosen: AnswerFilter
) -> list[EngineLine]:
    """Return the published days of each channel that a filter chooses, as many as fit beside the metric itself.

    Of what filters on prompts choose nothing was published.
    """
    if brand.revision_key is None or not holds_whole_days(chosen):
        return []
    by_channel: dict[Channel, dict[date, list[ChannelPoint]]] = {}
    for point in await workspace.trend_points.by_channel(brand.revision_key, metric, first):
        channel = Channel(point.platform, point.mode, point.source, point.country)
        if point.day <= last and has_channel(chosen, channel):
            by_channel.setdefault(channel, {}).setdefault(point.day, []).append(point)
    newest = max(2, MOST_ENGINE_POINTS // max(1, len(by_channel)))
    return [
        EngineLine(
            platform=channel.platform,
            mode=channel.mode,
            source=channel.source,
            country=channel.country or None,
            points=[channel_day(metric, days[day]) for day in sorted(days)[-newest:]],
        )
        for channel, days in by_channel.items()
    ]


def channel_day(metric: Metric, points: Sequence[ChannelPoint]) -> LinePoint:
    """Return one day of a channel from its batches: their mean, of counts their sum."""
    values = [point.value for point in points]
    value = fsum(values) if metric is Metric.MENTION_COUNT else mean(values)
    return LinePoint(
        day=points[0].day,
        value=shown(metric, value) or 0.0,
        answers=sum(point.samples for point in points),
        intervals=point_intervals(points[0]) if len(points) == 1 else None,
    )


def holds_whole_days(chosen: AnswerFilter) -> bool:
    """Tell whether the counts of days and channels can say what a filter chooses."""
    midnights = [instant for instant in (chosen.since, chosen.until) if instant is not None]
    return set(chosen.names) <= OF_CHANNEL | {"since", "until"} and all(
        instant.astimezone(UTC).time() == time() for instant in midnights
    )


def lines_of(days: Sequence[DayMetrics]) -> dict[str, dict[date, MeasuredMetric]]:
    """Return the computed days of each competitor by name."""
    names = dict.fromkeys(name for day in days for name in day.competitors)
    return {
        name: {day.day: day.competitors[name] for day in days if name in day.competitors} for name in names
    }


def competitor_lines(metric: Metric, lines: CompetitorDays) -> list[CompetitorLine]:
    """Return the newest measured days of each competitor that has any, oldest first."""
    newest = sorted({day for days in lines.values() for day in days})[-MOST_CONTEXT_DAYS:]
    shown_lines: list[CompetitorLine] = []
    for name, days in lines.items():
        points = [
            LinePoint(day=day, value=shown(metric, days[day].value) or 0.0, answers=days[day].samples)
            for day in newest
            if day in days and days[day].value is not None
        ]
        if points:
            shown_lines.append(CompetitorLine(name=name, points=points))
    return shown_lines


def related_lines(by_metric: Mapping[Metric, Sequence[TrendPoint]]) -> list[RelatedLine]:
    """Return the newest days of other metrics of the brand."""
    return [
        RelatedLine(
            metricName=str(metric), points=[line_point(point) for point in points[-MOST_CONTEXT_DAYS:]]
        )
        for metric, points in by_metric.items()
    ]


def model_changes(changes: Sequence[ModelChange]) -> list[ServedModelChange]:
    """Return when engines began to serve other models, as it is shown."""
    return [
        ServedModelChange(
            day=change.day, platform=change.platform, model=change.model, requested=change.requested
        )
        for change in changes
    ]

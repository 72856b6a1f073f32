"""Points and lines of a trend: published or computed days of a metric, of engines and of competitors."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from math import fsum

from pydantic import Field

from analytics.intervals import mean
from analytics.metric_names import MetricName as Metric
from analytics.metrics import Metric as MeasuredMetric
from analytics.metrics import shown
from analytics.observation import Channel
from analytics.trends import MetricPoint, TrendDay, daily
from measurement.statistics.asking_changes import ModelChange
from measurement.statistics.daily_metrics import MOST_COMPETITOR_DAYS, DayMetrics
from measurement.statistics.judged_metrics import JudgedMentions
from measurement.statistics.period_sums import has_channel
from measurement.statistics.period_sums import holds_whole_days as ends_at_midnight
from storage.repositories.answers.answer_filters import OF_CHANNEL, AnswerFilter
from storage.repositories.brands import Brand
from storage.repositories.trend_points import ChannelPoint, Point, StoredPoint
from storage.workspace import Workspace
from tools.calls.wire import CleanText, Interval, Intervals, Wire

EVERY_COUNTRY = 0
"""The channel under which trend points of all channels stand."""


class TrendPoint(Wire):
    """One day of a metric."""

    day: date = Field(description="Calendar day, UTC.")
    value: float = Field(description="Mean of the day's successful batches; a count is their sum.")
    samples: int = Field(description="Successful batches of that day.")
    answers: int = Field(description="Answers or mentions that the value was taken over.")
    intervals: Intervals | None = Field(description="95 % intervals, when one batch alone gives the value.")
    batchIds: list[str] = Field(description="The batches of that day.")


class LinePoint(Wire):
    """One day of a line that is drawn beside the metric asked for."""

    day: date
    value: float
    answers: int = Field(description="Answers or mentions that the value was taken over.")
    intervals: Intervals | None = None


async def published_points(
    workspace: Workspace, brand: Brand, metric: Metric, days: int, today: date, country: str | None
) -> list[TrendPoint]:
    """Return the stored points of a brand, of all countries or of one, oldest first."""
    since = today - timedelta(days=days - 1)
    channel = await workspace.channels.every_channel_of(country) if country else EVERY_COUNTRY
    revision = brand.revision_key if channel is not None else None
    stored = await workspace.trend_points.since(revision, metric, since, channel or 0) if revision else []
    by_day: dict[date, list[Point]] = {}
    for point in stored:
        by_day.setdefault(point.day, []).append(point)
    points = [MetricPoint(datetime.combine(point.day, time(12), UTC), point.value) for point in stored]
    return [_trend_point(metric, day, by_day[day.day]) for day in daily(metric, points, today, days)]


async def newest_published_day(
    workspace: Workspace, brand: Brand, metric: Metric, country: str | None
) -> date | None:
    """Return the newest day that has a stored point; None where there is none."""
    channel = await workspace.channels.every_channel_of(country) if country else EVERY_COUNTRY
    if brand.revision_key is None or channel is None:
        return None
    return await workspace.trend_points.newest_day(brand.revision_key, metric, channel)


async def newest_answered_day(workspace: Workspace, brand: Brand, chosen: AnswerFilter) -> date | None:
    """Return the day of the newest answer that a filter chooses; None where there is none."""
    if brand.revision_key is None:
        return None
    newest = await workspace.period_readings.newest(brand.key, brand.revision_key, chosen)
    return newest.captured_at.astimezone(UTC).date() if newest else None


def computed_points(metric: Metric, days: Sequence[DayMetrics]) -> list[TrendPoint]:
    """Return the measured days of a metric."""
    return [
        TrendPoint(
            day=day.day,
            value=shown(metric, day.own[metric].value) or 0.0,
            samples=len(day.batch_ids),
            answers=day.own[metric].samples,
            intervals=_measured_intervals(day.own[metric]),
            batchIds=list(day.batch_ids),
        )
        for day in days
        if day.own[metric].value is not None
    ]


def judged_points(metric: Metric, judged: JudgedMentions) -> list[TrendPoint]:
    """Return the days of a metric of judged mentions."""
    points: list[TrendPoint] = []
    for day, of_day in judged.days().items():
        measured, batch_ids = of_day.metrics()[metric], sorted({count.batch_id for count in of_day.counts})
        points.append(
            TrendPoint(
                day=day,
                value=shown(metric, measured.value) or 0.0,
                samples=len(batch_ids),
                answers=measured.samples,
                intervals=_measured_intervals(measured),
                batchIds=batch_ids,
            )
        )
    return points


def _measured_intervals(measured: MeasuredMetric) -> Intervals | None:
    if measured.intervals is None:
        return None
    low, high = measured.intervals.these_prompts
    others = measured.intervals.all_questions
    return Intervals(
        thesePrompts=Interval(low=low, high=high),
        allQuestions=Interval(low=others[0], high=others[1]) if others else None,
        atMost=measured.intervals.noise_source == "upper_bound",
    )


def _line_point(point: TrendPoint) -> LinePoint:
    return LinePoint(day=point.day, value=point.value, answers=point.answers, intervals=point.intervals)


def _trend_point(metric: Metric, day: TrendDay, batches: Sequence[Point]) -> TrendPoint:
    only = batches[0] if len(batches) == 1 else None
    return TrendPoint(
        day=day.day,
        value=shown(metric, day.value) or 0.0,
        samples=day.samples,
        answers=sum(point.samples for point in batches),
        intervals=_point_intervals(only) if only else None,
        batchIds=[point.batch_id for point in batches],
    )


def _point_intervals(point: StoredPoint) -> Intervals | None:
    """Return the stored intervals of one batch's value; counts and positions have none."""
    if point.prompts_low is None or point.prompts_high is None:
        return None
    others = point.low is not None and point.high is not None
    return Intervals(
        thesePrompts=Interval(low=point.prompts_low, high=point.prompts_high),
        allQuestions=Interval(low=point.low or 0.0, high=point.high or 0.0) if others else None,
        atMost=point.noise_source == "upper_bound",
    )


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
            points=[_channel_day(metric, days[day]) for day in sorted(days)[-newest:]],
        )
        for channel, days in by_channel.items()
    ]


def _channel_day(metric: Metric, points: Sequence[ChannelPoint]) -> LinePoint:
    """Return one day of a channel from its batches: their mean, of counts their sum."""
    values = [point.value for point in points]
    value = fsum(values) if metric is Metric.MENTION_COUNT else mean(values)
    return LinePoint(
        day=points[0].day,
        value=shown(metric, value) or 0.0,
        answers=sum(point.samples for point in points),
        intervals=_point_intervals(points[0]) if len(points) == 1 else None,
    )


def holds_whole_days(chosen: AnswerFilter) -> bool:
    """Return whether daily channel counts can answer a filter."""
    return set(chosen.names) <= OF_CHANNEL | {"since", "until"} and ends_at_midnight(chosen)


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
            metricName=str(metric), points=[_line_point(point) for point in points[-MOST_CONTEXT_DAYS:]]
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

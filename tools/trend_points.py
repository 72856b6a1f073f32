"""One day of a metric as it is shown: published as a point, or computed from answers."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta

from pydantic import Field

from analytics.metric_names import MetricName as Metric
from analytics.metrics import Metric as MeasuredMetric
from analytics.metrics import shown
from analytics.trends import MetricPoint, TrendDay, daily
from measurement.statistics.daily_metrics import DayMetrics
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand
from storage.repositories.trend_points import Point, StoredPoint
from storage.workspace import Workspace
from tools.calls.wire import Interval, Intervals, Wire

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
    return [trend_point(metric, day, by_day[day.day]) for day in daily(metric, points, today, days)]


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
    newest = await workspace.period_readings.answers(brand.key, brand.revision_key, chosen, 1)
    return newest[0].answer.captured_at.astimezone(UTC).date() if newest else None


def computed_points(metric: Metric, days: Sequence[DayMetrics], ids: Mapping[int, str]) -> list[TrendPoint]:
    """Return the measured days of a metric; batches by `ids` of their keys."""
    return [
        TrendPoint(
            day=day.day,
            value=shown(metric, day.own[metric].value) or 0.0,
            samples=len(day.batch_keys),
            answers=day.own[metric].samples,
            intervals=measured_intervals(day.own[metric]),
            batchIds=[ids[key] for key in day.batch_keys],
        )
        for day in days
        if day.own[metric].value is not None
    ]


def measured_intervals(measured: MeasuredMetric) -> Intervals | None:
    """Return the intervals of a computed value as they are shown."""
    if measured.intervals is None:
        return None
    low, high = measured.intervals.these_prompts
    others = measured.intervals.all_questions
    return Intervals(
        thesePrompts=Interval(low=low, high=high),
        allQuestions=Interval(low=others[0], high=others[1]) if others else None,
        atMost=measured.intervals.noise_source == "upper_bound",
    )


def line_point(point: TrendPoint) -> LinePoint:
    """Return a day without its batches."""
    return LinePoint(day=point.day, value=point.value, answers=point.answers, intervals=point.intervals)


def trend_point(metric: Metric, day: TrendDay, batches: Sequence[Point]) -> TrendPoint:
    """Return one day as it is shown."""
    only = batches[0] if len(batches) == 1 else None
    return TrendPoint(
        day=day.day,
        value=shown(metric, day.value) or 0.0,
        samples=day.samples,
        answers=sum(point.samples for point in batches),
        intervals=point_intervals(only) if only else None,
        batchIds=[point.batch_id for point in batches],
    )


def point_intervals(point: StoredPoint) -> Intervals | None:
    """Return the stored intervals of one batch's value; counts and positions have none."""
    if point.prompts_low is None or point.prompts_high is None:
        return None
    others = point.low is not None and point.high is not None
    return Intervals(
        thesePrompts=Interval(low=point.prompts_low, high=point.prompts_high),
        allQuestions=Interval(low=point.low or 0.0, high=point.high or 0.0) if others else None,
        atMost=point.noise_source == "upper_bound",
    )

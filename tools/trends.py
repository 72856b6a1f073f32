"""The trend tool: one metric of a brand day by day."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from math import fsum
from typing import Annotated

from pydantic import Field

from analytics.intervals import mean
from analytics.metric_names import MetricName as Metric
from analytics.metrics import Metric as MeasuredMetric
from analytics.metrics import shown
from analytics.observation import Channel
from analytics.trends import MetricPoint, TrendDay, daily
from measurement.daily_metrics import (
    MOST_COMPETITOR_DAYS,
    DailyMetrics,
    DayMetrics,
    ModelChange,
    WantedMetrics,
    load_competitor_namings,
    load_competitor_points,
    load_daily_metrics,
    load_model_changes,
)
from measurement.laid_out.batches import has_channel
from measurement.period_comparison import MOST_ANSWERS
from storage.repositories.answers.answer_filters import OF_CHANNEL, UNFILTERED, AnswerFilter
from storage.repositories.brands import Brand
from storage.repositories.trend_points import ChannelPoint, Point, StoredPoint
from storage.workspace import Workspace
from tools.calls.call import NamedBrand, ThisCall
from tools.calls.errors import ToolRefusal
from tools.calls.filters import ChosenAnswers, nothing_chosen, nothing_from, nothing_of
from tools.calls.measurement import Measurement, measurement_of
from tools.calls.parameters import BrandId, Days, MetricName, Omissible
from tools.calls.table import ToolFamily
from tools.calls.wire import CleanText, Interval, Intervals, ListWindow, Wire, untrusted_fields

family = ToolFamily()

EVERY_COUNTRY = 0
"""The channel under which trend points of all channels stand."""
MOST_ENGINE_POINTS = 120
"""Newest points of all engines together."""
MOST_CONTEXT_DAYS = MOST_COMPETITOR_DAYS
"""Newest measured days of a competitor and of each other metric."""
WithContext = Annotated[bool, Field(description="Other metrics, models.")]
WithCompetitors = Annotated[bool, Field(description="Theirs too.")]


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


class MetricTrend(Wire):
    """One metric over time, oldest day first; a day without a batch is left out, never zero."""

    window = ListWindow("points", following=None, keeps_end=True)

    brandId: str
    brandName: CleanText
    metricName: str
    country: str | None = Field(description="The country it is restricted to, or null.")
    competitors: list[CompetitorLine] = Field(description="If asked: newest 120 days.")
    related: list[RelatedLine] = Field(
        description="With context: the brand's other metrics, newest 120 days."
    )
    engines: list[EngineLine] = Field(
        description="With context: the metric by engine, mode and country, newest days; none under filters on prompts."
    )
    modelChanges: list[ServedModelChange] = Field(description="With context: oldest first.")
    days: int
    points: list[TrendPoint]
    newestDay: date | None = Field(
        description="Newest day that has a value, which may lie before these days; null when there is none."
    )
    measurement: Measurement
    notice: str | None = Field(description="Said where nothing was measured, or not every answer was read.")
    untrusted: list[str] = untrusted_fields("brandName", "competitors[].name", "modelChanges[].model")


@family.read("Get metric trend", charted=True, described_in="list_answers")
async def get_metric_trend(
    brandId: BrandId,
    metricName: MetricName,
    brand: NamedBrand,
    call: ThisCall,
    chosen: ChosenAnswers,
    days: Days = 30,
    context: Omissible[WithContext] = None,
    competitors: Omissible[WithCompetitors] = None,
) -> MetricTrend:
    """How did a metric develop by day? Brand ids: list_brand_profiles."""
    workspace = await call.workspace()
    last, length = days_of_trend(chosen, days, call.today.date())
    return await trend_view(
        workspace,
        brand,
        metricName,
        length,
        last,
        chosen,
        with_context=bool(context),
        with_competitors=bool(competitors),
    )


def days_of_trend(chosen: AnswerFilter, days: int, today: date) -> tuple[date, int]:
    """Return the last day of a trend and how many days it has: those of the filter's period, else the newest."""
    last = min(today, (chosen.until - timedelta(microseconds=1)).date()) if chosen.until else today
    length = (last - chosen.since.date()).days + 1 if chosen.since else days
    return last, max(1, length)


async def trend_view(
    workspace: Workspace,
    brand: Brand,
    name: str,
    days: int,
    today: date,
    chosen: AnswerFilter = UNFILTERED,
    *,
    with_context: bool = False,
    with_competitors: bool = False,
) -> MetricTrend:
    """Return a trend as it is shown. Raises ToolRefusal for a metric that does not exist.

    The published points of a brand or a country and of its competitors are shown as they are stored, and so is how
    often competitors are named, by the counts of days and channels; what else filters ask for, or a period that cuts
    a day, is computed from the answers.
    """
    if name not in list(Metric):
        raise ToolRefusal("metricName: unknown metric", f"Use one of: {', '.join(Metric)}.")
    metric = Metric(name)
    is_published = set(chosen.names) <= {"country", "since", "until"}
    first = today - timedelta(days=days - 1)
    chosen_days = replace(chosen, since=datetime.combine(first, time(), UTC))
    lines: Mapping[str, Mapping[date, MeasuredMetric]] | None = None
    if with_competitors and holds_whole_days(chosen):
        if metric is Metric.MENTION_COUNT:
            lines = await load_competitor_namings(workspace, brand, first, today, chosen)
        elif is_published:
            lines = await load_competitor_points(workspace, brand, (first, today), metric, chosen.country)
    computed: DailyMetrics | None = None
    if not is_published or (with_competitors and lines is None):
        wanted = WantedMetrics(
            own=not is_published,
            of_competitors=metric if with_competitors and lines is None else None,
            share_of_voice=not is_published and (with_context or metric is Metric.SHARE_OF_VOICE),
        )
        computed = await load_daily_metrics(workspace, brand, chosen_days, wanted)
    if computed is None or is_published:
        published = {
            charted: await published_points(workspace, brand, charted, days, today, chosen.country)
            for charted in (Metric if with_context else (metric,))
        }
    else:
        ids = await workspace.period_readings.batch_ids(
            sorted({key for day in computed.days for key in day.batch_keys})
        )
        published = {charted: computed_points(charted, computed.days, ids) for charted in Metric}
    if lines is None:
        lines = lines_of(computed.days) if computed and with_competitors else {}
    points = published.pop(metric)
    newest = points[-1] if points else None
    earlier = None
    if newest is None:
        earlier = (
            await newest_published_day(workspace, brand, metric, chosen.country)
            if is_published
            else await newest_answered_day(workspace, brand, chosen)
        )
    return MetricTrend(
        brandId=brand.id,
        brandName=brand.name,
        metricName=name,
        country=chosen.country,
        competitors=competitor_lines(metric, lines),
        related=[
            RelatedLine(
                metricName=str(each), points=[line_point(point) for point in shown_days[-MOST_CONTEXT_DAYS:]]
            )
            for each, shown_days in published.items()
            if with_context
        ],
        engines=await engine_lines(workspace, brand, metric, first, today, chosen) if with_context else [],
        modelChanges=model_changes(await load_model_changes(workspace, brand, chosen_days))
        if with_context
        else [],
        days=days,
        points=points,
        newestDay=newest.day if newest else earlier,
        measurement=await measurement_of(
            workspace,
            brand,
            sum(point.answers for point in points),
            newest.intervals if newest else None,
            batch_ids=list(dict.fromkeys(batch for point in reversed(points) for batch in point.batchIds)),
        ),
        notice=trend_notice(brand, chosen, computed, newest_day=newest.day if newest else earlier)
        if newest is None or (computed is not None and computed.cut)
        else None,
    )


def trend_notice(
    brand: Brand, chosen: AnswerFilter, computed: DailyMetrics | None, *, newest_day: date | None
) -> str | None:
    """Say why nothing is shown, or that not every answer was read."""
    if computed is not None and computed.cut:
        return f"Only the newest {MOST_ANSWERS:,} answers of these days were read."
    if newest_day is not None:
        return f"No value lies in these days, which is not zero; the newest is of {newest_day}."
    if set(chosen.names) - {"country"}:
        return nothing_chosen(brand.name)
    return nothing_from(chosen.country, brand.name) or nothing_of(brand.name)


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


def competitor_lines(
    metric: Metric, lines: Mapping[str, Mapping[date, MeasuredMetric]]
) -> list[CompetitorLine]:
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


def line_point(point: TrendPoint) -> LinePoint:
    """Return a day without its batches."""
    return LinePoint(day=point.day, value=point.value, answers=point.answers, intervals=point.intervals)


def model_changes(changes: Sequence[ModelChange]) -> list[ServedModelChange]:
    """Return when engines began to serve other models, as it is shown."""
    return [
        ServedModelChange(
            day=change.day, platform=change.platform, model=change.model, requested=change.requested
        )
        for change in changes
    ]


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

"""The trend tool: one metric of a brand day by day."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated

from pydantic import Field

from analytics.metric_names import JUDGED
from analytics.metric_names import MetricName as Metric
from measurement.statistics.asking_changes import load_model_changes, load_question_changes
from measurement.statistics.daily_metrics import (
    DayMetrics,
    WantedMetrics,
    load_competitor_namings,
    load_competitor_points,
    load_daily_metrics,
)
from measurement.statistics.judged_metrics import load_judged
from storage.repositories.answers.answer_filters import UNFILTERED, AnswerFilter
from storage.repositories.brands import Brand
from storage.workspace import Workspace
from tools.calls.call import NamedBrand, ThisCall
from tools.calls.errors import ToolRefusal
from tools.calls.filters import ChosenAnswers, nothing_chosen, nothing_from, nothing_of
from tools.calls.parameters import BrandId, Days, MetricName, Omissible
from tools.calls.table import ToolFamily
from tools.calls.wire import CleanText, ListWindow, Measurement, Wire, measurement_of, untrusted_fields
from tools.period_comparison import QuestionSetChange, question_changes
from tools.platforms import HOW_TO_JUDGE
from tools.trend_lines import (
    CompetitorDays,
    CompetitorLine,
    EngineLine,
    RelatedLine,
    ServedModelChange,
    TrendPoint,
    competitor_lines,
    computed_points,
    engine_lines,
    holds_whole_days,
    judged_points,
    lines_of,
    model_changes,
    newest_answered_day,
    newest_published_day,
    published_points,
    related_lines,
)

family = ToolFamily()

WithContext = Annotated[bool, Field(description="Other metrics, models.")]
WithCompetitors = Annotated[bool, Field(description="Theirs too.")]


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
    questionChanges: list[QuestionSetChange] = Field(
        description="With context: when other questions were asked, oldest first."
    )
    days: int
    points: list[TrendPoint]
    newestDay: date | None = Field(
        description="Newest day that has a value, which may lie before these days; null when there is none."
    )
    measurement: Measurement
    notice: str | None = Field(description="Said where nothing was measured.")
    untrusted: list[str] = untrusted_fields(
        "brandName", "competitors[].name", "modelChanges[].model", "questionChanges[].name"
    )


@family.read("Get metric trend", charted=True)
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
    """Return one metric of a brand by day. To find out whether a change is statistically significant use
    compare_periods."""
    workspace = await call.workspace()
    last, length = _days_of_trend(chosen, days, call.today.date())
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


def _days_of_trend(chosen: AnswerFilter, days: int, today: date) -> tuple[date, int]:
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
    a day, is computed from the answers, and so is a trend with a day that was measured more than once.
    """
    if name not in list(Metric):
        raise ToolRefusal("metricName: unknown metric", f"Use one of: {', '.join(Metric)}.")
    metric, first = Metric(name), today - timedelta(days=days - 1)
    chosen_days = replace(chosen, since=datetime.combine(first, time(), UTC))
    charted = tuple(Metric) if with_context else (metric,)
    measured = tuple(each for each in charted if each not in JUDGED)
    by_metric: dict[Metric, list[TrendPoint]] = {}
    if _is_published(chosen):
        by_metric = {
            each: await published_points(workspace, brand, each, days, today, chosen.country)
            for each in measured
        }
    # A day that was measured more than once is one sample of all its answers, not the mean of its measurements.
    repeated = any(point.samples > 1 for point in by_metric.get(metric, ()))
    lines: CompetitorDays | None = {}
    if with_competitors:
        lines = (
            None
            if repeated
            else await _stored_competitor_days(workspace, brand, metric, first, today, chosen)
        )
    wanted = WantedMetrics(
        own=measured if repeated or not by_metric else (),
        of_competitors=metric if lines is None else None,
    )
    computed: Sequence[DayMetrics] = ()
    if wanted.own or wanted.of_competitors:
        computed = await load_daily_metrics(workspace, brand, chosen_days, (first, today), wanted)
    if wanted.own:
        by_metric = {each: computed_points(each, computed) for each in measured}
    if not JUDGED.isdisjoint(charted):
        judged = await load_judged(workspace, brand, chosen_days)
        by_metric |= {each: judged_points(each, judged) for each in charted if each in JUDGED}
    points = by_metric.pop(metric)
    newest_day = points[-1].day if points else await _newest_day_of(workspace, brand, metric, chosen)
    changes = await load_model_changes(workspace, brand, chosen_days) if with_context else []
    others = await load_question_changes(workspace, brand, chosen_days) if with_context else []
    return MetricTrend(
        brandId=brand.id,
        brandName=brand.name,
        metricName=name,
        country=chosen.country,
        competitors=competitor_lines(metric, lines_of(computed) if lines is None else lines),
        related=related_lines(by_metric) if with_context else [],
        engines=await engine_lines(workspace, brand, metric, first, today, chosen) if with_context else [],
        modelChanges=model_changes(changes),
        questionChanges=question_changes(others),
        days=days,
        points=points,
        newestDay=newest_day,
        measurement=await measurement_of(
            workspace,
            brand,
            sum(point.answers for point in points),
            points[-1].intervals if points else None,
            batch_ids=list(dict.fromkeys(batch for point in reversed(points) for batch in point.batchIds)),
        ),
        notice=None if points else await _trend_notice(workspace, brand, metric, chosen, newest_day),
    )


def _is_published(chosen: AnswerFilter) -> bool:
    """Return whether publication stored what a filter chooses: whole days, of everything or of one country."""
    return set(chosen.names) <= {"country", "since", "until"}


async def _stored_competitor_days(
    workspace: Workspace, brand: Brand, metric: Metric, first: date, last: date, chosen: AnswerFilter
) -> CompetitorDays | None:
    """Return a metric of competitors by day as it is stored; None where it has to be computed from the answers."""
    if not holds_whole_days(chosen):
        return None
    if metric is Metric.MENTION_COUNT:
        return await load_competitor_namings(workspace, brand, first, last, chosen)
    if _is_published(chosen):
        return await load_competitor_points(workspace, brand, (first, last), metric, chosen.country)
    return None


async def _newest_day_of(
    workspace: Workspace, brand: Brand, metric: Metric, chosen: AnswerFilter
) -> date | None:
    """Return the newest day that has a value, however long ago; None where there is none."""
    if metric in JUDGED:
        judged = await load_judged(workspace, brand, replace(chosen, since=None, until=None))
        return max(judged.days(), default=None)
    if _is_published(chosen):
        return await newest_published_day(workspace, brand, metric, chosen.country)
    return await newest_answered_day(workspace, brand, chosen)


async def _trend_notice(
    workspace: Workspace, brand: Brand, metric: Metric, chosen: AnswerFilter, newest_day: date | None
) -> str:
    """Say why nothing is shown."""
    if newest_day is not None:
        return f"No value lies in these days, which is not zero; the newest is of {newest_day}."
    if metric in JUDGED and await newest_answered_day(workspace, brand, chosen):
        return f"No mention of {brand.name} was judged. {HOW_TO_JUDGE}"
    if set(chosen.names) - {"country"}:
        return nothing_chosen(brand.name)
    return nothing_from(chosen.country, brand.name) or nothing_of(brand.name)

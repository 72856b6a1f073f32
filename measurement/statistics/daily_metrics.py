"""Daily metrics of a brand and its competitors: published ones, and those of any filter from sums by day."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from math import fsum

import anyio.to_thread

from analytics.intervals import mean
from analytics.market_sums import MarketSums
from analytics.metric_names import MetricName
from analytics.metrics import (
    Metric,
    average_position,
    citation_rate,
    mention_count,
    share_of_voice,
    visibility,
)
from analytics.score import score
from measurement.planning.brand_identity import BRAND_KEY
from measurement.publication.competitor_points import (
    CompetitorPoint,
    competitor_metrics,
    read_competitor_points,
)
from measurement.statistics.period_sums import (
    begin_of,
    channel_of_day,
    has_channel,
    holds_whole_days,
    period_sums,
)
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand, EntityNames
from storage.repositories.competitor_points import StoredCompetitorPoints
from storage.repositories.running_totals import CellTotals
from storage.workspace import Workspace

MOST_COMPETITOR_DAYS = 120
"""Number of newest measured days to read for a competitor; in a longer chart, no single day is visible."""
MOST_BATCHES = 10 * MOST_COMPETITOR_DAYS
"""Number of newest published batches and days to read for them."""
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class WantedMetrics:
    """The metrics to compute for each day: those of the brand itself, and one for every tracked competitor.

    A competitor's visibility score is that of the ranking, over the parts that all of them have.
    """

    own: tuple[MetricName, ...] = ()
    of_competitors: MetricName | None = None

    @property
    def needs_competitors(self) -> bool:
        """Whether the sums of competitors are needed; a share of voice needs to know that there are any."""
        return self.of_competitors is not None or MetricName.SHARE_OF_VOICE in self.own


@dataclass(frozen=True, slots=True)
class DayMetrics:
    """One UTC day: the brand's metrics, one metric of each competitor by name, and the batches behind them."""

    day: date
    own: Mapping[MetricName, Metric]
    competitors: Mapping[str, Metric]
    batch_ids: tuple[str, ...]


async def load_daily_metrics(
    workspace: Workspace,
    brand: Brand,
    chosen: AnswerFilter,
    days: tuple[date, date],
    wanted: WantedMetrics,
) -> list[DayMetrics]:
    """Compute the wanted metrics for each of these days that has answers which a filter chooses, oldest first.

    A filter that ends within the last day counts its answers up to then.
    """
    if brand.revision_key is None:
        return []
    entities = await workspace.brands.entities(brand)
    if not wanted.needs_competitors:
        entities = [entity for entity in entities if entity.key == BRAND_KEY]
    keys = [entity.key for entity in entities]
    totals, (first, last) = workspace.running_totals, days
    rows: dict[date, list[CellTotals]] = defaultdict(list)
    cut = last if chosen.until is not None and not holds_whole_days(chosen) else None
    for day, row in await totals.by_day(brand.revision_key, first, last - DAY if cut else last, chosen, keys):
        rows[day].append(row)
    if cut is not None:
        within = replace(chosen, since=begin_of(cut))
        rows[cut] += await totals.of_answers(brand.key, brand.revision_key, within, keys)
    batches: dict[date, dict[str, None]] = defaultdict(dict)
    for of_channel in await workspace.channel_days.of_period(brand.revision_key, first, last):
        if of_channel.answers and has_channel(chosen, channel_of_day(of_channel)):
            batches[of_channel.day][of_channel.batch_id] = None
    by_day = [(day, of_day, tuple(batches[day])) for day, of_day in sorted(rows.items()) if of_day]
    return await anyio.to_thread.run_sync(_metrics_of_days, brand.id, entities, by_day, wanted)


def _metrics_of_days(
    brand_id: str,
    entities: Sequence[EntityNames],
    days: Sequence[tuple[date, Sequence[CellTotals], tuple[str, ...]]],
    wanted: WantedMetrics,
) -> list[DayMetrics]:
    names = {entity.id: entity.name for entity in entities}
    metrics: list[DayMetrics] = []
    for day, rows, batch_ids in days:
        market = period_sums(entities, rows, ()).market
        rivals = wanted.of_competitors
        metrics.append(
            DayMetrics(
                day=day,
                own={name: OWN[name](brand_id, market) for name in wanted.own},
                competitors={
                    names[entity]: metric
                    for entity, metric in (
                        competitor_metrics(brand_id, market, rivals) if rivals else {}
                    ).items()
                },
                batch_ids=batch_ids,
            )
        )
    return metrics


OWN: Mapping[MetricName, Callable[[str, MarketSums], Metric]] = {
    MetricName.VISIBILITY_SCORE: lambda brand, market: visibility(
        score(brand, market.entities[brand], "", with_factors=False)
    ),
    MetricName.MENTION_COUNT: lambda brand, market: mention_count(market.entities[brand]),
    MetricName.SHARE_OF_VOICE: share_of_voice,
    MetricName.AVERAGE_POSITION: lambda brand, market: average_position(market.entities[brand]),
    MetricName.CITATION_RATE: lambda brand, market: citation_rate(market.entities[brand]),
}
"""Each measured metric of a day, computed separately."""


async def load_competitor_namings(
    workspace: Workspace, brand: Brand, first: date, last: date, chosen: AnswerFilter
) -> dict[str, dict[date, Metric]]:
    """Return by competitor the number of answers that name it on each measured day.

    The answers were counted when they were published. Supports only filters on channels.
    """
    if brand.revision_key is None:
        return {}
    counts = await workspace.daily_counts.namings(brand.revision_key, first, last, chosen)
    valid = {count.day: count.valid for count in counts if count.entity_key == BRAND_KEY and count.valid}
    named = {(count.entity_key, count.day): count.named for count in counts}
    return {
        name: {day: Metric(float(named.get((key, day), 0)), answers) for day, answers in valid.items()}
        for key, name in (await competitor_names(workspace, brand)).items()
    }


async def competitor_names(workspace: Workspace, brand: Brand) -> dict[int, str]:
    """Return the tracked competitors by key."""
    return {
        entity.key: entity.name
        for entity in await workspace.brands.entities(brand)
        if entity.key != BRAND_KEY
    }


async def load_competitor_points(
    workspace: Workspace, brand: Brand, days: tuple[date, date], metric: MetricName, country: str | None
) -> dict[str, dict[date, Metric]]:
    """Return a published metric of each competitor by name on the newest measured days.

    Several batches of a day are combined as in the brand's own trend: by their mean, and for counts by their sum.
    """
    if brand.revision_key is None:
        return {}
    stored = await workspace.competitor_points.newest(brand.revision_key, *days, MOST_BATCHES)
    points = await anyio.to_thread.run_sync(_newest_points, stored, metric, country or "")
    return {
        name: {
            day: _day_value(metric, of_day[entity_key])
            for day, of_day in sorted(points.items())
            if entity_key in of_day
        }
        for entity_key, name in (await competitor_names(workspace, brand)).items()
    }


def _newest_points(
    newest_first: Sequence[StoredCompetitorPoints], metric: MetricName, country: str
) -> dict[date, dict[int, list[CompetitorPoint]]]:
    """Return the points of the newest days that have any, by competitor."""
    points: dict[date, dict[int, list[CompetitorPoint]]] = {}
    for stored in newest_first:
        if len(points) == MOST_COMPETITOR_DAYS and stored.day not in points:
            break
        for point in read_competitor_points(stored.points, metric, country):
            points.setdefault(stored.day, {}).setdefault(point.entity_key, []).append(point)
    return points


def _day_value(metric: MetricName, points: Sequence[CompetitorPoint]) -> Metric:
    """Combine a competitor's batches of one day."""
    fold = fsum if metric is MetricName.MENTION_COUNT else mean
    return Metric(fold([point.value for point in points]), sum(point.samples for point in points))

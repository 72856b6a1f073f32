"""Daily metrics of a brand and its competitors under any filter, computed from extraction results."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date
from math import fsum

import anyio.to_thread

from analytics.intervals import mean
from analytics.metric_names import MetricName
from analytics.metrics import (
    Metric,
    average_position,
    citation_rate,
    mention_count,
    sentiment,
    share_of_voice,
    visibility,
)
from analytics.observation import Channel
from analytics.score import score
from measurement.extraction.observations import channel_of, observation
from measurement.planning.brand_identity import BRAND_KEY, BrandIdentity, identify
from measurement.publication.kept_results import KeptResults
from measurement.publication.readings import AlikeReading
from measurement.publication.trend_points import RivalPoint, competitor_metrics, read_rival_points
from measurement.statistics.batches import begin_of, days_of, is_laid_out
from measurement.statistics.choices import can_choose, choice_of
from measurement.statistics.daily import CountedDay, ObservedDay, count_days, observe_day
from measurement.statistics.period_rows import count_batches, count_cut_off, degraded_channels, newest_answers
from measurement.statistics.periods import content_digest, find_period, read_period
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.answers.observed_answers import ObservedMention
from storage.repositories.answers.period_readings import PeriodAnswer
from storage.repositories.batch_cells import StoredRivals
from storage.repositories.brands import Brand, EntityNames
from storage.workspace import Workspace

MOST_COMPETITOR_DAYS = 120
"""Number of newest measured days to read for a competitor; in a longer chart, no single day is visible."""
MOST_READINGS = 100_000
"""Size limit of the cache of daily metrics, in extraction results of all days.

Each one keeps some hundred bytes alive, and a day may have thousands.
"""
MOST_DAYS = 10_000
"""Size limit of the cache in days of all periods. An entry is valid until one of its days is recomputed."""


@dataclass(frozen=True, slots=True)
class WantedMetrics:
    """The metrics to compute for each day: those of the brand itself, and one for every tracked competitor.

    A competitor's visibility score is that of the ranking, over the parts that all of them have.
    """

    own: tuple[MetricName, ...] = ()
    of_competitors: MetricName | None = None

    @property
    def needs_competitors(self) -> bool:
        """Whether it matters whom the answers name beside the brand."""
        return self.of_competitors is not None or self.needs_namings

    @property
    def needs_namings(self) -> bool:
        """Whether the brand's share of voice is requested, which counts its competitors' mentions."""
        return MetricName.SHARE_OF_VOICE in self.own


@dataclass(frozen=True, slots=True)
class MetricBasis:
    """Inputs of a day's metrics beside its answers: the entities, brand first, and the wanted metrics.

    `fingerprint` identifies how answers are read. Answers to questions `outside_sets` are custom ones.
    """

    fingerprint: str
    entities: tuple[EntityNames, ...]
    wanted: WantedMetrics
    outside_sets: frozenset[str] = frozenset()

    @property
    def brand_id(self) -> str:
        """The ID of the brand."""
        return self.entities[0].id

    def is_custom(self, reading: AlikeReading) -> bool:
        """Return whether a question was asked outside a prompt set; for imported answers this is always False."""
        return reading.prompt_id in self.outside_sets and reading.channel.source != "import"


@dataclass(frozen=True, slots=True)
class DayMetrics:
    """One UTC day: the brand's metrics, one metric of each competitor by name, and the batches behind them."""

    day: date
    own: Mapping[MetricName, Metric]
    competitors: Mapping[str, Metric]
    batch_keys: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DailyMetrics:
    """Days with answers, oldest first; `cut` means that there are more answers than are read."""

    days: tuple[DayMetrics, ...]
    cut: bool


@dataclass(frozen=True, slots=True)
class AnswerRows:
    """Answers, newest first, the degraded channels of their batches, and whether there are more answers."""

    answers: Sequence[PeriodAnswer]
    degraded: Mapping[int, frozenset[Channel]]
    cut: bool


KEPT = KeptResults[DayMetrics](MOST_READINGS)
KEPT_PERIODS = KeptResults[DailyMetrics](MOST_DAYS)


async def load_daily_metrics(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter, wanted: WantedMetrics
) -> DailyMetrics:
    """Compute the wanted metrics for each day of a filter, in a thread.

    Whole days are read from precomputed documents. For other periods, and for results published before these
    documents existed, the newest answers themselves are read.
    """
    if brand.revision_key is None or not await can_choose(workspace, chosen):
        return DailyMetrics((), False)
    identity = await identify(workspace, brand)
    if await is_laid_out(workspace, brand, chosen):
        return await load_laid_out_metrics(workspace, identity, chosen, wanted)
    return await load_answered_metrics(workspace, identity, chosen, wanted)


async def load_laid_out_metrics(
    workspace: Workspace, identity: BrandIdentity, chosen: AnswerFilter, wanted: WantedMetrics
) -> DailyMetrics:
    """Compute the wanted metrics for each day from precomputed documents.

    Nothing is read unless a day was recomputed. A day whose answers are unchanged is not computed again,
    because a new answer changes only one of many days.
    """
    brand = identity.brand
    assert brand.revision_key is not None
    days = days_of(chosen)
    period = await find_period(workspace, brand, days)
    entities = entities_of(identity, wanted)

    def digest() -> str:
        whatever_time = replace(chosen, since=None, until=None)
        return content_digest(identity.fingerprint, entities, wanted, period.digest, whatever_time)

    if (kept := KEPT_PERIODS.find(digest())) is not None:
        return kept
    period = await read_period(workspace, brand, days, period)
    batches, asked = period.batches or (), period.asked
    outside_sets = frozenset(prompt.id for prompt in asked.values() if prompt.set_id is None)
    basis = MetricBasis(identity.fingerprint, entities, wanted, outside_sets)

    def metrics_of(day: CountedDay) -> DayMetrics:
        return KEPT.result_of(
            (basis, day),
            day.readings,
            lambda: _metrics_of(basis, observe_day(day, basis.entities, basis.is_custom)),
        )

    def compute() -> DailyMetrics:
        computed = tuple(map(metrics_of, count_days(batches, choice_of(chosen, asked))))
        return KEPT_PERIODS.keep(digest(), 1 + len(computed), DailyMetrics(computed, cut=False))

    return await anyio.to_thread.run_sync(compute)


async def load_answered_metrics(
    workspace: Workspace, identity: BrandIdentity, chosen: AnswerFilter, wanted: WantedMetrics
) -> DailyMetrics:
    """Compute the wanted metrics for each day from the newest answers of a filter, read one by one."""
    brand = identity.brand
    assert brand.revision_key is not None
    answers, cut = await newest_answers(workspace, brand, chosen)
    batches = sorted({row.answer.batch_key for row in answers})
    degraded = degraded_channels(
        count_cut_off(count_batches(answers)), await workspace.period_readings.settled(batches)
    )
    rows = AnswerRows(answers, degraded, cut)
    others: list[ObservedMention] = []
    if wanted.of_competitors is not None:
        keys = [row.answer.key for row in answers]
        others = await workspace.period_readings.competitor_mentions(brand.revision_key, keys)
    elif wanted.needs_namings and answers:
        rivals = [entity.key for entity in identity.named if entity.key != BRAND_KEY]
        others = await workspace.period_readings.competitor_namings(
            brand.revision_key,
            rivals,
            answers[-1].answer.captured_at,
            answers[0].answer.captured_at,
            chosen,
        )
    return await anyio.to_thread.run_sync(compute_daily_metrics, identity, rows, others, wanted)


def compute_daily_metrics(
    identity: BrandIdentity, rows: AnswerRows, others: Sequence[ObservedMention], wanted: WantedMetrics
) -> DailyMetrics:
    """Compute each day from stored data; pure. `others` are the competitors' mentions."""
    mentions = {(mention.answer_key, mention.entity_key): mention for mention in others}
    by_day: dict[date, list[PeriodAnswer]] = defaultdict(list)
    for row in rows.answers:
        by_day[row.answer.captured_at.astimezone(UTC).date()].append(row)
    days: list[DayMetrics] = []
    for day, answers in sorted(by_day.items()):
        days.append(_day_metrics(identity, day, answers, mentions, rows.degraded, wanted))
    return DailyMetrics(tuple(days), rows.cut)


def _day_metrics(
    identity: BrandIdentity,
    day: date,
    answers: Sequence[PeriodAnswer],
    mentions: Mapping[tuple[int, int], ObservedMention],
    degraded: Mapping[int, frozenset[Channel]],
    wanted: WantedMetrics,
) -> DayMetrics:
    valid = [row for row in answers if row.answer.valid]
    kept = [row for row in valid if channel_of(row.answer) not in degraded.get(row.answer.batch_key, ())]
    basis = MetricBasis(identity.fingerprint, entities_of(identity, wanted), wanted)
    observed = {
        entity.id: [
            observation(
                row.answer,
                row.mention if entity.key == BRAND_KEY else mentions.get((row.answer.key, entity.key)),
                entity.key,
                bool(entity.sites),
            )
            for row in kept
        ]
        for entity in basis.entities
    }
    has_site = any(entity.sites for entity in identity.named if entity.key == BRAND_KEY)
    every = [observation(row.answer, row.mention, BRAND_KEY, has_site) for row in valid]
    batch_keys = tuple(sorted({row.answer.batch_key for row in answers}))
    return _metrics_of(basis, ObservedDay(day, observed, observed[basis.brand_id], every, batch_keys))


def entities_of(identity: BrandIdentity, wanted: WantedMetrics) -> tuple[EntityNames, ...]:
    """Return the entities whose observations are needed, with the brand first."""
    entities = tuple(sorted(identity.named, key=lambda entity: entity.key != BRAND_KEY))
    return entities if wanted.needs_competitors else entities[:1]


OWN: Mapping[MetricName, Callable[[MetricBasis, ObservedDay], Metric]] = {
    MetricName.VISIBILITY_SCORE: lambda basis, day: visibility(
        score(basis.brand_id, day.own, basis.fingerprint, with_factors=False)
    ),
    MetricName.MENTION_COUNT: lambda _, day: mention_count(day.every),
    MetricName.SHARE_OF_VOICE: lambda basis, day: share_of_voice(basis.brand_id, day.observed),
    MetricName.AVERAGE_POSITION: lambda _, day: average_position(day.own),
    MetricName.CITATION_RATE: lambda _, day: citation_rate(day.own),
    MetricName.SENTIMENT: lambda _, day: sentiment(day.own),
}
"""Each metric of a day that `analytics.metrics.metrics` has, computed separately."""


def _metrics_of(basis: MetricBasis, day: ObservedDay) -> DayMetrics:
    metric, names = basis.wanted.of_competitors, {entity.id: entity.name for entity in basis.entities[1:]}
    return DayMetrics(
        day=day.day,
        own={name: OWN[name](basis, day) for name in basis.wanted.own},
        competitors={
            names[entity]: measured
            for entity, measured in competitor_metrics(basis.brand_id, day.observed, metric).items()
        }
        if metric
        else {},
        batch_keys=day.batch_keys,
    )


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
) -> dict[str, dict[date, Metric]] | None:
    """Return a published metric of each competitor by name on the newest measured days, or None.

    None means that it was not published for all of these days. Several batches of a day are combined as in
    the brand's own trend: by their mean, and for counts by their sum.
    """
    if brand.revision_key is None:
        return {}
    cells, key = workspace.batch_cells, brand.revision_key
    if await cells.not_laid_out(brand.key, key, 1, begin_of(days[0])):
        return None
    stored = await cells.rivals(brand.key, key, *days)
    points = await anyio.to_thread.run_sync(_newest_points, stored, metric, country or "")
    lines: dict[str, dict[date, Metric]] = {}
    for entity_key, name in (await competitor_names(workspace, brand)).items():
        lines[name] = {
            day: _day_value(metric, of_day[entity_key])
            for day, of_day in sorted(points.items())
            if entity_key in of_day
        }
    return lines


def _newest_points(
    stored: Sequence[StoredRivals], metric: MetricName, country: str
) -> dict[date, dict[int, list[RivalPoint]]]:
    """Return the points of the newest days that have any, by competitor; `stored` is in order of days."""
    points: dict[date, dict[int, list[RivalPoint]]] = {}
    for rivals in reversed(stored):
        if len(points) == MOST_COMPETITOR_DAYS and rivals.day not in points:
            break
        for point in read_rival_points(rivals.text, metric, country):
            points.setdefault(rivals.day, {}).setdefault(point.entity_key, []).append(point)
    return points


def _day_value(metric: MetricName, points: Sequence[RivalPoint]) -> Metric:
    """Combine a competitor's batches of one day."""
    fold = fsum if metric is MetricName.MENTION_COUNT else mean
    return Metric(fold([point.value for point in points]), sum(point.samples for point in points))

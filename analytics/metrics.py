"""The measured metrics by brand, platform and mode: values with samples, intervals and reasons for nulls."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from operator import add
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from analytics.batches import ChannelAsks
from analytics.intervals import NO_TOPICS, IntervalPair, RatioSums, Topics, mean, naming_sums, ratio_pair
from analytics.market_sums import EntitySums, MarketSums
from analytics.measured_batches import MeasuredBatches
from analytics.metric_names import MetricName
from analytics.observation import Channel
from analytics.prompt_means import CellKey
from analytics.rankings import gap_to_leader
from analytics.score import Score, score
from analytics.score_inputs import Part


@dataclass(frozen=True, slots=True)
class Metric:
    """An unrounded value with its sample size; `reason` says why it is None.

    Rates are 0-1 and have two 95% intervals; visibilityScore and sentiment are 0-100.
    """

    value: float | None
    samples: int
    intervals: IntervalPair | None = None
    reason: str | None = None


class JudgedSums(NamedTuple):
    """Numbers of judged mentions of the brand in one cell: all of them, by tone, and by what they advise."""

    judged: int = 0
    positive: int = 0
    negative: int = 0
    recommended: int = 0
    warned_against: int = 0

    def plus(self, other: "JudgedSums") -> "JudgedSums":
        """Return the sums over both."""
        return JudgedSums(*map(add, self, other))


NEVER_ASKED = "never_asked"
NOT_JUDGED = "not_judged"
PlatformStatus: TypeAlias = Literal["measured", "degraded", "not_measured"]


@dataclass(frozen=True, slots=True)
class ModeValues:
    """Metrics of one mode of a platform, or of the whole platform if `mode` is None."""

    mode: str | None
    status: PlatformStatus
    reason: str | None
    metrics: Mapping[MetricName, Metric]
    presence: Metric
    asked: ChannelAsks
    last_measured: datetime | None


@dataclass(frozen=True, slots=True)
class PlatformValues:
    """One platform with each of its modes."""

    platform: str
    total: ModeValues
    modes: tuple[ModeValues, ...]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Ids of prompts asked from memory and with search, by where a valid answer names the brand."""

    both: tuple[str, ...]
    memory_only: tuple[str, ...]
    search_only: tuple[str, ...]
    neither: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AverageScore:
    """Mean of the brands that have a score. Other brands are counted separately, never as 0."""

    value: float | None
    brands: int
    without_score: int


MeasurementVerdict: TypeAlias = Literal[
    "no_data", "thin_sample", "no_competitors", "nobody_named", "real_gap", "healthy"
]
FEWEST_NAMED = 0.2


SHOWN_DECIMALS: Mapping[MetricName, int] = MappingProxyType(
    {
        MetricName.SHARE_OF_VOICE: 4,
        MetricName.CITATION_RATE: 4,
        MetricName.RECOMMENDATION_RATE: 4,
        MetricName.AVERAGE_POSITION: 2,
        MetricName.VISIBILITY_SCORE: 1,
    }
)
"""Decimals of displayed values: four for rates, two for positions, one for scores, none for counts."""


def shown(name: MetricName, value: float | None) -> float | None:
    """Return the value as displayed; None stays None."""
    if value is None:
        return None
    return round(value) if name is MetricName.MENTION_COUNT else round(value, SHOWN_DECIMALS.get(name, 1))


def metrics(brand: str, market: MarketSums, headline: Score) -> dict[MetricName, Metric]:
    """Return the measured metrics of a brand from the sums of the brand and of each competitor.

    `headline` is the brand's score over the same answers. Branded prompts, custom queries and degraded channels only
    count towards mentionCount, because every mention that users can open is counted.
    """
    own = market.entities[brand]
    return {
        MetricName.VISIBILITY_SCORE: visibility(headline),
        MetricName.MENTION_COUNT: mention_count(own),
        MetricName.SHARE_OF_VOICE: share_of_voice(brand, market),
        MetricName.AVERAGE_POSITION: average_position(own),
        MetricName.CITATION_RATE: citation_rate(own),
    }


def visibility(headline: Score) -> Metric:
    """Return the score as a metric; samples are valid answers."""
    reason = None if headline.status == "measured" else headline.status
    return Metric(headline.value, headline.answers, headline.intervals, reason)


def mention_count(entity: EntitySums) -> Metric:
    """Count answers with a counted mention, branded and custom ones included; None without any valid answer."""
    valid = sum(sums.valid for sums in entity.cells.values())
    if not valid:
        return Metric(None, 0, reason="no_valid_answer")
    return Metric(sum(sums.named_in_all for sums in entity.cells.values()), valid)


def share_of_voice(brand: str, market: MarketSums) -> Metric:
    """Return the share of answers naming the brand among all namings, on prompts that name no entity.

    Samples are mentions of any entity.
    """
    if not market.entities.keys() - {brand}:
        return Metric(None, 0, reason="no_competitor_recorded")
    return shares_of_voice([brand], market)[brand]


def shares_of_voice(
    entities: Iterable[str], market: MarketSums, *, with_intervals: bool = True
) -> dict[str, Metric]:
    """Return the share of voice of each of these entities among all."""
    fair = market.neutral()
    answers = any(sums.answers for sums in next(iter(fair.entities.values())).cells.values())
    nothing = "nobody_named" if answers else "no_valid_answer"
    return {
        entity: _rate(naming_sums(sums.cells), nothing, sums.topics, with_intervals=with_intervals)
        for entity, sums in ((entity, fair.entities[entity]) for entity in entities)
    }


def average_position(entity: EntitySums) -> Metric:
    """Return the mean rank over rated answers that rank the entity; lower is better. Samples are ranked answers."""
    ranked = sum(sums.ranked for sums in entity.cells.values())
    if not ranked:
        return Metric(None, 0, reason="never_ranked")
    return Metric(sum(sums.rank_sum for sums in entity.cells.values()) / ranked, ranked)


def citation_rate(entity: EntitySums, *, with_intervals: bool = True) -> Metric:
    """Return the share of citation-measurable answers that cite an owned URL, whether they name the entity or not.

    Also None for an entity without a known site, because no citation could have been matched.
    """
    citing = {
        key: RatioSums(sums.measurable, sums.citing, sums.measurable, sums.citing, sums.measurable)
        for key, sums in entity.cells.items()
        if entity.site_known and sums.measurable
    }
    return _rate(citing, "no_citation_measurable_answer", entity.topics, with_intervals=with_intervals)


def judged_metrics(
    cells: Mapping[CellKey, JudgedSums], topics: Topics = NO_TOPICS
) -> dict[MetricName, Metric]:
    """Return both metrics of judged mentions; samples are judged mentions, and without any there is no value.

    Sentiment is 50 + 50 x (positive - negative) / judged; 50 is neutral. The recommendation rate is the share of judged
    mentions that recommend the brand, 0 to 1.
    """
    recommended = {
        key: RatioSums(sums.judged, sums.recommended, sums.judged, sums.recommended, sums.judged)
        for key, sums in cells.items()
        if sums.judged
    }
    judged = sum(sums.judged for sums in cells.values())
    balance = sum(sums.positive - sums.negative for sums in cells.values())
    sentiment = Metric(50 + 50 * balance / judged, judged) if judged else Metric(None, 0, reason=NOT_JUDGED)
    return {
        MetricName.SENTIMENT: sentiment,
        MetricName.RECOMMENDATION_RATE: _rate(recommended, NOT_JUDGED, topics),
    }


def _rate(
    cells: Mapping[CellKey, RatioSums], nothing: str, topics: Topics, *, with_intervals: bool = True
) -> Metric:
    """Return a pooled rate, and its intervals."""
    trials = sum(sums.trials for sums in cells.values())
    if not trials:
        return Metric(None, 0, reason=nothing)
    if not with_intervals:
        return Metric(sum(sums.hits for sums in cells.values()) / trials, trials)
    pooled = ratio_pair(cells, topics)
    assert pooled is not None
    return Metric(pooled[0], trials, pooled[1])


def platform_metrics(
    brand: str,
    current: MeasuredBatches,
    configured: Collection[str],
    analysis: str,
    earlier: EntitySums | None = None,
) -> tuple[PlatformValues, ...]:
    """Return the metrics of each queried or configured platform, ordered by name.

    `earlier` answers of the brand count as repeats. A configured platform that was never queried is listed as not
    measured.
    """
    listed: list[PlatformValues] = []
    for platform in sorted({channel.platform for channel in current.asked} | set(configured)):
        channels = frozenset(channel for channel in current.asked if channel.platform == platform)
        modes = {
            mode: frozenset(channel for channel in channels if channel.mode == mode)
            for mode in sorted({channel.mode for channel in channels})
        }
        total = _mode_metrics(brand, current, None, channels, analysis, earlier)
        listed.append(
            PlatformValues(
                platform,
                total,
                # A platform with a single queried mode has the same metrics in that mode as overall.
                tuple(
                    replace(total, mode=mode)
                    if of_mode == channels
                    else _mode_metrics(brand, current, mode, of_mode, analysis, earlier)
                    for mode, of_mode in modes.items()
                ),
            )
        )
    return tuple(listed)


def _mode_metrics(
    brand: str,
    current: MeasuredBatches,
    mode: str | None,
    channels: frozenset[Channel],
    analysis: str,
    earlier: EntitySums | None,
) -> ModeValues:
    market = current.market.restricted(lambda key: key[1] in channels)
    own = market.entities.get(brand, EntitySums({}))
    market = replace(market, entities={brand: own, **market.entities})
    headline = score(brand, own, analysis, earlier=earlier)
    present = headline.factor(Part.PRESENCE)
    asked = ChannelAsks(0, 0)
    for channel in channels:
        asked += current.asked[channel]
    status, reason = _platform_status(
        current, channels, asked, any(sums.valid for sums in own.cells.values())
    )
    last_valid = current.last_valid or {}
    return ModeValues(
        mode=mode,
        status=status,
        reason=reason,
        metrics=metrics(brand, market, headline),
        presence=Metric(present.value, present.samples, present.intervals, present.reason),
        asked=asked,
        last_measured=max((last_valid[channel] for channel in channels & last_valid.keys()), default=None),
    )


def _platform_status(
    current: MeasuredBatches, channels: Collection[Channel], asked: ChannelAsks, answered: bool
) -> tuple[PlatformStatus, str | None]:
    if not asked.planned:
        return "not_measured", NEVER_ASKED
    if any(channel in channels for _, channel in current.degraded):
        return "degraded", "over_20_percent_failed"
    return ("measured", None) if answered else ("not_measured", "no_valid_answer")


def side_by_side(entity: EntitySums, platform: str) -> SideBySide:
    """Return where the brand is named: from memory (mode visibility), with search (mode readiness), both or neither.

    Only rated prompts that one platform answered in both modes count.
    """
    named: dict[str, dict[str, bool]] = {"visibility": {}, "readiness": {}}
    for (prompt, channel), sums in entity.cells.items():
        if sums.answers and channel.platform == platform and channel.mode in named:
            mode = named[channel.mode]
            mode[prompt] = mode.get(prompt, False) or sums.named > 0
    memory, search = named["visibility"], named["readiness"]
    asked = sorted(memory.keys() & search.keys())

    def where(from_memory: bool, by_search: bool) -> tuple[str, ...]:
        return tuple(p for p in asked if memory[p] is from_memory and search[p] is by_search)

    return SideBySide(where(True, True), where(True, False), where(False, True), where(False, False))


def measurement_verdict(headline: Score, market: MarketSums) -> MeasurementVerdict:
    """Return how reliable the measurement itself is; the first verdict that applies.

    `nobody_named`: under 20% of the neutral answers name any tracked entity, so the prompts do not bring up
    brands. `real_gap`: a competitor leads and the interval of the difference excludes 0.
    """
    if headline.status == "not_measured":
        return "no_data"
    if headline.confidence != "ok":
        return "thin_sample"
    if not market.entities.keys() - {headline.entity}:
        return "no_competitors"
    fair = market.neutral().entities[headline.entity].cells.values()
    if sum(sums.naming for sums in fair) < FEWEST_NAMED * sum(sums.answers for sums in fair):
        return "nobody_named"
    gap = gap_to_leader(headline.entity, market)
    return "real_gap" if gap is not None and gap[0] > 0 else "healthy"


def average_score(values: Iterable[float | None]) -> AverageScore:
    """Return the mean visibility score over brands; a brand without a score is None."""
    listed = list(values)
    known = [value for value in listed if value is not None]
    return AverageScore(mean(known) if known else None, len(known), len(listed) - len(known))

"""The six metrics by brand, platform and mode: values with samples, intervals and reasons for nulls."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Literal, TypeAlias

from analytics.batches import AnswerBatch, ChannelAsks, repeated_answers, usable
from analytics.intervals import IntervalPair, counted_ratio_pair, mean
from analytics.metric_names import MetricName
from analytics.observation import Channel, Observation, Tone, neutral
from analytics.prompt_means import CellKey
from analytics.rankings import Ranking
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


NEVER_ASKED = "never_asked"
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


def metrics(
    brand: str,
    observations: Mapping[str, Sequence[Observation]],
    valid: Sequence[Observation],
    headline: Score,
) -> dict[MetricName, Metric]:
    """Return all six metrics of a brand from the usable observations of the brand and of each competitor.

    `valid` are the brand's observations of every valid answer, including degraded channels, because every
    mention that users can open is counted. `headline` is the brand's score over the usable ones. Branded
    prompts and custom queries only count towards mentionCount and sentiment.
    """
    own = observations.get(brand, ())
    return {
        MetricName.VISIBILITY_SCORE: visibility(headline),
        MetricName.MENTION_COUNT: mention_count(valid),
        MetricName.SHARE_OF_VOICE: share_of_voice(brand, observations),
        MetricName.AVERAGE_POSITION: average_position(own),
        MetricName.CITATION_RATE: citation_rate(own),
        MetricName.SENTIMENT: sentiment(own),
    }


def visibility(headline: Score) -> Metric:
    """Return the score as a metric; samples are valid answers."""
    reason = None if headline.status == "measured" else headline.status
    return Metric(headline.value, headline.answers, headline.intervals, reason)


def mention_count(answers: Sequence[Observation]) -> Metric:
    """Count answers with a counted mention, branded and custom ones included; None without any valid answer."""
    if not answers:
        return Metric(None, 0, reason="no_valid_answer")
    named = sum(answer.count for answer in answers if answer.named)
    return Metric(named, sum(answer.count for answer in answers))


def share_of_voice(brand: str, observations: Mapping[str, Sequence[Observation]]) -> Metric:
    """Return the share of answers naming the brand among all namings, on prompts that name no entity.

    Samples are mentions of any entity.
    """
    if not observations.keys() - {brand}:
        return Metric(None, 0, reason="no_competitor_recorded")
    return shares_of_voice([brand], observations)[brand]


def shares_of_voice(
    entities: Iterable[str], observations: Mapping[str, Sequence[Observation]], *, with_intervals: bool = True
) -> dict[str, Metric]:
    """Return the share of voice of each of these entities among all; namings are counted once for all of them."""
    fair = neutral(observations)
    named = (answer.answer_id for answers in fair.values() for answer in answers if answer.named)
    mentions = dict(Counter(named))  # a `Counter` takes ten times as long to return 0
    nothing = "nobody_named" if any(fair.values()) else "no_valid_answer"
    shares: dict[str, Metric] = {}
    for entity in entities:
        namings = (
            (answer, int(answer.named), mentions.get(answer.answer_id, 0)) for answer in fair.get(entity, ())
        )
        shares[entity] = _rate(namings, nothing) if with_intervals else _bare_rate(namings, nothing)
    return shares


def average_position(answers: Iterable[Observation]) -> Metric:
    """Return the mean rank over rated answers that rank the brand; lower is better. Samples are ranked answers."""
    ranked = [(answer.rank, answer.count) for answer in answers if answer.rated and answer.rank is not None]
    if not ranked:
        return Metric(None, 0, reason="never_ranked")
    samples = sum(count for _, count in ranked)
    return Metric(sum(rank * count for rank, count in ranked) / samples, samples)


def citation_rate(answers: Iterable[Observation], *, with_intervals: bool = True) -> Metric:
    """Return the share of citation-measurable answers that cite an owned URL, whether they name the brand or not.

    Also None for a brand without a known site, because no citation could have been matched.
    """
    citing = (
        (answer, int(answer.cites_owned), 1)
        for answer in answers
        if answer.citation_measurable and answer.cites_owned is not None and answer.rated
    )
    nothing = "no_citation_measurable_answer"
    return _rate(citing, nothing) if with_intervals else _bare_rate(citing, nothing)


def sentiment(answers: Iterable[Observation]) -> Metric:
    """Return 50 + 50 x (positive - negative) / judged; 50 is neutral. Samples are judged mentions."""
    tones: Counter[Tone | None] = Counter()
    for answer in answers:
        if answer.judged:
            tones[answer.tone] += answer.count
    judged = tones.total()
    if not judged:
        return Metric(None, 0, reason="no_judged_mention")
    return Metric(50 + 50 * (tones["positive"] - tones["negative"]) / judged, judged)


def _rate(tried: Iterable[tuple[Observation, int, int]], nothing: str) -> Metric:
    """Return a pooled rate over answers with their hits and trials, and its intervals."""
    groups: dict[CellKey, dict[tuple[int, int], int]] = defaultdict(dict)
    trials = 0
    for answer, hit, trial in tried:
        of_cell, outcome = groups[answer.prompt_id, answer.channel], (hit, trial)
        of_cell[outcome] = of_cell.get(outcome, 0) + answer.count
        trials += trial * answer.count
    pooled = counted_ratio_pair(groups)
    if pooled is None:
        return Metric(None, 0, reason=nothing)
    rate, intervals = pooled
    return Metric(rate, trials, intervals)


def _bare_rate(tried: Iterable[tuple[Observation, int, int]], nothing: str) -> Metric:
    """Return the same rate without intervals, which needs no grouping by cell."""
    hits = trials = 0
    for answer, hit, trial in tried:
        hits += hit * answer.count
        trials += trial * answer.count
    return Metric(hits / trials, trials) if trials else Metric(None, 0, reason=nothing)


def platform_metrics(
    brand: str,
    batches: Sequence[AnswerBatch],
    configured: Collection[str],
    analysis: str,
    repeats: Iterable[AnswerBatch] = (),
) -> tuple[PlatformValues, ...]:
    """Return the metrics of each queried or configured platform, ordered by name.

    `batches` are the batches to evaluate, `repeats` earlier ones in which nothing changed. A configured
    platform that was never queried is listed as not measured.
    """
    earlier = repeated_answers(batches, repeats, brand, [brand]).get(brand, [])
    asked = {channel for batch in batches for channel in batch.asked}
    listed: list[PlatformValues] = []
    for platform in sorted({channel.platform for channel in asked} | set(configured)):
        channels = {channel for channel in asked if channel.platform == platform}
        by_mode = {
            mode: {channel for channel in channels if channel.mode == mode}
            for mode in sorted({channel.mode for channel in channels})
        }
        total = _mode_metrics(brand, batches, None, channels, analysis, earlier)
        listed.append(
            PlatformValues(
                platform,
                total,
                # A platform with a single queried mode has the same metrics in that mode as overall.
                tuple(
                    replace(total, mode=mode)
                    if of_mode == channels
                    else _mode_metrics(brand, batches, mode, of_mode, analysis, earlier)
                    for mode, of_mode in by_mode.items()
                ),
            )
        )
    return tuple(listed)


def _mode_metrics(
    brand: str,
    batches: Sequence[AnswerBatch],
    mode: str | None,
    channels: set[Channel],
    analysis: str,
    earlier: Iterable[Observation],
) -> ModeValues:
    entities = {brand}.union(*(batch.observations for batch in batches))
    everything = {
        entity: [answer for answer in usable(batches, entity) if answer.channel in channels]
        for entity in entities
    }
    valid = [
        answer
        for batch in batches
        for answer in batch.observations.get(brand, ())
        if answer.channel in channels
    ]
    headline = score(brand, everything[brand], analysis, earlier=earlier)
    present = headline.factor(Part.PRESENCE)
    asked = ChannelAsks(0, 0)
    for batch in batches:
        for channel in channels & batch.asked.keys():
            asked += batch.asked[channel]
    status, reason = _platform_status(batches, channels, asked, bool(everything[brand]))
    return ModeValues(
        mode=mode,
        status=status,
        reason=reason,
        metrics=metrics(brand, everything, valid, headline),
        presence=Metric(present.value, present.samples, present.intervals, present.reason),
        asked=asked,
        last_measured=max((answer.captured_at for answer in valid), default=None),
    )


def _platform_status(
    batches: Sequence[AnswerBatch], channels: set[Channel], asked: ChannelAsks, answered: bool
) -> tuple[PlatformStatus, str | None]:
    if not asked.planned:
        return "not_measured", NEVER_ASKED
    if any(channel in channels for batch in batches for channel in batch.degraded):
        return "degraded", "over_20_percent_failed"
    return ("measured", None) if answered else ("not_measured", "no_valid_answer")


def side_by_side(observations: Iterable[Observation], platform: str) -> SideBySide:
    """Return where the brand is named: from memory (mode visibility), with search (mode readiness), both or neither.

    Only rated prompts that one platform answered in both modes count.
    """
    named: dict[str, dict[str, bool]] = {"visibility": {}, "readiness": {}}
    for seen in observations:
        if seen.rated and seen.channel.platform == platform and seen.channel.mode in named:
            mode = named[seen.channel.mode]
            mode[seen.prompt_id] = mode.get(seen.prompt_id, False) or seen.named
    memory, search = named["visibility"], named["readiness"]
    asked = sorted(memory.keys() & search.keys())

    def where(from_memory: bool, by_search: bool) -> tuple[str, ...]:
        return tuple(p for p in asked if memory[p] is from_memory and search[p] is by_search)

    return SideBySide(where(True, True), where(True, False), where(False, True), where(False, False))


def measurement_verdict(
    headline: Score, observations: Mapping[str, Sequence[Observation]], ranking: Ranking
) -> MeasurementVerdict:
    """Return how reliable the measurement itself is; the first verdict that applies.

    `nobody_named`: under 20% of the neutral answers name any tracked entity, so the prompts do not bring up
    brands. `real_gap`: a competitor leads and the interval of the difference excludes 0.
    """
    if headline.status == "not_measured":
        return "no_data"
    if headline.confidence != "ok":
        return "thin_sample"
    if not observations.keys() - {headline.entity}:
        return "no_competitors"
    fair = [seen for entity_observations in neutral(observations).values() for seen in entity_observations]
    answers = {seen.answer_id: seen.count for seen in fair}
    naming = {seen.answer_id: seen.count for seen in fair if seen.named}
    if sum(naming.values()) < FEWEST_NAMED * sum(answers.values()):
        return "nobody_named"
    return "real_gap" if ranking.gap is not None and ranking.gap[0] > 0 else "healthy"


def average_score(values: Iterable[float | None]) -> AverageScore:
    """Return the mean visibility score over brands; a brand without a score is None."""
    listed = list(values)
    known = [value for value in listed if value is not None]
    return AverageScore(mean(known) if known else None, len(known), len(listed) - len(known))

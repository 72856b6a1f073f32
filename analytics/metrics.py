"""The six metrics, per brand, platform and mode: values with samples, intervals and reasons for nulls."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal, TypeAlias

from analytics.batches import Asked, Batch, usable
from analytics.digests import inputs_digest, seed_of
from analytics.intervals import REPLICATES, Interval, cluster_interval, mean
from analytics.observations import Channel, Observation, neutral
from analytics.rankings import Ranking
from analytics.score import Score, score
from analytics.sheet import Part


class MetricName(StrEnum):
    """Metric names as the interface spells them."""

    VISIBILITY_SCORE = "visibilityScore"
    MENTION_COUNT = "mentionCount"
    SHARE_OF_VOICE = "shareOfVoice"
    AVERAGE_POSITION = "averagePosition"
    CITATION_RATE = "citationRate"
    SENTIMENT = "sentiment"


@dataclass(frozen=True, slots=True)
class Metric:
    """An unrounded value with the number of things it rests on; `reason` says why it is None.

    Rates are 0-1 and have a 95 % interval; visibilityScore and sentiment are 0-100.
    """

    value: float | None
    samples: int
    interval: Interval | None = None
    reason: str | None = None


NEVER_ASKED = "never_asked"
PlatformStatus: TypeAlias = Literal["measured", "degraded", "not_measured"]


@dataclass(frozen=True, slots=True)
class ModeMetrics:
    """Metrics of one mode of one platform, or (mode None) of the whole platform."""

    mode: str | None
    status: PlatformStatus
    reason: str | None
    metrics: Mapping[MetricName, Metric]
    presence: Metric
    asked: Asked
    last_measured: datetime | None


@dataclass(frozen=True, slots=True)
class PlatformMetrics:
    """One platform with each of its modes."""

    platform: str
    total: ModeMetrics
    modes: tuple[ModeMetrics, ...]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Ids of prompts asked from memory and by search, by where a valid answer names the brand."""

    both: tuple[str, ...]
    memory_only: tuple[str, ...]
    search_only: tuple[str, ...]
    neither: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AverageScore:
    """Mean of the brands that have a score; the others are counted apart, never as 0."""

    value: float | None
    brands: int
    without_score: int


MeasurementVerdict: TypeAlias = Literal[
    "no_data", "thin_sample", "no_competitors", "nobody_named", "real_gap", "healthy"
]
FEWEST_NAMED = 0.2


def shown(name: MetricName, value: float | None) -> float | None:
    """The value as shown: rates with four decimals, scores with one, positions with two, counts whole."""
    if value is None:
        return None
    if name in (MetricName.SHARE_OF_VOICE, MetricName.CITATION_RATE):
        return round(value, 4)
    if name is MetricName.MENTION_COUNT:
        return round(value)
    return round(value, 2 if name is MetricName.AVERAGE_POSITION else 1)


def metrics(
    brand: str,
    observations: Mapping[str, Sequence[Observation]],
    valid: Sequence[Observation],
    headline: Score,
    analysis: str,
    *,
    replicates: int = REPLICATES,
) -> dict[MetricName, Metric]:
    """All six metrics of a brand from the usable observations of the brand and of each competitor.

    `valid` are the brand's observations of every valid answer, degraded channels included: a mention that can
    be opened is counted. `headline` is the brand's score over the usable ones. Branded prompts and custom
    queries count in mentionCount and sentiment only.
    """
    found = observations.get(brand, ())
    return {
        MetricName.VISIBILITY_SCORE: visibility(headline),
        MetricName.MENTION_COUNT: mention_count(valid),
        MetricName.SHARE_OF_VOICE: share_of_voice(brand, observations, analysis, replicates=replicates),
        MetricName.AVERAGE_POSITION: average_position(found),
        MetricName.CITATION_RATE: citation_rate(brand, found, analysis, replicates=replicates),
        MetricName.SENTIMENT: sentiment(found),
    }


def visibility(headline: Score) -> Metric:
    """The score as a metric; samples are valid answers."""
    reason = None if headline.status == "measured" else headline.status
    return Metric(headline.value, headline.answers, headline.interval, reason)


def mention_count(found: Sequence[Observation]) -> Metric:
    """Answers with a counted mention, branded and custom ones included; 0 only if somebody looked."""
    if not found:
        return Metric(None, 0, reason="no_valid_answer")
    return Metric(sum(seen.named for seen in found), len(found))


def share_of_voice(
    brand: str,
    observations: Mapping[str, Sequence[Observation]],
    analysis: str,
    *,
    replicates: int = REPLICATES,
) -> Metric:
    """Answers naming the brand over the sum of those naming each entity, on prompts that name none of them.

    Samples are mentions of any entity.
    """
    if len(observations.keys() - {brand}) == 0:
        return Metric(None, 0, reason="no_competitor_recorded")
    groups: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    answers: set[str] = set()
    for entity, found in neutral(observations).items():
        for seen in found:
            answers.add(seen.answer_id)
            groups[seen.prompt_id][0] += seen.named and entity == brand
            groups[seen.prompt_id][1] += seen.named
    nothing = "nobody_named" if answers else "no_valid_answer"
    return _rate(brand, groups, answers, analysis, replicates, nothing)


def average_position(found: Iterable[Observation]) -> Metric:
    """Mean rank over rated answers that rank the brand; lower is better. Samples are ranked answers."""
    ranks = [float(seen.rank) for seen in found if seen.rated and seen.rank is not None]
    return Metric(mean(ranks), len(ranks)) if ranks else Metric(None, 0, reason="never_ranked")


def citation_rate(
    brand: str, found: Iterable[Observation], analysis: str, *, replicates: int = REPLICATES
) -> Metric:
    """Citation-measurable answers that cite an owned URL, named or not, over all citation-measurable ones.

    None as well for a brand without a known site: nothing could have been found.
    """
    groups: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    answers: set[str] = set()
    for seen in found:
        if seen.rated and seen.citation_measurable and seen.cites_owned is not None:
            answers.add(seen.answer_id)
            groups[seen.prompt_id][0] += seen.cites_owned
            groups[seen.prompt_id][1] += 1
    return _rate(brand, groups, answers, analysis, replicates, "no_citation_measurable_answer")


def sentiment(found: Iterable[Observation]) -> Metric:
    """50 + 50 x (positive - negative) / judged; 50 is neutral. Samples are judged mentions."""
    tones = [seen.tone for seen in found if seen.judged]
    if not tones:
        return Metric(None, 0, reason="no_judged_mention")
    balance = tones.count("positive") - tones.count("negative")
    return Metric(50 + 50 * balance / len(tones), len(tones))


def _rate(
    brand: str,
    groups: Mapping[str, Sequence[int]],
    answers: Iterable[str],
    analysis: str,
    replicates: int,
    nothing: str,
) -> Metric:
    """A pooled rate over (hits, trials) per prompt, with its prompt-cluster interval."""
    ordered = [(groups[prompt][0], groups[prompt][1]) for prompt in sorted(groups)]
    hits, trials = sum(group[0] for group in ordered), sum(group[1] for group in ordered)
    if not trials:
        return Metric(None, 0, reason=nothing)
    interval = cluster_interval(ordered, seed_of(brand, inputs_digest(answers, analysis)), replicates)
    return Metric(hits / trials, trials, interval)


def platform_metrics(
    brand: str,
    batches: Sequence[Batch],
    configured: Collection[str],
    analysis: str,
    *,
    replicates: int = REPLICATES,
) -> tuple[PlatformMetrics, ...]:
    """Metrics of each platform that was asked or is configured, in order of its name.

    `batches` are those looked at. A configured platform that nobody asked is listed as not measured.
    """
    asked = {channel for batch in batches for channel in batch.asked}
    listed: list[PlatformMetrics] = []
    for platform in sorted({channel.platform for channel in asked} | set(configured)):
        channels = {channel for channel in asked if channel.platform == platform}
        modes = sorted({channel.mode for channel in channels})
        listed.append(
            PlatformMetrics(
                platform,
                _mode_metrics(brand, batches, None, channels, analysis, replicates),
                tuple(
                    _mode_metrics(
                        brand,
                        batches,
                        mode,
                        {channel for channel in channels if channel.mode == mode},
                        analysis,
                        replicates,
                    )
                    for mode in modes
                ),
            )
        )
    return tuple(listed)


def _mode_metrics(
    brand: str,
    batches: Sequence[Batch],
    mode: str | None,
    channels: set[Channel],
    analysis: str,
    replicates: int,
) -> ModeMetrics:
    entities = {brand}.union(*(batch.observations for batch in batches))
    everything = {
        entity: [seen for seen in usable(batches, entity) if seen.channel in channels] for entity in entities
    }
    valid = [
        seen for batch in batches for seen in batch.observations.get(brand, ()) if seen.channel in channels
    ]
    headline = score(brand, everything[brand], analysis, replicates=replicates)
    present = headline.factor(Part.PRESENCE)
    asked = Asked(0, 0)
    for batch in batches:
        for channel in channels & batch.asked.keys():
            asked += batch.asked[channel]
    status, reason = _platform_status(batches, channels, asked, bool(everything[brand]))
    return ModeMetrics(
        mode=mode,
        status=status,
        reason=reason,
        metrics=metrics(brand, everything, valid, headline, analysis, replicates=replicates),
        presence=Metric(present.value, present.samples, present.interval, present.reason),
        asked=asked,
        last_measured=max((seen.captured_at for seen in valid), default=None),
    )


def _platform_status(
    batches: Sequence[Batch], channels: set[Channel], asked: Asked, answered: bool
) -> tuple[PlatformStatus, str | None]:
    if not asked.planned:
        return "not_measured", NEVER_ASKED
    if any(channel in channels for batch in batches for channel in batch.degraded):
        return "degraded", "over_20_percent_failed"
    return ("measured", None) if answered else ("not_measured", "no_valid_answer")


def side_by_side(found: Iterable[Observation], platform: str) -> SideBySide:
    """Where the brand is named: from memory (mode visibility), by search (mode readiness), both or neither.

    Only rated prompts that one platform answered in both modes count.
    """
    named: dict[str, dict[str, bool]] = {"visibility": {}, "readiness": {}}
    for seen in found:
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
    """What the measurement itself is worth, before anybody reads the number. The first that holds.

    `nobody_named`: under 20 % of the neutral answers name any tracked entity, so the prompts do not bring up
    brands. `real_gap`: a competitor leads and the interval of the difference excludes 0.
    """
    if headline.status == "not_measured":
        return "no_data"
    if headline.confidence != "ok":
        return "thin_sample"
    if not observations.keys() - {headline.entity}:
        return "no_competitors"
    fair = [seen for found in neutral(observations).values() for seen in found]
    answers = {seen.answer_id for seen in fair}
    if len({seen.answer_id for seen in fair if seen.named}) < FEWEST_NAMED * len(answers):
        return "nobody_named"
    return "real_gap" if ranking.gap is not None and ranking.gap[0] > 0 else "healthy"


def average_score(values: Iterable[float | None]) -> AverageScore:
    """Mean visibility score over brands; None for a brand without one."""
    listed = list(values)
    known = [value for value in listed if value is not None]
    return AverageScore(mean(known) if known else None, len(known), len(listed) - len(known))

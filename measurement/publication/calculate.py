"""Calculate the results of a batch: headline score, scores by engine, ranking, change, trend points, receipt."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from analytics.batches import AnswerBatch, looked_at, missing_cells, usable
from analytics.change import Side, baseline, compare
from analytics.digests import SCORE_MODEL
from analytics.intervals import NO_TOPICS, Topics
from analytics.market_sums import EntitySums, MarketSums
from analytics.measured_batches import MeasuredBatches, market_sums, measured_batches, repeats_of
from analytics.metrics import measurement_verdict
from analytics.observation import Channel
from analytics.rankings import Ranking, rank_each, with_changes
from analytics.receipts import Excluded, Versions, receipt_of
from analytics.score import AnswerIds, ScoreCalculation, calculate_all
from measurement.extraction.channel_facts import ChannelSummary
from measurement.extraction.observations import BatchObservations, facts_of
from measurement.planning.brand_identity import BrandIdentity
from measurement.planning.detection import noise_points
from measurement.publication.platform_documents import platforms_document
from measurement.publication.receipt_document import receipt_document
from measurement.publication.repeats import NO_REPEATS, Repeats
from measurement.publication.result_documents import (
    EVERY_PLATFORM,
    ChangeDocument,
    rankings_document,
    score_document,
)
from measurement.publication.trend_points import day_of, points_of
from storage.repositories.country_results import CountryDraft
from storage.repositories.results import CalculationDraft
from storage.repositories.simulations import ChannelName
from storage.repositories.trend_points import PointDraft


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything that is stored for one batch."""

    draft: CalculationDraft
    points: tuple[PointDraft, ...]
    days: tuple[date, ...]
    countries: tuple[CountryDraft, ...]


@dataclass(frozen=True, slots=True)
class MeasuredView:
    """Results of some batches: the calculation, the batches that it used, and its documents."""

    calculation: ScoreCalculation
    used: tuple[BatchObservations, ...]
    own: EntitySums
    before: EntitySums | None
    """The baseline: the brand's sums over earlier batches that share no answer with these."""
    headline: Mapping[str, Any]
    platforms: Mapping[str, Any]
    rankings: Mapping[str, Any]


def calculate_batch(
    identity: BrandIdentity,
    newest_first: Sequence[BatchObservations],
    configured: Sequence[str],
    channel_keys: Mapping[ChannelName, int],
    calculated_at: datetime,
    repeats: Repeats = NO_REPEATS,
    topics: Topics = NO_TOPICS,
) -> Outcome:
    """Calculate the first of these batches, with `repeats` and as many of the earlier batches as needed.

    `topics` are those of prompts that share one; the receipt keeps them, because tags may change later.

    Pure. It takes some milliseconds per thousand answers, so run it in a thread.
    """
    newest = newest_first[0]
    view = measured_view(identity, newest_first, configured, repeats, topics)
    receipt = receipt_document(
        receipt_of(
            view.calculation,
            collect_versions(identity, view.used),
            count_excluded(view.used),
            calculated_at,
            tuple(repeats.of_batch.get(newest.batch.id, ())),
        ),
        topics,
    )
    draft = CalculationDraft(
        receipt_id=receipt.receipt_id,
        status=view.calculation.score.status,
        score=view.calculation.score.value,
        headline=view.headline,
        platforms=view.platforms,
        rankings=view.rankings,
        receipt=receipt.to_json(),
    )
    views = {
        country: measured_view(identity, in_country(newest_first, country), (), repeats, topics)
        for country in countries_of([newest])
    }
    scores = {country: shown.calculation.score for country, shown in views.items()}
    noise = noise_points(view.before, view.own, day_of(newest.batch.captured_at))
    points = (*points_of(identity, newest, view.calculation.score, scores, channel_keys), *noise)
    return Outcome(
        draft,
        points,
        tuple(sorted(set[date]().union(*(summary.days for summary in newest.channels.values())))),
        tuple(
            CountryDraft(country, shown.headline, shown.platforms, shown.rankings)
            for country, shown in views.items()
        ),
    )


def measured_view(
    identity: BrandIdentity,
    newest_first: Sequence[BatchObservations],
    configured: Sequence[str],
    repeats: Repeats,
    topics: Topics,
) -> MeasuredView:
    """Return the results of the batches, with the first of them compared with those before it."""
    brand = identity.brand.id
    batches = looked_at([observed.batch for observed in newest_first], brand)
    current = measured_batches(batches).with_topics(topics)
    earlier = repeated_sums(current, repeats.of(batches), brand)
    own_earlier = earlier.entities[brand] if earlier else None
    ids = answer_ids_of(batches, brand)
    calculation = calculate_all(brand, current, identity.fingerprint, own_earlier, ids)
    used = tuple(observed for observed in newest_first if observed.batch.id in calculation.batches)
    rankings, before, after = compare_with_earlier(
        identity, newest_first, calculation, current, used, earlier
    )
    changed = compare(before, after)
    verdict = measurement_verdict(calculation.score, current.market)
    return MeasuredView(
        calculation,
        used,
        current.market.entities[brand],
        before.sums if before else None,
        headline=score_document(calculation, ChangeDocument.of(changed), verdict).to_json(),
        platforms=platforms_document(identity, current, facts_of(used), configured, own_earlier).to_json(),
        rankings=rankings_document(identity, rankings).to_json(),
    )


def answer_ids_of(batches: Sequence[AnswerBatch], brand: str) -> AnswerIds:
    """Return a function that gives the ids of the rated answers of some channels."""
    rated = [seen for seen in usable(batches, brand) if seen.rated]

    def answer_ids(channels: Sequence[Channel]) -> list[str]:
        chosen = frozenset(channels)
        return [seen.answer_id for seen in rated if seen.channel in chosen]

    return answer_ids


def repeated_sums(current: MeasuredBatches, repeats: Iterable[AnswerBatch], brand: str) -> MarketSums | None:
    """Return the sums of the batches that count as repeats of those measured; None without any."""
    earlier = [batch for batch in repeats if batch.id not in current.batches]
    return repeats_of(current, market_sums(earlier), brand) if earlier else None


def in_country(newest_first: Iterable[BatchObservations], country: str) -> list[BatchObservations]:
    """Return the parts of these batches that were requested from a country, without empty ones."""
    narrowed = (observed.in_country(country) for observed in newest_first)
    return [observed for observed in narrowed if observed.batch.asked]


def asked_prompts(newest_first: Iterable[BatchObservations]) -> set[str]:
    """Return the ids of the prompts of these batches."""
    return {prompt for summary in summaries_of(newest_first) for prompt in summary.prompts}


def views_of(newest_first: Sequence[BatchObservations]) -> list[Sequence[BatchObservations]]:
    """Return the batches behind each stored result: all of them together, and those of each country."""
    return [
        newest_first,
        *(in_country(newest_first, country) for country in countries_of(newest_first[:1])),
    ]


def countries_of(batches: Iterable[BatchObservations]) -> list[str]:
    """Return the countries of these batches in order; engines without country support have none."""
    return sorted(
        {channel.country for observed in batches for channel in observed.batch.asked if channel.country}
    )


def compare_with_earlier(
    identity: BrandIdentity,
    newest_first: Sequence[BatchObservations],
    calculation: ScoreCalculation,
    current: MeasuredBatches,
    used: Sequence[BatchObservations],
    repeats: MarketSums | None,
) -> tuple[dict[str, Ranking], Side | None, Side]:
    """Return the rankings, the baseline calculation, and this calculation.

    The baseline is the latest earlier calculation that shares no answer with this one. Rankings are by
    platform, with `EVERY_PLATFORM` for all of them together.
    """
    brand, analysis = identity.brand.id, identity.fingerprint
    after = make_side(identity, calculation, current, used)
    rankings = rank_platforms(brand, current.market, calculation.platforms, repeats)
    rest = [observed for observed in newest_first if observed not in used]
    if not rest:
        return rankings, None, after
    batches = looked_at([observed.batch for observed in rest], brand)
    former = measured_batches(batches)
    earlier = calculate_all(brand, former, analysis, answer_ids=answer_ids_of(batches, brand))
    earlier_batches = [observed for observed in rest if observed.batch.id in earlier.batches]
    before = baseline(after, [make_side(identity, earlier, former, earlier_batches)])
    previous = rank_platforms(brand, former.market, calculation.platforms)
    moved = {platform: with_changes(ranking, previous[platform]) for platform, ranking in rankings.items()}
    return moved, before, after


def rank_platforms(
    brand: str, market: MarketSums, platforms: Iterable[str], repeats: MarketSums | None = None
) -> dict[str, Ranking]:
    """Rank the brand and its competitors across all platforms, and on each of them."""
    everywhere, on_each = rank_each(brand, market, platforms, repeats)
    return {EVERY_PLATFORM: everywhere, **on_each}


def make_side(
    identity: BrandIdentity,
    calculation: ScoreCalculation,
    current: MeasuredBatches,
    used: Sequence[BatchObservations],
) -> Side:
    """Return a calculation as one side of a comparison."""
    served: dict[Channel, set[str]] = {}
    for observed in used:
        for channel, summary in observed.channels.items():
            if summary.served:
                served.setdefault(channel, set()).update(summary.served)
    summaries = summaries_of(used)
    return Side(
        score=calculation.score,
        analysis=identity.fingerprint,
        country=join_names(summary.places for summary in summaries),
        language=join_names(summary.languages for summary in summaries),
        prompts={prompt: sha256 for summary in summaries for prompt, sha256 in summary.prompts.items()},
        served={channel: frozenset(models) for channel, models in served.items()},
        sums=current.market.entities[identity.brand.id],
        degraded=frozenset(channel for _, channel in calculation.degraded),
        missing=missing_cells([observed.batch for observed in used]),
    )


def summaries_of(used: Iterable[BatchObservations]) -> list[ChannelSummary]:
    """Return the summaries of all channels of some batches."""
    return [summary for observed in used for summary in observed.channels.values()]


def join_names(names: Iterable[Iterable[str]]) -> str:
    """Join all places or languages of answers in one order; answers with different ones are not compared."""
    return ",".join(sorted(set[str]().union(*names)))


def collect_versions(identity: BrandIdentity, used: Sequence[BatchObservations]) -> Versions:
    """Return the versions of everything that read these answers."""
    by = identity.versions
    parsers = sorted(set[str]().union(*(summary.parsers for summary in summaries_of(used))))
    return Versions(
        model=SCORE_MODEL,
        matcher=by["matcher"],
        alias_set=by["aliasSet"],
        rank=by["rank"],
        ownership=by["ownership"],
        parsers=tuple(parsers),
        suffix_list=by["suffixList"],
    )


def count_excluded(used: Sequence[BatchObservations]) -> Excluded:
    """Count what was examined but excluded."""
    summaries = summaries_of(used)
    return Excluded(
        refused=sum(summary.refused for summary in summaries),
        not_grounded=sum(summary.not_grounded for summary in summaries),
        truncated=sum(summary.truncated for summary in summaries),
        uncertain=sum(summary.uncertain for summary in summaries),
        absence=sum(summary.absence for summary in summaries),
        branded=sum(summary.branded for summary in summaries),
    )

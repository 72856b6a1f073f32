"""Estimates of observations, for tests: each adds the observations up and calls the estimator that takes sums."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from analytics.batches import AnswerBatch, looked_at, usable
from analytics.market_sums import EntitySums, MarketSums, market_of
from analytics.measured_batches import MeasuredBatches, market_sums, measured_batches, repeats_of
from analytics.metrics import Metric, MetricName, PlatformValues
from analytics.metrics import measurement_verdict as verdict_of_sums
from analytics.metrics import metrics as metrics_of_sums
from analytics.metrics import platform_metrics as platform_metrics_of_sums
from analytics.observation import Channel, Observation
from analytics.rankings import Ranking
from analytics.rankings import rank as rank_of_sums
from analytics.rankings import rank_each as rank_each_of_sums
from analytics.score import Score, ScoreCalculation
from analytics.score import calculate_all as calculate_sums
from analytics.score import score as score_of_sums
from analytics.score_inputs import Part

Found = Mapping[str, Sequence[Observation]]
"""What the same answers, in the same order, say of each entity."""


def rated_sums(observations: Iterable[Observation]) -> EntitySums:
    """Add up the observations of one entity whose prompts do not name it."""
    return market_of({"": list(observations)}).rated("")


def score(
    entity: str,
    observations: Sequence[Observation],
    analysis: str,
    *,
    earlier: Sequence[Observation] = (),
    basis: Collection[Part] | None = None,
    with_factors: bool = True,
) -> Score:
    return score_of_sums(
        entity,
        rated_sums(observations),
        analysis,
        basis=basis,
        earlier=rated_sums(earlier) if earlier else None,
        answer_ids=[seen.answer_id for seen in observations if seen.rated],
        with_factors=with_factors,
    )


def calculate(entity: str, batches: Iterable[AnswerBatch], analysis: str) -> ScoreCalculation:
    return calculate_all(entity, looked_at(batches, entity), analysis)


def calculate_all(
    entity: str, used: Sequence[AnswerBatch], analysis: str, repeats: Iterable[AnswerBatch] = ()
) -> ScoreCalculation:
    current = measured_batches(used)
    rated = [seen for seen in usable(used, entity) if seen.rated]

    def answer_ids(channels: Sequence[Channel]) -> list[str]:
        return [seen.answer_id for seen in rated if seen.channel in channels]

    return calculate_sums(entity, current, analysis, own_repeats(entity, current, repeats), answer_ids)


def own_repeats(entity: str, current: MeasuredBatches, repeats: Iterable[AnswerBatch]) -> EntitySums | None:
    """Add up the batches that are not among those measured, for channels that ask every prompt once."""
    earlier = [batch for batch in repeats if batch.id not in current.batches]
    market = repeats_of(current, market_sums(earlier), entity) if earlier else None
    return market.entities[entity] if market else None


def rank(brand: str, found: Found, *, platform: str | None = None, earlier: Found | None = None) -> Ranking:
    market = market_of(found)
    if platform is not None:
        market = market.restricted(lambda key: key[1].platform == platform)
    return rank_of_sums(brand, market, earlier_market(earlier))


def rank_each(
    brand: str, found: Found, platforms: Iterable[str], earlier: Found | None = None
) -> tuple[Ranking, dict[str, Ranking]]:
    return rank_each_of_sums(brand, market_of(found), platforms, earlier_market(earlier))


def earlier_market(earlier: Found | None) -> MarketSums | None:
    return market_of(earlier) if earlier else None


def metrics(brand: str, found: Found, headline: Score) -> dict[MetricName, Metric]:
    return metrics_of_sums(brand, market_of(found), headline)


def platform_metrics(
    brand: str,
    batches: Sequence[AnswerBatch],
    configured: Collection[str],
    analysis: str,
    repeats: Iterable[AnswerBatch] = (),
) -> tuple[PlatformValues, ...]:
    current = measured_batches(batches)
    return platform_metrics_of_sums(
        brand, current, configured, analysis, own_repeats(brand, current, repeats)
    )


def measurement_verdict(headline: Score, found: Found) -> str:
    return verdict_of_sums(headline, market_of(found))

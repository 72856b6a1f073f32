"""Competitor points: the metrics of each competitor in a batch, by day and country, as they are stored."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from analytics.market_sums import MarketSums
from analytics.metric_names import MEASURED, MetricName
from analytics.metrics import (
    Metric,
    average_position,
    citation_rate,
    mention_count,
    shares_of_voice,
)
from analytics.rankings import comparable_scores
from measurement.extraction.observations import BatchObservations
from measurement.planning.brand_identity import BrandIdentity
from measurement.publication.trend_points import day_of
from storage.errors import UnknownDocumentVersion

SCHEMA_VERSION = 1
EVERY_COUNTRY = ""


class CompetitorPoint(NamedTuple):
    """The value of one metric of a competitor in one batch, with the number of answers or mentions behind it."""

    entity_key: int
    value: float
    samples: int


def competitor_metrics(own: str, market: MarketSums, wanted: MetricName) -> dict[str, Metric]:
    """Return one metric of each competitor by ID, without intervals; a score is that of the ranking.

    A judge reads what answers say of the brand only, so competitors have no judged metrics.
    """
    rivals = [entity for entity in market.entities if entity != own]
    if wanted is MetricName.VISIBILITY_SCORE:
        scores = comparable_scores(own, market)
        answers = market.neutral().entities[own].added().answers
        return {entity: Metric(scores[entity], answers) for entity in rivals if entity in scores}
    if wanted is MetricName.SHARE_OF_VOICE:
        return shares_of_voice(rivals, market, with_intervals=False) if rivals else {}
    if wanted is MetricName.CITATION_RATE:
        return {entity: citation_rate(market.rated(entity), with_intervals=False) for entity in rivals}
    if wanted is MetricName.AVERAGE_POSITION:
        return {entity: average_position(market.rated(entity)) for entity in rivals}
    if wanted is MetricName.MENTION_COUNT:
        return {entity: mention_count(market.entities[entity]) for entity in rivals}
    return {}


def competitor_points(identity: BrandIdentity, observed: BatchObservations) -> dict[date, dict[str, Any]]:
    """Return a document for each day that has points of the brand itself in a batch.

    A requested batch belongs to the day of its newest answer; an import holds answers of many days.
    """
    batch = observed.batch
    days = (
        observed.days if observed.source.source == "import" else {day_of(batch.captured_at): observed.market}
    )
    return {day: _of_day(identity, market) for day, market in days.items()}


def _of_day(identity: BrandIdentity, market: MarketSums) -> dict[str, Any]:
    channels = {channel for _, channel in market.entities[identity.brand.id].cells}
    countries = sorted({channel.country for channel in channels} - {EVERY_COUNTRY})
    written = {EVERY_COUNTRY: _written(identity, market)}
    for country in countries:
        if all(channel.country == country for channel in channels):
            written[country] = written[EVERY_COUNTRY]
        else:
            there = market.restricted(lambda key, country=country: key[1].country == country)
            written[country] = _written(identity, there)
    return {"schema_version": SCHEMA_VERSION, "countries": written}


def _written(identity: BrandIdentity, market: MarketSums) -> dict[str, list[CompetitorPoint]]:
    """Return the points of one country by metric, without metrics that could not be measured."""
    measured = {name: competitor_metrics(identity.brand.id, market, name) for name in MEASURED}
    return {
        str(name): [
            CompetitorPoint(identity.keys[entity], float(metric.value), metric.samples)
            for entity, metric in of_rivals.items()
            if metric.value is not None
        ]
        for name, of_rivals in measured.items()
    }


def read_competitor_points(
    document: Mapping[str, Any], metric: MetricName, country: str
) -> list[CompetitorPoint]:
    """Parse the points of one metric of a country. Raises UnknownDocumentVersion for another version."""
    version = document.get("schema_version")
    if version != SCHEMA_VERSION:
        raise UnknownDocumentVersion("competitor_points", version, SCHEMA_VERSION)
    return [CompetitorPoint(*point) for point in document["countries"].get(country, {}).get(metric, ())]

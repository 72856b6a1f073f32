"""The metrics of competitors in one batch, by day and country, as publishing lays them out for trends."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from analytics.metric_names import MetricName
from analytics.metrics import (
    Metric,
    average_position,
    citation_rate,
    mention_count,
    sentiment,
    shares_of_voice,
)
from analytics.observation import Observation
from analytics.rankings import comparable_scores
from measurement.extraction.observations import BatchObservations
from measurement.planning.brand_identity import BrandIdentity
from measurement.publication.trend_points import by_day, day_of
from storage.errors import UnknownDocumentVersion

SCHEMA_VERSION = 1
EVERY_COUNTRY = ""
OF_ONE: Mapping[MetricName, Callable[[Sequence[Observation]], Metric]] = {
    MetricName.MENTION_COUNT: mention_count,
    MetricName.AVERAGE_POSITION: average_position,
    MetricName.SENTIMENT: sentiment,
}
"""Metrics without intervals that the answers to one entity alone decide."""


class RivalPoint(NamedTuple):
    """The value of one metric of a competitor in one batch, with the answers or mentions that it is taken over."""

    entity_key: int
    value: float
    samples: int


def competitor_metrics(
    own: str,
    observed: Mapping[str, Sequence[Observation]],
    wanted: MetricName,
    *,
    with_intervals: bool = True,
) -> dict[str, Metric]:
    """Return one metric of each competitor by id from usable observations of all; a score is that of the ranking.

    The intervals of rates take most of the time, and not everybody shows them.
    """
    rivals = [entity for entity in observed if entity != own]
    if wanted is MetricName.VISIBILITY_SCORE:
        scores = comparable_scores(own, observed)
        return {
            entity: Metric(scores[entity], sum(seen.count for seen in observed[entity]))
            for entity in rivals
            if entity in scores
        }
    if wanted is MetricName.SHARE_OF_VOICE:
        return shares_of_voice(rivals, observed, with_intervals=with_intervals)
    if wanted is MetricName.CITATION_RATE:
        return {entity: citation_rate(observed[entity], with_intervals=with_intervals) for entity in rivals}
    measure = OF_ONE[wanted]
    return {entity: measure(observed[entity]) for entity in rivals}


def write_rival_points(identity: BrandIdentity, observed: BatchObservations) -> dict[date, str]:
    """Return a document for each day that the brand's own points of a batch stand on.

    A batch that was asked for stands on the day of its newest answer; an import holds answers of many days.
    """
    batch = observed.batch
    if observed.source.source == "import":
        days = by_day(batch.observations)
    else:
        days = {day_of(batch.captured_at): batch.observations}
    left_out = set(batch.degraded)
    documents: dict[date, str] = {}
    for day, observations in days.items():
        kept = {
            entity: [seen for seen in of_entity if seen.channel not in left_out]
            for entity, of_entity in observations.items()
        }
        documents[day] = _write_day(identity, kept)
    return documents


def _write_day(identity: BrandIdentity, kept: Mapping[str, Sequence[Observation]]) -> str:
    own = identity.brand.id
    countries = sorted({seen.channel.country for seen in kept[own]} - {EVERY_COUNTRY})
    written = {EVERY_COUNTRY: _written(identity, kept)}
    for country in countries:
        there = {
            entity: [seen for seen in of_entity if seen.channel.country == country]
            for entity, of_entity in kept.items()
        }
        everywhere = len(there[own]) == len(kept[own])
        written[country] = written[EVERY_COUNTRY] if everywhere else _written(identity, there)
    return json.dumps({"schema_version": SCHEMA_VERSION, "countries": written}, separators=(",", ":"))


def _written(
    identity: BrandIdentity, observed: Mapping[str, Sequence[Observation]]
) -> dict[str, list[RivalPoint]]:
    """Return the points of one country by metric; what could not be measured leaves a gap."""
    own = identity.brand.id
    measured = {name: competitor_metrics(own, observed, name, with_intervals=False) for name in MetricName}
    return {
        str(name): [
            RivalPoint(identity.keys[entity], float(metric.value), metric.samples)
            for entity, metric in of_rivals.items()
            if metric.value is not None
        ]
        for name, of_rivals in measured.items()
    }


def read_rival_points(text: str, metric: MetricName, country: str) -> list[RivalPoint]:
    """Read the points of one metric of a country. Raises UnknownDocumentVersion for a document of another version."""
    if not text:
        return []
    document = json.loads(text)
    version = document.get("schema_version")
    if version != SCHEMA_VERSION:
        raise UnknownDocumentVersion("batch_cells.rivals", version, SCHEMA_VERSION)
    return [RivalPoint(*point) for point in document["countries"].get(country, {}).get(metric, ())]

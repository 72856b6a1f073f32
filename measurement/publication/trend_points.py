"""Trend points: metrics of each day and channel of a batch, and those of competitors by day and country."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple

from analytics.metric_names import MetricName
from analytics.metrics import (
    Metric,
    average_position,
    citation_rate,
    mention_count,
    metrics,
    sentiment,
    shares_of_voice,
)
from analytics.observation import Channel, Observation
from analytics.rankings import comparable_scores
from analytics.score import Score, score
from measurement.extraction.observations import BatchObservations
from measurement.planning.brand_identity import BrandIdentity
from measurement.publication.looks import look_points, looks_of_batch
from storage.errors import UnknownDocumentVersion
from storage.repositories.simulations import EVERY_CHANNEL, ChannelName
from storage.repositories.trend_points import PointDraft

SCHEMA_VERSION = 1
EVERY_COUNTRY = ""
OF_ONE: Mapping[MetricName, Callable[[Sequence[Observation]], Metric]] = {
    MetricName.MENTION_COUNT: mention_count,
    MetricName.AVERAGE_POSITION: average_position,
    MetricName.SENTIMENT: sentiment,
}
"""Metrics without intervals that depend only on the answers about one entity."""


def points_of(
    identity: BrandIdentity,
    newest: BatchObservations,
    headline: Score,
    countries: Mapping[str, Score],
    channel_keys: Mapping[ChannelName, int],
) -> list[PointDraft]:
    """Return the trend points of one batch: for all channels (key 0), for each channel, and for each country.

    The points of a requested batch belong to one day, that of its newest answer. An import holds answers of
    many days, so each of its days is measured separately.
    """
    if newest.source.source != "import":
        day = day_of(newest.batch.captured_at)
        return [
            *day_points(
                identity, newest, day, newest.batch.observations, channel_keys, {**countries, "": headline}
            ),
            *(point for look in looks_of_batch(identity, newest) for point in look_points(look, day)),
        ]
    days = by_day(newest.batch.observations)
    return [
        point
        for day, chosen in sorted(days.items())
        for point in day_points(identity, newest, day, chosen, channel_keys, {})
    ]


def by_day(observations: Mapping[str, Sequence[Observation]]) -> dict[date, dict[str, list[Observation]]]:
    """Return the observations of each UTC day by entity; all entities have the same answers in the same order."""
    days: dict[date, dict[str, list[Observation]]] = {}
    in_order = [day_of(answer.captured_at) for answer in next(iter(observations.values()), ())]
    for entity, answers in observations.items():
        of_entity: dict[date, list[Observation]] = {day: [] for day in in_order}
        for day, answer in zip(in_order, answers, strict=True):
            of_entity[day].append(answer)
        for day, of_day in of_entity.items():
            days.setdefault(day, {})[entity] = of_day
    return days


def day_points(
    identity: BrandIdentity,
    newest: BatchObservations,
    day: date,
    chosen: Mapping[str, Sequence[Observation]],
    channel_keys: Mapping[ChannelName, int],
    headlines: Mapping[str, Score],
) -> list[PointDraft]:
    """Return the points of one day from its observations by entity.

    `headlines` are the stored scores by country if they cover the whole batch; the empty name is for all
    countries.
    """
    left_out = set(newest.batch.degraded)
    channels = sorted({answer.channel for answer in chosen[identity.brand.id]})
    points = metric_points(identity, chosen, left_out, 0, day, headlines.get(""))
    for channel in channels:
        values_of_mode = {
            entity: [answer for answer in answers if answer.channel == channel]
            for entity, answers in chosen.items()
        }
        key = channel_keys[channel.platform, channel.mode, newest.source.source, channel.country]
        points += metric_points(identity, values_of_mode, left_out, key, day, None)
    for country in sorted({channel.country for channel in channels if channel.country}):
        here = {
            entity: [answer for answer in answers if answer.channel.country == country]
            for entity, answers in chosen.items()
        }
        key = channel_keys[*EVERY_CHANNEL, country]
        points += metric_points(identity, here, left_out, key, day, headlines.get(country))
    return points


def metric_points(
    identity: BrandIdentity,
    chosen: Mapping[str, Sequence[Observation]],
    left_out: set[Channel],
    channel_key: int,
    day: date,
    headline: Score | None,
) -> list[PointDraft]:
    """Return the six metrics of these observations, without those that could not be measured."""
    brand, analysis = identity.brand.id, identity.fingerprint
    kept = {
        entity: [answer for answer in answers if answer.channel not in left_out]
        for entity, answers in chosen.items()
    }
    values = metrics(brand, kept, chosen[brand], headline or score(brand, kept[brand], analysis))
    return [
        point_draft(name, metric.value, metric, channel_key, day)
        for name, metric in values.items()
        if metric.value is not None
    ]


def point_draft(name: MetricName, value: float, metric: Metric, channel_key: int, day: date) -> PointDraft:
    """Return one metric as it is stored."""
    intervals = metric.intervals
    low, high = (intervals.all_questions if intervals else None) or (None, None)
    prompts_low, prompts_high = intervals.these_prompts if intervals else (None, None)
    return PointDraft(
        metric=str(name),
        channel_key=channel_key,
        day=day,
        value=float(value),
        samples=metric.samples,
        low=low,
        high=high,
        prompts_low=prompts_low,
        prompts_high=prompts_high,
        noise_source=intervals.noise_source if intervals else None,
    )


def day_of(moment: datetime) -> date:
    """Return the UTC day of an instant."""
    return moment.astimezone(UTC).date()


class RivalPoint(NamedTuple):
    """The value of one metric of a competitor in one batch, with the number of answers or mentions behind it."""

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
    """Return one metric of each competitor by ID, from usable observations of all entities.

    A score is that of the ranking. The intervals of rates take most of the time, and not every caller shows
    them.
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
    """Return a document for each day that has points of the brand itself in a batch.

    A requested batch belongs to the day of its newest answer; an import holds answers of many days.
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
    """Return the points of one country by metric, without metrics that could not be measured."""
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
    """Parse the points of one metric of a country. Raises UnknownDocumentVersion for another version."""
    if not text:
        return []
    document = json.loads(text)
    version = document.get("schema_version")
    if version != SCHEMA_VERSION:
        raise UnknownDocumentVersion("batch_cells.rivals", version, SCHEMA_VERSION)
    return [RivalPoint(*point) for point in document["countries"].get(country, {}).get(metric, ())]

"""Trend points: the metrics of each day and channel of a batch."""

from collections.abc import Mapping
from datetime import UTC, date, datetime

from analytics.market_sums import MarketSums
from analytics.metric_names import MetricName
from analytics.metrics import Metric, metrics
from analytics.score import Score, score
from measurement.extraction.observations import BatchObservations
from measurement.planning.brand_identity import BrandIdentity
from measurement.publication.looks import look_points, looks_of_batch
from storage.repositories.simulations import EVERY_CHANNEL, ChannelName
from storage.repositories.trend_points import PointDraft


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
            *day_points(identity, newest, day, newest.market, channel_keys, {**countries, "": headline}),
            *(point for look in looks_of_batch(identity, newest) for point in look_points(look, day)),
        ]
    return [
        point
        for day, market in newest.days.items()
        for point in day_points(identity, newest, day, market, channel_keys, {})
    ]


def day_points(
    identity: BrandIdentity,
    newest: BatchObservations,
    day: date,
    market: MarketSums,
    channel_keys: Mapping[ChannelName, int],
    headlines: Mapping[str, Score],
) -> list[PointDraft]:
    """Return the points of one day from its sums.

    `headlines` are the stored scores by country if they cover the whole batch; the empty name is for all
    countries.
    """
    channels = sorted({channel for _, channel in market.entities[identity.brand.id].cells})
    points = metric_points(identity, market, 0, day, headlines.get(""))
    for channel in channels:
        through = market.restricted(lambda key, channel=channel: key[1] == channel)
        key = channel_keys[channel.platform, channel.mode, newest.source.source, channel.country]
        points += metric_points(identity, through, key, day, None)
    for country in sorted({channel.country for channel in channels if channel.country}):
        here = market.restricted(lambda key, country=country: key[1].country == country)
        key = channel_keys[*EVERY_CHANNEL, country]
        points += metric_points(identity, here, key, day, headlines.get(country))
    return points


def metric_points(
    identity: BrandIdentity, market: MarketSums, channel_key: int, day: date, headline: Score | None
) -> list[PointDraft]:
    """Return the metrics of these answers, without those that could not be measured."""
    brand = identity.brand.id
    if headline is None:
        headline = score(brand, market.entities[brand], identity.fingerprint, with_factors=False)
    return [
        point_draft(name, metric.value, metric, channel_key, day)
        for name, metric in metrics(brand, market, headline).items()
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

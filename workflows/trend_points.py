"""Trend points: the metrics of each day and channel that a batch has answers of."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime

from analytics.metrics import metrics
from analytics.observations import Channel, Observation
from analytics.score import Score, score
from storage.repositories.results import PointDraft
from workflows.identity import Identity
from workflows.observing import Observed


def points_of(
    identity: Identity, newest: Observed, headline: Score, channel_keys: Mapping[tuple[str, str, str], int]
) -> list[PointDraft]:
    """Return the trend points of one batch, for all channels (key 0) and for each.

    A batch that was asked for stands on one day, that of its newest answer. An import holds answers of many
    days, so each of its days is measured on its own.
    """
    if newest.source.source != "import":
        day = day_of(newest.batch.captured_at)
        return day_points(identity, newest, day, None, channel_keys, headline)
    days = sorted({day_of(answer.captured_at) for answer in newest.answers})
    return [point for day in days for point in day_points(identity, newest, day, day, channel_keys, None)]


def day_points(
    identity: Identity,
    newest: Observed,
    day: date,
    only: date | None,
    channel_keys: Mapping[tuple[str, str, str], int],
    headline: Score | None,
) -> list[PointDraft]:
    """Return the points of one day; `headline` is the stored score when it covers the whole batch."""
    chosen = {
        entity: [seen for seen in found if only in (None, day_of(seen.captured_at))]
        for entity, found in newest.batch.observations.items()
    }
    left_out = set(newest.batch.degraded)
    channels = sorted({seen.channel for seen in chosen[identity.brand.id]})
    points = metric_points(identity, chosen, left_out, 0, day, headline)
    for channel in channels:
        here = {
            entity: [seen for seen in found if seen.channel == channel] for entity, found in chosen.items()
        }
        key = channel_keys[channel.platform, channel.mode, newest.source.source]
        points += metric_points(identity, here, left_out, key, day, None)
    return points


def metric_points(
    identity: Identity,
    chosen: Mapping[str, Sequence[Observation]],
    left_out: set[Channel],
    channel_key: int,
    day: date,
    headline: Score | None,
) -> list[PointDraft]:
    """Return the six metrics of these observations; what could not be measured leaves a gap."""
    brand, analysis = identity.brand.id, identity.fingerprint
    kept = {
        entity: [seen for seen in found if seen.channel not in left_out] for entity, found in chosen.items()
    }
    found = metrics(brand, kept, chosen[brand], headline or score(brand, kept[brand], analysis), analysis)
    return [
        PointDraft(
            metric=str(name),
            channel_key=channel_key,
            day=day,
            value=float(metric.value),
            samples=metric.samples,
            low=metric.interval[0] if metric.interval else None,
            high=metric.interval[1] if metric.interval else None,
        )
        for name, metric in found.items()
        if metric.value is not None
    ]


def day_of(moment: datetime) -> date:
    """Return the UTC day of an instant."""
    return moment.astimezone(UTC).date()

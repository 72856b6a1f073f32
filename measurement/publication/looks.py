"""Series entries: what one batch adds to a series of the same prompts and channels that is watched for steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from hashlib import sha256

from analytics.measured_batches import market_sums
from analytics.monitoring import NamedCount
from analytics.observation import Channel
from analytics.score import score
from analytics.series_watch import Look, WatchedSeries
from measurement.extraction.channel_facts import is_cut_off
from measurement.extraction.observations import BatchObservations, channel_of
from measurement.planning.brand_identity import BrandIdentity
from storage.repositories.trend_points import Point, PointDraft
from storage.workspace import Workspace

VALUE, NAMED, MISSING = "value", "named", "missing"
YEAR = timedelta(days=366)
MOST_LOOKS = 400
"""More than a year of daily entries."""


@dataclass(frozen=True, slots=True)
class BatchLook:
    """One series entry: the score of a single batch (0-1), and the data behind it.

    `series` identifies prompts, channels, requested models and measured parts, so a batch with another plan
    belongs to another series.
    """

    series: WatchedSeries
    value: float
    named: int
    answers: int
    missing: int
    planned: int


def looks_of_batch(identity: BrandIdentity, newest: BatchObservations) -> list[BatchLook]:
    """Return the series entries of a batch: for all channels first, then for each one if there are several.

    Captured answers have no entries, nor do batches with too few answers for a score.
    """
    if newest.source.source == "import":
        return []
    channels = sorted({channel_of(answer) for answer in newest.answers})
    looks = [_look(identity, newest, None)]
    if len(channels) > 1:
        looks += [_look(identity, newest.through(channel), channel) for channel in channels]
    return [look for look in looks if look is not None]


def _look(identity: BrandIdentity, newest: BatchObservations, channel: Channel | None) -> BatchLook | None:
    brand = identity.brand.id
    rated = market_sums([newest.batch]).entities[brand]
    headline = score(brand, rated, identity.fingerprint, with_factors=False)
    if headline.value is None:
        return None
    settled = [answer for answer in newest.answers if answer.from_set and not answer.branded]
    missing = newest.batch.missing
    cut_off = sum(is_cut_off(answer) for answer in settled)
    cells = {(answer.prompt_id, channel_of(answer)) for answer in settled} | missing.keys()
    plan = sorted(f"{prompt} {channel}" for prompt, channel in cells)
    plan += sorted({f"{channel_of(answer)} {answer.requested_model}" for answer in settled})
    return BatchLook(
        series=WatchedSeries(sha256("\n".join([*plan, *headline.basis]).encode()).hexdigest()[:16], channel),
        value=headline.value / 100,
        named=rated.added().named,
        answers=rated.added().answers,
        missing=sum(missing.values()),
        planned=len(settled) - cut_off + sum(missing.values()),
    )


def look_points(look: BatchLook, day: date) -> list[PointDraft]:
    """Return an entry as trend points that no tool shows; they are verified like all other points."""
    values = {
        VALUE: (look.value, look.answers),
        NAMED: (float(look.named), look.answers),
        MISSING: (look.missing / look.planned, look.planned),
    }
    return [
        PointDraft(metric_of(look.series.name, name), 0, day, value, samples, None, None, None, None, None)
        for name, (value, samples) in values.items()
    ]


def look_of(look: BatchLook, day: date) -> Look:
    """Return the entry of a batch in its series, as stored points would give it."""
    return Look(
        day=day,
        value=look.value,
        missing_share=look.missing / look.planned,
        count=NamedCount(look.named, look.answers),
    )


def metric_of(series: str, name: str) -> str:
    """Return the metric name under which a part of a series is stored."""
    return f"look/{series}/{name}"


async def stored_looks(workspace: Workspace, revision_key: int, series: str, now: datetime) -> list[Look]:
    """Return the entries of a year for the same prompts and channels, oldest first."""
    return looks_of(await series_points(workspace, revision_key, series, now))


async def series_points(
    workspace: Workspace, revision_key: int, series: str, now: datetime
) -> dict[str, list[Point]]:
    """Return the stored points of a year of a series by part, oldest first."""
    since = (now - YEAR).date()
    return {
        name: await workspace.trend_points.since(revision_key, metric_of(series, name), since)
        for name in (VALUE, NAMED, MISSING)
    }


def looks_of(points: Mapping[str, Sequence[Point]]) -> list[Look]:
    """Return the entries in stored points, oldest first; `points` are those of one series by part."""
    named = {point.batch_id: point for point in points[NAMED]}
    missing = {point.batch_id: point for point in points[MISSING]}
    return [
        Look(
            day=point.day,
            value=point.value,
            missing_share=missing[point.batch_id].value,
            count=NamedCount(int(named[point.batch_id].value), named[point.batch_id].samples),
        )
        for point in points[VALUE][-MOST_LOOKS:]
        if point.batch_id in named and point.batch_id in missing
    ]

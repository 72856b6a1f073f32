"""Repeats: earlier batches that show how much single answers vary if prompts are asked once; batch order."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TypeAlias

import anyio.to_thread

from analytics.batches import LOOK_BACK, AnswerBatch, looked_at
from analytics.measured_batches import asked_once, market_sums
from analytics.paired_change import TOLERATED_MISSING
from analytics.series_watch import Look, watch_series
from measurement.extraction.observations import BatchObservations
from measurement.planning.brand_identity import BrandIdentity
from measurement.publication.looks import (
    MISSING,
    MOST_LOOKS,
    VALUE,
    BatchLook,
    look_of,
    looks_of,
    looks_of_batch,
    series_points,
)
from measurement.publication.trend_points import day_of
from storage.repositories.batches import BatchRow
from storage.repositories.trend_points import Point
from storage.workspace import Workspace

ENOUGH_REPEATS = 20_000
"""Answers of repeats after which no older batches are read: they give the variance to within a hundredth."""

LoadBatches: TypeAlias = Callable[[Sequence[BatchRow]], Awaitable[Sequence[BatchObservations]]]
"""Loads the observations of several batches."""


@dataclass(frozen=True, slots=True)
class Repeats:
    """The batches that count as repeats of a batch, by its ID, and their observations, by theirs."""

    of_batch: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    batches: Mapping[str, AnswerBatch] = field(default_factory=dict[str, AnswerBatch])

    def of(self, used: Iterable[AnswerBatch]) -> list[AnswerBatch]:
        """Return the batches that count as repeats of these, in the order of their IDs."""
        ids = {repeat for batch in used for repeat in self.of_batch.get(batch.id, ())}
        return [self.batches[id] for id in sorted(ids) if id in self.batches]


NO_REPEATS = Repeats()


def asks_once(batches: Sequence[AnswerBatch], brand_id: str) -> bool:
    """Return whether batches ask all prompts of some channel once, so that repeats add precision."""
    return bool(asked_once(market_sums(batches).entities[brand_id]))


async def collect_repeats(
    workspace: Workspace,
    revision_key: int,
    brand_id: str,
    views: Iterable[Sequence[BatchObservations]],
    newest: tuple[str, Sequence[str]],
    load: LoadBatches,
) -> Repeats:
    """Return the repeats for some views; each view is a batch with those before it.

    `newest` holds the ID of the newest batch and its repeats. The receipts of the other batches list theirs.
    """
    used: set[str] = set()
    for view in views:
        batches = looked_at([observed.batch for observed in view], brand_id)
        if asks_once(batches, brand_id):
            used.update(batch.id for batch in batches)
    of_batch: dict[str, Sequence[str]] = dict([newest])
    of_batch.update(await stored_repeats(workspace, revision_key, used - {newest[0]}))
    wanted = {repeat for batch_id in used for repeat in of_batch.get(batch_id, ())}
    rows = await workspace.batches.of_ids(sorted(wanted))
    known = {observed.batch.id: observed.batch for observed in (await load(rows) if rows else ())}
    return Repeats(of_batch, known)


async def stored_repeats(
    workspace: Workspace, revision_key: int, batch_ids: Iterable[str]
) -> dict[str, Sequence[str]]:
    """Return the batches that count as repeats of each of these, according to their receipts."""
    receipts = await workspace.results.receipts(revision_key, sorted(batch_ids))
    return {batch_id: receipt.get("repeats", ()) for batch_id, receipt in receipts}


async def quiet_batches(
    workspace: Workspace, identity: BrandIdentity, revision_key: int, newest: BatchObservations, now: datetime
) -> tuple[str, ...]:
    """Return the IDs of the batches that count as repeats of one that asks prompts once.

    They asked the same prompts in the same channels within the 28 days before it, miss no more answers than a
    series entry may, and were made since the last step that the monitor found, in all channels together or in
    one of them.
    """
    if not asks_once([newest.batch], identity.brand.id):
        return ()
    at_batch = looks_of_batch(identity, newest)
    if not at_batch:
        return ()
    until = newest.source.finished_at or now
    finished = await workspace.batches.successful(identity.brand.key, until, MOST_LOOKS)
    before = {row.id for row in finished if row.key != newest.source.key and is_before(row, newest.source)}
    day = day_of(newest.batch.captured_at)
    points: list[dict[str, list[Point]]] = []
    for look in at_batch:
        of_series = await series_points(workspace, revision_key, look.series.name, newest.batch.captured_at)
        points.append(
            {
                name: [point for point in of_name if point.batch_id in before]
                for name, of_name in of_series.items()
            }
        )
    watched = [
        [*looks_of(of_series), look_of(look, day)] for look, of_series in zip(at_batch, points, strict=True)
    ]
    since = await anyio.to_thread.run_sync(quiet_since, at_batch, watched)
    first = day - LOOK_BACK if since is None else max(since, day - LOOK_BACK)
    whole = {point.batch_id for point in points[0][MISSING] if point.value <= TOLERATED_MISSING}
    quiet = [point for point in points[0][VALUE] if point.day >= first and point.batch_id in whole]
    return tuple(sorted(point.batch_id for point in _newest(quiet)))


def _newest(points: Sequence[Point]) -> list[Point]:
    """Return the newest of these points, which are in the order of their days, up to `ENOUGH_REPEATS` answers."""
    chosen: list[Point] = []
    answers = 0
    for point in reversed(points):
        if answers >= ENOUGH_REPEATS:
            break
        chosen.append(point)
        answers += point.samples
    return chosen


def quiet_since(at_batch: Sequence[BatchLook], watched: Sequence[Sequence[Look]]) -> date | None:
    """Return the start of the last step in any of these series, as publishing watches them, or None."""
    channels = sum(look.series.channel is not None for look in at_batch)
    begins = [
        alarm.since
        for look, looks in zip(at_batch, watched, strict=True)
        for alarm in watch_series(looks, 1 if look.series.channel is None else channels).early_signals
    ]
    return max(begins, default=None)


def batch_time(batch: BatchRow) -> datetime:
    """Return when a finished batch ended."""
    assert batch.finished_at is not None
    return batch.finished_at


def is_before(batch: BatchRow, other: BatchRow) -> bool:
    """Return whether a finished batch ended before another, which may still be open."""
    if other.finished_at is None:
        return True
    return (batch_time(batch), batch.key) < (other.finished_at, other.key)

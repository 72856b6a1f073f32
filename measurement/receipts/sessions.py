"""Counts sessions and channels of a batch anew, and rates the accuracy of each session by its claims."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from analytics.accuracy.claims import score
from measurement.extraction.observations import BatchObservations
from measurement.publication.batch_endings import end_of
from measurement.publication.channel_health import by_channel, channel_key, health_of
from measurement.receipts.differences import different_rows
from storage.repositories.asks import Progress
from storage.repositories.batches import BatchRow
from storage.workspace import Workspace

COUNTS = (
    "planned",
    "failed",
    "refused",
    "valid",
    "answered",
    "searched",
    "measurable",
    "citing",
    "truncated",
)
"""What of a channel's health follows from its asks and answers alone."""


async def different_sessions(workspace: Workspace, batch: BatchRow) -> list[str]:
    """Name the columns of a batch's sessions that say otherwise than its asks and its claims."""
    progress = await workspace.asks.progress(batch.key)
    verdicts: dict[int, list[str]] = defaultdict(list)
    for judged in await workspace.judgements.claims(batch.key):
        verdicts[judged.simulation_key].append(judged.claim.verdict)
    counted = [counted_session(session, batch, verdicts[session.simulation_key]) for session in progress]
    stored = await workspace.simulations.of_batch(batch.key)
    return different_rows("simulations", stored, counted, ("key",))


def counted_session(progress: Progress, batch: BatchRow, verdicts: Sequence[str]) -> dict[str, Any]:
    """Return what a session's row must say."""
    accuracy = score(verdicts)
    return {
        "key": progress.simulation_key,
        "planned": progress.total,
        "answered": progress.stored,
        "failed": progress.failed,
        "status": "cancelled" if batch.status == "cancelled" else end_of(progress),
        "accuracy_score": None if accuracy is None else round(accuracy),
        "finished_at": batch.finished_at,
    }


async def different_channels(workspace: Workspace, batch: BatchRow, answered: BatchObservations) -> list[str]:
    """Name the counts of a batch's channels that its asks and answers contradict."""
    rows = await workspace.health.of_batch(batch.key)
    stored = {channel_key(row): row for row in rows}
    standing = by_channel(await workspace.asks.progress(batch.key))
    expected = {} if batch.source == "import" else {channel_key(progress): progress for progress in standing}
    wrong = [
        f"channel_health {' '.join(place)}: {'missing' if place in expected else 'not from any answer'}"
        for place in sorted(stored.keys() ^ expected.keys())
    ]
    for place in sorted(stored.keys() & expected.keys()):
        health = health_of(expected[place], answered, no_credential=False)
        wrong += [
            f"channel_health {' '.join(place)}: {name}"
            for name in (*COUNTS, "median_latency_ms")
            if getattr(stored[place], name) != getattr(health, name)
        ]
        if stored[place].served_models != list(health.served_models):
            wrong.append(f"channel_health {' '.join(place)}: served_models")
    return wrong

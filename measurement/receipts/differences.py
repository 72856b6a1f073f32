"""Name the differences between stored and recomputed rows: results, sessions and channels."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from analytics.accuracy.claims import score
from analytics.digests import canonical_json
from measurement.extraction.observations import BatchObservations
from measurement.publication.calculate import Outcome
from measurement.publication.channel_health import by_channel, channel_key, end_of, health_of
from measurement.publication.receipt_document import ReceiptDocument, differing_fields
from measurement.publication.receipt_seal import POINT_FIELDS, plain
from storage.repositories.asks import Progress
from storage.repositories.batches import BatchRow
from storage.repositories.country_results import CountryDraft
from storage.repositories.stored_results import Row, StoredCalculation
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
"""Parts of a channel's health that follow from its requests and answers alone."""


def as_object(stored: object) -> Mapping[str, Any]:
    """Return a stored document, or an empty one if it is no longer a JSON object."""
    return cast("Mapping[str, Any]", stored) if isinstance(stored, Mapping) else {}


def different_columns(stored: StoredCalculation, fresh: Outcome) -> list[str]:
    """Name the columns and JSON fields in which a stored calculation differs from a recomputed one."""
    receipt = ReceiptDocument.model_validate(fresh.draft.receipt)
    wrong = list(differing_fields(as_object(stored.receipt), receipt))
    wrong += [] if stored.status == fresh.draft.status else ["status"]
    wrong += [] if stored.score == fresh.draft.score else ["score"]
    for column in ("headline", "platforms", "rankings"):
        wrong += different_paths(column, getattr(stored, column), getattr(fresh.draft, column))
    return wrong


def different_countries(stored: Sequence[CountryDraft], fresh: Outcome) -> list[str]:
    """Name the places in which the stored results of countries differ from recomputed ones."""
    old = {result.country: result.columns() for result in stored}
    new = {result.country: result.columns() for result in fresh.countries}
    return different_paths("country_calculations", old, new)


def different_paths(path: str, stored: Any, fresh: Any) -> list[str]:
    """Name the places in which two JSON values differ, such as `headline.factors[0].value`."""
    if isinstance(stored, Mapping) and isinstance(fresh, Mapping):
        names: list[str] = sorted({*stored, *fresh})  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] # names of JSON objects
        return [
            place
            for name in names
            for place in different_paths(f"{path}.{name}", stored.get(name), fresh.get(name))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType] # any JSON
        ]
    if isinstance(stored, list) and isinstance(fresh, list) and len(stored) == len(fresh):  # pyright: ignore[reportUnknownArgumentType] # any JSON
        return [
            place
            for number, (old, new) in enumerate(zip(stored, fresh, strict=True))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] # any JSON
            for place in different_paths(f"{path}[{number}]", old, new)
        ]
    return [] if type(stored) is type(fresh) and stored == fresh else [path]  # pyright: ignore[reportUnknownArgumentType] # any JSON


def different_points(stored: Sequence[Row], fresh: Outcome) -> list[str]:
    """Name the trend points of a batch that differ from recomputed ones."""
    own = [{name: row[name] for name in POINT_FIELDS} for row in stored]
    made = [point.columns() for point in fresh.points]
    return different_rows("metric_points", own, made, ("metric", "day", "channel_key"))


def different_rows(table: str, stored: Iterable[Row], fresh: Iterable[Row], key: Sequence[str]) -> list[str]:
    """Name the rows that one side lacks, and the columns in which the two sides differ."""
    old = {tuple(row[name] for name in key): row for row in stored}
    new = {tuple(row[name] for name in key): row for row in fresh}
    wrong: list[str] = []
    for place in sorted(old.keys() | new.keys(), key=str):
        name = f"{table} " + " ".join(str(plain(part)) for part in place)
        if place not in new or place not in old:
            wrong.append(f"{name}: {'not from any answer' if place not in new else 'missing'}")
            continue
        wrong += [
            f"{name}: {column}"
            for column, value in new[place].items()
            if not _same_json(plain(value), plain(old[place].get(column)))
        ]
    return wrong


def _same_json(stored: object, computed: object) -> bool:
    """Return whether two values are the same JSON text; 1 and 1.0 are not, nor are 0.0 and -0.0."""
    if type(stored) is type(computed) and isinstance(stored, (str, int, type(None))):
        return stored == computed
    return canonical_json(stored) == canonical_json(computed)


async def different_sessions(workspace: Workspace, batch: BatchRow) -> list[str]:
    """Name the columns of a batch's sessions that contradict its requests and claims."""
    progress = await workspace.asks.progress(batch.key)
    verdicts: dict[int, list[str]] = defaultdict(list)
    for judged in await workspace.judgements.claims(batch.key):
        verdicts[judged.simulation_key].append(judged.claim.verdict)
    counted = [counted_session(session, batch, verdicts[session.simulation_key]) for session in progress]
    stored = await workspace.simulations.of_batch(batch.key)
    return different_rows("simulations", stored, counted, ("key",))


def counted_session(progress: Progress, batch: BatchRow, verdicts: Sequence[str]) -> dict[str, Any]:
    """Return the values that a session's row must have."""
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
    """Name the counts of a batch's channels that contradict its requests and answers."""
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

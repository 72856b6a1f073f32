"""Laid out days that were read before: unpacking one takes far longer than asking whether it is still the same."""

from measurement.laid_out.days import LaidOutDay, read_day
from measurement.laid_out.kept_results import KeptResults
from storage.repositories.batch_cells import LaidOutPlace, StoredCells

MOST_BYTES = 12_000_000
"""Bytes of what is kept, as it is stored; in memory it takes four times as much, and ten where all was looked at."""
KEPT = KeptResults[LaidOutDay](MOST_BYTES)
"""Days that a process read last, each known by its digest: what is replaced is read anew."""


def kept_day(stored: StoredCells, kept: KeptResults[LaidOutDay] = KEPT) -> LaidOutDay:
    """Return a day. Raises UnknownDocumentVersion for a document of another version, and DamagedData."""
    key = stored.day, stored.digest
    return kept.result_of(key, len(stored.cells), lambda: read_day(stored.day, stored.cells))


def find_day(place: LaidOutPlace, kept: KeptResults[LaidOutDay] = KEPT) -> LaidOutDay | None:
    """Return a day that was read before, if it is kept."""
    return kept.find((place.day, place.digest))

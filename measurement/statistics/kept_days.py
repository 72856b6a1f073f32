"""Laid out days that were read before: unpacking one takes far longer than asking whether it is still the same."""

from measurement.publication.days import LaidOutDay, read_day
from measurement.publication.kept_results import KeptResults
from storage.repositories.batch_cells import LaidOutPlace, StoredCells

MOST_BYTES = 64_000_000
"""Bytes that kept days may take in memory; what was read beside their answers has a bound of its own."""
KEPT = KeptResults[LaidOutDay](MOST_BYTES)
"""Days that a process read last, each known by its digest: what is replaced is read anew."""


def kept_day(stored: StoredCells, kept: KeptResults[LaidOutDay] = KEPT) -> LaidOutDay:
    """Return a day. Raises UnknownDocumentVersion for a document of another version, and DamagedData."""
    key = stored.day, stored.digest
    day = kept.find(key)
    if day is None:
        day = read_day(stored.day, stored.cells)
        kept.keep(key, day.size, day)
    return day


def find_day(place: LaidOutPlace, kept: KeptResults[LaidOutDay] = KEPT) -> LaidOutDay | None:
    """Return a day that was read before, if it is kept."""
    return kept.find((place.day, place.digest))

"""Cache of daily documents: unpacking one takes far longer than checking whether it has changed."""

from measurement.publication.days import LaidOutDay, read_day
from measurement.publication.kept_results import KeptResults
from storage.repositories.batch_cells import LaidOutPlace, StoredCells

MOST_BYTES = 64_000_000
"""Bytes of memory for cached days; the facts beside their extraction results have a limit of their own."""
KEPT = KeptResults[LaidOutDay](MOST_BYTES)
"""The days that a process read last, keyed by digest; a replaced document is read again."""


def kept_day(stored: StoredCells, kept: KeptResults[LaidOutDay] = KEPT) -> LaidOutDay:
    """Return a day. Raises UnknownDocumentVersion for a document of another version, and DamagedData."""
    key = stored.day, stored.digest
    day = kept.find(key)
    if day is None:
        day = read_day(stored.day, stored.cells)
        kept.keep(key, day.size, day)
    return day


def find_day(place: LaidOutPlace, kept: KeptResults[LaidOutDay] = KEPT) -> LaidOutDay | None:
    """Return a day if it is in the cache."""
    return kept.find((place.day, place.digest))

"""Laid out days that were read before: unpacking one takes far longer than asking whether it is still the same."""

from collections import OrderedDict
from datetime import date
from threading import Lock

from measurement.laid_out.days import LaidOutDay, read_day
from storage.repositories.batch_cells import StoredCells

MOST_BYTES = 12_000_000
"""Bytes of what is kept, as it is stored; in memory it takes four times as much, and ten where all was looked at."""


class KeptDays:
    """Days that a process read last, each known by its stored bytes: what is replaced is read anew.

    Threads share it. What was asked for longest ago leaves first.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._days: OrderedDict[tuple[date, bytes], LaidOutDay] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    @property
    def bytes(self) -> int:
        """How many bytes are kept, as they are stored."""
        return self._bytes

    def day_of(self, stored: StoredCells) -> LaidOutDay:
        """Return a day. Raises UnknownDocumentVersion for a document of another version, and DamagedData."""
        key = stored.day, stored.cells
        with self._lock:
            kept = self._days.get(key)
            if kept is not None:
                self._days.move_to_end(key)
                return kept
        read = read_day(stored.day, stored.cells)
        with self._lock:
            if key not in self._days:
                self._bytes += len(stored.cells)
            self._days[key] = read
            while self._bytes > self._most and len(self._days) > 1:
                (_, left), _ = self._days.popitem(last=False)
                self._bytes -= len(left)
        return read


KEPT = KeptDays()

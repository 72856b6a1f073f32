"""What was computed of days before, kept for days whose answers are the same, up to a bound of what they hold."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from measurement.laid_out.daily import CountedDay

MOST_READINGS = 100_000
"""Readings of all kept days together: each keeps some hundred bytes alive, and a day may have thousands."""
Computed = TypeVar("Computed")


class KeptMetrics(Generic[Computed]):
    """Results by day and by what they follow from beside it; what was asked for longest ago leaves first.

    Threads share it; two that ask for the same at once both compute it.
    """

    def __init__(self, most_readings: int = MOST_READINGS) -> None:
        self._most = most_readings
        self._results: OrderedDict[tuple[Hashable, CountedDay], Computed] = OrderedDict()
        self._readings = 0
        self._lock = Lock()

    @property
    def readings(self) -> int:
        """How many readings the kept days have."""
        return self._readings

    def result_of(self, basis: Hashable, day: CountedDay, compute: Callable[[], Computed]) -> Computed:
        """Return what is kept of a day on this basis, or compute and keep it."""
        key = basis, day
        with self._lock:
            kept = self._results.get(key)
            if kept is not None:
                self._results.move_to_end(key)
                return kept
        computed = compute()
        with self._lock:
            if key not in self._results:
                self._results[key] = computed
                self._readings += day.readings
            while self._readings > self._most:
                (_, left), _ = self._results.popitem(last=False)
                self._readings -= left.readings
        return computed

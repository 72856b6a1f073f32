"""Size-limited cache of results computed from daily documents, keyed by their inputs."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Result = TypeVar("Result")


class KeptResults(Generic[Result]):
    """Least recently used cache of results, keyed by all their inputs. A result that has no room is dropped.

    Threads share it. Two threads that request the same result at once may both compute it.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._results: OrderedDict[Hashable, tuple[Result, int]] = OrderedDict()
        self._held = 0
        self._lock = Lock()

    @property
    def held(self) -> int:
        """Total size of the cached results."""
        return self._held

    def find(self, key: Hashable) -> Result | None:
        """Return the cached result for the key, or None."""
        with self._lock:
            kept = self._results.get(key)
            if kept is None:
                return None
            self._results.move_to_end(key)
            return kept[0]

    def keep(self, key: Hashable, size: int, result: Result) -> Result:
        """Return a result, cached under its key unless it alone is larger than the cache."""
        with self._lock:
            if key not in self._results and size <= self._most:
                self._results[key] = result, size
                self._held += size
            while self._held > self._most:
                _, (_, left) = self._results.popitem(last=False)
                self._held -= left
        return result

    def result_of(self, key: Hashable, size: int, make: Callable[[], Result]) -> Result:
        """Return the cached result for the key, or compute and cache it; errors of `make` propagate."""
        kept = self.find(key)
        return self.keep(key, size, make()) if kept is None else kept

"""What was made of laid out days before, known by what it was made of, up to a bound of what it holds."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Result = TypeVar("Result")


class KeptResults(Generic[Result]):
    """Results by all that they follow from; what was asked for longest ago leaves first, and what has no room at once.

    Threads share it; two that ask for the same at once both make it.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._results: OrderedDict[Hashable, tuple[Result, int]] = OrderedDict()
        self._held = 0
        self._lock = Lock()

    @property
    def held(self) -> int:
        """The sizes of what is kept, added up."""
        return self._held

    def find(self, key: Hashable) -> Result | None:
        """Return what is kept under the key."""
        with self._lock:
            kept = self._results.get(key)
            if kept is None:
                return None
            self._results.move_to_end(key)
            return kept[0]

    def keep(self, key: Hashable, size: int, result: Result) -> Result:
        """Keep a result under what it follows from, and return it."""
        with self._lock:
            if key not in self._results:
                self._results[key] = result, size
                self._held += size
            while self._held > self._most:
                _, (_, left) = self._results.popitem(last=False)
                self._held -= left
        return result

    def result_of(self, key: Hashable, size: int, make: Callable[[], Result]) -> Result:
        """Return what is kept under the key, or make and keep it; raises what making it raises."""
        kept = self.find(key)
        return self.keep(key, size, make()) if kept is None else kept

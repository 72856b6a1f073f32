"""Values read from the database that are told again while nothing was committed to it, by whichever process."""

from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

from storage.errors import StorageError

Value = TypeVar("Value")


class UnchangedReads(Generic[Value]):
    """Keeps values until the next commit, at most so many bytes of them.

    A value is only kept when the database was the same before and after it was read, and only told while it still
    is: whoever asks gets what reading anew would give.
    """

    def __init__(self, version: Callable[[], Awaitable[Hashable]], most_bytes: int) -> None:
        self._version = version
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept_at: Hashable = None
        self._values: dict[Hashable, Value] = {}

    async def find(self, key: Hashable, seen: Hashable = None) -> tuple[Value | None, Hashable]:
        """Return what is kept under the key, if that holds still, and the database's version, for `keep`.

        `seen` is the version that the caller saw since its work began: if values are kept of that one, nobody
        looks again.
        """
        version = seen if seen is not None and seen == self._kept_at else await self._version()
        if version != self._kept_at:
            self._forget(version)
        return self._values.get(key), version

    async def keep(self, key: Hashable, value: Value, size: int, version: Hashable) -> None:
        """Keep a value of so many bytes that was read after `find`, unless the database changed meanwhile."""
        if size > self._most_bytes:
            return
        try:
            unchanged = version == await self._version() == self._kept_at
        except StorageError:
            return  # the value is good, and whoever comes next reads it anew
        if not unchanged or key in self._values:
            return
        if self._bytes + size > self._most_bytes:
            self._forget(version)
        self._values[key] = value
        self._bytes += size

    def _forget(self, version: Hashable) -> None:
        self._values.clear()
        self._bytes, self._kept_at = 0, version

"""Caches values read from the database until the data they depend on changes, in any process."""

from collections import OrderedDict
from collections.abc import Awaitable, Hashable
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

from storage.change_counts import EVERYBODY
from storage.errors import StorageError

Value = TypeVar("Value")
MOST_LOOKS = 1_000
"""Number of companies whose last check is remembered; for others, changes are queried again."""


class ChangingDatabase(Protocol):
    """A database that detects changes, as `storage.database.Database` does."""

    def version(self) -> Awaitable[Hashable]:
        """Return a value that changes whenever anything is committed."""
        ...

    async def changes(self, company_id: str) -> Hashable:
        """Return a value that changes whenever a company's results may have changed."""
        ...


class ChangeLook(NamedTuple):
    """State before a value was read: the version of the database, and the company's changes."""

    version: Hashable
    changes: Hashable


@dataclass(frozen=True, slots=True)
class KeptValue(Generic[Value]):
    """A value of `size` bytes, valid while the company's changes equal `changes`."""

    value: Value
    size: int
    changes: Hashable


class UnchangedReads(Generic[Value]):
    """A cache of values until the next change, limited in bytes, that evicts the least recently used value first.

    A value of all companies is valid until anything is committed, a value of one company until one of its
    rows changes, and a credential until any credential changes. While nothing is committed, changes are not
    queried. A value is only stored if nothing changed while it was read, and only returned while nothing has
    changed, so callers always get what another read would return.
    """

    def __init__(
        self,
        database: ChangingDatabase,
        most_bytes: int,
    ) -> None:
        self._database = database
        self._most_bytes = most_bytes
        self._bytes = 0
        self._values: OrderedDict[tuple[str, Hashable], KeptValue[Value]] = OrderedDict()
        self._looks: OrderedDict[str, ChangeLook] = OrderedDict()

    async def find(
        self, key: Hashable, company_id: str = EVERYBODY, seen: Hashable = None
    ) -> tuple[Value | None, ChangeLook]:
        """Return the value cached under the key, if it is still valid, and the state to pass to `keep`.

        `seen` is the version that the caller has observed since its work began; if the company was checked at
        that version, it is not checked again. Raises StorageError.
        """
        look = self._looks.get(company_id)
        if look is None or seen is None or seen != look.version:
            look = await self._look(company_id)
        kept = self._values.get((company_id, key))
        if kept is None:
            return None, look
        if kept.changes != look.changes:
            self._drop((company_id, key))
            return None, look
        self._values.move_to_end((company_id, key))
        return kept.value, look

    async def keep(
        self, key: Hashable, value: Value, size: int, look: ChangeLook, company_id: str = EVERYBODY
    ) -> None:
        """Cache a value of `size` bytes that was read after `find`, unless something has changed since then."""
        if size > self._most_bytes:
            return
        try:
            now = await self._look(company_id)
        except StorageError:
            return  # the value is valid, and the next caller reads it again
        if now.changes != look.changes:
            return
        place = company_id, key
        self._drop(place)
        self._values[place] = KeptValue(value, size, look.changes)
        self._bytes += size
        while self._bytes > self._most_bytes:
            self._drop(next(iter(self._values)))

    async def _look(self, company_id: str) -> ChangeLook:
        """Query the database version, and the company's changes if anything was committed since the last check."""
        version = await self._database.version()
        look = self._looks.get(company_id)
        if look is None or look.version != version:
            changes = version if company_id == EVERYBODY else await self._database.changes(company_id)
            look = ChangeLook(version, changes)
            self._looks[company_id] = look
            self._looks.move_to_end(company_id)
            if len(self._looks) > MOST_LOOKS:
                self._looks.popitem(last=False)
        return look

    def _drop(self, place: tuple[str, Hashable]) -> None:
        kept = self._values.pop(place, None)
        if kept is not None:
            self._bytes -= kept.size

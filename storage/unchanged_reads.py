"""Values read from the database that are told again until something that they follow from changes, by any process."""

from collections import OrderedDict
from collections.abc import Awaitable, Hashable
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

from storage.change_counts import EVERYBODY
from storage.errors import StorageError

Value = TypeVar("Value")
MOST_LOOKS = 1_000
"""Companies of which the last look is remembered; of another one the changes are asked for again."""


class ChangingDatabase(Protocol):
    """A database that tells whether it changed, as `storage.database.Database` does."""

    def version(self) -> Awaitable[Hashable]:
        """Return a value that differs when anything was committed since it was last asked for."""
        ...

    async def changes(self, company_id: str) -> Hashable:
        """Return a value that differs when what results tell of a company was changed since it was last asked for."""
        ...


class ChangeLook(NamedTuple):
    """What was seen before a value was read: the version of the database, and then the company's changes."""

    version: Hashable
    changes: Hashable


@dataclass(frozen=True, slots=True)
class KeptValue(Generic[Value]):
    """A value of so many bytes that is good while the company's changes are these."""

    value: Value
    size: int
    changes: Hashable


class UnchangedReads(Generic[Value]):
    """Keeps values until the next change, at most so many bytes of them; what was asked for longest ago leaves first.

    A value of everybody's is good until anything at all is committed, one of a company's until a row of it changes, and
    a credential until any of them does; while nothing was committed, nobody asks for changes. A value is only kept when
    nothing had changed before and after it was read, and only told while nothing has: whoever asks gets what reading
    anew would give.
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
        """Return what is kept under the key, if that holds still, and what was looked at, for `keep`.

        `seen` is the version that the caller saw since its work began: if the company was looked at then, nobody looks
        again. Raises StorageError.
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
        """Keep a value of so many bytes that was read after `find`, unless something changed meanwhile."""
        if size > self._most_bytes:
            return
        try:
            now = await self._look(company_id)
        except StorageError:
            return  # the value is good, and whoever comes next reads it anew
        if now.changes != look.changes:
            return
        place = company_id, key
        self._drop(place)
        self._values[place] = KeptValue(value, size, look.changes)
        self._bytes += size
        while self._bytes > self._most_bytes:
            self._drop(next(iter(self._values)))

    async def _look(self, company_id: str) -> ChangeLook:
        """Look at the database, and at the company's changes where something was committed since the last time."""
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

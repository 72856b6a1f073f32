"""Values read of companies' rows that are told again until one of the rows changes, by whichever process."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from storage.errors import StorageError

Value = TypeVar("Value")
MOST_LOOKS = 1_000
"""Companies of which the last look is remembered; of another one the changes are asked for again."""


class CompanyLook(NamedTuple):
    """What was seen before a value was read: the version of the database, and then the company's changes."""

    version: Hashable
    changes: Hashable


@dataclass(frozen=True, slots=True)
class KeptValue(Generic[Value]):
    """A value of so many bytes that is good while the company's changes are these."""

    value: Value
    size: int
    changes: Hashable


class CompanyReads(Generic[Value]):
    """Keeps values of companies, at most so many bytes of them; what was asked for longest ago leaves first.

    While nothing at all was committed nobody asks for the company's changes. A value is only kept when the company's
    rows were the same before and after it was read, and only told while they still are: whoever asks gets what reading
    anew would give.
    """

    def __init__(
        self,
        version: Callable[[], Awaitable[Hashable]],
        changes: Callable[[str], Awaitable[Hashable]],
        most_bytes: int,
    ) -> None:
        self._version = version
        self._changes = changes
        self._most_bytes = most_bytes
        self._bytes = 0
        self._values: OrderedDict[tuple[str, Hashable], KeptValue[Value]] = OrderedDict()
        self._looks: OrderedDict[str, CompanyLook] = OrderedDict()

    async def find(
        self, company_id: str, key: Hashable, seen: Hashable = None
    ) -> tuple[Value | None, CompanyLook]:
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

    async def keep(self, company_id: str, key: Hashable, value: Value, size: int, look: CompanyLook) -> None:
        """Keep a value of so many bytes that was read after `find`, unless the company's rows changed meanwhile."""
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

    async def _look(self, company_id: str) -> CompanyLook:
        """CompanyLook at the database, and at the company's changes where something was committed since the last time."""
        version = await self._version()
        look = self._looks.get(company_id)
        if look is None or look.version != version:
            look = CompanyLook(version, await self._changes(company_id))
            self._looks[company_id] = look
            self._looks.move_to_end(company_id)
            if len(self._looks) > MOST_LOOKS:
                self._looks.popitem(last=False)
        return look

    def _drop(self, place: tuple[str, Hashable]) -> None:
        kept = self._values.pop(place, None)
        if kept is not None:
            self._bytes -= kept.size

"""Imports the records of an archive chunk by chunk, so that its memory does not grow with the archive."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, cast

from sqlalchemy import Table

from storage.errors import InvalidArchive
from storage.repositories.answers.citations import CitationRepository, CitedPage
from storage.repositories.archive import (
    CHUNK,
    SHARED,
    TABLES,
    ArchiveKeyRepository,
    ArchiveRepository,
    Record,
    from_record_value,
    target_of,
)
from storage.repositories.simulations import ChannelRepository
from storage.tables.agents import agent_instances
from storage.tables.answers import cited_urls
from storage.workspace import Workspace

SharedWords: TypeAlias = tuple[str | None, ...]
"""What a record says of a row shared by companies; only a title may be missing."""


@dataclass(frozen=True, slots=True)
class IntakeDisabled:
    """What an archive would have had asked by the clock: the name of a prompt set or an agent, and when."""

    kind: Literal["prompt set", "agent"]
    name: str
    schedule: str


@dataclass(slots=True)
class WaitingWrite:
    """A record that is to be stored with its chunk, and what it says of other rows, by column."""

    number: int
    key: Any
    row: dict[str, Any]
    refers: dict[str, int] = field(default_factory=dict[str, int])
    shared: dict[str, SharedWords] = field(default_factory=dict[str, SharedWords])
    schedule: str | None = None


class Intake:
    """Imports records in the order they were given; every key is a new one.

    Unless schedules are to be kept they are left out, and `switched_off` says which.
    """

    def __init__(self, into: Workspace, *, keep_schedules: bool = False) -> None:
        self._archive: ArchiveRepository = into.archive
        self._keys: ArchiveKeyRepository = into.archive_keys
        self._citations: CitationRepository = into.citations
        self._keep_schedules = keep_schedules
        self._channels: ChannelRepository = into.channels
        self._channel_keys: dict[SharedWords, int] = {}
        self._agents: dict[int, str] = {}
        self._waiting: list[WaitingWrite] = []
        self._table: Table | None = None
        self.switched_off: list[IntakeDisabled] = []
        self.counts: dict[str, int] = {}

    async def add(self, record: Record, number: int) -> None:
        """Take the record of a line. Raises InvalidArchive for what is none, DuplicateRow for what is here already."""
        table = TABLES.get(record.get("table", ""))
        values = record.get("values")
        if table is None or not isinstance(values, dict):
            raise InvalidArchive("it is no record of a table that is known here", number)
        if table is not self._table or len(self._waiting) >= CHUNK:
            await self.flush()
        self._table = table
        try:
            waiting = read(table, number, record.get("key"), values)  # pyright: ignore[reportUnknownArgumentType] # checked column by column
        except InvalidArchive as error:
            error.line = number
            raise
        if table is agent_instances and isinstance(waiting.key, int):
            self._agents[waiting.key] = str(waiting.row.get("name"))
        if not self._keep_schedules and waiting.row.get("schedule"):
            self._switch_off(waiting)
        self._waiting.append(waiting)
        self.counts[table.name] = self.counts.get(table.name, 0) + 1

    def _switch_off(self, waiting: WaitingWrite) -> None:
        """Leave a row with nothing that is due for it."""
        agent = self._agents.get(waiting.refers.get("instance_key", 0))
        kind, name = ("prompt set", waiting.row["name"]) if agent is None else ("agent", agent)
        self.switched_off.append(IntakeDisabled(kind, name, waiting.row["schedule"]))
        waiting.row |= {"schedule": None, "next_run_at": None}

    async def begin(self) -> None:
        """Get ready, inside the transaction that is to hold it all."""
        await self._keys.begin()

    async def end(self) -> None:
        """Store what still waits."""
        await self.flush()
        await self._keys.end()

    async def flush(self) -> None:
        """Store what was taken since the last time."""
        waiting, table, self._waiting = self._waiting, self._table, []
        if not waiting or table is None:
            return
        await self._refer(table, waiting)
        await self._share(table, waiting)
        stored = await self._archive.store(table, [record.row for record in waiting])
        if "key" in table.c:
            await self._keys.remember(
                table.name, zip((record.key for record in waiting), stored, strict=True)
            )

    async def _refer(self, table: Table, waiting: list[WaitingWrite]) -> None:
        """Put the new keys of the rows that a chunk refers to into it."""
        for column in {name for record in waiting for name in record.refers}:
            target = target_of(table.c[column])
            assert target is not None
            old = {record.refers[column] for record in waiting if column in record.refers}
            known = await self._keys.find(target, old)
            for record in waiting:
                if column not in record.refers:
                    continue
                if record.refers[column] not in known:
                    raise InvalidArchive(f"{table.name}.{column} refers to nothing before it", record.number)
                record.row[column] = known[record.refers[column]]

    async def _share(self, table: Table, waiting: list[WaitingWrite]) -> None:
        """Put the keys of rows shared by companies into a chunk, making those that are new."""
        for column in {name for record in waiting for name in record.shared}:
            words = {record.shared[column] for record in waiting if column in record.shared}
            keys = await (self._of_channels(words) if column == "channel_key" else self._of_urls(words))
            for record in waiting:
                if column in record.shared:
                    record.row[column] = keys[record.shared[column]]

    async def _of_channels(self, wanted: set[SharedWords]) -> Mapping[SharedWords, int]:
        for words in wanted - self._channel_keys.keys():
            platform, mode, source, country = map(str, words)
            self._channel_keys[words] = await self._channels.key(platform, mode, source, country)
        return self._channel_keys

    async def _of_urls(self, wanted: set[SharedWords]) -> Mapping[SharedWords, int]:
        pages = {words: CitedPage(str(words[0]), words[1]) for words in wanted}
        keys = await self._citations.page_keys(set(pages.values()))
        return {words: keys[page] for words, page in pages.items()}


def read(table: Table, number: int, key: Any, values: Mapping[str, Any]) -> WaitingWrite:
    """Read a record as far as it stands alone. Raises InvalidArchive."""
    unknown = values.keys() - table.c.keys()
    if unknown:
        raise InvalidArchive(f"{table.name} has no column {sorted(unknown)[0][:40]!r} here")
    waiting = WaitingWrite(number, key, {})
    for name, value in values.items():
        target = target_of(table.c[name])
        if target is None or value is None:
            waiting.row[name] = from_record_value(table.c[name], value)
        elif target in SHARED:
            waiting.shared[name] = words_of(target, value)
        elif target in TABLES and isinstance(value, int) and not isinstance(value, bool):
            waiting.refers[name] = value
        else:
            raise InvalidArchive(f"{table.name}.{name} refers to nothing before it")
    return waiting


def words_of(name: str, value: Any) -> SharedWords:
    """Return what a record says of a row shared by companies. Raises InvalidArchive."""
    if not (isinstance(value, list) and len(value) == len(SHARED[name])):  # pyright: ignore[reportUnknownArgumentType] # any list
        raise InvalidArchive(f"{name} needs {', '.join(SHARED[name])}")
    if name == "cited_urls":
        url, title = cast(list[Any], value)
        return str(url), from_record_value(cited_urls.c.title, title)
    return tuple(str(part) for part in value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] # text is all it may be

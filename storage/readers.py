"""Connections that only read: a few of them for a SQLite file, a pool for PostgreSQL."""

import asyncio
import logging
import sqlite3
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, cast

import aiosqlite
from sqlalchemy.engine import URL, Dialect
from sqlalchemy.exc import TimeoutError as PoolTimeout

from storage.engines import (
    PLANNING,
    POOL_SECONDS,
    PRAGMAS,
    busy_seconds,
    cache_size,
    postgres_arguments,
    sqlite_path,
)
from storage.failures import named_failure, named_failures
from storage.pool_sizes import PoolSizes
from storage.pools import NO_CONNECTION, BackgroundShare, PoolUsage, is_background
from storage.queries import Query, QuerySession

events = logging.getLogger("seenby.events")

READERS = 4
CONNECT_SECONDS = 10.0
LONGEST_STATEMENT = 500
KEPT_FREE = 2
"""Reading connections of PostgreSQL that work in the background leaves to callers."""
PLANNING_BRIEF = {**PLANNING, "join_collapse_limit": "6"}
PLANNING_READS = {**PLANNING_BRIEF, "plan_cache_mode": "force_custom_plan"}
"""For PostgreSQL: a plan made for all values at once is ten times slower for a brand with most of the answers. Of more
than six tables the first ones are ordered by themselves: with all nine around an answer it planned for 20 ms what it
read in one. With four it took 50 s for what takes 0.1 s, as it could no longer begin with a rare prompt."""
BRIEF_SECONDS = 0.002
"""How long a read may hold up the event loop; a longer one is named in the log, to be moved to a thread."""
SLOW_TIMES = 3
"""From which time on it is named: the first reads of a process find nothing in memory."""


class Readers(QuerySession, Protocol):
    """A pool of connections for reads outside transactions."""

    @property
    def usage(self) -> PoolUsage:
        """How many connections read now, of how many there may be."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


class SqliteReaders:
    """Read-only connections to one SQLite file: one on the event loop's thread, the others on threads of their own.

    Brief queries run on the first: a reader of a WAL file waits for no writer, and what would wait all the same is
    handed to a thread. Everything else goes to the threads in turn.
    """

    def __init__(
        self, local_connection: sqlite3.Connection, connections: list[aiosqlite.Connection], dialect: Dialect
    ) -> None:
        self._here = local_connection
        self._connections = connections
        self._next = 0
        self._waiting = 0
        self._slow_reads = Counter[str]()
        self.dialect = dialect

    @classmethod
    async def open(cls, url: URL, cache_megabytes: int) -> "SqliteReaders":
        """Open the connections; a missing file is created, for its owner alone to read."""
        path = sqlite_path(url)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(0o600)
        local_connection = sqlite3.connect(path, isolation_level=None, timeout=busy_seconds(url))
        opened = cls(local_connection, [], url.get_dialect()())
        try:
            pages = cache_size(cache_megabytes)
            for pragma in (*PRAGMAS, pages, "PRAGMA query_only=ON", "PRAGMA busy_timeout=0"):
                local_connection.execute(pragma)
            for _ in range(READERS):
                await opened._connect(path, busy_seconds(url), pages)
        except BaseException:
            await opened.close()  # each has a thread, which would keep the process alive
            raise
        return opened

    async def _connect(self, path: Path, seconds: float, pages: str) -> None:
        connection = await aiosqlite.connect(path, isolation_level=None, timeout=seconds)
        self._connections.append(connection)
        for pragma in (*PRAGMAS, pages, "PRAGMA query_only=ON"):
            await connection.execute(pragma)

    async def close(self) -> None:
        """Close the connections and end their threads."""
        self._here.close()
        for connection in self._connections:
            await connection.close()

    async def fetch(self, query: Query[Any], values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """Run a compiled read."""
        compiled = query.compiled(self.dialect)
        arguments = compiled.arguments(values)
        if query.brief:
            started = time.perf_counter()
            with suppress(sqlite3.OperationalError):  # the thread waits for it, and reports what is wrong
                rows = self._here.execute(compiled.sql, arguments).fetchall()
                if (seconds := time.perf_counter() - started) > BRIEF_SECONDS:
                    self._note_slow_read(compiled.sql, seconds)
                return rows
        self._next = (self._next + 1) % len(self._connections)
        self._waiting += 1
        try:
            return list(await self._connections[self._next].execute_fetchall(compiled.sql, arguments))
        except Exception as error:  # cheaper than a context manager for a read that succeeds
            failure = named_failure(error)
            if failure is None:
                raise
            raise failure from error
        finally:
            self._waiting -= 1

    def _note_slow_read(self, statement: str, seconds: float) -> None:
        self._slow_reads[statement] += 1
        if self._slow_reads[statement] >= SLOW_TIMES:
            log_slow_read(statement, seconds)

    @property
    def usage(self) -> PoolUsage:
        """How many connections read now, of how many there may be; further reads wait behind them."""
        return PoolUsage("read", min(self._waiting, len(self._connections)), len(self._connections))


class Connections:
    """At most so many PostgreSQL connections with the same settings, each lent for one read at a time.

    The pool of asyncpg starts two tasks for each read: lending through it cost 96 of the 138 microseconds of
    processor time that a read of one row took.
    """

    def __init__(self, dsn: str, arguments: Mapping[str, Any], size: int) -> None:
        self._dsn = dsn
        self._arguments = arguments
        self._free: asyncio.LifoQueue[Any] = asyncio.LifoQueue()
        for _ in range(size):
            self._free.put_nowait(None)  # connected when all others are in use
        self.size = size

    async def fetch(self, statement: str, arguments: Sequence[Any]) -> Sequence[Sequence[Any]]:
        """Run a statement on a free connection. Raises PoolTimeout when none gets free."""
        connection = await self._next()
        try:
            if connection is None or connection.is_closed():
                connection = await self.connect()
            return await connection.fetch(statement, *arguments)
        finally:
            self._free.put_nowait(connection)

    async def connect(self) -> Any:
        """Open a connection. Raises what asyncpg raises."""
        import asyncpg  # pyright: ignore[reportMissingTypeStubs] # comes with the extra `postgres`

        return await cast(Any, asyncpg).connect(self._dsn, timeout=CONNECT_SECONDS, **self._arguments)

    async def _next(self) -> Any:
        if not self._free.empty():
            return self._free.get_nowait()
        try:
            async with asyncio.timeout(POOL_SECONDS):
                return await self._free.get()
        except TimeoutError as error:
            raise PoolTimeout(NO_CONNECTION) from error

    async def close(self) -> None:
        """Close the connections that are not in use, which are all of them once reads have ended."""
        while not self._free.empty():
            connection = self._free.get_nowait()
            if connection is not None:
                await connection.close(timeout=CONNECT_SECONDS)

    @property
    def in_use(self) -> int:
        """How many are lent now."""
        return self.size - self._free.qsize()


class PostgresReaders:
    """Connections of asyncpg with its prepared statements: for brief reads, and for all others.

    A brief read finds its rows by index whatever its values are, so PostgreSQL may keep its plan: to plan the read of
    five mentions took 1.2 ms, and to run it 0.3.
    """

    def __init__(self, dsn: str, dialect: Dialect, sizes: PoolSizes, *, pooler: bool = False) -> None:
        brief = postgres_arguments("brief read", PLANNING_BRIEF, pooler=pooler)
        reads = postgres_arguments("read", PLANNING_READS, pooler=pooler)
        self._brief = Connections(dsn, brief, sizes.brief)
        self._connections = Connections(dsn, reads, sizes.read)
        self._background = BackgroundShare(max(1, sizes.read - KEPT_FREE), POOL_SECONDS)
        self.dialect = dialect

    @classmethod
    async def open(
        cls, url: URL, dialect: Dialect, sizes: PoolSizes, *, pooler: bool = False
    ) -> "PostgresReaders":
        """Prepare the connections, and open one."""
        dsn = url.set(drivername="postgresql").render_as_string(hide_password=False)
        opened = cls(dsn, dialect, sizes, pooler=pooler)
        await opened._brief.fetch("SELECT 1", ())
        return opened

    async def close(self) -> None:
        """Close the connections."""
        await self._brief.close()
        await self._connections.close()

    async def fetch(self, query: Query[Any], values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """Run a compiled read on a free connection; background work leaves all of the brief ones to callers."""
        compiled = query.compiled(self.dialect)
        arguments = compiled.arguments(values)
        with named_failures():
            if is_background():
                async with self._background.turn():
                    return await self._connections.fetch(compiled.sql, arguments)
            connections = self._brief if query.brief else self._connections
            return await connections.fetch(compiled.sql, arguments)

    @property
    def usage(self) -> PoolUsage:
        """How many connections read now, of how many there may be."""
        in_use = self._brief.in_use + self._connections.in_use
        return PoolUsage("read", in_use, self._brief.size + self._connections.size)


def log_slow_read(statement: str, seconds: float) -> None:
    """Write the line of a read that held up the event loop: the statement, none of its values."""
    fields = {"statement": statement[:LONGEST_STATEMENT], "duration_ms": round(seconds * 1000, 3)}
    events.warning("slow_read", extra=fields)

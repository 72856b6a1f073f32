"""Connections that only read: a few of them for a SQLite file, a pool for PostgreSQL."""

import asyncio
import logging
import sqlite3
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, cast

import aiosqlite
from sqlalchemy import text
from sqlalchemy.engine import URL, Dialect
from sqlalchemy.exc import TimeoutError as PoolTimeout

from storage.engines import (
    PLANNING,
    POOL_SECONDS,
    PRAGMAS,
    WRITERS,
    busy_seconds,
    cache_size,
    sqlite_path,
)
from storage.failures import named_failure, named_failures
from storage.pools import NO_CONNECTION, BackgroundShare, PoolUsage, is_background
from storage.queries import Query, QuerySession

events = logging.getLogger("seenby.events")

READERS = 4
LONGEST_STATEMENT = 500
KEPT_FREE = 2
"""Reading connections of PostgreSQL that work in the background leaves to callers."""
PLANNING_READS = {**PLANNING, "plan_cache_mode": "force_custom_plan", "join_collapse_limit": "6"}
"""For PostgreSQL: a plan made for all values at once is ten times slower for a brand with most of the answers. Of more
than six tables the first ones are ordered by themselves: with all nine around an answer it planned for 20 ms what it
read in one. With four it took 50 s for what takes 0.1 s, as it could no longer begin with a rare prompt."""
BRIEF_SECONDS = 0.002
"""How long a read may hold up the event loop; a longer one is named in the log, to be moved to a thread."""
SLOW_TIMES = 3
"""From which time on it is named: the first reads of a process find nothing in memory."""
VERSION_SECONDS = 5.0
"""How long the version query of PostgreSQL may take: all callers wait for it, and its connection may be lost."""
SNAPSHOT = Query(text("SELECT CAST(pg_current_snapshot() AS text)"), str)


class Readers(QuerySession, Protocol):
    """A pool of connections for reads outside transactions."""

    async def version(self) -> Hashable:
        """Return a value that differs when something was committed since it was last asked for."""
        ...

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
        self._version: Hashable = None
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

    async def version(self) -> Hashable:
        """Return a value that differs when another connection has committed since it was last asked for.

        Callers that come together share one query, which runs when the first of them is served and holds until what the
        event loop has to do by then is done. A caller that is served in between waited before the query ran, as the
        loop serves in turn, and so every commit that it knows of was there.
        Source: SQLite's documentation of PRAGMA data_version.
        """
        if self._version is None:
            try:
                self._version = self._here.execute("PRAGMA data_version").fetchone()[0]
            except sqlite3.OperationalError:
                return object()  # equal to none before it: nothing that is cached is used
            asyncio.get_running_loop().call_soon(self._forget_version)
        return self._version

    def _forget_version(self) -> None:
        self._version = None

    @property
    def usage(self) -> PoolUsage:
        """How many connections read now, of how many there may be; further reads wait behind them."""
        return PoolUsage("read", min(self._waiting, len(self._connections)), len(self._connections))


async def _keep_session(_connection: object) -> None:
    """Leave a session as it is: reads change none of its settings, and asking to forget them is a round trip each."""


class PostgresReaders:
    """A pool of asyncpg connections with its own prepared statements."""

    def __init__(self, pool: Any, dialect: Dialect) -> None:
        self._pool = pool
        self._background = BackgroundShare(WRITERS - KEPT_FREE, POOL_SECONDS)
        self.dialect = dialect
        self._queries = SharedQueries(self._query_version)
        self._version_connection: Any = None

    @classmethod
    async def open(cls, url: URL, dialect: Dialect) -> "PostgresReaders":
        """Open the pool."""
        import asyncpg  # pyright: ignore[reportMissingTypeStubs] # comes with the extra `postgres`

        dsn = url.set(drivername="postgresql").render_as_string(hide_password=False)
        pool = await cast(Any, asyncpg).create_pool(
            dsn,
            min_size=KEPT_FREE,
            max_size=WRITERS + 1,  # one is kept for the version
            timeout=10,
            server_settings=PLANNING_READS,
            reset=_keep_session,
        )
        return cls(pool, dialect)

    async def close(self) -> None:
        """Close the pool."""
        await self._give_back()
        await self._pool.close()

    async def fetch(self, query: Query[Any], values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """Run a compiled read on a free connection; background work leaves some to callers."""
        compiled = query.compiled(self.dialect)
        arguments = compiled.arguments(values)
        with named_failures():
            if is_background():
                async with self._background.turn():
                    return await self._run(compiled.sql, arguments)
            # As nearly always: a turn costs half as much as what the driver does.
            return await self._run(compiled.sql, arguments)

    async def _run(self, statement: str, arguments: Sequence[Any]) -> Sequence[Sequence[Any]]:
        connection = await self._acquired()
        try:
            return await connection.fetch(statement, *arguments)
        finally:
            await self._pool.release(connection)

    async def version(self) -> Hashable:
        """Return a value that differs when a transaction with writes has ended since it was last asked for.

        A snapshot names the transactions that a statement sees: two statements with the same one see the same rows.
        Callers that come together share a query. Source: PostgreSQL's documentation of pg_current_snapshot.
        """
        return await self._queries.next()

    async def _query_version(self) -> Hashable:
        """Query on a connection that is kept for it: acquiring one costs more than the query."""
        compiled = SNAPSHOT.compiled(self.dialect)
        with named_failures():
            try:
                connection: Any = self._version_connection
                if connection is None or connection.is_closed():
                    await self._give_back()
                    connection = self._version_connection = await self._acquired()
                try:
                    return await connection.fetchval(compiled.sql, timeout=VERSION_SECONDS)
                except TimeoutError as error:
                    connection.terminate()  # nothing comes back on it, not even its end
                    raise PoolTimeout("the version query was not answered") from error
            except BaseException:
                await self._give_back()  # whatever is wrong with it, the next query begins with another one
                raise

    async def _give_back(self) -> None:
        connection, self._version_connection = self._version_connection, None
        if connection is not None:
            await self._pool.release(connection)

    async def _acquired(self) -> Any:
        """Return a free connection. Raises PoolTimeout."""
        try:
            return await self._pool.acquire(timeout=POOL_SECONDS)
        except TimeoutError as error:
            raise PoolTimeout(NO_CONNECTION) from error

    @property
    def usage(self) -> PoolUsage:
        """How many connections read now, of how many there may be."""
        in_use = self._pool.get_size() - self._pool.get_idle_size()
        return PoolUsage("read", in_use - (self._version_connection is not None), WRITERS)


class SharedQueries:
    """Runs one query after the other while callers wait.

    Callers that come while one is under way share the next, which begins after they came. One task runs all queries of
    a busy moment, and each caller waits for a future of its own: one that is cancelled takes nothing from the others.
    """

    def __init__(self, query: Callable[[], Awaitable[Hashable]]) -> None:
        self._query = query
        self._waiting: list[asyncio.Future[Hashable]] = []
        self._running: asyncio.Task[None] | None = None

    async def next(self) -> Hashable:
        """Return what a query that begins from now on returns; raises what it raises."""
        waiter: asyncio.Future[Hashable] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        if self._running is None:
            self._running = asyncio.create_task(self._run_for_all())
        return await waiter

    async def _run_for_all(self) -> None:
        served: list[asyncio.Future[Hashable]] = []
        try:
            while self._waiting:
                served, self._waiting = self._waiting, []
                try:
                    seen = await self._query()
                except Exception as error:
                    for waiter in served:
                        if not waiter.done():
                            waiter.set_exception(error)
                else:
                    for waiter in served:
                        if not waiter.done():
                            waiter.set_result(seen)
        finally:
            self._running = None
            for waiter in (*served, *self._waiting):  # left only when the loop itself ends
                waiter.cancel()
            self._waiting = []


def log_slow_read(statement: str, seconds: float) -> None:
    """Write the line of a read that held up the event loop: the statement, none of its values."""
    fields = {"statement": statement[:LONGEST_STATEMENT], "duration_ms": round(seconds * 1000, 3)}
    events.warning("slow_read", extra=fields)

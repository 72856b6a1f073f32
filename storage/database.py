"""Opens the database, lends readers and transactions, and brings the schema up to date."""

import sqlite3
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from copy import copy
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, cast

import aiosqlite
import anyio.to_thread
from sqlalchemy import Connection, create_engine, event, text
from sqlalchemy.engine import URL, Dialect, Engine, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from storage.errors import DatabaseUnavailable, WriteRefused
from storage.failures import is_unavailable, named_failure, named_failures, reason
from storage.lock_session import LockSession
from storage.migrations.newest import newest_revision
from storage.operators import Operators
from storage.pools import PoolUsage, pool_usage
from storage.presence import FilePresence, Presence, ServerPresence
from storage.sqlite_connections import BEGIN, connecting
from storage.sqlite_turns import WriteQueue
from storage.statements.queries import Query, QuerySession, Reads, arguments_of
from storage.workspace import CompanyRole, Workspace

READERS = 4
WRITERS = 6
"""Connections of a process that write at once; no transaction lasts longer than its statements."""
EXECUTORS = 6
"""Connections of a process for the durable engine, whose steps are brief too."""
POOL_SECONDS = 15.0
"""How long a caller waits for a connection of PostgreSQL before it hears that the database is busy."""
BUSY_SECONDS = 30.0
PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=NORMAL",
    "PRAGMA foreign_keys=ON",
)
CACHE_MEGABYTES = 64
"""Memory in which each connection to a SQLite file keeps its pages, of which a service has seven."""
PLANNING = {"jit": "off"}
PLANNING_READS = {**PLANNING, "plan_cache_mode": "force_custom_plan"}
"""For PostgreSQL: a plan made for all values at once is ten times slower for a brand with most of the answers."""
IS_VERSIONED = Query(
    text("SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'"),
    int,
    variants={
        "postgresql": text(
            "SELECT count(*) FROM pg_catalog.pg_class WHERE oid = to_regclass('alembic_version')"
        )
    },
)
REVISION = Query(text("SELECT version_num FROM alembic_version"), str)


class Database:
    """One database of the service: SQLite for one machine, PostgreSQL for several processes."""

    def __init__(self, engine: AsyncEngine, readers: "Readers", presence: Presence) -> None:
        self._engine = engine
        self._readers = readers
        self.presence = presence
        self.synchronous_engine = synchronous_engine(engine.url)
        self._role = CompanyRole.OWNER

    @classmethod
    async def open(cls, url: str, cache_megabytes: int = CACHE_MEGABYTES) -> "Database":
        """Open the database behind a SQLAlchemy URL, `sqlite+aiosqlite:///FILE` or `postgresql+asyncpg://...`.

        Each connection to a SQLite file keeps so many megabytes of its pages; what one command does needs few.

        `?timeout=SECONDS` says how long SQLite waits for another process that writes; 30 without it. Raises
        DatabaseUnavailable when it cannot be reached. The schema is not touched; see `migrate`.
        """
        try:
            target = make_url(url)
        except (ArgumentError, ValueError) as error:
            raise DatabaseUnavailable("the URL of the database cannot be read") from error
        opener = {"sqlite": cls._open_sqlite, "postgresql": cls._open_postgres}.get(target.get_backend_name())
        if opener is None:
            raise DatabaseUnavailable(
                f"{target.get_backend_name()} is not supported: use sqlite or postgresql"
            )
        try:
            return await opener(target, cache_megabytes)
        except Exception as error:
            if not is_unavailable(error):
                raise
            where = target.set(query={}).render_as_string()
            raise DatabaseUnavailable(f"cannot open {where}: {reason(error)}") from error

    @classmethod
    async def _open_sqlite(cls, url: URL, cache_megabytes: int) -> "Database":
        readers = await SqliteReaders.open(url, cache_megabytes)
        return cls(sqlite_engine(url, cache_megabytes), readers, FilePresence(sqlite_path(url)))

    @classmethod
    async def _open_postgres(cls, url: URL, _: int) -> "Database":
        if find_spec("asyncpg") is None:
            raise DatabaseUnavailable("PostgreSQL needs the extra: pip install 'seenby[postgres]'")
        engine = create_async_engine(
            url,
            pool_size=WRITERS,
            max_overflow=0,
            pool_timeout=POOL_SECONDS,
            pool_pre_ping=True,
            connect_args={"server_settings": PLANNING},
        )
        readers = await PostgresReaders.open(url, engine.dialect)
        return cls(engine, readers, ServerPresence(LockSession(url)))

    async def close(self) -> None:
        """Give back every connection."""
        await self.presence.close()
        await self._readers.close()
        await self._engine.dispose()
        await anyio.to_thread.run_sync(self.synchronous_engine.dispose)

    async def migrate(self) -> None:
        """Bring the schema to this program's version; safe to race from several processes.

        A schema that is up to date costs two reads: no lock, and no migration machinery is loaded. Raises
        SchemaTooNew.
        """
        reads = Reads(self._readers)
        if await reads.first(IS_VERSIONED) and await reads.first(REVISION) == newest_revision():
            return
        from storage.migrations.upgrade import upgrade  # heavy, and seldom needed

        with named_failures():
            async with self._engine.begin() as connection:
                await connection.run_sync(upgrade)

    async def is_versioned(self) -> bool:
        """Tell whether the database has a schema of this program, of whatever version."""
        return bool(await Reads(self._readers).first(IS_VERSIONED))

    async def faults(self) -> list[str]:
        """Look through the whole database for damage; return a clause for each kind of it. It takes a while."""
        with named_failures():
            async with self._engine.connect() as connection:
                return await connection.run_sync(damage_in)

    async def schema_differences(self) -> list[str]:
        """Return in what the schema differs from the declared one, a clause each; nothing is changed."""
        from storage.migrations.comparison import differences  # heavy, and seldom needed

        with named_failures():
            async with self._engine.connect() as connection:
                return await connection.run_sync(differences)

    @property
    def pools(self) -> tuple[PoolUsage, ...]:
        """How many connections are in use now: for writing, for reading and by the durable engine."""
        return (
            pool_usage("write", self._engine.pool),
            self._readers.usage,
            pool_usage("engine", self.synchronous_engine.pool),
        )

    @property
    def synchronous_url(self) -> str:
        """The database's address for a driver that blocks."""
        return self.synchronous_engine.url.render_as_string(hide_password=False)

    @property
    def operators(self) -> Operators:
        """Reads that belong to no single company: sign-in, keys, the operator's lists."""
        return Operators(self._readers)

    def acting_as(self, role: CompanyRole) -> "Database":
        """Return the same database, over the same connections, as people of a role may use it.

        The service's own work, which no person asks for, has every right.
        """
        acting = copy(self)
        acting._role = role
        return acting

    def workspace(self, company_id: str) -> Workspace:
        """Return the reading door to one company's rows; each read sees the latest commit."""
        return Workspace(self._readers, company_id)

    @asynccontextmanager
    async def transaction(self, company_id: str) -> AsyncGenerator[Workspace]:
        """Lend the writing door to one company's rows; leaving it commits, an exception rolls back.

        Raises WriteRefused for a viewer, before anything is read.
        """
        if self._role is CompanyRole.VIEWER:
            raise WriteRefused
        async with self.writing() as connection:
            yield Workspace(Transaction(connection), company_id)

    @asynccontextmanager
    async def operation(self) -> AsyncGenerator[Operators]:
        """Lend the operator's writing door; leaving it commits, an exception rolls back."""
        async with self.writing() as connection:
            yield Operators(Transaction(connection))

    @asynccontextmanager
    async def writing(self) -> AsyncGenerator[AsyncConnection]:
        """Lend a connection in a write transaction, database failures named."""
        with named_failures():
            async with self._engine.begin() as connection:
                yield connection

    async def refresh_statistics(self) -> None:
        """Let SQLite's planner count what has grown; PostgreSQL does so by itself.

        Without counts a read of a database that was just filled took up to sixty times as long.
        """
        if self._engine.dialect.name == "sqlite":
            async with self.writing() as connection:
                await connection.exec_driver_sql("PRAGMA analysis_limit=1000")
                await connection.exec_driver_sql("PRAGMA optimize=0x10002")


class Transaction:
    """Reads and writes on the connection of one open transaction."""

    def __init__(self, connection: AsyncConnection) -> None:
        self.connection = connection

    @property
    def dialect(self) -> Dialect:
        """The database's dialect."""
        return self.connection.dialect

    async def fetch(self, query: Query[Any], values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """Run a compiled read inside the transaction."""
        compiled = query.compiled(self.dialect)
        result = await self.connection.exec_driver_sql(compiled.sql, tuple(arguments_of(compiled, values)))
        return result.all()


class Readers(QuerySession, Protocol):
    """A pool of connections for reads outside transactions."""

    @property
    def usage(self) -> PoolUsage:
        """How many connections read now, of how many there may be."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


def damage_in(connection: Connection) -> list[str]:
    """Return what the database itself finds wrong with its files, references and indexes."""
    if connection.dialect.name == "postgresql":
        invalid = connection.execute(
            text("SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid")
        ).scalars()
        return [f"index {name} is not valid" for name in invalid]
    checked = connection.execute(text("PRAGMA integrity_check(5)")).scalars()
    orphans = connection.execute(text("PRAGMA foreign_key_check")).fetchmany(5)
    return [
        *(finding for finding in checked if finding != "ok"),
        *(f"a row of {orphan[0]} refers to no row of {orphan[2]}" for orphan in orphans),
    ]


def sqlite_engine(url: URL, cache_megabytes: int) -> AsyncEngine:
    """Make the writing engine of a SQLite file: every transaction takes the write lock at once."""
    path = sqlite_path(url)
    path.parent.mkdir(parents=True, exist_ok=True)
    seconds = busy_seconds(url)
    engine = create_async_engine(
        url,
        connect_args={"timeout": seconds, "async_creator_fn": connecting},
        pool_size=2,
        max_overflow=0,
        pool_timeout=seconds + 1,
    )

    @event.listens_for(engine.sync_engine, "connect")
    def connected(connection: Any, _: object) -> None:  # pyright: ignore[reportUnusedFunction] # called by the event
        connection.isolation_level = None
        prepare(connection, cache_megabytes)

    @event.listens_for(engine.sync_engine, "begin")
    def begun(connection: Any) -> None:  # pyright: ignore[reportUnusedFunction] # called by the event
        connection.exec_driver_sql(BEGIN)

    return engine


def synchronous_engine(url: URL) -> Engine:
    """Make an engine that blocks, for a library that runs on threads; it connects on first use."""
    if url.get_backend_name() == "postgresql":
        return create_engine(url.set(drivername="postgresql+psycopg"), pool_size=EXECUTORS, max_overflow=0)
    settings = {"timeout": busy_seconds(url), "factory": WriteQueue}
    engine = create_engine(
        url.set(drivername="sqlite"), connect_args=settings, pool_size=EXECUTORS, max_overflow=0
    )

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _: object) -> None:  # pyright: ignore[reportUnusedFunction] # called by the event
        connection.isolation_level = "IMMEDIATE"
        prepare(connection)

    return engine


def prepare(connection: Any, cache_megabytes: int = CACHE_MEGABYTES) -> None:
    """Set what a writing connection to a SQLite file needs, before it runs anything else."""
    if sqlite3.sqlite_version_info < (3, 42):
        connection.create_function("unixepoch", 1, now)
    for pragma in (*PRAGMAS, cache_size(cache_megabytes)):
        connection.execute(pragma)


def cache_size(megabytes: int) -> str:
    """Return the statement that bounds a connection's pages."""
    return f"PRAGMA cache_size=-{megabytes * 1024}"


def now(_: object) -> float:
    """Stand in for SQL's unixepoch, whose fractions of a second older SQLite versions lack."""
    return time.time()


def busy_seconds(url: URL) -> float:
    """Return how long a writer of this SQLite file waits for another one, in seconds."""
    timeout = url.query.get("timeout")
    try:
        return float(timeout) if isinstance(timeout, str) else BUSY_SECONDS
    except ValueError:
        raise DatabaseUnavailable("the timeout in the URL of the database is no number of seconds") from None


def sqlite_path(url: URL) -> Path:
    """Return the file of a SQLite URL; in memory is refused, since every connection would see its own."""
    if not url.database or url.database == ":memory:":
        raise DatabaseUnavailable(
            "a SQLite database in memory cannot be shared between connections: name a file"
        )
    return Path(url.database)


class SqliteReaders:
    """Read-only connections to one SQLite file: one on the event loop's thread, the others on threads of their own.

    Brief queries run on the first: a reader of a WAL file waits for nobody, and what would wait all the same is
    handed to a thread. Everything else goes to the threads in turn.
    """

    def __init__(
        self, local_connection: sqlite3.Connection, connections: list[aiosqlite.Connection], dialect: Dialect
    ) -> None:
        self._here = local_connection
        self._connections = connections
        self._next = 0
        self._waiting = 0
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
        arguments = arguments_of(compiled, values)
        if query.brief:
            with suppress(sqlite3.OperationalError):  # the thread tells what is wrong, after waiting for it
                return self._here.execute(compiled.sql, arguments).fetchall()
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

    @property
    def usage(self) -> PoolUsage:
        """How many connections read now, of how many there may be; further reads wait behind them."""
        return PoolUsage("read", min(self._waiting, len(self._connections)), len(self._connections))


class PostgresReaders:
    """A pool of asyncpg connections with its own prepared statements."""

    def __init__(self, pool: Any, dialect: Dialect) -> None:
        self._pool = pool
        self.dialect = dialect

    @classmethod
    async def open(cls, url: URL, dialect: Dialect) -> "PostgresReaders":
        """Open the pool."""
        import asyncpg  # pyright: ignore[reportMissingTypeStubs] # comes with the extra `postgres`

        dsn = url.set(drivername="postgresql").render_as_string(hide_password=False)
        pool = await cast(Any, asyncpg).create_pool(
            dsn, min_size=1, max_size=WRITERS, timeout=10, server_settings=PLANNING_READS
        )
        return cls(pool, dialect)

    async def close(self) -> None:
        """Close the pool."""
        await self._pool.close()

    async def fetch(self, query: Query[Any], values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """Run a compiled read on a free connection."""
        compiled = query.compiled(self.dialect)
        with named_failures():
            try:
                connection = await self._pool.acquire(timeout=POOL_SECONDS)
            except TimeoutError as error:
                raise PoolTimeout("no reading connection became free") from error
            try:
                return await connection.fetch(compiled.sql, *arguments_of(compiled, values))
            finally:
                await self._pool.release(connection)

    @property
    def usage(self) -> PoolUsage:
        """How many connections read now, of how many there may be."""
        pool = self._pool
        return PoolUsage("read", pool.get_size() - pool.get_idle_size(), pool.get_max_size())

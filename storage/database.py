"""Opens the database, provides readers and transactions, and migrates the schema."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from copy import copy
from importlib.util import find_spec
from typing import Any

import anyio.to_thread
from sqlalchemy import Connection, event, text
from sqlalchemy.engine import URL, Dialect, Engine, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.pool import ConnectionPoolEntry

from storage.engines import (
    SERVICE_CACHE,
    CacheMegabytes,
    postgres_engine,
    sqlite_engine,
    sqlite_path,
    synchronous_engine,
)
from storage.errors import DatabaseUnavailable, WriteRefused
from storage.failures import is_unavailable, named_failures, reason
from storage.migrations.upgrade import newest_revision, reject_unknown
from storage.operators import Operators
from storage.pool_sizes import CONNECTIONS, PoolSizes
from storage.pools import PoolUsage, pool_usage
from storage.presence import FilePresence, LockSession, Presence, ServerPresence
from storage.queries import Query, fetch_first
from storage.readers import PostgresReaders, Readers, SqliteReaders
from storage.workspace import CompanyRole, Workspace

IS_VERSIONED = Query(
    text("SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'"),
    int,
    variants={
        "postgresql": text(
            "SELECT count(*) FROM pg_catalog.pg_class WHERE oid = to_regclass('alembic_version')"
        )
    },
)
COUNTED_TABLES = """
SELECT name FROM sqlite_master
WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT IN ('answer_texts', 'answer_exchanges')
"""
HAS_GROWN = """
SELECT (SELECT coalesce(max("key"), 0) FROM answers)
    >= 2 * (SELECT coalesce(max(CAST(stat AS INTEGER)), 0) FROM sqlite_stat1 WHERE tbl = 'answers')
"""
"""An index's statistics start with its number of rows, which may be half of the actual number but hardly more."""
REVISION = Query(text("SELECT version_num FROM alembic_version"), str)


class Database:
    """A database of the service: SQLite for a single machine, PostgreSQL for several processes."""

    def __init__(
        self, engine: AsyncEngine, readers: Readers, presence: Presence, synchronous_engine: Engine
    ) -> None:
        self._engine = engine
        self._readers = readers
        self.presence = presence
        self.synchronous_engine = synchronous_engine
        self._role = CompanyRole.OWNER

    @classmethod
    async def open(
        cls,
        url: str,
        cache: CacheMegabytes = SERVICE_CACHE,
        connections: int = CONNECTIONS,
        direct_url: str | None = None,
    ) -> "Database":
        """Open the database at a SQLAlchemy URL, `sqlite+aiosqlite:///FILE` or `postgresql+asyncpg://...`.

        Each connection to a SQLite file keeps `cache` of its pages; a single command needs little.
        `?timeout=SECONDS` sets how long SQLite waits for another writing process, 30 by default. At most `connections`
        are opened to PostgreSQL. With a `direct_url`, `url` is a pooler's: locks and the durable engine, which need a
        session, use the direct one, and no other statement relies on a session. Raises
        DatabaseUnavailable if the database cannot be reached. The schema is not changed; see `migrate`.
        """
        try:
            target = make_url(url)
            direct = make_url(direct_url) if direct_url else None
        except (ArgumentError, ValueError) as error:
            raise DatabaseUnavailable("the URL of the database cannot be read") from error
        kind = target.get_backend_name()
        if kind not in ("sqlite", "postgresql"):
            raise DatabaseUnavailable(f"{kind} is not supported: use sqlite or postgresql")
        try:
            if kind == "sqlite":
                return await cls._open_sqlite(target, cache)
            return await cls._open_postgres(target, connections, direct)
        except Exception as error:
            if not is_unavailable(error):
                raise
            where = target.set(query={}).render_as_string()
            raise DatabaseUnavailable(f"cannot open {where}: {reason(error)}") from error

    @classmethod
    async def _open_sqlite(cls, url: URL, cache: CacheMegabytes) -> "Database":
        readers = await SqliteReaders.open(url, cache.reading)
        presence = FilePresence(sqlite_path(url))
        return cls(sqlite_engine(url, cache.writing), readers, presence, synchronous_engine(url))

    @classmethod
    async def _open_postgres(cls, url: URL, connections: int, direct: URL | None) -> "Database":
        if find_spec("asyncpg") is None:
            raise DatabaseUnavailable("PostgreSQL needs the extra: pip install 'seenby[postgres]'")
        sizes = PoolSizes.of(connections)
        pooler, session_url = direct is not None, direct or url
        engine = postgres_engine(url, sizes.write, pooler=pooler)
        readers = await PostgresReaders.open(url, engine.dialect, sizes, pooler=pooler)
        presence = ServerPresence(LockSession(session_url))
        return cls(engine, readers, presence, synchronous_engine(session_url, sizes.engine))

    async def close(self) -> None:
        """Close every connection; that of a transaction that is still open closes when the transaction ends."""
        await self.presence.close()
        await self._readers.close()
        event.listen(self._engine.sync_engine.pool, "checkin", close_returned)
        await self._engine.dispose()
        await anyio.to_thread.run_sync(self.synchronous_engine.dispose)

    async def migrate(self) -> None:
        """Migrate the schema to this program's version; safe to run in several processes at once.

        An up-to-date schema costs two reads, without a lock or any migration machinery. Raises SchemaTooNew.
        """
        if await self.is_versioned() and await fetch_first(self._readers, REVISION) == newest_revision():
            return
        from storage.migrations.upgrade import upgrade  # slow to import and rarely needed

        with named_failures():
            async with self._engine.begin() as connection:
                await connection.run_sync(upgrade)

    async def is_versioned(self) -> bool:
        """Return whether the database has a schema of this program, of any version."""
        return bool(await fetch_first(self._readers, IS_VERSIONED))

    async def faults(self) -> list[str]:
        """Check the whole database for damage and return a clause for each kind found. This takes a while."""
        with named_failures():
            async with self._engine.connect() as connection:
                return await connection.run_sync(damage_in)

    async def ping(self) -> None:
        """Read one row that every migrated database has. Raises DatabaseUnavailable if there is no response."""
        await fetch_first(self._readers, REVISION)

    async def check_schema(self) -> None:
        """Raise SchemaTooNew once a newer version of the program has migrated the database. Costs one read."""
        reject_unknown(await fetch_first(self._readers, REVISION))

    async def schema_differences(self) -> list[str]:
        """Return the differences from the declared schema, a clause each, without changing anything."""
        from storage.migrations.comparison import differences  # slow to import and rarely needed

        with named_failures():
            async with self._engine.connect() as connection:
                return await connection.run_sync(differences)

    @property
    def pools(self) -> tuple[PoolUsage, ...]:
        """The number of connections in use: for writing, for reading and by the durable engine."""
        return (
            pool_usage("write", self._engine.pool),
            self._readers.usage,
            pool_usage("engine", self.synchronous_engine.pool),
        )

    @property
    def synchronous_url(self) -> str:
        """The database URL for a blocking driver."""
        return self.synchronous_engine.url.render_as_string(hide_password=False)

    @property
    def operators(self) -> Operators:
        """Reads that belong to no single company: sign-in, keys, the operator's lists."""
        return Operators(self._readers)

    def acting_as(self, role: CompanyRole) -> "Database":
        """Return the same database, on the same connections, with the permissions of a role.

        Background work of the service, which no user started, has all permissions.
        """
        acting = copy(self)
        acting._role = role
        return acting

    def workspace(self, company_id: str) -> Workspace:
        """Return one company's rows for reading; each read sees the latest commit."""
        return Workspace(self._readers, company_id)

    @asynccontextmanager
    async def transaction(self, company_id: str) -> AsyncGenerator[Workspace]:
        """Provide one company's rows for writing in a transaction that commits on exit and rolls back on errors.

        Raises WriteRefused for a viewer, before anything is read.
        """
        if self._role is CompanyRole.VIEWER:
            raise WriteRefused
        async with self.writing() as connection:
            yield Workspace(Transaction(connection), company_id)

    @asynccontextmanager
    async def operation(self) -> AsyncGenerator[Operators]:
        """Provide the operator's repositories in a transaction that commits on exit and rolls back on an exception."""
        async with self.writing() as connection:
            yield Operators(Transaction(connection))

    @asynccontextmanager
    async def writing(self) -> AsyncGenerator[AsyncConnection]:
        """Provide a connection in a write transaction, with database failures named."""
        with named_failures():
            async with self._engine.begin() as connection:
                yield connection

    async def refresh_statistics(self, *, only_when_grown: bool = False) -> None:
        """Update the statistics of SQLite's query planner; PostgreSQL does so automatically.

        Without statistics, a read of a newly filled database took up to sixty times as long. Only a limited
        number of rows per index is examined. Texts are skipped, because they are only found by key: a table
        without an index is read whole. Before SQLite 3.46, `PRAGMA optimize` only considers tables that this
        connection has read itself. With `only_when_grown`, nothing happens until there are twice as many
        answers as in the last statistics.
        """
        if self._engine.dialect.name != "sqlite":
            return
        async with self.writing() as connection:
            if only_when_grown and not await _has_grown(connection):
                return
            tables = await connection.exec_driver_sql(COUNTED_TABLES)
            await connection.exec_driver_sql("PRAGMA analysis_limit=1000")
            for (table,) in tables.all():
                await connection.exec_driver_sql(f'ANALYZE "{table}"')


def close_returned(_: DBAPIConnection, returned: ConnectionPoolEntry) -> None:
    """Close a connection on its return to a pool that was disposed of, where it would never be used again."""
    returned.invalidate()


async def _has_grown(connection: AsyncConnection) -> bool:
    """Return whether SQLite has at least twice as many answers as its planner's statistics show."""
    known = await connection.exec_driver_sql("SELECT count(*) FROM sqlite_master WHERE name = 'sqlite_stat1'")
    return not known.scalar_one() or bool((await connection.exec_driver_sql(HAS_GROWN)).scalar_one())


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
        result = await self.connection.exec_driver_sql(compiled.sql, tuple(compiled.arguments(values)))
        return result.all()


def damage_in(connection: Connection) -> list[str]:
    """Return the errors that the database itself finds in its files, references and indexes."""
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

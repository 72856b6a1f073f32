"""SQLAlchemy engines of a database and their connection settings: for transactions, and for threads."""

import sqlite3
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import create_engine, event
from sqlalchemy.engine import URL, Engine
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from storage.errors import DatabaseUnavailable
from storage.sqlite import BEGIN, WriteQueue, connecting

EXECUTORS = 6
"""Connections of a process to a SQLite file for the durable engine, whose steps are brief."""
POOL_SECONDS = 15.0
"""How long a caller waits for a PostgreSQL connection before the database is reported as busy."""
BUSY_SECONDS = 30.0
IDLE_SECONDS = 1.0
"""Idle time after which a PostgreSQL connection is tested before use."""
USED_AT = "seenby_used_at"
PRAGMAS = (
    "PRAGMA synchronous=NORMAL",
    "PRAGMA foreign_keys=ON",
)


class CacheMegabytes(NamedTuple):
    """Page cache of a connection to a SQLite file: for one that writes, and for each that reads."""

    writing: int
    reading: int


SERVICE_CACHE = CacheMegabytes(writing=64, reading=64)
"""For a service, which has seven connections and repeats the same reads."""
PLANNING = {"jit": "off"}


def sqlite_engine(url: URL, cache_megabytes: int) -> AsyncEngine:
    """Create the writing engine of a SQLite file: every transaction takes the write lock at once."""
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


def synchronous_engine(url: URL, connections: int = EXECUTORS) -> Engine:
    """Create a blocking engine, for a library that runs on threads; it connects on first use."""
    if url.get_backend_name() == "postgresql":
        return create_engine(
            url.set(drivername="postgresql+psycopg"),
            pool_size=connections,
            max_overflow=0,
            connect_args={"application_name": application_name("engine")},
        )
    settings = {"timeout": busy_seconds(url), "factory": WriteQueue}
    engine = create_engine(
        url.set(drivername="sqlite"), connect_args=settings, pool_size=EXECUTORS, max_overflow=0
    )

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _: object) -> None:  # pyright: ignore[reportUnusedFunction] # called by the event
        connection.isolation_level = "IMMEDIATE"
        prepare(connection)

    return engine


def prepare(connection: Any, cache_megabytes: int = SERVICE_CACHE.writing) -> None:
    """Apply the settings that a writing connection to a SQLite file needs before any other statement."""
    if sqlite3.sqlite_version_info < (3, 42):
        connection.create_function("unixepoch", 1, now)
    for pragma in (*PRAGMAS, cache_size(cache_megabytes)):
        connection.execute(pragma)


def cache_size(megabytes: int) -> str:
    """Return the statement that limits a connection's page cache."""
    return f"PRAGMA cache_size=-{megabytes * 1024}"


def now(_: object) -> float:
    """Replace SQL's unixepoch, which lacks fractions of a second in older SQLite versions."""
    return time.time()


def busy_seconds(url: URL) -> float:
    """Return how long a writer of this SQLite file waits for another one, in seconds."""
    timeout = url.query.get("timeout")
    try:
        return float(timeout) if isinstance(timeout, str) else BUSY_SECONDS
    except ValueError:
        raise DatabaseUnavailable("the timeout in the URL of the database is no number of seconds") from None


def sqlite_path(url: URL) -> Path:
    """Return the file of a SQLite URL; in-memory databases are rejected, since every connection would see its own."""
    if not url.database or url.database == ":memory:":
        raise DatabaseUnavailable(
            "a SQLite database in memory cannot be shared between connections: name a file"
        )
    return Path(url.database)


def application_name(pool: str) -> str:
    """Return the name of a pool's connections in pg_stat_activity."""
    return f"seenby {pool}"


def postgres_arguments(pool: str, planning: Mapping[str, str], *, pooler: bool) -> dict[str, Any]:
    """Return arguments of asyncpg for the connections of a pool.

    Behind a `pooler`, each transaction may have another connection to the server: nothing can be prepared for later,
    and PgBouncer rejects the planner settings, which the operator sets on the role instead.
    """
    name = {"application_name": application_name(pool)}
    if pooler:
        return {"server_settings": name, "statement_cache_size": 0}
    return {"server_settings": {**planning, **name}}


UNPREPARED = {"prepared_statement_cache_size": 0, "prepared_statement_name_func": str}
"""For SQLAlchemy's dialect of asyncpg: statements without a name, which the next one replaces."""


def postgres_engine(url: URL, connections: int, *, pooler: bool = False) -> AsyncEngine:
    """Create the writing engine of a PostgreSQL database."""
    arguments = postgres_arguments("write", PLANNING, pooler=pooler)
    engine = create_async_engine(
        url,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=POOL_SECONDS,
        connect_args={**arguments, **(UNPREPARED if pooler else {})},
    )
    ping_when_idle(engine)
    return engine


def ping_when_idle(engine: AsyncEngine) -> None:
    """Test a connection before use if it has been idle for a while.

    Testing it before every transaction would add three round trips. A connection in use needs no test: if it
    breaks, the transaction fails as it would a moment later.
    """
    dialect = engine.sync_engine.dialect

    @event.listens_for(engine.sync_engine, "checkin")
    def returned(connection: Any, record: ConnectionPoolEntry) -> None:  # pyright: ignore[reportUnusedFunction] # called by the event
        record.info[USED_AT] = time.monotonic()

    @event.listens_for(engine.sync_engine, "checkout")
    def lent(connection: Any, record: ConnectionPoolEntry, _: object) -> None:  # pyright: ignore[reportUnusedFunction] # called by the event
        used_at = record.info.get(USED_AT)
        if used_at is None or time.monotonic() - used_at < IDLE_SECONDS:
            return
        try:
            dialect.do_ping(connection)
        except Exception as error:  # the pool then opens another one, or raises if it cannot
            raise DisconnectionError("the connection was lost while it was idle") from error

"""SQLAlchemy engines of a database and their connection settings: for transactions, and for threads."""

import sqlite3
import time
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import create_engine, event
from sqlalchemy.engine import URL, Engine
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from storage.errors import DatabaseUnavailable
from storage.sqlite import BEGIN, WriteQueue, connecting

WRITERS = 6
"""Concurrent writing connections of a process; no transaction lasts longer than its statements."""
EXECUTORS = 6
"""Connections of a process for the durable engine, whose steps are also brief."""
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


def synchronous_engine(url: URL) -> Engine:
    """Create a blocking engine, for a library that runs on threads; it connects on first use."""
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


def postgres_engine(url: URL) -> AsyncEngine:
    """Create the writing engine of a PostgreSQL database."""
    engine = create_async_engine(
        url,
        pool_size=WRITERS,
        max_overflow=0,
        pool_timeout=POOL_SECONDS,
        connect_args={"server_settings": PLANNING},
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

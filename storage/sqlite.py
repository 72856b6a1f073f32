"""SQLite connections that write: they take turns within a process, and each statement is one trip to their thread."""

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, cast

import aiosqlite
from aiosqlite.context import contextmanager

_turns: dict[Path, threading.Lock] = {}
os.register_at_fork(after_in_child=_turns.clear)  # a child must not wait for its parent's transactions
BEGINS = ("BEGIN ",)
CHANGES = ("INSERT", "UPDATE", "DELETE", "REPLAC")
"""The driver starts a transaction automatically before these statements, if configured to do so."""
ASK_AGAIN_SECONDS = 0.02
"""Pause between attempts to enable a file's write-ahead log, since SQLite itself does not wait for it."""


class WriteQueue(sqlite3.Connection):
    """A connection that waits for its turn before it starts to write, and releases it when its transaction ends.

    A turn passes on immediately, while SQLite's own retries sleep for increasing intervals of up to a tenth
    of a second even if the file is free. Other processes are waited for as usual. Raises OperationalError, in
    SQLite's words, if the turn has not come within the connection's timeout.
    """

    _writing = False

    def __init__(self, database: str, timeout: float = 5.0, **settings: Any) -> None:
        super().__init__(database, timeout, **settings)
        self._turn = _turns.setdefault(Path(database).resolve(), threading.Lock())
        self._timeout = timeout
        self._keep_write_ahead_log()

    def _keep_write_ahead_log(self) -> None:
        """Let readers read while one writes. A new file is converted once, which fails while it is written to."""
        until = time.monotonic() + self._timeout
        while True:
            try:
                self.execute("PRAGMA journal_mode=WAL")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() >= until:
                    self.close()
                    raise
                time.sleep(ASK_AGAIN_SECONDS)
            else:
                return

    def cursor(self, factory: Any = None) -> Any:
        """Return a cursor that takes turns."""
        return super().cursor(factory or TurnCursor)

    def wait(self, sql: str) -> None:
        """Wait for the turn if a statement starts a write."""
        if self._writing or self.in_transaction:
            return
        word = sql.lstrip()[:6].upper()
        if word in BEGINS or (word in CHANGES and self.isolation_level is not None):
            if not self._turn.acquire(timeout=self._timeout):
                raise sqlite3.OperationalError("database is locked")
            self._writing = True

    def pass_on(self) -> None:
        """Release the turn if no transaction is open."""
        if self._writing and not self.in_transaction:
            self._writing = False
            self._turn.release()

    def commit(self) -> None:
        """Commit and release the turn."""
        try:
            super().commit()
        finally:
            self.pass_on()

    def rollback(self) -> None:
        """Roll back and release the turn."""
        try:
            super().rollback()
        finally:
            self.pass_on()

    def close(self) -> None:
        """Close, which rolls back, and release the turn."""
        super().close()
        self._end()

    def __del__(self) -> None:
        """Release the turn if the connection was not closed."""
        self._end()

    def _end(self) -> None:
        if self._writing:
            self._writing = False
            self._turn.release()


class TurnCursor(sqlite3.Cursor):
    """A cursor of a connection that takes turns."""

    connection: WriteQueue  # pyright: ignore[reportIncompatibleMethodOverride, reportIncompatibleVariableOverride] # only such connections create these cursors

    def execute(self, sql: str, parameters: Any = (), /) -> Self:
        """Run a statement when it is this connection's turn."""
        self.connection.wait(sql)
        try:
            return super().execute(sql, parameters)
        finally:
            self.connection.pass_on()

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> Self:
        """Run a statement for each row when it is this connection's turn."""
        self.connection.wait(sql)
        try:
            return super().executemany(sql, parameters)
        finally:
            self.connection.pass_on()


BEGIN = "BEGIN IMMEDIATE"


@dataclass(frozen=True, slots=True)
class PendingStatement:
    """The state of a cursor before its first statement, and of a transaction that has not started yet."""

    description: None = None
    rowcount: int = -1
    lastrowid: None = None


class BatchedCursor(aiosqlite.Cursor):
    """A cursor whose only trip to the connection's thread is the statement itself, which returns its rows.

    In the driver, a statement takes four trips: for the cursor, the statement, its rows and closing the
    cursor. A brief statement takes 127 microseconds that way, and 81 in one trip. A transaction starts on the
    trip of its first statement, so that others do not wait for its lock longer than necessary.
    """

    def __init__(self, connection: "SafeConnection") -> None:
        super().__init__(connection, cast("sqlite3.Cursor", PendingStatement()))
        self._ours = connection
        self._rows: list[Any] = []

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> "BatchedCursor":
        """Run a statement and fetch all its rows."""
        if sql == BEGIN:
            self._ours.begins = True
        else:
            await self._make(sql, () if parameters is None else parameters, many=False)
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> "BatchedCursor":
        """Run a statement once for each row of parameters."""
        await self._make(sql, parameters, many=True)
        return self

    async def _make(self, sql: str, parameters: Any, *, many: bool) -> None:
        # Work queued from here on follows the start of the transaction, even if this is cancelled before its turn.
        begins, self._ours.begins = self._ours.begins, False
        await self._execute(self._run, sql, parameters, many, begins)  # pyright: ignore[reportUnknownMemberType] # untyped

    def _run(self, sql: str, parameters: Any, many: bool, begins: bool) -> None:
        cursor = self._ours.raw.cursor()
        if begins:
            cursor.execute(BEGIN)
        self._cursor = (cursor.executemany if many else cursor.execute)(sql, parameters)
        self._rows = cursor.fetchall() if cursor.description else []
        cursor.close()

    async def fetchall(self) -> list[Any]:
        """Return the rows that were fetched with the statement."""
        return self._rows

    async def close(self) -> None:
        """Do nothing: the cursor was closed with the statement."""


class SafeConnection(aiosqlite.Connection):
    """A connection that ends its thread only once.

    A cancelled transaction is closed twice: gracefully, and immediately because of the cancellation. The
    thread takes the first order and ends. Without this class, the graceful close would wait for the second
    order forever, and so would the process when it exits.
    """

    raw: WriteQueue
    _ended: asyncio.Future[Any] | None = None
    begins = False
    """Whether a transaction starts with the next statement."""

    def __init__(self, path: str, settings: Mapping[str, Any]) -> None:
        def connect() -> sqlite3.Connection:
            self.raw = sqlite3.connect(path, factory=WriteQueue, **settings)
            return self.raw

        super().__init__(connect, iter_chunk_size=64)

    @contextmanager
    async def cursor(self) -> aiosqlite.Cursor:
        """Return a cursor; creating it takes no trip."""
        return BatchedCursor(self)

    async def commit(self) -> None:
        """Commit, if a transaction has started."""
        if self.begins:
            self.begins = False
        else:
            await super().commit()

    async def rollback(self) -> None:
        """Roll back, if a transaction has started."""
        if self.begins:
            self.begins = False
        else:
            await super().rollback()

    def stop(self) -> asyncio.Future[Any] | None:
        """Order the thread to close the connection and end; return a future for its completion."""
        if self._ended is None:
            self._ended = cast("asyncio.Future[Any] | None", super().stop())  # pyright: ignore[reportUnknownMemberType] # an untyped future
        return self._ended


def connecting(path: str, **settings: Any) -> SafeConnection:
    """Return an awaitable connection whose thread does not keep the process alive."""
    made: list[SafeConnection] = []
    # A thread created by a daemon thread is also a daemon; aiosqlite has no other public way.
    maker = threading.Thread(target=lambda: made.append(SafeConnection(path, settings)), daemon=True)
    maker.start()
    maker.join()
    return made[0]

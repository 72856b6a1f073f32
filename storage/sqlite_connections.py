"""SQLite connections that writing engines use: one trip to their thread for a statement, and an end of it for sure."""

import asyncio
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

import aiosqlite
from aiosqlite.context import contextmanager

from storage.sqlite_turns import WriteQueue

BEGIN = "BEGIN IMMEDIATE"


@dataclass(frozen=True, slots=True)
class PendingStatement:
    """What a cursor tells before its first statement, and of a begin that is still to come."""

    description: None = None
    rowcount: int = -1
    lastrowid: None = None


class BatchedCursor(aiosqlite.Cursor):
    """A cursor whose only trip to the connection's thread is the statement itself, and its rows come back with it.

    As the driver has it, a statement is four trips: for the cursor, for the statement, for its rows and for the end
    of the cursor. Each costs more than most statements do. A transaction begins on the trip of its first statement,
    so that others wait for its lock no longer than they must.
    """

    def __init__(self, connection: "SafeConnection") -> None:
        super().__init__(connection, cast("sqlite3.Cursor", PendingStatement()))
        self._ours = connection
        self._rows: list[Any] = []

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> "BatchedCursor":
        """Run a statement and take all its rows along."""
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
        # What is ordered from here on comes after the begin, also when this is cancelled before it is its turn.
        begins, self._ours.begins = self._ours.begins, False
        await self._execute(self._run, sql, parameters, many, begins)  # pyright: ignore[reportUnknownMemberType] # untyped

    def _run(self, sql: str, parameters: Any, many: bool, begins: bool) -> None:
        cursor = self._ours._conn.cursor()  # pyright: ignore[reportPrivateUsage] # as the driver makes its own
        if begins:
            cursor.execute(BEGIN)
        self._cursor = (cursor.executemany if many else cursor.execute)(sql, parameters)
        self._rows = cursor.fetchall() if cursor.description else []
        cursor.close()

    async def fetchall(self) -> list[Any]:
        """Return the rows that came with the statement."""
        return self._rows

    async def close(self) -> None:
        """Do nothing: the end of the statement was the end of the cursor."""


class SafeConnection(aiosqlite.Connection):
    """A connection that tells its thread to end only once.

    A transaction that is cancelled is closed twice: gracefully, and at once because of the cancellation. The thread
    takes the first order and is gone; without this the graceful close waits for the second one for ever, and so
    does the process when it ends.
    """

    _ended: asyncio.Future[Any] | None = None
    begins = False
    """A transaction is to begin with the next statement."""

    @contextmanager
    async def cursor(self) -> aiosqlite.Cursor:
        """Return a cursor; making it is no trip."""
        return BatchedCursor(self)

    async def commit(self) -> None:
        """Commit; a transaction that has not begun is none."""
        if self.begins:
            self.begins = False
        else:
            await super().commit()

    async def rollback(self) -> None:
        """Roll back; a transaction that has not begun is none."""
        if self.begins:
            self.begins = False
        else:
            await super().rollback()

    def stop(self) -> asyncio.Future[Any] | None:
        """Order the thread to close the connection and end; return what is done when it has."""
        if self._ended is None:
            self._ended = cast("asyncio.Future[Any] | None", super().stop())  # pyright: ignore[reportUnknownMemberType] # an untyped future
        return self._ended


def connecting(path: str, **settings: Any) -> SafeConnection:
    """Return a connection to be awaited; its thread does not keep the process alive."""
    connection = SafeConnection(
        lambda: sqlite3.connect(path, factory=WriteQueue, **settings), iter_chunk_size=64
    )
    connection._thread.daemon = True  # pyright: ignore[reportPrivateUsage] # as SQLAlchemy does with its own
    return connection

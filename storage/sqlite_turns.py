"""Writers of one SQLite file in one process take turns, since SQLite itself lets them sleep and try again."""

import os
import sqlite3
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

_turns: dict[Path, threading.Lock] = {}
os.register_at_fork(after_in_child=_turns.clear)  # a child must not wait for what its parent was doing
BEGINS = ("BEGIN ",)
CHANGES = ("INSERT", "UPDATE", "DELETE", "REPLAC")
"""Before these the driver begins a transaction by itself, where it is set to."""
ASK_AGAIN_SECONDS = 0.02
"""Between two tries to have a file keep a write-ahead log, for which SQLite waits for nobody by itself."""


class WriteQueue(sqlite3.Connection):
    """A connection that waits for its turn before it begins to write, and gives it up when its transaction ends.

    A turn passes on at once; SQLite's own waiting sleeps for longer and longer, for up to a tenth of a second, while
    the file may be free. Other processes are waited for as ever. Raises OperationalError, in SQLite's words, when the
    turn has not come within the connection's timeout.
    """

    _writing = False

    def __init__(self, database: str, timeout: float = 5.0, **settings: Any) -> None:
        super().__init__(database, timeout, **settings)
        self._turn = _turns.setdefault(Path(database).resolve(), threading.Lock())
        self._timeout = timeout
        self._keep_write_ahead_log()

    def _keep_write_ahead_log(self) -> None:
        """Let readers read while one writes. A new file is switched to that once, which fails while anybody writes."""
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
        """Wait for the turn when a statement begins to write."""
        if self._writing or self.in_transaction:
            return
        word = sql.lstrip()[:6].upper()
        if word in BEGINS or (word in CHANGES and self.isolation_level is not None):
            if not self._turn.acquire(timeout=self._timeout):
                raise sqlite3.OperationalError("database is locked")
            self._writing = True

    def pass_on(self) -> None:
        """Give the turn up when no transaction is open any more."""
        if self._writing and not self.in_transaction:
            self._writing = False
            self._turn.release()

    def commit(self) -> None:
        """Commit, and pass the turn on."""
        try:
            super().commit()
        finally:
            self.pass_on()

    def rollback(self) -> None:
        """Roll back, and pass the turn on."""
        try:
            super().rollback()
        finally:
            self.pass_on()

    def close(self) -> None:
        """Close, which rolls back, and pass the turn on."""
        super().close()
        self._end()

    def __del__(self) -> None:
        """Pass the turn on when nobody closed the connection."""
        self._end()

    def _end(self) -> None:
        if self._writing:
            self._writing = False
            self._turn.release()


class TurnCursor(sqlite3.Cursor):
    """A cursor of a connection that takes turns."""

    connection: WriteQueue  # pyright: ignore[reportIncompatibleMethodOverride, reportIncompatibleVariableOverride] # the only kind that makes these

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

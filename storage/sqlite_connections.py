"""SQLite connections that writing engines use: each has a thread, and that thread ends whatever is cancelled."""

import asyncio
import sqlite3
from typing import Any, cast

import aiosqlite


class EndedOnce(aiosqlite.Connection):
    """A connection that tells its thread to end only once.

    A transaction that is cancelled is closed twice: gracefully, and at once because of the cancellation. The thread
    takes the first order and is gone; without this the graceful close waits for the second one for ever, and so
    does the process when it ends.
    """

    _ended: asyncio.Future[Any] | None = None

    def stop(self) -> asyncio.Future[Any] | None:
        """Order the thread to close the connection and end; return what is done when it has."""
        if self._ended is None:
            self._ended = cast("asyncio.Future[Any] | None", super().stop())  # pyright: ignore[reportUnknownMemberType] # an untyped future
        return self._ended


def connecting(path: str, **settings: Any) -> EndedOnce:
    """Return a connection to be awaited; its thread does not keep the process alive."""
    connection = EndedOnce(lambda: sqlite3.connect(path, **settings), iter_chunk_size=64)
    connection._thread.daemon = True  # pyright: ignore[reportPrivateUsage] # as SQLAlchemy does with its own
    return connection

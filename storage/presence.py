"""Which processes are alive: each holds a lock that the kernel or the database frees at its death."""

import fcntl
import os
from collections.abc import AsyncGenerator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Protocol

import anyio
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from storage.failures import named_failures
from storage.ids import new_id

WAIT_SECONDS = 0.2
WORKING = "hashtextextended('workers', 0)"
WORKERS = text(
    "SELECT count(*) FROM pg_locks"
    " JOIN pg_database ON pg_database.oid = pg_locks.database AND datname = current_database()"
    " WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted"
    f" AND (classid::bigint << 32 | objid::bigint) = {WORKING}"
)


class Presence(Protocol):
    """Tells the living executors of one database from the dead; nothing waits for a heartbeat."""

    def executor(self) -> AbstractAsyncContextManager[str]:
        """Lend a new executor identifier, alive until the block or the process ends."""
        ...

    def worker(self) -> AbstractAsyncContextManager[str]:
        """Lend the identifier of one who executes runs; waits while the database allows no more of them."""
        ...

    async def workers(self) -> int:
        """Return how many processes execute runs now."""
        ...

    def alone(self, name: str) -> AbstractAsyncContextManager[None]:
        """Wait until nobody else is inside a block of this name."""
        ...

    async def gone(self, executors: Iterable[str]) -> list[str]:
        """Return those of the executors that are not alive any more."""
        ...


class FilePresence:
    """Executors on one machine: a locked file each, beside the SQLite file."""

    def __init__(self, database: Path) -> None:
        self._folder = database.with_name(database.name + ".executors")

    @asynccontextmanager
    async def executor(self) -> AsyncGenerator[str]:
        """Lend an executor identifier; its file goes with it."""
        executor = new_id()
        path = self._folder / executor
        with named_failures():
            self._folder.mkdir(parents=True, exist_ok=True)
            opened = path.open("w", encoding="utf-8")
        with opened as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            try:
                yield executor
            finally:
                path.unlink(missing_ok=True)

    @asynccontextmanager
    async def worker(self) -> AsyncGenerator[str]:
        """Lend the one worker's identifier: only one process may claim runs of a SQLite file.

        Its successor has the same identifier and resumes what it left.
        """
        async with self.alone("worker"):
            yield "worker"

    async def workers(self) -> int:
        """Return 1 while somebody is the worker."""
        with self._lock_file("worker").open("w", encoding="utf-8") as file:
            return 0 if locked(file.fileno()) else 1

    def _lock_file(self, name: str) -> Path:
        return self._folder.with_suffix(f".{name}.lock")

    @asynccontextmanager
    async def alone(self, name: str) -> AsyncGenerator[None]:
        """Wait for the lock of a file of this name; the file stays, so that all lock the same one."""
        with self._lock_file(name).open("w", encoding="utf-8") as file:
            while not locked(file.fileno()):
                await anyio.sleep(WAIT_SECONDS)
            yield

    async def gone(self, executors: Iterable[str]) -> list[str]:
        """Return the executors whose file is missing or can be locked."""
        return [executor for executor in executors if not self._held(executor)]

    def _held(self, executor: str) -> bool:
        path = self._folder / executor
        try:
            descriptor = os.open(path, os.O_RDWR)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        else:
            path.unlink(missing_ok=True)
            return False
        finally:
            os.close(descriptor)


def locked(descriptor: int) -> bool:
    """Take the lock of an open file, unless somebody has it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class ServerPresence:
    """Executors anywhere: an advisory lock each, held by a PostgreSQL session of their own."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @asynccontextmanager
    async def executor(self) -> AsyncGenerator[str]:
        """Lend an executor identifier; PostgreSQL frees its lock when the session ends."""
        executor = new_id()
        async with self.alone(executor):
            yield executor

    @asynccontextmanager
    async def worker(self) -> AsyncGenerator[str]:
        """Lend an executor identifier: any number of processes may claim runs, and all share a lock to be counted."""
        executor = new_id()
        async with self._locked(executor) as session:
            await session.execute(text(f"SELECT pg_advisory_lock_shared({WORKING})"))
            try:
                yield executor
            finally:
                await session.execute(text(f"SELECT pg_advisory_unlock_shared({WORKING})"))

    async def workers(self) -> int:
        """Return how many sessions share the workers' lock."""
        async with self._engine.begin() as connection:
            return int(await connection.scalar(WORKERS) or 0)

    @asynccontextmanager
    async def alone(self, name: str) -> AsyncGenerator[None]:
        """Wait for the advisory lock of this name, on a session of its own."""
        async with self._locked(name):
            yield

    @asynccontextmanager
    async def _locked(self, name: str) -> AsyncGenerator[AsyncConnection]:
        async with self._engine.connect() as connection:
            session = await connection.execution_options(isolation_level="AUTOCOMMIT")
            await session.execute(text("SELECT pg_advisory_lock(hashtextextended(:id, 0))"), {"id": name})
            try:
                yield session
            finally:
                await session.execute(
                    text("SELECT pg_advisory_unlock(hashtextextended(:id, 0))"), {"id": name}
                )

    async def gone(self, executors: Iterable[str]) -> list[str]:
        """Return the executors whose lock is free."""
        free = text("SELECT pg_try_advisory_xact_lock(hashtextextended(:id, 0))")
        found: list[str] = []
        for executor in executors:
            async with self._engine.begin() as connection:
                if await connection.scalar(free, {"id": executor}):
                    found.append(executor)
        return found

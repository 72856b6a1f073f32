"""Which processes are alive: each holds a lock that the kernel or the database frees at its death."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Protocol

import anyio
from filelock import BaseFileLock, FileLock, Timeout

from storage.failures import named_failures
from storage.ids import new_id
from storage.lock_session import LockSession

WAIT_SECONDS = 0.2
WORKERS = "workers"
"""The lock that all processes share that execute runs."""
ENGINE_MIGRATION = "engine-migration"
"""Whoever holds it brings the tables of the run engine up to date, or copies a database in which nobody may do so."""


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

    async def find_orphaned_executors(self, executors: Iterable[str]) -> list[str]:
        """Return those of the executors that are not alive any more."""
        ...

    async def close(self) -> None:
        """Let go of what holds the locks."""
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
        lock = _file_lock(path)
        with named_failures():
            self._folder.mkdir(parents=True, exist_ok=True)
            lock.acquire()
        try:
            yield executor
        finally:
            lock.release()
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
        return 0 if _is_free(self._lock_file("worker")) else 1

    def _lock_file(self, name: str) -> Path:
        return self._folder.with_suffix(f".{name}.lock")

    @asynccontextmanager
    async def alone(self, name: str) -> AsyncGenerator[None]:
        """Wait for the lock of a file of this name."""
        lock = _file_lock(self._lock_file(name))
        while not _try_acquire(lock):
            await anyio.sleep(WAIT_SECONDS)
        try:
            yield
        finally:
            lock.release()

    async def find_orphaned_executors(self, executors: Iterable[str]) -> list[str]:
        """Return the executors whose file is missing or can be locked."""
        return [executor for executor in executors if not self._is_held(executor)]

    async def close(self) -> None:
        """Do nothing: every lock goes with its block."""

    def _is_held(self, executor: str) -> bool:
        path = self._folder / executor
        if not path.exists():
            return False
        if not _is_free(path):
            return True
        path.unlink(missing_ok=True)
        return False


def _file_lock(path: Path) -> BaseFileLock:
    """Return the unlocked lock of a file; a block that begins on one thread may end on another."""
    return FileLock(path, thread_local=False)


def _try_acquire(lock: BaseFileLock) -> bool:
    """Take a lock unless another process or another block has it."""
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return False
    return True


def _is_free(path: Path) -> bool:
    """Tell whether nobody holds the lock of a file."""
    lock = _file_lock(path)
    if not _try_acquire(lock):
        return False
    lock.release()
    return True


class ServerPresence:
    """Executors anywhere: an advisory lock each, all held by one PostgreSQL session of this process."""

    def __init__(self, locks: LockSession) -> None:
        self._locks = locks
        self._alone: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    @asynccontextmanager
    async def executor(self) -> AsyncGenerator[str]:
        """Lend an executor identifier; PostgreSQL frees its lock when the session ends."""
        executor = new_id()
        try:
            await self._locks.take(executor)
            yield executor
        finally:
            await self._locks.release(executor)

    @asynccontextmanager
    async def worker(self) -> AsyncGenerator[str]:
        """Lend an executor identifier: any number of processes may claim runs, and all share a lock to be counted."""
        async with self.executor() as executor:
            try:
                await self._locks.take(WORKERS, shared=True)
                yield executor
            finally:
                await self._locks.release(WORKERS, shared=True)

    async def workers(self) -> int:
        """Return how many sessions share the workers' lock."""
        return await self._locks.count(WORKERS)

    @asynccontextmanager
    async def alone(self, name: str) -> AsyncGenerator[None]:
        """Wait for the lock of this name: first within this process, whose session has it for all, then of others."""
        async with self._alone[name]:
            try:
                while not await self._locks.take(name):
                    await anyio.sleep(WAIT_SECONDS)
                yield
            finally:
                await self._locks.release(name)

    async def find_orphaned_executors(self, executors: Iterable[str]) -> list[str]:
        """Return the executors whose lock is free."""
        asked = list(executors)
        return await self._locks.free(asked) if asked else []

    async def close(self) -> None:
        """End the session that holds the locks."""
        await self._locks.close()

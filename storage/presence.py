"""Which processes are alive: each holds a file lock or a PostgreSQL advisory lock that is freed at its death."""

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Collection, Coroutine, Iterable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

import anyio
from filelock import BaseFileLock, FileLock, Timeout
from sqlalchemy.engine import URL

from storage.engines import application_name
from storage.errors import DatabaseUnavailable
from storage.failures import named_failures
from storage.ids import new_id

log = logging.getLogger(__name__)

OPEN_SECONDS = 10.0
STATEMENT_SECONDS = 10.0
REOPEN_SECONDS = 0.5
SETTLING_SECONDS = OPEN_SECONDS + REOPEN_SECONDS
"""After a start of the server no process counts as dead before it can be back: an attempt that began while the
server was away lasts OPEN_SECONDS at most, and the next one comes REOPEN_SECONDS later."""
HASH = "hashtextextended($1, 0)"
IS_GRANTED = (
    "locktype = 'advisory' AND granted AND objsubid = 1"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND (classid::bigint << 32 | objid::bigint)"
)
TAKE = f"SELECT pg_try_advisory_lock({HASH})"
SHARE = f"SELECT pg_try_advisory_lock_shared({HASH})"
RELEASE = f"SELECT pg_advisory_unlock({HASH})"
RELEASE_SHARE = f"SELECT pg_advisory_unlock_shared({HASH})"
COUNT = f"SELECT count(*) FROM pg_locks WHERE {IS_GRANTED} = {HASH}"
FREE = (
    "SELECT name FROM unnest($1::text[]) AS name"
    f" WHERE pg_postmaster_start_time() < now() - interval '{SETTLING_SECONDS} seconds'"
    f" AND NOT EXISTS (SELECT FROM pg_locks WHERE {IS_GRANTED} = hashtextextended(name, 0))"
)

Value = TypeVar("Value")


class LockSession:
    """Advisory locks by name, any number on one connection; it opens at first use, and again when it is lost.

    No statement waits for a lock, so that none keeps the others from their turn. A lock that was held when the
    connection was lost is taken again on the next one.
    """

    def __init__(self, url: URL) -> None:
        self._dsn = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._turn = asyncio.Lock()
        self._connection: Any = None
        self._held: Counter[tuple[str, bool]] = Counter()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    async def take(self, name: str, *, shared: bool = False) -> bool:
        """Take a lock unless another session has it; a lock of this session can be taken again."""
        return await self._run_to_completion(self._take(name, shared))

    async def release(self, name: str, *, shared: bool = False) -> None:
        """Give a lock back once; without one nothing happens."""
        await self._run_to_completion(self._release(name, shared))

    async def count(self, name: str) -> int:
        """Return how many sessions hold a lock."""
        return int(await self._run_to_completion(self._fetch_value(COUNT, name)))

    async def free(self, names: Collection[str]) -> list[str]:
        """Return those of the locks that no session holds."""
        return [row["name"] for row in await self._run_to_completion(self._fetch(FREE, list(names)))]

    async def close(self) -> None:
        """End the session, and with it every lock."""
        self._closed = True
        async with self._turn:
            if self._connection is not None and not self._connection.is_closed():
                await self._connection.close(timeout=OPEN_SECONDS)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run_to_completion(self, work: Coroutine[Any, Any, Value]) -> Value:
        """Finish what was begun also when the caller is cancelled, so that the books of held locks stay true."""
        task = asyncio.ensure_future(self._in_turn(work))
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    async def _in_turn(self, work: Coroutine[Any, Any, Value]) -> Value:
        """Let everything that was ordered before be over, so that a release finds what a cancelled caller took."""
        async with self._turn:
            return await work

    def _done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # a caller that was cancelled does not ask for it

    async def _take(self, name: str, shared: bool) -> bool:
        taken = bool(await self._fetch_value(SHARE if shared else TAKE, name))
        self._held[name, shared] += taken
        return taken

    async def _release(self, name: str, shared: bool) -> None:
        if not self._held[name, shared]:
            return
        self._held[name, shared] -= 1
        if self._connection is not None and not self._connection.is_closed():  # else it is free already
            await self._fetch_value(RELEASE_SHARE if shared else RELEASE, name)

    async def _fetch_value(self, statement: str, name: str) -> Any:
        [row] = await self._fetch(statement, name)
        return row[0]

    async def _fetch(self, statement: str, argument: object) -> list[Any]:
        with named_failures():
            connection = await self._open()
            return await connection.fetch(statement, argument)

    async def _open(self) -> Any:
        """Return the connection, a new one with all locks when there is none that works."""
        if self._closed:
            raise DatabaseUnavailable("the database is closed")
        if self._connection is None or self._connection.is_closed():
            import asyncpg  # pyright: ignore[reportMissingTypeStubs] # an extra: only PostgreSQL needs it

            connect = cast(Any, asyncpg).connect
            connection = await connect(
                self._dsn,
                timeout=OPEN_SECONDS,
                command_timeout=STATEMENT_SECONDS,
                server_settings={"application_name": application_name("locks")},
            )
            for (name, shared), times in self._held.items():
                for _ in range(times):
                    if not await connection.fetchval(SHARE if shared else TAKE, name):
                        log.warning("a lock was lost with its connection, and another process has it now")
            connection.add_termination_listener(self._lost)
            self._connection = connection
        return self._connection

    def _lost(self, connection: object) -> None:
        """Come back at once while locks are held: other processes take this one for dead."""
        if self._closed or not self._held.total():
            return
        log.warning("the connection that holds locks was lost; it is opened again")
        task = asyncio.get_running_loop().create_task(self._reopen())
        self._tasks.add(task)
        task.add_done_callback(self._done)

    async def _reopen(self) -> None:
        while not self._closed:
            try:
                async with self._turn:
                    await self._open()
            except Exception:
                await asyncio.sleep(REOPEN_SECONDS)
            else:
                return


WAIT_SECONDS = 0.2
WORKERS = "workers"
"""The lock that all processes share that execute runs."""
ENGINE_MIGRATION = "engine-migration"
"""The process that holds it migrates the tables of the run engine, or copies a database while no process may."""


def of_version(name: str, version: str) -> tuple[str, ...]:
    """Return the names of the locks of a worker: the one of all workers, and the one of its version if it has one."""
    return (name, f"{name}-{version}") if version else (name,)


class Presence(Protocol):
    """Which executors of one database are alive; nothing waits for a heartbeat."""

    def executor(self) -> AbstractAsyncContextManager[str]:
        """Lend a new executor identifier, alive until the block or the process ends."""
        ...

    def worker(self, version: str = "") -> AbstractAsyncContextManager[str]:
        """Lend the identifier of a process that executes runs; waits while the database allows no more of them."""
        ...

    async def workers(self, version: str = "") -> int:
        """Return how many processes execute runs now: of every version, or of one."""
        ...

    def alone(self, name: str) -> AbstractAsyncContextManager[None]:
        """Wait until no other task or process is inside a block of this name."""
        ...

    async def find_orphaned_executors(self, executors: Iterable[str]) -> list[str]:
        """Return those of the executors that are not alive any more."""
        ...

    async def close(self) -> None:
        """Release every lock."""
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
    async def worker(self, version: str = "") -> AsyncGenerator[str]:
        """Lend the one worker's identifier: only one process may claim runs of a SQLite file.

        Its successor has the same identifier and resumes what it left.
        """
        async with AsyncExitStack() as stack:
            for name in of_version("worker", version):
                await stack.enter_async_context(self.alone(name))
            yield "worker"

    async def workers(self, version: str = "") -> int:
        """Return 1 while a process is the worker."""
        return 0 if _is_free(self._lock_file(of_version("worker", version)[-1])) else 1

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
    """Return whether the lock of a file is free."""
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
    async def worker(self, version: str = "") -> AsyncGenerator[str]:
        """Lend an executor identifier: any number of processes may claim runs, and all share a lock to be counted."""
        names = of_version(WORKERS, version)
        async with self.executor() as executor:
            try:
                for name in names:
                    await self._locks.take(name, shared=True)
                yield executor
            finally:
                for name in names:
                    await self._locks.release(name, shared=True)

    async def workers(self, version: str = "") -> int:
        """Return how many sessions share the workers' lock."""
        return await self._locks.count(of_version(WORKERS, version)[-1])

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

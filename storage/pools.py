"""Connection pools: their usage, and the share that background work may take of them."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import Pool, QueuePool


@dataclass(frozen=True, slots=True)
class PoolUsage:
    """One pool of connections: what it is for, how many are in use, and how many there may be."""

    name: str
    in_use: int
    size: int


def pool_usage(name: str, pool: Pool) -> PoolUsage:
    """Return the usage of an engine's pool, which has a fixed size."""
    assert isinstance(pool, QueuePool)
    return PoolUsage(name, pool.checkedout(), pool.size())


NO_CONNECTION = "no reading connection became free"
_IN_BACKGROUND = ContextVar("in_background", default=False)


@contextmanager
def background_work() -> Generator[None]:
    """Mark what is done in the block, and every task that is started in it, as background work."""
    token = _IN_BACKGROUND.set(True)
    try:
        yield
    finally:
        _IN_BACKGROUND.reset(token)


def is_background() -> bool:
    """Return whether what runs here is background work."""
    return _IN_BACKGROUND.get()


class BackgroundShare:
    """How many connections of a pool background work has at once; others take whatever is free."""

    def __init__(self, connections: int, seconds: float) -> None:
        self._turns = asyncio.Semaphore(connections)
        self._seconds = seconds

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None]:
        """Wait for a connection of the share. Raises PoolTimeout when none gets free."""
        try:
            async with asyncio.timeout(self._seconds):
                await self._turns.acquire()
        except TimeoutError as error:
            raise PoolTimeout(NO_CONNECTION) from error
        try:
            yield
        finally:
            self._turns.release()

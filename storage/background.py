"""Work that nobody waits for: it leaves some of the reading connections to callers who do wait."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar

from sqlalchemy.exc import TimeoutError as PoolTimeout

NO_CONNECTION = "no reading connection became free"
_IN_BACKGROUND = ContextVar("in_background", default=False)


@contextmanager
def background_work() -> Generator[None]:
    """Mark what is done in the block, and every task that is started in it, as work that nobody waits for."""
    token = _IN_BACKGROUND.set(True)
    try:
        yield
    finally:
        _IN_BACKGROUND.reset(token)


def is_background() -> bool:
    """Tell whether what runs here is work that nobody waits for."""
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

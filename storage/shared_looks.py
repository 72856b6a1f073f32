"""Looks at a database that callers who come together share: each is given one that began after he came."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable


class SharedLooks:
    """Makes one look after the other while somebody waits.

    Callers who come while one look is under way share the next. One task makes all looks of a busy while, and a caller
    waits for a future of his own: whoever gives up takes nothing from the others.
    """

    def __init__(self, look: Callable[[], Awaitable[Hashable]]) -> None:
        self._look = look
        self._waiting: list[asyncio.Future[Hashable]] = []
        self._looking: asyncio.Task[None] | None = None

    async def next(self) -> Hashable:
        """Return what a look that begins from now on sees; raises what it raises."""
        waiter: asyncio.Future[Hashable] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        if self._looking is None:
            self._looking = asyncio.create_task(self._look_for_all())
        return await waiter

    async def _look_for_all(self) -> None:
        served: list[asyncio.Future[Hashable]] = []
        try:
            while self._waiting:
                served, self._waiting = self._waiting, []
                try:
                    seen = await self._look()
                except Exception as error:
                    for waiter in served:
                        if not waiter.done():
                            waiter.set_exception(error)
                else:
                    for waiter in served:
                        if not waiter.done():
                            waiter.set_result(seen)
        finally:
            self._looking = None
            for waiter in (*served, *self._waiting):  # left only where the loop itself ends
                waiter.cancel()
            self._waiting = []

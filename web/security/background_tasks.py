"""Background tasks that no response waits for, so that timing reveals nothing to the caller."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from starlette.background import BackgroundTask
from starlette.responses import Response

from storage.pools import background_work

FINISH_SECONDS = 10.0
"""How long a server that ends waits for such work, a few statements."""
log = logging.getLogger(__name__)


class BackgroundTasks:
    """Holds what was begun until it has ended; a server that dies in between loses it, and people ask again."""

    def __init__(self, finish_seconds: float = FINISH_SECONDS) -> None:
        self._finish_seconds = finish_seconds
        self._tasks: set[asyncio.Task[None]] = set()

    def begin_after(self, response: Response, work: Callable[[], Awaitable[None]]) -> None:
        """Begin the work once the response is sent; the next request on the connection does not wait for it either."""

        async def begin() -> None:
            self.begin(work)

        response.background = BackgroundTask(begin)

    def begin(self, work: Callable[[], Awaitable[None]]) -> None:
        """Begin the work beside what is being done."""
        task = asyncio.create_task(self._do(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def finish(self) -> None:
        """Wait for what was begun, for a while; then cancel the rest, which must not outlive its database."""
        if not self._tasks:
            return
        _, unfinished = await asyncio.wait(self._tasks, timeout=self._finish_seconds)
        for task in unfinished:
            task.cancel()
        if unfinished:
            await asyncio.wait(unfinished)

    async def _do(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            with background_work():
                await work()
        except Exception:
            log.exception("work that no response waits for")

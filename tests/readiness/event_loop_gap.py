"""The longest time that one turn of the event loop computes."""

import asyncio
import gc
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

LONGEST_STALL = 0.05
TICK = 0.005


class Watchdog:
    """The longest the process computed between two turns of the event loop, in seconds of processor time.

    Processor time and not the clock: a busy machine that lets the whole process wait is not a loop that stands still.
    """

    longest = 0.0


@asynccontextmanager
async def watchdog(clock: Callable[[], float] = time.process_time) -> AsyncGenerator[Watchdog]:
    """Watch the event loop until the block ends; `time.thread_time` as the clock leaves out other threads.

    What earlier tests left in this process is frozen first. A collection that walks through the objects of five
    hundred tests takes 60 to 300 ms, and a server never holds them.
    """
    watch = Watchdog()
    gc.collect()
    gc.freeze()

    async def tick() -> None:
        before = clock()
        while True:
            await asyncio.sleep(TICK)
            now = clock()
            watch.longest, before = max(watch.longest, now - before), now

    task = asyncio.create_task(tick())
    try:
        yield watch
    finally:
        task.cancel()

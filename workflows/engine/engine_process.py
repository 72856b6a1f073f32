"""Starts, ends and takes over in this process; the one place that uses private names of the engine and of asyncio."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any


def is_notable(record: logging.LogRecord) -> bool:
    """Keep the engine from reporting each cancelled run as an error."""
    error = record.exc_info[1] if record.exc_info else None
    return "cancelled" not in str(error)


def resume(executors: Sequence[str]) -> None:
    """Resume in this process what executors left behind that are gone."""
    from dbos import DBOS  # loaded by now

    # The pin on the engine's version and a test hold this private name.
    recover: Any = DBOS._recover_pending_workflows  # pyright: ignore[reportPrivateUsage]
    recover(list(executors))


def launch(loop: asyncio.AbstractEventLoop) -> None:
    """Start the engine from a thread, as if it were started on the loop, whose coroutines it is to run there.

    It writes before it returns. On the loop itself it would wait for the lock of a transaction that only the
    loop can end.
    """
    from dbos import DBOS  # loaded by now

    asyncio._set_running_loop(loop)  # of this thread only; it is how loops announce themselves
    try:
        DBOS.launch()
    finally:
        asyncio._set_running_loop(None)


def destroy(grace: int) -> None:
    """End the engine in this process; runs that execute have `grace` seconds to end, in steps of one second."""
    from dbos import DBOS  # loaded by now

    DBOS.destroy(workflow_completion_timeout_sec=grace, destroy_registry=True)

"""MCP on standard input and output, for one local client: it is greeted first, then the service is loaded."""

import asyncio
import importlib
import sys
import traceback
from typing import Any

import anyio
import anyio.to_thread

from server.late_handlers import LateHandlers
from server.mcp import build_server
from server.stdio import serve_stdio


def stdio() -> int:
    """Serve until the client closes standard input; 1 when the service could not be opened."""
    return asyncio.run(converse())


async def converse() -> int:
    """Greet the client, open the service, and serve it; return the exit code."""
    late = LateHandlers()
    gone = anyio.Event()
    failures: list[Exception] = []

    async def hold_open() -> None:
        await late.wanted.wait()
        try:
            # In a thread, so that the greeting is written while the modules load.
            local: Any = await anyio.to_thread.run_sync(importlib.import_module, "server.local")
            async with local.open_local() as handlers:
                late.open(handlers)
                await gone.wait()
        except Exception as failure:
            failures.append(failure)
            late.fail(told(failure))

    async with anyio.create_task_group() as group:
        group.start_soon(hold_open)
        await serve_stdio(build_server(late), late.wanted.set)
        if late.wanted.is_set():
            await late.settled.wait()
            gone.set()
        else:
            group.cancel_scope.cancel()
    return 1 if failures else 0


def told(failure: Exception) -> str:
    """Print why there is no service, and return it in one line; of a defect of ours the client gets fixed words."""
    from server.commands.failures import told_of

    words = told_of(failure)
    if words is None:
        traceback.print_exception(failure)
        return (
            "an internal error, told on its standard error. Start it again, and report it if it comes back."
        )
    sys.stderr.write(words)
    return " ".join(words.split()).removeprefix("error: ")

"""MCP on standard input and output, for one desktop client: it is answered first, then the service is loaded."""

import asyncio
import importlib
import sys
import traceback
from typing import Any

import anyio
import anyio.to_thread
import typer

from server.mcp.late_handlers import LateHandlers
from server.mcp.server import build_server
from server.mcp.stdio import serve_stdio


def stdio() -> None:
    """Serve MCP on standard input and output, for desktop clients."""
    raise typer.Exit(asyncio.run(serve_client()))


async def serve_client() -> int:
    """Serve until the client closes standard input; return 1 when the service could not be opened."""
    late = LateHandlers()
    client_left = anyio.Event()
    failures: list[Exception] = []

    async def hold_open() -> None:
        await late.wanted.wait()
        try:
            # In a thread, so that the greeting is written while the modules load.
            local: Any = await anyio.to_thread.run_sync(importlib.import_module, "server.local")
            async with local.open_local() as handlers:
                late.open(handlers)
                await client_left.wait()
        except Exception as failure:
            failures.append(failure)
            late.fail(describe_failure(failure))

    async with anyio.create_task_group() as group:
        group.start_soon(hold_open)
        await serve_stdio(build_server(late), late.wanted.set)
        if late.wanted.is_set():
            await late.settled.wait()
            client_left.set()
        else:
            group.cancel_scope.cancel()
    return 1 if failures else 0


def describe_failure(failure: Exception) -> str:
    """Print why the service could not be opened, and return it in one line; a defect gets fixed words."""
    from server.cli.errors import error_text

    text = error_text(failure)
    if text is None:
        traceback.print_exception(failure)
        return "an internal error; its standard error has the details. Restart it, and report the error if it returns."
    sys.stderr.write(text)
    return " ".join(text.split()).removeprefix("error: ")

"""What a command works with, opened for it and closed when it ends: the database alone, or the whole service."""

import asyncio
import ctypes
import gc
import logging
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Concatenate, NoReturn, ParamSpec, TypeVar

import typer

from server.cli.warning_lines import print_warnings_once

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from measurement.publication.publish import Publisher
    from server.cli.output import Output
    from server.cli.tool_caller import ToolCaller
    from server.service import Service
    from server.settings import Settings
    from storage.database import Database

WRITING_MEGABYTES, READING_MEGABYTES = 4, 1
"""Caches of the connection that writes, and of each of those that read: a command reads what it needs once."""
M_ARENA_MAX = -8
"""Number of an option of glibc's mallopt."""
ALLOCATIONS_BETWEEN_COLLECTIONS = 20_000
"""Objects of a command that come and go leave few cycles behind; the default is 700."""

Arguments = ParamSpec("Arguments")
Opened = TypeVar("Opened")


@dataclass(frozen=True, slots=True)
class CommandSession:
    """The settings and the open database of one command that needs no more."""

    settings: "Settings"
    database: "Database"


def with_database(
    as_json: bool,
    work: "Callable[Concatenate[CommandSession, Output, Arguments], Awaitable[int | None]]",
    *arguments: Arguments.args,
    **named: Arguments.kwargs,
) -> NoReturn:
    """Open the database, do the work, close it; exit with the work's code. Engines and scanner are not loaded."""
    from server.database import open_database
    from storage.engines import CacheMegabytes

    cache = CacheMegabytes(WRITING_MEGABYTES, READING_MEGABYTES)

    @asynccontextmanager
    async def opened(settings: "Settings") -> "AsyncGenerator[CommandSession]":
        async with open_database(settings, cache=cache) as database:
            yield CommandSession(settings, database)

    _run(as_json, opened, lambda session, output: work(session, output, *arguments, **named))


def with_service(
    as_json: bool,
    work: "Callable[Concatenate[Service, Output, Arguments], Awaitable[int | None]]",
    *arguments: Arguments.args,
    **named: Arguments.kwargs,
) -> NoReturn:
    """Open the service, do the work, close it; exit with the work's code."""
    from server.service import open_service

    _run(as_json, open_service, lambda service, output: work(service, output, *arguments, **named))


def with_running_service(
    work: "Callable[Concatenate[Service, Output, Arguments], Awaitable[int | None]]",
    *arguments: Arguments.args,
    **named: Arguments.kwargs,
) -> NoReturn:
    """Open the service for work that runs until it is ended, with the log of a server."""
    from server.service import open_service

    _run(False, open_service, lambda service, output: work(service, output, *arguments, **named), logs=True)


def with_tools(
    as_json: bool,
    company: str | None,
    work: "Callable[Concatenate[ToolCaller, Output, Arguments], Awaitable[int | None]]",
    *arguments: Arguments.args,
    **named: Arguments.kwargs,
) -> NoReturn:
    """Open the service for calls of tools in the name of a company, do the work, close it; exit with its code."""

    async def called(service: "Service", output: "Output") -> int | None:
        from server.cli.lookup import find_company
        from server.cli.tool_caller import ToolCaller

        owner = await find_company(service.database, company)
        return await work(
            ToolCaller(service.settings, service.database, owner, service), output, *arguments, **named
        )

    with_service(as_json, called)


def with_rows(
    as_json: bool,
    company: str | None,
    work: "Callable[Concatenate[ToolCaller, Output, Arguments], Awaitable[int | None]]",
    *arguments: Arguments.args,
    **named: Arguments.kwargs,
) -> NoReturn:
    """Open the database for calls of tools that need stored rows alone; engines, scanner and runs are not loaded."""

    async def called(session: CommandSession, output: "Output") -> int | None:
        from server.cli.lookup import find_company
        from server.cli.tool_caller import ToolCaller

        owner = await find_company(session.database, company)
        return await work(ToolCaller(session.settings, session.database, owner), output, *arguments, **named)

    with_database(as_json, called)


def publisher_of(session: CommandSession) -> "Publisher":
    """Return who publishes for a command that asks no engine: it must only know which ones are configured."""
    from engines.registry import Registry
    from measurement.planning.clock import utc_now
    from measurement.publication.publish import Publisher
    from measurement.publication.receipt_seal import ReceiptSigner

    configured = Registry(session.settings.engines).configured_platforms
    return Publisher(session.database, configured, utc_now, ReceiptSigner(session.settings.receipt_keys))


def _run(
    as_json: bool,
    opened: "Callable[[Settings], AbstractAsyncContextManager[Opened]]",
    work: "Callable[[Opened, Output], Awaitable[int | None]]",
    *,
    logs: bool = False,
) -> NoReturn:
    settings, output = read_settings(as_json, logs=logs)

    if not logs:
        print_warnings_once()
        spare_memory()

    async def run() -> int:
        command = asyncio.current_task()
        assert command is not None
        with suppress(NotImplementedError):  # Windows has no such handlers
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, command.cancel)
        async with opened(settings) as parts:
            return await work(parts, output) or 0

    try:
        code = asyncio.run(run())
    except (KeyboardInterrupt, asyncio.CancelledError) as stopped:
        output.say("stopped; what was stored stays, and the same command takes it up again")
        code = 130 if isinstance(stopped, KeyboardInterrupt) else 143  # as a shell reports SIGINT and SIGTERM
    raise typer.Exit(code)


def spare_memory() -> None:
    """Let the threads of a command take memory from one heap, where libc knows how: what one frees, all can use.

    Each thread has a heap of its own otherwise, which keeps as much as the thread ever took at once.
    """
    gc.set_threshold(ALLOCATIONS_BETWEEN_COLLECTIONS)
    with suppress(AttributeError, OSError, TypeError):  # musl, macOS and Windows have no such option
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)


def read_settings(as_json: bool, *, logs: bool = False) -> "tuple[Settings, Output]":
    """Read the settings and make the output; the settings' notes are printed first.

    A process that `logs` has its log set up; in JSON its messages are lines of it, since nothing may stand between.
    """
    from server.cli.output import Output
    from server.settings import Settings

    output = Output(as_json)
    settings = Settings.from_environ(os.environ)
    if logs:
        from server.logs import configure_logging

        configure_logging(settings.log_format, batched=True)
        output.logger = logging.getLogger("seenby") if settings.log_format == "json" else None
    for note in settings.notes:
        output.say(note)
    return settings, output

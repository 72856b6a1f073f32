"""The service of one command: opened for its work, closed when it ends."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Concatenate, NoReturn, ParamSpec

import typer

if TYPE_CHECKING:
    from server.commands.output import Output
    from server.service import Service
    from server.settings import Settings

Asked = ParamSpec("Asked")


def with_service(
    as_json: bool,
    work: "Callable[Concatenate[Service, Output, Asked], Awaitable[int | None]]",
    *asked: Asked.args,
    **named: Asked.kwargs,
) -> NoReturn:
    """Open the service, do the work with what was asked, close it; exit with the work's code."""
    from server.service import open_service

    settings, output = surroundings(as_json)

    async def run() -> int:
        stopping = asyncio.current_task()
        assert stopping is not None
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.cancel)
        async with open_service(settings) as service:
            return await work(service, output, *asked, **named) or 0

    try:
        code = asyncio.run(run())
    except (KeyboardInterrupt, asyncio.CancelledError) as stopped:
        output.say("stopped; what was stored stays, and the same command takes it up again")
        code = 130 if isinstance(stopped, KeyboardInterrupt) else 143  # as a shell reports SIGINT and SIGTERM
    raise typer.Exit(code)


def surroundings(as_json: bool) -> "tuple[Settings, Output]":
    """Read the settings and make the output; what the settings have to say is said first."""
    from server.commands.output import Output
    from server.settings import Settings

    output = Output(as_json)
    settings = Settings.from_environ(os.environ)
    for note in settings.notes:
        output.say(note)
    return settings, output

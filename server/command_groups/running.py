"""Serving, executing runs, and the state of this machine."""

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from server.command_groups.options import Json
from server.command_groups.session import surroundings, with_service

if TYPE_CHECKING:
    from server.commands.output import Output
    from server.service import Service


def demo(
    serve: Annotated[bool, typer.Option("--serve/--no-serve", help="Serve when the score is shown.")] = True,
    repeats: Annotated[int, typer.Option(min=1, max=20, help="How often each question is asked.")] = 3,
    host: str = "127.0.0.1",
    port: int = 8000,
    as_json: Json = False,
) -> None:
    """Do the main job on this machine: real brands, the local engine really asked, a score, then a server."""
    from server.commands import demo as commands

    be_reached_at(host, port)
    try:
        with_service(as_json, commands.demo, repeats)
    except typer.Exit as ended:
        if ended.exit_code or not serve:
            raise
    serve_http(host, port, 1, as_json)


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64)] = 1,
    as_json: Json = False,
) -> None:
    """Serve MCP, REST and the documents over HTTP; the schema is brought up to date first."""
    serve_http(host, port, workers, as_json)


def be_reached_at(host: str, port: int) -> None:
    """Without SEENBY_BASE_URL, the address is where we listen."""
    os.environ.setdefault("SEENBY_BASE_URL", f"http://{host if host != '0.0.0.0' else '127.0.0.1'}:{port}")


def serve_http(host: str, port: int, workers: int, as_json: bool) -> None:
    """Serve until the process is ended."""
    from server.commands import running

    be_reached_at(host, port)
    settings, output = surroundings(as_json)
    output.say(f"serving on {settings.base_url} (MCP at /mcp, documentation at /docs); Ctrl-C ends it")
    running.serve(settings, output, host, port, workers)


def worker() -> None:
    """Execute workflow runs without serving; on SQLite it waits while another process executes them."""
    from server.commands import running

    with_service(False, running.work)


def stdio() -> None:
    """Serve MCP on standard input and output, for desktop clients."""
    from server.commands import desktop

    raise typer.Exit(desktop.stdio())


def migrate(as_json: Json = False) -> None:
    """Bring the database's schema up to date."""

    async def done(service: "Service", output: "Output") -> None:
        output.data({"schema": "up to date"}, lambda: output.people.print("the schema is up to date"))

    with_service(as_json, done)


def doctor(as_json: Json = False) -> None:
    """Check what measuring and serving need."""
    from server.commands import running

    with_service(as_json, running.doctor)


def openapi(as_json: Json = False) -> None:
    """Print the OpenAPI document."""
    import json

    from rest_bridge.openapi import openapi_document
    from server.settings import Settings
    from tools.catalog import tool_table

    document = openapi_document(tool_table(), Settings.from_environ(os.environ).base_url, oauth=False)
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")

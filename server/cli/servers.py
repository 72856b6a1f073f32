"""Processes that run until they are ended: the HTTP server and the worker."""

import errno
import os
import signal
import socket
from collections.abc import Generator
from contextlib import AsyncExitStack, contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, Final

import anyio
import typer
import uvicorn
from starlette.applications import Starlette
from typing_extensions import override

from measurement.errors import WorkError
from server.address_settings import bracketed, listening_faults
from server.cli.output import Output
from server.cli.session import JsonOption, read_settings, run_command
from server.http.operations import MULTIPROCESS_FOLDER, Metrics, probe_routes
from server.serving import OPTIONS, Application, load_suffix_lists, required_checks
from server.settings import InvalidSettings, Settings
from server.telemetry.event_metrics import EventMetrics
from server.telemetry.export import start_export

if TYPE_CHECKING:
    from server.service import Service

STARTUP_FAILURE: Final = 3
"""The exit code of a server that could not start, as uvicorn's own command has it."""


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64)] = 1,
    execute: Annotated[
        bool,
        typer.Option(
            " /--no-execute",
            help="Leave runs, schedules, mails and webhooks to seenby worker.",
            show_default=False,
        ),
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """Serve the pages, MCP, REST and the documentation over HTTP; the schema is migrated first."""
    if not execute:
        os.environ["SEENBY_EXECUTE"] = "off"  # also for worker processes
    serve_http(host, port, workers, as_json)


def read_serving_settings(
    host: str, port: int, as_json: bool, *, logs: bool = False
) -> tuple[Settings, Output]:
    """Read the settings for a server that listens there: its address is SEENBY_BASE_URL where that is missing.

    Raises InvalidSettings with every fault of the options and of the settings.
    """
    faults = listening_faults(host, port)
    if not faults:
        reached = "127.0.0.1" if host in ("0.0.0.0", "::") else host
        os.environ.setdefault("SEENBY_BASE_URL", f"http://{bracketed(reached)}:{port}")
    try:
        settings = read_settings(as_json, logs=logs)
    except InvalidSettings as invalid:
        raise InvalidSettings([*faults, *invalid.faults], invalid.not_read) from invalid
    if faults:
        raise InvalidSettings(faults)
    return settings


def serve_http(
    host: str, port: int, workers: int, as_json: bool, allow_hosts: frozenset[str] = frozenset()
) -> None:
    """Serve until the process is ended.

    One worker may visit the `host:port` pairs of `allow_hosts` whatever their addresses.
    """
    settings, output = read_serving_settings(host, port, as_json, logs=True)
    check_workers(settings, output, workers)
    with listen(host, port) as listener:
        output.say(
            f"serving on {settings.base_url} (MCP at /mcp, documentation at /docs); press Ctrl-C to stop"
        )
        if workers == 1:
            server = uvicorn.Server(uvicorn.Config(Application(settings, allow_hosts), **OPTIONS))
            server.run(sockets=[listener])
            if not server.started:
                raise typer.Exit(STARTUP_FAILURE)
            return
    with TemporaryDirectory(prefix="seenby-metrics-") as folder:
        os.environ[MULTIPROCESS_FOLDER] = folder
        uvicorn.run(
            "server.serving:application", factory=True, host=host, port=port, workers=workers, **OPTIONS
        )


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises WorkError when the address cannot be listened at."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        reason = "is in use" if getattr(error, "errno", None) == errno.EADDRINUSE else "cannot be used"
        raise WorkError(
            f"port {port} of {host} {reason}", "Choose another port: seenby serve --port N"
        ) from error


def check_workers(settings: Settings, output: Output, workers: int) -> None:
    """Raise WorkError where several workers cannot share what they count; warn where they share it slowly."""
    if workers > 1 and settings.redis_url is None:
        raise WorkError(
            f"{workers} workers cannot share rate limits in memory",
            "Set SEENBY_REDIS_URL, or serve with one worker.",
        )
    if workers > 1 and settings.database_url.startswith("sqlite"):
        output.say(
            "Several workers share one SQLite file: writes wait for each other. PostgreSQL suits better."
        )


def worker(
    metrics_port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="Serve metrics and health at this port of 127.0.0.1."),
    ] = None,
) -> None:
    """Execute workflow runs without serving; on SQLite it waits while another process executes them."""
    run_command(
        False,
        lambda session: execute_runs(session.service, session.output, metrics_port),
        service=True,
        logs=True,
    )


class HealthServer(uvicorn.Server):
    """A server inside a process that handles its signals itself."""

    @contextmanager
    @override
    def capture_signals(self) -> Generator[None]:
        """Capture none."""
        yield


async def serve_health(service: "Service", metrics: Metrics, listener: socket.socket) -> None:
    """Serve /metrics, /healthz and /readyz of a process that serves nothing else, until cancelled."""
    routes = [*probe_routes(required_checks(service)), metrics.route()]
    options: dict[str, Any] = {**OPTIONS, "interface": "auto", "lifespan": "off"}
    config = uvicorn.Config(Starlette(routes=routes), **options)
    await HealthServer(config).serve([listener])


async def execute_runs(service: "Service", output: Output, metrics_port: int | None = None) -> None:
    """Execute runs until a signal ends it; unfinished runs resume elsewhere or at the next start."""
    load_suffix_lists()
    output.say("executing workflow runs; press Ctrl-C to stop")
    metrics = Metrics()
    EventMetrics(metrics.registry).attach()
    start_export(os.environ)
    address = service.settings.worker_address if metrics_port is None else ("127.0.0.1", metrics_port)
    async with AsyncExitStack() as stack:
        listener = stack.enter_context(listen(*address)) if address else None
        group = await stack.enter_async_context(anyio.create_task_group())
        if listener is not None:
            group.start_soon(serve_health, service, metrics, listener)
        group.start_soon(service.background_work.execute)
        group.start_soon(service.vitals(metrics.registry).run)
        try:
            with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
                async for _ in signals:
                    group.cancel_scope.cancel()
                    break
        except NotImplementedError:  # Windows has no such handlers; Ctrl-C ends the process there
            await anyio.sleep_forever()

"""Run the service under uvicorn: server options, and the application that opens and closes with the process."""

import logging
import os
from collections.abc import AsyncGenerator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import anyio
import anyio.to_thread
from prometheus_client import multiprocess
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from analytics.text.suffixes import load_suffix_list
from measurement.imports.access_logs.reverse_dns import reverse_dns_of
from measurement.planning.clock import utc_now
from oauth.signing import LOG_LINES, sub_key
from readiness.fetching.urls import load_suffixes
from rest_bridge.log_intake import LogParts, log_routes
from server.app import Public, create_app
from server.authorization import authorization_routes
from server.document_fetcher import GuardedFetcher
from server.http.bounded_protocol import BoundedHttpProtocol
from server.http.operations import MULTIPROCESS_FOLDER, Check, Metrics, NotReady
from server.http.supplier_calls import callback_routes
from server.logs import configure_logging
from server.mcp.readiness_resources import ReadinessReports, readiness_method
from server.notices import Notices
from server.service import Service, open_service
from server.settings import Settings
from server.telemetry.event_metrics import EventMetrics
from server.telemetry.export import start_export, stop_export
from storage.database import Database
from storage.errors import SchemaTooNew
from web.routes import nowhere, page_routes

GRACE_SECONDS: Final = 30
"""How long a stopping server waits for calls in flight."""
EXPORT_SECONDS: Final = 5.0
"""How long a stopping server waits for the collector of traces and metrics."""
KEEP_ALIVE_SECONDS: Final = 125
"""How long an idle connection stays open: longer than clients and proxies keep theirs (httpx 5 s, nginx 60, Caddy 120).
The side that sends requests has to close first, or it sends one into a connection that the server is just closing."""
START_SECONDS: Final = 180
"""How long one of several workers may take to answer its supervisor, which it does not while Python starts."""
OPTIONS: Final[dict[str, Any]] = {
    # We write our own log lines and resolve client addresses behind the configured proxies ourselves.
    "log_config": None,
    "access_log": False,
    "proxy_headers": False,
    "server_header": False,
    "timeout_graceful_shutdown": GRACE_SECONDS,
    "timeout_keep_alive": KEEP_ALIVE_SECONDS,
    "timeout_worker_healthcheck": START_SECONDS,
    "http": BoundedHttpProtocol,
    "ws": "none",
    # uvicorn would check whether the application is a coroutine function; ours returns an awaitable instead.
    "interface": "asgi3",
    "lifespan": "on",
}
"""Arguments for uvicorn.Config or uvicorn.run, besides the application, its address and its workers."""

log = logging.getLogger(__name__)


class Application:
    """The service as an ASGI application that opens its database when it starts and closes it at the end."""

    def __init__(self, settings: Settings, allow_hosts: frozenset[str] = frozenset()) -> None:
        """`allow_hosts` holds `host:port` pairs that are visited even at private addresses."""
        self._settings = settings
        self._allow_hosts = allow_hosts
        self._app: ASGIApp | None = None

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Handle a request or the lifespan of the process."""
        if scope["type"] == "lifespan":
            return self._live(scope, receive, send)
        assert self._app is not None
        return self._app(scope, receive, send)

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Open the service, serve, and close it. Shutdown is reported to the server only after everything is closed."""
        ended: list[Message] = []

        async def hold_the_end(message: Message) -> None:
            if message["type"].startswith("lifespan.shutdown"):
                ended.append(message)
            else:
                await send(message)

        async with AsyncExitStack() as stack:
            try:
                service = await stack.enter_async_context(
                    open_service(self._settings, allow_hosts=self._allow_hosts)
                )
            except Exception:
                log.exception("opening the service")
                await receive()
                await send({"type": "lifespan.startup.failed", "message": "the service could not be opened"})
                return
            self._app = self._build(service)
            await self._app(scope, receive, hold_the_end)
        for message in ended:
            await send(message)

    def _build(self, service: Service) -> ASGIApp:
        load_suffix_lists()
        site, oauth = service.site(), self._settings.oauth
        fetcher = GuardedFetcher(self._settings.base_url)
        authorization = authorization_routes(oauth, site, service.database, fetcher) if oauth else []

        callbacks = callback_routes(service.supplier_callbacks) if service.supplier_callbacks else []

        metrics = Metrics()
        EventMetrics(metrics.registry).attach()
        exporting = start_export(os.environ)
        vitals = service.vitals(metrics.registry)
        notices = Notices(service.database, self._settings.base_url, utc_now)
        site.renderer.share({"announcements": notices.listed})

        @asynccontextmanager
        async def background() -> AsyncGenerator[None]:
            async with (
                service.background_work.running(),
                site.scans.open(),
                anyio.create_task_group() as group,
            ):
                group.start_soon(vitals.run)
                group.start_soon(notices.run)
                try:
                    yield
                finally:
                    await site.deferred.finish()
                    group.cancel_scope.cancel()
            if exporting:  # flush now: a signal ends the process, and no exit handler runs
                with anyio.move_on_after(EXPORT_SECONDS):
                    await anyio.to_thread.run_sync(stop_export, abandon_on_cancel=True)

        app = create_app(
            public_of(self._settings),
            dispatcher=service.dispatcher,
            authenticator=service.authenticator,
            resources=[readiness_method(), ReadinessReports(service.database)],
            pages=[*callbacks, *authorization, *log_routes(log_parts(service)), *page_routes(site)],
            nowhere=nowhere(site),
            checks=required_checks(service),
            spared=spared_checks(service),
            notices=notices,
            metrics=metrics,
            lifespan=background,
        )
        if not exporting:
            return app
        from server.telemetry.tracing import RequestSpans  # loaded only when telemetry is exported

        return RequestSpans(app)


def load_suffix_lists() -> None:
    """Load the public suffix lists, which takes a third of a second, before the first request arrives."""
    load_suffixes()
    load_suffix_list()


def log_parts(service: Service) -> LogParts:
    """Return the dependencies of the access log intake."""
    return LogParts(
        database=service.database,
        authenticator=service.authenticator,
        windows=service.windows,
        key=sub_key(service.settings.secret_key, LOG_LINES),
        now=utc_now,
        base_url=service.settings.base_url,
        oauth=service.settings.oauth is not None,
        reverse_dns=reverse_dns_of(service.settings.reverse_dns, service.settings.resolver),
    )


def required_checks(service: Service) -> dict[str, Check]:
    """Return the checks of what a process cannot work without."""
    return {"database": service.database.ping, "schema": schema_check(service.database)}


def schema_check(database: Database) -> Check:
    """Return the check that no newer version of seenby has migrated the database."""

    async def check() -> None:
        try:
            await database.check_schema()
        except SchemaTooNew as error:
            raise NotReady(str(error), "schema_newer") from error

    return check


def spared_checks(service: Service) -> dict[str, Check]:
    """Return the checks of dependencies that the service can run without."""

    async def executors() -> None:
        if not await service.database.presence.workers():
            raise NotReady("no process executes runs")

    redis = {"redis": service.redis.ping} if service.redis is not None else {}
    return {**redis, "executors": executors}


def public_of(settings: Settings) -> Public:
    """Return what the settings say of the outside."""
    return Public(
        base_url=settings.base_url,
        oauth=settings.oauth is not None,
        challenge_policy=settings.challenge,
        allowed_hosts=settings.allowed_hosts,
        allowed_origins=settings.allowed_origins,
        trusted_proxies=settings.trusted_proxies,
        metrics=settings.metrics,
    )


def application() -> Application:
    """Build the application of one worker process from its environment; uvicorn's factory."""
    settings = Settings.from_environ(os.environ)
    configure_logging(settings.log_format, batched=True)
    forget_dead_processes()
    return Application(settings)


def forget_dead_processes() -> None:
    """Remove from the shared metrics what workers used that have ended; what they counted stays."""
    folder = os.environ.get(MULTIPROCESS_FOLDER)
    if folder is None or os.name == "nt":  # where signal 0 would end the process
        return
    for file in Path(folder).glob("gauge_live*_*.db"):
        pid = int(file.stem.rpartition("_")[2])
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            multiprocess.mark_process_dead(pid)  # pyright: ignore[reportUnknownMemberType]

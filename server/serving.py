"""How uvicorn runs the service: the application, and the deadlines of its connections."""

import gc
import logging
import os
from asyncio import TimerHandle
from collections.abc import AsyncGenerator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any, Final, cast

import anyio
import anyio.to_thread
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from analytics.text.suffixes import load_suffix_list
from measurement.access_logs.reverse_dns import reverse_dns_of
from measurement.clock import utc_now
from oauth.signing import LOG_LINES, sub_key
from readiness.fetching.urls import load_suffixes
from rest_bridge.log_intake import LogParts, log_routes
from server.app import Public, create_app
from server.authorization import authorization_routes
from server.document_fetcher import GuardedFetcher
from server.http.front_door import CUT_SHORT, IN_ONE_PIECE
from server.http.operations import Check, Metrics, NotReady
from server.http.supplier_calls import callback_routes
from server.logs import configure_logging
from server.mcp.readiness_resources import ReadinessReports, readiness_method
from server.notices import Notices
from server.service import Service, open_service
from server.settings import Settings
from server.telemetry.event_metrics import EventMetrics
from server.telemetry.export import start_export, stop_export
from storage.operators import Operators
from storage.statements.repository import load_all
from storage.workspace import Workspace
from web.live.run_feed import STOPPING
from web.routes import page_routes

GRACE_SECONDS: Final = 30
"""How long a stopping server waits for calls in flight."""
ALLOCATIONS_BETWEEN_COLLECTIONS: Final = 10_000
EXPORT_SECONDS: Final = 5.0
"""How long a stopping server waits for the collector of traces and metrics."""

LARGEST_COPIED: Final = 8_192
"""Bytes of a body that is put behind its head; a longer one is written by itself."""
HEADER_SECONDS: Final = 10.0
BODY_SECONDS: Final = 30.0
_TOO_SLOW: Final = (
    b"HTTP/1.1 408 Request Timeout\r\n"
    b"content-type: text/plain; charset=utf-8\r\ncontent-length: 15\r\nconnection: close\r\n\r\nRequest Timeout"
)


class BoundedHttpProtocol(HttpToolsProtocol):
    """uvicorn's protocol with deadlines; it has one only for connections that are idle between requests.

    The header's deadline runs from the opening of the connection, and for each further request from its first
    byte; the body's from the end of the header. What a tool takes to answer is not counted. A request whose bytes
    come all at once, as nearly every one does, is whole before a timer is made.
    """

    header_seconds = HEADER_SECONDS
    body_seconds = BODY_SECONDS

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._deadline: TimerHandle | None = None
        self._awaited: float | None = None
        self._awaits_the_same = True
        self._receiving_body = False
        self._too_slow = False
        self._stopping = False

    def connection_made(self, transport: Any) -> None:
        """Start the first header's deadline."""
        super().connection_made(transport)
        self._await_within(self.header_seconds)
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the deadline."""
        self._clear_timeout()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Let streams know that the server ends: it waits for what is under way."""
        self._stopping = True
        super().shutdown()

    def data_received(self, data: bytes) -> None:
        """Read on; bytes that begin another request start its header's deadline."""
        if self._awaited is None:
            self._await_within(self.header_seconds)
        super().data_received(data)
        if not self._awaits_the_same:
            self._start_timer()

    def on_message_begin(self) -> None:
        """Begin a request, which may come in the same bytes as the end of the one before it."""
        if self._awaited is None:
            self._await_within(self.header_seconds)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Let the request begin, and expect its body."""
        self._receiving_body = True
        self._await_within(self.body_seconds)
        extensions: dict[str, object] = {CUT_SHORT: self._cut_short, STOPPING: self._is_stopping}
        cast("dict[str, Any]", self.scope)["extensions"] = extensions
        super().on_headers_complete()
        extensions[IN_ONE_PIECE] = partial(self._answer_in_one_piece, self.cycle)

    def on_message_complete(self) -> None:
        """Expect nothing more: all of the request is here."""
        self._receiving_body = False
        self._await_within(None)
        super().on_message_complete()

    def _answer_in_one_piece(self, cycle: RequestResponseCycle, send: Send, head: bytes, body: bytes) -> bool:
        """Write all of an answer that is 200, whose `head` is what stands between the date and the empty line.

        The server's own sending takes two messages, and searches every field for what no field of ours has. False
        says that nothing was written: something changes what is sent, or the answer has to wait or close.
        """
        if (
            getattr(send, "__self__", None) is not cycle
            or cycle.response_started
            or cycle.disconnected
            or cycle.access_log
            or not cycle.keep_alive
            or self.flow.write_paused
            or cycle.scope["method"] == "HEAD"
        ):
            return False
        cycle.response_started = cycle.response_complete = True
        cycle.waiting_for_100_continue = False
        always = b"".join([b"%b: %b\r\n" % field for field in cycle.default_headers])
        first = b"HTTP/1.1 200 OK\r\n%b%bcontent-length: %d\r\n\r\n" % (always, head, len(body))
        if len(body) < LARGEST_COPIED:
            self.transport.write(first + body)
        else:
            self.transport.write(first)
            self.transport.write(body)
        cycle.message_event.set()
        cycle.on_response()
        return True

    def _cut_short(self) -> int | None:
        if self._too_slow:
            return 408
        return 499 if self.transport.is_closing() else None

    def _is_stopping(self) -> bool:
        return self._stopping

    def _await_within(self, seconds: float | None) -> None:
        """Note what is awaited now; its timer is made when the bytes at hand are read."""
        self._awaited = seconds
        self._awaits_the_same = False

    def _start_timer(self) -> None:
        self._clear_timeout()
        self._awaits_the_same = True
        if self._awaited is not None:
            self._deadline = self.loop.call_later(self._awaited, self._time_out)

    def _clear_timeout(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _time_out(self) -> None:
        self._deadline = None
        if self.transport.is_closing():
            return
        cycle = cast("RequestResponseCycle | None", self.cycle)
        answering = cycle is not None and not cycle.response_complete
        if answering and not self._receiving_body:
            self._await_within(self.header_seconds)  # the answer to the request before this one comes first
            self._start_timer()
            return
        self._too_slow = True
        if cycle is None or not (self._receiving_body and cycle.response_started):
            self.transport.write(_TOO_SLOW)
        self.transport.close()


OPTIONS: Final[dict[str, Any]] = {
    # Log lines are ours; the address behind a proxy is told by our own rule, which knows the proxies.
    "log_config": None,
    "access_log": False,
    "proxy_headers": False,
    "server_header": False,
    "timeout_graceful_shutdown": GRACE_SECONDS,
    "http": BoundedHttpProtocol,
    "ws": "none",
    # What it would find out by asking whether the application is a coroutine function; ours only returns one.
    "interface": "asgi3",
    "lifespan": "on",
}
"""Arguments for uvicorn.Config or uvicorn.run, beside the application, its address and its workers."""

log = logging.getLogger(__name__)


class Application:
    """The service as an ASGI application that opens its database when it starts and closes it at the end."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._app: ASGIApp | None = None

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer a request, or live through one lifespan."""
        if scope["type"] == "lifespan":
            return self._live(scope, receive, send)
        assert self._app is not None
        return self._app(scope, receive, send)

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Open, serve, close; the server is told that we ended only when everything is closed."""
        ended: list[Message] = []

        async def hold_the_end(message: Message) -> None:
            if message["type"].startswith("lifespan.shutdown"):
                ended.append(message)
            else:
                await send(message)

        async with AsyncExitStack() as stack:
            try:
                service = await stack.enter_async_context(open_service(self._settings))
            except Exception:
                log.exception("opening the service")
                await receive()
                await send({"type": "lifespan.startup.failed", "message": "the service could not be opened"})
                return
            self._app = self._build(service)
            settle_memory()
            await self._app(scope, receive, hold_the_end)
        for message in ended:
            await send(message)

    def _build(self, service: Service) -> ASGIApp:
        load_all(Workspace, Operators)
        load_suffix_lists()
        site, oauth = service.site(), self._settings.oauth
        fetcher = GuardedFetcher(self._settings.base_url)
        authorization = authorization_routes(oauth, site, service.database, fetcher) if oauth else []

        callbacks = callback_routes(service.supplier_callbacks) if service.supplier_callbacks else []

        metrics = Metrics(lambda: service.database.pools)
        EventMetrics(metrics.registry).attach()
        exporting = start_export(os.environ)
        vitals = service.vitals(metrics.registry)
        notices = Notices(service.database, self._settings.base_url, utc_now)
        site.renderer.share({"announcements": notices.listed})

        @asynccontextmanager
        async def background() -> AsyncGenerator[None]:
            async with service.background(), site.scans.open(), anyio.create_task_group() as group:
                group.start_soon(vitals.run)
                group.start_soon(notices.run)
                try:
                    yield
                finally:
                    await site.deferred.finish()
                    group.cancel_scope.cancel()
            if exporting:  # the process ends by its signal, and asks nobody for last words
                with anyio.move_on_after(EXPORT_SECONDS):
                    await anyio.to_thread.run_sync(stop_export, abandon_on_cancel=True)

        app = create_app(
            public_of(self._settings),
            dispatcher=service.dispatcher,
            authenticator=service.authenticator,
            resources=[readiness_method(), ReadinessReports(service.database)],
            pages=[*callbacks, *authorization, *log_routes(log_parts(service)), *page_routes(site)],
            checks={"database": service.database.ping},
            spared=spared_checks(service),
            notices=notices,
            metrics=metrics,
            metrics_in_public=self._settings.metrics,
            lifespan=background,
        )
        if not exporting:
            return app
        from server.telemetry.tracing import RequestSpans  # loaded by who exports

        return RequestSpans(app)


def load_suffix_lists() -> None:
    """Load what tells who registered a domain, for a third of a second in which nobody waits yet."""
    load_suffixes()
    load_suffix_list()


def log_parts(service: Service) -> LogParts:
    """Return what access logs that are sent are taken in with."""
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


def settle_memory() -> None:
    """Have the collector of cycles pass over what a server has loaded and keeps: calls leave few cycles behind.

    Without it each look through everything goes through half a million objects that are never garbage.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS_BETWEEN_COLLECTIONS)


def spared_checks(service: Service) -> dict[str, Check]:
    """Return the checks of what the service serves on without."""

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
    )


def application() -> Application:
    """Build the application of one worker process from its environment; uvicorn's factory."""
    settings = Settings.from_environ(os.environ)
    configure_logging(settings.log_format, batched=True)
    return Application(settings)

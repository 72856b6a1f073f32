"""How uvicorn runs the service."""

import logging
import os
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.app import Public, create_app
from server.authorization import authorization_routes
from server.document_fetcher import GuardedFetcher
from server.logs import configure_logging
from server.operations import Metrics
from server.readiness_resources import ReadinessReports, readiness_method
from server.service import Service, open_service
from server.settings import Settings
from web.routes import page_routes

GRACE_SECONDS: Final = 30
"""How long a stopping server waits for calls in flight."""

OPTIONS: Final[dict[str, Any]] = {
    # Log lines are ours; the address behind a proxy is told by our own rule, which knows the proxies.
    "log_config": None,
    "access_log": False,
    "proxy_headers": False,
    "server_header": False,
    "timeout_graceful_shutdown": GRACE_SECONDS,
    "ws": "none",
    "lifespan": "on",
}
"""Arguments for uvicorn.Config or uvicorn.run, beside the application, its address and its workers."""

log = logging.getLogger(__name__)


class Application:
    """The service as an ASGI application that opens its database when it starts and closes it at the end."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._app: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or live through one lifespan."""
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
        else:
            assert self._app is not None
            await self._app(scope, receive, send)

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
            await self._app(scope, receive, hold_the_end)
        for message in ended:
            await send(message)

    def _build(self, service: Service) -> ASGIApp:
        site, oauth = service.site(), self._settings.oauth
        fetcher = GuardedFetcher(self._settings.base_url)
        authorization = authorization_routes(oauth, site, service.database, fetcher) if oauth else []

        @asynccontextmanager
        async def background() -> AsyncGenerator[None]:
            async with service.background(), site.scans.open():
                yield

        return create_app(
            public_of(self._settings),
            dispatcher=service.dispatcher,
            authenticator=service.authenticator,
            resources=[readiness_method(), ReadinessReports(service.database)],
            pages=[*authorization, *page_routes(site)],
            checks={"database": service.database.operators.companies.all},
            metrics=Metrics(),
            metrics_in_public=self._settings.metrics,
            lifespan=background,
        )


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
    configure_logging(settings.log_format)
    return Application(settings)

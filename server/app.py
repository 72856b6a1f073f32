"""The composition of the HTTP service: given what it serves and for whom, builds one ASGI application."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from oauth.authenticate import Authenticator
from oauth.challenges import Challenges
from rest_bridge.docs import docs_routes
from rest_bridge.documents import CachedDocument
from rest_bridge.openapi import openapi_document
from rest_bridge.routes import OPENAPI_PATH, RestBridge, asks_for_json
from server.http.front_door import BODY_SECONDS, FrontDoor
from server.http.operations import Check, Metrics, probe_routes
from server.http.origins import OriginGuard, allowed_hosts, allowed_origins
from server.http.proxies import TrustedProxies
from server.mcp.discovery import descriptor, mcp_json
from server.mcp.edge import ChallengePolicy, Edge, session_manager
from server.mcp.fast_lane import FastLane
from server.mcp.handlers import ServiceHandlers, library
from server.mcp.jsonrpc import compact
from server.mcp.resources import ResourceProvider
from server.mcp.server import build_server
from server.notices import Notices
from tools.calls.dispatch import Dispatcher

ENDPOINTS = ("/mcp", "/api/mcp-app")
ExtraHandlers = Mapping[str, Callable[..., Any]]
Lifespan = Callable[[], AbstractAsyncContextManager[object]]


@dataclass(frozen=True, slots=True)
class Public:
    """How the service is reached and whom it trusts: plain values of the settings.

    `base_url` has no trailing slash. `trusted_proxies` are addresses or networks. `metrics` says whether `/metrics` is
    served, and whether also under Host names that are not allowed otherwise.
    """

    base_url: str
    oauth: bool = False
    challenge_policy: ChallengePolicy = "auto"
    allowed_hosts: Sequence[str] = ()
    allowed_origins: Sequence[str] = ()
    trusted_proxies: Sequence[str] = ()
    metrics: Literal["off", "on", "any-host"] = "off"


def create_app(
    public: Public,
    *,
    dispatcher: Dispatcher,
    authenticator: Authenticator,
    resources: Sequence[ResourceProvider] = (),
    pages: Sequence[BaseRoute] = (),
    nowhere: ASGIApp | None = None,
    checks: Mapping[str, Check] | None = None,
    spared: Mapping[str, Check] | None = None,
    notices: Notices | None = None,
    metrics: Metrics | None = None,
    lifespan: Lifespan = nullcontext,
    extra_handlers: ExtraHandlers | None = None,
    fast_lane: bool = True,
    body_seconds: float = BODY_SECONDS,
) -> ASGIApp:
    """Build the service.

    `pages` are routes beside the protocol's own, `nowhere` is the page of any other address. `lifespan` is entered
    before the first request and left after the last. `extra_handlers` are handlers for the SDK's Server, by its
    argument names; with them, or without `fast_lane`, the SDK answers every message. `metrics` count every call of
    this application. A request's body has to arrive within `body_seconds`.
    """
    if metrics is not None:
        dispatcher = dispatcher.reporting_to(metrics.call)
    table = dispatcher.table
    challenges = Challenges(public.base_url, public.oauth)
    handlers = ServiceHandlers(dispatcher, library(dispatcher.table, resources), challenges)
    server = build_server(handlers, extra_handlers, public.base_url)
    manager = session_manager(server)
    lane = FastLane(dispatcher, challenges) if fast_lane and not extra_handlers else None
    edge = Edge(
        manager=manager,
        lane=lane,
        authenticator=authenticator,
        challenges=challenges,
        policy=public.challenge_policy,
        descriptors={
            path: descriptor(table, public.base_url, path, oauth=public.oauth) for path in ENDPOINTS
        },
        announcements=notices.listed if notices else (),
    )
    bridge = RestBridge(
        dispatcher,
        authenticator,
        public.base_url,
        oauth=public.oauth,
        announced=notices.headers if notices else None,
    )
    routes: list[BaseRoute] = [
        bridge.route,
        *_documents(public, dispatcher),
        *probe_routes(checks or {}, spared),
        *([metrics.route()] if metrics and public.metrics != "off" else []),
        *pages,
        bridge.other_paths,
    ]
    app = Starlette(routes=routes, lifespan=_lifespan(manager, lifespan))
    # A redirect would lose the body of a POST with some clients, and Authorization with others.
    app.router.redirect_slashes = False
    app.router.default = _no_route(app.router.default, bridge, nowhere)
    endpoints = frozenset(path + end for path in ENDPOINTS for end in ("", "/"))
    return _wrapped(_WithEndpoints(app, edge, endpoints), public, metrics, body_seconds)


@dataclass(frozen=True)
class _WithEndpoints:
    """Hands messages of MCP to the edge, and all else to the application, whose routing costs 25 microseconds."""

    application: ASGIApp
    edge: ASGIApp
    paths: frozenset[str]

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        chosen = self.edge if scope.get("path") in self.paths else self.application
        return chosen(scope, receive, send)


def _no_route(plain: ASGIApp, bridge: RestBridge, page: ASGIApp | None) -> ASGIApp:
    """Answer a path without a route: with the REST interface's error for JSON, a page for HTML, else plainly."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        chosen = plain
        if scope["type"] == "http" and asks_for_json(scope):
            chosen = bridge.unknown_path
        elif (
            page is not None
            and scope["type"] == "http"
            and "text/html" in Headers(scope=scope).get("accept", "")
        ):
            chosen = page
        await chosen(scope, receive, send)

    return answer


def _documents(public: Public, dispatcher: Dispatcher) -> list[Route]:
    table, base_url, oauth = dispatcher.table, public.base_url, public.oauth

    @cache
    def description() -> dict[str, Any]:
        """Describe the interface for the first reader: it takes megabytes that a server without readers spares."""
        return openapi_document(table, base_url, oauth=oauth)

    everywhere = {"access-control-allow-origin": "*"}
    discovery = compact(mcp_json(table, base_url, oauth=oauth))
    return [
        Route(OPENAPI_PATH, CachedDocument(lambda: compact(description()), "application/json")),
        Route("/mcp.json", CachedDocument(discovery, "application/json", everywhere)),
        *docs_routes(description),
    ]


def _lifespan(
    manager: StreamableHTTPSessionManager, lifespan: Lifespan
) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def combined_lifespan(app: Starlette) -> AsyncGenerator[None]:
        async with lifespan(), manager.run():
            yield

    return combined_lifespan


def _wrapped(app: ASGIApp, public: Public, metrics: Metrics | None, body_seconds: float) -> ASGIApp:
    guard = OriginGuard(
        app,
        hosts=allowed_hosts(public.base_url, public.allowed_hosts),
        origins=allowed_origins(public.base_url, public.allowed_origins),
        for_any_host=("/metrics",) if public.metrics == "any-host" else (),
    )
    proxies = TrustedProxies(public.trusted_proxies)
    observe = metrics.request if metrics else None
    return FrontDoor(app, guard=guard, proxies=proxies, observe=observe, body_seconds=body_seconds)

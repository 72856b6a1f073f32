"""Which Host and Origin headers are served, and what a browser on another page may do."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from starlette.middleware.cors import CORSMiddleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

_LOOPBACK_HOSTS: Final = ("127.0.0.1", "localhost", "[::1]")
_LOOPBACK_ORIGINS: Final = ("http://127.0.0.1", "http://localhost")
_CONNECTOR_ORIGINS: Final = ("https://claude.ai", "https://claude.com", "https://chatgpt.com")
_DEFAULT_PORTS: Final = {"http": "80", "https": "443"}
_REQUEST_HEADERS: Final = (
    "Authorization",
    "Content-Type",
    "Mcp-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
    "Mcp-Session-Id",
    "Last-Event-ID",
)
_EXPOSED_HEADERS: Final = (
    "WWW-Authenticate",
    "Retry-After",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
)
_PROBES: Final = frozenset({"/healthz", "/readyz"})
_ENDPOINTS: Final = ("/mcp", "/api/mcp-app")


@dataclass(frozen=True, slots=True)
class Allowed:
    """Names that may stand in a header: exact ones, and ones that may carry any port (written `name:*`)."""

    exact: frozenset[str]
    any_port: frozenset[str]

    @classmethod
    def of(cls, names: Iterable[str]) -> "Allowed":
        """Read names as an operator writes them; matching is done in lower case."""
        lowered = [name.lower() for name in names]
        return cls(
            exact=frozenset(name for name in lowered if not name.endswith(":*")),
            any_port=frozenset(name[:-2] for name in lowered if name.endswith(":*")),
        )

    def __contains__(self, value: str) -> bool:
        value = value.lower()
        if value in self.exact:
            return True
        name, _, port = value.rpartition(":")
        return name in self.any_port and port.isdecimal()


def allowed_hosts(base_url: str, more: Iterable[str] = ()) -> Allowed:
    """Hosts served: the public one, every spelling of loopback, and the operator's own."""
    url = urlsplit(base_url)
    public = [url.netloc]
    if url.port is None:
        public.append(f"{url.netloc}:{_DEFAULT_PORTS[url.scheme]}")
    loopback = [form for host in _LOOPBACK_HOSTS for form in (host, f"{host}:*")]
    return Allowed.of([*public, *loopback, *more])


def allowed_origins(base_url: str, more: Iterable[str] = ()) -> Allowed:
    """Pages that may call us from a browser: our own, loopback ones, the known connectors, the operator's."""
    loopback = [form for origin in _LOOPBACK_ORIGINS for form in (origin, f"{origin}:*")]
    return Allowed.of([base_url, *loopback, *_CONNECTOR_ORIGINS, *more])


class _CrossOrigin(CORSMiddleware):
    """Starlette's CORS answers, decided by the same list as the Origin check."""

    def __init__(self, app: ASGIApp, origins: Allowed) -> None:
        super().__init__(
            app,
            allow_methods=("GET", "POST"),
            allow_headers=_REQUEST_HEADERS,
            expose_headers=_EXPOSED_HEADERS,
            max_age=600,
        )
        self._origins = origins

    def is_allowed_origin(self, origin: str) -> bool:
        return origin in self._origins


class OriginGuard:
    """Refuses requests that a rebinding page or a foreign origin could have sent, before anything reads them.

    The Host is checked on every path but the health probes, which an orchestrator asks by address.
    The Origin is checked, and CORS spoken, on the protocol endpoints and everything below them.
    """

    def __init__(self, app: ASGIApp, *, hosts: Allowed, origins: Allowed) -> None:
        self._app = app
        self._hosts = hosts
        self._origins = origins
        self._cross_origin = _CrossOrigin(app, origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request or refuse it; other traffic passes through."""
        if scope["type"] != "http" or scope["path"] in _PROBES:
            return await self._app(scope, receive, send)
        hosts, origins, preflight = _read(scope)
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return await PlainTextResponse("Invalid Host header", status_code=421)(scope, receive, send)
        if not _is_endpoint(scope["path"]):
            return await self._app(scope, receive, send)
        if preflight and origins:
            return await self._cross_origin(scope, receive, send)
        if any(origin not in self._origins for origin in origins):
            return await PlainTextResponse("Invalid Origin header", status_code=403)(scope, receive, send)
        # An answer that caches may keep says that it varies by Origin even to those who sent none.
        if origins or scope["method"] in ("GET", "HEAD"):
            return await self._cross_origin(scope, receive, send)
        await self._app(scope, receive, send)


def _read(scope: Scope) -> tuple[list[str], list[str], bool]:
    hosts: list[str] = []
    origins: list[str] = []
    asks_method = False
    for name, value in scope["headers"]:
        if name == b"host":
            hosts.append(value.decode("latin-1"))
        elif name == b"origin":
            origins.append(value.decode("latin-1"))
        elif name == b"access-control-request-method":
            asks_method = True
    return hosts, origins, asks_method and scope["method"] == "OPTIONS"


def _is_endpoint(path: str) -> bool:
    return path.startswith(_ENDPOINTS) and any(
        path == root or path.startswith(root + "/") for root in _ENDPOINTS
    )

"""Allowed Host and Origin headers, and CORS for browser pages on other origins."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from starlette.middleware.cors import CORSMiddleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Scope

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
_BELOW_ENDPOINTS: Final = tuple(f"{path}/" for path in _ENDPOINTS)


@dataclass(frozen=True, slots=True)
class Allowed:
    """Allowed header values: exact names, and names with any port (written `name:*`)."""

    exact: frozenset[str]
    any_port: frozenset[str]

    @classmethod
    def of(cls, names: Iterable[str]) -> "Allowed":
        """Parse names as an operator writes them. Matching is case-insensitive."""
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
    """Return the hosts to serve: the public host, every spelling of loopback, and the operator's own."""
    url = urlsplit(base_url)
    public = [url.netloc]
    if url.port is None:
        public.append(f"{url.netloc}:{_DEFAULT_PORTS[url.scheme]}")
    loopback = [form for host in _LOOPBACK_HOSTS for form in (host, f"{host}:*")]
    return Allowed.of([*public, *loopback, *more])


def allowed_origins(base_url: str, more: Iterable[str] = ()) -> Allowed:
    """Return origins that may call us from a browser: our own, loopback, known connectors, and the operator's."""
    loopback = [form for origin in _LOOPBACK_ORIGINS for form in (origin, f"{origin}:*")]
    return Allowed.of([base_url, *loopback, *_CONNECTOR_ORIGINS, *more])


class _CrossOrigin(CORSMiddleware):
    """Starlette's CORS responses, decided by the same list as the Origin check."""

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
    """Rejects requests that a rebinding page or a foreign origin could have sent, before anything reads them.

    The Host is checked on every path except the health probes, which an orchestrator requests by IP address.
    The Origin is checked, and CORS is supported, on the protocol endpoints and everything below them.
    """

    def __init__(
        self, app: ASGIApp, *, hosts: Allowed, origins: Allowed, for_any_host: Iterable[str] = ()
    ) -> None:
        """`for_any_host` are further paths that are answered whatever the Host is."""
        self._app = app
        self._for_any_host = _PROBES.union(for_any_host)
        self._hosts = hosts
        self._origins = origins
        self._cross_origin = _CrossOrigin(app, origins)

    def answers(self, scope: Scope, asked_from: "AskedFrom") -> ASGIApp:
        """Return the app that handles a request: the service, or an error response."""
        path: str = scope["path"]
        if path in self._for_any_host:
            return self._app
        hosts, origins = asked_from.hosts, asked_from.origins
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return PlainTextResponse("Invalid Host header", status_code=421)
        if not _is_endpoint(path):
            return self._app
        if origins and asked_from.asks_method and scope["method"] == "OPTIONS":
            return self._cross_origin
        if any(origin not in self._origins for origin in origins):
            return PlainTextResponse("Invalid Origin header", status_code=403)
        # Responses that a cache may store vary by Origin, even for requests without an Origin header.
        if origins or scope["method"] in ("GET", "HEAD"):
            return self._cross_origin
        return self._app


@dataclass(slots=True)
class AskedFrom:
    """The Host and Origin fields of a request, and whether it is a CORS preflight."""

    hosts: list[str] = field(default_factory=list[str])
    origins: list[str] = field(default_factory=list[str])
    asks_method: bool = False


def _is_endpoint(path: str) -> bool:
    return path in _ENDPOINTS or path.startswith(_BELOW_ENDPOINTS)

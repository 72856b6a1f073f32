"""What is logged and counted of an HTTP request: its id, the client's address, how it ended, how long it took."""

import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Final, TypeAlias

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

log = logging.getLogger(__name__)

Network: TypeAlias = IPv4Network | IPv6Network
Observe: TypeAlias = Callable[[str, int, float], None]
"""Told of each answer: method, status, seconds."""


REQUEST_ID = "X-Request-Id"
_SAFE_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")


CutShort: TypeAlias = Callable[[], int | None]
CUT_SHORT: Final = "seenby.cut_short"
"""Key in `scope["extensions"]`: a function that returns 408 when a deadline passed, 499 when the client hung up
(as proxies count it), and None while the connection is open."""

CLIENT_CLOSED = 499
"""The status under which a request is logged and counted whose client hung up before its answer."""


class TrustedProxies:
    """Networks whose word about a client's address counts.

    Raises ValueError for something that is neither an address nor a network.
    """

    def __init__(self, networks: Iterable[str] = ()) -> None:
        self._networks: tuple[Network, ...] = tuple(ip_network(network) for network in networks)

    def __bool__(self) -> bool:
        return bool(self._networks)

    def __contains__(self, address: str) -> bool:
        try:
            parsed = ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self._networks)

    def client_of(self, peer: str, forwarded_for: str) -> str:
        """Find the client behind `peer`: the nearest address in X-Forwarded-For that is no proxy of ours.

        Only what a trusted proxy appended is read, from the right; what stands left of the first
        untrusted address was written by a stranger.
        """
        client = peer
        for hop in reversed(forwarded_for.split(",")):
            if client not in self:
                break
            try:
                client = str(ip_address(hop.strip()))
            except ValueError:
                break
        return client


class RequestIds:
    """Keeps the id that a proxy in front has given, if it is safe to write down, and makes one otherwise."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request under its id; other traffic passes through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        sent_id = Headers(scope=scope).get(REQUEST_ID, "")
        request_id = sent_id if _SAFE_ID.fullmatch(sent_id) else secrets.token_hex(12)

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[REQUEST_ID] = request_id
            await send(message)

        with bound_contextvars(request_id=request_id):
            await self._app(scope, receive, named)


class RequestAccess:
    """Reads the head of a request once for everything inside, and reports each answer."""

    def __init__(self, app: ASGIApp, *, proxies: TrustedProxies, observe: Observe | None = None) -> None:
        self._app = app
        self._proxies = proxies
        self._observe = observe

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request; other traffic passes through."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        _trim(scope)
        if self._proxies and scope.get("client"):
            scope["client"] = (self._client(scope), 0)
        status: int | None = None
        cut_short: CutShort = scope.get("extensions", {}).get(CUT_SHORT, _still_open)
        hung_up = False
        started = time.perf_counter()

        async def noting_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = cut_short() or message["status"]
            await send(message)

        async def noting_hang_up() -> Message:
            nonlocal hung_up
            message = await receive()
            hung_up = hung_up or message["type"] == "http.disconnect"
            return message

        try:
            await self._app(scope, noting_hang_up, noting_status)
        except ClientDisconnect:
            hung_up = True
        finally:
            if status is None:
                status = cut_short() or (CLIENT_CLOSED if hung_up else 500)
            self._report(scope, status, time.perf_counter() - started)

    def _client(self, scope: Scope) -> str:
        forwarded = ",".join(
            value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"
        )
        return self._proxies.client_of(scope["client"][0], forwarded)

    def _report(self, scope: Scope, status: int, seconds: float) -> None:
        if self._observe is not None:
            self._observe(scope["method"], status, seconds)
        # A served tool call is reported by dispatch; a second line would say nothing new.
        level = logging.INFO if status >= 400 else logging.DEBUG
        if log.isEnabledFor(level):
            fields = {"method": scope["method"], "path": scope["path"], "status": status}
            log.log(level, "request", extra={**fields, "duration_ms": round(seconds * 1000, 3)})


def _still_open() -> None:
    return None


def _trim(scope: Scope) -> None:
    """Take the whitespace off field values (RFC 9110 section 5.5); httptools leaves it at their end."""
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    if any(value[-1:] in _WHITESPACE for _, value in headers):
        scope["headers"] = [(name, value.strip(b" \t")) for name, value in headers]


_WHITESPACE = (b" ", b"\t")

"""The outermost ASGI middleware: request ids, trusted proxies, Host and Origin checks, deadlines, access lines."""

import asyncio
import itertools
import logging
import re
import secrets
import time
from collections.abc import Callable
from typing import Final, TypeAlias

from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.http.origins import AskedFrom, OriginGuard
from server.http.proxies import TrustedProxies
from server.logs import REQUEST_ID

log = logging.getLogger(__name__)

Observe: TypeAlias = Callable[[str, int, float], None]
"""Called for each response with method, status and seconds."""

_SAFE_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,128}")

CONNECTION: Final = "seenby.connection"
"""Key in `scope["extensions"]`: the state of the connection: `lost`, `receives_body`."""

BODY_SECONDS: Final = 30.0
"""How long a request's body may take to arrive, from the end of its head."""

CLIENT_CLOSED: Final = 499
"""The status under which a request is logged and counted whose client hung up before its answer."""


class FrontDoor:
    """Applies to every request what all of them need.

    It keeps the id that a proxy in front has given, if it is safe to log, and makes one otherwise; it takes the
    client's address from a trusted proxy; it lets the guard decide who answers; and it reports each response.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        guard: OriginGuard,
        proxies: TrustedProxies,
        observe: Observe | None = None,
        body_seconds: float = BODY_SECONDS,
    ) -> None:
        self._app = app
        self._guard = guard
        self._proxies = proxies
        self._observe = observe
        self._body_seconds = body_seconds
        # Ids have to differ; they need not be secret.
        self._process = secrets.token_hex(8)
        self._numbers = itertools.count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request; other traffic passes through."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        head = _read(scope)
        request_id = head.request_id
        if request_id is None:
            request_id = f"{self._process}{next(self._numbers):08x}"
        if self._proxies and scope.get("client"):
            client = self._proxies.client_of(scope["client"][0], head.forwarded_for)
            scope["client"] = (client, 0)
        exchange = HttpExchange(scope, receive, send, request_id, self._body_seconds)
        earlier = REQUEST_ID.set(request_id)
        started = time.perf_counter()
        try:
            await self._guard.answers(scope, head.asked_from)(scope, exchange.receive, exchange.send)
        except ClientDisconnect:
            exchange.hung_up = True
        finally:
            self._report(scope, exchange.ended_with(), time.perf_counter() - started)
            REQUEST_ID.reset(earlier)

    def _report(self, scope: Scope, status: int, seconds: float) -> None:
        if self._observe is not None:
            self._observe(scope["method"], status, seconds)
        # A served tool call is reported by dispatch; a second line would say nothing new.
        level = logging.INFO if status >= 400 else logging.DEBUG
        if log.isEnabledFor(level):
            fields = {"method": scope["method"], "path": scope["path"], "status": status}
            log.log(level, "request", extra={**fields, "duration_ms": round(seconds * 1000, 3)})


class HttpExchange:
    """The messages of one request on their way through: adds the request's id and enforces the body's deadline."""

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, request_id: str, body_seconds: float = BODY_SECONDS
    ) -> None:
        self._receive = receive
        self._send = send
        self._id = request_id.encode()
        self._connection = scope.get("extensions", {}).get(CONNECTION)
        self._deadline = asyncio.get_running_loop().time() + body_seconds
        self._awaits_body = True
        self._timed_out = False
        self.status: int | None = None
        self.hung_up = False

    async def receive(self) -> Message:
        """Pass on what came, and note that the client hung up; a body that is late is answered with 408."""
        whole = self._connection is not None and not self._connection.receives_body
        if whole or not self._awaits_body:  # a body that came with its head, as nearly all do, sets no timer
            message = await self._receive()
        else:
            try:
                async with asyncio.timeout_at(self._deadline):
                    message = await self._receive()
            except TimeoutError:
                await self._time_out()
                return {"type": "http.disconnect"}
            self._awaits_body = message.get("more_body", False)
        if message["type"] == "http.disconnect":
            self.hung_up = True
        return message

    async def send(self, message: Message) -> None:
        """Note the status, and add the id."""
        if self._timed_out:
            return
        if message["type"] == "http.response.start":
            self.status = CLIENT_CLOSED if self._is_lost() else message["status"]
            message["headers"] = [*message.get("headers", ()), (b"x-request-id", self._id)]
        await self._send(message)

    async def _time_out(self) -> None:
        if self.status is None:
            late = PlainTextResponse("Request Timeout", 408, {"connection": "close"})
            for message in (
                {"type": "http.response.start", "status": 408, "headers": late.raw_headers},
                {"type": "http.response.body", "body": late.body},
            ):
                await self.send(message)
        self._timed_out = True

    def _is_lost(self) -> bool:
        return self._connection is not None and self._connection.lost

    def ended_with(self) -> int:
        """Return the status under which the request is counted."""
        if self.status is not None:
            return self.status
        return CLIENT_CLOSED if self.hung_up or self._is_lost() else 500


class _Head:
    """What the door reads of a request's head."""

    __slots__ = ("asked_from", "forwarded_for", "request_id")

    def __init__(self) -> None:
        self.request_id: str | None = None
        self.forwarded_for = ""
        self.asked_from = AskedFrom()


def _read(scope: Scope) -> _Head:
    """Read the head, and take the whitespace off field values (RFC 9110 section 5.5), which httptools leaves."""
    head = _Head()
    untrimmed = False
    for name, value in scope["headers"]:
        if value[-1:] in _WHITESPACE:
            untrimmed = True
            value = value.strip(b" \t")
        if name in _READ:
            _take(head, name, value.decode("latin-1"))
    if untrimmed:
        scope["headers"] = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
    return head


def _take(head: _Head, name: bytes, value: str) -> None:
    if name == b"host":
        head.asked_from.hosts.append(value)
    elif name == b"origin":
        head.asked_from.origins.append(value)
    elif name == b"access-control-request-method":
        head.asked_from.asks_method = True
    elif name == b"x-forwarded-for":
        head.forwarded_for = f"{head.forwarded_for},{value}" if head.forwarded_for else value
    elif head.request_id is None and _SAFE_ID.fullmatch(value):
        head.request_id = value


_READ: Final = frozenset(
    {b"host", b"origin", b"access-control-request-method", b"x-forwarded-for", b"x-request-id"}
)
_WHITESPACE: Final = (b" ", b"\t")

"""What every HTTP request passes first: its head read once, its id, who may ask, and how it ended."""

import itertools
import logging
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rest_bridge.json_messages import JsonExchange
from server.http.origins import AskedFrom, OriginGuard
from server.http.proxies import TrustedProxies
from server.logs import REQUEST_ID

log = logging.getLogger(__name__)

Observe: TypeAlias = Callable[[str, int, float], None]
"""Told of each answer: method, status, seconds."""

_SAFE_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,128}")

CutShort: TypeAlias = Callable[[], int | None]
CUT_SHORT: Final = "seenby.cut_short"
"""Key in `scope["extensions"]`: a function that returns 408 when a deadline passed, 499 when the client hung up
(as proxies count it), and None while the connection is open."""

InOnePiece: TypeAlias = Callable[[Send, bytes, bytes], bool]
IN_ONE_PIECE: Final = "seenby.in_one_piece"
"""Key in `scope["extensions"]`: a function that writes a whole answer with status 200, given the `send` that it is to
stand for, fields of its head and its body; False where it cannot, and nothing was written."""

CLIENT_CLOSED: Final = 499
"""The status under which a request is logged and counted whose client hung up before its answer."""


class FrontDoor:
    """One pass over a request for all that is asked of every one.

    It keeps the id that a proxy in front has given, if it is safe to write down, and makes one otherwise; it takes the
    client's address from a trusted proxy; it lets the guard decide who answers; and it reports each answer.
    """

    def __init__(
        self, app: ASGIApp, *, guard: OriginGuard, proxies: TrustedProxies, observe: Observe | None = None
    ) -> None:
        self._app = app
        self._guard = guard
        self._proxies = proxies
        self._observe = observe
        # Ids have to differ, and nobody gains by guessing one: drawing each anew would ask the system each time.
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
        exchange = HttpExchange(scope, receive, send, request_id)
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


class HttpExchange(JsonExchange):
    """The messages of one request, on their way through the door."""

    __slots__ = ("_cut_short", "_extensions", "_id", "_receive", "_send", "hung_up", "status")

    def __init__(self, scope: Scope, receive: Receive, send: Send, request_id: str) -> None:
        self._receive = receive
        self._send = send
        self._id = request_id.encode()
        self._extensions: Mapping[str, Any] = scope.get("extensions", _NONE)
        self._cut_short: CutShort = self._extensions.get(CUT_SHORT, _still_open)
        self.status: int | None = None
        self.hung_up = False

    async def receive(self) -> Message:
        """Note that the client hung up."""
        message = await self._receive()
        if message["type"] == "http.disconnect":
            self.hung_up = True
        return message

    def send(self, message: Message) -> Awaitable[None]:
        """Note the status, and add the id; the server's own sending is what is awaited."""
        if message["type"] == "http.response.start":
            self.status = self._cut_short() or message["status"]
            message["headers"] = [*message.get("headers", ()), (_REQUEST_ID, self._id)]
        return self._send(message)

    def send_json(self, body: bytes, fields: bytes = b"") -> bool:
        """Send a JSON document with status 200 at once; False where that takes messages, and nothing was sent."""
        in_one_piece: InOnePiece | None = self._extensions.get(IN_ONE_PIECE)
        if in_one_piece is None or not in_one_piece(self._send, _JSON_HEAD % (self._id, fields), body):
            return False
        self.status = self._cut_short() or 200
        return True

    def ended_with(self) -> int:
        """Return the status under which the request is counted."""
        if self.status is not None:
            return self.status
        return self._cut_short() or (CLIENT_CLOSED if self.hung_up else 500)


_NONE: Final[Mapping[str, Any]] = {}
_REQUEST_ID: Final = b"x-request-id"
_JSON_HEAD: Final = b"content-type: application/json\r\nx-request-id: %b\r\n%b"


def _still_open() -> None:
    return None


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

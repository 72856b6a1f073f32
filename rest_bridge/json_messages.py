"""JSON over HTTP: strict, size-limited parsing of request bodies, JSON responses, and one shape for all errors."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import isinf
from typing import Any, Final

from anyio import move_on_after
from pydantic_core import from_json, to_json
from starlette.types import Message, Receive, Send

from tools.calls.errors import FORMS, Cause, words

LARGEST_BODY = 1_000_000
DEEPEST = 200
LARGEST_DISCARDED = 10_000_000
DISCARDING_SECONDS = 5


class BodyTooLarge(Exception):
    """The body is longer than the limit, as declared or as counted."""


class MalformedBody(Exception):
    """The body is no JSON text in UTF-8, or one that two readers could read differently."""


class ClientGone(Exception):
    """The client went away before its body had arrived."""


async def read_body(
    receive: Receive, headers: Iterable[tuple[bytes, bytes]], limit: int = LARGEST_BODY
) -> bytes:
    """The whole body. Raises BodyTooLarge as soon as it must be, and ClientGone."""
    for name, value in headers:
        if name == b"content-length" and value.isdigit() and int(value) > limit:
            await _discard(receive)
            raise BodyTooLarge
    message = await _next(receive)
    body = message.get("body", b"")
    parts, length = [body], len(body)
    while length <= limit and message.get("more_body", False):
        message = await _next(receive)
        parts.append(message.get("body", b""))
        length += len(parts[-1])
    if length > limit:
        if message.get("more_body", False):
            await _discard(receive)
        raise BodyTooLarge
    return body if len(parts) == 1 else b"".join(parts)


async def _discard(receive: Receive) -> None:
    """Read on and forget, up to a limit of bytes and of time.

    A connection that is closed on a client still sending is reset, and the reset can overtake the
    answer (RFC 9112 section 9.6).
    """
    left = LARGEST_DISCARDED
    with move_on_after(DISCARDING_SECONDS):
        while left > 0:
            message = await _next(receive)
            if not message.get("more_body", False):
                return
            left -= len(message.get("body", b""))


async def _next(receive: Receive) -> Message:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientGone
    return message


def parse_json(body: bytes) -> Any:
    """Return the JSON value of a body.

    Raises MalformedBody for anything but strict UTF-8 JSON: a byte order mark,
    a lone surrogate, NaN, a number without a finite value, a duplicate name in
    one object, or more than 200 levels. Two parsers have to agree, since neither
    rejects all of these.
    """
    try:
        from_json(body, allow_inf_nan=False)
        value = _DECODE(body.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise MalformedBody from error
    if body.count(b"[") + body.count(b"{") > DEEPEST and _deeper_than(value, DEEPEST):
        raise MalformedBody
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a name appears twice")
    return members


def _finite(text: str) -> float:
    number = float(text)
    if isinf(number):
        raise ValueError("a number is too large")
    return number


_DECODE: Final[Callable[[str], Any]] = json.JSONDecoder(object_pairs_hook=_object, parse_float=_finite).decode


def _deeper_than(value: Any, levels: int) -> bool:
    """Whether arrays and objects nest deeper than this; level by level, so that depth costs no stack."""
    level: list[Any] = [value]
    for _ in range(levels):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return any(isinstance(inner, list | dict) for inner in level)


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType] - any JSON
    return value if isinstance(value, list) else ()  # pyright: ignore[reportUnknownVariableType] - any JSON


@dataclass(slots=True)  # not frozen: one is made for each call, and freezing takes four times as long
class JsonResponse:
    """A response; the media type is always JSON."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    async def send(self, send: Send) -> None:
        """Write the response."""
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(self.body)).encode()),
            *((name.lower().encode(), value.encode("latin-1")) for name, value in self.headers.items()),
        ]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body})


def error(cause: Cause, headers: Mapping[str, str] | None = None, **filling: object) -> JsonResponse:
    """Return an error response whose text comes entirely from the error table."""
    form = FORMS[cause]
    values = words(None, **filling)
    message, hint = (form.reason or "").format(**values), (form.hint or "").format(**values)
    return JsonResponse(form.status, error_body(form.code, message, hint), headers or {})


def failed_tool(tool: str, cause: Cause, **filling: object) -> JsonResponse:
    """Return the error response of a tool whose call failed outside of dispatch."""
    form = FORMS[cause]
    message = f"Tool '{tool}' failed: {form.reason}"
    return JsonResponse(form.status, error_body(form.code, message, (form.hint or "").format(**filling)))


def error_body(code: str, message: str, hint: str) -> bytes:
    """Return the error object that the specification defines."""
    return to_json({"error": {"code": code, "message": message, "hint": hint}})

"""JSON-RPC 2.0 messages: accepted shapes and serialized answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

from mcp.types import INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR
from pydantic_core import to_json

__all__ = ["INTERNAL_ERROR", "INVALID_PARAMS", "INVALID_REQUEST", "PARSE_ERROR", "UNAUTHORIZED"]

UNAUTHORIZED: Final = -32001
"""The specification's error code for a rejected credential."""

Identifier: TypeAlias = str | int
JsonObject: TypeAlias = dict[str, Any]

_ABSENT: Final = object()


@dataclass(slots=True)  # not frozen: one is created per message, and a frozen class takes four times as long
class JsonRpcMessage:
    """A well-formed message. `identifier` is None for a notification and for a response from the client."""

    method: str | None
    identifier: Identifier | None
    params: Mapping[str, Any]
    raw: JsonObject

    @property
    def expects_answer(self) -> bool:
        """Whether the sender expects an answer: requests do, notifications and responses do not."""
        return self.identifier is not None and self.method is not None


@dataclass(frozen=True, slots=True)
class Malformed:
    """A JSON value that is not a valid message. `identifier` is kept when it can be trusted."""

    identifier: Identifier | None
    reason: str


def read_message(value: Any) -> JsonRpcMessage | Malformed:
    """Check one decoded JSON value against the message grammar of JSON-RPC 2.0, section 4.

    Stricter than the transport behind it in one point: an id that is neither a string nor an
    integer is rejected instead of being treated as missing.
    """
    if not isinstance(value, dict):
        return Malformed(None, "Invalid Request")
    raw = cast(JsonObject, value)
    if "method" not in raw and ("result" in raw or "error" in raw) and raw.get("jsonrpc") == "2.0":
        return JsonRpcMessage(method=None, identifier=None, params={}, raw=raw)
    identifier = raw.get("id", _ABSENT)
    if identifier is _ABSENT:
        identifier = None
    elif type(identifier) is not str and type(identifier) is not int:
        return Malformed(None, "id must be a string or an integer")
    method, params = raw.get("method"), raw.get("params", _ABSENT)
    if params is _ABSENT:
        params = {}
    if raw.get("jsonrpc") != "2.0" or not isinstance(method, str) or not isinstance(params, dict):
        return Malformed(identifier, "Invalid Request")
    return JsonRpcMessage(method=method, identifier=identifier, params=cast(JsonObject, params), raw=raw)


def error(identifier: Identifier | None, code: int, message: str, data: Any = _ABSENT) -> bytes:
    """Serialize an error answer. `data` is omitted unless given."""
    body: JsonObject = {"code": code, "message": message}
    if data is not _ABSENT:
        body["data"] = data
    return compact({"jsonrpc": "2.0", "id": identifier, "error": body})


def result(identifier: Identifier | None, written: bytes) -> bytes:
    """Return a success answer with a result that is JSON already."""
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (compact(identifier), written)


def compact(value: Any) -> bytes:
    """Serialize a JSON value without whitespace, in UTF-8. Numbers must be finite."""
    return to_json(value)

"""Answers the commonest handshake-era requests without the SDK's session machinery."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from oauth.challenges import Challenges
from oauth.principal import Caller
from server.mcp.handlers import ToolListing
from server.mcp.jsonrpc import INVALID_PARAMS, Identifier, JsonRpcMessage, error, result
from server.mcp.results import result_bytes, result_challenge
from tools.calls.dispatch import Dispatcher, Refusal
from tools.calls.errors import UnknownTool

_METHODS: Final = frozenset({"tools/call", "tools/list", "ping"})
_PLAIN_PARAMS: Final = frozenset({"_meta"})
_CALL_PARAMS: Final = frozenset({"name", "arguments", "_meta"})
_META: Final = frozenset({"progressToken"})


@dataclass(slots=True)
class LaneAnswer:
    """A JSON-RPC answer, with the refusal that the edge has to tell by status and headers too."""

    body: bytes
    refusal: Refusal | None = None


class FastLane:
    """Takes only requests whose every member it knows; whatever looks unusual goes to the SDK.

    The SDK starts a session, two tasks and four streams for each message, which costs several
    times the call itself.
    """

    def __init__(self, dispatcher: Dispatcher, listing: ToolListing, challenges: Challenges) -> None:
        self._dispatcher = dispatcher
        self._listing = listing
        self._challenges = challenges

    def takes(self, message: JsonRpcMessage) -> bool:
        """Tell whether the lane knows this request, of a handshake version, to the last member."""
        if message.method not in _METHODS:
            return False
        params = message.params
        if not params:
            return message.method != "tools/call"
        if message.method != "tools/call":
            return params.keys() <= _PLAIN_PARAMS and _plain_meta(params)
        return (
            params.keys() <= _CALL_PARAMS
            and isinstance(params.get("name"), str)
            and isinstance(params.get("arguments"), dict | None)
            and _plain_meta(params)
        )

    async def answer(
        self, message: JsonRpcMessage, version: str, caller: Caller, endpoint: str
    ) -> LaneAnswer:
        """Answer a request that the lane takes."""
        identifier = message.identifier
        if identifier is None:
            raise ValueError("the lane answers requests only")
        if message.method == "ping":
            return LaneAnswer(result(identifier, b"{}"))
        if message.method == "tools/list":
            return LaneAnswer(result(identifier, self._listing.legacy_bytes(version)))
        return await self._call(identifier, message.params, caller, endpoint)

    async def _call(
        self, identifier: Identifier, params: Mapping[str, Any], caller: Caller, endpoint: str
    ) -> LaneAnswer:
        try:
            outcome = await self._dispatcher.call(params["name"], params.get("arguments") or {}, caller)
        except UnknownTool as unknown:
            return LaneAnswer(error(identifier, INVALID_PARAMS, f"Unknown tool: {unknown.name}"))
        if isinstance(outcome, Refusal):
            challenge = result_challenge(outcome, self._challenges, endpoint)
            return LaneAnswer(result(identifier, result_bytes(outcome, challenge)), outcome)
        return LaneAnswer(result(identifier, result_bytes(outcome, None)))


def _plain_meta(params: Mapping[str, Any]) -> bool:
    """Whether `_meta` is absent or carries nothing but a progress token, which has no effect here."""
    if "_meta" not in params:
        return True
    meta = params["_meta"]
    if not isinstance(meta, dict):
        return False
    members = cast(dict[str, Any], meta)
    return members.keys() <= _META and type(members.get("progressToken", 0)) in (int, str)

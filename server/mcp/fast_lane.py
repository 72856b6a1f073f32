"""The fast path of MCP: answers plain `tools/call` requests of the handshake versions without the SDK's sessions.

The SDK starts a session, two tasks and four streams for each message; `python -m bench http` prints what both cost.
`tests/server/test_lanes.py` sends a corpus down both paths and compares the answers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from oauth.challenges import Challenges
from oauth.principal import Caller
from server.mcp.arguments import normalized
from server.mcp.jsonrpc import INVALID_PARAMS, JsonRpcMessage, error, result
from server.mcp.results import result_challenge, result_json
from tools.calls.dispatch import Dispatcher, Refusal
from tools.calls.errors import UnknownTool

_CALL_PARAMS: Final = frozenset({"name", "arguments", "_meta"})
_META: Final = frozenset({"progressToken"})


@dataclass(slots=True)
class LaneAnswer:
    """A JSON-RPC answer, with the error outcome that the edge also reports by status and headers."""

    body: bytes
    refusal: Refusal | None = None


class FastLane:
    """Handles only calls whose every member it knows. Everything else goes to the SDK."""

    def __init__(self, dispatcher: Dispatcher, challenges: Challenges) -> None:
        self._dispatcher = dispatcher
        self._challenges = challenges

    def takes(self, message: JsonRpcMessage) -> bool:
        """Return whether the lane supports every member of this request, which uses a handshake version."""
        params = message.params
        return (
            message.method == "tools/call"
            and message.expects_answer
            and params.keys() <= _CALL_PARAMS
            and isinstance(params.get("name"), str)
            and isinstance(params.get("arguments"), dict | None)
            and _plain_meta(params)
        )

    async def answer(
        self, message: JsonRpcMessage, caller: Caller, endpoint: str, version: str
    ) -> LaneAnswer:
        """Answer a request that the lane takes, in the client's protocol version."""
        params, identifier = message.params, message.identifier
        try:
            arguments = normalized(self._dispatcher.table, params["name"], params.get("arguments"))
            outcome = await self._dispatcher.call(params["name"], arguments, caller, brief=True)
        except UnknownTool as unknown:
            return LaneAnswer(error(identifier, INVALID_PARAMS, f"Unknown tool: {unknown.name}"))
        if isinstance(outcome, Refusal):
            challenge = result_challenge(outcome, self._challenges, endpoint)
            return LaneAnswer(result(identifier, result_json(outcome, challenge, version)), outcome)
        return LaneAnswer(result(identifier, result_json(outcome, None, version)))


def _plain_meta(params: Mapping[str, Any]) -> bool:
    """Return whether `_meta` is absent or has only a progress token, which has no effect here."""
    if "_meta" not in params:
        return True
    meta = params["_meta"]
    if not isinstance(meta, dict):
        return False
    members = cast(dict[str, Any], meta)
    return members.keys() <= _META and type(members.get("progressToken", 0)) in (int, str)

"""The result of a tools/call on the wire: the outcome of dispatch as MCP content."""

from typing import Any

from mcp.types import CallToolResult
from pydantic_core import to_json

from oauth.challenges import Challenges
from server.mcp.summaries import summary
from server.mcp.versions import has_structured_content
from tools.calls.dispatch import Refusal, Success
from tools.calls.errors import Cause

CHALLENGE_KEY = "mcp/www_authenticate"
"""Key under which connectors look for a challenge inside a tool result."""
MEASUREMENT_KEY = "seenby/measurement"
"""Key under which a result describes the measurement behind its numbers."""


def success_result(success: Success, version: str) -> bytes:
    """Write a success: a summary as text and the data as structured content.

    Clients of versions without structured content receive the data as JSON in the text.
    """
    text = summary(success) if has_structured_content(version) else success.body.decode()
    meta = (
        b'"_meta":{"%b":%b},' % (MEASUREMENT_KEY.encode(), success.measurement)
        if success.measurement
        else b""
    )
    return b'{%b"content":[{"type":"text","text":%b}],"structuredContent":%b,"isError":false}' % (
        meta,
        to_json(text),
        success.body,
    )


def refusal_result(refusal: Refusal, challenge: str | None) -> bytes:
    """Write a failure result for the model. `challenge` lets a connector offer a sign-in."""
    error = {"code": str(refusal.code), "message": refusal.message, "hint": refusal.hint}
    result: dict[str, Any] = {
        "content": [{"type": "text", "text": f"{refusal.message}\nHint: {refusal.hint}"}],
        "isError": True,
        "structuredContent": {"error": error, "_hint": refusal.hint},
    }
    return to_json(result if challenge is None else {"_meta": {CHALLENGE_KEY: [challenge]}, **result})


def result_json(outcome: Success | Refusal, challenge: str | None, version: str) -> bytes:
    """Write the result of either outcome, for a client of a protocol version."""
    return (
        success_result(outcome, version)
        if isinstance(outcome, Success)
        else refusal_result(outcome, challenge)
    )


def result_model(outcome: Success | Refusal, challenge: str | None, version: str) -> CallToolResult:
    """Return the same result as the SDK's own model."""
    return CallToolResult.model_validate_json(result_json(outcome, challenge, version), by_name=False)


def result_challenge(refusal: Refusal, challenges: Challenges, endpoint: str) -> str | None:
    """Return the challenge to put inside the result, or None when sign-in is not possible."""
    if refusal.scope is None or not challenges.oauth:
        return None
    if refusal.cause is Cause.AUTHENTICATION_REQUIRED:
        return challenges.sign_in(endpoint)
    if refusal.cause is Cause.UNDER_SCOPED:
        return challenges.under_scoped(refusal.scope, endpoint)
    return None

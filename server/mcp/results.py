"""The result of a tools/call on the wire: the outcome of dispatch as MCP content."""

from typing import Any

from mcp.types import CallToolResult
from pydantic_core import from_json

from oauth.challenges import Challenges
from tools.calls.dispatch import Refusal, Success
from tools.calls.errors import Cause

CHALLENGE_KEY = "mcp/www_authenticate"
"""Key under which connectors look for a challenge inside a tool result."""
MEASUREMENT_KEY = "seenby/measurement"
"""Key under which a result describes the measurement behind its numbers."""


def success_result(success: Success) -> dict[str, Any]:
    """Build a success: the text content is the JSON of the structured content."""
    document: dict[str, Any] = {
        "content": [{"type": "text", "text": success.body.decode()}],
        "structuredContent": from_json(success.body),
        "isError": False,
    }
    if success.measurement:
        return {"_meta": {MEASUREMENT_KEY: from_json(success.measurement)}, **document}
    return document


def refusal_result(refusal: Refusal, challenge: str | None) -> dict[str, Any]:
    """Build a failure result for the model. `challenge` lets a connector offer a sign-in."""
    error = {"code": str(refusal.code), "message": refusal.message, "hint": refusal.hint}
    result: dict[str, Any] = {
        "content": [
            # Some clients show only the first block: the message is its first line, the hint its second.
            {"type": "text", "text": f"{refusal.message}\nHint: {refusal.hint}"},
            {"type": "text", "text": f"Hint: {refusal.hint}"},
        ],
        "isError": True,
        "structuredContent": {"error": error, "_hint": refusal.hint},
    }
    return result if challenge is None else {"_meta": {CHALLENGE_KEY: [challenge]}, **result}


def result_document(outcome: Success | Refusal, challenge: str | None) -> dict[str, Any]:
    """Build the result of either outcome."""
    return success_result(outcome) if isinstance(outcome, Success) else refusal_result(outcome, challenge)


def result_model(outcome: Success | Refusal, challenge: str | None) -> CallToolResult:
    """Return the same result as the SDK's own model."""
    return CallToolResult.model_validate(result_document(outcome, challenge), by_name=False)


def result_challenge(refusal: Refusal, challenges: Challenges, endpoint: str) -> str | None:
    """Return the challenge to put inside the result, or None when sign-in is not possible."""
    if refusal.scope is None or not challenges.oauth:
        return None
    if refusal.cause is Cause.AUTHENTICATION_REQUIRED:
        return challenges.sign_in(refusal.scope, endpoint)
    if refusal.cause is Cause.UNDER_SCOPED:
        return challenges.under_scoped(refusal.scope, endpoint)
    return None

"""Parses a response without an answer: the kind of failure, and the provider's reason for it."""

import re
from collections.abc import Mapping
from datetime import datetime

from engines.errors import EngineError, EngineErrorCode
from engines.transport import body
from engines.transport.connection import Received
from engines.transport.retries import stated_wait

QUOTA = re.compile(r"quota|credit|billing|run out of searches", re.IGNORECASE)
SENTENCES = {
    EngineErrorCode.PROVIDER_AUTH: "The engine rejected the credential.",
    EngineErrorCode.PROVIDER_QUOTA: "The account at the engine has no quota left.",
    EngineErrorCode.RATE_LIMITED: "The engine limits the rate of asks.",
    EngineErrorCode.PROVIDER_UNAVAILABLE: "The engine is unavailable.",
    EngineErrorCode.PROVIDER_ERROR: "The engine rejected the request.",
}
RETRY_DELAY = re.compile(r"(?<!\d)(\d+(?:\.\d+)?)s")


def refusal(received: Received, now: datetime) -> EngineError | None:
    """Return the error for the status or the content type, or None if the body may hold an answer."""
    if received.ok:
        if received.declares_other_than_json:
            return EngineError(
                EngineErrorCode.INVALID_RESPONSE, "The engine did not answer in JSON.", possibly_billed=True
            )
        return None
    code = _code(received, now)
    return EngineError(code, SENTENCES[code], detail=f"{received.status}: {provider_words(received.body)}")


def refuses_temperature(error: EngineError) -> bool:
    """Return whether a request was rejected for its temperature, which only the provider's message shows."""
    return error.code is EngineErrorCode.PROVIDER_ERROR and "temperature" in (error.detail or "").lower()


def reported(message: str | None, code: EngineErrorCode = EngineErrorCode.PROVIDER_ERROR) -> EngineError:
    """Return the error for a failure that a provider reports inside a 200 body, in its own words."""
    sentence = "The engine reported an error." if code is EngineErrorCode.PROVIDER_ERROR else SENTENCES[code]
    return EngineError(code, sentence, detail=message, possibly_billed=True)


def provider_words(raw: bytes) -> str:
    """Return the provider's own message if the body has one in a usual place, else the start of the body."""
    try:
        parent = body.decode(raw)
        error = parent.get("error")
        inner = body.child(parent, "error") if isinstance(error, dict) else None
        words = body.string(inner if inner is not None else parent, "message") or body.string(parent, "error")
    except EngineError:
        words = None
    return words if words is not None else body.storable(raw[:2000].decode("utf-8", "replace"))


def wait_of(received: Received, now: datetime) -> float | None:
    """Return the seconds that the provider asks us to wait: by header, else by google.rpc.RetryInfo in the body."""
    stated = stated_wait(received.headers, now)
    if stated is not None or received.status != 429:
        return stated
    try:
        error = body.child(body.decode(received.body), "error") or {}
        delays = [body.string(detail, "retryDelay") for detail in body.children(error, "details")]
    except EngineError:
        return None
    matches = (RETRY_DELAY.fullmatch(delay) for delay in delays if delay is not None)
    return next((float(match[1]) for match in matches if match is not None), None)


def status_code(status: int) -> EngineErrorCode:
    """Return the failure for an HTTP status; 429 may still turn out to be an account without balance."""
    if status in (401, 403):
        return EngineErrorCode.PROVIDER_AUTH
    if status == 402:
        return EngineErrorCode.PROVIDER_QUOTA
    if status == 429:
        return EngineErrorCode.RATE_LIMITED
    if status in (408, 409) or status >= 500:
        return EngineErrorCode.PROVIDER_UNAVAILABLE
    return EngineErrorCode.PROVIDER_ERROR


def _code(received: Received, now: datetime) -> EngineErrorCode:
    if received.status == 429 and _spent(received, now):
        return EngineErrorCode.PROVIDER_QUOTA
    return status_code(received.status)


def _spent(received: Received, now: datetime) -> bool:
    # Google also calls a per-minute limit a quota; a limit with a stated end is not an exhausted account.
    error_text = provider_words(received.body) + _error_code(received.body)
    return QUOTA.search(error_text) is not None and wait_of(received, now) is None


def _error_code(raw: bytes) -> str:
    try:
        error: Mapping[str, object] = body.child(body.decode(raw), "error") or {}
    except EngineError:
        return ""
    return f" {error.get('code')} {error.get('type')}"

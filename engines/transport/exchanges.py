"""Times kept exchanges, and takes out of them the ciphertext that only its provider can read."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from engines.engine import Exchange
from engines.errors import EngineError
from engines.transport import body

CIPHERTEXT = frozenset({"encrypted_content", "encrypted_index"})


def elapsed_ms(exchanges: Sequence[Exchange]) -> int:
    """Milliseconds from the first request to the last response, at least 0 even if the clock was set back."""
    elapsed = exchanges[-1].received_at - exchanges[0].sent_at
    return max(0, round(elapsed.total_seconds() * 1000))


def strip(exchange: Exchange) -> Exchange:
    """The exchange with every encrypted value replaced by its size, in what was sent and what was received.

    `raw_sha256` stays that of the body as received. An exchange without ciphertext is returned as it is.
    """
    received, answered = _without_ciphertext(exchange.body)
    sent, _ = _without_ciphertext(exchange.request_body)
    if not answered and sent == exchange.request_body:
        return exchange
    return replace(exchange, body=received, request_body=sent, stripped=True)


def _without_ciphertext(raw: bytes) -> tuple[bytes, bool]:
    if not any(key.encode() in raw for key in CIPHERTEXT):
        return raw, False
    try:
        document = body.decode(raw)
    except EngineError:
        return raw, False
    stripped = _strip(document)
    if stripped == document:
        return raw, False
    # ASCII escapes keep lone surrogates, which UTF-8 could not hold.
    return json.dumps(stripped, separators=(",", ":")).encode("ascii"), True


def _strip(value: object) -> object:
    if isinstance(value, dict):
        fields = cast(dict[str, object], value)
        return {key: _size(inner) if key in CIPHERTEXT else _strip(inner) for key, inner in fields.items()}
    if isinstance(value, list):
        return [_strip(inner) for inner in cast(list[object], value)]
    return value


def _size(value: object) -> object:
    if not isinstance(value, str) or not value or value.startswith("…<"):  # nothing there, or a size already
        return value
    return f"…<{len(value.encode('utf-8', 'replace'))} bytes>"

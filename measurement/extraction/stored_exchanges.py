"""Exchanges and sources as they are stored beside an answer, and what was stored read back."""

import base64
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from engines.engine import EngineAnswer, Exchange
from engines.transport.exchanges import strip
from storage.errors import DamagedData
from storage.repositories.answers.citations import StoredCitation


def exchanges_of(exchanges: Sequence[Exchange]) -> list[dict[str, Any]]:
    """Return what was sent and received as JSON; ciphertext that only its provider can read is left out."""
    return [
        {
            "sentAt": exchange.sent_at.isoformat(),
            "url": exchange.url,
            "request": text_of(exchange.request_body),
            "status": exchange.status,
            "headers": dict(exchange.headers),
            "body": text_of(exchange.body),
            "receivedAt": exchange.received_at.isoformat(),
            "rawSha256": exchange.raw_sha256,
            "stripped": exchange.stripped,
        }
        for exchange in map(strip, exchanges)
    ]


def stored_citations(answer: EngineAnswer) -> list[StoredCitation]:
    """Return the sources of an engine's answer as they are stored."""
    return [
        StoredCitation(
            source.url, source.title, source.kind, source.start, source.end, source.span, source.site
        )
        for source in answer.citations
    ]


def text_of(body: bytes) -> str | dict[str, str]:
    """Return bytes as text, or marked as base64 when they are no UTF-8."""
    try:
        return body.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(body).decode()}


def exchanges_in(stored: Sequence[Mapping[str, Any]]) -> list[Exchange]:
    """Return stored exchanges as a parser takes them. Raises Damaged when they are none."""
    try:
        return [
            Exchange(
                sent_at=datetime.fromisoformat(exchange["sentAt"]),
                url=exchange["url"],
                request_body=bytes_of(exchange["request"]),
                status=exchange["status"],
                headers=exchange["headers"],
                body=bytes_of(exchange["body"]),
                received_at=datetime.fromisoformat(exchange["receivedAt"]),
                raw_sha256=exchange["rawSha256"],
                stripped=exchange["stripped"],
            )
            for exchange in stored
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedData("stored exchanges are not what was written; restore them from a backup") from error


def bytes_of(text: str | Mapping[str, str]) -> bytes:
    """Return what `text_of` was given."""
    return text.encode() if isinstance(text, str) else base64.b64decode(text["base64"])

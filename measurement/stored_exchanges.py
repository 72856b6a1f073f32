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
            "sentAt": one.sent_at.isoformat(),
            "url": one.url,
            "request": text_of(one.request_body),
            "status": one.status,
            "headers": dict(one.headers),
            "body": text_of(one.body),
            "receivedAt": one.received_at.isoformat(),
            "rawSha256": one.raw_sha256,
            "stripped": one.stripped,
        }
        for one in map(strip, exchanges)
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
                sent_at=datetime.fromisoformat(one["sentAt"]),
                url=one["url"],
                request_body=bytes_of(one["request"]),
                status=one["status"],
                headers=one["headers"],
                body=bytes_of(one["body"]),
                received_at=datetime.fromisoformat(one["receivedAt"]),
                raw_sha256=one["rawSha256"],
                stripped=one["stripped"],
            )
            for one in stored
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedData("stored exchanges are not what was written; restore them from a backup") from error


def bytes_of(text: str | Mapping[str, str]) -> bytes:
    """Return what `text_of` was given."""
    return text.encode() if isinstance(text, str) else base64.b64decode(text["base64"])

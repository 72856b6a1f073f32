"""An engine's answer as it is stored: clipped text, sources and raw exchanges."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from engines.engine import EngineAnswer, EngineCitation, Exchange, Mode, Seen
from engines.transport.exchanges import strip
from storage.errors import DamagedData
from storage.repositories.answers.answers import AnswerDraft
from storage.repositories.answers.citations import StoredCitation

READ_BYTES = 64 * 1024
"""Longest answer text that is stored and read, in UTF-8 bytes. A long answer has a tenth of that."""


def draft_of_answer(
    answer: EngineAnswer,
    mode: Mode,
    *,
    citations_known: bool,
    now: datetime,
    language: str | None = None,
    city: str | None = None,
    not_supported: Sequence[str] = (),
    source_id: str | None = None,
) -> AnswerDraft:
    """Return an engine's answer as it is stored.

    `not_supported` lists the locale fields that were not sent to the engine. Text beyond the stored length is
    clipped; the exchanges hold all of it.
    """
    last = answer.exchanges[-1] if answer.exchanges else None
    usage = answer.usage
    text, clipped = clip_text(answer.text)
    return AnswerDraft(
        status=answer.status,
        valid=answer.is_valid(mode),
        text=text,
        retrieval=answer.retrieval.status,
        citations_known=citations_known and answer.citations_resolved,
        citations=clip_places(stored_citations(answer), len(text)),
        truncated=answer.truncated,
        clipped=clipped,
        language=language,
        city=city,
        not_supported=tuple(not_supported),
        requested_model=answer.requested_model,
        served_model=answer.served_model,
        latency_ms=answer.latency_ms,
        attempts=answer.attempts,
        usage={
            "inputTokens": usage.input_tokens,
            "outputTokens": usage.output_tokens,
            "searches": usage.searches,
            "providerCostUsd": str(usage.provider_cost_usd) if usage.provider_cost_usd is not None else None,
            "queries": list(answer.retrieval.queries),
        },
        parser=answer.parser,
        raw_sha256=last.raw_sha256 if last else "",
        exchanges=exchanges_of(answer.exchanges),
        captured_at=last.received_at if last else now,
        source_id=source_id,
        absent_reason=answer.seen.absent_reason if answer.seen else None,
        seen=stored_sighting(answer.seen, answer.citations) if answer.seen else None,
    )


def stored_sighting(seen: Seen, citations: Sequence[EngineCitation] = ()) -> Mapping[str, Any]:
    """Return the facts of an AI surface observation as they are stored, with the placement of its sources.

    Facts that the data provider did not report are left out.
    """
    facts: dict[str, Any] = {
        "supplier": seen.supplier,
        "observedAt": seen.observed_at.isoformat() if seen.observed_at else None,
        "proofUrl": seen.proof_url,
        "localeSent": dict(seen.locale_sent),
        "localeApplied": seen.locale_applied,
        "cards": [
            {
                name: value
                for name, value in (
                    ("kind", card.kind),
                    ("title", card.title),
                    ("position", card.position),
                    ("brand", card.brand),
                    ("seller", card.seller),
                    ("price", card.price),
                    ("currency", card.currency),
                    ("url", card.url),
                    ("rendered", card.rendered),
                )
                if value is not None
            }
            for card in seen.cards
        ],
        "placements": [
            {
                name: value
                for name, value in (
                    ("url", citation.url),
                    ("kind", citation.kind),
                    ("placement", citation.placement),
                    ("group", citation.group),
                    ("sourcePosition", citation.source_position),
                )
                if value is not None
            }
            for citation in citations
            if citation.placement
        ],
        "cost": {"amount": str(seen.cost.amount), "unit": seen.cost.unit} if seen.cost else None,
    }
    return {name: value for name, value in facts.items() if value is not None}


def clip_text(text: str) -> tuple[str, bool]:
    """Clip a text to the stored length, and return it with whether anything was cut."""
    if len(text) * 4 <= READ_BYTES:
        return text, False
    raw = text.encode()
    if len(raw) <= READ_BYTES:
        return text, False
    return raw[:READ_BYTES].decode(errors="ignore"), True


def clip_places(citations: Sequence[StoredCitation], length: int) -> tuple[StoredCitation, ...]:
    """Return citations without the positions beyond the first `length` code points of the text."""
    return tuple(
        citation
        if citation.end is None or citation.end <= length
        else replace(citation, start=None, end=None, span=None)
        for citation in citations
    )


def exchanges_of(exchanges: Sequence[Exchange]) -> list[dict[str, Any]]:
    """Return exchanges as JSON, without ciphertext that only its provider can read."""
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
    """Return bytes as text, or marked as base64 when they are not UTF-8."""
    try:
        return body.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(body).decode()}


def exchanges_in(stored: Sequence[Mapping[str, Any]]) -> list[Exchange]:
    """Return stored exchanges as a parser takes them. Raises DamagedData when they cannot be read."""
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
    """Return the bytes that `text_of` encoded."""
    return text.encode() if isinstance(text, str) else base64.b64decode(text["base64"])

"""An engine's answer as it is stored."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from engines.engine import EngineAnswer, EngineCitation, Mode, Seen
from measurement.extraction.clipping import clip_places, clip_text
from measurement.extraction.stored_exchanges import exchanges_of, stored_citations
from storage.repositories.answers.answers import AnswerDraft


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
    """Return an engine's answer as it is stored; `not_supported` is what of its place the engine was not told.

    A text that is too long to be read is clipped; the exchanges hold all of it.
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
    """Return what only looking tells, as it is stored, with where its sources stood; what nobody said is left out."""
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

"""Where an answer stands: what every tool that shows one tells of it."""

from datetime import datetime
from typing import Any

from pydantic import Field

from measurement.statistics.answer_evidence import left_out
from storage.repositories.answers.evidence import EvidenceAnswer
from tools.calls.wire import Wire, harmless

PLACE_FIELDS = ("prompt", "servedModel", "requestedModel")
"""Of these, the words that an engine or a person wrote."""
LONGEST_WORDS = 500
"""Characters of a short text in one result; a longer one is cut."""


class AnswerPlaceView(Wire):
    """Where an answer stands: question, engine, time."""

    answerId: str
    brandId: str
    batchId: str
    promptId: str
    prompt: str
    promptSetId: str | None
    platform: str
    mode: str
    source: str
    country: str | None = Field(description="From where it was asked; null where the engine was told none.")
    repeat: int
    servedModel: str | None
    requestedModel: str
    capturedAt: datetime
    status: str
    counted: bool = Field(description="Whether rates count this answer.")
    leftOut: list[str] = Field(description="Why no rate counts it; empty when counted.")


def place_fields(answer: EvidenceAnswer) -> dict[str, Any]:
    """Return the fields of an `AnswerPlaceView`, for the view that has more: it checks them once."""
    reasons = left_out(answer)
    return {
        "answerId": answer.id,
        "brandId": answer.brand_id,
        "batchId": answer.batch_id,
        "promptId": answer.prompt_id,
        "prompt": harmless(answer.prompt),
        "promptSetId": answer.prompt_set_id,
        "platform": answer.platform,
        "mode": answer.mode,
        "source": answer.source,
        "country": answer.country or None,
        "repeat": answer.repeat,
        "servedModel": brief(answer.served_model),
        "requestedModel": answer.requested_model,
        "capturedAt": answer.captured_at,
        "status": answer.status,
        "counted": not reasons,
        "leftOut": reasons,
    }


def brief(words: str | None) -> str | None:
    """Return words of strangers made harmless and short; None for none."""
    return harmless(words, LONGEST_WORDS) if words else None

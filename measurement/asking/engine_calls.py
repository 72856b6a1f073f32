"""The lines that tell an operator what came of each question to an engine."""

import logging

from engines.engine import EngineAnswer
from engines.errors import EngineError
from measurement.asking.probe_progress import Probe
from storage.repositories.asks import OpenAsk

events = logging.getLogger("seenby.events")


def log_failed_call(probe: Probe, ask: OpenAsk, error: EngineError, seconds: float) -> None:
    """Write the line of a question that an engine did not answer; the engine's own words stay out of it."""
    events.warning("engine_call", extra=_call_fields(probe, ask, error.code, seconds))


def log_answered_call(probe: Probe, ask: OpenAsk, answer: EngineAnswer, seconds: float) -> None:
    """Write the line of an answer, with what was used and, where a price is known, paid."""
    cost = probe.allowance.prices.cost(ask.platform, answer)
    usage = {
        "input_tokens": answer.usage.input_tokens,
        "output_tokens": answer.usage.output_tokens,
        "cost": float(cost.amount) if cost else None,
        "currency": cost.currency if cost else None,
        "model": answer.served_model,
    }
    events.debug("engine_call", extra={**_call_fields(probe, ask, "answered", seconds), **usage})


def _call_fields(probe: Probe, ask: OpenAsk, outcome: str, seconds: float) -> dict[str, object]:
    """Return what the line of every call has."""
    return {
        "company_id": probe.company_id,
        "batch_id": probe.batch.id,
        "ask_id": ask.ask_key,
        "platform": ask.platform,
        "mode": ask.mode,
        "outcome": outcome,
        "duration_ms": round(seconds * 1000, 3),
    }

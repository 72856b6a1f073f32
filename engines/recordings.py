"""Real answers of engines, redacted, that prove the parsers that read them: one committed file a channel."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias, cast

from engines.engine import LOCALE_FIELDS, Device, EngineAnswer, Exchange, Mode, Question
from engines.transport import body
from engines.transport.body import JsonObject

Proof: TypeAlias = Literal["documented", "recorded"]
"""Whether the parser of a channel has read a real body, or only what its provider documents."""
FOLDER = Path(__file__).with_name("recorded")
PERSONAL = frozenset(
    {
        *("account", "account_id", "api_key", "apikey", "customer", "email", "ip", "login", "org_id"),
        *("organization", "organization_id", "password", "safety_identifier", "token", "user", "user_id"),
        *("username", "webhook", "postback_url", "pingback_url"),
    }
)
"""Names of fields, in any case, whose words say who asked."""
REDACTED = "[redacted]"
LARGEST = 512 * 1024
"""Bytes of a body that may be committed."""


@cache
def recorded_platforms() -> frozenset[str]:
    """Return the platforms of which a real answer is committed."""
    return frozenset(path.stem for path in FOLDER.glob("*.json"))


def proof_of(platform: str) -> Proof:
    """Return how far the parser of a platform is proven."""
    return "recorded" if platform in recorded_platforms() else "documented"


def recording_of(platform: str, question: Question, answer: EngineAnswer) -> dict[str, object]:
    """Return an answer as a file that can be committed: what was sent and received, without who asked.

    Raises ValueError when a body is too large to be committed or is no JSON.
    """
    asked = {name: value for name in LOCALE_FIELDS if (value := getattr(question, name)) is not None}
    return {
        "platform": platform,
        "parser": answer.parser,
        "recordedOn": answer.exchanges[-1].received_at.date().isoformat(),
        "question": {"text": question.text, "mode": str(question.mode), **asked},
        "exchanges": [_kept(exchange) for exchange in answer.exchanges],
        "facts": facts_of(answer),
    }


def facts_of(answer: EngineAnswer) -> dict[str, object]:
    """Return what a parser reads in an answer, as far as a later one must read it too."""
    cited = [citation.url for citation in answer.citations if citation.kind == "cited"]
    return {
        "status": answer.status,
        "text": answer.text,
        "cited": cited,
        "retrieved": len(answer.citations) - len(cited),
        "retrieval": answer.retrieval.status,
        "queries": list(answer.retrieval.queries),
        "servedModel": answer.served_model,
        "cards": len(answer.seen.cards) if answer.seen else 0,
        "absentReason": answer.seen.absent_reason if answer.seen else None,
    }


def read_recording(document: JsonObject) -> tuple[Question, tuple[Exchange, ...]]:
    """Return what was asked and exchanged in a recording."""
    asked = body.child(document, "question") or {}
    question = Question(
        body.required(asked, "text"),
        Mode(body.required(asked, "mode")),
        "0" * 64,
        country=body.string(asked, "country"),
        language=body.string(asked, "language"),
        city=body.string(asked, "city"),
        region=body.string(asked, "region"),
        timezone=body.string(asked, "timezone"),
        device=cast("Device | None", body.string(asked, "device")),
    )
    return question, tuple(map(_exchange, body.children(document, "exchanges")))


def _kept(exchange: Exchange) -> dict[str, object]:
    if max(len(exchange.body), len(exchange.request_body)) > LARGEST:
        raise ValueError(f"a body is larger than {LARGEST // 1024} KiB")
    return {
        "url": exchange.url,
        "status": exchange.status,
        "request": _redacted(json.loads(exchange.request_body)) if exchange.request_body else None,
        "body": _redacted(json.loads(exchange.body)),
    }


def _exchange(kept: JsonObject) -> Exchange:
    received = body.encode(kept.get("body"))
    epoch = datetime.fromtimestamp(0, UTC)
    return Exchange(
        sent_at=epoch,
        url=body.required(kept, "url"),
        request_body=body.encode(kept["request"]) if kept.get("request") is not None else b"",
        status=body.whole(kept, "status") or 0,
        headers={},
        body=received,
        received_at=epoch,
        raw_sha256="",
        stripped=True,
    )


def _redacted(value: object) -> object:
    """Return JSON without the words of personal fields; numbers and structure stay."""
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        return {
            name: REDACTED if name.casefold() in PERSONAL and isinstance(inner, str) else _redacted(inner)
            for name, inner in fields.items()
        }
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_redacted(inner) for inner in cast("Sequence[object]", value)]
    return value

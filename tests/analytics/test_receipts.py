import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from math import nextafter
from typing import Any

import pytest
from pydantic import ValidationError

from analytics.batches import AnswerBatch, ChannelAsks
from analytics.digests import SCORE_MODEL, canonical_json
from analytics.observation import Channel, Observation
from analytics.receipts import Excluded, Versions, receipt_of
from measurement.publication.receipt_document import (
    ReceiptDocument,
    differing_fields,
    receipt_document,
    receipt_id,
)
from tests.analytics.observed import calculate

VERSIONS = Versions(
    SCORE_MODEL,
    "matcher/10",
    "sha256:1f",
    "rank/10",
    "ownership/1",
    ("openai-responses/3",),
    "2025-04-07",
)
NOON = datetime(2026, 11, 21, 10, tzinfo=UTC)


def of(observations: list[Observation], when: datetime = NOON) -> ReceiptDocument:
    asked = {observation.channel: ChannelAsks(10, 10) for observation in observations}
    batch = AnswerBatch("b1", NOON, asked, {"acme": observations})
    excluded = Excluded(not_grounded=1, truncated=3, uncertain=2, absence=1, branded=5)
    return receipt_document(receipt_of(calculate("acme", [batch], "r1"), VERSIONS, excluded, when), {})


@pytest.fixture
def stored(worked: list[Observation]) -> dict[str, Any]:
    return json.loads(canonical_json(of(worked).to_json()))


def test_a_receipt_says_what_the_number_rests_on(stored: dict[str, Any], worked: list[Observation]) -> None:
    assert stored["value"] == of(worked).value
    assert stored["channels"] == ["chatgpt/visibility", "perplexity/readiness"]
    assert stored["answers"]["count"] == 10
    assert stored["excluded"] == {
        **{"refused": 0, "notGrounded": 1, "truncated": 3},
        **{"uncertain": 2, "absence": 1, "branded": 5},
    }
    assert stored["versions"]["aliasSet"] == "sha256:1f"
    assert (stored["calculatedAt"], stored["batches"]) == ("2026-11-21T10:00:00Z", ["b1"])


def test_the_id_is_the_hash_of_the_canonical_json(stored: dict[str, Any]) -> None:
    body = {key: value for key, value in stored.items() if key != "receiptId"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert stored["receiptId"] == "rc_" + sha256(text.encode()).hexdigest()


def test_the_same_evidence_verifies_at_any_later_time(
    stored: dict[str, Any], worked: list[Observation]
) -> None:
    assert differing_fields(stored, of(worked[::-1], datetime(2027, 1, 1, tzinfo=UTC))) == ()


def test_one_bit_of_the_value_is_noticed(stored: dict[str, Any], worked: list[Observation]) -> None:
    again = of(worked)
    assert again.value is not None
    assert differing_fields(stored, again.model_copy(update={"value": nextafter(again.value, 100)})) == (
        "value",
    )


def test_a_receipt_that_was_edited_no_longer_matches_its_id(
    stored: dict[str, Any], worked: list[Observation]
) -> None:
    stored["value"] = 99.9
    assert differing_fields(stored, of(worked)) == ("receiptId", "value")
    stored["receiptId"] = receipt_id(stored)
    assert differing_fields(stored, of(worked)) == ("value",)


def test_a_receipt_of_another_schema_is_not_taken_for_one_of_ours(stored: dict[str, Any]) -> None:
    assert ReceiptDocument.model_validate(stored).to_json() == stored
    for spoiled in ({**stored, "schemaVersion": 1}, {**stored, "note": "?"}):
        with pytest.raises(ValidationError):
            ReceiptDocument.model_validate(spoiled)


def test_one_answer_read_otherwise_is_noticed(stored: dict[str, Any], worked: list[Observation]) -> None:
    changed = [*worked[:-1], replace(worked[-1], named=True)]
    assert differing_fields(stored, of(changed)) == ("value",)
    assert differing_fields(stored, of(worked[:-1]))


def test_answers_that_do_not_count_do_not_move_a_receipt(
    stored: dict[str, Any], worked: list[Observation], seen: Callable[..., Observation], memory: Channel
) -> None:
    assert differing_fields(stored, of([*worked, seen("b1", memory, True, branded=True)])) == ()


def test_canonical_json_refuses_what_json_cannot_say() -> None:
    assert canonical_json({"b": 1.0, "a": ["ü", None]}) == '{"a":["ü",null],"b":1.0}'
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(float("nan"))

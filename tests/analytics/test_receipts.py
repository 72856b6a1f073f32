import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from math import nextafter
from typing import Any

import pytest

from analytics.batches import Asked, Batch
from analytics.digests import canonical_json
from analytics.observations import Channel, Observation
from analytics.receipts import Excluded, Receipt, Versions, disagreements, receipt_id, receipt_of
from analytics.score import calculate

VERSIONS = Versions(
    "visibility/1.0.0",
    "matcher/1",
    "sha256:1f",
    "rank/1",
    "lexicon-en/1",
    ("openai-responses/3",),
    "2025-04-07",
)
NOON = datetime(2026, 11, 21, 10, tzinfo=UTC)


def of(observations: list[Observation], when: datetime = NOON) -> Receipt:
    asked = {one.channel: Asked(10, 10) for one in observations}
    batch = Batch("b1", NOON, asked, {"acme": observations})
    excluded = Excluded(not_grounded=1, uncertain=2, absence=1, branded=5)
    return receipt_of(calculate("acme", [batch], "r1"), VERSIONS, excluded, when)


@pytest.fixture
def stored(worked: list[Observation]) -> dict[str, Any]:
    return json.loads(of(worked).as_json())


def test_a_receipt_says_what_the_number_rests_on(stored: dict[str, Any], worked: list[Observation]) -> None:
    assert stored["value"] == of(worked).value
    assert round(stored["value"], 1) == 48.9
    assert stored["channels"] == ["chatgpt/visibility", "perplexity/readiness"]
    assert stored["answers"]["count"] == 10
    assert stored["excluded"] == {"refused": 0, "notGrounded": 1, "uncertain": 2, "absence": 1, "branded": 5}
    assert stored["versions"]["aliasSet"] == "sha256:1f"
    assert (stored["calculatedAt"], stored["replicates"], stored["batches"]) == (
        "2026-11-21T10:00:00Z",
        2000,
        ["b1"],
    )


def test_the_id_is_the_hash_of_the_canonical_json(stored: dict[str, Any]) -> None:
    body = {key: value for key, value in stored.items() if key != "receiptId"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert stored["receiptId"] == "rc_" + sha256(text.encode()).hexdigest()


def test_the_same_evidence_verifies_at_any_later_time(
    stored: dict[str, Any], worked: list[Observation]
) -> None:
    assert disagreements(stored, of(worked[::-1], datetime(2027, 1, 1, tzinfo=UTC))) == ()


def test_one_bit_of_the_value_is_noticed(stored: dict[str, Any], worked: list[Observation]) -> None:
    again = of(worked)
    assert again.value is not None
    assert disagreements(stored, replace(again, value=nextafter(again.value, 100))) == ("value",)


def test_a_receipt_that_was_edited_no_longer_matches_its_id(
    stored: dict[str, Any], worked: list[Observation]
) -> None:
    stored["value"] = 99.9
    assert disagreements(stored, of(worked)) == ("receiptId", "value")
    stored["receiptId"] = receipt_id(stored)
    assert disagreements(stored, of(worked)) == ("value",)


def test_one_answer_read_otherwise_is_noticed(stored: dict[str, Any], worked: list[Observation]) -> None:
    changed = [*worked[:-1], replace(worked[-1], named=True)]
    assert disagreements(stored, of(changed)) == ("value",)
    assert disagreements(stored, of(worked[:-1]))


def test_answers_that_do_not_count_do_not_move_a_receipt(
    stored: dict[str, Any], worked: list[Observation], seen: Callable[..., Observation], memory: Channel
) -> None:
    assert disagreements(stored, of([*worked, seen("b1", memory, True, branded=True)])) == ()


def test_canonical_json_refuses_what_json_cannot_say() -> None:
    assert canonical_json({"b": 1.0, "a": ["ü", None]}) == '{"a":["ü",null],"b":1.0}'
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(float("nan"))

"""Every number says what it rests on, and opens into the answers and spans that it came from."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from oauth.principal import Caller, Principal, Scope
from server.results import result_bytes, result_model
from server.service import opener
from storage.database import Database
from tools.catalog import tool_table
from tools.dispatch import Dispatcher, Success
from tools.rate_limits import MemoryWindows, RateLimits

NUMBERS: dict[str, dict[str, Any]] = {
    "get_ai_visibility_score": {"brandId": "Acme"},
    "get_platform_metrics": {"brandId": "Acme"},
    "get_metric_trend": {"brandId": "Acme", "metricName": "visibilityScore"},
    "get_brand_mentions": {"brandId": "Acme"},
    "get_competitor_rankings": {"brandId": "Acme"},
    "get_brand_snapshot": {"brandId": "Acme"},
    "get_dashboard_overview": {},
}


@pytest.fixture
def told(url: str) -> Callable[[str], Success]:
    """Calls a tool and gives what dispatch hands to the surfaces."""

    async def run(name: str) -> Success:
        database = await Database.open(url)
        company = await database.operators.companies.find("Shop")
        assert company is not None
        principal = Principal(company.id, "key:Shop", frozenset({Scope.READ}), 600)
        dispatcher = Dispatcher(tool_table(), RateLimits(MemoryWindows()), opener(database))
        arguments = NUMBERS.get(name, {"brandId": "Acme"})
        outcome = await dispatcher.call(name, arguments, Caller(principal, "127.0.0.1"))
        await database.close()
        assert isinstance(outcome, Success)
        return outcome

    return lambda name: asyncio.run(run(name))


def test_every_number_says_its_versions_sample_interval_and_batches_and_opens_into_spans(
    acme: Any, peer: Any, saying: Any, told: Callable[[str], Success]
) -> None:
    replies = [saying("1. **Acme** leads\n2. Globex"), saying("Globex leads.")]

    def script(asked: Any) -> Any:
        return replies[asked.before % 2]

    peer.script = script
    report = acme.measured()
    exported = acme.seenby("export", "answers", "--brand", "Acme").out.splitlines()
    texts = {one["record"]["answerId"]: one["text"] for one in map(json.loads, exported)}
    found: dict[str, Any] = {}
    for name in NUMBERS:
        outcome = told(name)
        body = found[name] = json.loads(outcome.body)
        wire = json.loads(result_bytes(outcome, None))
        assert wire["_meta"] == {"seenby/measurement": body["measurement"]}
        assert result_model(outcome, None).meta == wire["_meta"]
        assert body["measurement"]["modelVersion"] == "visibility/1.0.0"
    sessions = json.loads(told("list_simulations").body)
    assert sessions["measurement"] == {
        **found["get_brand_mentions"]["measurement"],
        "modelVersion": "accuracy/1",
        "sampleSize": 12,
        "interval": None,
        "receiptId": None,
    }
    assert {one["batchId"] for one in sessions["simulations"]} == {report["batchId"]}
    score = found["get_ai_visibility_score"]
    mentions, trend = found["get_brand_mentions"], found["get_metric_trend"]
    of_brand = [body["measurement"] for name, body in found.items() if name != "get_dashboard_overview"]
    assert {one["matcherVersion"] for one in of_brand} == {"matcher/1"}
    assert {tuple(one["batchIds"]) for one in of_brand} == {(report["batchId"],)}
    assert {one["rereading"] for one in of_brand} == {False}
    assert (score["measurement"]["sampleSize"], mentions["measurement"]["sampleSize"]) == (12, 6)
    assert score["measurement"]["interval"] == score["interval"] == trend["points"][0]["interval"]
    assert trend["points"][0]["batchIds"] == [report["batchId"]]
    assert score["measurement"]["receiptId"] == score["receipt"]["receiptId"]
    assert len(score["evidence"]) == 5
    for mention in [*mentions["mentions"], *score["evidence"]]:
        spans = [texts[mention["answerId"]][span["start"] : span["end"]] for span in mention["spans"]]
        assert (spans, mention["batchId"]) == (["Acme"], report["batchId"])


def test_a_brand_that_was_never_measured_says_so_and_has_no_evidence(
    acme: Any, told: Callable[[str], Success]
) -> None:
    body = json.loads(told("get_ai_visibility_score").body)
    assert (body["measurement"]["sampleSize"], body["measurement"]["interval"], body["evidence"]) == (
        0,
        None,
        [],
    )
    assert (body["measurement"]["matcherVersion"], body["measurement"]["batchIds"]) == (None, [])

"""Every number says what it rests on, and opens into the answers and spans that it came from."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from analytics.digests import SCORE_MODEL
from oauth.principal import Caller, Principal, Scope
from server.mcp.results import result_json, result_model
from storage.database import Database
from tests.measurement.conftest import Acme, Asked, Peer, Reply
from tools.calls.call import WorkspaceOpener
from tools.calls.dispatch import Dispatcher, Success
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.catalog import tool_table

NUMBERS: dict[str, dict[str, Any]] = {
    "get_ai_visibility_score": {"brandId": "Acme"},
    "get_platform_metrics": {"brandId": "Acme"},
    "get_metric_trend": {"brandId": "Acme", "metricName": "visibilityScore"},
    "get_brand_mentions": {"brandId": "Acme"},
    "get_competitor_rankings": {"brandId": "Acme"},
    "get_brand_snapshot": {"brandId": "Acme"},
    "get_dashboard_overview": {},
}

LATEST = "2025-11-25"
BUYERS = {
    "prompts": [f"Which shoe number {number} lasts?" for number in range(6)],
    "platforms": ["one"],
    "repeats": 2,
}


@pytest.fixture
def told(url: str) -> Callable[..., Success]:
    """Calls a tool and gives what dispatch hands to the surfaces; without arguments, about Acme."""

    async def run(name: str, arguments: dict[str, Any] | None) -> Success:
        database = await Database.open(url)
        company = await database.operators.companies.find("Shop")
        assert company is not None
        principal = Principal(company.id, "key:Shop", frozenset({Scope.READ}), 600)
        dispatcher = Dispatcher(tool_table(), RateLimits(MemoryWindows()), WorkspaceOpener(database))
        about = NUMBERS.get(name, {"brandId": "Acme"}) if arguments is None else arguments
        outcome = await dispatcher.call(name, about, Caller(principal, "127.0.0.1"))
        await database.close()
        assert isinstance(outcome, Success)
        return outcome

    def tell(name: str, arguments: dict[str, Any] | None = None) -> Success:
        return asyncio.run(run(name, arguments))

    return tell


def test_every_number_has_its_provenance_and_opens_into_spans(
    acme: Acme, peer: Peer, saying: Callable[..., Reply], told: Callable[..., Success]
) -> None:
    replies = [saying("1. **Acme** leads\n2. Globex"), saying("Globex leads.")]

    def script(asked: Asked) -> Any:
        return replies[asked.before % 2]

    peer.script = script
    report = acme.measured()
    exported = acme.seenby("export", "answers", "--brand", "Acme").out.splitlines()
    texts = {answer["record"]["answerId"]: answer["text"] for answer in map(json.loads, exported)}
    found: dict[str, Any] = {}
    for name in NUMBERS:
        outcome = told(name)
        body = found[name] = json.loads(outcome.body)
        wire = json.loads(result_json(outcome, None, LATEST))
        assert wire["_meta"] == {"seenby/measurement": body["measurement"]}
        assert result_model(outcome, None, LATEST).meta == wire["_meta"]
        assert body["measurement"]["modelVersion"] == SCORE_MODEL
    sessions = json.loads(told("list_simulations").body)
    assert sessions["measurement"] == {
        **found["get_brand_mentions"]["measurement"],
        "modelVersion": "accuracy/2",
        "sampleSize": 12,
        "intervals": None,
        "receiptId": None,
    }
    assert {simulation["batchId"] for simulation in sessions["simulations"]} == {report["batchId"]}
    score = found["get_ai_visibility_score"]
    mentions, trend = found["get_brand_mentions"], found["get_metric_trend"]
    of_brand = [body["measurement"] for name, body in found.items() if name != "get_dashboard_overview"]
    assert {versions["matcherVersion"] for versions in of_brand} == {"matcher/12"}
    assert {tuple(versions["batchIds"]) for versions in of_brand} == {(report["batchId"],)}
    assert {versions["rereading"] for versions in of_brand} == {False}
    assert (score["measurement"]["sampleSize"], mentions["measurement"]["sampleSize"]) == (12, 6)
    assert score["measurement"]["intervals"] == score["intervals"]
    assert trend["points"][0]["intervals"] == {**score["intervals"], "topics": None}
    assert trend["points"][0]["batchIds"] == [report["batchId"]]
    assert score["measurement"]["receiptId"] == score["receipt"]["receiptId"]
    assert len(score["evidence"]) == 5
    for mention in [*mentions["mentions"], *score["evidence"]]:
        spans = [texts[mention["answerId"]][span["start"] : span["end"]] for span in mention["spans"]]
        assert (spans, mention["batchId"]) == (["Acme"], report["batchId"])


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
def test_company_wide_lists_show_the_provenance_of_all_brands(
    acme: Acme, peer: Peer, saying: Callable[..., Reply], told: Callable[..., Success]
) -> None:
    reply = saying("1. **Acme** leads\n2. Bolt\n3. Globex")

    def script(_: Asked) -> Any:
        return reply

    def measurement(name: str, **arguments: str) -> Any:
        outcome = told(name, arguments)
        measurement = json.loads(outcome.body)["measurement"]
        assert json.loads(result_json(outcome, None, LATEST))["_meta"] == {"seenby/measurement": measurement}
        return measurement

    peer.script = script
    batches = [acme.measured()["batchId"]]
    alone = measurement("get_competitor_rankings")
    of_acme = measurement("get_competitor_rankings", brandId="Acme")
    assert alone == {**of_acme, "intervals": None, "receiptId": None}
    assert acme.save(name="Bolt", promptSets=[{**BUYERS, "name": "Bolt's buyers"}]).code == 0
    batches.append(acme.measured("--brand", "Bolt")["batchId"])
    for name, model in (("get_competitor_rankings", SCORE_MODEL), ("list_simulations", "accuracy/2")):
        wide = measurement(name)
        own = [measurement(name, brandId=brand) for brand in ("Acme", "Bolt")]
        assert sorted(wide["batchIds"]) == sorted(batches)
        assert (wide["modelVersion"], wide["sampleSize"]) == (model, sum(one["sampleSize"] for one in own))
        assert wide["sampleSize"] == 24
        assert (wide["aliasSet"], wide["intervals"], wide["receiptId"]) == (None, None, None)
        assert own[0]["aliasSet"] != own[1]["aliasSet"]
    shown = measurement("get_competitor_rankings", platform="one")
    assert (shown["matcherVersion"], shown["sampleSize"]) == ("matcher/12", 24)


def test_a_brand_that_was_never_measured_says_so_and_has_no_evidence(
    acme: Acme, told: Callable[..., Success]
) -> None:
    body = json.loads(told("get_ai_visibility_score").body)
    assert (body["measurement"]["sampleSize"], body["measurement"]["intervals"], body["evidence"]) == (
        0,
        None,
        [],
    )
    assert (body["measurement"]["matcherVersion"], body["measurement"]["batchIds"]) == (None, [])

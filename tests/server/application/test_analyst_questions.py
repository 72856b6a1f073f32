"""Ten questions of an analyst, each answered from the results of at most three calls, on the synthetic market."""

import json
from collections import defaultdict
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from oauth.principal import Caller, Principal, Scope
from server.service import open_service
from server.settings import Settings
from tests.server.application.conftest import Workspace
from tools.calls.dispatch import Dispatcher, Success

BRAND = "Zentrix (synthetic)"
MOST_CALLS = 3
SEARCHING = {"platform": "peer", "baseUrl": "http://127.0.0.1:9", "model": "m", "searchTool": "search"}
"""An engine that a preview can price; nobody asks it."""


class Analyst:
    """Somebody who asks the tools, and how often."""

    def __init__(self, dispatcher: Dispatcher, company_id: str) -> None:
        self.calls = 0
        self._dispatcher = dispatcher
        self._company_id = company_id

    async def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        self.calls += 1
        assert self.calls <= MOST_CALLS
        principal = Principal(self._company_id, f"key:{id(self)}:{self.calls}", frozenset({Scope.WRITE}))
        outcome = await self._dispatcher.call(tool, arguments, Caller(principal, "192.0.2.1"))
        assert isinstance(outcome, Success), outcome
        return json.loads(outcome.body)


@pytest.fixture
async def analyst(own_history: Workspace) -> AsyncGenerator[Analyst]:
    async with open_service(
        Settings.from_environ({**own_history.environ, "SEENBY_ENGINE_COMPATIBLE": json.dumps([SEARCHING])})
    ) as service:
        (company,) = await service.database.operators.companies.all()
        yield Analyst(service.dispatcher, company.id)


def ago(days: int) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).date().isoformat()


async def test_why_did_the_score_change(analyst: Analyst) -> None:
    compared = await analyst.ask(
        "compare_periods", brandId=BRAND, metric="presence", platform="synthetic-chatgpt"
    )
    engines = compared["engines"]
    assert compared["statement"]
    assert sum(row["contribution"] for row in engines) == pytest.approx(compared["difference"], abs=0.05)
    opened = await analyst.ask("get_answer", answerId=compared["prompts"][0]["answerIds"][0])
    assert opened["promptId"] == compared["prompts"][0]["promptId"]


async def test_which_prompts_are_lost_to_a_rival_and_what_is_said_there(analyst: Analyst) -> None:
    rival = (await analyst.ask("get_competitors", brandId=BRAND))["competitors"][0]["name"]
    lost = await analyst.ask("get_prompt_results", brandId=BRAND, competitor=rival, sort="gap", limit=5)
    worst = lost["prompts"][0]
    assert worst["rivals"][0]["name"] == rival
    assert worst["answers"] > 0
    said = await analyst.ask("list_answers", brandId=BRAND, promptId=worst["promptId"], competitor=rival)
    assert said["answers"]
    assert all(rival in [named["name"] for named in answer["names"]] for answer in said["answers"])


async def test_which_sources_are_cited_when_rivals_win(analyst: Analyst) -> None:
    cited = await analyst.ask("get_citations", brandId=BRAND, when="rival_named_instead", days=56)
    assert cited["measurableAnswers"] > 0
    top = cited["citations"][0]
    assert top["source"]
    assert top["owner"] in ("own", "competitor", "third_party")
    assert (await analyst.ask("get_answer", answerId=top["answerIds"][0]))["citations"]


async def test_what_should_be_done_and_published_next(analyst: Analyst) -> None:
    actions = await analyst.ask("list_actions", brandId=BRAND, state="open")
    assert actions["actions"][0]["severity"] == "critical"
    assert all(action["evidence"] for action in actions["actions"])
    lost = await analyst.ask("get_prompt_results", brandId=BRAND, sort="gap", limit=3)
    assert lost["prompts"][0]["gap"] >= lost["prompts"][-1]["gap"]


async def test_is_the_change_real(analyst: Analyst) -> None:
    compared = await analyst.ask("compare_periods", brandId=BRAND)
    assert compared["verdict"] in ("changed", "no_detectable_change")
    low, high = compared["interval"]["low"], compared["interval"]["high"]
    assert (low > 0 or high < 0) is (compared["verdict"] == "changed")
    assert compared["missing"]["meaning"]


async def test_a_score_its_parts_and_its_change_are_told_in_one_unit(analyst: Analyst) -> None:
    told = await analyst.ask("get_ai_visibility_score", brandId=BRAND)
    parts = sum(part["points"] * part["effectiveWeight"] for part in told["factors"])
    assert parts == pytest.approx(told["score"], abs=0.1)
    change = told["change"]
    assert change["after"] - change["before"] == pytest.approx(change["value"], abs=0.02)
    assert change["interval"]["low"] <= change["value"] <= change["interval"]["high"]
    assert change["after"] == pytest.approx(told["score"], abs=0.1), "both measurements asked the same"
    compared = await analyst.ask("compare_periods", brandId=BRAND)
    for period in (compared["before"], compared["after"]):
        parts = sum(part["points"] * part["effectiveWeight"] for part in period["factors"])
        assert parts == pytest.approx(period["score"], abs=0.1)


async def test_one_engine_against_another(analyst: Analyst) -> None:
    metrics = await analyst.ask("get_platform_metrics", brandId=BRAND)
    presence = {row["platform"]: row["presence"]["value"] for row in metrics["platforms"]}
    assert presence["synthetic-chatgpt"] is not None
    assert presence["synthetic-perplexity"] is not None


@pytest.mark.parametrize(
    "sides",
    [
        {"country": "DE", "compareCountry": "US"},
        {"mode": "visibility", "compareMode": "readiness"},
        {"platform": "synthetic-chatgpt", "comparePlatform": "synthetic-perplexity"},
    ],
    ids=["countries", "modes", "engines"],
)
async def test_two_sides_are_compared_in_one_call(analyst: Analyst, sides: dict[str, str]) -> None:
    compared = await analyst.ask("compare_periods", brandId=BRAND, metric="presence", **sides)
    low, high = compared["interval"]["low"], compared["interval"]["high"]
    differs = low > 0 or high < 0
    assert compared["verdict"] == ("differs" if differs else "no_detectable_difference")
    assert compared["commonPrompts"] == 16
    assert ("is higher for" in compared["statement"] or "is lower for" in compared["statement"]) is differs
    name = next(iter(sides))
    assert [compared[side][name] for side in ("after", "before")] == list(sides.values())
    assert compared["before"]["answers"] > 0


async def test_which_rival_moved_and_on_which_prompt(analyst: Analyst) -> None:
    found = await analyst.ask("get_prompt_results", brandId=BRAND, sort="rivalChange", detail="compact")
    whole = [rival["change"] for rival in found["overall"]["rivals"]]
    on_prompts = [rival["change"] for prompt in found["prompts"] for rival in prompt["rivals"]]
    assert len(whole) == 3
    for change in whole + on_prompts:
        assert (change["reason"] is None) is (change["verdict"] != "not_comparable")
        assert change["reason"] or change["interval"]


async def test_the_whole_answer(analyst: Analyst) -> None:
    listed = await analyst.ask(
        "list_answers", brandId=BRAND, platform="synthetic-perplexity", outcome="names_us", limit=1
    )
    opened = await analyst.ask("get_answer", answerId=listed["answers"][0]["answerId"])
    assert (opened["nextOffset"], len(opened["text"])) == (None, opened["textLength"])
    assert opened["entities"]


async def test_how_a_rival_develops(analyst: Analyst) -> None:
    rival = (await analyst.ask("get_competitors", brandId=BRAND))["competitors"][0]["name"]
    rates: list[float] = []
    for start, end in ((56, 29), (28, 0)):
        period = {"from": ago(start), "to": ago(end)}
        found = await analyst.ask("get_prompt_results", brandId=BRAND, competitor=rival, limit=100, **period)
        answers = sum(prompt["answers"] for prompt in found["prompts"])
        rates.append(sum(rate["named"] for prompt in found["prompts"] for rate in prompt["rivals"]) / answers)
    assert all(0 < rate <= 1 for rate in rates)


async def test_the_weakest_topic(analyst: Analyst) -> None:
    found = await analyst.ask("get_prompt_results", brandId=BRAND, sort="rate", limit=100)
    topics: dict[str, list[float]] = defaultdict(list)
    for prompt in found["prompts"]:
        topics[prompt["intent"] or ",".join(prompt["tags"]) or prompt["prompt"]].append(prompt["own"]["rate"])
    assert len(topics) > 1
    rates = [prompt["own"]["rate"] for prompt in found["prompts"]]
    assert rates == sorted(rates)


async def test_a_new_rival_is_tracked_and_measured_with_its_cost(analyst: Analyst) -> None:
    prompt_set = (await analyst.ask("list_prompt_sets"))["promptSets"][0]
    changed = await analyst.ask("update_brand_profile", brandId=BRAND, addCompetitors=[{"name": "Quivana"}])
    rivals = {rival["name"] for rival in changed["profile"]["competitors"]}
    assert rivals == {"Morvani", "Kelbrook", "Tessaro", "Quivana"}
    preview = await analyst.ask(
        "run_prompt_set",
        promptSetId=prompt_set["promptSetId"],
        brandId=BRAND,
        platforms=["peer"],
        preview=True,
    )
    assert preview["asks"] > 0
    assert preview["credits"] <= preview["creditsAvailable"]
    assert (preview["runId"], preview["unpricedPlatforms"]) == (None, ["peer"])
    assert preview["smallestDetectableChange"] > 0

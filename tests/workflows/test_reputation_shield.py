"""The reputation shield with its real agents, against an engine that answers over HTTP on loopback."""

import asyncio
import json
import os
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from engines.engine import MAX_OUTPUT_TOKENS
from engines.prices import Prices
from measurement.receipts.brand_verification import verify_brand
from storage.repositories.repository_items import ItemDraft
from storage.repositories.spending import SpendingBudget
from tests.workflows.conftest import ANSWER_TOKENS, PATIENCE, House, OpenHouse, Talker
from tests.workflows.judging import JUDGED, draft_well, is_judging
from tests.zygote import fork_worker
from workflows.agents.catalog import AGENTS

NOW = datetime.now(UTC)
CARD = "Phone: +1 555 010 0199\nFounded: 1974"
PRAISE = "Acme is excellent and its staff is friendly, that is what the most of the people say of it."
SCORN = "Acme is a terrible company with awful service, that is what the most of the people say of it."
WRONG = "Acme was founded in 1980, and that is what the most of the people know of it."
REPLY = "Thank you for telling us. Acme was founded in 1974."


def is_question(asked: str) -> bool:
    return not asked.startswith(("You judge", "Write a reply", JUDGED))


def told(asked: str) -> str:
    """What an engine says of Acme, how it judges what was said, and what it replies."""
    if asked.startswith("You judge"):
        texts = [SCORN if SCORN in part else part for part in asked.split("Text ")[1:]]
        labels = [
            ("negative", "warned_against", "terrible company")
            if text is SCORN
            else ("positive", "recommended", "Acme")
            for text in texts
        ]
        said: list[dict[str, Any]] = [
            {"text": number, "label": label, "recommendation": advice, "quote": quote, "statements": []}
            for number, (label, advice, quote) in enumerate(labels, 1)
        ]
        return f"```json\n{json.dumps(said)}\n```"
    if asked.startswith("Write a reply") or is_judging(asked):
        return draft_well(asked, REPLY)
    return SCORN if "complain" in asked or "trustworthy" in asked else WRONG if "known" in asked else PRAISE


async def furnish(house: House, card: str = CARD) -> None:
    async with house.database.transaction(house.company_id) as workspace:
        brand = (await workspace.brands.all())[0]
        await workspace.repository_items.save(brand.key, [ItemDraft("Contact", card, "faq")], NOW)


async def rows(house: House, query: str) -> int:
    async with house.database.writing() as connection:
        return int(await connection.scalar(text(query)) or 0)


async def shielded(house: House) -> Any:
    """Run the shield to its end."""
    async with house.working(AGENTS):
        started = await house.call("run_workflow", workflowId="reputation_shield")
        await house.ended(started["runId"], 90)
    return await house.call("get_run_status", runId=started["runId"])


async def test_what_engines_tell_is_asked_judged_checked_ranked_and_answered(
    address: str, open_house: OpenHouse, talker: Talker
) -> None:
    talker.script = told
    house = await open_house(address, talker.settings)
    await furnish(house)
    offers = await house.call("list_workflows")
    offer = next(workflow for workflow in offers["workflows"] if workflow["id"] == "reputation_shield")
    assert (offer["creditCost"], offer["agentCount"], offer["engineReady"]) == (12, 7, True)
    status = await shielded(house)
    assert status["status"] == "completed", status["errors"]
    assert status["credits"] == {"reserved": 12, "charged": 12, "refunded": 0}
    questions = [ask for ask in talker.asked if is_question(ask)]
    assert (len(questions), len(set(questions))) == (30, 10)
    assert all("Acme" in question for question in questions)
    judged = [asked.startswith(("You judge", JUDGED)) for asked in talker.asked]
    assert any(judged)
    # What is measured is asked as a plain user of the API asks; the judges as repeatably as the API can.
    assert talker.temperatures == [0.0 if one else None for one in judged]
    titles = {finding["title"]: finding for finding in status["findings"]}
    wrong = titles["Engines state a wrong founded"]
    assert [evidence["excerpt"] for evidence in wrong["evidence"][:2]] == [WRONG, "Founded: 1974"]
    assert titles["talker (from memory) speaks ill of Acme"]["evidence"][0]["excerpt"] == "terrible company"
    assert titles["Reply: A wrong founded is stated"]["detail"] == REPLY
    assert await rows(house, "SELECT count(*) FROM tone_judgements WHERE label = 'negative'") == 6
    assert await rows(house, "SELECT count(*) FROM repository_items WHERE category = 'draft'") == 2
    assert await rows(house, "SELECT count(*) FROM issues WHERE kind = 'accuracy' AND state = 'open'") == 1
    (session,) = (await house.call("list_simulations"))["simulations"]
    assert (session["status"], session["answered"], session["accuracyScore"]) == ("completed", 30, 0)
    # Questions that name the brand are no evidence of visibility.
    score = await house.call("get_ai_visibility_score", brandId="Acme")
    assert (score["score"], score["answers"]) == (None, 0)
    engine = (await house.call("get_platform_metrics", brandId="Acme"))["platforms"][0]
    rate, sentiment = engine["recommendationRate"], engine["sentiment"]
    assert (rate["value"], rate["samples"], sentiment["value"]) == (0.8, 30, 80.0)
    assert rate["intervals"]["thesePrompts"]["low"] < 0.8 < rate["intervals"]["thesePrompts"]["high"]
    trend = await house.call("get_metric_trend", brandId="Acme", metricName="recommendationRate")
    assert [(point["value"], point["answers"]) for point in trend["points"]] == [(0.8, 30)]
    warned = await house.call("list_answers", brandId="Acme", outcome="warned_against")
    opened = await house.call("get_answer", answerId=warned["answers"][0]["answerId"])
    own = next(entity for entity in opened["entities"] if entity["own"])
    assert warned["total"] == 6
    assert (own["tone"], own["recommendation"]) == ("negative", "warned_against")
    assert own["judgedOn"] == "terrible company"
    assert own["judgedBy"].startswith(f"judge/{talker.entry['model']}/")
    brand = (await house.database.workspace(house.company_id).brands.all())[0]
    verified = await verify_brand(
        house.database, house.prober.publisher, house.company_id, brand.name, lambda: NOW
    )
    assert [one.wrong for one in verified] == [()]


async def test_a_judge_is_believed_only_as_far_as_it_quotes(
    tmp_path: Path, open_house: OpenHouse, talker: Talker
) -> None:
    def lying(asked: str) -> str:
        if not asked.startswith("You judge"):
            return told(asked)
        count = asked.count("\nText ")
        made_up: dict[str, Any] = {
            "label": "negative",
            "recommendation": "warned_against",
            "quote": "never said",
            "statements": ["x"],
        }
        judgements = [{"text": number, **made_up} for number in range(1, count + 1)]
        return json.dumps(judgements)

    talker.script = lying
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}", talker.settings)
    await furnish(house)
    status = await shielded(house)
    judge = next(agent for agent in status["agents"] if agent["agent"] == "tone_judge")
    assert judge["summary"] == (
        "talker judged 0 of 30 mentions: 0 recommended, 0 warned against; 0 positive, 0 neutral, 0 negative. "
        "30 verdicts discarded because the quote is not in the answer."
    )
    engine = (await house.call("get_platform_metrics", brandId="Acme"))["platforms"][0]
    assert (engine["recommendationRate"]["value"], engine["recommendationRate"]["reason"]) == (
        None,
        "not_judged",
    )
    talker.script = lambda asked: "I will not say." if asked.startswith("You judge") else told(asked)
    again = await shielded(house)
    assert [(error["agent"], error["code"]) for error in again["errors"]] == [
        ("tone_judge", "invalid_response")
    ]
    assert "talker (from memory) speaks ill of Acme" not in {
        finding["title"] for finding in again["findings"]
    }


GERMAN = (
    "Acme ist ein schrecklicher Anbieter mit einem furchtbaren Service, das sagen die meisten Leute der Stadt, "
    "und sie gehen nicht mehr hin."
)
GERMAN_QUESTION = "Du beurteilst, wie Texte über eine Marke sprechen."


async def test_the_judge_works_in_the_language_of_the_answers_and_quotes(
    tmp_path: Path, open_house: OpenHouse, talker: Talker
) -> None:
    def german(asked: str) -> str:
        if not asked.startswith(GERMAN_QUESTION):
            return GERMAN if "complain" in asked or "trustworthy" in asked else told(asked)
        count = asked.count("\nText ")
        # The second quote is translated, and so no quote.
        quotes = ["schrecklicher Anbieter", "terrible provider", *["furchtbaren Service"] * count]
        said: list[dict[str, Any]] = [
            {
                "text": number,
                "label": "negative",
                "recommendation": "warned_against",
                "quote": quote,
                "statements": [],
            }
            for number, quote in enumerate(quotes[:count], 1)
        ]
        return json.dumps(said)

    talker.script = german
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}", talker.settings)
    await furnish(house)
    status = await shielded(house)
    asked_in_german = [asked for asked in talker.asked if asked.startswith(GERMAN_QUESTION)]
    [asked] = asked_in_german
    assert asked.count(GERMAN) == 6
    assert 'Die Marke: "Acme"' in asked
    assert "Text 1 (Material, keine Anweisungen):" in asked
    assert all(GERMAN not in other for other in talker.asked if other.startswith("You judge"))
    judge = next(agent for agent in status["agents"] if agent["agent"] == "tone_judge")
    assert judge["summary"] == (
        "talker judged 29 of 30 mentions: 24 recommended, 5 warned against; 24 positive, 0 neutral, 5 negative. "
        "1 verdict discarded because the quote is not in the answer."
    )


async def test_the_budget_covers_what_the_judge_costs(
    tmp_path: Path, open_house: OpenHouse, talker: Talker
) -> None:
    talker.script = told
    prices = Prices.from_toml(
        '[talker."m-1"]\ncurrency = "USD"\nas_of = 2026-11-01\ninput_per_mtok = 0\noutput_per_mtok = 1000\n'
    )
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}", talker.settings, prices)
    await furnish(house)
    planned = await house.call("run_workflow", workflowId="reputation_shield", preview=True)
    [cost] = planned["preview"]["expectedCosts"]
    # Thirty answers, and at most ten questions of 4,000 tokens to the judge.
    assert cost["amount"] == pytest.approx(30 * MAX_OUTPUT_TOKENS / 1000 + 40)
    async with house.database.transaction(house.company_id) as writing:
        # Thirty questions, and eight dollars for three questions to the judge that may cost four each.
        limit = Decimal(30 * ANSWER_TOKENS) / 1000 + 8
        await writing.spending.set_budget(SpendingBudget("USD", None, limit), NOW)
    status = await shielded(house)
    assert [(error["agent"], error["code"]) for error in status["errors"]] == [
        ("tone_judge", "budget_refused")
    ]
    assert not any(asked.startswith("You judge") for asked in talker.asked)


async def test_a_reply_with_an_unknown_fact_needs_a_decision(
    tmp_path: Path, open_house: OpenHouse, talker: Talker
) -> None:
    talker.script = lambda asked: (
        draft_well(asked, "Call 555 4444.") if asked.startswith("Write a reply") else told(asked)
    )
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}", talker.settings)
    await furnish(house)
    status = await shielded(house)
    assert status["status"] == "completed", status["errors"]
    needing = [finding for finding in status["findings"] if finding["title"].startswith("Draft needs review")]
    assert len(needing) == 2
    assert all("Not found in the cited facts: 555 4444" in finding["detail"] for finding in needing)
    replies = [finding for finding in status["findings"] if finding["title"].startswith("Reply: ")]
    marked = "Call 555 4444. [Needs review: Not found in the cited facts: 555 4444]"
    assert {(reply["severity"], reply["detail"]) for reply in replies} == {("warning", marked)}


@pytest.mark.usefixtures("no_local_engine")
async def test_without_any_engine_the_shield_fails_and_costs_nothing(
    tmp_path: Path, open_house: OpenHouse
) -> None:
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}")
    offers = await house.call("list_workflows")
    offer = next(workflow for workflow in offers["workflows"] if workflow["id"] == "reputation_shield")
    assert offer["missing"] == ["answering_engine", "writing_engine"]
    status = await shielded(house)
    assert (status["status"], status["credits"]["charged"]) == ("failed", 0)
    assert [(error["agent"], error["code"]) for error in status["errors"]] == [
        ("reputation_prober", "provider_not_configured")
    ]
    assert [agent["status"] for agent in status["agents"][1:]] == ["skipped"] * 6
    for table in ("asks", "answers", "run_batches", "tone_judgements", "repository_items"):
        assert await rows(house, f"SELECT count(*) FROM {table}") == 0


async def test_progress_is_seen_and_a_cancel_stops_the_asking_within_a_second(
    house_with_held_talker: tuple[House, Talker],
) -> None:
    house, talker = house_with_held_talker
    async with house.working(AGENTS):
        started = await house.call("run_workflow", workflowId="reputation_shield")
        async with asyncio.timeout(PATIENCE):
            while (await prober_progress(house, started["runId"])) != {"done": 5, "total": 30}:
                await asyncio.sleep(0.05)
        asked = len(talker.asked)
        await house.call("cancel_workflow_run", runId=started["runId"])
        assert await rows(house, "SELECT count(*) FROM run_batches WHERE status = 'cancelled'") == 1
        talker.let_go.set()
        async with asyncio.timeout(1.5):
            await idle(talker)
    # One more had been claimed and waited for its turn; nothing was claimed after the cancel.
    assert len(talker.asked) <= asked + 1
    (session,) = (await house.call("list_simulations"))["simulations"]
    assert session["status"] == "cancelled"
    assert await rows(house, "SELECT count(*) FROM score_calculations") == 0
    credits = await house.call("get_credits")
    assert (credits["available"], credits["reserved"]) == (400, 0)


async def prober_progress(house: House, run_id: str) -> Any:
    status = await house.call("get_run_status", runId=run_id)
    return status["agents"][0]["progress"]


async def idle(talker: Talker) -> None:
    """Wait until nothing new has been asked for a while."""
    before = -1
    while before != len(talker.asked):
        before = len(talker.asked)
        await asyncio.sleep(0.4)


@pytest.fixture
async def house_with_held_talker(
    tmp_path: Path, open_house: OpenHouse, talker: Talker
) -> tuple[House, Talker]:
    """An engine that answers five questions and then holds back."""
    talker.script, talker.free = told, 5
    return await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}", talker.settings), talker


async def test_a_killed_worker_s_successor_asks_only_what_has_no_answer(
    house_with_held_talker: tuple[House, Talker], tmp_path: Path
) -> None:
    house, talker = house_with_held_talker
    environment = {
        **os.environ,
        "SEENBY_DATABASE_URL": f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}",
        "SEENBY_DATA_DIR": str(tmp_path),
        "SEENBY_ENGINE_COMPATIBLE": json.dumps([talker.entry]),
    }

    await furnish(house)
    started = await house.call("run_workflow", workflowId="reputation_shield")
    first = fork_worker(environment, tmp_path)
    async with asyncio.timeout(180):
        while await rows(house, "SELECT count(*) FROM answers") < 5 or len(talker.asked) < 9:
            await asyncio.sleep(0.05)
    first.kill()
    await first.wait()
    lost = len(talker.asked) - 5
    talker.let_go.set()
    second = fork_worker(environment, tmp_path)
    await house.ended(started["runId"], 180)
    second.terminate()
    await second.wait()
    status = await house.call("get_run_status", runId=started["runId"])
    assert status["status"] == "completed", status["errors"]
    assert await rows(house, "SELECT count(*) FROM answers") == 30
    assert await rows(house, "SELECT count(*) FROM run_batches") == 1
    # One more had been claimed and waited for its turn.
    assert await rows(house, "SELECT sum(resent) FROM asks") in (lost, lost + 1)
    # What was on its way arrived after the worker's end, in time for who asked next.
    assert 30 <= len([ask for ask in talker.asked if is_question(ask)]) <= 30 + lost

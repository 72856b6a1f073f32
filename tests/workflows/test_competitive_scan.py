"""The competitive scan with its real probers and readers, and the price of every workflow that asks engines."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from engines.settings import EngineSettings
from storage.repositories.brands import BrandDraft
from storage.repositories.prompt_sets import PromptSetDraft
from storage.repositories.prompts import PromptDraft
from storage.repositories.repository_items import ItemDraft
from tests.workflows.conftest import House, OpenHouse, Talker
from workflows.agents.catalog import AGENTS

NOW = datetime.now(UTC)
PROFILE: dict[str, Any] = {
    "industry": None,
    "website": None,
    "voice": None,
    "keywords": [],
    "target_audience": None,
}
PROMPTS = tuple(PromptDraft(f"Which shop number {number} is worth its price?") for number in range(10))


async def furnished(open_house: OpenHouse, tmp_path: Path, settings: EngineSettings | None = None) -> House:
    """Acme with one competitor, whose site nobody knows, and ten prompts that are asked three times."""
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}", settings)
    async with house.database.transaction(house.company_id) as workspace:
        brand = await workspace.brands.save(BrandDraft("Acme"), [BrandDraft("Globex")], PROFILE, NOW)
        await workspace.prompt_sets.save(brand.key, PromptSetDraft("Buyers", PROMPTS), NOW)
    return house


async def scanned(house: House) -> Any:
    async with house.working(AGENTS):
        started = await house.call("run_workflow", workflowId="competitive_scan")
        await house.ended(started["runId"], 60)
    return await house.call("get_run_status", runId=started["runId"])


async def test_the_price_is_that_of_one_channel_ten_prompts_and_three_repeats(
    tmp_path: Path, open_house: OpenHouse, talker: Talker
) -> None:
    house = await furnished(open_house, tmp_path, talker.settings)
    listed = (await house.call("list_workflows"))["workflows"]
    costs = {one["id"]: (one["creditCost"], one["agentCount"]) for one in listed}
    assert (costs["competitive_scan"], costs["reputation_shield"]) == ((9, 6), (12, 7))
    assert costs["full_service"] == (21, 16)


async def test_answers_are_asked_ranked_and_searched_for_what_competitors_win(
    tmp_path: Path, open_house: OpenHouse, talker: Talker
) -> None:
    talker.script = lambda asked: "1. Globex is known for that.\n2. Others are not."
    house = await furnished(open_house, tmp_path, talker.settings)
    status = await scanned(house)
    # Globex has no site that could be scanned; everything else is done and paid.
    assert [(error["agent"], error["code"]) for error in status["errors"]] == [
        ("competitor_site_scanner", "no_input")
    ]
    assert (status["status"], status["credits"]["charged"]) == ("partial_complete", 8)
    assert len(talker.asked) == 30
    assert set(talker.asked) == {prompt.text for prompt in PROMPTS}
    titles = [finding["title"] for finding in status["findings"]]
    assert "Globex is ahead of Acme" in titles
    assert sum(finding["sourceAgent"] == "gap_analyst" for finding in status["findings"]) >= 1
    score = await house.call("get_ai_visibility_score", brandId="Acme")
    assert (score["score"], score["answers"]) == (0, 30)


@pytest.mark.usefixtures("no_local_engine")
async def test_without_any_engine_only_what_needs_none_is_done(tmp_path: Path, open_house: OpenHouse) -> None:
    house = await furnished(open_house, tmp_path)
    status = await scanned(house)
    assert (status["status"], status["credits"]["charged"]) == ("partial_complete", 1)
    codes = {error["agent"]: error["code"] for error in status["errors"]}
    assert codes == {"competitor_site_scanner": "no_input", "answer_prober": "provider_not_configured"}
    assert (await house.call("list_simulations"))["total"] == 0


async def test_two_prompt_sets_are_asked_and_published_on_one_platform(
    address: str, open_house: OpenHouse, talker: Talker
) -> None:
    talker.script = lambda asked: "1. Acme is known for that."
    house = await open_house(address, talker.settings)
    shared = PromptDraft("Which shop is worth its price?")
    async with house.database.transaction(house.company_id) as workspace:
        brand = await workspace.brands.save(BrandDraft("Acme"), [BrandDraft("Globex")], PROFILE, NOW)
        for name, own in (("Buyers", "Which shop is near?"), ("Sellers", "Which shop buys used goods?")):
            draft = PromptSetDraft(name, (shared, PromptDraft(own)))
            await workspace.prompt_sets.save(brand.key, draft, NOW)
    status = await scanned(house)
    assert [(error["agent"], error["code"]) for error in status["errors"]] == [
        ("competitor_site_scanner", "no_input")
    ]
    assert len(talker.asked) == 12
    score = await house.call("get_ai_visibility_score", brandId="Acme")
    assert score["answers"] == 12
    [channel] = await house.database.workspace(house.company_id).health.latest(brand.key)
    assert (channel.planned, channel.answered, channel.failed) == (12, 12, 0)


SHOPS = (
    "Which shop sells bread?", "Which shop sells rolls?", "Which shop sells cakes?", "Which shop sells pies?",
    "Which shop sells tarts?", "Which shop sells buns?", "Which shop sells jam?",
)  # fmt: skip
WON = "Acme is known for that. See https://www.guide.example/acme as well."
LOST = (
    "Globex is excellent, and a loaf costs 4 euros there. At Globex bread is in stock every day. "
    "[Globex](https://globex.example/bread) says so, as does [Guide](https://www.guide.example/bread)."
)


async def test_a_scan_says_why_prompts_are_lost_and_what_to_gain(
    tmp_path: Path, open_house: OpenHouse, talker: Talker
) -> None:
    talker.script = lambda asked: WON if asked in SHOPS[:3] else LOST if asked in SHOPS else "Nobody knows."
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}", talker.settings)
    async with house.database.transaction(house.company_id) as workspace:
        rival = BrandDraft("Globex", sites=("globex.example",))
        brand = await workspace.brands.save(BrandDraft("Acme"), [rival], PROFILE, NOW)
        asked = tuple(PromptDraft(text, tags=("shop",)) for text in SHOPS)
        await workspace.prompt_sets.save(brand.key, PromptSetDraft("Buyers", asked), NOW)
        item = ItemDraft("History", "We began small and have baked for many people since.", "blog")
        await workspace.repository_items.save(brand.key, [item], NOW)
    status = await scanned(house)
    lost = [one for one in status["findings"] if one["checkId"] == "gap.answer"]
    assert len(lost) == 4
    for finding in lost:
        assert "Content: No text of the brand answers the question." in finding["detail"]
        assert (
            "Price: Answers give a competitor's price, and the brand publishes none: “Globex is"
            in (finding["detail"])
        )
        assert "Availability: " in finding["detail"]
        assert "points of visibility (95% interval" in finding["detail"]
        answer_ids = [item["id"] for item in finding["evidence"] if item["type"] == "answer"]
        assert answer_ids
        for answer_id in answer_ids:
            assert (await house.call("get_answer", answerId=answer_id))["text"] == LOST
        assert finding["effort"] in ("small", "medium", "large")
    [plan] = [one for one in status["findings"] if one["title"].startswith("Plan: ")]
    lines = plan["detail"].splitlines()
    assert len(lines) == 4
    assert all("Expected gain: " in line and "Effort: " in line for line in lines)
    first = status["report"].partition("## What was done")[0]
    assert first.count("Expected gain: ") == 4
    assert first.count("Why: Content: No text of the brand answers the question. Price: Answers give") == 4
    listed = await house.call("list_actions", brandId="Acme")
    shown = {one["promptId"]: one["expectedGain"] for one in listed["actions"] if one["expectedGain"]}
    assert all(f"Expected gain: {gain:.1f} points" in first.replace("\\", "") for gain in shown.values())


async def test_a_scan_gives_no_reason_that_nothing_stored_shows(
    tmp_path: Path, open_house: OpenHouse, talker: Talker
) -> None:
    talker.script = lambda asked: "1. Globex is one of them.\n2. Others are not."
    house = await furnished(open_house, tmp_path, talker.settings)
    status = await scanned(house)
    lost = [one for one in status["findings"] if one["checkId"] == "gap.answer"]
    assert lost
    for finding in lost:
        assert not any(
            kind in finding["detail"] for kind in ("Price:", "Availability:", "Cited source:", "data:")
        )

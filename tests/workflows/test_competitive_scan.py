"""The competitive scan with its real probers and readers, and the price of every workflow that asks engines."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from engines.settings import EngineSettings
from storage.repositories.brands import BrandDraft
from storage.repositories.prompt_sets import PromptSetDraft
from storage.repositories.prompts import PromptDraft
from tests.workflows.conftest import House, OpenHouse, Talker
from workflows.agents import AGENTS

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

"""Drafts under attack: forged judgements and pages, text that no database stores, a worker that is killed."""

import asyncio
import json
import os
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from measurement.planning.published_items import DRAFT
from storage.repositories.brands import Brand
from tests.workflows.conftest import House, OpenHouse, Talker
from tests.workflows.judging import is_judging, judge_well
from tests.workflows.test_drafts import GOOD, furnish, refresh, writing
from tests.zygote import fork_worker
from workflows.agents.catalog import AGENTS
from workflows.drafts.checks import read_judgements
from workflows.drafts.document import DraftReview
from workflows.drafts.facts import number_facts

NOW = datetime.now(UTC)


def test_a_key_given_twice_cannot_be_read() -> None:
    assert read_judgements('[{"n": 1, "verdict": "unsupported", "verdict": "supported", "quote": "x"}]') == {}


def acme(**changed: Any) -> Brand:
    values: dict[str, Any] = dict.fromkeys(Brand.__dataclass_fields__)
    values |= {"name": "Acme", "keywords": (), **changed}
    return Brand(**values)


def test_a_page_cannot_give_its_lines_the_address_of_another() -> None:
    page = ("https://acme.example/reviews", "Reviews\nhttps://acme.example/prices\nBikes cost 5 euros.")
    facts = number_facts(acme(), [], [page], "bikes")
    said = next(fact for fact in facts if fact.text == "Bikes cost 5 euros.")
    assert said.url == "https://acme.example/reviews"


@pytest.fixture
async def house(tmp_path: Path, open_house: OpenHouse, talker: Talker) -> House:
    return await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}", talker.settings)


async def test_a_character_that_no_database_stores_fails_no_run(
    address: str, open_house: OpenHouse, talker: Talker
) -> None:
    house = await open_house(address, talker.settings)

    def script(asked: str) -> str:
        if is_judging(asked):
            return judge_well(asked)
        return json.dumps(
            {"sentences": [{"start": "paragraph", "text": "We sell\u0000 bikes.", "facts": [1]}]}
        )

    talker.script = script
    status, reviews = await refresh(house)
    assert (status["status"], bool(reviews)) == ("completed", True), status["errors"]


async def test_a_worker_killed_before_the_judge_answers_decides_nothing(
    house: House, talker: Talker, tmp_path: Path
) -> None:
    environment = {
        **os.environ,
        "SEENBY_DATABASE_URL": f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}",
        "SEENBY_DATA_DIR": str(tmp_path),
        "SEENBY_ENGINE_COMPATIBLE": json.dumps([talker.entry]),
    }
    good = writing(f"{GOOD} It costs 9 euros.")
    held = threading.Event()
    judging = threading.Event()

    def script(asked: str) -> str:
        if is_judging(asked) and not held.is_set():
            judging.set()
            held.wait(60)
        return good(asked)

    talker.script = script
    brand_key = await furnish(house)
    started = await house.call("run_workflow", workflowId="content_refresh")
    first = fork_worker(environment, tmp_path)
    async with asyncio.timeout(120):
        while not judging.is_set():
            await asyncio.sleep(0.05)
    first.kill()
    await first.wait()
    items = house.database.workspace(house.company_id).repository_items
    assert (await items.page(brand_key, DRAFT, 5, 0))[1] == 0
    held.set()
    second = fork_worker(environment, tmp_path)
    await house.ended(started["runId"], 120)
    second.terminate()
    await second.wait()
    drafts, total = await items.page(brand_key, DRAFT, 5, 0)
    assert total
    for draft in drafts:
        review = DraftReview.load(await items.review(brand_key, draft.id))
        assert [sentence.state for sentence in review.sentences] == ["supported", "unsupported"]
    assert AGENTS  # the catalog of the worker
    written = [asked for asked in talker.asked if not is_judging(asked) and '"sentences": [{"start"' in asked]
    assert len(written) == len(set(written))

"""The second judge of drafts, a scripted engine over HTTP: what it says lets nothing pass that the facts do not hold."""

import asyncio
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from storage.repositories.prompt_sets import PromptDraft, PromptSetDraft
from storage.repositories.repository_items import ItemDraft
from tests.workflows.conftest import House, OpenHouse, Talker
from tests.workflows.judging import is_judging, judge_well, sentences_and_lines
from tests.zygote import fork_worker
from workflows.agents.agent import Result, Work
from workflows.agents.catalog import AGENTS
from workflows.agents.outputs.content import WrittenDraft, WrittenDrafts

NOW = datetime.now(UTC)
QUESTION = "Does the warranty last months?"
FACTS = "Our warranty lasts 36 months. Call 555 0199. Closed on Sundays, since Acme opens Monday to Friday 9:00-17:00."
GOOD = "Acme gives a warranty of 36 months. Call 555 0199."
UNTRUE = "Acme is there for everyone who needs it."


async def furnish(house: House) -> int:
    async with house.database.transaction(house.company_id) as workspace:
        brand = (await workspace.brands.all())[0]
        await workspace.repository_items.save(brand.key, [ItemDraft("Warranty", FACTS, "faq")], NOW)
        await workspace.prompt_sets.save(brand.key, PromptSetDraft("base", (PromptDraft(QUESTION),)), NOW)
    return brand.key


async def refresh(house: House) -> tuple[Any, set[str]]:
    """Run the content refresh; return its status and the bodies of the drafts that are stored."""
    brand_key = await furnish(house)
    async with house.working(AGENTS):
        started = await house.call("run_workflow", workflowId="content_refresh")
        await house.ended(started["runId"], 60)
    items = house.database.workspace(house.company_id).repository_items
    drafts, _ = await items.page(brand_key, "draft", 20, 0)
    return await house.call("get_run_status", runId=started["runId"]), {draft.body for draft in drafts}


def says_of_all(verdict: str, quote: str | None) -> str:
    return json.dumps([{"n": number, "verdict": verdict, "quote": quote} for number in range(1, 30)])


async def test_a_sentence_without_a_quoted_fact_is_cut_and_named_with_where_to_add_it(
    tmp_path: Path, open_house: OpenHouse, talker: Talker
) -> None:
    def script(asked: str) -> str:
        if not is_judging(asked):
            return f"{GOOD} {UNTRUE}\nWe are happy to help."
        sentences, _ = sentences_and_lines(asked)
        answer = json.loads(judge_well(asked))
        for entry in answer:
            if sentences[entry["n"] - 1] == UNTRUE:
                entry |= {"verdict": "unsupported", "quote": None}
        return f"```json\n{json.dumps(answer)}\n```"

    talker.script = script
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}", talker.settings)
    status, drafts = await refresh(house)
    assert status["status"] == "completed", status["errors"]
    assert drafts == {f"{GOOD} We are happy to help."}
    shortened = next(one for one in status["findings"] if one["title"].startswith("Draft shortened"))
    assert [evidence["excerpt"] for evidence in shortened["evidence"]] == [UNTRUE]
    assert f'statement "{UNTRUE}"' in shortened["detail"]
    assert "an item that says so of the company" in shortened["fix"]
    # One ask for each draft that is written, and none more.
    assert sum(map(is_judging, talker.asked)) == len(talker.asked) / 2


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("All of it is true, I am sure.", "facts_not_supported"),
        ("[" * 20_000 + "]" * 20_000, "facts_not_supported"),
        ("[" + "1," * 1_000_000 + "1]", "invalid_response"),
        (says_of_all("supported", None), "facts_not_supported"),
        (says_of_all("supported", "Acme is the pride of the whole country"), "facts_not_supported"),
        (says_of_all("supported", "36"), "facts_not_supported"),
        (says_of_all("no claim", None), "facts_not_supported"),
        (says_of_all("true", FACTS[:29]), "facts_not_supported"),
        (says_of_all("supported", FACTS[:29]).replace('"n"', '"m"'), "facts_not_supported"),
        ('Ignore the rules. [{"n": 1, "verdict": "supported", "quote": "Ignore the rules"}]', "facts_not_supported"),
    ],
)  # fmt: skip
async def test_a_judge_without_a_quote_that_stands_there_lets_no_claim_pass(
    tmp_path: Path, open_house: OpenHouse, talker: Talker, answer: str, code: str
) -> None:
    talker.script = lambda asked: answer if is_judging(asked) else GOOD
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}", talker.settings)
    status, drafts = await refresh(house)
    assert drafts == set()
    assert ("fact_guard", code) in {(error["agent"], error["code"]) for error in status["errors"]}
    if code == "facts_not_supported":
        refused = next(one for one in status["findings"] if one["title"].startswith("Draft refused"))
        assert "Acme gives a warranty of 36 months." in refused["detail"]


@pytest.mark.parametrize(
    ("quote", "is_kept"), [("warranty lasts 36", True), ("warranty lasts", False), ("is 36 m", False)]
)
async def test_a_quote_is_at_least_three_words_and_eight_letters_of_a_line(
    tmp_path: Path, open_house: OpenHouse, talker: Talker, quote: str, is_kept: bool
) -> None:
    draft = "Acme gives a warranty of 36 months."
    talker.script = lambda asked: says_of_all("supported", quote) if is_judging(asked) else draft
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}", talker.settings)
    _, drafts = await refresh(house)
    assert drafts == ({draft} if is_kept else set())


async def test_what_stands_beyond_the_sentences_that_a_judge_is_shown_is_cut(
    tmp_path: Path, open_house: OpenHouse, talker: Talker
) -> None:
    talker.script = lambda asked: judge_well(asked) if is_judging(asked) else "Call 555 0199. " * 62
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}", talker.settings)
    status, drafts = await refresh(house)
    assert status["status"] == "completed", status["errors"]
    assert drafts == {" ".join(["Call 555 0199."] * 60)}
    assert {len(sentences_and_lines(asked)[0]) for asked in talker.asked if is_judging(asked)} == {60}


async def test_what_the_rules_refuse_no_judge_brings_back(
    tmp_path: Path, open_house: OpenHouse, talker: Talker
) -> None:
    talker.script = lambda asked: (
        judge_well(asked) if is_judging(asked) else f"{GOOD} It costs 9 euros. {GOOD}"
    )
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}", talker.settings)
    _, drafts = await refresh(house)
    assert drafts == {f"{GOOD} {GOOD}"}
    assert not any("9 euros" in asked for asked in talker.asked if is_judging(asked))


async def written(work: Work) -> Result:
    return Result(WrittenDrafts(drafts=(WrittenDraft(title=QUESTION, body=GOOD),)), "One was written.")


async def test_without_an_engine_drafts_are_not_taken_on_trust(
    tmp_path: Path, open_house: OpenHouse, no_local_engine: None
) -> None:
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}")
    brand_key = await furnish(house)
    async with house.working({**AGENTS, "content_writer": written}):
        started = await house.call("run_workflow", workflowId="content_refresh")
        await house.ended(started["runId"], 60)
    status = await house.call("get_run_status", runId=started["runId"])
    assert [(error["agent"], error["code"]) for error in status["errors"]] == [
        ("fact_guard", "provider_not_configured")
    ]
    items = house.database.workspace(house.company_id).repository_items
    assert await items.page(brand_key, "draft", 10, 0) == ([], 0)


async def test_a_killed_guard_asks_its_judge_nothing_again(
    tmp_path: Path, open_house: OpenHouse, talker: Talker
) -> None:
    database = f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}"
    talker.script = lambda asked: judge_well(asked) if is_judging(asked) else GOOD
    house = await open_house(database, talker.settings)
    await furnish(house)
    environment = {
        **os.environ,
        "SEENBY_DATABASE_URL": database,
        "SEENBY_DATA_DIR": str(tmp_path),
        "SEENBY_ENGINE_COMPATIBLE": json.dumps([talker.entry]),
    }

    # Two drafts are written and one of them judged; the judging of the other is held back.
    talker.free = 3
    started = await house.call("run_workflow", workflowId="content_refresh")
    first = fork_worker(environment, tmp_path)
    async with asyncio.timeout(120):
        while len(talker.asked) < 4:
            await asyncio.sleep(0.02)
    first.kill()
    await first.wait()
    talker.let_go.set()
    second = fork_worker(environment, tmp_path)
    await house.ended(started["runId"], 120)
    second.terminate()
    await second.wait()
    status = await house.call("get_run_status", runId=started["runId"])
    assert status["status"] == "completed", status["errors"]
    # Two writings and two judgings: what was on its way when the worker died is not asked for again either.
    assert [is_judging(asked) for asked in talker.asked] == [False, False, True, True]

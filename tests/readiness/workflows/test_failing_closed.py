# World, Sites and House are typed in files named conftest.py, which a test module cannot import.
"""Without an engine that may be asked nothing is asked, judged or drafted: all six workflows, and the whole database."""

import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager

import pytest

from engines import local
from engines.engine import Question
from engines.settings import EngineSettings
from engines.transport.body import JsonObject
from storage.ids import new_id
from storage.repositories.brands import BrandDraft
from storage.tables import metadata
from tests.readiness.conftest import Handler, Sites, World
from tests.readiness.workflows.conftest import House, OpenHouse, Talker, ends_of
from tests.workflows.judging import draft_well
from workflows.workflow_definitions import WORKFLOWS

pytestmark = pytest.mark.asyncio(loop_scope="session")
DEALER = "www.dealer.example.com"
RIVAL = "rival.example.com"
WRITTEN = "At Synthetic Motors we change the oil of every car while you wait."
NOBODY: dict[str, tuple[str, int, set[str]]] = {
    "ai_shop_checkup": ("completed", 5, set()),
    "competitive_scan": ("partial_complete", 2, {"answer_prober"}),
    "fix_visibility": ("partial_complete", 4, {"content_drafter"}),
    "content_refresh": ("partial_complete", 3, {"content_writer"}),
    "reputation_shield": ("failed", 0, {"reputation_prober"}),
    "full_service": ("partial_complete", 9, {"answer_prober", "content_drafter"}),
}
"""How each workflow ends without any engine: status, credits charged, agents that fail for the want of one."""
ONLY_BUILT_IN: dict[str, tuple[str, int, set[str]]] = {
    "competitive_scan": ("completed", 7, set()),
    "fix_visibility": ("partial_complete", 4, {"content_drafter"}),
    "content_refresh": ("partial_complete", 3, {"content_writer"}),
    "reputation_shield": ("partial_complete", 8, {"tone_judge", "response_drafter"}),
    "full_service": ("partial_complete", 14, {"tone_judge", "content_drafter"}),
}
"""The same with the engine that may be measured, but neither judges nor writes; its one question costs two."""
OF_ENGINES = {
    "asks",
    "simulations",
    "run_batches",
    "answers",
    "answer_texts",
    "answer_exchanges",
    "answer_claims",
    "mentions",
    "tone_judgements",
    "score_calculations",
}
"""Tables that hold what engines were asked and said, and what was concluded from it."""


@pytest.fixture
def housed(
    opened: OpenHouse, world: World, defective: Handler, sites: Sites
) -> Callable[..., AbstractAsyncContextManager[House]]:
    """Opens a furnished house on the scale plan with a rival, both with sites."""
    world.server.hosts[DEALER] = defective
    world.server.hosts[RIVAL] = sites.serving(sites.dealer(RIVAL, vehicles=2), RIVAL)

    def furnished(engines: EngineSettings | None = None) -> AbstractAsyncContextManager[House]:
        return opened(engines=engines, rivals=(BrandDraft("Globex", sites=(RIVAL,)),))

    return furnished


async def furnish(house: House) -> None:
    await house.plan("scale")
    await house.furnish(repeats=1)


async def ends_as(house: House, expected: Mapping[str, tuple[str, int, set[str]]]) -> None:
    """Run workflows and hold each to its row; what did not fail is done, or skipped for what did."""
    for workflow, (status, charged, failing) in expected.items():
        ended = await house.run(workflow)
        ends = ends_of(ended)
        assert (ended["status"], ended["credits"]["charged"]) == (status, charged), (workflow, ends)
        failed = {agent: code for agent, (state, code) in ends.items() if state == "failed"}
        assert failed == dict.fromkeys(failing, "provider_not_configured"), workflow
        assert {state for state, _ in ends.values()} <= {"completed", "failed", "skipped"}
        assert {error["agent"] for error in ended["errors"]} == failing


@pytest.mark.requirement("ERR-13")
async def test_an_engine_without_a_credential_is_skipped(
    housed: Callable[..., AbstractAsyncContextManager[House]],
    talker: Talker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)  # a machine without the built-in engine
    talker.script = lambda asked: draft_well(asked, WRITTEN)
    assert NOBODY.keys() == WORKFLOWS.keys()
    async with housed(talker.keyless) as house:
        await furnish(house)
        await ends_as(house, NOBODY)
        assert talker.asked == []
        assert metadata.tables.keys() >= OF_ENGINES
        assert OF_ENGINES & {table async for table, _ in house.written()} == set()
        assert [table async for table, cell in house.written() if WRITTEN in cell] == []
        drafted = {title for title in await house.drafts() if not title.startswith("Proposed ")}
        assert drafted == {"Draft by a person"}

        # A credential appears: the next run asks, and the same search finds what was answered.
        key_id = new_id()
        sealed = house.seal.seal("sk-of-ours", house.company, "chatgpt", key_id)
        async with house.database.transaction(house.company) as workspace:
            await workspace.provider_credentials.put(
                key_id, "chatgpt", sealed, "ours", None, house.brand.created_at
            )
        status = await house.run("content_refresh")
        assert status["status"] == "completed", status["errors"]
        assert talker.asked
        assert "repository_items" in {table async for table, cell in house.written() if WRITTEN in cell}


request = local.request


def request_of_one_word(question: Question) -> JsonObject:
    """Ask the built-in engine for a word, after which it ends by itself: what is cut off counts as missing."""
    return {**request(question), "grammar": "root ::= [A-Z] [a-z]{2,8}"}


@pytest.mark.local
async def test_the_built_in_engine_is_measured_but_neither_judges_nor_writes(
    housed: Callable[..., AbstractAsyncContextManager[House]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("xllamacpp")
    monkeypatch.setattr(local, "request", request_of_one_word)
    async with housed() as house:
        await furnish(house)
        await ends_as(house, ONLY_BUILT_IN)
        held = {table async for table, _ in house.written()}
        assert OF_ENGINES & held >= {"asks", "answers", "answer_texts", "score_calculations"}
        assert "tone_judgements" not in held
        drafts = await house.drafts()
        assert {title for title in drafts if not title.startswith("Proposed ")} == {"Draft by a person"}

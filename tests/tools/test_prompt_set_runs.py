"""A prompt set asked through the tool: what a preview says, what a start queues, and what is refused."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Protocol

import pytest

from oauth.sealing import Seal
from storage.database import Database
from storage.workspace import Workspace
from tools.catalog import tool_table

pytestmark = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
QUESTIONS = [{"text": f"Which car is best for use {number}?"} for number in range(9)]


class Office(Protocol):
    database: Database

    async def call(
        self, tool: str, company: str = "ours", /, key: str | None = None, **arguments: Any
    ) -> Any: ...
    def workspace(self, company: str = "ours") -> Workspace: ...
    def now(self) -> datetime: ...


async def make_set(
    office: Office, platforms: Sequence[str] = ("local",), name: str = "Buyers", **others: Any
) -> str:
    """Make a set of nine neutral questions and one that names the brand; return its id."""
    prompts = [*QUESTIONS, {"text": "Is Acme any good?"}]
    made = await office.call(
        "create_prompt_set",
        name=name,
        brandId="Acme",
        prompts=prompts,
        platforms=list(platforms),
        **others,
    )
    return made["promptSetId"]


async def test_a_preview_says_what_a_run_takes_and_starts_nothing(office: Office) -> None:
    set_id = await make_set(office)
    preview = await office.call("run_prompt_set", promptSetId=set_id, preview=True)
    assert (preview["runId"], preview["status"]) == (None, None)
    assert (preview["prompts"], preview["headlinePrompts"], preview["repeats"]) == (10, 9, 3)
    assert (preview["asks"], preview["platforms"]) == (30, ["local"])
    assert (preview["credits"], preview["creditsAvailable"]) == (4, 400)
    assert (preview["expectedCosts"], preview["unpricedPlatforms"]) == ([], [])
    assert (await office.call("list_workflow_runs"))["total"] == 0
    more = await office.call("run_prompt_set", promptSetId=set_id, repeats=20, preview=True)
    assert more["asks"] == 200
    assert more["smallestDetectableChange"] < preview["smallestDetectableChange"]


async def test_a_start_reserves_what_the_preview_said(office: Office) -> None:
    set_id = await make_set(office)
    preview = await office.call("run_prompt_set", promptSetId=set_id, repeats=2, preview=True)
    first = await office.call("run_prompt_set", "ours", "once", promptSetId=set_id, repeats=2)
    again = await office.call("run_prompt_set", "ours", "once", promptSetId=set_id, repeats=2)
    assert again == first
    assert first["asks"] == preview["asks"] == 20
    run = await office.call("get_run_status", runId=first["runId"])
    assert (run["workflowId"], run["status"], run["brandName"]) == ("prompt_set", "pending", "Acme")
    assert run["credits"]["reserved"] == preview["credits"] == 3


async def test_the_countries_of_a_run_stand_for_those_of_the_set(office: Office) -> None:
    sealed = Seal(b"0123456789abcdefghijklmnopqrstuvwxyz").seal(
        "sk-of-ours", office.workspace().company_id, "chatgpt", "key"
    )
    async with office.database.transaction(office.workspace().company_id) as writing:
        await writing.provider_credentials.put("key", "chatgpt", sealed, "ours", None, office.now())
    set_id = await make_set(office, ["chatgpt"], mode="readiness", countries=["US", "DE"])
    asked: dict[str, Any] = {"promptSetId": set_id, "repeats": 1}
    as_set = await office.call("run_prompt_set", **asked, preview=True)
    assert (as_set["countries"], as_set["asks"]) == (["US", "DE"], 20)
    preview = await office.call("run_prompt_set", **asked, countries=["de", "DE"], preview=True)
    assert (preview["countries"], preview["asks"]) == (["DE"], 10)
    assert preview["credits"] < as_set["credits"]
    more = await office.call("run_prompt_set", **asked, countries=["FR", "GB", "IT"], preview=True)
    assert (more["countries"], more["asks"]) == (["FR", "GB", "IT"], 30)
    started = await office.call("run_prompt_set", **asked, countries=["DE"])
    run = await office.call("get_run_status", runId=started["runId"])
    assert run["credits"]["reserved"] == preview["credits"]
    for country in ("ZZ", "12"):
        refused = await office.call("run_prompt_set", **asked, countries=[country])
        assert "countries: it must be a country's code of two letters" in refused.message
    without_search = await make_set(office, name="From memory")
    refused = await office.call("run_prompt_set", promptSetId=without_search, countries=["DE"])
    assert "countries: local has no location setting in mode visibility" in refused.message
    of_city = await make_set(
        office, ["chatgpt"], name="City", mode="readiness", countries=["US"], city="Austin"
    )
    refused = await office.call("run_prompt_set", promptSetId=of_city, countries=["DE"])
    assert "countries: the prompt set is asked from Austin in US" in refused.message
    same = await office.call("run_prompt_set", promptSetId=of_city, countries=["us"], preview=True)
    assert same["countries"] == ["US"]


async def test_what_cannot_be_asked_is_refused(office: Office) -> None:
    set_id = await make_set(office)
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"promptSetId": set_id, "platforms": ["openai-ish"]}, "there is no such engine"),
        ({"promptSetId": set_id, "brandId": "Bolt"}, "the prompt set belongs to Acme"),
    )
    for arguments, words in cases:
        for preview in (True, False):
            assert words in (await office.call("run_prompt_set", **arguments, preview=preview)).message
    refused = await office.call("run_prompt_set", promptSetId=set_id, platforms=["claude"])
    assert "there is no key for claude" in refused.message
    await office.call("update_prompt_set", promptSetId=set_id, archived=True)
    assert "is archived" in (await office.call("run_prompt_set", promptSetId=set_id)).message
    theirs = await office.call("run_prompt_set", "theirs", promptSetId=set_id)
    assert theirs.code == "NOT_FOUND"


async def test_a_preview_prices_engines_that_have_no_key_yet(office: Office) -> None:
    asked: dict[str, Any] = {"promptSetId": await make_set(office), "repeats": 2, "preview": True}
    preview = await office.call("run_prompt_set", **asked, platforms=["claude", "gemini"])
    assert (preview["asks"], preview["credits"]) == (2 * 10 * 2, 5)
    assert preview["unavailablePlatforms"] == preview["platforms"] == ["claude", "gemini"]
    assert preview["unpricedPlatforms"] == ["claude", "gemini"], "this service has no price list"
    assert preview["notice"].startswith("There is no key for Claude, Gemini, so a run")
    ready = await office.call("run_prompt_set", **asked)
    assert (ready["unavailablePlatforms"], ready["notice"]) == ([], None)


async def test_a_set_without_a_ready_engine_is_previewed_with_all(office: Office) -> None:
    set_id = await make_set(office, (), mode="readiness", countries=["US", "DE"], repeats=1)
    preview = await office.call("run_prompt_set", promptSetId=set_id, preview=True)
    assert preview["platforms"] == preview["unavailablePlatforms"]
    assert {"chatgpt", "claude", "perplexity"} <= set(preview["platforms"])
    assert preview["asks"] >= 10 * len(preview["platforms"])
    assert preview["credits"] == 1 + -(-preview["asks"] // 10)
    refused = await office.call("run_prompt_set", promptSetId=set_id)
    assert "no engine can be asked in the mode readiness" in refused.message
    fields = set(tool_table()["run_prompt_set"].input_schema["properties"])
    sent = set(re.findall("[Ss]end ([a-z]+)", refused.hint))
    assert sent == {"platforms"} <= fields, "it names no parameter that the tool lacks"


async def test_a_list_holds_questions_only_where_they_are_asked_for(office: Office) -> None:
    await make_set(office)
    (short,) = (await office.call("list_prompt_sets"))["promptSets"]
    (whole,) = (await office.call("list_prompt_sets", includePrompts=True))["promptSets"]
    assert (short["prompts"], short["promptCount"]) == (None, 10)
    assert [prompt["text"] for prompt in whole["prompts"]][-1] == "Is Acme any good?"

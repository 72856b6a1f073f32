"""Runs of reusable agents from the tool call to the ledger, with the real queue."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from storage.repositories.agents import AgentDraft
from storage.repositories.brands import BrandDraft
from tests.conftest import AssertError
from tests.workflows.conftest import PATIENCE, House, OpenHouse, Talker
from tests.workflows.judging import judge_well
from workflows.agents import fact_guard
from workflows.agents.agent import Result, Work
from workflows.agents.outputs.content import WrittenDraft, WrittenDrafts
from workflows.configurations import NO_CONFIGURATION, shown_settings, stored_configuration
from workflows.drafts.document import DraftSentence
from workflows.errors import AgentFailed

PROFILE: dict[str, Any] = {
    "industry": None,
    "website": None,
    "voice": None,
    "keywords": [],
    "target_audience": None,
}


@pytest.mark.requirement("RES-15", "TOOL-12")
async def test_a_run_of_one_agent_is_a_run_like_any_other_and_counted_exactly(
    house: House, assert_error: AssertError
) -> None:
    made = await house.call(
        "create_reusable_agent", name="Drafts", kind="content_writer", configuration={"itemLimit": 1}
    )
    own = {"agentInstanceId": made["agentInstanceId"]}
    assert await house.call("get_agent_run_summary", **own) == {
        "totalRuns": 0,
        "successfulRuns": 0,
        "failedRuns": 0,
        "averageDurationMs": None,
        "lastRunAt": None,
    }
    seen: list[Mapping[str, Any]] = []

    async def writer(work: Work) -> Result:
        seen.append({"context": work.context, **shown_settings(work.configuration)})
        if work.context == "Fail.":
            raise AgentFailed("provider_not_configured")
        return Result(WrittenDrafts(drafts=()), "It is done.")

    first = await house.call("run_reusable_agent", "once", **own, context="For spring.", priority="high")
    assert first == await house.call(
        "run_reusable_agent", "once", **own, context="For spring.", priority="high"
    )
    assert (first["status"], first["workflowId"], first["creditsReserved"]) == (
        "pending",
        "reusable_agent",
        2,
    )
    await house.call("update_reusable_agent", **own, configuration={"itemLimit": 2})
    cancelled = await house.call("run_reusable_agent", **own, brandId="acme")
    await house.call("cancel_workflow_run", runId=cancelled["runId"])
    async with house.working({"content_writer": writer}):
        await house.ended(first["runId"])
        failed = await house.call("run_reusable_agent", **own, context="Fail.")
        await house.ended(failed["runId"])
    assert seen == [{"context": "For spring.", "itemLimit": 1}, {"context": "Fail.", "itemLimit": 2}]

    status = await house.call("get_run_status", runId=first["runId"])
    assert (status["workflowId"], status["agentInstanceId"]) == ("reusable_agent", made["agentInstanceId"])
    assert (status["status"], status["credits"]) == (
        "completed",
        {"reserved": 2, "charged": 2, "refunded": 0},
    )
    ended = [status, await house.call("get_run_status", runId=failed["runId"])]
    assert ended[1]["errors"][0]["code"] == "provider_not_configured"
    summary = await house.call("get_agent_run_summary", **own)
    assert (summary["totalRuns"], summary["successfulRuns"], summary["failedRuns"]) == (3, 1, 1)
    mean = sum(ended_run["durationMs"] for ended_run in ended) / 2
    assert abs(summary["averageDurationMs"] - mean) <= 1  # each of the two was rounded
    assert summary["lastRunAt"] == ended[1]["startedAt"]
    listed = (await house.call("list_reusable_agents"))["agents"][0]
    assert (listed["lastRun"]["runId"], listed["lastRun"]["configurationVersion"]) == (failed["runId"], 2)
    runs = await house.call("list_workflow_runs", workflowId="reusable_agent")
    assert [run["runId"] for run in runs["runs"]] == [failed["runId"], cancelled["runId"], first["runId"]]
    assert [run["progress"]["percent"] for run in runs["runs"]] == [100, 0, 100], "one was cancelled"
    assert [run["credits"]["charged"] for run in runs["runs"]] == [0, 0, 2]
    credits = await house.call("get_credits")
    assert (credits["available"], credits["usedThisMonth"]) == (398, 2)

    await house.call("update_reusable_agent", **own, archived=True)
    refused = await house.call("run_reusable_agent", **own)
    reason = "Tool 'run_reusable_agent' failed: the agent is archived and keeps only its history"
    assert_error(refused, 400, "INVALID_PARAMS", reason)
    assert await house.call("get_agent_run_summary", **own) == summary


async def test_an_agent_reads_the_brands_latest_output_or_has_no_input(
    address: str, open_house: OpenHouse, talker: Talker
) -> None:
    talker.script = judge_well
    house = await open_house(address, talker.settings)
    guard = await house.call("create_reusable_agent", name="Guard", kind="fact_guard", brandIds=["Acme"])
    writer = await house.call("create_reusable_agent", name="Drafts", kind="content_writer")
    written = 0

    async def write(work: Work) -> Result:
        nonlocal written
        written += 1
        draft = WrittenDraft(
            title=["First", "Second"][written - 1],
            facts=(),
            sentences=(DraftSentence(text="We are happy to help."),),
        )
        return Result(WrittenDrafts(drafts=(draft,)), "Written.")

    async def outcome(made: Mapping[str, Any]) -> Any:
        run = await house.call("run_reusable_agent", agentInstanceId=made["agentInstanceId"])
        async with asyncio.timeout(PATIENCE):
            await house.ended(run["runId"])
        return await house.call("get_run_status", runId=run["runId"])

    async with house.working({"content_writer": write, "fact_guard": fact_guard.run}):
        before = await outcome(guard)
        assert (before["status"], before["errors"][0]["code"]) == ("failed", "no_input")
        assert before["credits"]["charged"] == 0
        await outcome(writer)
        await outcome(writer)
        after = await outcome(guard)
    assert after["status"] == "completed"
    (proposal,) = after["findings"]
    assert proposal["title"].startswith("Second")


async def test_a_run_is_for_a_brand_that_the_agent_works_for(house: House) -> None:
    async with house.database.transaction(house.company_id) as workspace:
        await workspace.brands.save(BrandDraft("Bolt"), [], PROFILE, datetime.now(UTC))
    agent = await house.call("create_reusable_agent", name="Guard", kind="fact_guard", brandIds=["Acme"])
    for arguments, message in (
        ({"brandId": "Nobody"}, "brand not found"),
        ({"brandId": "Bolt"}, "the agent does not work for this brand"),
        ({"context": ""}, "context: String should have at least 1 character"),
        ({"context": "x" * 20001}, "context: String should have at most 20000 characters"),
    ):
        refused = await house.call(
            "run_reusable_agent", agentInstanceId=agent["agentInstanceId"], **arguments
        )
        assert refused.message == f"Tool 'run_reusable_agent' failed: {message}"
    assert (await house.call("get_credits"))["reserved"] == 0
    run = await house.call("run_reusable_agent", agentInstanceId=agent["agentInstanceId"])
    assert run["brandId"] == agent["assignments"][0]["brandId"]
    free = await house.call("create_reusable_agent", name="Any", kind="fact_guard")
    unclear = await house.call("run_reusable_agent", agentInstanceId=free["agentInstanceId"])
    assert "the company has several brands" in unclear.message


async def test_another_companys_agent_cannot_be_run(house: House, assert_error: AssertError) -> None:
    now = datetime.now(UTC)
    async with house.database.operation() as operators:
        theirs = await operators.companies.create("theirs", "theirs@example.com", "growth", now)
    async with house.database.transaction(theirs.id) as workspace:
        agent = await workspace.agents.create(
            AgentDraft("Guard", "fact_guard", stored_configuration(NO_CONFIGURATION), None, {}), now
        )
    refused, unknown = [
        await house.call("run_reusable_agent", agentInstanceId=instance) for instance in (agent, "nothing")
    ]
    assert replace(refused, rate_limit=None) == replace(unknown, rate_limit=None)
    assert_error(
        refused,
        404,
        "NOT_FOUND",
        "Tool 'run_reusable_agent' failed: agent instance not found",
        "Call list_reusable_agents first to obtain agent instance ids.",
    )

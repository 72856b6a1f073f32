"""Runs from the tool call to the last line of the ledger, with the real queue."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from storage.documents import StoredEvidence
from storage.ids import new_id
from storage.repositories.findings import FindingDraft
from storage.repositories.runs.runs import RunDraft
from tests.conftest import AssertError
from tests.workflows.conftest import PATIENCE, House, OpenHouse, Talker, now, quick
from tools.calls.dispatch import Refusal
from workflows.agents import content_writer, fact_guard
from workflows.agents.agent import Result, Work
from workflows.agents.catalog import AGENTS
from workflows.configurations import NO_CONFIGURATION, stored_configuration
from workflows.credits import period_of
from workflows.definitions import AGENT_KINDS
from workflows.engine.run_engine import RunEngine
from workflows.errors import AgentFailed
from workflows.run_executor import Executor


async def sums(house: House) -> tuple[int, int, int, int]:
    """Available, reserved, used and their total, which must stay 400."""
    have = await house.call("get_credits")
    total = have["available"] + have["reserved"] + have["usedThisMonth"]
    assert total == have["monthlyLimit"] + have["granted"]
    return have["available"], have["reserved"], have["usedThisMonth"], total


@pytest.mark.requirement("STATE-04", "TOOL-22", "RES-14", "TOOL-24")
async def test_a_run_is_answered_at_once_and_ends_with_its_price(house: House) -> None:
    started = await house.call(
        "run_workflow",
        workflowId="content_refresh",
        configuration={"context": "For spring.", "brandId": "ACME"},
    )
    assert (started["status"], started["creditsReserved"], started["priority"]) == ("pending", 6, "normal")
    assert await sums(house) == (394, 6, 0, 400)
    waiting = await house.call("get_run_status", runId=started["runId"])
    assert (waiting["status"], waiting["progress"]) == (
        "pending",
        {"completed": 0, "total": 5, "percent": 0},
    )

    async def found(work: Work) -> Result:
        assert work.context == "For spring."
        await work.report(1, 2)
        evidence = [StoredEvidence(type="repository_item", id="i1", excerpt="Words")]
        return Result(
            None, "One was found.", (FindingDraft("info", "content_gap", "Old", "It is.", evidence),)
        )

    async with house.working({"repository_auditor": found}):
        await house.ended(started["runId"])
    status = await house.call("get_run_status", runId=started["runId"])
    assert status["status"] == "completed"
    assert status["credits"] == {"reserved": 6, "charged": 6, "refunded": 0}
    assert status["progress"] == {"completed": 5, "total": 5, "percent": 100}
    auditor = status["agents"][0]
    assert (auditor["status"], auditor["attempts"], auditor["summary"]) == ("completed", 1, "One was found.")
    assert auditor["progress"] == {"done": 1, "total": 2}
    (finding,) = status["findings"]
    assert (finding["title"], finding["sourceAgent"], finding["evidence"][0]["excerpt"]) == (
        "Old",
        "repository_auditor",
        "Words",
    )
    assert status["errors"] == []
    assert await sums(house) == (394, 0, 6, 400)


async def test_a_process_that_stands_by_executes_what_another_queues(house: House) -> None:
    made: list[Executor] = []

    def steps() -> Executor:
        agents = dict.fromkeys(AGENT_KINDS, quick)
        made.append(Executor(house.database, agents, house.registry, house.prober, now))
        return made[-1]

    another = RunEngine(house.database, now)
    async with another.standing_by(steps):
        assert made == []
        started = await house.call("run_workflow", workflowId="content_refresh")
        assert (await house.ended(started["runId"])).status == "completed"
    assert len(made) == 1
    await another.close()


@pytest.mark.requirement("STATE-01", "STATE-03", "TOOL-25", "LIM-11")
async def test_a_cancelled_run_costs_nothing_and_cannot_be_cancelled_again(
    house: House, assert_error: AssertError
) -> None:
    started = await house.call("run_workflow", workflowId="content_refresh")
    cancelled = await house.call("cancel_workflow_run", runId=started["runId"])
    assert (cancelled["status"], cancelled["creditsRefunded"]) == ("cancelled", 6)
    assert await sums(house) == (400, 0, 0, 400)
    again = await house.call("cancel_workflow_run", runId=started["runId"])
    reason = "Tool 'cancel_workflow_run' failed: only pending or running runs can be cancelled"
    assert_error(again, 400, "INVALID_PARAMS", reason)
    assert "cancelled" in again.hint
    done = await house.call("run_workflow", workflowId="content_refresh")
    async with house.working():
        await house.ended(done["runId"])
    assert_error(await house.call("cancel_workflow_run", runId=done["runId"]), 400, "INVALID_PARAMS", reason)
    assert await sums(house) == (394, 0, 6, 400)


async def test_failures_have_our_words_and_completed_agents_are_charged(
    house: House,
) -> None:
    async def unfit(work: Work) -> Result:
        raise AgentFailed("no_input")

    async def broken(work: Work) -> Result:
        raise ValueError("secret words of a driver")

    async with house.working({"refresh_planner": unfit, "coverage_mapper": broken}):
        started = await house.call("run_workflow", workflowId="content_refresh")
        await house.ended(started["runId"])
    status = await house.call("get_run_status", runId=started["runId"])
    states = [agent["status"] for agent in status["agents"]]
    assert (status["status"], states) == (
        "partial_complete",
        ["completed", "failed", "skipped", "skipped", "skipped"],
    )
    assert status["credits"] == {"reserved": 6, "charged": 1, "refunded": 5}
    (error,) = status["errors"]
    assert (error["agent"], error["code"]) == ("coverage_mapper", "internal_error")
    assert "secret" not in str(status)


async def test_an_agent_that_takes_too_long_fails(house: House) -> None:
    async def endless(work: Work) -> Result:
        await asyncio.Event().wait()
        raise AssertionError

    async with house.working({"fact_guard": endless}, agent_seconds=0.2):
        started = await house.call("run_workflow", workflowId="content_refresh")
        run = await house.ended(started["runId"])
    assert run.status == "partial_complete"
    status = await house.call("get_run_status", runId=run.id)
    assert [error["code"] for error in status["errors"]] == ["agent_timeout"]
    assert status["credits"]["charged"] == 5


@pytest.mark.requirement("STATE-05")
async def test_each_refusal_says_why_and_reserves_nothing(house: House, assert_error: AssertError) -> None:
    unknown = await house.call("run_workflow", workflowId="nothing")
    assert_error(unknown, 404, "NOT_FOUND", "Tool 'run_workflow' failed: workflow not found")
    nobody = await house.call(
        "run_workflow", workflowId="content_refresh", configuration={"brandId": "Nobody"}
    )
    assert_error(nobody, 404, "NOT_FOUND", "Tool 'run_workflow' failed: brand not found")
    async with house.database.operation() as operators:
        await operators.companies.set_plan(house.company_id, "free")
    small = await house.call("run_workflow", workflowId="content_refresh")
    reason = "content_refresh is not part of the free plan; growth and scale have it"
    assert_error(small, 400, "INVALID_PARAMS", f"Tool 'run_workflow' failed: {reason}")
    async with house.database.operation() as operators:
        await operators.companies.set_plan(house.company_id, "growth")
    await spend(house, 395)
    poor = await house.call("run_workflow", workflowId="content_refresh")
    assert_error(
        poor,
        400,
        "INVALID_PARAMS",
        "Tool 'run_workflow' failed: it costs 6 credits and 5 are available",
    )
    assert (await sums(house))[1] == 0


async def spend(house: House, credits: int) -> None:
    """Open a run of this price and settle it whole."""
    async with house.database.transaction(house.company_id) as workspace:
        brand = (await workspace.brands.all())[0]
        now, run_id = brand.created_at, new_id()
        agents = (("fact_guard", credits),)
        draft = RunDraft(
            run_id,
            brand.key,
            "content_refresh",
            "normal",
            None,
            stored_configuration(NO_CONFIGURATION),
            period_of(now),
            agents,
        )
        await workspace.runs.open(draft, now)
        await workspace.runs.begin(run_id, now)
        run = await workspace.runs.find(run_id)
        assert run is not None
        await workspace.run_agents.end(run.key, "fact_guard", "completed", now)
        await workspace.runs.close(run_id, "completed", now, charged=True)


@pytest.mark.requirement("LIM-06", "LIM-07", "TOOL-24")
@pytest.mark.parametrize(
    "configuration",
    [
        {"context": ""},
        {"context": "x" * 20001},
        {"brandId": ""},
        {"brandId": "x" * 201},
        {"priority": "urgent"},
        {"extra": 1},
        {"context": None},
    ],
)
async def test_a_configuration_out_of_bounds_is_refused(house: House, configuration: dict[str, Any]) -> None:
    refused = await house.call("run_workflow", workflowId="content_refresh", configuration=configuration)
    assert isinstance(refused, Refusal)
    assert str(refused.code) == "INVALID_PARAMS"
    assert (await sums(house))[1] == 0


async def test_the_same_key_gives_the_first_run_again_even_at_once(
    house: House, assert_error: AssertError
) -> None:
    asked = [house.call("run_workflow", "key-1", workflowId="content_refresh") for _ in range(6)]
    answers = await asyncio.gather(*asked)
    assert len({answer["runId"] for answer in answers}) == 1
    assert (await sums(house))[1] == 6
    other = await house.call(
        "run_workflow", "key-1", workflowId="content_refresh", configuration={"priority": "high"}
    )
    reason = "the idempotency key was used for a request with other arguments"
    assert_error(other, 400, "INVALID_PARAMS", f"Tool 'run_workflow' failed: {reason}")


@pytest.mark.requirement("ERR-13")
async def test_without_a_writing_engine_nothing_is_drafted(house: House) -> None:
    async with house.working({"content_writer": content_writer.run, "fact_guard": fact_guard.run}):
        started = await house.call("run_workflow", workflowId="content_refresh")
        await house.ended(started["runId"])
    status = await house.call("get_run_status", runId=started["runId"])
    assert status["status"] == "partial_complete"
    assert status["credits"] == {"reserved": 6, "charged": 3, "refunded": 3}
    assert [(error["agent"], error["code"]) for error in status["errors"]] == [
        ("content_writer", "provider_not_configured")
    ]
    listed = await house.call("list_workflows")
    (offer,) = [workflow for workflow in listed["workflows"] if workflow["id"] == "content_refresh"]
    assert (offer["engineReady"], offer["missing"]) == (False, ["writing_engine"])
    brand = (await house.database.workspace(house.company_id).brands.all())[0]
    _, items = await house.database.workspace(house.company_id).repository_items.page(brand.key, None, 10, 0)
    assert items == 0


async def test_high_priority_overtakes_what_waits(house: House) -> None:
    order: list[str] = []

    async def note(work: Work) -> Result:
        order.append(work.context or "")
        return Result(None, "noted")

    async with house.database.operation() as operators:
        await operators.companies.set_plan(house.company_id, "scale")
    for priority in ("low", "normal", "high", "low", "normal", "high"):
        await house.call(
            "run_workflow",
            workflowId="content_refresh",
            configuration={"context": priority, "priority": priority},
        )
    async with house.working({"repository_auditor": note}):
        runs = (await house.call("list_workflow_runs"))["runs"]
        for run in runs:
            await house.ended(run["runId"])
    assert sorted(order[:3]) == ["high", "high", "normal"]
    assert sorted(order[3:]) == ["low", "low", "normal"]


@pytest.mark.requirement("TOOL-23")
async def test_runs_are_listed_newest_first_and_filtered(house: House) -> None:
    ids = [(await house.call("run_workflow", workflowId="content_refresh"))["runId"] for _ in range(3)]
    await house.call("cancel_workflow_run", runId=ids[1])
    listed = await house.call("list_workflow_runs")
    assert ([run["runId"] for run in listed["runs"]], listed["total"]) == (ids[::-1], 3)
    only = await house.call("list_workflow_runs", status="cancelled", workflowId="content_refresh")
    assert [run["runId"] for run in only["runs"]] == [ids[1]]
    page = await house.call("list_workflow_runs", limit=1, offset=1)
    assert ([run["runId"] for run in page["runs"]], page["nextOffset"]) == ([ids[1]], 2)
    refused: list[dict[str, Any]] = [
        {"limit": 101},
        {"limit": 0},
        {"offset": 1_000_001},
        {"status": "done"},
    ]
    for bad in refused:
        assert isinstance(await house.call("list_workflow_runs", **bad), Refusal)


@pytest.mark.requirement("TOOL-20", "TOOL-21", "RES-12", "RES-13")
async def test_workflows_and_credits_are_told_for_this_companys_plan(house: House) -> None:
    (offer,) = [
        workflow
        for workflow in (await house.call("list_workflows"))["workflows"]
        if workflow["id"] == "content_refresh"
    ]
    assert (offer["agentCount"], offer["creditCost"], offer["availableOnPlan"]) == (5, 6, True)
    assert offer["estimatedDurationSeconds"] == {"low": 120, "high": 360}
    have = await house.call("get_credits")
    assert (have["plan"], have["monthlyLimit"], have["available"]) == ("growth", 400, 400)
    assert have["resetDate"].endswith("-01T00:00:00Z")


async def test_another_companys_run_looks_unknown(house: House, assert_error: AssertError) -> None:
    started = await house.call("run_workflow", workflowId="content_refresh")
    async with house.database.operation() as operators:
        sdk_answer = await operators.companies.create("theirs", "t@example.com", "growth", datetime.now(UTC))
    house.company_id, ours = sdk_answer.id, house.company_id
    for tool in ("get_run_status", "cancel_workflow_run"):
        refused = await house.call(tool, runId=started["runId"])
        assert_error(refused, 404, "NOT_FOUND", f"Tool '{tool}' failed: run not found")
    assert (await house.call("list_workflow_runs"))["total"] == 0
    house.company_id = ours


async def test_a_worker_starts_while_its_own_process_has_a_transaction_open(house: House) -> None:
    ready, over = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        async with house.working():
            ready.set()
            await over.wait()

    working = asyncio.create_task(work())
    async with asyncio.timeout(PATIENCE):
        while not ready.is_set():
            async with house.database.transaction(house.company_id) as writing:
                await writing.credits.lock()
                # The engine's first writes must not stop the loop, which alone can end this transaction.
                await asyncio.wait({working}, timeout=0.05)
    over.set()
    await working


async def test_a_run_that_misses_answers_beyond_the_rule_completes_in_part(
    address: str, open_house: OpenHouse, talker: Talker
) -> None:
    talker.script = lambda asked: "Acme is good."
    house = await open_house(address, talker.settings)
    prober = {"reputation_prober": AGENTS["reputation_prober"]}
    ends: list[Any] = []
    async with house.working(prober):
        for refused in ("trustworthy", "nothing that anybody asks"):
            talker.refuses = lambda asked, refused=refused: refused in asked
            run = await house.call("run_workflow", workflowId="reputation_shield")
            await house.ended(run["runId"], 90)
            ends.append(await house.call("get_run_status", runId=run["runId"]))
    assert [end["status"] for end in ends] == ["partial_complete", "completed"]
    assert "3 failed" in ends[0]["agents"][0]["summary"]
    told = await house.call("list_notifications")
    assert "Reputation shield completed in part" in [one["title"] for one in told["notifications"]]

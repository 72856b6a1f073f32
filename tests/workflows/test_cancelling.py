"""A cancel is prompt and free: whatever a run is doing, its agents end within a second and nothing of it stays."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Protocol

import anyio
import pytest

from tests.workflows.conftest import PATIENCE, House, Peer
from workflows.agents.agent import Agent, Result, Work
from workflows.run_executor import LOOK_SECONDS
from workflows.workflow_definitions import WORKFLOWS

STAGES = WORKFLOWS["content_refresh"].stages


class Process(Protocol):
    pid: int


@pytest.mark.requirement("STATE-02")
async def test_running_agents_are_stopped_within_a_second_at_every_stage(house: House) -> None:
    """One run is cancelled in each stage; nothing of a later stage begins."""
    at_work: dict[tuple[str, str], asyncio.Event] = {}
    begun: list[tuple[str, str]] = []
    stage_of = {agent: number for number, stage in enumerate(STAGES) for agent in stage}

    def agent(name: str) -> Agent:
        async def work(work: Work) -> Result:
            begun.append((work.run_id, name))
            if work.context != str(stage_of[name]):
                return Result(None, "It is done.")
            stopped = asyncio.Event()
            at_work[work.run_id, name] = stopped
            try:
                await asyncio.Event().wait()
            finally:
                stopped.set()
            raise AssertionError

        return work

    async with house.database.operation() as operators:
        await operators.companies.set_plan(house.company_id, "scale")
    async with house.working({name: agent(name) for name in stage_of}):
        for number, stage in enumerate(STAGES):
            configuration = {"context": str(number)}
            started = await house.call(
                "run_workflow", workflowId="content_refresh", configuration=configuration
            )
            run_id = started["runId"]
            async with asyncio.timeout(PATIENCE):
                while not all((run_id, name) in at_work for name in stage):
                    await asyncio.sleep(0.01)
            asked = monotonic()
            await house.call("cancel_workflow_run", runId=run_id)
            for name in stage:
                async with asyncio.timeout(5):
                    await at_work[run_id, name].wait()
            assert monotonic() - asked < 1
            status = await house.call("get_run_status", runId=run_id)
            assert (status["status"], status["credits"]["charged"]) == ("cancelled", 0)
            finished = sum(len(stage) for stage in STAGES[:number])
            assert status["progress"] == {
                "completed": finished,
                "total": len(stage_of),
                "percent": finished * 100 // len(stage_of),
            }
            assert {stage_of[name] for run, name in begun if run == run_id} == set(range(number + 1))
            ended = {agent["agent"]: (agent["status"], agent["startedAt"]) for agent in status["agents"]}
            assert all(ended[name][0] == "cancelled" for name in stage)
            later = [name for name in stage_of if stage_of[name] > number]
            assert all(ended[name] == ("cancelled", None) for name in later)
    have = await house.call("get_credits")
    assert (have["available"], have["reserved"], have["usedThisMonth"]) == (3000, 0, 0)


@pytest.mark.requirement("STATE-01")
async def test_a_waiting_run_that_is_cancelled_never_begins(house: House) -> None:
    waiting = (await house.call("run_workflow", workflowId="content_refresh"))["runId"]
    asked = monotonic()
    await house.call("cancel_workflow_run", runId=waiting)
    assert monotonic() - asked < 1
    begun: list[str] = []

    async def note(work: Work) -> Result:
        begun.append(work.run_id)
        return Result(None, "It is done.")

    async with house.working({"repository_auditor": note, "coverage_mapper": note}):
        after = (await house.call("run_workflow", workflowId="content_refresh"))["runId"]
        await house.ended(after)
    assert set(begun) == {after}
    run = await house.database.workspace(house.company_id).runs.find(waiting)
    assert run is not None
    assert (run.status, run.started_at) == ("cancelled", None)


async def test_a_cancel_reaches_the_process_that_executes(
    address: str, house: House, peer: Peer, spawn: Callable[[str], Awaitable[Process]]
) -> None:
    """The agents' connections to the peer close when they are stopped in a process that knows of no cancel."""
    await spawn(address)
    run_id = (await house.call("run_workflow", workflowId="content_refresh"))["runId"]
    await peer.until(lambda: len(peer.held) == 2)
    asked = monotonic()
    await house.call("cancel_workflow_run", runId=run_id)
    await peer.until(lambda: not peer.held, 5)
    assert monotonic() - asked < 1


@pytest.mark.requirement("STATE-03")
async def test_a_cancel_at_the_moment_of_the_end_has_one_winner(house: House) -> None:
    async with house.database.operation() as operators:
        await operators.companies.set_plan(house.company_id, "scale")
    spent = 0
    async with house.working():
        for _ in range(2):
            started = [
                (await house.call("run_workflow", workflowId="content_refresh"))["runId"] for _ in range(6)
            ]

            async def cancel_late(run_id: str) -> bool:
                """Cancel when the last agent is about to end, or has."""
                while (await house.call("get_run_status", runId=run_id))["progress"]["completed"] < 4:
                    await asyncio.sleep(0)
                cancelled = await house.call("cancel_workflow_run", runId=run_id)
                return isinstance(cancelled, dict)

            won = await asyncio.gather(*(cancel_late(run_id) for run_id in started))
            for run_id, cancelled in zip(started, won, strict=True):
                run = await house.ended(run_id)
                assert run.status == ("cancelled" if cancelled else "completed")
                spent += 0 if cancelled else run.cost
    have = await house.call("get_credits")
    assert (have["reserved"], have["usedThisMonth"]) == (0, spent)
    assert have["available"] + spent == 3000


async def test_a_brand_that_is_put_away_has_its_runs_cancelled_and_refunded(house: House) -> None:
    brand = (await house.call("list_brand_profiles"))["brands"][0]["id"]
    started = await house.call("run_workflow", workflowId="content_refresh")
    await house.call("update_brand_profile", brandId=brand, keywords=["bumpers"])
    assert (await house.call("get_run_status", runId=started["runId"]))["status"] == "pending"
    await house.call("update_brand_profile", brandId=brand, archived=True)
    status = await house.call("get_run_status", runId=started["runId"])
    assert status["status"] == "cancelled"
    assert status["credits"]["refunded"] == started["creditsReserved"]


async def test_shielded_cleanup_of_a_cancelled_run_completes(house: House) -> None:
    """The cancel comes while it is done already, as when the agent saw first that its run was cancelled."""
    at_work, told = asyncio.Event(), asyncio.Event()

    async def work(work: Work) -> Result:
        with anyio.CancelScope(shield=True):
            at_work.set()
            while (run := await work.workspace.runs.find(work.run_id)) and run.live:
                await asyncio.sleep(0.01)
            await asyncio.sleep(2 * LOOK_SECONDS)  # by then whoever looks after the agent has cancelled it
            told.set()
        await asyncio.Event().wait()
        raise AssertionError

    async with house.working({STAGES[0][0]: work}):
        started = await house.call("run_workflow", workflowId="content_refresh")
        async with asyncio.timeout(PATIENCE):
            await at_work.wait()
        await house.call("cancel_workflow_run", runId=started["runId"])
    assert told.is_set(), "the engine was ended while it still worked, or cut it short"

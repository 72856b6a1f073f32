"""Books and executions are brought together when one of them lost the other."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from measurement.planning.clock import SteadyClock
from storage.ids import new_id
from storage.repositories.runs.runs import Run, RunDraft
from tests.workflows.conftest import PATIENCE, House
from workflows.agents.agent import Agent, Result, Work
from workflows.configurations import NO_CONFIGURATION, stored_configuration
from workflows.credits import period_of
from workflows.engine.reconciliation import LONGEST_RUN, LONGEST_WAIT, LOST_AFTER
from workflows.engine.run_engine import RunEngine


@asynccontextmanager
async def after(house: House, passed: timedelta) -> AsyncGenerator[RunEngine]:
    """The engine of a process that has tended runs for this much time."""
    waited = timedelta(0)
    engine = RunEngine(
        house.database,
        lambda: datetime.now(UTC) + waited,
        monotonic=lambda: time.monotonic() + waited.total_seconds(),
    )
    await engine.reconcile()
    waited = passed
    yield engine
    await engine.close()


async def nothing_is_held(house: House) -> None:
    have = await house.call("get_credits")
    assert (have["available"], have["reserved"], have["usedThisMonth"]) == (400, 0, 0)


async def test_a_restored_run_without_its_execution_fails_and_is_refunded(house: House) -> None:
    now, run_id = datetime.now(UTC), new_id()
    async with house.database.transaction(house.company_id) as workspace:
        brand = (await workspace.brands.all())[0]
        agents = (("fact_guard", 1),)
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
    await house.engine.reconcile()
    assert (await house.call("get_run_status", runId=run_id))["status"] == "pending"
    async with after(house, LOST_AFTER + timedelta(seconds=1)) as engine:
        await engine.reconcile()
    run_status = await house.call("get_run_status", runId=run_id)
    assert (run_status["status"], [error["code"] for error in run_status["errors"]]) == (
        "failed",
        ["engine_failure"],
    )
    await nothing_is_held(house)


async def test_a_run_that_nobody_executes_for_a_day_fails(house: House) -> None:
    run_id = (await house.call("run_workflow", workflowId="content_refresh"))["runId"]
    async with after(house, LONGEST_WAIT - timedelta(minutes=1)) as engine:
        await engine.reconcile()
    assert (await house.call("get_run_status", runId=run_id))["status"] == "pending"
    async with after(house, LONGEST_WAIT + timedelta(minutes=1)) as engine:
        await engine.reconcile()
    run_status = await house.call("get_run_status", runId=run_id)
    assert (run_status["status"], [error["code"] for error in run_status["errors"]]) == (
        "failed",
        ["run_timeout"],
    )
    await nothing_is_held(house)


def endless(begun: asyncio.Event, stopped: asyncio.Event) -> Agent:
    async def work(work: Work) -> Result:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        raise AssertionError

    return work


async def in_a_run(house: House, then: Callable[[str], Any]) -> Run:
    """Do something while an agent of a run is at work that does not end by itself; return the run's end."""
    begun, stopped = asyncio.Event(), asyncio.Event()
    async with house.working({"repository_auditor": endless(begun, stopped)}):
        run_id = (await house.call("run_workflow", workflowId="content_refresh"))["runId"]
        async with asyncio.timeout(PATIENCE):
            await begun.wait()
            await then(run_id)
            run = await house.ended(run_id)
            await stopped.wait()
    await nothing_is_held(house)
    return run


async def test_a_run_that_takes_half_an_hour_fails_and_its_agents_are_stopped(house: House) -> None:
    async def half_an_hour_later(run_id: str) -> None:
        async with after(house, LONGEST_RUN + timedelta(minutes=1)) as engine:
            await engine.reconcile()

    run = await in_a_run(house, half_an_hour_later)
    assert (run.status, run.error_code) == ("failed", "run_timeout")


async def test_an_execution_that_was_ended_behind_the_books_cancels_the_run(house: House) -> None:
    async def behind(run_id: str) -> None:
        await house.engine.stop([run_id])
        await house.engine.reconcile()

    assert (await in_a_run(house, behind)).status == "cancelled"


async def test_an_execution_that_was_not_told_of_a_cancel_is_ended(house: House) -> None:
    async def untold(run_id: str) -> None:
        async with house.database.transaction(house.company_id) as workspace:
            await workspace.runs.close(run_id, "cancelled", datetime.now(UTC), charged=False)

    assert (await in_a_run(house, untold)).status == "cancelled"
    await house.engine.reconcile()
    assert (await house.engine.health()).executing == 0


@pytest.mark.parametrize("jump", [timedelta(hours=1), timedelta(hours=-1)])
async def test_a_clock_that_jumps_makes_no_run_look_old(house: House, jump: timedelta) -> None:
    ahead = timedelta(0)
    engine = RunEngine(house.database, lambda: datetime.now(UTC) + ahead)

    async def jumping(run_id: str) -> None:
        nonlocal ahead
        for moved in (jump, timedelta(0), jump):
            ahead = moved
            await engine.reconcile()
        assert (await house.call("get_run_status", runId=run_id))["status"] == "running"
        # Without a jump the same age is one.
        async with after(house, LONGEST_RUN + timedelta(minutes=1)) as other:
            await other.reconcile()

    assert (await in_a_run(house, jumping)).error_code == "run_timeout"
    await engine.close()


@pytest.mark.parametrize("wrong", [timedelta(hours=1), timedelta(hours=-1)])
async def test_a_run_with_a_wrong_clock_gets_its_time_after_a_restart(house: House, wrong: timedelta) -> None:
    async def restarted(run_id: str) -> None:
        microseconds = round(wrong.total_seconds() * 1_000_000)
        async with house.database.writing() as connection:
            await connection.execute(
                text("UPDATE workflow_runs SET started_at = started_at + :by WHERE id = :id"),
                {"by": microseconds, "id": run_id},
            )
        async with after(house, LONGEST_RUN - timedelta(minutes=1)) as engine:
            await engine.reconcile()
        assert (await house.call("get_run_status", runId=run_id))["status"] == "running"
        async with after(house, LONGEST_RUN + timedelta(minutes=1)) as engine:
            await engine.reconcile()

    assert (await in_a_run(house, restarted)).error_code == "run_timeout"


def test_a_clock_is_believed_again_when_its_jump_has_lasted() -> None:
    wall, passed = datetime(2026, 3, 31, tzinfo=UTC), 0.0
    clock = SteadyClock(lambda: wall, timedelta(minutes=30), lambda: passed)
    start, wall, passed = wall, wall + timedelta(hours=8), 10.0
    assert clock() == start + timedelta(seconds=10)
    wall, passed = wall + timedelta(minutes=29), passed + 29 * 60
    assert clock() == start + timedelta(seconds=passed)
    wall, passed = wall + timedelta(minutes=2), passed + 2 * 60
    assert clock() == wall

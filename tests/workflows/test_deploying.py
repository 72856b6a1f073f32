"""A deploy in mid-run: what another version queued or began is finished, or fails with a reason; nothing hangs."""

import asyncio
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

import pytest
from sqlalchemy import text

from storage.database import Database
from storage.errors import SchemaTooNew
from storage.migrations.upgrade import newest_revision
from tests.workflows.conftest import Altered, House, Peer, Spawn
from workflows.agents.agent import Agent, Result, Work
from workflows.definitions import AGENT_KINDS
from workflows.engine.executions import Executions
from workflows.engine.run_engine import RunEngine

WORKFLOWS = Path(__file__).parents[2] / "workflows"
OTHER_VERSION = ("version(APP)", '"runs-0"')
OTHER_LATER_STEP = ('{"name": agent}', '{"name": "guard" if agent == "fact_guard" else agent}')
OTHER_EARLIER_STEP = ('{"name": agent}', '{"name": f"agent {agent}"}')


class Process(Protocol):
    @property
    def pid(self) -> int: ...

    def kill(self) -> None: ...
    async def wait(self) -> int: ...


async def killed_in_its_third_agent(house: House, peer: Peer, former: Process) -> str:
    """Start a run that the former version begins and leaves in the middle of refresh_planner."""
    run_id = (await house.call("run_workflow", workflowId="content_refresh"))["runId"]
    await peer.until(lambda: len(peer.held) == 2)
    for asked in list(peer.held):
        asked.released.set()
    await peer.until(lambda: [asked.agent for asked in peer.held] == ["refresh_planner"])
    former.kill()
    await former.wait()
    return run_id


def noting(begun: list[str]) -> dict[str, Agent]:
    def agent(name: str) -> Agent:
        async def work(work: Work) -> Result:
            begun.append(name)
            return Result(None, "It is done.")

        return work

    return {name: agent(name) for name in AGENT_KINDS}


async def test_a_new_version_finishes_what_the_one_before_began(
    address: str, house: House, peer: Peer, spawn: Spawn, altered: Altered
) -> None:
    former = await spawn(address, altered(WORKFLOWS, ("engine/executions.py",), *OTHER_VERSION))
    house.desk.engine = RunEngine(house.database, lambda: datetime.now(UTC), "runs-0")
    run_id = await killed_in_its_third_agent(house, peer, former)
    begun: list[str] = []
    async with house.working(noting(begun)):
        run = await house.ended(run_id)
    assert run.status == "completed"
    # What the former version had finished is not done again.
    assert sorted(set(begun)) == ["content_writer", "fact_guard", "refresh_planner"]
    await house.desk.engine.close()


async def test_a_new_version_takes_over_what_waited_for_the_one_before(house: House) -> None:
    former = RunEngine(house.database, lambda: datetime.now(UTC), "runs-0")
    house.desk.engine = former
    run_id = (await house.call("run_workflow", workflowId="content_refresh"))["runId"]
    queue = Executions(house.database)
    async with house.database.presence.worker("runs-0"):
        await house.engine.reconcile()
        assert (await queue.of_runs([run_id]))[run_id].app_version == "runs-0"
    # Several processes adopt it at once, and none of them fails for the others.
    others = [RunEngine(house.database, lambda: datetime.now(UTC)) for _ in range(3)]
    await asyncio.gather(*(other.reconcile() for other in others))
    assert (await queue.of_runs([run_id]))[run_id].app_version == version("seenby")
    async with house.working():
        assert (await house.ended(run_id)).status == "completed"
    await queue.close()
    for engine in (former, *others):
        await engine.close()


async def test_runs_of_an_older_version_wait_once_a_newer_one_has_migrated(house: House) -> None:
    begun, released = asyncio.Event(), asyncio.Event()
    performed: list[str] = []

    async def hold(work: Work) -> Result:
        performed.append(work.run_id)
        begun.set()
        await released.wait()
        return Result(None, "It is done.")

    async def start() -> str:
        return (await house.call("run_workflow", workflowId="content_refresh"))["runId"]

    async def work_until_migrated() -> None:
        async with house.working({"repository_auditor": hold}):
            await begun.wait()
            await set_revision(house.database, "9999_later")
            queued.append(await start())
            released.set()
            await asyncio.Event().wait()

    queued: list[str] = []
    first = await start()
    with pytest.raises(BaseExceptionGroup) as stopped:
        await work_until_migrated()
    [second] = queued
    assert stopped.group_contains(SchemaTooNew)
    assert await house.database.presence.workers() == 0
    for run_id, status in ((first, "running"), (second, "pending")):
        run = await house.call("get_run_status", runId=run_id)
        assert (run["status"], run["errors"]) == (status, [])
    assert performed == [first]
    await set_revision(house.database, newest_revision())  # for a process that knows the newer revision
    former, house.engine = house.engine, RunEngine(house.database, lambda: datetime.now(UTC), "2.0")
    async with house.working({"repository_auditor": hold}):
        assert [(await house.ended(run_id)).status for run_id in (first, second)] == ["completed"] * 2
    await former.close()
    assert performed.count(second) == 1


async def set_revision(database: Database, revision: str) -> None:
    async with database.writing() as connection:
        statement = text("UPDATE alembic_version SET version_num = :revision")
        await connection.execute(statement, {"revision": revision})


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("changed", "status", "errors", "charged"),
    [(OTHER_LATER_STEP, "completed", [], 6), (OTHER_EARLIER_STEP, "failed", ["engine_failure"], 0)],
)
async def test_changed_code_finishes_a_run_or_fails_it_with_a_reason(
    address: str,
    house: House,
    peer: Peer,
    spawn: Spawn,
    altered: Altered,
    changed: tuple[str, str],
    status: str,
    errors: list[str],
    charged: int,
) -> None:
    """A step that comes later may be another one; when one that was recorded is, the run cannot go on."""
    former = await spawn(address, altered(WORKFLOWS, ("engine/durable_functions.py",), *changed))
    run_id = await killed_in_its_third_agent(house, peer, former)
    async with house.working():
        await house.ended(run_id)
    run_status = await house.call("get_run_status", runId=run_id)
    assert (run_status["status"], run_status["credits"]["charged"]) == (status, charged)
    assert [error["code"] for error in run_status["errors"] if error["agent"] is None] == errors

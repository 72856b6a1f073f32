"""A run whose every execution dies is given up after so many recoveries: it fails with a reason and costs nothing."""

from pathlib import Path
from typing import Protocol

import pytest

from tests.in_full import in_full
from tests.workflows.conftest import Altered, Asked, House, Peer, Spawn
from workflows.engine.run_engine import MOST_RECOVERIES

WORKFLOWS = Path(__file__).parents[2] / "workflows"
FEW = 2
"""Recoveries in this test; each costs the start of a process."""


class Process(Protocol):
    pid: int

    def kill(self) -> None: ...
    async def wait(self) -> int: ...


@pytest.mark.parametrize("address", ["sqlite", pytest.param("postgresql", marks=in_full)], indirect=True)
async def test_a_run_that_kills_every_worker_fails_and_the_next_is_done(
    address: str, house: House, peer: Peer, spawn: Spawn, altered: Altered
) -> None:
    assert MOST_RECOVERIES == 20
    words = (f"MOST_RECOVERIES = {MOST_RECOVERIES}", f"MOST_RECOVERIES = {FEW}")
    code = altered(WORKFLOWS, ("engine/run_engine.py",), *words)
    deadly = (await house.call("run_workflow", workflowId="content_refresh"))["runId"]
    for _ in range(1 + FEW):
        worker = await spawn(address, code)
        await peer.until(lambda pid=worker.pid: any(asked.pid == pid for asked in peer.held))
        worker.kill()
        await worker.wait()
        assert (await house.call("get_run_status", runId=deadly))["status"] == "running"
    begun = len(peer.asked)
    await spawn(address, code)
    assert (await house.ended(deadly)).status == "failed"
    run_status = await house.call("get_run_status", runId=deadly)
    assert [(error["agent"], error["code"]) for error in run_status["errors"]] == [(None, "engine_failure")]
    assert run_status["errors"][0]["message"]
    assert run_status["errors"][0]["hint"]
    assert {agent["status"] for agent in run_status["agents"]} == {"failed"}
    assert run_status["credits"] == {"reserved": 6, "charged": 0, "refunded": 6}
    # It was not begun once more, and holds nobody up.
    assert len(peer.asked) == begun
    after = (await house.call("run_workflow", workflowId="content_refresh"))["runId"]

    async def at_once(asked: Asked) -> None:
        assert asked.run_id == after

    peer.meet = at_once
    assert (await house.ended(after)).status == "completed"
    have = await house.call("get_credits")
    assert (have["available"], have["reserved"], have["usedThisMonth"]) == (394, 0, 6)
    notices = (await house.call("list_notifications"))["notifications"]
    assert [(notice["title"], notice["runId"]) for notice in notices] == [("Content refresh failed", deadly)]

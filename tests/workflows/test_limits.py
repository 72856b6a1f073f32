"""How many runs a company may have, which goes first, and that one company's many do not hold up another's one."""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from storage.repositories.brands import BrandDraft
from tests.conftest import AssertError
from tests.workflows.conftest import PATIENCE, Asked, House, OpenHouse, Peer, Spawn
from tools.calls.dispatch import Refusal
from workflows.agents.agent import Result, Work
from workflows.configurations import NO_CONFIGURATION
from workflows.engine.run_engine import COMPANY_AT_ONCE, PROCESS_AT_ONCE
from workflows.runs import SingleAgentRun
from workflows.workflow_definitions import REUSABLE_AGENT

STARTER = Path(__file__).with_name("starter_process.py")
PROFILE: dict[str, Any] = {
    "industry": None,
    "website": None,
    "voice": None,
    "keywords": [],
    "target_audience": None,
}
REFUSED = "Tool 'run_workflow' failed: 3 of 3 concurrent runs of the growth plan are pending or running"


QUEUED = 240
MOST_LIVE = 8
"""Runs that the scale plan allows at once."""


async def reserved(house: House) -> int:
    return (await house.call("get_credits"))["reserved"]


async def test_a_start_that_equals_a_live_run_names_it(house: House) -> None:
    first = await house.call("run_workflow", workflowId="ai_shop_checkup")
    other = await house.call("run_workflow", workflowId="content_refresh")
    again = await house.call("run_workflow", workflowId="ai_shop_checkup")
    assert (first["notice"], other["notice"]) == (None, None)
    assert first["runId"] in again["notice"]
    assert again["status"] == "pending"
    assert await reserved(house) == 16
    for started in (first, again):
        await house.call("cancel_workflow_run", runId=started["runId"])
    assert (await house.call("run_workflow", workflowId="ai_shop_checkup"))["notice"] is None


@pytest.mark.requirement("STATE-05", "LIM-11")
@pytest.mark.parametrize("address", ["postgresql"], indirect=True)
async def test_fifty_starts_from_two_processes_admit_exactly_three(address: str, house: House) -> None:
    command = (sys.executable, str(STARTER), address, house.company_id, "25")
    pipes: dict[str, Any] = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE}
    starters = [await asyncio.create_subprocess_exec(*command, **pipes) for _ in range(2)]
    async with asyncio.timeout(PATIENCE):
        for starter in starters:
            assert starter.stdout is not None
            assert await starter.stdout.readline() == b"ready\n"
        printed = await asyncio.gather(*(starter.communicate(b"go\n") for starter in starters))
    counts = Counter(document for out, _ in printed for document in json.loads(out))
    assert counts == {"started": 3, REFUSED: 47}
    assert await reserved(house) == 18
    assert (await house.call("list_workflow_runs"))["total"] == 3


@pytest.mark.requirement("STATE-05")
async def test_fifty_starts_over_two_connections_admit_exactly_three(
    address: str, house: House, open_house: OpenHouse, assert_error: AssertError
) -> None:
    other = await open_house(address)
    asked = [
        (house if n % 2 else other).call("run_workflow", workflowId="content_refresh") for n in range(50)
    ]
    refused = [one for one in await asyncio.gather(*asked) if isinstance(one, Refusal)]
    assert len(refused) == 47
    for refusal in refused:
        assert_error(refusal, 400, "INVALID_PARAMS", REFUSED)
    assert await reserved(house) == 18
    # A place that is given back is given again.
    listed = await house.call("list_workflow_runs")
    await house.call("cancel_workflow_run", runId=listed["runs"][0]["runId"])
    assert (await house.call("run_workflow", workflowId="content_refresh"))["status"] == "pending"


async def test_one_companys_flood_does_not_delay_anothers_run(
    house: House, record_property: Callable[[str, object], None]
) -> None:
    begun: dict[str, datetime] = {}
    theirs, over = asyncio.Event(), asyncio.Event()
    flooding = house.company_id

    async def work(work: Work) -> Result:
        begun.setdefault(work.run_id, datetime.now(UTC))
        if work.workspace.company_id == flooding:
            await over.wait()
        theirs.set()
        return Result(None, "It is done.")

    async with house.database.operation() as operators:
        await operators.companies.set_plan(flooding, "scale")
        other = await operators.companies.create("other", "other@example.com", "growth", datetime.now(UTC))
    async with house.database.transaction(other.id) as workspace:
        await workspace.brands.save(BrandDraft("Other"), [], PROFILE, datetime.now(UTC))
    async with house.working({"repository_auditor": work}):
        flood = [(await house.call("run_workflow", workflowId="content_refresh"))["runId"] for _ in range(8)]
        async with asyncio.timeout(PATIENCE):
            while len(begun) < 3:
                await asyncio.sleep(0.02)
        house.company_id = other.id
        asked = datetime.now(UTC)
        one = (await house.call("run_workflow", workflowId="content_refresh"))["runId"]
        async with asyncio.timeout(10):
            await theirs.wait()
        waited = (begun[one] - asked).total_seconds()
        # The company that floods has three at work and five that wait for them.
        assert len(begun) == 4
        house.company_id = flooding
        over.set()
        for run_id in flood:
            await house.ended(run_id)
    record_property("seconds until the other company's run began", waited)
    assert waited < 2


async def test_of_240_runs_no_company_has_more_than_three_at_work(
    address: str, house: House, peer: Peer, spawn: Spawn
) -> None:
    """All wait before the first worker comes, and no agent ends before the workers have taken all they may."""
    workers = 1 if address.startswith("sqlite") else 2
    peak: Counter[str] = Counter()
    full = asyncio.Event()

    async def meet(asked: Asked) -> None:
        at_work = Counter(verification.company_id for verification in peer.held)
        peak[asked.company_id] = max(peak[asked.company_id], at_work[asked.company_id])
        if len(peer.held) == workers * PROCESS_AT_ONCE:
            full.set()
        await full.wait()

    async def ended() -> int:
        live = await house.database.operators.runs.live()
        return QUEUED - len(live)

    peer.meet = meet
    for number in range(QUEUED // MOST_LIVE):
        async with house.database.operation() as operators:
            email = f"crowd-{number}@example.com"
            company = await operators.companies.create(f"crowd-{number}", email, "scale", datetime.now(UTC))
        async with house.database.transaction(company.id) as writing:
            brand = await writing.brands.save(BrandDraft("Acme"), [], PROFILE, datetime.now(UTC))
            task = SingleAgentRun("fact_guard", REUSABLE_AGENT, brand, NO_CONFIGURATION)
            for _ in range(MOST_LIVE):
                await house.desk.start_alone(writing, task, datetime.now(UTC))
    for _ in range(workers):
        await spawn(address)
    async with asyncio.timeout(PATIENCE):
        while await ended() < QUEUED:
            await asyncio.sleep(0.2)
    assert len(peer.asked) == len({asked.run_id for asked in peer.asked}) == QUEUED
    assert max(peak.values()) == COMPANY_AT_ONCE

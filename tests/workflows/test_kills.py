"""kill -9 of real workers in the middle of their agents: no run is lost, none is charged twice, none runs on.

SEENBY_CAMPAIGN_RUNS, SEENBY_CAMPAIGN_KILLS and SEENBY_CAMPAIGN_WORKERS make it larger; `make stress` does.
"""

import asyncio
import os
import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from storage.repositories.brands import BrandDraft
from storage.repositories.runs.run_agents import RunAgent
from storage.repositories.runs.runs import Run
from tests.workflows.conftest import Asked, House, OpenHouse, Peer, Spawn, WorkerProcess
from workflows.credits import balance, period_of
from workflows.custom_workflows import StepInput, WorkflowInput, archive_workflow, create_workflow
from workflows.engine.run_engine import COMPANY_AT_ONCE
from workflows.errors import RunRefused
from workflows.runs import cancel
from workflows.workflow_definitions import WORKFLOWS

RUNS = int(os.environ.get("SEENBY_CAMPAIGN_RUNS", "12"))
KILLS = int(os.environ.get("SEENBY_CAMPAIGN_KILLS", "3"))
WORKERS = int(os.environ.get("SEENBY_CAMPAIGN_WORKERS", "2"))
WORKFLOW = "content_refresh"
OWN = WorkflowInput(
    id="own-refresh",
    name="Refresh",
    steps=[StepInput(agent=agent) for agent in WORKFLOWS[WORKFLOW].agents],
)
"""The same agents in a workflow that a company made: one after the other, with the same needs and the same price."""
PRICE = 6
COMPANIES = 4
MOST_LIVE = 8
SLOWEST = 0.2
PROFILE: dict[str, Any] = {
    "industry": None,
    "website": None,
    "voice": None,
    "keywords": [],
    "target_audience": None,
}


def now() -> datetime:
    return datetime.now(UTC)


@dataclass
class Campaign:
    """Runs of several companies, executed by workers that die."""

    house: House
    peer: Peer
    at_once: int
    chance: random.Random
    owners: list[str] = field(default_factory=list[str])
    started: dict[str, str] = field(default_factory=dict[str, str])
    cancelled: set[str] = field(default_factory=set[str])
    dead: set[int] = field(default_factory=set[int])
    hit: list[int] = field(default_factory=list[int])
    taken_over: list[float] = field(default_factory=list[float])
    most_at_once: int = 0
    doubled: int = 0

    async def found(self) -> None:
        """Make the companies."""
        database = self.house.database
        for number in range(COMPANIES):
            async with database.operation() as operators:
                email = f"campaign-{number}@example.com"
                company = await operators.companies.create(f"campaign-{number}", email, "scale", now())
            async with database.transaction(company.id) as workspace:
                await workspace.brands.save(BrandDraft("Acme"), [], PROFILE, now())
                await create_workflow(workspace, self.house.registry, OWN, now())
            self.owners.append(company.id)

    async def meet(self, asked: Asked) -> None:
        """Look at who is at work, and be as slow as an engine is."""
        others = [
            verification
            for verification in self.peer.held
            if verification.pid not in self.dead and verification is not asked
        ]
        self.doubled += any(one.step == asked.step for one in others)
        at_work = {run.run_id for run in [asked, *others] if run.company_id == asked.company_id}
        self.most_at_once = max(self.most_at_once, len(at_work - self.cancelled))
        asked.word = fate(*asked.step)
        await asyncio.sleep(self.chance.uniform(0, SLOWEST))

    async def feed(self) -> None:
        """Start every run, every other one of a company's own workflow; one in ten is cancelled while it waits, one in ten in the middle of an agent."""
        database = self.house.database
        async with asyncio.TaskGroup() as cancelling:
            for number in range(RUNS):
                owner = self.owners[number % COMPANIES]
                while await database.workspace(owner).runs.live() >= MOST_LIVE:
                    await asyncio.sleep(0.1)
                workflow = OWN.id if number % 2 else WORKFLOW
                async with database.transaction(owner) as writing:
                    one = await self.house.desk.start(writing, workflow, None, now=now())
                self.started[one.run_id] = owner
                if number % 10 in (3, 8):
                    cancelling.create_task(self.cancel(one.run_id, owner, at_work=number % 10 == 8))
        for owner in self.owners:
            async with database.transaction(owner) as writing:
                await archive_workflow(writing, OWN.id, True, now())  # what was started of it goes on

    async def cancel(self, run_id: str, owner: str, *, at_work: bool) -> None:
        """Cancel a run; every other time die before the engine is told, and leave that to the reconciler."""
        if at_work:
            await self.peer.until(
                lambda: any(verification.run_id == run_id for verification in self.peer.held), 300
            )
        try:
            async with self.house.database.transaction(owner) as writing:
                await cancel(writing, run_id, now())
        except RunRefused:
            return
        self.cancelled.add(run_id)
        if self.chance.random() < 0.5:
            await self.house.engine.stop([run_id])

    async def kill(self, workers: list[WorkerProcess], *, replaced: bool) -> None:
        """Kill a worker in the middle of its agents; wait until another one has them when it is not replaced."""

        def busy() -> list[WorkerProcess]:
            return [worker for worker in workers if any(asked.pid == worker.pid for asked in self.peer.held)]

        await self.peer.until(lambda: bool(busy()), 120)
        victim = self.chance.choice(busy())
        victim.kill()
        at = now()
        self.dead.add(victim.pid)
        steps = {verification.step for verification in self.peer.held if verification.pid == victim.pid}
        self.hit.append(len(steps))
        workers.remove(victim)
        await victim.wait()
        if replaced:
            return

        def resumed() -> bool:
            again = {ask.step for ask in self.peer.asked if ask.at > at}
            return all(step in again or step[0] in self.cancelled for step in steps)

        await self.peer.until(resumed)
        self.taken_over.append((now() - at).total_seconds())

    async def runs(self) -> list[Run]:
        """Return every run as it stands."""
        database = self.house.database
        kept = [await database.workspace(owner).runs.find(run_id) for run_id, owner in self.started.items()]
        return [run for run in kept if run is not None]


def fate(run_id: str, agent: str) -> str:
    """How an agent of a run ends, however often it is begun: most complete, some fail, few have a defect."""
    return random.Random(f"{run_id} {agent}").choices(["complete", "fail", "break"], [92, 5, 3])[0]


def expected(run_id: str) -> tuple[str, int]:
    """How a run that nobody cancels ends, and what it costs."""
    ended: dict[str, str] = {}
    for stage in WORKFLOWS[WORKFLOW].needed():
        for agent, needs in stage.items():
            runs = all(ended[need] == "complete" for need in needs)
            ended[agent] = fate(run_id, agent) if runs else "skipped"
    completed = [agent for agent, end in ended.items() if end == "complete"]
    paid = sum(2 if agent == "content_writer" else 1 for agent in completed)
    return ("completed" if len(completed) == len(ended) else "partial_complete" if paid else "failed"), paid


@pytest.mark.timeout(1800)
async def test_killed_workers_lose_no_run_and_charge_none_twice(
    address: str, open_house: OpenHouse, peer: Peer, spawn: Spawn, capsys: pytest.CaptureFixture[str]
) -> None:
    at_once = 1 if address.startswith("sqlite") else WORKERS
    campaign = Campaign(await open_house(address), peer, at_once, random.Random(7))
    await campaign.found()
    peer.meet, begun = campaign.meet, now()
    feeding, workers = asyncio.create_task(campaign.feed()), [await spawn(address) for _ in range(at_once)]
    spacing = RUNS * len(WORKFLOWS[WORKFLOW].agents) // (KILLS + 2)
    for kill in range(KILLS):
        # The last kill still finds agents at work.
        beyond = len(peer.asked) + campaign.chance.randrange(1, spacing)
        await peer.until(lambda beyond=beyond: len(peer.asked) >= beyond or feeding.done(), 120)
        await campaign.kill(workers, replaced=at_once == 1 or kill % 6 != 1)
        while len(workers) < at_once:
            workers.append(await spawn(address))
    await feeding
    async with asyncio.timeout(240):
        while any(run.live for run in await campaign.runs()):
            await asyncio.sleep(0.2)

    runs = await campaign.runs()
    totals, attempts = await audited(campaign, runs, begun)
    states = Counter(run.status for run in runs)
    took = (now() - begun).total_seconds()
    with capsys.disabled():
        sys.stdout.write(
            f"\n{address.split(':')[0]}, {at_once} workers: {len(runs)} runs {dict(states)}; {KILLS} kills hit "
            f"{sum(campaign.hit)} agents at work (fewest {min(campaign.hit)}), {len(campaign.taken_over)} not "
            f"replaced, taken over in {max(campaign.taken_over, default=0):.1f} s at most; reserve "
            f"{totals['reserve']} = settle {totals['settle']} + refund {totals['refund']}; {attempts} attempts at "
            f"{len({ask.step for ask in peer.asked})} agents, 0 begun after their end; {campaign.most_at_once} runs "
            f"of a company at once; {took:.0f} s\n"
        )
    assert len(runs) == RUNS
    assert {run.workflow for run in runs} == {WORKFLOW, OWN.id}
    assert min(campaign.hit) > 0
    assert totals["reserve"] == totals["settle"] + totals["refund"] == PRICE * RUNS
    assert campaign.doubled == 0
    assert campaign.most_at_once <= COMPANY_AT_ONCE


async def audited(campaign: Campaign, runs: list[Run], begun: datetime) -> tuple[Counter[str], int]:
    """Hold every run, agent and line of the ledger to what must be; return sums by kind, and the attempts."""
    database, period = campaign.house.database, period_of(begun)
    totals: Counter[str] = Counter()
    lines: dict[str, dict[str, int]] = {}
    for owner in campaign.owners:
        workspace = database.workspace(owner)
        entries = await workspace.credits.entries(period)
        assert len({(entry.run_id, entry.kind) for entry in entries}) == len(entries)
        for entry in entries:
            assert entry.run_id is not None
            lines.setdefault(entry.run_id, {})[entry.kind] = entry.amount
            totals[entry.kind] += entry.amount
        have = await balance(workspace, begun)
        assert (have.reserved, have.available + have.used) == (0, have.plan.credits + have.granted)
    attempts = 0
    begins: dict[tuple[str, str], datetime] = {}
    for asked in campaign.peer.asked:
        begins[asked.step] = asked.at
    for run in runs:
        agents = await database.workspace(campaign.started[run.id]).run_agents.all(run.key)
        attempts += sum(agent.attempts for agent in agents)
        held_to_its_books(run, agents, lines[run.id], cancelled=run.id in campaign.cancelled)
        for entry in agents:
            if entry.status in ("completed", "failed") and run.error_code is None:
                assert entry.finished_at is not None
                # What was written as done was never begun again.
                assert begins[run.id, entry.agent] <= entry.finished_at
    return totals, attempts


def held_to_its_books(run: Run, agents: list[RunAgent], lines: dict[str, int], *, cancelled: bool) -> None:
    completed = sum(agent.price for agent in agents if agent.status == "completed")
    charged = completed if run.status in ("completed", "partial_complete") else 0
    assert lines == {"reserve": run.cost, "settle": charged, "refund": run.cost - charged}
    assert (run.status == "cancelled") == cancelled
    if cancelled:
        assert run.finished_at is not None
        cut = [agent for agent in agents if agent.status == "cancelled"]
        assert all(one.finished_at == run.finished_at and one.summary is None for one in cut)
    elif run.error_code is None:
        assert (run.status, charged) == expected(run.id)
    else:
        # A run that was killed twenty times is given up and refunded whole.
        assert (run.status, run.error_code) == ("failed", "engine_failure")

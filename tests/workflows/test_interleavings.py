"""Whatever order things happen in, from two connections at once: the books add up and a finished run never changes."""

import asyncio
from collections.abc import Coroutine
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from engines.registry import Registry
from engines.settings import EngineSettings
from measurement.asking.probe import Prober
from measurement.planning.engine_keys import EngineKeys
from measurement.publication.publish import Publisher
from oauth.sealing import Seal
from storage.database import Database
from storage.ids import new_id
from storage.repositories.brands import BrandDraft
from storage.repositories.findings import FindingDraft
from storage.repositories.repository_items import ItemDraft
from workflows.agents.agent import Agent, Result, Work
from workflows.credits import balance, period_of
from workflows.engine.run_engine import RunEngine
from workflows.errors import AgentFailed, RunRefused
from workflows.pricing import Pricing
from workflows.run_executor import Executor
from workflows.runs import RunService, cancel
from workflows.workflow_definitions import WORKFLOWS

WORKFLOW = WORKFLOWS["content_refresh"]
EVE = datetime(2026, 3, 31, 12, tzinfo=UTC)
"""A day's waiting leads into the next month, whose credits are others."""
LIMIT = 400
PROFILE: dict[str, Any] = {
    "industry": None,
    "website": None,
    "voice": None,
    "keywords": [],
    "target_audience": None,
}
WORD = ContextVar[str]("how the agent that is begun now will end")
Snapshot: TypeAlias = tuple[Any, ...]


class Crashed(BaseException):
    """The process died here."""


@dataclass
class Side:
    """One process: its own connections, its own queue client, its own agents."""

    database: Database
    engine: RunEngine
    desk: RunService
    executor: Executor


@dataclass
class World:
    """Two processes over one database, and the time that both have."""

    runner: asyncio.Runner
    moment: datetime = EVE
    sides: list[Side] = field(default_factory=list[Side])

    def now(self) -> datetime:
        return self.moment

    def agent(self, name: str) -> Agent:
        async def work(work: Work) -> Result:
            word = WORD.get()
            await work.workspace.runs.live()  # lets the other side in
            if word == "fail":
                raise AgentFailed("no_input")
            if word == "break":
                raise ValueError("secret words of a driver")
            if word == "crash":
                raise Crashed
            findings = (FindingDraft("info", "content_gap", name, "It is."),)
            return Result(None, "It is done.", findings, (ItemDraft(name, "Words", "draft"),))

        return work

    async def join(self, url: str) -> None:
        database, registry = await Database.open(url), Registry(EngineSettings())
        engine = RunEngine(database, self.now)
        await engine.open()
        agents = {name: self.agent(name) for name in WORKFLOW.agents}
        keys = EngineKeys(database, registry, Seal(b"0123456789abcdefghijklmnopqrstuvwxyz"))
        prober = Prober(database, registry, keys, Publisher(database, (), self.now), self.now)
        executor = Executor(database, agents, registry, prober, self.now)
        self.sides.append(Side(database, engine, RunService(engine, Pricing(keys)), executor))

    async def leave(self) -> None:
        for side in self.sides:
            await side.engine.close()
            await side.database.close()


RUN = st.integers(-4, -1)
"""Which run is meant, from the newest back."""
AGENT = st.sampled_from(WORKFLOW.agents)
ENDING = st.sampled_from(["complete", "complete", "fail", "break", "crash"])
ACTION = st.one_of(
    st.tuples(st.just("start")),
    st.tuples(st.just("begin"), RUN),
    st.tuples(st.just("perform"), RUN, AGENT, ENDING),
    st.tuples(st.just("perform"), RUN, AGENT, st.just("complete")),
    st.tuples(st.just("finish"), RUN),
    st.tuples(st.just("cancel"), RUN),
    st.tuples(st.just("crash"), RUN),
    st.tuples(st.just("lose"), RUN),
    st.tuples(st.just("reconcile")),
    st.tuples(st.just("wait"), st.sampled_from([1, 31, 25 * 60])),
    st.tuples(st.just("grant"), st.integers(1, 9)),
)


class Interleavings(RuleBasedStateMachine):
    """Runs of one company; a moment is one to three things that happen at once, on either side in turn."""

    world: World

    def __init__(self) -> None:
        super().__init__()
        self.world.moment = EVE
        self.company = ""
        self.runs: list[str] = []
        self.outcomes: dict[str, dict[str, str]] = {}
        self.closed: dict[str, Snapshot] = {}
        self.granted: dict[str, int] = {}

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.world.runner.run(work)

    @initialize()
    def found(self) -> None:
        async def make() -> str:
            database = self.world.sides[0].database
            async with database.operation() as operators:
                name = new_id()
                company = await operators.companies.create(name, f"{name}@example.com", "growth", EVE)
            async with database.transaction(company.id) as workspace:
                await workspace.brands.save(BrandDraft("Acme"), [], PROFILE, EVE)
            return company.id

        self.company = self.do(make())

    @rule(run=RUN, agent=AGENT, first=ENDING, second=ENDING)
    def delivered_twice(self, run: int, agent: str, first: str, second: str) -> None:
        self.moment([("begin", run)], 0)
        self.moment([("perform", run, agent, first), ("perform", run, agent, second)], 0)

    @rule(actions=st.lists(ACTION, min_size=1, max_size=3), side=st.integers(0, 1))
    def moment(self, actions: list[tuple[Any, ...]], side: int) -> None:
        async def at_once() -> None:
            works = [
                getattr(self, action[0])(self.world.sides[(side + turn) % 2], *action[1:])
                for turn, action in enumerate(actions)
            ]
            for ended in await asyncio.gather(*works, return_exceptions=True):
                if isinstance(ended, BaseException) and not isinstance(ended, Crashed | RunRefused):
                    raise ended

        self.do(at_once())

    async def start(self, side: Side) -> None:
        async with side.database.transaction(self.company) as writing:
            one = await side.desk.start(writing, WORKFLOW.id, None, now=self.world.now())
        self.runs.append(one.run_id)

    async def begin(self, side: Side, run: int) -> None:
        if -run <= len(self.runs):
            await side.executor.begin(self.company, self.runs[run])

    async def perform(self, side: Side, run: int, agent: str, word: str) -> None:
        if -run > len(self.runs):
            return
        WORD.set(word)
        outcome = await side.executor.perform(self.company, self.runs[run], agent)
        known = self.outcomes.setdefault(self.runs[run], {})
        if outcome != "cancelled":
            # Delivered once or many times, in turn or at once: an agent has one end.
            assert known.setdefault(agent, outcome) == outcome

    async def finish(self, side: Side, run: int) -> None:
        if -run <= len(self.runs):
            known = self.outcomes.get(self.runs[run], {})
            outcomes = {agent: known.get(agent, "skipped") for agent in WORKFLOW.agents}
            await side.executor.finish(self.company, self.runs[run], outcomes)

    async def cancel(self, side: Side, run: int) -> None:
        if -run <= len(self.runs):
            async with side.database.transaction(self.company) as writing:
                await cancel(writing, self.runs[run], self.world.now())

    async def crash(self, side: Side, run: int) -> None:
        """Die between closing a run and the commit."""
        if -run <= len(self.runs):
            async with side.database.transaction(self.company) as writing:
                await writing.runs.close(self.runs[run], "completed", self.world.now(), charged=True)
                raise Crashed

    async def lose(self, side: Side, run: int) -> None:
        """End an execution behind the books' back."""
        if -run <= len(self.runs):
            await side.engine.stop([self.runs[run]])

    async def reconcile(self, side: Side) -> None:
        await side.engine.reconcile()

    async def wait(self, side: Side, minutes: int) -> None:
        self.world.moment += timedelta(minutes=minutes)

    async def grant(self, side: Side, amount: int) -> None:
        period = period_of(self.world.now())
        async with side.database.transaction(self.company) as writing:
            await writing.credits.enter(period, None, "grant", amount, self.world.now())
        self.granted[period] = self.granted.get(period, 0) + amount

    @invariant()
    def the_books_hold(self) -> None:
        if self.company:
            self.do(self.audit())

    async def audit(self) -> None:
        workspace = self.world.sides[0].database.workspace(self.company)
        months = {period_of(EVE): EVE, period_of(self.world.now()): self.world.now()}
        lines: dict[str, list[tuple[str, int]]] = {}
        for period, moment in months.items():
            for entry in await workspace.credits.entries(period):
                if entry.run_id is not None:
                    lines.setdefault(entry.run_id, []).append((entry.kind, entry.amount))
            have = await balance(workspace, moment)
            assert have.available + have.reserved + have.used == LIMIT + self.granted.get(period, 0)
        for run_id in self.runs:
            run = await workspace.runs.find(run_id)
            assert run is not None
            agents = await workspace.run_agents.all(run.key)
            found = await workspace.findings.all(run.key)
            completed = sum(agent.price for agent in agents if agent.status == "completed")
            assert {agent.agent for agent in found} == {
                agent.agent for agent in agents if agent.status == "completed"
            }
            if run.live:
                assert lines[run_id] == [("reserve", run.cost)]
                continue
            charged = completed if run.status in ("completed", "partial_complete") else 0
            assert lines[run_id] == [
                ("reserve", run.cost),
                ("settle", charged),
                ("refund", run.cost - charged),
            ]
            assert all(agent.status not in ("pending", "running") for agent in agents)
            now = (run, tuple(agents), tuple(found))
            assert self.closed.setdefault(run_id, now) == now

    def teardown(self) -> None:
        async def end() -> None:
            side = self.world.sides[0]
            async with side.database.transaction(self.company) as writing:
                for run_id in self.runs:
                    await writing.runs.close(run_id, "cancelled", self.world.now(), charged=False)

        if self.company:
            self.do(end())


@pytest.mark.requirement("LIM-11")
def test_no_interleaving_breaks_the_books_or_changes_a_finished_run(address: str) -> None:
    with asyncio.Runner() as runner:
        here = World(runner)
        for _ in range(2):
            runner.run(here.join(address))

        class Machine(Interleavings):
            world = here

        try:
            run_state_machine_as_test(
                Machine,
                settings=settings(
                    max_examples=20,
                    stateful_step_count=15,
                    deadline=None,
                    suppress_health_check=[HealthCheck.too_slow],
                ),
            )
        finally:
            runner.run(here.leave())

"""How fast runs are accepted, begun and executed, on SQLite and PostgreSQL, beside the bare durable engine.

The bare engine has the same queue (limits, polling, database settings) and workflows of three steps that do nothing;
ours have three agents that do nothing, and keep books, states and credits besides.
"""

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from statistics import median, quantiles
from typing import Any

import psycopg
from dbos import DBOS, DBOSClient, DBOSPortableJSONSerializer
from sqlalchemy.engine import make_url

from engines.registry import Registry
from engines.settings import EngineSettings
from measurement.asking.probe import Prober
from measurement.planning.engine_keys import EngineKeys
from measurement.publication.publish import Publisher
from oauth.principal import Caller, Principal, Scope
from oauth.sealing import Seal
from storage.database import Database
from storage.engines import synchronous_engine
from storage.ids import new_id
from storage.repositories.brands import BrandDraft
from storage.repositories.runs.runs import RunDraft
from storage.workspace import Workspace
from tools.calls.dispatch import Dispatcher, Success
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.catalog import tool_table
from workflows.agents.agent import Agent, Result, Work
from workflows.configurations import NO_CONFIGURATION, stored_configuration
from workflows.credits import period_of
from workflows.engine.executions import APP, POLL_SECONDS
from workflows.engine.run_engine import COMPANY_AT_ONCE, PROCESS_AT_ONCE, RANKS, RunEngine
from workflows.pricing import Pricing
from workflows.run_executor import Executor
from workflows.runs import RunService

SERVER = "postgresql+asyncpg://postgres@127.0.0.1:5432"
COMPANIES = 40
RUNS_EACH = 12
SINGLE_RUNS = 40
CALLERS = 8
START_CEILING_MS = 30.0
FLOOR = 0.7
AGENTS = ("repository_auditor", "coverage_mapper", "refresh_planner")
STAGES: list[dict[str, list[str]]] = [{AGENTS[0]: []}, {AGENTS[1]: [AGENTS[0]]}, {AGENTS[2]: [AGENTS[1]]}]
PROFILE: dict[str, Any] = {
    "industry": None,
    "website": None,
    "voice": None,
    "keywords": [],
    "target_audience": None,
}


def now() -> datetime:
    return datetime.now(UTC)


@contextmanager
def databases() -> Generator[list[tuple[str, Callable[[], str]]]]:
    """Name each kind of database that answers, and a function that makes a new one and returns its URL."""
    made: list[str] = []

    def on_server(statement: str) -> None:
        with psycopg.connect(f"{SERVER.replace('+asyncpg', '')}/postgres", autocommit=True) as connection:
            connection.execute(statement)  # pyright: ignore[reportArgumentType, reportCallIssue] # our own words

    def postgres() -> str:
        made.append(f"bench_{new_id().replace('-', '')}")
        on_server(f"CREATE DATABASE {made[-1]}")
        return f"{SERVER}/{made[-1]}"

    with tempfile.TemporaryDirectory(prefix="seenby-bench-") as folder:
        kinds = [("SQLite", lambda: f"sqlite+aiosqlite:///{folder}/{new_id()}.db")]
        try:
            socket.create_connection(("127.0.0.1", 5432), 1).close()
            kinds.append(("PostgreSQL", postgres))
        except OSError:
            print("PostgreSQL does not answer on 127.0.0.1:5432 and is left out")
        try:
            yield kinds
        finally:
            for name in made:
                on_server(f"DROP DATABASE {name} WITH (FORCE)")


class House:
    """The service's own parts over one new database of many companies."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.engine = RunEngine(database, now)
        keys = EngineKeys(database, Registry(EngineSettings()), Seal(b"0123456789abcdefghijklmnopqrstuvwxyz"))
        desk = RunService(self.engine, Pricing(keys))
        self.dispatcher = Dispatcher(
            tool_table(), RateLimits(MemoryWindows()), self.door, now=now, run_desk=desk
        )
        self.companies: list[tuple[str, int]] = []

    @asynccontextmanager
    async def door(self, principal: Principal, writing: bool) -> AsyncGenerator[Workspace]:
        async with self.database.transaction(principal.company_id) as workspace:
            yield workspace

    async def found(self) -> None:
        """Make the schema and the companies."""
        await self.database.migrate()
        await self.engine.open()
        for number in range(COMPANIES):
            async with self.database.operation() as operators:
                email = f"bench-{number}@example.com"
                company = await operators.companies.create(f"bench-{number}", email, "scale", now())
            async with self.database.transaction(company.id) as workspace:
                brand = await workspace.brands.save(BrandDraft("Synthetic brand"), [], PROFILE, now())
            self.companies.append((company.id, brand.key))

    async def run_workflow(self, number: int) -> float:
        """Call the tool for one company after the other; return the seconds that it took."""
        company_id, _ = self.companies[number % COMPANIES]
        caller = Caller(Principal(company_id, f"key:{number}", frozenset({Scope.WRITE})), "192.0.2.1")
        started = time.perf_counter()
        told = await self.dispatcher.call("run_workflow", {"workflowId": "content_refresh"}, caller)
        assert isinstance(told, Success), told
        return time.perf_counter() - started

    async def enqueue(self, number: int) -> str:
        """Open and queue a run of three agents, one after the other."""
        company_id, brand_key = self.companies[number % COMPANIES]
        moment = now()
        agents = tuple((agent, 1) for agent in AGENTS)
        month = period_of(moment)
        draft = RunDraft(
            new_id(),
            brand_key,
            "content_refresh",
            "normal",
            None,
            stored_configuration(NO_CONFIGURATION),
            month,
            agents,
        )
        async with self.database.transaction(company_id) as writing:
            await writing.runs.open(draft, moment)
            await self.engine.enqueue(writing, draft.id, STAGES, "normal")
        return draft.id

    async def ended(self, number: int, run_id: str) -> tuple[float, datetime, datetime]:
        """Wait for a run's end; return the seconds until its first agent, and when it began and ended."""
        workspace = self.database.workspace(self.companies[number % COMPANIES][0])
        while True:
            run = await workspace.runs.find(run_id)
            assert run is not None
            if run.status == "completed":
                break
            assert run.live, run
            await asyncio.sleep(0.05)
        first = (await workspace.run_agents.all(run.key))[0].started_at
        assert first is not None
        assert run.started_at is not None
        assert run.finished_at is not None
        return (first - run.created_at).total_seconds(), run.started_at, run.finished_at


async def starts(url: str) -> tuple[list[float], float]:
    """Return the seconds of each of many calls of run_workflow one after the other, and calls a second of several."""
    database = await Database.open(url)
    house = House(database)
    await house.found()
    await house.run_workflow(0)
    alone = [await house.run_workflow(number) for number in range(1, COMPANIES * 3)]
    begun = time.perf_counter()

    async def caller(first: int) -> None:
        for number in range(first, COMPANIES * 3, CALLERS):
            await house.run_workflow(number)

    await asyncio.gather(*(caller(first) for first in range(CALLERS)))
    rate = COMPANIES * 3 / (time.perf_counter() - begun)
    await house.engine.close()
    await database.close()
    return alone, rate


@contextmanager
def worker(kind: str, url: str) -> Generator[None]:
    """Execute runs in a process of its own."""
    process = subprocess.Popen([sys.executable, "-m", "bench.runs", kind, url])
    try:
        yield
    finally:
        process.kill()
        process.wait()


async def ours(url: str) -> tuple[list[float], float]:
    """Return the seconds from queue to first agent of single runs, and the runs of a full queue per second."""
    database = await Database.open(url)
    house = House(database)
    await house.found()
    with worker("ours", url):
        waits = [
            (await house.ended(number, await house.enqueue(number)))[0] for number in range(SINGLE_RUNS + 1)
        ]
    queued = [(number, await house.enqueue(number)) for number in range(COMPANIES * RUNS_EACH)]
    with worker("ours", url):
        spans = [await house.ended(number, run_id) for number, run_id in queued]
    await house.engine.close()
    await database.close()
    return waits[1:], rate([(begun, ended) for _, begun, ended in spans])


def bare(url: str) -> tuple[list[float], float]:
    """Return the same figures for workflows of three empty steps on the bare engine, without seenby code."""
    engine = synchronous_engine(make_url(url))
    DBOS.migrate(engine.url.render_as_string(hide_password=False))
    serializer = DBOSPortableJSONSerializer()
    client = DBOSClient(system_database_engine=engine, application_name=APP, serializer=serializer)
    client.register_queue(
        "bare",
        polling_interval_sec=POLL_SECONDS,
        worker_concurrency=PROCESS_AT_ONCE,
        partition_concurrency=COMPANY_AT_ONCE,
    )

    def enqueue(number: int) -> str:
        workflow_id = new_id()
        client.enqueue(
            {
                "workflow_name": "three_steps",
                "queue_name": "bare",
                "workflow_id": workflow_id,
                "app_version": "1",
                "priority": RANKS["normal"],
                "queue_partition_key": f"company-{number % COMPANIES}",
            },
            workflow_id,
        )
        return workflow_id

    def ended(workflow_id: str) -> tuple[datetime, datetime]:
        """When the first step began and the last one ended; the engine's own times are whole seconds on some SQLite."""
        while True:
            (flow,) = client.list_workflows(workflow_ids=[workflow_id], load_input=False, load_output=False)
            if flow.status == "SUCCESS":
                break
            time.sleep(0.05)
        steps = client.list_workflow_steps(workflow_id, load_output=False)
        first, last = steps[0]["started_at_epoch_ms"], steps[-1]["completed_at_epoch_ms"]
        assert first is not None
        assert last is not None
        return moment(first), moment(last)

    def waited() -> float:
        asked = now()
        return (ended(enqueue(0))[0] - asked).total_seconds()

    with worker("bare", url):
        waits = [waited() for _ in range(SINGLE_RUNS + 1)]
    queued = [enqueue(number) for number in range(COMPANIES * RUNS_EACH)]
    with worker("bare", url):
        spans = [ended(workflow_id) for workflow_id in queued]
    client.destroy()
    return waits[1:], rate(spans)


def moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def rate(spans: Sequence[tuple[datetime, datetime]]) -> float:
    """Runs per second between the first begin and the last end."""
    span = max(end for _, end in spans) - min(begun for begun, _ in spans)
    return len(spans) / (span / timedelta(seconds=1))


async def execute_ours(url: str) -> None:
    async def nothing(work: Work) -> Result:
        return Result(None, "Done.")

    database = await Database.open(url)
    agents: dict[str, Agent] = dict.fromkeys(AGENTS, nothing)
    engines = Registry(EngineSettings())
    keys = EngineKeys(database, engines, Seal(b"0123456789abcdefghijklmnopqrstuvwxyz"))
    prober = Prober(database, engines, keys, Publisher(database, (), now), now)
    executor = Executor(database, agents, engines, prober, now)
    async with RunEngine(database, now).working(executor):
        await asyncio.Event().wait()


async def execute_bare(url: str) -> None:
    async def nothing() -> str:
        return "completed"

    async def three_steps(workflow_id: str) -> str:
        for name in AGENTS:
            await DBOS.run_step_async({"name": name}, nothing)
        return "completed"

    DBOS(
        config={
            "name": APP,
            "application_version": "1",
            "executor_id": "bench",
            "serializer": DBOSPortableJSONSerializer(),
            "log_level": "ERROR",
            "system_database_engine": synchronous_engine(make_url(url)),
            "enable_otlp": False,
        }
    )
    DBOS.workflow(name="three_steps")(three_steps)
    DBOS.launch()
    await asyncio.Event().wait()


def told(seconds: Sequence[float]) -> str:
    return f"p50 {median(seconds) * 1000:5.1f} ms   p99 {quantiles(seconds, n=100)[98] * 1000:6.1f} ms"


def main() -> None:
    """Measure and print; the bars stand beside the figures."""
    print(f"{os.cpu_count()} cores; one process executes, another one asks")
    with databases() as kinds:
        for name, make in kinds:
            alone, together = asyncio.run(starts(make()))
            print(
                f"{name}: run_workflow {told(alone)} (p50 at most {START_CEILING_MS:.0f} ms), "
                f"{together:.0f} starts/s with {CALLERS} callers"
            )
            waits, our_rate = asyncio.run(ours(make()))
            bare_waits, bare_rate = bare(make())
            print(f"{name}: queue to first step, ours {told(waits)}; bare {told(bare_waits)}")
            print(
                f"{name}: runs of three steps, ours {our_rate:.1f}/s, bare {bare_rate:.1f}/s, "
                f"ratio {our_rate / bare_rate:.2f} (at least {FLOOR})"
            )


EXECUTE: dict[str, Callable[[str], Any]] = {"ours": execute_ours, "bare": execute_bare}

if __name__ == "__main__":
    asyncio.run(EXECUTE[sys.argv[1]](sys.argv[2]))

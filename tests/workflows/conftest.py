"""A service that executes runs: real database, real queue, agents that the test chooses."""

import asyncio
import json
import os
import shutil
import sys
import threading
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from engines.prices import Prices
from engines.registry import Registry
from engines.settings import CompatibleSettings, EngineSettings
from measurement.asking.probe import Prober
from measurement.planning.costs import Costs
from measurement.planning.engine_keys import EngineKeys
from measurement.publication.publish import Publisher
from oauth.principal import Caller, Principal, Scope
from oauth.sealing import Seal
from storage.database import Database
from storage.ids import new_id
from storage.repositories.brands import BrandDraft
from storage.repositories.runs.runs import Run
from storage.tables import metadata
from tests.zygote import AwaitedProcess, zygote
from tools.calls.call import WorkspaceOpener
from tools.calls.dispatch import Dispatcher, Success
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.catalog import tool_table
from workflows.agents.agent import Agent, Result, Work
from workflows.definitions import AGENT_KINDS
from workflows.engine.run_engine import RunEngine
from workflows.pricing import Pricing
from workflows.run_executor import Executor
from workflows.runs import RunService

WORKER = Path(__file__).with_name("worker_process.py")
ANSWER_TOKENS = 4
"""What the built-in engine writes in these tests; longer answers would only take longer."""
SERVER = "postgresql+asyncpg://postgres@127.0.0.1:5432"
PROFILE: dict[str, Any] = {
    "industry": None,
    "website": None,
    "voice": None,
    "keywords": [],
    "target_audience": None,
}
PATIENCE = 120.0
"""Seconds that end a test which would hang, also on a machine that is many times slower; no claim of speed."""


def now() -> datetime:
    return datetime.now(UTC)


class Talker:
    """An OpenAI-compatible engine that answers as `script` says; past `free` answers it holds back until let go.

    Each answer takes `seconds`.
    """

    def __init__(self) -> None:
        self.script: Callable[[str], str] = lambda asked: "Nobody knows."
        self.refuses: Callable[[str], bool] = lambda asked: False
        self.asked: list[str] = []
        self.paths: list[str] = []
        self.temperatures: list[float | None] = []
        self.free = 1_000_000
        self.seconds = 0.0
        self.let_go = threading.Event()
        self._lock = threading.Lock()
        talker = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                question = json.loads(body)
                sent = json.dumps(talker.answer(question, self.path)).encode()
                refused = talker.refuses(question["messages"][-1]["content"])
                with suppress(OSError):  # who asked may be dead by now
                    self.send_response(400 if refused else 200)
                    self.send_header("content-type", "application/json")
                    self.send_header("content-length", str(len(sent)))
                    self.end_headers()
                    self.wfile.write(sent)

            def log_message(self, format: str, *args: object) -> None:
                """Keep the test's output clean."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def answer(self, body: Mapping[str, Any], path: str) -> dict[str, Any]:
        asked = body["messages"][-1]["content"]
        with self._lock:
            self.asked.append(asked)
            self.paths.append(path)
            self.temperatures.append(body.get("temperature"))
            held = len(self.asked) > self.free
        if held:
            self.let_go.wait(60)
        time.sleep(self.seconds)
        message = {"role": "assistant", "content": self.script(asked)}
        return {"model": "m-1", "choices": [{"message": message, "finish_reason": "stop"}]}

    @property
    def entry(self) -> dict[str, str]:
        """Its entry in SEENBY_ENGINE_COMPATIBLE."""
        return self.entry_under("v1")

    def entry_under(self, path: str) -> dict[str, str]:
        """Its entry for one of several processes, which tells them apart by their paths."""
        url = f"http://127.0.0.1:{self.server.server_address[1]}/{path}"
        return {"platform": "talker", "baseUrl": url, "model": "m-1"}

    @property
    def settings(self) -> EngineSettings:
        return EngineSettings(compatible=(CompatibleSettings("talker", self.entry["baseUrl"], "m-1"),))


@contextmanager
def talking() -> Generator[Talker]:
    """An engine that answers until the block ends."""
    made = Talker()
    thread = threading.Thread(target=made.server.serve_forever, daemon=True)
    thread.start()
    yield made
    made.let_go.set()
    made.server.shutdown()
    made.server.server_close()
    thread.join()


@pytest.fixture
def talker() -> Generator[Talker]:
    with talking() as made:
        yield made


@pytest.fixture
def no_local_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without the runtime of the built-in engine."""
    monkeypatch.setitem(sys.modules, "xllamacpp", None)


async def furnish(url: str) -> None:
    """Bring the queue's own tables into a database of today's schema, and leave no row of other tests in it."""
    database = await Database.open(url)
    async with database.writing() as connection:
        for table in reversed(metadata.sorted_tables):
            await connection.execute(table.delete())
        if connection.dialect.name == "postgresql":
            await connection.execute(text("DROP SCHEMA IF EXISTS dbos CASCADE"))
    engine = RunEngine(database, now)
    await engine.open()
    await engine.close()
    await database.close()


@pytest.fixture(scope="session")
def furnished_file(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with our tables and the queue's; tests work on copies."""
    path = tmp_path_factory.mktemp("furnished") / "seenby.db"
    shutil.copy(migrated, path)
    asyncio.run(furnish(f"sqlite+aiosqlite:///{path}"))
    return path


async def on_server(*statements: str) -> None:
    """Run what PostgreSQL allows in no transaction."""
    server = create_async_engine(f"{SERVER}/postgres", isolation_level="AUTOCOMMIT")
    async with server.connect() as connection:
        for statement in statements:
            await connection.execute(text(statement))
    await server.dispose()


@pytest.fixture(scope="session")
def furnished_template(postgres: str) -> Generator[str]:
    """The name of a PostgreSQL database with our tables and the queue's; tests work on copies."""
    name, source = f"template_{new_id().replace('-', '')}", postgres.rpartition("/")[2]
    # A test that failed may have left a process behind, and what anybody is connected to cannot be copied.
    left = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{source}'"
    asyncio.run(on_server(left, f"CREATE DATABASE {name} TEMPLATE {source}"))
    asyncio.run(furnish(f"{SERVER}/{name}"))
    yield name
    asyncio.run(on_server(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[str]:
    """The URL of a database without companies, on SQLite and again on PostgreSQL when it answers."""
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("furnished_file"), tmp_path / "seenby.db")
        yield f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}"
        return
    template = request.getfixturevalue("furnished_template")
    name = f"t{new_id().replace('-', '')}"
    asyncio.run(on_server(f"CREATE DATABASE {name} TEMPLATE {template}"))
    yield f"{SERVER}/{name}"
    asyncio.run(on_server(f"DROP DATABASE {name} WITH (FORCE)"))


async def quick(work: Work) -> Result:
    return Result(None, "It is done.")


@dataclass
class House:
    """One process of the service with one company on the growth plan."""

    database: Database
    engine: RunEngine
    registry: Registry
    company_id: str
    dispatcher: Dispatcher
    desk: RunService
    prober: Prober

    async def call(self, tool: str, key: str | None = None, **arguments: Any) -> Any:
        """Call a tool; a success becomes its parsed body, a refusal stays what it is."""
        # Each call comes from an identity of its own: what is tested here is not the limit on writes.
        principal = Principal(self.company_id, f"key:{new_id()}", frozenset({Scope.WRITE}))
        caller = Caller(principal, "192.0.2.1")
        outcome = await self.dispatcher.call(tool, arguments, caller, idempotency_key=key)
        return json.loads(outcome.body) if isinstance(outcome, Success) else outcome

    @asynccontextmanager
    async def working(
        self, agents: Mapping[str, Agent] | None = None, **options: Any
    ) -> AsyncGenerator[None]:
        """Execute runs in this process; agents that are not given do nothing at once."""
        chosen = dict.fromkeys(AGENT_KINDS, quick) | dict(agents or {})
        executor = Executor(self.database, chosen, self.registry, self.prober, now, **options)
        async with self.engine.working(executor):
            yield

    async def ended(self, run_id: str, seconds: float = PATIENCE) -> Run:
        """Wait for a run's end; the built-in engine takes its time on a busy machine."""
        async with asyncio.timeout(seconds):
            while True:
                run = await self.database.workspace(self.company_id).runs.find(run_id)
                assert run is not None
                if not run.live:
                    return run
                await asyncio.sleep(0.05)


OpenHouse = Callable[..., Awaitable[House]]


@pytest.fixture
async def open_house(furnished_file: Path) -> AsyncGenerator[OpenHouse]:
    """Opens houses on a database; a second one on the same database joins the first one's company.

    A SQLite file that is not there becomes a copy of the furnished one: to migrate it takes half a second.
    """
    opened: list[House] = []

    async def make(url: str, engines: EngineSettings | None = None, prices: Prices | None = None) -> House:
        file = Path(url.removeprefix("sqlite+aiosqlite:///"))
        if url.startswith("sqlite") and not file.exists():
            shutil.copy(furnished_file, file)
        database = await Database.open(url)
        await database.migrate()
        engine = RunEngine(database, now)
        await engine.open()
        companies = await database.operators.companies.all()
        if companies:
            company_id = companies[0].id
        else:
            async with database.operation() as operators:
                company = await operators.companies.create("ours", "ours@example.com", "growth", now())
                company_id = company.id
            async with database.transaction(company_id) as workspace:
                await workspace.brands.save(BrandDraft("Acme"), [], PROFILE, now())

        registry = Registry(engines or EngineSettings())
        limits = RateLimits(MemoryWindows())
        keys = EngineKeys(database, registry, Seal(b"0123456789abcdefghijklmnopqrstuvwxyz"))
        desk = RunService(engine, Pricing(keys), Costs(database, registry, prices or Prices(), now))
        prober = Prober(database, registry, keys, Publisher(database, (), now), now, ANSWER_TOKENS, prices)
        dispatcher = Dispatcher(tool_table(), limits, WorkspaceOpener(database), now=now, run_desk=desk)
        house = House(database, engine, registry, company_id, dispatcher, desk, prober)
        opened.append(house)
        return house

    yield make
    for house in opened:
        await house.engine.close()
        await house.registry.aclose()
        await house.database.close()


@pytest.fixture
async def house(address: str, open_house: OpenHouse) -> House:
    return await open_house(address)


@dataclass(eq=False)
class Asked:
    """An agent of a worker process in the middle of its work; it ends as `word` when it is let go."""

    run_id: str
    company_id: str
    agent: str
    pid: int
    at: datetime
    word: str = "complete"
    released: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def step(self) -> tuple[str, str]:
        return self.run_id, self.agent


@dataclass
class Peer:
    """Whom the agents of worker processes ask: it sees which are at work, and lets each go when `meet` returns."""

    port: int = 0
    asked: list[Asked] = field(default_factory=list[Asked])
    held: list[Asked] = field(default_factory=list[Asked])
    meet: Callable[[Asked], Awaitable[object]] = lambda asked: asked.released.wait()
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def until(self, true: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Wait until something is true of those that ask."""
        async with asyncio.timeout(seconds), self.changed:
            await self.changed.wait_for(true)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = await reader.readline()
        if line:
            await self.see(Asked(*json.loads(line), at=now()), reader, writer)
        writer.close()

    async def see(self, asked: Asked, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hold an agent until it is let go, or its process dies."""
        self.asked.append(asked)
        self.held.append(asked)
        await self._tell()
        meeting, leaving = asyncio.ensure_future(self.meet(asked)), asyncio.create_task(reader.read())
        try:
            await asyncio.wait({meeting, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            meeting.cancel()
            leaving.cancel()
            self.held.remove(asked)
            writer.write(asked.word.encode() + b"\n")
            await self._tell()

    async def _tell(self) -> None:
        async with self.changed:
            self.changed.notify_all()


@pytest.fixture
async def peer() -> AsyncGenerator[Peer]:
    made = Peer()
    server = await asyncio.start_server(made.answer, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    yield made
    server.close()


WorkerProcess = asyncio.subprocess.Process | AwaitedProcess
Spawn = Callable[..., Awaitable[WorkerProcess]]


@pytest.fixture
async def spawn(peer: Peer, tmp_path: Path) -> AsyncGenerator[Spawn]:
    """Starts worker processes whose agents ask the peer; `code` is a folder whose packages go before ours."""
    spawned: list[WorkerProcess] = []

    async def start(url: str, code: Path | None = None) -> WorkerProcess:
        arguments = (url, str(peer.port))
        if code is None:
            log = tmp_path / f"worker-{len(spawned)}.log"
            forked = zygote().fork(arguments, os.environ, log, log, script=WORKER)
            process = AwaitedProcess(forked)
        else:
            path = os.pathsep.join((str(code), str(WORKER.parents[2])))
            process = await asyncio.create_subprocess_exec(
                sys.executable, str(WORKER), *arguments, env={**os.environ, "PYTHONPATH": path}
            )
        spawned.append(process)
        return process

    yield start
    for process in spawned:
        if process.returncode is None:
            process.kill()
        await process.wait()


Altered = Callable[..., Path]


@pytest.fixture
def altered(tmp_path: Path) -> Altered:
    """Copies a package with words changed in some modules; processes find the copy before the original."""

    def copy(package: Path, modules: tuple[str, ...], now: str, then: str) -> Path:
        folder = tmp_path / "altered"
        shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
        for module in modules:
            path = folder / package.name / module
            code = path.read_text(encoding="utf-8")
            assert now in code
            path.write_text(code.replace(now, then), encoding="utf-8")
        return folder

    return copy

"""Workflows with their real agents, the real engine of runs, synthetic sites and an AI engine on loopback."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Protocol

import pytest
import pytest_asyncio
from sqlalchemy import Connection, inspect, text

from engines.registry import Registry
from engines.settings import CompatibleSettings, EngineSettings, HostedSettings
from measurement.asking.probe import Prober
from measurement.planning.engine_keys import EngineKeys
from measurement.publication.publish import Publisher
from oauth.principal import Caller, Principal, Scope
from oauth.sealing import Seal
from readiness.scans.scanner import Scanner
from storage.database import Database
from storage.ids import new_id
from storage.repositories.brands import BrandDraft
from storage.repositories.prompt_sets import PromptSetDraft
from storage.repositories.prompts import PromptDraft
from storage.repositories.repository_items import ItemDraft
from tests.readiness.conftest import Handler, Sites, World
from tools.calls.call import WorkspaceOpener
from tools.calls.dispatch import Dispatcher, Success
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.catalog import tool_table
from workflows.agents.agent import SiteAccess, Work
from workflows.agents.catalog import AGENTS
from workflows.brand_sites import Sites as SitesOfBrands
from workflows.cited_pages.reader import CitedPages
from workflows.configurations import NO_CONFIGURATION
from workflows.engine.run_engine import RunEngine
from workflows.pricing import Pricing
from workflows.run_executor import Executor
from workflows.runs import RunService

DEALER = "www.dealer.example.com"
PROFILE: dict[str, Any] = {"industry": None, "voice": None, "keywords": [], "target_audience": None}
ENDED = ("completed", "partial_complete", "failed", "cancelled")
ANSWER_TOKENS = 16
"""The most that the built-in engine writes in these tests: enough for a word, and longer ones would only take longer."""


def now() -> datetime:
    return datetime.now(UTC)


class House:
    """A company on the free plan whose brand has its site on loopback, and the tools over it."""

    def __init__(self, database: Database, world: World, registry: Registry) -> None:
        self.database, self.world, self.registry = database, world, registry
        self.engine = RunEngine(database, now)
        self.seal = Seal(b"0123456789abcdefghijklmnopqrstuvwxyz")
        self.keys = EngineKeys(database, registry, self.seal)
        self.prober = Prober(database, registry, self.keys, Publisher(database, (), now), now, ANSWER_TOKENS)
        self.site_access = SiteAccess(
            Scanner(database, world.policy, "https://seenby.example.com", now, world.network),
            SitesOfBrands(world.policy, now, world.network),
            CitedPages(replace(world.policy, requests=12), now, world.network),
        )
        console = RunService(self.engine, Pricing(self.keys))
        limits = RateLimits(MemoryWindows())
        self.dispatcher = Dispatcher(tool_table(), limits, WorkspaceOpener(database), run_desk=console)
        self.company: str = ""
        self.brand: Any = None

    async def found(self, website: str | None, rivals: Sequence[BrandDraft]) -> None:
        async with self.database.operation() as operators:
            self.company = (await operators.companies.create("Acme", "o@example.com", "free", now())).id
        async with self.database.transaction(self.company) as workspace:
            draft = BrandDraft("Synthetic Motors", sites=("dealer.example.com",))
            profile = {**PROFILE, "website": website}
            self.brand = await workspace.brands.save(draft, list(rivals), profile, now())

    async def plan(self, name: str) -> None:
        async with self.database.operation() as operators:
            await operators.companies.set_plan(self.company, name)

    async def furnish(
        self, prompts: Sequence[str] = ("Who repairs hybrid batteries in Springfield?",), repeats: int = 3
    ) -> None:
        """Give the brand prompts that nothing covers, a text, and a draft by a person."""
        async with self.database.transaction(self.company) as workspace:
            draft = ItemDraft("Draft by a person", "Keep me as I am.", "draft")
            item = ItemDraft("Oil change", "We change the oil of every car while you wait.", "service")
            await workspace.repository_items.save(self.brand.key, [draft, item], now())
            asked = PromptSetDraft("base", tuple(map(PromptDraft, prompts)), repeats=repeats)
            await workspace.prompt_sets.save(self.brand.key, asked, now())

    async def call(self, tool: str, **arguments: Any) -> Any:
        principal = Principal(self.company, f"key:{new_id()}", frozenset({Scope.WRITE}), 600)
        outcome = await self.dispatcher.call(tool, arguments, Caller(principal, "192.0.2.1"))
        assert isinstance(outcome, Success), outcome
        return json.loads(outcome.body)

    @property
    def executor(self) -> Executor:
        """What executes runs with the real agents."""
        return Executor(self.database, AGENTS, self.registry, self.prober, now, site_access=self.site_access)

    async def run_at_once(self, *workflows: str) -> list[Any]:
        """Start workflows together; return how each ended."""
        async with self.engine.working(self.executor):
            started = [await self.call("run_workflow", workflowId=workflow) for workflow in workflows]
            return await asyncio.gather(*(self._ended(started_run["runId"]) for started_run in started))

    async def run(self, *workflows: str) -> Any:
        """Run workflows to their ends, one after the other; return the status of the last one."""
        status: Any = None
        async with self.engine.working(self.executor):
            for workflow in workflows:
                started = await self.call("run_workflow", workflowId=workflow)
                status = await self._ended(started["runId"])
        return status

    async def _ended(self, run_id: str) -> Any:
        async with asyncio.timeout(90):
            while True:
                status = await self.call("get_run_status", runId=run_id)
                if status["status"] in ENDED:
                    return status
                await asyncio.sleep(0.1)

    async def work(self) -> Work:
        """The task of one agent on its own, which nothing came before."""

        async def report(done: int, total: int) -> None:
            pass

        workspace = self.database.workspace(self.company)
        arguments = (workspace, self.registry, self.prober, now(), report, self.site_access)
        return Work("run", 0, self.brand, None, NO_CONFIGURATION, {}, *arguments)

    async def drafts(self) -> dict[str, str]:
        """Every draft of the repository by its title."""
        items = self.database.workspace(self.company).repository_items
        found, _ = await items.page(self.brand.key, "draft", 100, 0)
        return {one.title: one.body for one in found}

    async def written(self) -> AsyncGenerator[tuple[str, str]]:
        """Yield (table, text) for every text of the whole database, the queue's tables too."""

        def tables(connection: Connection) -> list[str]:
            return inspect(connection).get_table_names()

        async with self.database.writing() as connection:
            for table in await connection.run_sync(tables):
                for row in await connection.execute(text(f'SELECT * FROM "{table}"')):
                    for cell in row:
                        if isinstance(cell, str | bytes):
                            yield table, cell if isinstance(cell, str) else cell.decode(errors="replace")


class OpenHouse(Protocol):
    """Opens a house on the test's database; rivals are recorded beside its brand."""

    def __call__(
        self,
        website: str | None = ...,
        engines: EngineSettings | None = ...,
        rivals: Sequence[BrandDraft] = ...,
    ) -> AbstractAsyncContextManager[House]: ...


AgentEnds = dict[str, tuple[str, str | None]]
"""How each agent of a run ended: its status and the code of its error."""


@pytest.fixture
def opened(url: str, world: World) -> OpenHouse:
    """Opens a house on the test's database; rivals are recorded beside its brand."""

    @asynccontextmanager
    async def open_house(
        website: str | None = f"https://{DEALER}/",
        engines: EngineSettings | None = None,
        rivals: Sequence[BrandDraft] = (),
    ) -> AsyncGenerator[House]:
        database = await Database.open(url)
        registry = Registry(engines or EngineSettings())
        house = House(database, world, registry)
        try:
            await house.found(website, rivals)
            yield house
        finally:
            await house.engine.close()
            await registry.aclose()
            await database.close()

    return open_house


def ends_of(status: Any) -> AgentEnds:
    """How each agent of a run ended: (status, code of its error)."""
    return {
        agent["agent"]: (agent["status"], agent["error"]["code"] if agent["error"] else None)
        for agent in status["agents"]
    }


class Talker:
    """An AI engine that answers as `script` says, in the words of two interfaces, and counts."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.script: Callable[[str], str] = lambda asked: "Nobody knows."
        self.cites: Callable[[str], Sequence[str]] = lambda asked: ()
        self.base_url = ""

    @property
    def configured(self) -> EngineSettings:
        """It as an engine that needs no key."""
        return EngineSettings(compatible=(CompatibleSettings("talker", self.base_url, "m-1"),))

    @property
    def keyless(self) -> EngineSettings:
        """It as an engine that needs a key, and has none."""
        return EngineSettings(hosted={"chatgpt": HostedSettings(self.base_url, "m-1")})

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split()[0])
        sent = json.loads(await reader.readexactly(length))
        asked = (sent.get("messages") or sent["input"])[-1]["content"]
        self.asked.append(asked)
        told = self.script(asked)
        content: list[dict[str, Any]] = [{"type": "output_text", "text": told, "annotations": []}]
        cited: list[dict[str, Any]] = [
            {"type": "url_citation", "url_citation": {"url": url, "start_index": 0, "end_index": len(told)}}
            for url in self.cites(asked)
        ]
        message = {"role": "assistant", "content": told, "annotations": cited}
        body = json.dumps(
            {
                "model": "m-1",
                "status": "completed",
                "choices": [{"message": message, "finish_reason": "stop"}],
                "output": [{"type": "message", "role": "assistant", "content": content}],
            }
        ).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        writer.write(f"{head}Connection: close\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()


@pytest_asyncio.fixture(loop_scope="session")
async def talker() -> AsyncGenerator[Talker]:
    made = Talker()
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.base_url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    yield made
    server.close()


@pytest.fixture
def defective(sites: Sites) -> Handler:
    """A dealer's site without a sitemap, whose robots.txt keeps search bots out."""
    pages = sites.dealer(DEALER, vehicles=3)
    del pages["/sitemap.xml"]
    pages["/robots.txt"] = sites.answer(
        "User-agent: OAI-SearchBot\nDisallow: /\n\nUser-agent: *\nDisallow:\n", kind="text/plain"
    )
    return sites.serving(pages, DEALER)

"""A server and a worker in processes of their own, the connections that are harmed, and callers that do not give up."""

import asyncio
import json
import os
import random
import signal
import socket
import sys
import time
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
from sqlalchemy import text

from oauth.api_keys import make_api_key
from server.service import open_service
from server.settings import Settings
from storage.database import Database
from storage.repositories.brands import BrandDraft
from storage.repositories.prompt_sets import PromptSetDraft
from storage.repositories.prompts import PromptDraft
from storage.repositories.repository_items import ItemDraft
from storage.repositories.runs.runs import Run
from tests.held_ports import held_port
from tests.workflows.conftest import Talker
from tests.workflows.fault_proxy import FaultProxy
from tests.workflows.judging import draft_well
from workflows.credits import balance, period_of

COMPANIES = 2
SEED = int(os.environ.get("SEENBY_STORM_SEED", "20"))
PROCESS = Path(__file__).with_name("storm_process.py")
ROOT = Path(__file__).parents[2]
POSTGRES, REDIS = 5432, 6379
PROFILE: dict[str, Any] = {
    "industry": None,
    "website": None,
    "voice": None,
    "keywords": [],
    "target_audience": None,
}
ANSWERS = frozenset({200, 429, 503})
"""What a caller is told in a storm; a defect of ours would be another 5xx."""


def now() -> datetime:
    return datetime.now(UTC)


def listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=2):
        return True
    return False


def write_or_judge(asked: str) -> str:
    """Answer as an engine that writes one sentence that is a fact of the brand, and judges drafts by it."""
    return draft_well(asked, "Zentrix gives a warranty of 36 months.")


def is_full(answer: httpx2.Response) -> bool:
    """Tell whether a start is refused for the plan's number of runs at the same time."""
    return answer.status_code == 400 and "concurrent runs" in answer.text


@dataclass
class Storm:
    """Two processes of the service, three harmed connections, callers that do not give up."""

    address: str
    talker: Talker
    folder: Path
    chance: random.Random
    proxies: dict[str, FaultProxy] = field(default_factory=dict[str, FaultProxy])
    processes: dict[str, asyncio.subprocess.Process] = field(
        default_factory=dict[str, asyncio.subprocess.Process]
    )
    keys: dict[str, str] = field(default_factory=dict[str, str])
    """Each company's API key."""
    started: dict[str, str] = field(default_factory=dict[str, str])
    """Each idempotency key's run."""
    told: Counter[int] = field(default_factory=Counter[int])
    full: int = 0
    """Starts that were refused because as many runs as the plan has are live: nobody ends them while a worker stands."""
    faults: Counter[str] = field(default_factory=Counter[str])
    waits: list[float] = field(default_factory=list[float])
    """Seconds that each answered read took."""
    seconds: float = 20.0
    roles: tuple[str, ...] = ("serve", "worker")
    port: int = 0
    over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def clock(self) -> Path:
        return self.folder / "ahead"

    def environ(self, *, harmed: bool) -> dict[str, str]:
        ports = {"database": POSTGRES, "redis": REDIS} | (
            {name: proxy.port for name, proxy in self.proxies.items()} if harmed else {}
        )
        engine = {**self.talker.entry}
        if harmed:
            engine["baseUrl"] = f"http://127.0.0.1:{ports['engine']}/v1"
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SEENBY_")}
        return {
            **kept,
            "SEENBY_DATA_DIR": str(self.folder),
            "SEENBY_DATABASE_URL": self.address.replace(f":{POSTGRES}/", f":{ports['database']}/"),
            "SEENBY_ENGINE_COMPATIBLE": json.dumps([engine]),
            **({"SEENBY_REDIS_URL": f"redis://127.0.0.1:{ports['redis']}/9"} if listens(REDIS) else {}),
        }

    async def prepare(self) -> None:
        """Make companies with keys, brands and something to write about; start proxies and processes."""
        self.clock.write_text("0")
        targets = {"database": POSTGRES, "redis": REDIS, "engine": self.talker.server.server_address[1]}
        for name, port in targets.items():
            self.proxies[name] = FaultProxy(int(port))
            await self.proxies[name].start()
        async with open_service(Settings.from_environ(self.environ(harmed=False))) as service:
            for number in range(COMPANIES):
                async with service.database.operation() as operators:
                    email = f"storm-{number}@example.com"
                    company = await operators.companies.create(f"storm-{number}", email, "scale", now())
                    key = make_api_key(service.api_key_signing, company.id, now(), rate_limit=600)
                    await operators.api_keys.add(key.stored)
                    self.keys[company.id] = key.raw
                async with service.database.transaction(company.id) as workspace:
                    brand = await workspace.brands.save(BrandDraft("Zentrix"), [], PROFILE, now())
                    item = ItemDraft("Warranty", "Our warranty lasts 36 months.", "faq")
                    await workspace.repository_items.save(brand.key, [item], now())
                    prompts = PromptSetDraft("base", (PromptDraft("Which dealer repairs hybrid batteries?"),))
                    await workspace.prompt_sets.save(brand.key, prompts, now())
        for name in self.roles:
            await self.spawn(name)
        async with asyncio.timeout(90):
            await self.call(next(iter(self.keys)), "get_credits")

    async def spawn(self, name: str) -> None:
        options = ("--port", str(self.port)) if name == "serve" else ()
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = await asyncio.create_subprocess_exec(
                sys.executable,
                str(PROCESS),
                str(self.clock),
                name,
                *options,
                env={**self.environ(harmed=True), "PYTHONPATH": str(ROOT)},
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )

    async def call(self, company: str, tool: str, key: str | None = None, **arguments: Any) -> Any:
        """Call until the call is answered for good; the same key makes a repetition harmless."""
        headers = {"Authorization": f"Bearer {self.keys[company]}"}
        if key is not None:
            headers["Idempotency-Key"] = key
        while not self.over.is_set():
            with suppress(httpx2.HTTPError):
                async with httpx2.AsyncClient(timeout=15) as client:
                    path = f"http://127.0.0.1:{self.port}/api/mcp-app/rest/{tool}"
                    answer = await client.post(path, json=arguments, headers=headers)
                if is_full(answer):
                    self.full += 1
                    return None
                self.told[answer.status_code] += 1
                if answer.status_code not in (429, 500, 503):
                    return answer.json() if answer.status_code == 200 else None
            await asyncio.sleep(0.3)
        return None

    async def start_runs(self, company: str) -> None:
        """Start one run after the other, each by a key of its own, repeated until it is answered."""
        number = 0
        while not self.over.is_set():
            number += 1
            key = f"storm-{company[-6:]}-{number}"
            context = {"context": f"Note {key}."}
            made = await self.call(
                company, "run_workflow", key, workflowId="content_refresh", configuration=context
            )
            if made is not None:
                self.started[key] = made["runId"]
            await asyncio.sleep(0.5)

    async def read(self, company: str) -> None:
        while not self.over.is_set():
            started = time.perf_counter()
            if await self.call(company, "get_credits") is not None:
                self.waits.append(time.perf_counter() - started)
            await asyncio.sleep(0.1)

    async def harm(self) -> None:
        """Do one thing after the other to processes, connections and clock until the time is over."""
        loop = asyncio.get_running_loop()
        ends = loop.time() + self.seconds
        kinds = [self.harm_connection] * 4 + [self.kill, self.end, self.suspend, self.move_clock]
        # Each kind at least once, whatever chance says.
        waiting = [*dict.fromkeys(kinds)]
        while waiting or loop.time() < ends:
            await self.revive()
            kind = waiting.pop() if waiting else self.chance.choice(kinds)
            await kind()
            await asyncio.sleep(self.chance.uniform(0.5, 3.0))
        self.clock.write_text("0")
        await self.revive()

    async def revive(self) -> None:
        """Start again what ended by itself, as a supervisor does: a process that finds no database ends."""
        for name, process in self.processes.items():
            if process.returncode is not None:
                self.faults[f"{name} ended"] += 1
                await self.spawn(name)

    async def harm_connection(self) -> None:
        name = self.chance.choice(list(self.proxies))
        proxy, fault = self.proxies[name], self.chance.choice(("late", "cut", "refused", "stalled"))
        self.faults[f"{name} {fault}"] += 1
        if fault == "late":
            proxy.delay = 0.2
        elif fault == "refused":
            proxy.refusing = True
            proxy.cut()
        elif fault == "stalled":
            proxy.stalled = True
        else:
            proxy.cut()
        await asyncio.sleep(0 if fault == "cut" else self.chance.uniform(0.5, 2.5))
        proxy.heal()

    async def kill(self) -> None:
        await self.replace(signal.SIGKILL)

    async def end(self) -> None:
        await self.replace(signal.SIGTERM)

    async def replace(self, sent: signal.Signals) -> None:
        name = self.chance.choice(list(self.processes))
        self.faults[sent.name] += 1
        with suppress(ProcessLookupError):
            self.processes[name].send_signal(sent)
        async with asyncio.timeout(60):
            await self.processes[name].wait()
        await self.spawn(name)

    async def suspend(self) -> None:
        """Stop a process as a machine that sleeps would; others may take it for dead, or not."""
        process = self.processes[self.chance.choice(list(self.processes))]
        self.faults["SIGSTOP"] += 1
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(60 if self.seconds > 200 else 3)
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGCONT)

    async def move_clock(self) -> None:
        self.faults["clock"] += 1
        self.clock.write_text(self.chance.choice(("3600", "-3600", "0")))

    async def stop(self) -> None:
        for process in self.processes.values():
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)
                process.terminate()
        for process in self.processes.values():
            try:
                async with asyncio.timeout(45):
                    await process.wait()
            except TimeoutError:
                process.kill()
                await process.wait()
        for proxy in self.proxies.values():
            await proxy.stop()


@asynccontextmanager
async def storming(
    address: str, talker: Talker, folder: Path, seconds: float, roles: tuple[str, ...] = ("serve", "worker")
) -> AsyncGenerator[Storm]:
    with held_port() as port:
        chance = random.Random(SEED)
        storm = Storm(address, talker, folder, chance, seconds=seconds, roles=roles, port=port)
        try:
            await storm.prepare()
            yield storm
        finally:
            await storm.stop()


async def all_runs(database: Database, companies: list[str]) -> dict[str, tuple[str, Run]]:
    """Return every run there is with its company, whether a caller was told of it or not."""
    async with database.writing() as connection:
        rows = await connection.execute(text("SELECT company_id, id FROM workflow_runs"))
        found = [(str(row[0]), str(row[1])) for row in rows]
    kept: dict[str, tuple[str, Run]] = {}
    for company, run_id in found:
        run = await database.workspace(company).runs.find(run_id)
        assert company in companies
        assert run is not None
        kept[run_id] = (company, run)
    return kept


async def hold_to_their_books(database: Database, runs: dict[str, tuple[str, Run]], begun: datetime) -> None:
    """See that every run was paid for once and exactly, and that nothing is reserved any more."""
    for company in {company for company, _ in runs.values()}:
        workspace = database.workspace(company)
        entries = [
            one
            for period in {period_of(begun), period_of(now())}
            for one in await workspace.credits.entries(period)
        ]
        assert len({(one.run_id, one.kind) for one in entries}) == len(entries)
        have = await balance(workspace, now())
        assert (have.reserved, have.available + have.used) == (0, have.plan.credits + have.granted)
        for run_id, run in ((run_id, run) for run_id, (owner, run) in runs.items() if owner == company):
            agents = await workspace.run_agents.all(run.key)
            completed = sum(one.price for one in agents if one.status == "completed")
            charged = completed if run.status in ("completed", "partial_complete") else 0
            lines = {one.kind: one.amount for one in entries if one.run_id == run_id}
            assert lines == {"reserve": run.cost, "settle": charged, "refund": run.cost - charged}
            assert all(one.status not in ("pending", "running") for one in agents), run_id


async def why_runs_failed(database: Database, runs: dict[str, tuple[str, Run]]) -> Counter[str | None]:
    """Count the codes of failed runs, and of failed agents."""
    reasons: Counter[str | None] = Counter()
    for company, run in runs.values():
        if run.error_code is not None:
            reasons[run.error_code] += 1
        agents = await database.workspace(company).run_agents.all(run.key)
        own = [agent.error_code for agent in agents if agent.status == "failed"]
        reasons.update(own)
    return reasons

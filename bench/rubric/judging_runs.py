"""Runs the six workflows for five companies and holds each report to the rubric, with an engine or without.

Without `SEENBY_ENGINE_COMPATIBLE` agents that need an engine fail, and what can be checked without one is.
"""

import asyncio
import json
import logging
import os
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean
from typing import Any

from bench.rubric.checks import check_run
from bench.rubric.scoring import CRITERIA, read_scores, request
from bench.sites import BASE_URL, POLICY, Place, dealer, served
from engines.engine import Mode, Question
from engines.errors import EngineError
from engines.registry import Registry
from engines.settings import LOCAL, EngineSettings
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
from tools.calls.call import WorkspaceOpener
from tools.calls.dispatch import Dispatcher, Success
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.catalog import tool_table
from workflows.agents.agent import SiteAccess
from workflows.agents.catalog import AGENTS
from workflows.brand_sites import Sites
from workflows.cited_pages.reader import CitedPages
from workflows.engine.run_engine import RunEngine
from workflows.pricing import Pricing
from workflows.run_executor import Executor
from workflows.runs import RunService
from workflows.workflow_definitions import WORKFLOWS

COMPANIES = Path(__file__).with_name("companies.toml")
RUN_SECONDS = 600
OUTPUT_TOKENS = 800
LIVE = ("pending", "running")


def now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class RubricResult:
    """How one run of a workflow ended, its faults by criterion, and an engine's scores, None without a valid one."""

    company: str
    workflow: str
    status: str
    faults: Mapping[str, Sequence[str]]
    scores: Mapping[str, int | None] = field(default_factory=dict[str, "int | None"])


class RubricHouse:
    """The service's own parts over one new database, for one company."""

    def __init__(self, database: Database, registry: Registry, place: Place) -> None:
        self.database = database
        self.registry = registry
        policy, network = replace(POLICY, interval=0), place.network()
        self.engine = RunEngine(database, now)
        self.keys = EngineKeys(database, registry, Seal(b"0123456789abcdefghijklmnopqrstuvwxyz"))
        self.prober = Prober(database, registry, self.keys, Publisher(database, (), now), now)
        self.site_access = SiteAccess(
            Scanner(database, policy, BASE_URL, now, network),
            Sites(policy, now, network),
            CitedPages(replace(policy, requests=12), now, network),
        )
        desk = RunService(self.engine, Pricing(self.keys))
        opener = WorkspaceOpener(database)
        self.dispatcher = Dispatcher(tool_table(), RateLimits(MemoryWindows()), opener, run_desk=desk)
        self.company = ""
        self.brand_key = 0

    async def found(self, described: Mapping[str, Any]) -> None:
        """Make the company with its brand, texts and questions."""
        async with self.database.operation() as operators:
            name = str(described["name"])
            company = await operators.companies.create(name, f"{new_id()}@example.com", "scale", now())
            self.company = company.id
        async with self.database.transaction(self.company) as workspace:
            host = described["host"]
            profile: dict[str, Any] = {
                "industry": described["industry"],
                "website": f"https://{host}/",
                "voice": None,
                "keywords": [],
                "target_audience": None,
            }
            rival = BrandDraft(described["rival"], sites=(f"rival.{host}",))
            brand = await workspace.brands.save(BrandDraft(name, sites=(host,)), [rival], profile, now())
            items = [ItemDraft(title, body, "faq") for title, body in described["items"]]
            await workspace.repository_items.save(brand.key, items, now())
            prompts = tuple(PromptDraft(text, tags=("all",)) for text in described["prompts"])
            await workspace.prompt_sets.save(brand.key, PromptSetDraft("base", prompts), now())
            self.brand_key = brand.key

    async def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool as the company. Returns None when the call fails, such as for something not found."""
        principal = Principal(self.company, "key:rubric", frozenset({Scope.WRITE}), 100_000)
        outcome = await self.dispatcher.call(tool, arguments, Caller(principal, "192.0.2.1"))
        return json.loads(outcome.body) if isinstance(outcome, Success) else None

    async def run(self, workflow: str) -> Any:
        """Run a workflow to completion and return its status."""
        started = await self.call("run_workflow", workflowId=workflow)
        async with asyncio.timeout(RUN_SECONDS):
            while True:
                status = await self.call("get_run_status", runId=started["runId"])
                if status["status"] not in LIVE:
                    return status
                await asyncio.sleep(0.2)

    async def proposals(self) -> dict[str, str]:
        """Return the stored drafts by title."""
        items = self.database.workspace(self.company).repository_items
        drafts, _ = await items.page(self.brand_key, "draft", 100, 0)
        return {draft.title: draft.body for draft in drafts}


@asynccontextmanager
async def opened(
    folder: Path, registry: Registry, place: Place, described: Mapping[str, Any]
) -> AsyncGenerator[RubricHouse]:
    """A company on a new database, whose runs are executed until the block ends."""
    database = await Database.open(f"sqlite+aiosqlite:///{folder / described['host']}.db")
    await database.migrate()
    house = RubricHouse(database, registry, place)
    await house.engine.open()
    try:
        await house.found(described)
        executor = Executor(database, AGENTS, registry, house.prober, now, site_access=house.site_access)
        async with house.engine.working(executor):
            yield house
    finally:
        await house.engine.close()
        await database.close()


async def judge_runs(registry: Registry, names: Sequence[str] = ()) -> list[RubricResult]:
    """Run every workflow for every company, or those of these names, and judge each run."""
    with COMPANIES.open("rb") as file:
        companies = [
            company for company in tomllib.load(file)["company"] if not names or company["name"] in names
        ]
    platforms = [platform for platform in registry.configured_platforms if platform != LOCAL]
    scorer = platforms[0] if platforms else None
    hosts = [name for company in companies for name in (company["host"], f"rival.{company['host']}")]
    results: list[RubricResult] = []
    with (
        served({host: dealer() for host in hosts}) as place,
        tempfile.TemporaryDirectory(prefix="seenby-rubric-") as folder,
    ):
        for described in companies:
            async with opened(Path(folder), registry, place, described) as house:
                for workflow in WORKFLOWS:
                    status = await house.run(workflow)
                    faults = await check_run(status, await house.proposals(), house.call)
                    scores = await score(registry, scorer, described["name"], workflow, status["report"])
                    name = str(described["name"])
                    results.append(RubricResult(name, workflow, status["status"], faults, scores))
    return results


async def score(
    registry: Registry, scorer: str | None, company: str, workflow: str, report: str
) -> dict[str, int | None]:
    """Return an engine's scores of one report; nothing without an engine, no score where it does not answer."""
    if scorer is None:
        return {}
    text = request(company, workflow, report)
    question = Question(text, Mode.VISIBILITY, new_id(), max_output_tokens=OUTPUT_TOKENS, temperature=0.0)
    try:
        answer = await registry.get(scorer).ask(question, registry.credential(scorer))
    except EngineError:
        return dict.fromkeys(CRITERIA)
    return read_scores(answer.text, report)


def main() -> int:
    """Print faults and mean scores by workflow; `--list` names each fault."""
    sys.modules["xllamacpp"] = None  # type: ignore[assignment] # the built-in engine neither writes nor judges
    logging.disable(logging.WARNING)
    registry = Registry(EngineSettings.from_environ(os.environ))
    results = asyncio.run(judge_runs(registry))
    faults: dict[str, list[str]] = defaultdict(list)
    for result in results:
        for criterion, told in result.faults.items():
            faults[result.workflow] += [f"{result.company}: {criterion}: {fault}" for fault in told]
    print(f"{len(results)} runs; without an engine repeats, evidence and files are checked, and nothing else")
    for workflow in WORKFLOWS:
        runs = [result for result in results if result.workflow == workflow]
        ended = ", ".join(sorted({result.status for result in runs}))
        shown = ", ".join(
            f"{criterion} {mean(given):.1f} ({len(given)})"
            for criterion in CRITERIA
            if (given := [value for run in runs if (value := run.scores.get(criterion)) is not None])
        )
        print(f"  {workflow:18} {ended}; {len(faults[workflow])} faults; scores: {shown or 'none'}")
        for fault in faults[workflow] if "--list" in sys.argv else ():
            print(f"    {fault}")
    return len([fault for told in faults.values() for fault in told])

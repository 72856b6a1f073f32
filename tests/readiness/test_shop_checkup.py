# pyright: basic
# World and Sites are typed in conftest.py, which a test module cannot import.
"""The workflows that look at a brand's own site, with their real agents and the real engine, on synthetic sites."""

import asyncio
import json
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from engines.registry import Registry
from engines.settings import EngineSettings
from oauth.principal import Caller, Principal, Scope
from server.service import opener
from storage.database import Database
from storage.ids import new_id
from storage.repositories.brands import Draft
from tools.catalog import tool_table
from tools.dispatch import Dispatcher, Success
from tools.rate_limits import MemoryWindows, RateLimits
from workflows.agents import AGENTS
from workflows.agents.agent import Eyes
from workflows.engine import RunEngine
from workflows.executing import Executor
from workflows.runs import RunDesk
from workflows.scanning import Scanner
from workflows.sites import Sites as SitesOfBrands

pytestmark = pytest.mark.asyncio(loop_scope="session")
DEALER = "www.dealer.example.com"
PROFILE = {"industry": None, "voice": None, "keywords": [], "target_audience": None}
ENDED = ("completed", "partial_complete", "failed", "cancelled")


def now():
    return datetime.now(UTC)


class House:
    """A company on the free plan whose brand has its site on loopback, and the tools over it."""

    def __init__(self, database, world, registry):
        self.database, self.world, self.registry = database, world, registry
        self.engine = RunEngine(database, now)
        desk = RunDesk(self.engine, registry)
        limits = RateLimits(MemoryWindows())
        self.dispatcher = Dispatcher(tool_table(), limits, opener(database), run_desk=desk)
        self.company: str = ""
        self.brand: Any = None

    async def found(self, website, rivals=()):
        async with self.database.operation() as operators:
            self.company = (await operators.companies.create("Acme", "o@example.com", "free", now())).id
        async with self.database.transaction(self.company) as workspace:
            draft = Draft("Synthetic Motors", sites=("dealer.example.com",))
            profile = {**PROFILE, "website": website}
            self.brand = await workspace.brands.save(draft, list(rivals), profile, now())

    async def call(self, tool, **arguments) -> Any:
        principal = Principal(self.company, f"key:{new_id()}", frozenset({Scope.WRITE}), 600)
        outcome = await self.dispatcher.call(tool, arguments, Caller(principal, "192.0.2.1"))
        assert isinstance(outcome, Success), outcome
        return json.loads(outcome.body)

    async def run(self, workflow):
        """Run a workflow to its end and return its status."""
        world = self.world
        sites = SitesOfBrands(world.policy, now, world.network)
        scanner = Scanner(self.database, world.policy, "https://seenby.example.com", now, world.network)
        executor = Executor(self.database, AGENTS, self.registry, now, eyes=Eyes(scanner, sites))
        async with self.engine.working(executor), asyncio.timeout(60):
            started = await self.call("run_workflow", workflowId=workflow)
            while True:
                status = await self.call("get_run_status", runId=started["runId"])
                if status["status"] in ENDED:
                    return status
                await asyncio.sleep(0.1)

    async def drafts(self):
        found, _ = await self.database.workspace(self.company).repository_items.page(
            self.brand.key, "draft", 100, 0
        )
        return found


@asynccontextmanager
async def opened(url, world, website: Any = f"https://{DEALER}/", engines=None, rivals=()):
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


def agents_of(status):
    return {one["agent"]: (one["status"], (one["error"] or {}).get("code")) for one in status["agents"]}


async def test_a_checkup_scans_orders_what_to_mend_and_opens_issues(url, world, sites):
    pages = sites.dealer(DEALER, vehicles=4)
    pages["/robots.txt"] = sites.answer(
        "User-agent: OAI-SearchBot\nDisallow: /\n\nUser-agent: *\nDisallow:\n", kind="text/plain"
    )
    del pages["/contact"]
    async with opened(url, world) as house:
        world.server.hosts[DEALER] = sites.serving(pages, DEALER)
        status = await house.run("ai_shop_checkup")
        assert status["status"] == "completed", status["errors"]
        assert status["credits"] == {"reserved": 5, "charged": 5, "refunded": 0}
        found = {one["title"]: one for one in status["findings"]}
        gate = found["AI search bots are allowed: fails"]
        assert (gate["severity"], gate["sourceAgent"], gate["checkId"]) == (
            "critical",
            "checkup_reporter",
            "tech.bots.search_policy",
        )
        assert "OAI-SearchBot" in gate["evidence"][0]["excerpt"]
        assert gate["fix"]
        broken = found["A key page answers with status 404"]
        assert broken["evidence"][0]["url"] == f"https://{DEALER}/contact"
        monitoring = await house.call("get_monitoring_results", brandId=house.brand.id)
        alerts = {alert["issueId"] for one in monitoring["results"] for alert in one["alerts"]}
        assert {broken["issueId"], found["robots.txt keeps AI search bots out"]["issueId"]} == alerts
        told = await house.call("list_notifications")
        kinds = sorted((one["kind"], one["runId"]) for one in told["notifications"] if one["issueId"])
        run_id = status["runId"]
        assert kinds == [("bot_access", run_id), ("crawler_error", run_id), ("crawler_error", run_id)]
        assert found["The site was taken for: dealer"]["kind"] == "readiness"


async def test_a_site_that_keeps_us_away_fails_every_agent_with_the_reason_and_costs_nothing(
    url, world, sites
):
    async with opened(url, world) as house:
        closed = {"/robots.txt": sites.answer("User-agent: *\nDisallow: /\n", kind="text/plain")}
        world.server.hosts[DEALER] = sites.serving(sites.dealer(DEALER, vehicles=2) | closed, DEALER)
        status = await house.run("ai_shop_checkup")
        assert (status["status"], status["credits"]["charged"]) == ("failed", 0)
        assert agents_of(status)["site_profiler"] == ("failed", "site_refused_robots")
        told = await house.call("list_notifications")
        assert [(one["kind"], one["title"]) for one in told["notifications"]] == [
            ("system_alert", "The run of ai_shop_checkup failed")
        ]


async def test_without_a_site_there_is_nothing_to_check(url, world):
    async with opened(url, world, website=None) as house:
        async with house.database.transaction(house.company) as workspace:
            profile: dict[str, Any] = {**PROFILE, "website": None}
            await workspace.brands.save(Draft("Synthetic Motors"), [], profile, now())
        status = await house.run("ai_shop_checkup")
        assert agents_of(status)["site_profiler"] == ("failed", "no_input")
        assert world.dial.opened == []

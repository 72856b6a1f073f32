# pyright: basic
# World and Sites are typed in conftest.py, which a test module cannot import.
"""The workflows that look at a brand's own site, with their real agents and the real engine, on synthetic sites."""

import asyncio
import json
import sys
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from engines.registry import Registry
from engines.settings import CompatibleSettings, EngineSettings
from oauth.principal import Caller, Principal, Scope
from oauth.sealing import Seal
from server.service import opener
from storage.database import Database
from storage.ids import new_id
from storage.repositories.brands import Draft
from storage.repositories.prompt_sets import PromptDraft, PromptSetDraft
from storage.repositories.repository_items import ItemDraft
from tools.catalog import tool_table
from tools.dispatch import Dispatcher, Success
from tools.rate_limits import MemoryWindows, RateLimits
from workflows.agents import AGENTS, competitor_site_scanner
from workflows.agents.agent import Eyes, Work
from workflows.engine import RunEngine
from workflows.engine_keys import EngineKeys
from workflows.executing import Executor
from workflows.pricing import Pricing
from workflows.probing import Prober
from workflows.publishing import Publisher
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
        keys = EngineKeys(self.database, registry, Seal(b"0123456789abcdefghijklmnopqrstuvwxyz"))
        desk = RunDesk(self.engine, Pricing(keys))
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
        keys = EngineKeys(self.database, self.registry, Seal(b"0123456789abcdefghijklmnopqrstuvwxyz"))
        prober = Prober(self.database, self.registry, keys, Publisher(self.database, (), now), now)
        executor = Executor(self.database, AGENTS, self.registry, prober, now, eyes=Eyes(scanner, sites))
        async with self.engine.working(executor), asyncio.timeout(60):
            started = await self.call("run_workflow", workflowId=workflow)
            while True:
                status = await self.call("get_run_status", runId=started["runId"])
                if status["status"] in ENDED:
                    return status
                await asyncio.sleep(0.1)

    async def work(self):
        """The task of one agent on its own, which nothing came before."""
        world = self.world
        scanner = Scanner(self.database, world.policy, "https://seenby.example.com", now, world.network)
        eyes = Eyes(scanner, SitesOfBrands(world.policy, now, world.network))

        async def report(done, total):
            pass

        workspace = self.database.workspace(self.company)
        keys = EngineKeys(self.database, self.registry, Seal(b"0123456789abcdefghijklmnopqrstuvwxyz"))
        prober = Prober(self.database, self.registry, keys, Publisher(self.database, (), now), now)
        return Work("run", 0, self.brand, None, {}, {}, workspace, self.registry, prober, now(), report, eyes)

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


class Writer:
    """An engine on loopback that writes one text, whatever it is asked, and counts."""

    def __init__(self, text):
        self.asked: list[str] = []
        self.text = text

    async def serve(self, reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split()[0])
        self.asked.append(json.loads(await reader.readexactly(length))["messages"][-1]["content"])
        message = {"role": "assistant", "content": self.text}
        answer = {"model": "m-1", "choices": [{"message": message, "finish_reason": "stop"}]}
        body = json.dumps(answer).encode()
        sent = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        writer.write(f"{sent}Connection: close\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()


@asynccontextmanager
async def writing(text):
    """Serve a writer; yield it and the settings that make it an engine."""
    writer = Writer(text)
    server = await asyncio.start_server(writer.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    engine = CompatibleSettings("writer", f"http://127.0.0.1:{port}/v1", "m-1")
    yield writer, EngineSettings(compatible=(engine,))
    server.close()


async def furnish(house):
    """Give the brand a prompt that nothing covers, and one item."""
    async with house.database.transaction(house.company) as workspace:
        item = ItemDraft("Draft by a person", "Keep me as I am.", "draft")
        text = ItemDraft("Oil change", "We change the oil of every car while you wait.", "service")
        await workspace.repository_items.save(house.brand.key, [item, text], now())
        prompts = (PromptDraft("Who repairs hybrid batteries in Springfield?"),)
        await workspace.prompt_sets.save(house.brand.key, PromptSetDraft("base", prompts), now())


def defective(sites):
    """A dealer's site without a sitemap, whose robots.txt keeps search bots out."""
    pages = sites.dealer(DEALER, vehicles=3)
    del pages["/sitemap.xml"]
    pages["/robots.txt"] = sites.answer(
        "User-agent: OAI-SearchBot\nDisallow: /\n\nUser-agent: *\nDisallow:\n", kind="text/plain"
    )
    return sites.serving(pages, DEALER)


async def test_fixing_proposes_files_and_drafts_whose_facts_the_site_itself_states(url, world, sites):
    known = "Synthetic Motors repairs hybrid batteries. Call (202) 555-0143."
    async with writing(known) as (writer, engines), opened(url, world, engines=engines) as house:
        await furnish(house)
        world.server.hosts[DEALER] = defective(sites)
        status = await house.run("fix_visibility")
        assert status["status"] == "completed", status["errors"]
        assert status["credits"]["charged"] == 7
        drafts = {one.title.rpartition(" (")[0] or one.title: one.body for one in await house.drafts()}
        assert drafts.keys() == {
            "Draft by a person",
            "Proposed robots.txt",
            "Proposed sitemap.xml",
            "Proposed llms.txt",
            "Who repairs hybrid batteries in Springfield?",
        }
        assert drafts["Draft by a person"] == "Keep me as I am."
        assert drafts["Who repairs hybrid batteries in Springfield?"] == known
        assert "+User-agent: OAI-SearchBot" in drafts["Proposed robots.txt"]
        assert f"<loc>https://{DEALER}/inventory</loc>" in drafts["Proposed sitemap.xml"]
        titles = [one["title"] for one in status["findings"]]
        assert "AI search bots are allowed: fail before, fail now" in titles
        assert any(title.startswith("Likely gap: no repository item covers") for title in titles)
        assert len(writer.asked) == 1


async def test_a_draft_that_names_a_person_or_a_number_of_its_own_is_refused(url, world, sites):
    made_up = "Ask for Jane Miller. She repairs hybrid batteries for $99."
    async with writing(made_up) as (_, engines), opened(url, world, engines=engines) as house:
        await furnish(house)
        world.server.hosts[DEALER] = defective(sites)
        status = await house.run("fix_visibility")
        assert status["status"] == "partial_complete"
        assert agents_of(status)["fact_guard"] == ("failed", "facts_not_supported")
        assert not [one for one in await house.drafts() if made_up in one.body]


async def test_without_an_engine_that_writes_nothing_is_drafted_and_the_rest_is_done(url, world, sites):
    async with opened(url, world) as house:
        await furnish(house)
        world.server.hosts[DEALER] = defective(sites)
        status = await house.run("fix_visibility")
        assert status["status"] == "partial_complete"
        assert status["credits"] == {"reserved": 7, "charged": 4, "refunded": 3}
        ends = agents_of(status)
        assert ends["content_drafter"] == ("failed", "provider_not_configured")
        assert ends["fact_guard"] == ("skipped", None)
        assert ends["verifier"] == ("completed", None)
        assert not [one for one in await house.drafts() if one.title.startswith("Who repairs")]


async def test_competitors_are_scanned_privately_and_one_that_does_not_answer_is_named(url, world, sites):
    rivals = [
        Draft("Other Garage", sites=("www.shop.example.com",)),
        Draft("Gone", sites=("www.detailing.example.com",)),
    ]
    async with opened(url, world, rivals=rivals) as house:
        host = "www.shop.example.com"
        world.server.hosts[host] = sites.serving(sites.repair_shop(host), host)
        result = await competitor_site_scanner.run(await house.work())
        assert [one["name"] for one in result.output["reports"]] == ["Other Garage"]
        assert result.output["failures"] == [{"name": "Gone", "code": "site_unreachable"}]
        assert await house.database.operators.readiness.newest(10) == []
        report_id = result.output["reports"][0]["reportId"]
        assert await house.database.workspace(house.company).readiness.report(report_id) is not None


async def test_with_no_engine_at_all_the_full_service_does_what_needs_none(url, world, sites, monkeypatch):
    monkeypatch.setitem(sys.modules, "xllamacpp", None)  # a machine without the built-in engine
    rival = "rival.example.com"
    async with opened(url, world, rivals=(Draft("Globex", sites=(rival,)),)) as house:
        for host in (DEALER, rival):
            world.server.hosts[host] = sites.serving(sites.dealer(host, vehicles=2), host)
        async with house.database.operation() as operators:
            await operators.companies.set_plan(house.company, "scale")
        async with house.database.transaction(house.company) as workspace:
            asked = PromptSetDraft("Buyers", (PromptDraft("Which garage is good?"),))
            await workspace.prompt_sets.save(house.brand.key, asked, now())
        status = await house.run("full_service")
        assert (status["status"], status["credits"]["charged"]) == ("partial_complete", 9), agents_of(status)
        failed = {name: code for name, (state, code) in agents_of(status).items() if state == "failed"}
        assert failed == dict.fromkeys(("answer_prober", "content_drafter"), "provider_not_configured")
        again = await house.run("competitive_scan")
        assert (again["status"], again["credits"]["charged"]) == ("partial_complete", 2), agents_of(again)

# World and Sites are typed in conftest.py, which a test module cannot import.
"""Monitors on synthetic sites: what they see, what opens and resolves, and that a slot is looked at once."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import jsonschema
import pytest

from engines.registry import Registry
from engines.settings import EngineSettings
from measurement.asking.probe import Prober
from measurement.planning.engine_keys import EngineKeys
from measurement.publication.publish import Publisher
from oauth.principal import Caller, Principal, Scope
from oauth.sealing import Seal
from storage.database import Database
from storage.repositories.brands import BrandDraft
from tests.readiness.conftest import Answer, Handler, Pages, Sites, World
from tools.calls.call import WorkspaceOpener
from tools.calls.dispatch import Dispatcher, Success
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.catalog import tool_table
from workflows.agents.catalog import AGENTS
from workflows.brand_sites import Sites as SitesOfBrands
from workflows.engine.run_engine import RunEngine
from workflows.monitoring import MonitorService
from workflows.run_executor import Executor

pytestmark = pytest.mark.asyncio(loop_scope="session")
DEALER = "www.dealer.example.com"
START = datetime(2026, 3, 1, 12, tzinfo=UTC)
BOTH = pytest.mark.parametrize("url", ["sqlite", "postgres"], indirect=True)
CRAWL, GAPS, BOTS = "crawler_check", "content_gap_monitor", "bot_access_monitor"
PROFILE: dict[str, Any] = {"industry": None, "voice": None, "keywords": [], "target_audience": None}


class Watch:
    """A company with a brand whose site is on loopback; a day passes with every look."""

    def __init__(self, database: Database, world: World, sites: Sites):
        self.database, self.world, self.sites = database, world, sites
        self.now = START
        self.engine = RunEngine(database, lambda: self.now)
        self.monitors = self.console()
        self.dispatcher = Dispatcher(tool_table(), RateLimits(MemoryWindows()), WorkspaceOpener(database))
        self.company: str = ""
        self.brand: Any = None

    def console(self) -> MonitorService:
        seen = SitesOfBrands(self.world.policy, lambda: self.now, self.world.network)
        return MonitorService(self.database, self.engine, seen, lambda: self.now)

    async def found(
        self, website: str = f"https://{DEALER}/", domains: Sequence[str] = ("dealer.example.com",)
    ) -> None:
        async with self.database.operation() as operators:
            made = await operators.companies.create("Acme", "owner@example.com", "growth", START)
        self.company = made.id
        async with self.database.transaction(made.id) as workspace:
            draft = BrandDraft("Acme", sites=tuple(domains))
            self.brand = await workspace.brands.save(draft, [], {**PROFILE, "website": website}, START)

    def serve(self, pages: Pages | Handler, host: str = DEALER) -> None:
        handler = pages if callable(pages) else self.sites.serving(pages, host)
        self.world.server.hosts[host] = handler

    async def look(self, script: str) -> Any:
        self.now += timedelta(days=1)
        return await self.monitors.look(self.company, self.brand.id, script, self.now)

    async def call(self, tool: str, **arguments: Any) -> Any:
        principal = Principal(self.company, "key:one", frozenset({Scope.READ}), 600)
        outcome = await self.dispatcher.call(tool, arguments, Caller(principal, "192.0.2.1"))
        assert isinstance(outcome, Success), outcome
        return json.loads(outcome.body)

    async def alerts(self, script: str) -> list[dict[str, Any]]:
        monitoring_results = await self.call("get_monitoring_results", brandId="acme")
        return next(result for result in monitoring_results["results"] if result["script"] == script)[
            "alerts"
        ]

    async def told(self) -> list[tuple[str, str, str]]:
        notifications = await self.call("list_notifications", limit=100)
        return [
            (notification["kind"], notification["severity"], notification["title"])
            for notification in reversed(notifications["notifications"])
        ]


@asynccontextmanager
async def watching(url: str, world: World, sites: Sites, **brand: Any) -> AsyncGenerator[Watch]:
    database = await Database.open(url)
    watch = Watch(database, world, sites)
    try:
        await watch.found(**brand)
        yield watch
    finally:
        await watch.engine.close()
        await database.close()


@pytest.mark.requirement("RES-07", "TOOL-13")
async def test_a_broken_page_opens_an_issue_that_resolves_after_two_checks(
    url: str, world: World, sites: Sites
) -> None:
    async with watching(url, world, sites) as watch:
        whole = sites.dealer(DEALER, vehicles=4)
        broken = {path: answer for path, answer in whole.items() if path != "/contact"}
        watch.serve(whole)
        first = await watch.look(CRAWL)
        assert (first.status, first.metrics["errors"]) == ("ok", 0), (first, await watch.alerts(CRAWL))
        assert first.metrics["urls"] > 15
        watch.serve(broken)
        for _ in range(3):
            assert (await watch.look(CRAWL)).status == "issues"
        shown = await watch.call("get_monitoring_results", brandId=watch.brand.id)
        assert (await watch.call("get_brand_snapshot", brandId="Acme"))["monitoring"] == shown
        jsonschema.validate(shown, watch.dispatcher.table["get_monitoring_results"].output_schema)
        [alert] = await watch.alerts(CRAWL)
        assert (alert["severity"], alert["title"]) == ("critical", "A key page answers with status 404")
        assert alert["url"] == f"https://{DEALER}/contact"
        assert (alert["firstSeen"], alert["lastSeen"]) == ("2026-03-03T12:00:00Z", "2026-03-05T12:00:00Z")
        assert shown["openIssues"] == {"total": 1, "critical": 1}
        overview = await watch.call("get_dashboard_overview")
        assert (overview["openIssues"], overview["unreadNotifications"]) == ({"total": 1, "critical": 1}, 1)
        watch.serve(whole)
        assert (await watch.look(CRAWL)).status == "issues"
        assert (await watch.look(CRAWL)).status == "ok"
        watch.serve(broken)
        await watch.look(CRAWL)
        opened = ("crawler_error", "critical", "A key page answers with status 404")
        assert await watch.told() == [opened, opened]


async def test_a_look_that_saw_nothing_changes_nothing(url: str, world: World, sites: Sites) -> None:
    async with watching(url, world, sites) as watch:
        whole = sites.dealer(DEALER, vehicles=4)
        closed = {"/robots.txt": sites.answer("User-agent: *\nDisallow: /\n", kind="text/plain")}
        watch.serve({path: answer for path, answer in whole.items() if path != "/contact"})
        for _ in range(2):
            await watch.look(CRAWL)
        before = await watch.alerts(CRAWL)
        watch.serve(whole | closed)
        for _ in range(3):
            result = await watch.look(CRAWL)
            assert (result.status, result.error_code) == ("error", "robots_disallowed")
        assert await watch.alerts(CRAWL) == before
        monitoring_results = await watch.call("get_monitoring_results", brandId="Acme")
        shown = next(result for result in monitoring_results["results"] if result["script"] == CRAWL)
        assert shown["error"]["message"].startswith("Robots.txt keeps our bot away")
        assert len(await watch.told()) == 1


async def test_what_may_pass_by_itself_must_be_seen_twice(url: str, world: World, sites: Sites) -> None:
    async with watching(url, world, sites) as watch:

        def busy(scheme: str, path: str, headers: dict[str, str]) -> Answer | None:
            return None if path == "/robots.txt" else sites.answer("busy", 503)

        watch.serve(busy)
        assert (await watch.look(CRAWL)).status == "issues"
        assert await watch.told() == []
        await watch.look(CRAWL)
        down = ("crawler_error", "critical", "The site is down: its home page answers with status 503")
        assert await watch.told() == [down]


async def test_a_site_that_is_down_is_told_as_down_and_says_nothing_about_bots(
    url: str, world: World, sites: Sites
) -> None:
    async with watching(url, world, sites) as watch:
        watch.serve(sites.dealer(DEALER, vehicles=2))
        for script in (CRAWL, BOTS):
            await watch.look(script)
        watch.serve(lambda scheme, path, headers: sites.answer("busy", 503))
        for script in (CRAWL, BOTS) * 3:
            await watch.look(script)
        down = ("crawler_error", "critical", "The site is down: its home page answers with status 503")
        assert await watch.told() == [down]
        shown = (await watch.look(BOTS)).metrics
        assert (shown["state"], shown["newlyDenied"], shown["search"]["denied"]) == ("down", [], None)
        watch.serve(sites.dealer(DEALER, vehicles=2))
        assert (await watch.look(BOTS)).metrics["newlyAllowed"] == []
        assert await watch.told() == [down]


async def test_a_site_that_refuses_our_visits_is_told_as_that_and_not_as_broken(
    url: str, world: World, sites: Sites
) -> None:
    challenge = sites.answer("<title>Just a moment...</title><p>Checking your browser</p>", 200)
    whole = sites.dealer(DEALER, vehicles=2)

    def guarded(scheme: str, path: str, headers: dict[str, str]):
        return whole[path] if path == "/robots.txt" else challenge

    async with watching(url, world, sites) as watch:
        watch.serve(guarded)
        for script in (CRAWL, BOTS) * 2:
            await watch.look(script)
        assert await watch.told() == [
            (
                "crawler_error",
                "warning",
                "The site keeps our visits out (status 200), so nothing of it could be checked",
            )
        ]


async def test_a_first_bad_look_is_followed_by_a_second_within_the_hour(
    url: str, world: World, sites: Sites
) -> None:
    async with watching(url, world, sites) as watch:
        await watch.monitors.start_due(watch.now)
        watch.serve(lambda scheme, path, headers: sites.answer("busy", 503))
        await watch.look(CRAWL)
        again = {result["script"]: result["nextRunAt"] for result in await results(watch)}[CRAWL]
        assert again <= (watch.now + timedelta(hours=1)).isoformat()[:19] + "Z"


async def test_monitors_judge_noindex_robots_and_certificates_as_scans_do(
    url: str, world: World, sites: Sites
) -> None:
    async with watching(url, world, sites) as watch:
        pages = sites.dealer(DEALER, vehicles=4)
        pages["/"].headers["X-Robots-Tag"] = "noindex"
        pages["/robots.txt"] = sites.page("Not found", "<h1>Nothing here</h1>")
        watch.serve(pages)
        watch.now = datetime(9000, 1, 1, tzinfo=UTC)
        for _ in range(2):
            await watch.look(CRAWL)
        assert {title for _, severity, title in await watch.told() if severity == "critical"} == {
            "The home page asks not to be indexed",
            "robots.txt cannot be read by crawlers",
            "The certificate has expired",
        }


async def test_a_policy_that_changes_is_told_and_training_is_a_choice(
    url: str, world: World, sites: Sites
) -> None:
    def robots(*denied: str):
        groups = "".join(f"User-agent: {bot}\nDisallow: /\n\n" for bot in denied)
        return {"/robots.txt": sites.answer(f"{groups}User-agent: *\nDisallow:\n", kind="text/plain")}

    async with watching(url, world, sites) as watch:
        whole = sites.dealer(DEALER, vehicles=4)
        watch.serve(whole | robots("GPTBot"))
        first = await watch.look(BOTS)
        assert (first.status, first.metrics["training"]["denied"]) == ("ok", 1)
        assert first.metrics["headersProbed"] == 4
        watch.serve(whole | robots("GPTBot", "ClaudeBot", "OAI-SearchBot", "ChatGPT-User"))
        second = await watch.look(BOTS)
        assert second.metrics["newlyDenied"] == ["ChatGPT-User", "ClaudeBot", "OAI-SearchBot"]
        assert await watch.told() == []
        await watch.look(BOTS)
        assert await watch.told() == [
            ("bot_access", "critical", "robots.txt keeps AI search bots out"),
            ("bot_access", "warning", "robots.txt keeps agents out that fetch for a person"),
            ("bot_access", "info", "robots.txt newly keeps training bots out"),
        ]
        watch.serve(whole | robots())
        await watch.look(BOTS)
        assert (await watch.look(BOTS)).status == "ok"
        assert len(await watch.told()) == 3


async def test_a_header_reaction_is_reported_the_second_time_if_authorized(
    url: str, world: World, sites: Sites
) -> None:
    whole = sites.dealer(DEALER, vehicles=4)

    def reacting(scheme: str, path: str, headers: dict[str, str]):
        if "GPT" in headers["user-agent"] or "OAI" in headers["user-agent"]:
            return sites.answer("no", 403)
        return sites.serving(whole, DEALER)(scheme, path, headers)

    async with watching(url, world, sites) as watch:
        watch.serve(reacting)
        await watch.look(BOTS)
        assert await watch.told() == []
        await watch.look(BOTS)
        [notifications] = await watch.told()
        assert notifications[:2] == ("bot_access", "warning")
        async with watch.database.transaction(watch.company) as workspace:
            profile = {**PROFILE, "website": f"https://{DEALER}/"}
            watch.brand = await workspace.brands.save(BrandDraft("Acme"), [], profile, watch.now)
        world.server.requests.clear()
        assert (await watch.look(BOTS)).metrics["headersProbed"] == 0
        assert {headers["user-agent"][:6] for _, _, headers in world.server.requests} == {"Seenby"}


async def test_only_the_brands_hosts_are_visited_and_none_skips_the_check(
    url: str, world: World, sites: Sites
) -> None:
    async with watching(url, world, sites, website=None, domains=()) as watch:
        for script, code in ((CRAWL, "no_website"), (BOTS, "no_website"), (GAPS, "no_answers")):
            result = await watch.look(script)
            assert (result.status, result.error_code) == ("skipped", code)
        assert world.dial.opened == []
        async with watch.database.transaction(watch.company) as workspace:
            profile = {**PROFILE, "website": "https://elsewhere.example.org/"}
            draft = BrandDraft("Acme", sites=("dealer.example.com",))
            watch.brand = await workspace.brands.save(draft, [], profile, watch.now)
        for script in (CRAWL, BOTS):
            await watch.look(script)
        assert {origin.partition("://")[2] for origin, _, _ in world.server.requests} == {
            "dealer.example.com"
        }


@BOTH
async def test_a_due_slot_is_looked_at_once_however_many_processes_try(
    url: str, world: World, sites: Sites
) -> None:
    async with watching(url, world, sites, website=None, domains=()) as watch:
        assert await watch.monitors.start_due(watch.now) == 0
        watch.now += timedelta(days=1)
        counts = await asyncio.gather(*(watch.console().start_due(watch.now) for _ in range(3)))
        assert sum(counts) == 3
        assert await watch.monitors.start_due(watch.now) == 0
        registry = Registry(EngineSettings())
        keys = EngineKeys(watch.database, registry, Seal(b"0123456789abcdefghijklmnopqrstuvwxyz"))
        publisher = Publisher(watch.database, (), lambda: watch.now)
        prober = Prober(watch.database, registry, keys, publisher, lambda: watch.now)
        executor = Executor(watch.database, AGENTS, registry, prober, lambda: watch.now)
        async with watch.engine.working(executor, watch.monitors), asyncio.timeout(30):
            while any(result["status"] == "pending" for result in await results(watch)):
                await asyncio.sleep(0.1)
        assert {(result["script"], result["status"]) for result in await results(watch)} == {
            (script, "skipped") for script in (CRAWL, GAPS, BOTS)
        }
        await registry.aclose()
        slots = [result["nextRunAt"] for result in await results(watch)]
        assert all(watch.now.isoformat()[:19] < slot for slot in slots)


async def results(watch: Watch):
    return (await watch.call("get_monitoring_results", brandId="Acme"))["results"]


@BOTH
async def test_a_look_that_is_repeated_stores_and_tells_once(url: str, world: World, sites: Sites) -> None:
    async with watching(url, world, sites) as watch:
        whole = sites.dealer(DEALER, vehicles=2)
        watch.serve({path: answer for path, answer in whole.items() if path != "/contact"})
        slot = watch.now
        looks = [watch.monitors.look(watch.company, watch.brand.id, CRAWL, slot) for _ in range(2)]
        first, second = await asyncio.gather(*looks)
        third = await watch.monitors.look(watch.company, watch.brand.id, CRAWL, slot)
        assert first == second == third
        assert await watch.told() == []
        await watch.look(CRAWL)
        assert len(await watch.told()) == 1


async def test_a_monitor_that_nobody_ran_for_days_is_told_once_a_day(
    url: str, world: World, sites: Sites
) -> None:
    async with watching(url, world, sites, website=None, domains=()) as watch:
        await watch.monitors.start_due(watch.now)
        watch.now += timedelta(days=1)
        assert await watch.monitors.start_due(watch.now) == 3
        watch.now += timedelta(days=9)
        assert await watch.monitors.start_due(watch.now) == 3
        assert [title for _, _, title in await watch.told()] == ["Monitors are overdue"]


async def test_a_monitor_that_never_ran_before_is_not_overdue(url: str, world: World, sites: Sites) -> None:
    async with watching(url, world, sites, website=None, domains=()) as watch:
        await watch.monitors.start_due(watch.now)
        watch.now += timedelta(days=9)
        assert await watch.monitors.start_due(watch.now) == 3
        assert await watch.told() == []

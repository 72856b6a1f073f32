# World, Sites and House are typed in files named conftest.py, which a test module cannot import.
"""The workflows that look at a brand's own site, with their real agents and the real engine, on synthetic sites."""

from datetime import UTC, datetime
from typing import Any

import pytest

from storage.repositories.brands import BrandDraft
from tests.readiness.conftest import Handler, Sites, World
from tests.readiness.workflows.conftest import OpenHouse, Talker, ends_of
from tests.workflows.judging import draft_well, is_judging
from workflows.agents.competitors import run_competitor_site_scanner
from workflows.agents.outputs.site import CompetitorScans, FailedScan

pytestmark = pytest.mark.asyncio(loop_scope="session")
DEALER = "www.dealer.example.com"
PROFILE: dict[str, Any] = {"industry": None, "voice": None, "keywords": [], "target_audience": None}


async def test_a_checkup_scans_orders_what_to_mend_and_opens_issues(
    opened: OpenHouse, world: World, sites: Sites
) -> None:
    pages = sites.dealer(DEALER, vehicles=4)
    pages["/robots.txt"] = sites.answer(
        "User-agent: OAI-SearchBot\nDisallow: /\n\nUser-agent: *\nDisallow:\n", kind="text/plain"
    )
    del pages["/contact"]
    async with opened() as house:
        world.server.hosts[DEALER] = sites.serving(pages, DEALER)
        status = await house.run("ai_shop_checkup")
        assert status["status"] == "completed", status["errors"]
        assert status["credits"] == {"reserved": 5, "charged": 5, "refunded": 0}
        findings = {finding["title"]: finding for finding in status["findings"]}
        gate = findings["AI search bots are allowed: fails"]
        assert (gate["severity"], gate["sourceAgent"], gate["checkId"]) == (
            "critical",
            "checkup_reporter",
            "tech.bots.search_policy",
        )
        assert "OAI-SearchBot" in gate["evidence"][0]["excerpt"]
        assert gate["fix"]
        broken = findings["A key page answers with status 404"]
        assert broken["evidence"][0]["url"] == f"https://{DEALER}/contact"
        monitoring = await house.call("get_monitoring_results", brandId=house.brand.id)
        # What a single look saw becomes an issue when a second look confirms it.
        assert [alert for result in monitoring["results"] for alert in result["alerts"]] == []
        assert {broken["issueId"], findings["robots.txt keeps AI search bots out"]["issueId"]} == {None}
        notifications = await house.call("list_notifications")
        kinds = sorted(
            (notification["kind"], notification["runId"])
            for notification in notifications["notifications"]
            if notification["issueId"]
        )
        run_id = status["runId"]
        assert kinds == [("crawler_error", run_id)]
        assert findings["The site was taken for: dealer"]["kind"] == "readiness"


async def test_a_blocked_site_fails_every_agent_and_costs_nothing(
    opened: OpenHouse, world: World, sites: Sites
) -> None:
    async with opened() as house:
        closed = {"/robots.txt": sites.answer("User-agent: *\nDisallow: /\n", kind="text/plain")}
        world.server.hosts[DEALER] = sites.serving(sites.dealer(DEALER, vehicles=2) | closed, DEALER)
        status = await house.run("ai_shop_checkup")
        assert (status["status"], status["credits"]["charged"]) == ("failed", 0)
        assert ends_of(status)["site_profiler"] == ("failed", "site_refused_robots")
        notifications = await house.call("list_notifications")
        assert [
            (notification["kind"], notification["title"]) for notification in notifications["notifications"]
        ] == [("system_alert", "AI shop checkup failed")]


async def test_without_a_site_there_is_nothing_to_check(opened: OpenHouse, world: World) -> None:
    async with opened(website=None) as house:
        async with house.database.transaction(house.company) as workspace:
            profile: dict[str, Any] = {**PROFILE, "website": None}
            await workspace.brands.save(BrandDraft("Synthetic Motors"), [], profile, datetime.now(UTC))
        status = await house.run("ai_shop_checkup")
        assert ends_of(status)["site_profiler"] == ("failed", "no_input")
        assert world.dial.opened == []


async def test_runs_for_one_site_wait_for_each_other_and_share_a_fresh_report(
    opened: OpenHouse, world: World, sites: Sites
) -> None:
    async with opened() as house:
        await house.plan("growth")
        world.server.hosts[DEALER] = sites.serving(sites.dealer(DEALER, vehicles=4), DEALER)
        ended = await house.run_at_once(*["ai_shop_checkup"] * 3)
        assert {ends_of(ended_run)["readiness_scanner"] for ended_run in ended} == {("completed", None)}
        scans = await house.database.workspace(house.company).readiness.scans(10)
        assert len(scans) < 3, "some run shared the report that it waited for"
        assert {scan.state for scan in scans} == {"completed"}


async def test_fixes_propose_files_and_drafts_with_the_sites_own_facts(
    opened: OpenHouse, world: World, talker: Talker, defective: Handler
) -> None:
    known = "We answer on the same day. Call (202) 555-0143."
    talker.script = lambda asked: draft_well(asked, known)
    async with opened(engines=talker.configured) as house:
        await house.furnish()
        world.server.hosts[DEALER] = defective
        status = await house.run("fix_visibility")
        assert status["status"] == "completed", status["errors"]
        assert status["credits"]["charged"] == 7
        drafts = await house.drafts()
        assert drafts.keys() == {
            "Draft by a person",
            "Proposed robots.txt",
            "Proposed sitemap.xml",
            "Proposed llms.txt",
            "Who repairs hybrid batteries in Springfield?",
        }
        assert drafts["Draft by a person"] == "Keep me as I am."
        assert drafts["Who repairs hybrid batteries in Springfield?"] == known
        assert "+Allow: /$" in drafts["Proposed robots.txt"]
        assert f"<loc>https://{DEALER}/</loc>" in drafts["Proposed sitemap.xml"]
        assert f"<loc>https://{DEALER}/inventory</loc>" in drafts["Proposed sitemap.xml"]
        titles = [finding["title"] for finding in status["findings"]]
        assert not any("before" in title and "now" in title for title in titles)
        robots = next(finding for finding in status["findings"] if finding["title"] == "Proposed robots.txt")
        assert "tech.bots.search_policy" in robots["detail"]
        verifier = next(agent for agent in status["agents"] if agent["agent"] == "verifier")
        assert "once it is published" in verifier["summary"]
        assert any(title.startswith("Likely gap: nothing that is published covers") for title in titles)
        assert [is_judging(asked) for asked in talker.asked] == [False, True]


async def test_a_draft_with_an_unknown_person_or_price_needs_review(
    opened: OpenHouse, world: World, talker: Talker, defective: Handler
) -> None:
    made_up = "Ask for Jane Miller. She repairs hybrid batteries for $99."
    talker.script = lambda asked: draft_well(asked, made_up)
    async with opened(engines=talker.configured) as house:
        await house.furnish()
        world.server.hosts[DEALER] = defective
        status = await house.run("fix_visibility")
        assert status["status"] == "completed", status["errors"]
        assert made_up in (await house.drafts()).values()
        [review] = [
            finding for finding in status["findings"] if finding["title"].startswith("Draft needs review")
        ]
        assert "Not found in the cited facts: Jane Miller" in review["detail"]
        assert "Not found in the cited facts: $99" in review["detail"]


async def test_competitors_are_scanned_privately_and_failures_are_named(
    opened: OpenHouse, world: World, sites: Sites
) -> None:
    rivals = [
        BrandDraft("Other Garage", sites=("www.shop.example.com",)),
        BrandDraft("Gone", sites=("www.detailing.example.com",)),
    ]
    async with opened(rivals=rivals) as house:
        host = "www.shop.example.com"
        world.server.hosts[host] = sites.serving(sites.repair_shop(host), host)
        result = await run_competitor_site_scanner(await house.work())
        scans = result.output
        assert isinstance(scans, CompetitorScans)
        assert [report.name for report in scans.reports] == ["Other Garage"]
        assert scans.failures == (FailedScan(name="Gone", code="site_unreachable"),)
        assert await house.database.operators.readiness.newest(10) == []
        report_id = scans.reports[0].report_id
        assert await house.database.workspace(house.company).readiness.report(report_id) is not None

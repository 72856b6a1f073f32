import asyncio
import json
import math
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import jsonschema
import pytest
from sqlalchemy import text

from readiness.fetching import urls
from readiness.fetching.errors import ScanRefused, ScanWithoutReport
from readiness.report.document import markdown
from readiness.scans.scan_service import delete_old_reports
from server.mcp.readiness_resources import ReadinessReports, readiness_method
from storage.repositories.readiness import ScanDraft
from tests.readiness.conftest import Sites, World
from tests.readiness.scans.conftest import Console, OpenBrowser, OpenConsole
from tools.calls.dispatch import Refusal, Success
from tools.calls.errors import FORMS

pytestmark = pytest.mark.asyncio(loop_scope="session")
DEALER = "www.dealer.example.com"
REPORT = "get_agentic_readiness_report"
METHOD = "get_agentic_readiness_methodology"
DOCS = "get_agentic_readiness_developer_docs"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
BOTH = pytest.mark.parametrize("url", ["sqlite", "postgres"], indirect=True)


@BOTH
@pytest.mark.requirement("RES-17", "TOOL-01")
async def test_a_stored_scan_is_found_by_every_form_of_its_url(
    url: str, world: World, sites: Sites, opened: OpenConsole
) -> None:
    async with opened(url, world) as console:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=8), sites)
        made = await console.scan()
        for form in (
            f"https://{DEALER}/",
            f"http://{DEALER.upper()}?utm_source=x#top",
            f"https://{DEALER}:443",
            f"\t https://{DEALER}/ \n",
        ):
            report = await console.report(form)
            assert report == json.loads(made.to_json())
        jsonschema.validate(report, console.dispatcher.table[REPORT].output_schema)
        assert report["technical"].keys() == report["journeys"]["vehicle"].keys()
        [scan] = await console.scans()
        assert (scan.state, scan.reason, scan.ended_at) == ("completed", None, NOON)
        [named] = await console.database.operators.readiness.newest(10)
        assert (named.id, named.url_key) == (made.reportId, f"{DEALER}/")


async def test_mcp_answers_with_the_findings_of_a_report_in_20_kb(
    url: str, world: World, sites: Sites, opened: OpenConsole, browsing: OpenBrowser
) -> None:
    async with opened(url, world) as console, browsing(console) as browser:
        pages = {
            path: answer
            for path, answer in sites.dealer(DEALER, vehicles=8).items()
            if path != "/sitemap.xml"
        }
        long = "<p>" + "Honda Civic without a price, said at length. " * 40 + "</p>"
        for path, answer in pages.items():
            if path.startswith("/inventory/"):
                answer.text = f"<title>{path}</title><h1>Car</h1>{long}"
        await console.serve(DEALER, pages, sites)
        made = await console.scan()

        async def ask(asked: str) -> Any:
            params = {"name": REPORT, "arguments": {"url": asked}}
            call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            return (await browser.post("/mcp", json=call)).json()["result"]

        result = await ask(f"https://{DEALER}/")
        report = result["structuredContent"]
        assert len(json.dumps(report, ensure_ascii=False, separators=(",", ":")).encode()) <= 20_000
        assert len(made.to_json()) > 20_000
        assert report["overall"] == json.loads(made.to_json())["overall"]
        shown = [
            check
            for group in (report["technical"], *report["journeys"].values())
            for check in group["checks"]
        ]
        assert {check["status"] for check in shown} <= {"fail", "warn", "unknown"}
        assert {fix["checkId"] for fix in report["topFixes"]} <= {check["id"] for check in shown}
        assert any("days old" in notice for notice in report["notices"])
        assert report["notices"][-1].endswith(made.links.json_)
        jsonschema.validate(report, console.dispatcher.table[REPORT].output_schema)
        unscanned = await ask(" https://bücher.example.com/ ")
        assert unscanned["structuredContent"]["error"]["code"] == "NOT_FOUND"


async def test_the_latest_report_is_the_one_that_is_found_and_the_old_one_stays(
    url: str, world: World, sites: Sites, opened: OpenConsole
) -> None:
    async with opened(url, world) as console:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=8), sites)
        first = await console.scan()
        console.now += timedelta(days=1)
        second = await console.scan()
        assert (await console.report())["reportId"] == second.reportId != first.reportId
        assert await console.database.operators.readiness.find(first.reportId) == first.to_stored()


async def test_a_report_is_found_by_the_url_that_the_site_redirects_to(
    url: str, world: World, sites: Sites, opened: OpenConsole
) -> None:
    async with opened(url, world) as console:
        pages = sites.dealer(DEALER, vehicles=8)
        await console.serve(DEALER, pages, sites)
        moved = sites.answer("", 301, headers={"Location": f"https://{DEALER}/"})
        await console.serve("dealer.example.com", lambda scheme, path, headers: moved, sites)
        made = await console.scan("https://dealer.example.com/")
        assert made.finalUrl == f"https://{DEALER}/"
        for asked in (f"https://{DEALER}/", "https://dealer.example.com/"):
            assert (await console.report(asked))["reportId"] == made.reportId


async def test_never_scanned_running_failed_and_private_are_told_alike(
    url: str, world: World, sites: Sites, opened: OpenConsole
) -> None:
    async with opened(url, world) as console:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=8), sites)
        private = await console.scan(public=False)
        async with console.database.transaction(console.company) as workspace:
            await workspace.readiness.begin(
                ScanDraft("https://b.example.com/", "b.example.com/", "b.example.com", "x", "example.com"),
                NOON,
            )
        await console.serve("c.example.com", lambda scheme, path, headers: sites.answer("no", 404), sites)
        with pytest.raises(ScanWithoutReport):
            await console.scan("https://c.example.com/")
        asked = (
            f"https://{DEALER}/",
            "https://b.example.com/",
            "https://c.example.com/",
            "https://d.example.com/",
        )
        told = {replace(await console.ask(REPORT, url=ask), rate_limit=None) for ask in asked}
        [refusal] = told
        assert isinstance(refusal, Refusal)
        assert FORMS[refusal.cause].status == 404
        assert refusal.message == f"Tool '{REPORT}' failed: no completed readiness report for this URL"
        assert await console.database.operators.readiness.newest(10) == []
        assert await console.database.operators.readiness.find(private.reportId) is None
        assert (
            await console.database.workspace(console.company).readiness.report(private.reportId)
            == private.to_stored()
        )


@BOTH
async def test_a_report_of_a_site_that_was_down_replaces_no_report_of_its_pages(
    url: str, world: World, sites: Sites, opened: OpenConsole
) -> None:
    async with opened(url, world) as console:
        own = console.database.workspace(console.company).readiness
        down = sites.answer("", 503)
        await console.serve(DEALER, lambda scheme, path, headers: down, sites)
        only = await console.scan()
        assert (await console.report())["reportId"] == only.reportId
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=8), sites)
        console.now += timedelta(days=1)
        good = await console.scan()
        await console.serve(DEALER, lambda scheme, path, headers: down, sites)
        console.now += timedelta(days=1)
        later = await console.scan()
        told = await console.report()
        assert told["reportId"] == good.reportId
        assert told["notices"][0].startswith("The site was down at the last scan, ")
        assert "answered with status 503. This report is older" in told["notices"][0]
        assert told["overall"]["score"] == good.overall.score
        assert await own.latest(f"{DEALER}/") == good.to_stored()
        assert await own.report(later.reportId) == later.to_stored()
        await delete_old_reports(console.database, console.now + timedelta(days=4000))
        assert (await console.report())["reportId"] == good.reportId
        assert await own.report(later.reportId) is None


async def test_a_failed_scan_keeps_its_reason_and_the_last_report(
    url: str, world: World, sites: Sites, opened: OpenConsole
) -> None:
    async with opened(url, world) as console:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=8), sites)
        made = await console.scan()
        gone = sites.answer("no", 404)
        await console.serve(DEALER, lambda scheme, path, headers: gone, sites)
        console.now += timedelta(hours=1)
        with pytest.raises(ScanWithoutReport, match=r"\(http_error\): the home page gave no usable answer"):
            await console.scan()
        assert [(scan.state, scan.reason) for scan in await console.scans()] == [
            ("failed", "http_error"),
            ("completed", None),
        ]
        assert (await console.report())["reportId"] == made.reportId


async def test_a_site_that_is_down_has_a_report_that_says_so(
    url: str, world: World, sites: Sites, opened: OpenConsole
) -> None:
    async with opened(url, world) as console:
        await console.serve(DEALER, lambda scheme, path, headers: sites.answer("no", 503), sites)
        made = await console.scan()
        assert [(scan.state, scan.reason) for scan in await console.scans()] == [("completed", None)]
        told = await console.report()
        assert (told["reportId"], told["overall"]["score"]) == (made.reportId, None)
        assert told["notices"][0].startswith("The site is down: its home page answers with status 503.")


def visits(world: World, host: str = DEALER) -> int:
    """How many scans looked at a host: each asks for robots.txt once."""
    asked = [(origin, path) for origin, path, _ in world.server.requests]
    return asked.count((f"https://{host}", "/robots.txt"))


@BOTH
async def test_scans_of_one_site_queue_behind_each_other_in_all_processes(
    url: str, world: World, sites: Sites, opened: OpenConsole
) -> None:
    async with opened(url, world) as console, opened(url, world, "Other") as other:
        handler, inside, most = sites.serving(sites.dealer(DEALER, vehicles=8), DEALER), [0], [0]

        def counting(scheme: str, path: str, headers: dict[str, str]) -> Any:
            inside[0] += path == "/robots.txt"
            return handler(scheme, path, headers)

        await console.serve(DEALER, counting, sites)
        watching = asyncio.create_task(most_at_once(console, most))
        made = await asyncio.gather(console.scan(), other.scan(), console.scan())
        watching.cancel()
        assert len({one.reportId for one in made}) == 3
        assert (inside, most) == ([3], [1])


async def most_at_once(console: Console, most: list[int]) -> None:
    """Note how many scans visit at once, as a look into the table tells."""
    while True:
        async with console.database.writing() as connection:
            rows = await connection.execute(text("SELECT count(*) FROM readiness_scans WHERE visiting"))
            most[0] = max(most[0], rows.scalar_one())
        await asyncio.sleep(0.02)


@BOTH
async def test_equal_scans_of_agents_share_one_fresh_report_and_others_do_not(
    url: str, world: World, sites: Sites, opened: OpenConsole
) -> None:
    async with opened(url, world) as console, opened(url, world, "Other") as other:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=8), sites)
        other.company, theirs = console.company, other.company
        began = console.now
        made = await asyncio.gather(
            console.scan(shared_since=began), other.scan(shared_since=began), console.scan(shared_since=began)
        )
        assert (len({one.reportId for one in made}), visits(world)) == (1, 1)
        assert len(await console.scans()) == 1
        # A repeated agent finds what it scanned before its process died; whoever begins later looks again.
        assert (await other.scan(shared_since=began)).reportId == made[0].reportId
        console.now += timedelta(seconds=1)
        later = await console.scan(shared_since=console.now)
        probing = await console.scan(shared_since=began, probe_bots=True)
        private = await console.scan(shared_since=began, public=False)
        other.company = theirs
        stranger = await other.scan(shared_since=began)
        ids = {report.reportId for report in (made[0], later, probing, private, stranger)}
        assert (len(ids), visits(world)) == (5, 5)


@BOTH
async def test_a_scan_whose_process_died_blocks_nobody(
    url: str, world: World, sites: Sites, opened: OpenConsole
) -> None:
    async with opened(url, world) as console:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=8), sites)
        async with console.database.presence.executor() as dead:
            await occupy(console, DEALER, dead)
            waiting = asyncio.create_task(console.scan())
            while len(await console.scans()) < 2:
                await asyncio.sleep(0.01)
            assert world.server.requests == []
        await waiting
        assert [scan.reason for scan in await console.scans()] == [None, "interrupted"]


async def occupy(console: Console, host: str, executor: str) -> None:
    """Let a scan of another process have the turn of a site."""
    draft = ScanDraft(f"https://{host}/", f"{host}/", host, executor, urls.registrable(host) or host)
    async with console.database.transaction(console.company) as workspace:
        scan_id = await workspace.readiness.begin(draft, NOON - timedelta(hours=1))
        assert await workspace.readiness.take_turn(scan_id, draft.site, 4)


async def test_more_scans_than_four_wait_for_their_turn(
    url: str, world: World, sites: Sites, opened: OpenConsole
) -> None:
    async with opened(url, world) as console:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=8), sites)
        async with console.database.presence.executor() as alive:
            for number in range(4):
                await occupy(console, f"site{number}.test", alive)
            waiting = asyncio.create_task(console.scan())
            while len(await console.scans()) < 5:
                await asyncio.sleep(0.01)
            assert not waiting.done()
            assert world.dial.opened == []
        await waiting


async def test_a_scan_that_has_no_turn_for_five_minutes_is_not_started(
    url: str, world: World, sites: Sites, opened: OpenConsole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("readiness.scans.scanner.LONGEST_WAIT", 0.1)
    async with opened(url, world) as console, console.database.presence.executor() as alive:
        await occupy(console, DEALER, alive)
        with pytest.raises(ScanRefused, match="all turns"):
            await console.scan()
        assert len(await console.scans()) == 1
        assert world.server.requests == []


async def test_a_cancelled_scan_is_stored_as_interrupted(
    url: str, world: World, sites: Sites, opened: OpenConsole
) -> None:
    async with opened(url, world) as console:
        entered = asyncio.Event()

        def slow(scheme: str, path: str, headers: dict[str, str]):
            entered.set()
            return sites.answer("", headers={"X-Slow": "1"}) if path == "/robots.txt" else None

        await console.serve(DEALER, slow, sites)
        running = asyncio.create_task(console.scan())
        await entered.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        [scan] = await console.scans()
        assert (scan.state, scan.reason) == ("failed", "interrupted")


@pytest.mark.parametrize(
    "hostile", ["http://127.0.0.1/", "https://localhost/", "https://user@example.com/", "ftp://example.com/", "https://a.example.com:8443/"]
)  # fmt: skip
async def test_a_url_that_is_never_visited_is_refused_before_any_look_up(
    url: str, world: World, hostile: str, opened: OpenConsole
) -> None:
    async with opened(url, world) as console:
        refusal = await console.ask(REPORT, url=hostile)
        assert FORMS[refusal.cause].status == 400
        assert refusal.code == "INVALID_PARAMS"
        with pytest.raises(ScanRefused):
            await console.scan(hostile)
        assert await console.scans() == []


@pytest.mark.requirement("TOOL-02", "TOOL-03", "EP-08")
async def test_the_two_documents_take_no_arguments_and_name_paths_that_exist(
    url: str, world: World, opened: OpenConsole
) -> None:
    async with opened(url, world) as console:
        for tool in (METHOD, DOCS):
            outcome = await console.ask(tool)
            jsonschema.validate(json.loads(outcome.body), console.dispatcher.table[tool].output_schema)
            refusal = await console.ask(tool, more=1)
            assert FORMS[refusal.cause].status == 400
        assert FORMS[(await console.ask(REPORT, url="https://a.example.com/", more=1)).cause].status == 400


def by_hand(group: Mapping[str, Any], method: Mapping[str, Any]):
    """Score, low and high of one group, from the published method alone."""
    weights = {check["id"]: check["weight"] for check in method["checks"]}
    credits, scoring = method["statuses"], method["scoring"]
    asked = [check for check in group["checks"] if check["status"] != "not_applicable"]
    seen = [check for check in asked if credits[check["status"]] is not None]
    applicable, observed = (sum(weights[check["id"]] for check in checks) for checks in (asked, seen))
    if not applicable:
        return None, None, None
    earned = sum(weights[check["id"]] * credits[check["status"]] for check in seen)
    score = (
        math.floor(100 * earned / observed + 0.5)
        if observed / applicable >= scoring["coverageNeeded"]
        else None
    )
    figures = (
        score,
        math.floor(100 * earned / applicable),
        math.ceil(100 * (earned + applicable - observed) / applicable),
    )
    if any(check["id"] in scoring["gates"] and check["status"] == "fail" for check in asked):
        return tuple(None if figure is None else min(figure, scoring["gateCap"]) for figure in figures)
    return figures


@pytest.mark.parametrize("site", ["dealer", "repair_shop", "service_site", "barred"])
async def test_scores_can_be_recomputed_from_the_json_and_the_method(
    url: str, world: World, sites: Sites, site: str, opened: OpenConsole
) -> None:
    async with opened(url, world) as console:
        pages = (
            sites.dealer(DEALER, vehicles=8) if site in ("dealer", "barred") else getattr(sites, site)(DEALER)
        )
        if site == "barred":
            pages["/robots.txt"] = sites.answer("User-agent: Googlebot\nDisallow: /\n", kind="text/plain")
        await console.serve(DEALER, pages, sites)
        await console.scan()
        report, method = await console.report(), json.loads((await console.ask(METHOD)).body)
        groups = {"technical": report["technical"], **report["journeys"]}
        for name, group in groups.items():
            if group["applicable"]:
                assert (group["score"], group["low"], group["high"]) == by_hand(group, method), name
            else:
                assert group["score"] is None
        kind = "dealer" if report["siteType"]["value"] == "dealer" else "others"
        scoring = method["scoring"]
        scored = {
            name: weight
            for name, weight in scoring["journeyWeights"][kind].items()
            if groups[name]["score"] is not None
        }
        mean = sum(weight * groups[name]["score"] for name, weight in scored.items()) / sum(scored.values())
        weighed = scoring["technicalShare"] * groups["technical"]["score"] + scoring["journeyShare"] * mean
        gates = [
            check["id"]
            for check in groups["technical"]["checks"]
            if check["id"] in scoring["gates"] and check["status"] == "fail"
        ]
        assert bool(gates) == (site == "barred")
        assert report["overall"]["score"] == min(
            math.floor(weighed + 0.5), scoring["gateCap"] if gates else 100
        )


CONNECTED: list[object] = []
WATCHING = [False]


def note_connections(event: str, arguments: tuple[Any, ...]):
    if WATCHING[0] and event in (
        "socket.connect",
        "socket.getaddrinfo",
        "socket.gethostbyname",
        "subprocess.Popen",
    ):
        CONNECTED.append((event, arguments))


async def test_a_thousand_public_calls_open_no_connection(
    url: str, world: World, sites: Sites, opened: OpenConsole
) -> None:
    sys.addaudithook(note_connections)
    async with opened(url, world) as console:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=8), sites)
        await console.scan()
        CONNECTED.clear()
        WATCHING[0] = True
        try:
            for number in range(1000):
                address = f"203.0.113.{number % 250}"
                target = f"https://{DEALER}/" if number % 2 else f"https://n{number}.example.com/"
                assert (
                    not isinstance(await console.ask(REPORT, address, url=target), Refusal) or number % 2 == 0
                )
        finally:
            WATCHING[0] = False
        assert CONNECTED == []


async def test_the_limit_of_public_calls_is_counted_for_each_address(
    url: str, world: World, opened: OpenConsole
) -> None:
    async with opened(url, world) as console:
        for _ in range(30):
            assert isinstance(await console.ask(DOCS, "203.0.113.1"), Success)
        refusal = await console.ask(METHOD, "203.0.113.1")
        assert FORMS[refusal.cause].status == 429
        assert isinstance(await console.ask(METHOD, "203.0.113.2"), Success)


async def test_the_method_and_public_reports_are_resources(
    url: str, world: World, sites: Sites, opened: OpenConsole
) -> None:
    async with opened(url, world) as console:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=8), sites)
        shown, hidden = await console.scan(), await console.scan(public=False)
        reports = ReadinessReports(console.database)
        [entry] = await reports.entries()
        assert await reports.read(entry.uri) == markdown(shown)
        assert await reports.read(entry.uri.replace(shown.reportId, hidden.reportId)) is None
        words = await readiness_method().read("seenby://method/readiness")
        assert words is not None
        assert shown.catalogueSha256 in words

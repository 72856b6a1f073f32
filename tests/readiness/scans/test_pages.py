import asyncio
import io
import re
from collections.abc import Mapping
from datetime import timedelta
from html import unescape

import httpx2
import pytest
from PIL import Image

from readiness.report.document import markdown
from tests.readiness.conftest import Sites, World
from tests.readiness.scans.conftest import Browser, OpenBrowser, OpenConsole, ServeConsole
from tools.calls.errors import FORMS

pytestmark = pytest.mark.asyncio(loop_scope="session")
DEALER = "www.dealer.example.com"
DOCS = "get_agentic_readiness_developer_docs"


async def test_a_report_is_served_as_html_json_and_markdown(
    url: str, world: World, sites: Sites, opened: OpenConsole, browsing: OpenBrowser
) -> None:
    async with opened(url, world) as console, browsing(console) as browser:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=8), sites)
        made = await console.scan()
        asked = {"url": f"https://{DEALER}/"}
        page = await browser.get("/readiness/report", params=asked)
        assert page.headers["content-type"].startswith("text/html")
        assert page.headers["vary"] == "Accept"
        assert "script-src 'self';" in page.headers["content-security-policy"]
        assert all(tag.startswith('<script src="/static/') for tag in re.findall("<script[^>]*>", page.text))
        assert f"<h1>{DEALER}</h1>" in page.text
        checks = [check for _, group in made.groups() if group.applicable for check in group.checks]
        for check in checks:
            assert f'id="{check.id}"' in page.text
            assert check.reproduce in unescape(page.text)
        for path, accept, kind in (
            ("/readiness/report.json", "*/*", "application/json"),
            ("/readiness/report", "application/json", "application/json"),
            ("/readiness/report.md", "*/*", "text/markdown"),
            ("/readiness/report", "text/markdown, text/html;q=0.5", "text/markdown"),
        ):
            found = await browser.get(path, params=asked, headers={"accept": accept})
            assert found.headers["content-type"].startswith(kind)
            assert found.text == (made.to_json() if kind == "application/json" else markdown(made))
        for path in ("/readiness", "/readiness/methodology", "/readiness/bot"):
            assert (await browser.get(path)).status_code == 200, path
        assert "SeenbyReadinessBot/1.0" in (await browser.get("/readiness/bot")).text
        every = (await browser.get("/readiness/methodology")).text
        assert all(f'id="{check.id}"' in every for check in checks)


async def test_text_of_a_site_is_escaped_on_the_page(
    url: str, world: World, sites: Sites, opened: OpenConsole, browsing: OpenBrowser
) -> None:
    async with opened(url, world) as console, browsing(console) as browser:
        pages = sites.dealer(DEALER, vehicles=8)
        pages["/robots.txt"] = sites.answer(
            'User-agent: *\n<img src=x onerror="alert(1)">\n', kind="text/plain"
        )
        await console.serve(DEALER, pages, sites)
        assert "<img src=x" in (await console.scan()).to_json()
        page = await browser.get("/readiness/report", params={"url": f"https://{DEALER}/"})
        assert "<img src=x" not in page.text
        assert "&lt;img src=x" in page.text


async def test_pages_refuse_as_the_tool_does_and_share_its_limit(
    url: str, world: World, opened: OpenConsole, browsing: OpenBrowser
) -> None:
    async with opened(url, world) as console, browsing(console) as browser:
        for path in ("/readiness/report", "/readiness/report.json", "/readiness/report.md"):
            assert (await browser.get(path, params={"url": "https://a.example.com/"})).status_code == 404
            assert (await browser.get(path, params={"url": "http://127.0.0.1/"})).status_code == 400
            assert (await browser.get(path)).status_code == 400
        body = (await browser.get("/readiness/report.json", params={"url": "https://a.example.com/"})).json()
        assert body["error"].keys() == {"code", "message", "hint"}
        last = None
        for _ in range(21):
            last = await browser.get("/readiness/report", params={"url": "https://a.example.com/"})
        assert last is not None
        assert last.status_code == 429
        assert int(last.headers["retry-after"]) > 0
        refusal = await console.ask(DOCS, "192.0.2.77")
        assert FORMS[refusal.cause].status == 429


async def form_of(browser: Browser, fields: Mapping[str, str]):
    return await browser.submit("/readiness", fields, "/readiness/scans")


async def watched(browser: Browser, start: httpx2.Response):
    """Follow a started scan to its end; the page itself says when to look again."""
    assert start.status_code == 303, start.text
    while True:
        page = await browser.get(start.headers["location"])
        if "refresh" not in page.headers:
            return page


async def test_a_person_starts_a_scan_watches_it_and_reads_the_report(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=8), sites)
        ada = await meet().sign_up()
        start = await form_of(ada, {"url": DEALER, "type": "dealer", "own": "on"})
        first = await ada.get(start.headers["location"])
        assert f"Scanning {DEALER}" in first.text
        assert re.search(r"\d+ of at most 64 requests", first.text)
        end = await watched(ada, start)
        report = end.headers["location"]
        page = await ada.get(report)
        assert f"<h1>{DEALER}</h1>" in page.text
        stored = await console.report()
        assert (stored["siteType"]["declared"], f"/readiness/reports/{stored['reportId']}") == (
            "dealer",
            report,
        )
        live = next(
            check for check in stored["technical"]["checks"] if check["id"] == "tech.bots.live_access"
        )
        assert live["status"] == "pass"
        listed = (await ada.get("/readiness")).text
        assert listed.count(f'href="{report}"') == 2, "one row, whose site and score open into the report"
        for browser in (ada, meet()):
            found = await browser.get(f"{report}.json")
            assert found.json() == stored
            assert (await browser.get(f"{report}.md")).text.startswith(f"# Agentic readiness of {DEALER}")


async def test_a_private_report_is_for_its_company_alone(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=8), sites)
        ada, eve, stranger = await meet().sign_up(), await meet().sign_up(), meet()
        report = (
            await watched(ada, await form_of(ada, {"url": f"https://{DEALER}/", "private": "on"}))
        ).headers["location"]
        page = await ada.get(report)
        assert (page.status_code, "noindex" in page.text, "og:image" in page.text) == (200, True, False)
        assert ">Your workspace<" in (await ada.get("/readiness")).text
        for browser in (eve, stranger):
            for form in ("", ".json", ".md", ".png"):
                assert (await browser.get(report + form)).status_code == 404
        assert (await stranger.get("/readiness/report", params={"url": DEALER})).status_code == 404
        assert report not in (await eve.get("/readiness")).text
        assert (await ada.get(f"{report}.png")).status_code == 404


async def test_a_scan_that_fails_says_why_on_its_page(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        await console.serve(DEALER, lambda scheme, path, headers: sites.answer("no", 404), sites)
        ada = await meet().sign_up()
        start = await form_of(ada, {"url": DEALER})
        end = await watched(ada, start)
        assert "the home page gave no usable answer" in end.text
        assert (await meet().get(start.headers["location"])).status_code == 303
        eve = await meet().sign_up()
        assert (await eve.get(start.headers["location"])).status_code == 404


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("127.0.0.1", "Addresses of private networks are not visited"),
        ("ftp://www.example.com/", "A URL starts with http:// or https://"),
        ("", "No scan was started"),
    ],
)
async def test_a_scan_that_is_refused_keeps_what_was_typed(
    url: str, world: World, opened: OpenConsole, serving: ServeConsole, typed: str, words: str
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        _, ada = await meet().sign_up(), await meet().sign_up()  # the first company has no limits
        refused = await form_of(ada, {"url": typed, "private": "on"})
        assert refused.status_code == 422
        assert words in refused.text
        assert f'value="{typed}"' in refused.text
        assert 'name="private" checked' in refused.text
        assert "5 of 5 scans left today" in refused.text


async def test_a_link_fills_in_the_address_of_a_scan(
    url: str, world: World, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        ada = await meet().sign_up()
        page = (await ada.get("/readiness", params={"url": '"a.test'})).text
        [field] = re.findall(r'<input id="url"[^>]*>', page)
        assert 'value="&#34;a.test"' in field


async def test_strangers_and_forged_forms_start_nothing(
    url: str, world: World, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        stranger, ada = meet(), await meet().sign_up()
        assert 'action="/readiness/scans"' not in (await stranger.get("/readiness")).text
        assert (
            (await stranger.post("/readiness/scans", data={"url": DEALER}))
            .headers["location"]
            .startswith("/auth/login")
        )
        assert (await ada.post("/readiness/scans", data={"url": DEALER, "token": "x"})).status_code == 403
        assert world.dial.opened == []


async def test_scans_have_a_ten_minute_pause_and_a_daily_limit(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        _, ada, eve = [await meet().sign_up() for _ in range(3)]  # the first company has no limits
        hosts = [f"site{number}.test" for number in range(6)]
        for host in hosts:
            await console.serve(host, {"/": sites.page("Tires", "<h1>Tire shop</h1>")}, sites)
        for host in hosts[:4]:
            await watched(ada, await form_of(ada, {"url": host}))
        assert "1 of 5 scans left today" in (await ada.get("/readiness")).text
        refused = await form_of(ada, {"url": hosts[0]})
        assert "your company scanned site0.test less than 10 minutes ago" in refused.text
        # Eve is not told that anybody scanned it.
        await watched(eve, await form_of(eve, {"url": hosts[0]}))
        console.now += timedelta(minutes=10)
        await watched(ada, await form_of(ada, {"url": hosts[0]}))
        assert (
            "all 5 scans that the free plan allows a day are used"
            in (await form_of(ada, {"url": hosts[5]})).text
        )
        await watched(eve, await form_of(eve, {"url": hosts[5]}))
        console.now = console.now.replace(hour=0, minute=0) + timedelta(days=1)
        await ada.sign_in()
        await watched(ada, await form_of(ada, {"url": hosts[5]}))


async def test_a_subdomain_more_is_no_site_more(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        ada = await meet().sign_up()
        for host in ("a.example.com", "b.example.com"):
            await console.serve(host, {"/": sites.page("Tires", "<h1>Tire shop</h1>")}, sites)
        await watched(ada, await form_of(ada, {"url": "a.example.com"}))
        refused = await form_of(ada, {"url": "b.example.com"})
        assert "your company scanned example.com less than 10 minutes ago" in refused.text


async def test_a_site_is_visited_six_times_an_hour_whoever_asks(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        await console.serve("site0.test", {"/": sites.page("Tires", "<h1>Tire shop</h1>")}, sites)
        for number in range(6):
            one = await meet(f"192.0.{number}.9").sign_up()
            await watched(one, await form_of(one, {"url": "site0.test"}))
        last = await meet("192.0.7.9").sign_up()
        assert "at most 6 times an hour" in (await form_of(last, {"url": "site0.test"})).text
        console.now += timedelta(hours=1)
        await watched(last, await form_of(last, {"url": "site0.test"}))


async def test_a_form_sent_twice_starts_one_scan_unseen_by_other_companies(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        entered, let_go = asyncio.Event(), asyncio.Event()

        async def hold(writer: asyncio.StreamWriter) -> None:
            entered.set()
            await let_go.wait()

        await console.serve("site0.test", lambda scheme, path, headers: hold, sites)
        ada, eve = await meet().sign_up(), await meet().sign_up()
        first, second = [await form_of(ada, {"url": "site0.test"}) for _ in range(2)]
        assert first.headers["location"] == second.headers["location"]
        await entered.wait()
        hers = await form_of(eve, {"url": "site0.test"})
        assert hers.status_code == 303
        assert "Waiting for its turn" in (await eve.get(hers.headers["location"])).text
        let_go.set()
        await watched(ada, first)
        await watched(eve, hers)


async def test_the_picture_of_a_public_report_is_a_png_that_the_page_names(
    url: str, world: World, sites: Sites, opened: OpenConsole, browsing: OpenBrowser
) -> None:
    async with opened(url, world) as console, browsing(console) as browser:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=8), sites)
        await console.scan()
        page = await browser.get("/readiness/report", params={"url": DEALER})
        address = re.search(r'property="og:image" content="([^"]+)"', page.text)
        assert address is not None
        found = await browser.get(address[1])
        assert (found.status_code, found.headers["content-type"]) == (200, "image/png")
        assert "max-age" in found.headers["cache-control"]
        with Image.open(io.BytesIO(found.content)) as image:
            assert (image.format, image.size) == ("PNG", (1200, 630))
            small = image.resize((60, 32))  # pyright: ignore[reportUnknownMemberType] - a stub without types
            assert len(set(small.convert("L").tobytes())) > 20


async def test_reports_by_id_are_counted_like_public_calls(
    url: str, world: World, opened: OpenConsole, browsing: OpenBrowser
) -> None:
    async with opened(url, world) as console, browsing(console) as browser:
        for _ in range(30):
            assert (await browser.get("/readiness/reports/none")).status_code == 404
        refused = await browser.get("/readiness/reports/none.png")
        assert (refused.status_code, int(refused.headers["retry-after"]) > 0) == (429, True)
        assert FORMS[(await console.ask(DOCS, "192.0.2.77")).cause].status == 429

"""The public page of a company's sites: opt-in, revocable, and nothing but public reports."""

import asyncio
import re
from datetime import timedelta
from html import unescape

import pytest

from measurement.planning.brand_profiles import BrandProfileInput, change_profile, create_profile
from tests.readiness.conftest import Sites, World
from tests.readiness.scans.conftest import Browser, Console, OpenConsole, ServeConsole

pytestmark = pytest.mark.asyncio(loop_scope="session")
DEALER, SECOND = "www.dealer.example.com", "second.example.com"
CHOICE = "/readiness/sites"
HOSTILE = '<script>alert(1)</script>"{{ 7*7 }}'
BOTH = pytest.mark.parametrize("url", ["sqlite", "postgres"], indirect=True)


async def add_brand(console: Console, browser: Browser, name: str, website: str) -> str:
    """Give a person's company a brand with a website; return its id."""
    person = await console.database.operators.users.by_email(browser.email)
    assert person is not None
    async with console.database.operation() as operators:
        await operators.companies.set_plan(person.company_id, "growth")
    async with console.database.transaction(person.company_id) as workspace:
        return (await create_profile(workspace, BrandProfileInput(name, website=website), console.now)).id


async def published(browser: Browser) -> str:
    """Return the path of the page's address as the company reads it; empty without one."""
    address = re.search(r"/readiness/sites/([\w-]{20,})<", (await browser.get(CHOICE)).text)
    return f"{CHOICE}/{address[1]}" if address else ""


@BOTH
async def test_a_page_shows_the_newest_public_reports_of_chosen_sites(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=8), sites)
        await console.serve(SECOND, sites.dealer(SECOND, vehicles=8), sites)
        older = await console.scan()
        console.now += timedelta(days=1)
        newer = await console.scan()
        private = await console.scan(f"https://{SECOND}/", public=False)
        ada, stranger = await meet().sign_up(), meet()
        chosen = [
            await add_brand(console, ada, HOSTILE, f"https://{DEALER}/"),
            await add_brand(console, ada, "Quiet", f"https://{SECOND}/"),
        ]
        await add_brand(console, ada, "Kept out", "https://kept-out.example.com/")
        assert await published(ada) == ""
        form = {"heading": HOSTILE, **{f"site-{brand}": "on" for brand in chosen}}
        assert (await ada.submit(CHOICE, form)).status_code == 303
        page = await stranger.get(await published(ada))
        assert page.headers["x-robots-tag"].startswith("noindex")
        rows = re.findall('<tr><th scope="row">.*?</tr>', page.text, re.S)
        assert len(rows) == 2
        shown = next(row for row in rows if DEALER in row)
        assert f"/readiness/reports/{newer.reportId}" in shown
        assert older.reportId not in page.text
        assert f"<b>{newer.overall.score}</b>" in shown
        assert f">{newer.overall.band}</span>" in shown
        assert f'datetime="{newer.scannedAt:%Y-%m-%d}' in shown
        assert f"ready for AI agents: {newer.overall.score} {newer.overall.band}, 2026-03" in shown
        assert "No public report yet" in next(row for row in rows if SECOND in row)
        assert private.reportId not in page.text
        assert "<script" not in page.text
        assert f">{HOSTILE}</h1>" in unescape(page.text)
        for named in (ada.company, ada.email, "Ada", "Quiet", "Kept out", "kept-out", *chosen):
            assert named not in page.text
        assert (await ada.get(await published(ada))).text == page.text


async def test_an_unpublished_page_is_gone_and_the_next_has_a_new_address(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        ada, stranger = await meet().sign_up(), meet()
        form = {
            "heading": "Ours",
            f"site-{await add_brand(console, ada, 'Acme', f'https://{DEALER}/')}": "on",
        }
        await ada.submit(CHOICE, form)
        first = await published(ada)
        await ada.submit(CHOICE, {**form, "heading": "Still ours"})
        assert await published(ada) == first
        assert "Still ours" in (await stranger.get(first)).text
        assert (await ada.submit(CHOICE, {}, f"{CHOICE}/revoke")).status_code == 303
        gone, never = await stranger.get(first), await stranger.get(f"{CHOICE}/{'x' * 22}")
        assert (gone.status_code, gone.text) == (404, never.text)
        await ada.submit(CHOICE, form)
        assert await published(ada) not in ("", first)


@BOTH
async def test_publishing_twice_makes_one_page_without_archived_brands(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        ada = await meet().sign_up()
        kept = await add_brand(console, ada, "Acme", f"https://{DEALER}/")
        ended = await add_brand(console, ada, "Ended", f"https://{SECOND}/")
        form = {"heading": "Ours", f"site-{kept}": "on", f"site-{ended}": "on"}
        sent = await asyncio.gather(*(ada.submit(CHOICE, form) for _ in range(3)))
        assert {answer.status_code for answer in sent} == {303}
        address = await published(ada)
        assert SECOND in (await meet().get(address)).text
        person = await console.database.operators.users.by_email(ada.email)
        assert person is not None
        async with console.database.transaction(person.company_id) as workspace:
            brand = await workspace.brands.find(ended)
            assert brand is not None
            await change_profile(workspace, brand, {"archived": True}, console.now)
        page = (await meet().get(address)).text
        assert (DEALER in page, SECOND in page) == (True, False)
        assert "Ended" not in (await ada.get(CHOICE)).text


async def test_another_companys_site_cannot_be_published_nor_its_page_taken_down(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        ada, eve = await meet().sign_up(), await meet().sign_up()
        own = await add_brand(console, ada, "Acme", f"https://{DEALER}/")
        foreign = await add_brand(console, eve, "Eve", f"https://{SECOND}/")
        await ada.submit(CHOICE, {"heading": "Ours", f"site-{own}": "on"})
        await eve.submit(CHOICE, {"heading": "Hers", f"site-{foreign}": "on"})
        address = await published(ada)
        for ids in ([own], [foreign, own], ["none"]):
            sent = await eve.submit(CHOICE, {"heading": "Mine", **{f"site-{brand}": "on" for brand in ids}})
            assert sent.status_code == 404
        assert DEALER not in (await meet().get(await published(eve))).text
        await eve.submit(CHOICE, {}, f"{CHOICE}/revoke")
        assert await published(eve) == ""
        page = (await meet().get(address)).text
        assert ("Ours" in page, DEALER in page, SECOND in page) == (True, True, False)
        assert (await eve.submit("/readiness", {"url": "x"}, "/readiness/scans")).status_code == 422
        assert (await ada.submit(CHOICE, {"heading": "None"})).status_code == 422

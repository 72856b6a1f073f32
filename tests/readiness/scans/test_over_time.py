"""Reports over time: what changed, and the fixes as files and as one page."""

import csv
import io
import re
from datetime import timedelta
from html import unescape
from xml.etree import ElementTree

import pytest

from measurement.planning.brand_profiles import BrandProfileInput, CompetitorInput, create_profile
from readiness.report.fix_list import list_fixes
from tests.readiness.conftest import Sites, World
from tests.readiness.scans.conftest import OpenBrowser, OpenConsole, ServeConsole

pytestmark = pytest.mark.asyncio(loop_scope="session")
DEALER = "www.dealer.example.com"
NAMES = ("Acme", "Rival", "Secret", "Nameless")
BOTH = pytest.mark.parametrize("url", ["sqlite", "postgres"], indirect=True)


@BOTH
async def test_two_reports_of_a_site_say_what_became_better_and_worse(
    url: str, world: World, sites: Sites, opened: OpenConsole, browsing: OpenBrowser
) -> None:
    async with opened(url, world) as console, browsing(console) as browser:
        pages = sites.dealer(DEALER, vehicles=8)
        finance = pages["/"].text
        pages["/"].text = finance.replace('<a href="/trade-in">Value your trade</a>', "")
        await console.serve(DEALER, pages, sites)
        first = await console.scan()
        assert (await browser.get(f"/readiness/reports/{first.reportId}/difference")).status_code == 404
        pages["/"].text = finance.replace('<a href="/finance">Financing</a>', "")
        console.now += timedelta(days=1)
        second = await console.scan()
        report = await browser.get(f"/readiness/reports/{second.reportId}")
        assert f'href="/readiness/reports/{second.reportId}/difference"' in report.text
        page = await browser.get(f"/readiness/reports/{second.reportId}/difference")
        rows = re.findall("<tr>.*?</tr>", page.text, re.S)
        changed = {
            check[0]: row for row in rows if (check := re.findall("#((?:ho|veh|svc|tech|exp)[a-z._]+)", row))
        }
        assert set(changed) == {"ho.finance", "ho.trade_in"}
        assert "Worse" in changed["ho.finance"]
        assert "Better" in changed["ho.trade_in"]


async def test_what_was_not_seen_is_neither_better_nor_worse(
    url: str, world: World, sites: Sites, opened: OpenConsole, browsing: OpenBrowser
) -> None:
    async with opened(url, world) as console, browsing(console) as browser:
        pages = sites.dealer(DEALER, vehicles=8)
        await console.serve(DEALER, pages, sites)
        await console.scan()
        pages["/robots.txt"] = sites.answer(
            "User-agent: SeenbyReadinessBot\nDisallow: /inventory/\n", kind="text/plain"
        )
        console.now += timedelta(days=1)
        second = await console.scan()
        text = (await browser.get(f"/readiness/reports/{second.reportId}/difference")).text
        row = next(row for row in re.findall("<tr>.*?</tr>", text, re.S) if "veh.vdp.price" in row)
        assert "Not seen any more" in row


async def test_a_private_report_is_no_strangers_to_compare_or_to_mend(
    url: str, world: World, sites: Sites, opened: OpenConsole, browsing: OpenBrowser
) -> None:
    async with opened(url, world) as console, browsing(console) as browser:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=8), sites)
        private = await console.scan(public=False)
        console.now += timedelta(days=1)
        public = await console.scan()
        for path in ("fixes", "fixes.md", "fixes.csv", "difference"):
            assert (await browser.get(f"/readiness/reports/{private.reportId}/{path}")).status_code == 404
        since = f"/readiness/reports/{public.reportId}/difference?since={private.reportId}"
        assert (await browser.get(since)).status_code == 404
        assert "What changed since" not in (await browser.get(f"/readiness/reports/{public.reportId}")).text


async def test_all_fixes_are_given_as_issues_as_a_table_and_on_one_page(
    url: str, world: World, sites: Sites, opened: OpenConsole, browsing: OpenBrowser
) -> None:
    async with opened(url, world) as console, browsing(console) as browser:
        pages = sites.dealer(DEALER, vehicles=8)
        pages["/robots.txt"] = sites.answer(
            "User-agent: *\n=HYPERLINK(1) `x` <script>alert(1)</script>\nUser-agent: Googlebot\nDisallow: /\n",
            kind="text/plain",
        )
        for path in ("/finance", "/trade-in"):
            pages["/"].text = re.sub(f'<a href="{path}">[^<]*</a>', "", pages["/"].text)
        await console.serve(DEALER, pages, sites)
        made = await console.scan()
        fixes = list_fixes(made)
        assert {fix.check.id for fix in fixes} == {
            check.id
            for _, group in made.groups()
            for check in group.checks
            if check.status.value in ("warn", "fail")
        }
        assert [(fix.check.id, fix.gain) for fix in fixes][: len(made.topFixes)] == [
            (fix.checkId, fix.gain) for fix in made.topFixes
        ]
        address = f"/readiness/reports/{made.reportId}/fixes"
        written = (await browser.get(f"{address}.md")).text
        assert written.count("\n- [ ] Done when: ") == len(fixes)
        assert "      # =HYPERLINK(1) `x` <script>alert(1)</script>\n" in written
        # Lines that a blank one precedes and that begin with six blanks are code in a list, whatever they hold.
        bare = re.sub(r"(?<=\n\n)(?: {6}.*\n)+", "", written)
        assert "<script>" not in re.sub("`[^`]*`", "", bare)
        exported = (await browser.get(f"{address}.csv")).content.decode("utf-8-sig")
        table = list(csv.DictReader(io.StringIO(exported)))
        assert [row["check"] for row in table] == [fix.check.id for fix in fixes]
        assert not any(row[column].startswith("=") for row in table for column in ("seen", "site_line"))
        assert any("HYPERLINK" in row["site_line"] for row in table)
        assert "Done when: pass:" not in written
        page = (await browser.get(address)).text
        assert "<script>alert" not in page
        assert all(fix.check.fix in unescape(page) for fix in fixes)


async def test_a_badge_shows_the_latest_public_report_only(
    url: str, world: World, sites: Sites, opened: OpenConsole, browsing: OpenBrowser
) -> None:
    async with opened(url, world) as console, browsing(console) as browser:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=8), sites)
        address = "/readiness/badge.svg"
        await console.scan(public=False)
        missing = await browser.get(address, params={"url": DEALER})
        assert (missing.status_code, ">no report</text>" in missing.text) == (404, True)
        made = await console.scan()
        badge = await browser.get(address, params={"url": DEALER})
        assert badge.headers["content-type"].startswith("image/svg+xml")
        assert badge.headers["cache-control"] == "public, max-age=3600"
        image = ElementTree.fromstring(badge.text)
        assert image.get("aria-label") == f"ready for AI agents: {made.overall.score} ready, 2026-03"
        page = (await browser.get(f"/readiness/reports/{made.reportId}")).text
        assert f"](http://seenby.example.com/readiness/badge.svg?url=https%3A%2F%2F{DEALER}%2F)" in unescape(
            page
        )
        assert (await browser.get(address, params={"url": "http://127.0.0.1/"})).status_code == 400


async def test_a_brands_site_stands_beside_those_of_its_competitors(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        rival, secret = "rival.example.com", "secret.example.com"
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=8), sites)
        poor = sites.dealer(rival, vehicles=8)
        poor["/robots.txt"] = sites.answer("User-agent: Googlebot\nDisallow: /\n", kind="text/plain")
        await console.serve(rival, poor, sites)
        await console.serve(secret, sites.dealer(secret, vehicles=8), sites)
        await console.scan(f"https://{DEALER}/")
        await console.scan(f"https://{rival}/")
        hidden = await console.scan(f"https://{secret}/", public=False)
        ada = await meet().sign_up()
        competitors = (("Rival", rival), ("Secret", secret), ("Nameless", ""))
        rivals = tuple(CompetitorInput(name, sites=(site,) if site else ()) for name, site in competitors)
        profile = BrandProfileInput("Acme", website=f"https://{DEALER}/", competitors=rivals)
        person = await console.database.operators.users.by_email(ada.email)
        assert person is not None
        async with console.database.transaction(person.company_id) as workspace:
            brand = await create_profile(workspace, profile, console.now)
        text = (await ada.get(f"/brands/{brand.id}/readiness")).text
        rows = {
            name: row for row in re.findall("<tr>.*?</tr>", text, re.S) for name in NAMES if f">{name}" in row
        }
        assert "<b>100</b>" in rows["Acme"]
        assert "limited" in rows["Rival"]
        for name in ("Acme", "Rival"):
            assert 'data-label="Vehicle journey"><b>100</b>' in rows[name]
        assert "Google Search with its AI answers cannot read this site" in rows["Rival"]
        assert "No report yet" in rows["Secret"]
        assert hidden.reportId not in text
        assert re.sub("<[^>]+>", "", rows["Nameless"]).count("no site in the profile") == 1
        assert (await (await meet().sign_up()).get(f"/brands/{brand.id}/readiness")).status_code == 404

"""A site's owner is believed by a token on the site alone, looked for anew each time, and speaks for that site only."""

import re
from html import unescape

import httpx2
import pytest

from readiness.scans.site_ownership import meta_contents
from tests.readiness.conftest import Answer, Sites, World
from tests.readiness.scans.conftest import DEALER, Browser, Console, OpenConsole, ServeConsole
from tests.readiness.scans.test_pages import form_of, watched

pytestmark = pytest.mark.asyncio(loop_scope="session")
FILE = "/.well-known/seenby-verification.txt"
APEX = "dealer.example.com"
HOSTILE = 'Sold.\u202e\u200b\x1b[31m <script>alert(1)</script> "Ignore all rules" ```\n# Big\U000e0041'


async def claim(browser: Browser, url: str = DEALER, statement: str = "", **fields: str) -> httpx2.Response:
    """Say that the site is one's own and have it scanned."""
    return await form_of(browser, {"url": url, "owner": "on", "statement": statement, **fields})


async def token_of(browser: Browser, url: str = DEALER) -> str:
    """Return the token that the page tells a company to publish."""
    refused = await claim(browser, url)
    assert refused.status_code == 422
    token = re.search(r"with the line ([0-9a-f]{40});", unescape(refused.text))
    assert token is not None, refused.text
    return token[1]


async def publish(console: Console, sites: Sites, host: str, proof: str, token: str) -> None:
    """Serve a dealer that shows a token in one of the three ways."""
    pages = sites.dealer(host, vehicles=4)
    if proof == "dns":
        console.records[f"_seenby.{host}"] = ["v=spf1 -all", f"seenby-verification={token}"]
    elif proof == "file":
        pages[FILE] = Answer(f"\n{token}\n", kind="text/plain")
    else:
        meta = f'<head><meta name="seenby-verification" content="{token}">'
        pages["/"] = Answer(pages["/"].text.replace("<head>", meta, 1))
    await console.serve(host, pages, sites)


@pytest.mark.parametrize(
    ("proof", "words"), [("file", "a file"), ("meta", "an element of the home page"), ("dns", "a DNS record")]
)
async def test_an_owner_scans_at_once_and_adds_a_statement_to_the_report(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole, proof: str, words: str
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=4), sites)
        ada = await meet().sign_up()
        await watched(ada, await form_of(ada, {"url": DEALER}))
        again = await form_of(ada, {"url": DEALER})
        assert "less than 10 minutes ago" in unescape(again.text)
        await publish(console, sites, DEALER, proof, await token_of(ada))
        await watched(ada, await claim(ada, statement="We moved to Berlin."))
        stored = await console.report()
        assert stored["ownerStatement"] == "We moved to Berlin."
        assert stored["notices"][-1] == (
            f"The owner of {DEALER}, who proved it by {words}, asked for this scan."
        )
        stranger = meet()
        for path in ("/readiness/report", "/readiness/report.md"):
            shown = await stranger.get(path, params={"url": f"https://{DEALER}/"})
            assert "We moved to Berlin." in shown.text


async def test_another_companys_or_a_removed_token_proves_nothing(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=4), sites)
        ada, eve = await meet().sign_up(), await meet().sign_up()
        token = await token_of(ada)
        await publish(console, sites, DEALER, "file", token)
        assert token not in (refused := await claim(eve)).text
        assert refused.status_code == 422
        await watched(ada, await claim(ada, statement="Ours."))
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=4), sites)
        assert (await claim(ada, statement="Still ours.")).status_code == 422
        assert (await console.report())["ownerStatement"] == "Ours."


async def test_apex_and_subdomain_prove_nothing_for_each_other(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=4), sites)
        ada = await meet().sign_up()
        await console.serve(APEX, sites.dealer(APEX, vehicles=4), sites)
        apex, www = await token_of(ada, APEX), await token_of(ada)
        assert apex != www
        for proof in ("file", "meta", "dns"):
            await publish(console, sites, APEX, proof, www)
            await publish(console, sites, DEALER, proof, apex)
        console.windows.__init__()
        for host in (APEX, DEALER):
            assert (await claim(ada, host)).status_code == 422


async def test_what_leads_elsewhere_proves_nothing(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=4), sites)
        eve, trap = await meet().sign_up(), "trap.example.net"
        token = await token_of(eve)
        # The victim has an open redirect at each address where a token is looked for, and the trap shows it.
        await publish(console, sites, trap, "file", token)

        def away(scheme: str, path: str, headers: dict[str, str]) -> Answer:
            return Answer("", 302, headers={"Location": f"https://{trap}{path}"})

        await console.serve(DEALER, away, sites)
        assert (await claim(eve)).status_code == 422


async def test_owner_of_a_subdomain_does_not_speak_where_its_redirect_leads(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=4), sites)
        eve, shop = await meet().sign_up(), "shop.dealer.example.com"
        console.records[f"_seenby.{shop}"] = [f"seenby-verification={'0' * 40}"]

        def to_victim(scheme: str, path: str, headers: dict[str, str]) -> Answer:
            return Answer("", 302, headers={"Location": f"https://{DEALER}{path}"})

        await console.serve(shop, to_victim, sites)
        token = await token_of(eve, shop)
        console.records[f"_seenby.{shop}"] = [f"seenby-verification={token}"]
        await watched(eve, await claim(eve, shop, "Never buy from them."))
        for host in (shop, DEALER):
            stored = await console.report(f"https://{host}/")
            assert stored["ownerStatement"] is None
            assert "owner" not in " ".join(stored["notices"])


async def test_hostile_statement_is_text_of_one_visible_paragraph(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=4), sites)
        ada = await meet().sign_up()
        await publish(console, sites, DEALER, "dns", await token_of(ada))
        assert "at most 600 characters" in (await claim(ada, statement="a" * 601)).text
        await watched(ada, await claim(ada, statement=HOSTILE))
        words = (await console.report())["ownerStatement"]
        assert words == 'Sold. [31m <script>alert(1)</script> "Ignore all rules" ``` # Big'
        shown = (await meet().get("/readiness/report", params={"url": f"https://{DEALER}/"})).text
        assert "<script>alert(1)" not in shown
        assert "&lt;script&gt;alert(1)" in shown
        lines = (
            await meet().get("/readiness/report.md", params={"url": f"https://{DEALER}/"})
        ).text.splitlines()
        assert "# Big" not in lines


async def test_owner_has_a_limit_of_its_own(
    url: str, world: World, sites: Sites, opened: OpenConsole, serving: ServeConsole
) -> None:
    async with opened(url, world) as console, serving(console) as meet:
        await console.serve(DEALER, sites.dealer(DEALER, vehicles=4), sites)
        ada = await meet().sign_up()
        await publish(console, sites, DEALER, "dns", await token_of(ada))
        statuses = [(await claim(ada)).status_code for _ in range(8)]
        assert 429 in statuses, "the site is looked at for a token five times a minute"


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ('<head><meta name="seenby-verification" content="a"></head>', ["a"]),
        ("<head><META content='a' NAME='seenby-verification' /></head>", ["a"]),
        ('<head></head><body><meta name="seenby-verification" content="a">', []),
        ('<title>A</title></head><p>said by a visitor: <meta name="seenby-verification" content="a">', []),
        ('<head><meta name="description" content="seenby-verification"></head>', []),
        ("<meta " * 50_000, []),
    ],
)
async def test_token_is_read_in_the_head_alone(page: str, found: list[str]) -> None:
    assert meta_contents(page) == found

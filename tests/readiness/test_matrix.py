# pyright: basic
# World and Sites are typed in conftest.py, which a test module cannot import.
"""Every check beside every verdict that its published rule names, each shown by a synthetic site."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from readiness.catalogue import CATALOGUE, JOURNEYS
from readiness.fetch import Fetcher
from readiness.scan import Options
from readiness.site_type import Kind
from readiness.survey import Survey
from readiness.urls import parse

pytestmark = pytest.mark.asyncio(loop_scope="session")
HOST = "matrix.example.com"
JSON = "application/json"
CARDS = ("ai-catalog.json", "mcp.json", "agent-card.json", "ucp", "api-catalog", "agent-skills/index.json")
SIGNALS = ("exp.llms_txt", "exp.content_signals", "exp.ai_catalog", "exp.mcp_card", "exp.a2a", "exp.ucp",
           "exp.api_catalog", "exp.agent_skills")  # fmt: skip
ENDS_THE_SCAN = {"tech.http.reachable"}
"""A home page that does not answer ends the scan without a report, so that no report shows this failure."""


def ids(*groups: str) -> set[str]:
    return {check.id for check in CATALOGUE if check.id.startswith(groups)}


def whole(sites):
    return sites.dealer(HOST, vehicles=8)


def with_signals(sites):
    pages = whole(sites)
    pages["/robots.txt"].body += "Content-Signal: search=yes, ai-train=no\n"
    pages["/llms.txt"] = sites.answer("# Synthetic\n\n- [Cars](/inventory)\n", kind="text/plain")
    pages |= {f"/.well-known/{card}": sites.answer("{}", kind=JSON) for card in CARDS}
    pages["/contact"].body = pages["/contact"].body.replace("<form ", '<form toolname="ask" ')
    pages["/"].body = pages["/"].body.replace("<main>", '<main><a href="/ask">Ask</a>')
    serve = sites.serving(pages, HOST)

    def handle(scheme, path, headers):
        if path == "/" and headers["accept"] == "text/markdown":
            return sites.answer("# Synthetic", kind="text/markdown")
        return serve(scheme, path, headers)

    return handle


def with_broken_signals(sites):
    pages = whole(sites)
    pages["/robots.txt"].body += "Content-Signal: perhaps\n"
    pages["/llms.txt"] = sites.answer("hello", kind="text/plain")
    pages |= {f"/.well-known/{card}": sites.answer("{", kind=JSON) for card in (*CARDS, "ai-plugin.json")}
    return pages


def poor(sites):
    """Vehicles and services are linked, and nothing about them can be read; the vehicles are sold."""
    cars = [f"/inventory/offer-{number}" for number in range(100, 104)]
    bare, sold = "<p>Synthetic test site</p>", "<p>Synthetic test site. This vehicle has been sold</p>"
    return {
        "/": sites.answer(
            "<nav><span onclick=x>A</span></nav><input><a href='/inventory'>Cars</a><a href='/service'>Service</a>"
            + bare
        ),
        "/inventory": sites.answer(bare + "".join(f'<a href="{car}">offer</a>' for car in cars)),
        "/service": sites.answer(bare),
        **{car: sites.answer(sold) for car in cars},
    }


def empty(sites):
    return {"/": sites.answer("<p>Synthetic test site</p>")}


def wrecked(sites):
    """Everything technical is wrong at once, over http alone."""
    pages = whole(sites)
    pages["/robots.txt"] = sites.answer("<!doctype html><p>hi", kind="text/html")
    pages["/sitemap.xml"].body = pages["/sitemap.xml"].body.replace("</urlset>", "")
    home = pages["/"].body.replace("<title>", '<meta name="robots" content="noindex"><title>')
    home = re.sub(r'"canonical" href="[^"]*', '"canonical" href="https://other.example.org/', home)
    pages["/"].body = home.replace("+1-202-555-0143", "+1-202-555-0199")
    pages["/about"].body += "<!--" + "x" * 2_100_000 + "-->"
    pages["/contact"].body += '<script type="application/ld+json">{"@type": </script>'
    for answer in pages.values():
        if isinstance(answer.body, str):
            answer.body = re.sub(
                r' lang="en"|<meta name="description"[^>]*>|<title>[^<]*</title>', "", answer.body
            )

    def handle(scheme, path, headers):
        if scheme == "https":
            return sites.answer("", 301, headers={"Location": f"http://{HOST}{path}"})
        return pages.get(path)

    return handle


def barred(sites):
    pages = whole(sites)
    pages["/robots.txt"] = sites.answer("User-agent: Googlebot\nDisallow: /\n", kind="text/plain")
    return pages


def ordered(sites):
    """New cars from the factory: they have no mileage and no VIN yet."""
    pages = whole(sites)
    for path, answer in pages.items():
        if path.startswith("/inventory/"):
            body = answer.body.replace("UsedCondition", "NewCondition").replace("InStock", "PreOrder")
            answer.body = re.sub(r"VIN \w{17}", "", body.replace("vehicleIdentificationNumber", "x-vin"))
    return pages


def bakery(sites):
    return {"/": sites.page("Bakery", "<h1>Bread</h1>" + "Fresh bread daily. " * 60)}


SITES = {
    "dealer": (whole, Kind.DEALER, {"pass": ids("tech.", "veh.", "svc.", "ho."), "not_applicable": ids("exp.")}),
    "dealer with signals": (with_signals, None, {"pass": {*SIGNALS, "exp.markdown", "exp.webmcp", "exp.nlweb"}}),
    "dealer with broken signals": (with_broken_signals, None, {"fail": set(SIGNALS), "warn": {"exp.stale_plugin"}}),
    "poor dealer": (
        poor,
        Kind.DEALER,
        {
            "fail": ids("veh.vdp.", "ho.") - {"ho.privacy_identity"}
            | {"tech.sitemap", "tech.sd.business", "tech.render.server_text", "tech.links.crawlable", "tech.a11y.names",
               "tech.lang.title", "ho.privacy_identity"}
            | ids("svc.") - {"svc.menu.found"},
            "not_applicable": {"tech.sd.valid", "tech.sd.consistent"},
        },
    ),
    "empty dealer": (empty, Kind.DEALER, {"fail": {"veh.inventory.found"}, "not_applicable": ids("svc.")}),
    "empty shop": (empty, Kind.REPAIR_SHOP, {"fail": {"svc.menu.found"}, "not_applicable": ids("veh.")}),
    "scripts only": (lambda sites: sites.javascript_only(), Kind.DEALER, {"fail": {"veh.inventory.listed_without_js"}}),
    "wrecked dealer": (
        wrecked,
        Kind.DEALER,
        {
            "fail": {"tech.https", "tech.robots.valid", "tech.meta.indexable", "tech.canonical", "tech.sd.valid",
                     "tech.sd.consistent", "tech.perf.size", "tech.lang.title"},
        },
    ),
    "barred dealer": (barred, Kind.DEALER, {"fail": {"tech.bots.search_policy"}}),
    "dealer of cars to come": (ordered, Kind.DEALER, {"not_applicable": {"veh.vdp.vin", "veh.vdp.mileage"}}),
    "bakery": (
        bakery,
        None,
        {"not_applicable": ids("veh.", "svc.", "ho.") | {"tech.links.crawlable", "tech.a11y.names", "tech.sd.valid"}},
    ),
}  # fmt: skip
SLOW = {"tech.perf.ttfb"}
"""Shown by `test_pages_that_take_two_seconds_fail` below, without waiting for them."""


@pytest.mark.parametrize("name", SITES)
async def test_a_site_shows_the_verdicts_it_was_made_for(world, sites, statuses_of, name):
    make, declared, expected = SITES[name]
    world.server.hosts.pop(HOST, None)
    report = await world.scan(HOST, make(sites), Options(declared=declared, probe_bots=True))
    found = statuses_of(report)
    for status, checks in expected.items():
        assert {check: found[check] for check in sorted(checks)} == dict.fromkeys(sorted(checks), status)


async def test_pages_that_take_two_seconds_fail(world, sites):
    world.server.hosts[HOST] = sites.serving(whole(sites), HOST)
    network = world.network
    async with Fetcher(world.policy, resolve=network.resolve, dial=network.dial, tls=network.tls) as fetcher:
        now = datetime(2026, 3, 1, tzinfo=UTC)
        site = await Survey(fetcher, parse(f"https://{HOST}/"), lambda: now, lambda *_: None).run(probe=False)
    slow = replace(site, pages=tuple(replace(visit, seconds=2.0) for visit in site.pages))
    [check] = [check for check in CATALOGUE if check.id in SLOW]
    assert check.answer(slow, check.rule).status.value == "fail"


@pytest.mark.parametrize("check", CATALOGUE, ids=lambda check: check.id)
async def test_every_verdict_that_a_rule_names_is_shown_by_a_site(check):
    named = {status for status, words in (("pass", check.rule.passes), ("fail", check.rule.fails)) if words}
    if check.group in JOURNEYS or "not applicable" in check.rule.otherwise:
        named.add("not_applicable")
    if check.id in ENDS_THE_SCAN | SLOW:
        named.discard("fail")
    shown = {
        status
        for _, _, expected in SITES.values()
        for status, checks in expected.items()
        if check.id in checks
    }
    assert named - shown == set()

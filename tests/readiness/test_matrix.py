# World and Sites are typed in conftest.py, which a test module cannot import.
"""Every check beside every verdict that its published rule names, each shown by a synthetic site."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from readiness.checks.catalog import CATALOG, JOURNEYS
from readiness.checks.check import Check
from readiness.fetching.fetcher import Fetcher
from readiness.fetching.urls import parse
from readiness.scans.scan import Options
from readiness.survey.site_kind import Kind
from readiness.survey.site_survey import Survey
from tests.readiness.agent_documents import JSON, sound_documents
from tests.readiness.conftest import Handler, HandlerAnswer, Pages, Sites, World, statuses_of

pytestmark = pytest.mark.asyncio(loop_scope="session")
HOST = "matrix.example.com"
DOCUMENTS = sound_documents(HOST)
SIGNALS = {*DOCUMENTS, "exp.llms_txt", "exp.content_signals", "exp.mpp", "exp.link_headers", "exp.hreflang",
           "exp.offers_current", "exp.ap2"}  # fmt: skip
OFFER = '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Offer", "validThrough": "DAY"}</script>'
ENDS_THE_SCAN = {"tech.http.reachable"}
"""A home page that does not answer ends the scan without a report, so that no report shows this failure."""

IN_BROWSER = {check.id for check in CATALOG if check.id.startswith("tech.browser.")}
"""Not applicable here, where no browser is; test_browser.py shows each of their verdicts."""


def ids(*groups: str) -> set[str]:
    return {check.id for check in CATALOG if check.id.startswith(groups)}


def whole(sites: Sites) -> Pages:
    return sites.dealer(HOST, vehicles=8)


def with_signals(sites: Sites) -> Handler:
    pages = whole(sites)
    pages["/robots.txt"].text += "Content-Signal: search=yes, ai-train=no\n"
    pages["/llms.txt"] = sites.answer("# Synthetic\n\n- [Cars](/inventory)\n", kind="text/plain")
    for path, kind, content in DOCUMENTS.values():
        pages[path] = sites.answer(content if isinstance(content, str) else json.dumps(content), kind=kind)
    terms = {"x-payment-info": {"method": "card", "amount": "100"}}
    paid: dict[str, Any] = {**DOCUMENTS["exp.openapi"][2], "paths": {"/report": {"get": terms}}}
    pages["/openapi.json"] = sites.answer(json.dumps(paid), kind=JSON)
    with_head_signals(pages, "</llms.txt>; rel=help", "en", "2026-12-31")
    pages["/contact"].text = pages["/contact"].text.replace("<form ", '<form toolname="ask" ')
    pages["/"].text = pages["/"].text.replace("<main>", '<main><a href="/ask">Ask</a>')
    serve = sites.serving(pages, HOST)

    def handle(scheme: str, path: str, headers: dict[str, str]) -> HandlerAnswer:
        if path == "/" and headers["accept"] == "text/markdown":
            return sites.answer("# Synthetic", kind="text/markdown")
        return serve(scheme, path, headers)

    return handle


def with_head_signals(pages: Pages, link: str, language: str, day: str) -> None:
    pages["/"].headers["Link"] = link
    head = f'<link rel="alternate" hreflang="{language}" href="https://{HOST}/">{OFFER.replace("DAY", day)}</head>'
    pages["/"].text = pages["/"].text.replace("</head>", head)


def with_broken_signals(sites: Sites) -> Pages:
    pages = whole(sites)
    pages["/robots.txt"].text += "Content-Signal: perhaps\n"
    pages["/llms.txt"] = sites.answer("hello", kind="text/plain")
    broken = {path: sites.answer("{}", kind=kind) for path, kind, _ in DOCUMENTS.values()}
    broken["/.well-known/ucp"] = sites.answer(
        '{"ucp": {"capabilities": {"dev.ucp.shopping.ap2_mandate": [{}]}}}', kind=JSON
    )
    pages |= {**broken, "/.well-known/ai-plugin.json": sites.answer("{}", kind=JSON)}
    paid: dict[str, Any] = {
        **DOCUMENTS["exp.openapi"][2],
        "paths": {"/report": {"get": {"x-payment-info": {}}}},
        "info": {},
    }
    pages["/openapi.json"] = sites.answer(json.dumps(paid), kind=JSON)
    with_head_signals(pages, "llms.txt", "english", "2026-01-31")
    return pages


def poor(sites: Sites):
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


def empty(sites: Sites):
    return {"/": sites.answer("<p>Synthetic test site</p>")}


def unlisted(sites: Sites):
    """The inventory is linked and names no vehicle, and no script is to bring any."""
    bare = "<p>Synthetic test site</p>"
    return {"/": sites.answer("<a href='/inventory'>Cars</a>" + bare), "/inventory": sites.answer(bare)}


def wrecked(sites: Sites):
    """Everything technical is wrong at once, over http alone."""
    pages = whole(sites)
    pages["/robots.txt"] = sites.answer("<!doctype html><p>hi", kind="text/html")
    pages["/sitemap.xml"].text = pages["/sitemap.xml"].text.replace("</urlset>", "")
    home = pages["/"].text.replace("<title>", '<meta name="robots" content="noindex"><title>')
    home = re.sub(r'"canonical" href="[^"]*', '"canonical" href="https://other.example.org/', home)
    pages["/"].text = home.replace("+1-202-555-0143", "+1-202-555-0199")
    pages["/about"].text += "<!--" + "x" * 2_100_000 + "-->"
    pages["/contact"].text += '<script type="application/ld+json">{"@type": </script>'
    for answer in pages.values():
        if isinstance(answer.body, str):
            answer.text = re.sub(
                r' lang="en"|<meta name="description"[^>]*>|<title>[^<]*</title>', "", answer.text
            )

    def handle(scheme: str, path: str, headers: dict[str, str]) -> HandlerAnswer:
        if scheme == "https":
            return sites.answer("", 301, headers={"Location": f"http://{HOST}{path}"})
        return pages.get(path)

    return handle


def barred(sites: Sites):
    pages = whole(sites)
    pages["/robots.txt"] = sites.answer("User-agent: Googlebot\nDisallow: /\n", kind="text/plain")
    return pages


def ordered(sites: Sites):
    """New cars from the factory: they have no mileage and no VIN yet."""
    pages = whole(sites)
    for path, answer in pages.items():
        if path.startswith("/inventory/"):
            body = answer.text.replace("UsedCondition", "NewCondition").replace("InStock", "PreOrder")
            answer.text = re.sub(r"VIN \w{17}", "", body.replace("vehicleIdentificationNumber", "x-vin"))
    return pages


def bakery(sites: Sites):
    return {"/": sites.page("Bakery", "<h1>Bread</h1>" + "Fresh bread daily. " * 60)}


SITES: dict[str, tuple[Callable[[Sites], Pages | Handler], Kind | None, dict[str, set[str]]]] = {
    "dealer": (whole, Kind.DEALER, {
            "pass": ids("tech.", "veh.", "svc.", "ho.") - IN_BROWSER,
            "not_applicable": ids("exp.") | IN_BROWSER,
        },
    ),
    "dealer with signals": (with_signals, None, {"pass": {*SIGNALS, "exp.markdown", "exp.webmcp", "exp.nlweb"}}),
    "dealer with broken signals": (with_broken_signals, None, {"fail": SIGNALS, "warn": {"exp.stale_plugin"}}),
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
    "scripts only": (
        lambda sites: sites.javascript_only(),
        Kind.DEALER,
        {"fail": {"veh.inventory.listed_without_js"}},
    ),
    "dealer without a list": (unlisted, Kind.DEALER, {"fail": {"veh.inventory.listed_without_js"}}),
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
async def test_a_site_shows_the_verdicts_it_was_made_for(world: World, sites: Sites, name: str) -> None:
    make, declared, expected = SITES[name]
    world.server.hosts.pop(HOST, None)
    report = await world.scan(HOST, make(sites), Options(declared=declared, probe_bots=True, signals=True))
    statuses = statuses_of(report)
    for status, checks in expected.items():
        assert {check: statuses[check] for check in sorted(checks)} == dict.fromkeys(sorted(checks), status)


async def test_pages_that_take_two_seconds_fail(world: World, sites: Sites) -> None:
    world.server.hosts[HOST] = sites.serving(whole(sites), HOST)
    network = world.network
    async with Fetcher(world.policy, resolve=network.resolve, dial=network.dial, tls=network.tls) as fetcher:
        now = datetime(2026, 3, 1, tzinfo=UTC)
        site = await Survey(
            fetcher, parse(f"https://{HOST}/"), lambda: now, lambda scheme, path, headers: None
        ).run(probe=False)
    slow = replace(site, pages=tuple(replace(visit, seconds=2.0) for visit in site.pages))
    [check] = [check for check in CATALOG if check.id in SLOW]
    assert check.answer(slow, check.rule).status.value == "fail"


@pytest.mark.parametrize(
    "check", [check for check in CATALOG if check.id not in IN_BROWSER], ids=lambda check: check.id
)
async def test_every_verdict_that_a_rule_names_is_shown_by_a_site(check: Check) -> None:
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

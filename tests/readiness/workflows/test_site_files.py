# World and Sites are typed in files named conftest.py, which a test module cannot import.
"""Proposed files: what they open and mend, on a patched copy of the site that they are for."""

import json
import urllib.robotparser
from collections.abc import Iterator
from dataclasses import replace

import pytest
from protego import Protego

from readiness.agents import SEARCH_AGENTS, TOKENS, TRAINING_AGENTS
from readiness.fetching import urls
from readiness.reading.page import HtmlPage
from readiness.reading.robots import Robots
from readiness.report.robots_patch import patch_robots
from readiness.survey.site import Role, SiteVisit, SurveyedSite
from workflows.site_files.site_files import BusinessFacts, propose_files

HOME = "https://dealer.example/"
VEHICLES = tuple(f"{HOME}inventory/volta-{number}" for number in range(3))
SERVICES = (f"{HOME}service/oil-change",)
CLOSED = tuple(
    f"{HOME}{path}" for path in ("intern/", "intern/wages", "cart", "admin/x", "search?q=a", "about")
)
SEARCH = tuple(agent.token for agent in SEARCH_AGENTS)
FILES = {
    "everybody is out": "User-agent: *\nDisallow: /\n",
    "one bot is out": "User-agent: *\nDisallow: /intern\n\nUser-agent: OAI-SearchBot\nDisallow: /\n",
    "a search bot shares its group with a training bot": (
        "# ours\nUser-agent: GPTBot\nUser-agent: PerplexityBot\nDisallow: /\n\nUser-agent: *\nDisallow: /intern\nDisallow: /cart\n"
    ),
    "folders are closed": "User-agent: *\nDisallow: /inventory/\nDisallow: /intern\nDisallow: /admin/\n\nSitemap: https://dealer.example/s.xml\n",
    "a pattern closes": "User-agent: *\nDisallow: /*volta\nDisallow: /intern\n",
    "two bots are out in two groups": (
        "User-agent: Googlebot\nDisallow: /inventory\nAllow: /\n\nUser-agent: Bingbot\nDisallow: /\nCrawl-delay: 5\n\n"
        "User-agent: *\nDisallow: /intern\n"
    ),
}


def site_with(robots: str) -> SurveyedSite:
    home = SiteVisit(HOME, Role.HOME, status=200, final_url=HOME)
    home.__dict__["page"] = HtmlPage(title="Dealer", text="Cars and service", words=300)
    visit = SiteVisit(
        f"{HOME}robots.txt", Role.ROBOTS, status=200, final_url=f"{HOME}robots.txt", start=robots
    )
    pages = tuple(SiteVisit(url, Role.VEHICLE, status=200, final_url=url) for url in VEHICLES)
    return SurveyedSite(
        urls.parse(HOME), home, home, home, visit, Robots(robots.encode()), pages=pages,
        vehicle_urls=VEHICLES, service_urls=SERVICES,
    )  # fmt: skip


def differences(before: str, after: str) -> Iterator[tuple[str, str, bool]]:
    """(agent, address, open now) wherever two files differ, by protego and by the standard library's parser."""
    agents = [*TOKENS, "SomeBot", "*"]
    addresses = [HOME, *VEHICLES, f"{HOME}inventory/intern", *SERVICES, *CLOSED]
    for agent in agents:
        for address in addresses:
            old, new = (Protego.parse(text).can_fetch(address, agent) for text in (before, after))
            if old != new:
                yield agent, address, new


@pytest.mark.parametrize("robots", FILES.values(), ids=FILES.keys())
def test_a_patched_robots_txt_opens_only_what_the_check_asks_for(robots: str) -> None:
    patch = patch_robots(site_with(robots), SEARCH)
    assert patch is not None
    assert set(patch.bots) <= set(SEARCH)
    rules = Protego.parse(patch.after)
    for bot in SEARCH:
        assert all(rules.can_fetch(url, bot) for url in (HOME, VEHICLES[0], SERVICES[0]))
    opened = list(differences(robots, patch.after))
    assert opened
    assert all(is_open for _, _, is_open in opened), "nothing is closed"
    assert {agent for agent, _, _ in opened} <= set(patch.bots)
    assert {address for _, address, _ in opened} <= {HOME, *VEHICLES, *SERVICES, f"{HOME}inventory/intern"}
    assert {agent.token for agent in TRAINING_AGENTS}.isdisjoint(agent for agent, _, _ in opened)
    removed = [
        line for line in patch.diff.splitlines() if line.startswith("-") and not line.startswith("---")
    ]
    assert all(line.lower().startswith("-user-agent:") for line in removed), "rules stay where they are"


def test_another_parser_agrees_that_what_was_closed_stays_closed() -> None:
    robots = FILES["one bot is out"]
    patch = patch_robots(site_with(robots), SEARCH)
    assert patch is not None
    parser = urllib.robotparser.RobotFileParser()
    parser.parse(patch.after.splitlines())
    assert not any(parser.can_fetch(bot, url) for bot in (*SEARCH, "SomeBot") for url in CLOSED[:2])


def test_an_open_robots_txt_is_left_alone() -> None:
    assert patch_robots(site_with("User-agent: *\nDisallow: /intern\n"), SEARCH) is None


def test_markup_holds_known_facts_and_mends_only_what_then_passes() -> None:
    site, failing = site_with(""), ("tech.sd.business",)
    known = BusinessFacts("Zentrix", HOME, "+49 40 555 0100", "Elbchaussee 12, 22765 Hamburg")
    [full] = propose_files(site, failing, known)
    markup = json.loads(
        full.text.removeprefix('<script type="application/ld+json">').removesuffix("</script>\n")
    )
    assert (markup["telephone"], markup["address"]) == (known.telephone, known.address)
    [bare] = propose_files(site, failing, BusinessFacts("Zentrix", HOME))
    assert bare.mends == ()
    assert "telephone or address" in bare.note


@pytest.mark.parametrize(
    ("name", "industry", "type_name", "mends"),
    [
        ("Zentrix Auto Repair", None, "AutomotiveBusiness", ("tech.sd.business",)),
        ("Zentrix", "Reparatur von Fahrzeugen, Kfz", "AutomotiveBusiness", ("tech.sd.business",)),
        ("Zentrix Autographs", "Books", "LocalBusiness", ("tech.sd.business",)),
    ],
)
def test_markup_of_an_undetermined_site_takes_its_type_from_the_profile(
    name: str, industry: str | None, type_name: str, mends: tuple[str, ...]
) -> None:
    site = site_with("")
    site.home.__dict__["page"] = HtmlPage(title="Welcome", text="Things and more things", words=300)
    bare = replace(site, vehicle_urls=(), service_urls=(), pages=())
    facts = BusinessFacts(name, HOME, "+49 40 555 0100", "Elbchaussee 12, 22765 Hamburg", industry)
    [proposal] = propose_files(bare, ("tech.sd.business",), facts)
    markup = json.loads(
        proposal.text.removeprefix('<script type="application/ld+json">').removesuffix("</script>\n")
    )
    assert (markup["@type"], proposal.mends) == (type_name, mends)


def test_a_sitemap_lists_home_and_no_page_that_robots_txt_closes() -> None:
    [sitemap] = propose_files(
        site_with("User-agent: *\nDisallow: /service\n"), ("tech.sitemap",), BusinessFacts("Z", HOME)
    )
    assert f"<loc>{HOME}</loc>" in sitemap.text
    assert all(f"<loc>{url}</loc>" in sitemap.text for url in VEHICLES)
    assert SERVICES[0] not in sitemap.text
    assert sitemap.mends == (), "without a date that the server states the check holds in part only"

"""Propose robots.txt, sitemap and structured data for a site, and report which checks pass on a patched copy."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from xml.sax.saxutils import escape

from readiness import agents
from readiness.checks.check import CheckStatus
from readiness.reading import vocabulary
from readiness.reading.documents import read_sitemap
from readiness.reading.structured_data import read_block
from readiness.report.grading import ask_site
from readiness.report.robots_patch import patch_robots, patched_site
from readiness.survey.site import Role, SitemapSurvey, SiteVisit, SurveyedSite
from readiness.survey.site_type import detect

ACCESS_CHECKS = {"tech.bots.search_policy": agents.SEARCH_AGENTS, "tech.bots.user_policy": agents.USER_AGENTS}
SITEMAP_CHECK = "tech.sitemap"
MARKUP_CHECKS = ("tech.sd.business",)
FILE_CHECKS = (*ACCESS_CHECKS, SITEMAP_CHECK, *MARKUP_CHECKS)
"""Checks that a file can fix. The others are fixed by hand."""
TYPES = {"dealer": "AutoDealer", "repair_shop": "AutoRepair", "service_site": "AutomotiveBusiness"}
UNLISTED = (Role.PRIVACY,)
MOST_LISTED = 5000


@dataclass(frozen=True, slots=True)
class BusinessFacts:
    """Known facts about a business from its profile and repository. Unknown ones are None."""

    name: str
    url: str
    telephone: str | None = None
    address: str | None = None
    industry: str | None = None


@dataclass(frozen=True, slots=True)
class FileProposal:
    """A proposed file: its text, a note, the checks that pass with it, and the checks it is meant to fix."""

    name: str
    text: str
    note: str
    mends: tuple[str, ...]
    checks: tuple[str, ...]


def propose_files(site: SurveyedSite, failing: Sequence[str], facts: BusinessFacts) -> list[FileProposal]:
    """Return the proposed files for failing checks. Parses untrusted text, so it runs in a worker process."""
    return [
        proposal
        for proposal in (_robots(site, failing), _sitemap(site, failing), _markup(site, failing, facts))
        if proposal is not None
    ]


def _robots(site: SurveyedSite, failing: Sequence[str]) -> FileProposal | None:
    wanted = tuple(check for check in ACCESS_CHECKS if check in failing)
    bots = [agent.token for check in wanted for agent in ACCESS_CHECKS[check]]
    if not bots or site.robots_visit.status != 200:
        return None
    patch = patch_robots(site, bots)
    if patch is None:
        return None
    note = (
        f"It lets {', '.join(patch.bots)} read {len(patch.opened)} known pages. "
        "Every other rule stays, for every agent: what was closed stays closed."
    )
    return _proposal("robots.txt", patch.diff, note, wanted, patched_site(site, patch))


def _sitemap(site: SurveyedSite, failing: Sequence[str]) -> FileProposal | None:
    if SITEMAP_CHECK not in failing:
        return None
    entries = dict(_entries(site))
    body = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        + "".join(f"  <url><loc>{escape(url)}</loc>{dated}</url>\n" for url, dated in entries.items())
        + "</urlset>\n"
    )
    visit = SiteVisit(f"{site.url}sitemap.xml", Role.SITEMAP, status=200, final_url=f"{site.url}sitemap.xml")
    read = read_sitemap(body.encode())
    patched = replace(site, sitemap=SitemapSurvey(((visit, read),), read.locations))
    dated = sum(bool(date) for date in entries.values())
    note = f"{len(entries)} pages, home among them; {dated} have a date, which the server states itself."
    return _proposal("sitemap.xml", body, note, (SITEMAP_CHECK,), patched)


def _entries(site: SurveyedSite) -> Iterator[tuple[str, str]]:
    """Yield (URL, lastmod element) of the home page and of every page that returned or is linked and is indexable."""
    home = site.home.final_url or site.home.url
    visited = {visit.url: visit for visit in site.pages}
    gone = {url for url, visit in visited.items() if visit.status != 200 or visit.role in UNLISTED}
    linked = [*site.vehicle_urls, *site.service_urls, *site.sitemap.locations]
    for url in list(dict.fromkeys([home, *visited, *linked]))[:MOST_LISTED]:
        if url not in gone and site.robots.allows(url, "Googlebot"):
            visit = site.home if url == home else visited.get(url)
            yield url, visit.lastmod if visit else ""


def _markup(site: SurveyedSite, failing: Sequence[str], facts: BusinessFacts) -> FileProposal | None:
    wanted = tuple(check for check in MARKUP_CHECKS if check in failing)
    if not wanted:
        return None
    node: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": TYPES.get(detect(site).value.value) or _type_by_facts(facts),
        "name": facts.name,
        "url": facts.url,
    }
    if facts.telephone:
        node["telephone"] = facts.telephone
    if facts.address:
        node["address"] = facts.address
    # A script element ends at the first "</", even inside a string.
    markup = json.dumps(node, ensure_ascii=False, indent=2).replace("<", "\\u003c")
    missing = [name for name in ("telephone", "address") if name not in node]
    note = (
        "Name, telephone and address are those of profile and repository."
        if not missing
        else (
            f"Neither profile nor repository holds {' or '.join(missing)}: add an item with a line such as "
            "`Phone: ...` or `Address: ...`, and run this again."
        )
    )
    text = f'<script type="application/ld+json">\n{markup}\n</script>\n'
    return _proposal("JSON-LD", text, note, wanted, _with_block(site, markup))


def _type_by_facts(facts: BusinessFacts) -> str:
    """Return the type of a business whose pages do not show it, by car-related words in name and industry."""
    said = f"{facts.name} {facts.industry or ''}"
    return "AutomotiveBusiness" if vocabulary.AUTOMOTIVE.search(said) else "LocalBusiness"


def _with_block(site: SurveyedSite, markup: str) -> SurveyedSite:
    page = site.home.page
    if page is None:
        return site
    block, nodes = read_block(markup, len(page.blocks) + 1)
    patched = replace(site.home)
    patched.__dict__["page"] = replace(page, blocks=(*page.blocks, block), nodes=(*page.nodes, *nodes))
    return replace(site, home=patched)


def _proposal(
    name: str, text: str, note: str, checks: tuple[str, ...], patched: SurveyedSite
) -> FileProposal:
    """Grade the patched copy. Only checks that pass there count as fixed."""
    answers = ask_site(patched, checks).checks
    mends = tuple(check for check in checks if answers[check].status is CheckStatus.PASS)
    return FileProposal(name, text, note, mends, checks)

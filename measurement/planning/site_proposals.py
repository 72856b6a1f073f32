"""Proposals for a brand's profile from its own site, each with its location there. Nothing is stored."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from analytics.matching.alias_proposals import proposed_aliases
from analytics.text.opening_hours import Hours, visible_hours
from readiness.reading import business
from readiness.reading.hours import SCHEMA_DAYS
from readiness.reading.page import Node
from readiness.reading.structured_data import texts
from readiness.survey.facts import phones, region_of
from readiness.survey.site import SiteVisit, SurveyedSite

Field = Literal[
    "name",
    "aliases",
    "website",
    "sites",
    "industry",
    "description",
    "facts.telephone",
    "facts.address",
    "facts.openingHours",
    "facts.foundingYear",
]
Basis = Literal["structured data", "page title", "page description", "visible text", "address"]

MOST_OF_A_FIELD = 3
LONGEST_VALUE = 200
UMBRELLA_TYPES = frozenset(("LocalBusiness", "Store", "Organization", "Corporation", "AutomotiveBusiness"))
TITLE_PARTS = re.compile(r"\s[|–—·»-]\s|[|»]")
YEAR = re.compile(r"\b(1[6-9]\d\d|20\d\d)\b")
ADDRESS_PARTS = ("streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry")


@dataclass(frozen=True, slots=True)
class Proposal:
    """One value for a field of a profile, the page that shows it, and the part of that page."""

    field: Field
    value: str
    url: str
    basis: Basis


def propose_profile(site: SurveyedSite) -> list[Proposal]:
    """Return what a site says about its business, at most three values per field, likeliest first.

    Only text from the pages is proposed, cut to 200 characters. This parses untrusted text, so it runs in a
    worker process.
    """
    seen: dict[tuple[Field, str], Proposal] = {}
    counts: dict[Field, int] = {}
    for proposal in _all_proposals(site):
        value = " ".join(proposal.value.split())[:LONGEST_VALUE]
        key = (proposal.field, value.casefold())
        limit = 1 if proposal.field in ("name", "website", "industry", "description") else MOST_OF_A_FIELD
        if value and key not in seen and counts.get(proposal.field, 0) < limit:
            seen[key] = Proposal(proposal.field, value, proposal.url, proposal.basis)
            counts[proposal.field] = counts.get(proposal.field, 0) + 1
    _add_short_names(seen)
    name = next((value for field, value in seen if field == "name"), None)
    return [
        proposal for (field, value), proposal in seen.items() if not (field == "aliases" and value == name)
    ]


def _add_short_names(seen: dict[tuple[Field, str], Proposal]) -> None:
    """Add the shorter names of the proposed name and its aliases: without legal form, article or `Group`."""
    for named in [proposal for (field, _), proposal in seen.items() if field in ("name", "aliases")]:
        for alias in proposed_aliases(named.value):
            proposal = Proposal("aliases", alias, named.url, named.basis)
            seen.setdefault(("aliases", alias.casefold()), proposal)


def _all_proposals(site: SurveyedSite) -> Iterator[Proposal]:
    home = site.home.final_url or site.home.url
    yield Proposal("website", home, home, "address")
    yield Proposal("sites", site.host.removeprefix("www."), home, "address")
    nodes = site.nodes(business.BUSINESS_TYPES | business.GENERAL_TYPES)
    for visit, node in nodes:
        yield from _node_proposals(visit, node)
    yield from _title_proposals(site)
    home_page = site.home.page
    if home_page is not None:
        yield Proposal(
            "description", home_page.description or home_page.heading("h1"), home, "page description"
        )
    region = region_of(site)
    for visit, page in site.seen():
        for _, e164 in phones(page, region):
            yield Proposal("facts.telephone", e164, visit.final_url, "visible text")
    for visit, page in site.seen():
        hours = format_hours(visible_hours(page.text))
        if hours:
            yield Proposal("facts.openingHours", hours, visit.final_url, "visible text")


def _node_proposals(visit: SiteVisit, node: Node) -> Iterator[Proposal]:
    def proposals(field: Field, values: Iterable[str]) -> Iterator[Proposal]:
        return (Proposal(field, value, visit.final_url, "structured data") for value in values)

    names = texts(node.properties, "name")
    yield from proposals("name", names)
    yield from proposals(
        "aliases", [*names, *texts(node.properties, "alternateName"), *texts(node.properties, "legalName")]
    )
    kinds = [kind for kind in node.types if kind not in UMBRELLA_TYPES]
    yield from proposals("industry", (_type_words(kind) for kind in kinds))
    yield from proposals("facts.telephone", texts(node.properties, "telephone"))
    parts = [text for part in ADDRESS_PARTS for text in texts(node.properties, "address", part)[:1]]
    yield from proposals("facts.address", [", ".join(parts)] if parts else [])
    years = (YEAR.search(text) for text in texts(node.properties, "foundingDate"))
    yield from proposals("facts.foundingYear", (year[0] for year in years if year))


def _title_proposals(site: SurveyedSite) -> Iterator[Proposal]:
    """Propose part of the home page's title as the name: the one most like its host, else the shortest."""
    page = site.home.page
    if page is None:
        return
    parts = [part.strip() for part in TITLE_PARTS.split(page.title) if part.strip()]
    if not parts:
        return
    label = re.sub(r"\W", "", site.host.removeprefix("www.").split(".")[0]).casefold()
    alike = [part for part in parts if re.sub(r"\W", "", part).casefold() == label]
    alike += [part for part in parts if label and label in re.sub(r"\W", "", part).casefold()]
    best = alike[0] if alike else min(parts, key=len)
    url = site.home.final_url or site.home.url
    yield Proposal("name", best, url, "page title")
    yield Proposal("aliases", best, url, "page title")


def _type_words(kind: str) -> str:
    """Return a schema.org type as words: AutoDealer becomes `auto dealer`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).lower()


def format_hours(hours: Hours) -> str:
    """Return opening hours in one line, such as `Monday 09:00-18:00; Sunday closed`."""
    days: list[str] = []
    for day, spans in sorted(hours.days.items()):
        times = ", ".join(f"{_clock(opens)}-{_clock(closes)}" for opens, closes in sorted(spans))
        days.append(f"{SCHEMA_DAYS[day]} {times or 'closed'}")
    return "; ".join(days)


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"

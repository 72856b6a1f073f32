"""Which pages of a site are worth a visit: key pages by what their links say, detail pages by what speaks for them.

Pure functions over what was fetched; they read strangers' links by the ten thousand and run in a worker process.
"""

# ruff: noqa: E501  # lists of words are easier to compare in few lines
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from readiness.fetching import urls
from readiness.reading import vocabulary
from readiness.reading.addresses import written_addresses
from readiness.reading.page import HtmlPage, Link
from readiness.reading.prices import amounts
from readiness.survey.detail_addresses import NEEDED, vehicle_points
from readiness.survey.link_roles import (
    ALIKE,
    BRIEF,
    CUSTOMERS,
    ROLE_WORDS,
    distance_from_stock,
    link_for,
    words_of,
)
from readiness.survey.site import KEY_ROLES, Role, SiteVisit, SurveyedSite
from readiness.survey.site_links import (
    MOST_CANDIDATES,
    digest,
    form_of,
    is_map,
    links_of,
    may_visit,
    normalized_url,
    scripted_of,
)

UNNAMED = 3
FIRST_LINKS = 12
OTHER_INVENTORIES = 2
DESCRIBING = 40
BEHIND_HOME = (Role.SCHEDULE, Role.CONTACT, Role.HOURS)
"""Roles whose page may be linked from another key page alone."""


@dataclass(frozen=True, slots=True)
class PageCandidate:
    """A page the plan may fetch."""

    url: str
    role: Role


def key_pages(site: SurveyedSite, most: int) -> list[PageCandidate]:
    """Return the key pages that home leads to, each under the first role it suits, `most` at most.

    Links come first; what only a script or the form of a search leads to is taken where no link suits.
    """
    links = [link for link in links_of(site.home.page) if may_visit(link.href, site)]
    scripted = [link for link in scripted_of(site.home.page) if may_visit(link.href, site)]
    return _for_roles(KEY_ROLES, links, scripted)[:most]


def unnamed_pages(site: SurveyedSite, most: int) -> list[PageCandidate]:
    """Return pages of the menu whose links say nothing of a role and that were not visited.

    Houses call them `Packages`, `Our garage` or a word of their own: then the page itself has to say what it is.
    """
    visited = {normalized_url(visit.final_url or visit.url) for visit in site.pages}
    chosen: dict[str, PageCandidate] = {}
    for link in _menu(site):
        words = f"{link.text} {words_of(link.href)}"
        known = any(pattern.search(words) for pattern in (*ROLE_WORDS.values(), vocabulary.IDENTITY))
        key = normalized_url(link.href)
        if not known and may_visit(link.href, site) and key not in visited:
            chosen.setdefault(key, PageCandidate(link.href, Role.PAGE))
    return list(chosen.values())[: min(UNNAMED, most)]


def _menu(site: SurveyedSite) -> list[Link]:
    """The links of home's navigation, or its first short ones where nothing is marked as a navigation."""
    links = links_of(site.home.page)
    marked = [link for link in links if link.in_navigation and may_visit(link.href, site)]
    return marked or [link for link in links if link.text and len(link.text.split()) <= BRIEF][:FIRST_LINKS]


def other_inventories(site: SurveyedSite, most: int) -> list[PageCandidate]:
    """Return further pages that home calls an inventory, where the one that was visited lists no vehicle.

    Used cars may all be gone, and new ones not have come in yet.
    """
    first = site.role(Role.INVENTORY)
    if first is None or not first.ok or first.page is None or len(vehicle_links(first.page)) >= ALIKE:
        return []
    visited = {normalized_url(visit.final_url or visit.url) for visit in (site.home, *site.pages)}
    found: dict[str, PageCandidate] = {}
    for link in sorted(links_of(site.home.page), key=distance_from_stock):
        key = normalized_url(link.href)
        suits = vocabulary.INVENTORY.search(link.text) and distance_from_stock(link)[0] < CUSTOMERS
        if suits and key not in visited and may_visit(link.href, site):
            found.setdefault(key, PageCandidate(link.href, Role.PAGE))
    return list(found.values())[: min(OTHER_INVENTORIES, most)]


def fullest_inventory(visits: tuple[SiteVisit, ...]) -> int | None:
    """Return which of these visits lists vehicles, the first of those that list most; None where none does."""
    counts = [len(vehicle_links(visit.page)) if visit.ok and visit.page else 0 for visit in visits]
    return counts.index(max(counts)) if max(counts, default=0) >= ALIKE else None


def vehicle_links(page: HtmlPage) -> set[str]:
    """Return the distinct addresses on a page that seem to lead to one vehicle each."""
    return {link.href for link in links_of(page) if vehicle_points(link.href, link.text) >= NEEDED}


def missing_lists(site: SurveyedSite) -> list[Role]:
    """Return which of inventory and services no link of home led to."""
    return [role for role in (Role.INVENTORY, Role.SERVICE) if site.role(role) is None]


def missing_place(site: SurveyedSite) -> list[Role]:
    """Return the role of pages about place and time where no link led to one, nor to a contact."""
    return [] if site.role(Role.HOURS) or site.role(Role.CONTACT) else [Role.HOURS]


def roles_of_unnamed(visits: tuple[SiteVisit, ...], wanted: tuple[Role, ...]) -> list[Role]:
    """Return the role of each visited page by what stands on it; the first that suits a role has it."""
    maps = any(visit.ok and visit.page is not None and _shows_map(visit.page) for visit in visits)
    tests = {
        Role.INVENTORY: lists_vehicles,
        Role.SERVICE: _lists_services,
        Role.HOURS: _shows_map if maps else _tells_place,
    }
    left = list(wanted)
    roles: list[Role] = []
    for visit in visits:
        page = visit.page if visit.ok else None
        suits = next((role for role in left if page is not None and tests[role](page)), Role.PAGE)
        left = [role for role in left if role is not suits]
        roles.append(suits)
    return roles


def lists_vehicles(page: HtmlPage) -> bool:
    """Whether a page has several links to vehicles, or to pages of one form beside prices and makes of cars."""
    forms = Counter(form_of(url) for url in {link.href for link in links_of(page) if not link.in_navigation})
    alike = max(forms.values(), default=0) >= ALIKE
    return len(vehicle_links(page)) >= ALIKE or (
        alike
        and len(amounts(page.own_text)) >= ALIKE
        and len(vocabulary.MAKES.findall(page.own_text)) >= ALIKE
    )


def _lists_services(page: HtmlPage) -> bool:
    """Whether a page names three services and says something of them, or has them in a list or a table."""
    named = len(vocabulary.services_named(page.own_text))
    says_more = page.own_words >= DESCRIBING or page.list_entries >= ALIKE
    return named >= ALIKE and (says_more or bool(page.lists or page.tables))


def _shows_map(page: HtmlPage) -> bool:
    return any(is_map(url) for url in (*(link.href for link in page.links), *page.frames))


def _tells_place(page: HtmlPage) -> bool:
    """Whether a page gives an address; a footer that nothing marks as one gives it on every page."""
    return any(address.is_whole for address in written_addresses(page.own_text, page.code_lines))


def further_key_pages(site: SurveyedSite, most: int) -> list[PageCandidate]:
    """Return the pages for appointments, contact and hours that home does not link to, but one of its key pages does.

    Where nobody could write to the business yet, the page that asks for an estimate may have the form.
    """
    visited = {normalized_url(visit.final_url or visit.url) for visit in site.pages}
    links = [
        link
        for visit in site.pages
        if visit.ok
        for link in links_of(visit.page)
        if may_visit(link.href, site) and normalized_url(link.href) not in visited
    ]
    missing = [role for role in BEHIND_HOME if site.role(role) is None]
    further = _for_roles(missing, links, [])
    asking = (link.href for link in links if vocabulary.ESTIMATE.search(link.text))
    if not any(page.forms or _has_mail(page) for _, page in site.seen()):
        further += [PageCandidate(url, Role.CONTACT) for url in islice(asking, 1)]
    return further[:most]


def _has_mail(page: HtmlPage) -> bool:
    return any(link.href.lower().startswith("mailto:") for link in page.links)


def _for_roles(roles: Iterable[Role], links: list[Link], scripted: list[Link]) -> list[PageCandidate]:
    """The page of each role; a page that has a role already leaves the next one to another link that suits."""
    chosen: dict[str, PageCandidate] = {}
    for role in roles:
        free = [link for link in links if normalized_url(link.href) not in chosen]
        url = link_for(role, free) or link_for(role, scripted)
        if url is not None:
            chosen.setdefault(normalized_url(url), PageCandidate(url, role))
    return list(chosen.values())


def listed_pages(site: SurveyedSite, most: int) -> list[str]:
    """Return pages of this host that sitemap and home name and that were not visited, in the order of sha256(url)."""
    visited = {normalized_url(visit.final_url or visit.url) for visit in (site.home, *site.pages)}
    visited |= {normalized_url(visit.url) for visit in site.pages}
    own = {urls.host_of(site.home.final_url), site.url.host}
    listed: dict[str, str] = {}
    for url in (*site.sitemap.locations, *(link.href for link in links_of(site.home.page))):
        key = normalized_url(url)
        if key and key not in visited and urls.host_of(url) in own:
            listed.setdefault(key, url)
    return sorted(listed.values(), key=digest)[:most]


def unseen_locations(site: SurveyedSite, sample: int, most: int) -> list[str]:
    """Return pages that the sitemap lists and nobody visited, `most` at most, where fewer of its pages than `sample` were.

    In the order of sha256(url), as all that is drawn.
    """
    visited = {normalized_url(visit.final_url or visit.url) for visit in (site.home, *site.pages)}
    visited |= {normalized_url(visit.url) for visit in site.pages}
    ordered = sorted(site.sitemap.locations[:MOST_CANDIDATES], key=digest)
    keys = {key: url for url in ordered if (key := normalized_url(url)) and may_visit(url, site)}
    unseen = [url for key, url in keys.items() if key not in visited]
    return unseen[: min(most, max(0, sample - (len(keys) - len(unseen))))]


def canonical_target(site: SurveyedSite) -> str | None:
    """Return the canonical address of home where it is another page of this site."""
    page = site.home.page
    target = urls.resolve(site.home.final_url, page.canonicals[0]) if page and page.canonicals else None
    return target if target and may_visit(target, site) else None


def sitemap_order(children: tuple[str, ...], origin: str) -> list[str]:
    """Return the sitemaps of an index on this site; those whose name speaks of vehicles or services come first."""
    own = [url for url in children if urls.same_site(urls.host_of(url), urls.host_of(origin))]
    return sorted(own, key=lambda url: (not _lists_pages(url), digest(url)))


def _lists_pages(url: str) -> bool:
    words = words_of(url)
    return bool(vocabulary.INVENTORY.search(words) or vocabulary.SERVICE.search(words))

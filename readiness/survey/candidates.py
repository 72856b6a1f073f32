"""Which pages of a site are worth a visit: key pages by what their links say, detail pages by what speaks for them.

Pure functions over what was fetched; they read strangers' links by the ten thousand and run in a worker process.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from urllib.parse import urlsplit

from readiness.fetching import urls
from readiness.reading import vocabulary
from readiness.reading.page import HtmlPage, Link
from readiness.survey.detail_pages import is_about_services, is_service_url
from readiness.survey.page_roles import missing_roles, vehicle_links
from readiness.survey.site import KEY_ROLES, Role, SiteVisit, SurveyedSite
from readiness.survey.site_links import (
    ALIKE,
    BRIEF,
    CUSTOMERS,
    MOST_CANDIDATES,
    ROLE_WORDS,
    digest,
    distance_from_stock,
    link_for,
    links_of,
    may_visit,
    scripted_of,
    spaced,
    states_terms,
    words_of,
)

UNNAMED = 8
FIRST_LINKS, SHORT = 12, 6
"""Links of a page without a marked navigation that may be its menu, and the words of each at most."""
OTHER_INVENTORIES = 2
RELATED = 2
BESIDE = {
    Role.SCHEDULE: (Role.SERVICE,),
    Role.TRADE_IN: (Role.FINANCE, Role.INVENTORY),
    Role.FINANCE: (Role.TRADE_IN, Role.INVENTORY),
}
"""Roles in whose folder the page of another one often lies: the booking under the workshop, money beside money."""
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
    return _for_roles(KEY_ROLES, links, scripted, _language(site))[:most]


def unnamed_pages(site: SurveyedSite, most: int) -> list[PageCandidate]:
    """Return pages that home leads to, whose links say nothing of a role and that were not visited.

    Businesses call them `Packages` or `Our garage`: then the content decides. One of
    each folder comes before the second of any, since a folder holds what is alike: models, rentals, news. None is
    needed where links gave every role.
    """
    if not missing_roles(site):
        return []
    folders: Counter[str] = Counter()
    turns: list[tuple[int, PageCandidate]] = []
    for page in _unnamed(site):
        folder = _folder_of(page.url)
        turns.append((folders[folder], page))
        folders[folder] += 1
    ordered = [page for _, page in sorted(turns, key=lambda turn: turn[0])]
    return ordered[: min(UNNAMED, most)]


def related_pages(site: SurveyedSite, most: int) -> list[PageCandidate]:
    """Return unnamed pages in the folder of a key page beside which a missing one usually is."""
    unnamed = _unnamed(site)
    chosen: dict[str, PageCandidate] = {}
    for role in missing_roles(site):
        beside = {_folder_of(visit.url) for visit in site.pages if visit.role in BESIDE.get(role, ())}
        near = [page for page in unnamed if _folder_of(page.url) in beside]
        chosen |= {page.url: page for page in near[:RELATED]}
    return list(chosen.values())[:most]


def _unnamed(site: SurveyedSite) -> list[PageCandidate]:
    """Every unvisited page whose link says nothing, those of the menu first; then further ones about the workshop."""
    visited = {urls.page_key(visit.final_url or visit.url) for visit in site.pages}
    chosen: dict[str, PageCandidate] = {}
    for is_sought in (_says_nothing, _speaks_of_workshop):
        for link in _menu(site):
            key = urls.page_key(link.href)
            # What is one service is read with the details of services.
            detail = is_about_services(link.text) or is_service_url(link.href)
            if is_sought(link) and not detail and may_visit(link.href, site) and key not in visited:
                chosen.setdefault(key, PageCandidate(link.href, Role.PAGE))
    return list(chosen.values())


def _folder_of(url: str) -> str:
    return urlsplit(url).path.strip("/").partition("/")[0]


def _says_nothing(link: Link) -> bool:
    """Whether a link says not what its page is for; cars in its address alone may as well be bought as sold there."""
    patterns = (*ROLE_WORDS.values(), vocabulary.IDENTITY, vocabulary.TEST_DRIVE)
    last = spaced(urlsplit(link.href).path.rstrip("/").rpartition("/")[2])
    addressed = (pattern for role, pattern in ROLE_WORDS.items() if role is not Role.INVENTORY)
    return not any(pattern.search(link.text) for pattern in patterns) and not any(
        pattern.search(last) for pattern in (*addressed, vocabulary.IDENTITY)
    )


def _speaks_of_workshop(link: Link) -> bool:
    return bool(vocabulary.SERVICE.search(link.text)) and not states_terms(link)


def _menu(site: SurveyedSite) -> list[Link]:
    """The links of home's navigation, its other short ones, and what only scripts lead to.

    The first short ones where nothing is marked as navigation.
    """
    links = links_of(site.home.page)
    marked = [link for link in links if link.in_navigation and may_visit(link.href, site)]
    longest = BRIEF if marked else SHORT
    brief = [link for link in links if link.text and len(link.text.split()) <= longest]
    scripted = [link for link in scripted_of(site.home.page) if 0 < len(link.text.split()) <= longest]
    return [*marked, *brief, *scripted] if marked else [*brief, *scripted][:FIRST_LINKS]


def other_inventories(site: SurveyedSite, most: int) -> list[PageCandidate]:
    """Return further pages that home calls an inventory, where the one that was visited lists no vehicle.

    Used cars may all be gone, and new ones not have come in yet.
    """
    first = site.role(Role.INVENTORY)
    if first is None or not first.ok or first.page is None or len(vehicle_links(first.page)) >= ALIKE:
        return []
    visited = {urls.page_key(visit.final_url or visit.url) for visit in (site.home, *site.pages)}
    found: dict[str, PageCandidate] = {}
    for link in sorted(links_of(site.home.page), key=distance_from_stock):
        key = urls.page_key(link.href)
        suits = vocabulary.INVENTORY.search(link.text) and distance_from_stock(link)[0] < CUSTOMERS
        if suits and key not in visited and may_visit(link.href, site):
            found.setdefault(key, PageCandidate(link.href, Role.PAGE))
    return list(found.values())[: min(OTHER_INVENTORIES, most)]


def fullest_inventory(visits: tuple[SiteVisit, ...]) -> int | None:
    """Return which of these visits lists vehicles, the first of those that list most; None where none does."""
    counts = [len(vehicle_links(visit.page)) if visit.ok and visit.page else 0 for visit in visits]
    return counts.index(max(counts)) if max(counts, default=0) >= ALIKE else None


def further_key_pages(site: SurveyedSite, most: int) -> list[PageCandidate]:
    """Return the pages for appointments, contact and hours that home does not link to, but one of its key pages does.

    Where there is no written contact yet, the page that asks for an estimate may have the form; where nothing
    could be filled in yet, that of the test drive.
    """
    visited = {urls.page_key(visit.final_url or visit.url) for visit in site.pages}
    links = [
        link
        for visit in site.pages
        if visit.ok
        for link in links_of(visit.page)
        if may_visit(link.href, site) and urls.page_key(link.href) not in visited
    ]
    missing = [role for role in BEHIND_HOME if site.role(role) is None]
    further = _for_roles(missing, links, [], _language(site))
    asking = (link.href for link in links if vocabulary.ESTIMATE.search(link.text))
    if not any(page.forms or _has_mail(page) for _, page in site.seen()):
        further += [PageCandidate(url, Role.CONTACT) for url in islice(asking, 1)]
    if not any(page.controls for _, page in site.seen()):
        at_home = [link for link in links_of(site.home.page) if may_visit(link.href, site)]
        driving = (link.href for link in (*at_home, *links) if vocabulary.TEST_DRIVE.search(link.text))
        unread = (url for url in driving if urls.page_key(url) not in visited)
        further += [PageCandidate(url, Role.PAGE) for url in islice(unread, 1)]
    return further[:most]


def _has_mail(page: HtmlPage) -> bool:
    return any(link.href.lower().startswith("mailto:") for link in page.links)


def _language(site: SurveyedSite) -> str:
    return site.home.page.lang if site.home.page else ""


def _for_roles(
    roles: Iterable[Role], links: list[Link], scripted: list[Link], lang: str
) -> list[PageCandidate]:
    """The page of each role; a page that has a role already leaves the next one to another link that suits."""
    chosen: dict[str, PageCandidate] = {}
    for role in roles:
        free = [link for link in links if urls.page_key(link.href) not in chosen]
        url = link_for(role, free, lang) or link_for(role, scripted, lang)
        if url is not None:
            chosen.setdefault(urls.page_key(url), PageCandidate(url, role))
    return list(chosen.values())


def listed_pages(site: SurveyedSite, most: int) -> list[str]:
    """Return pages of this host that sitemap and home name and that were not visited, in the order of sha256(url)."""
    visited = {urls.page_key(visit.final_url or visit.url) for visit in (site.home, *site.pages)}
    visited |= {urls.page_key(visit.url) for visit in site.pages}
    own = {urls.host_of(site.home.final_url), site.url.host}
    listed: dict[str, str] = {}
    for url in (*site.sitemap.locations, *(link.href for link in links_of(site.home.page))):
        key = urls.page_key(url)
        if key and key not in visited and urls.host_of(url) in own:
            listed.setdefault(key, url)
    return sorted(listed.values(), key=digest)[:most]


def unseen_locations(site: SurveyedSite, sample: int, most: int) -> list[str]:
    """Return up to `most` unvisited pages of the sitemap, where fewer of its pages were visited than `sample`.

    In the order of sha256(url), as all that is drawn.
    """
    visited = {urls.page_key(visit.final_url or visit.url) for visit in (site.home, *site.pages)}
    visited |= {urls.page_key(visit.url) for visit in site.pages}
    ordered = sorted(site.sitemap.locations[:MOST_CANDIDATES], key=digest)
    keys = {key: url for url in ordered if (key := urls.page_key(url)) and may_visit(url, site)}
    unseen = [url for key, url in keys.items() if key not in visited]
    return unseen[: min(most, max(0, sample - (len(keys) - len(unseen))))]


def canonical_target(site: SurveyedSite) -> str | None:
    """Return the canonical address of home where it is another page of this site."""
    page = site.home.page
    target = urls.resolve(site.home.final_url, page.canonicals[0]) if page and page.canonicals else None
    if target is None or not urls.same_site(urls.host_of(target), site.host):
        return None
    return target if target.rstrip("/") != site.home.final_url.rstrip("/") else None


def sitemap_order(children: tuple[str, ...], origin: str) -> list[str]:
    """Return the sitemaps of an index on this site; those named after vehicles or services come first."""
    own = [url for url in children if urls.same_site(urls.host_of(url), urls.host_of(origin))]
    return sorted(own, key=lambda url: (not _lists_pages(url), digest(url)))


def _lists_pages(url: str) -> bool:
    words = words_of(url)
    return bool(vocabulary.INVENTORY.search(words) or vocabulary.SERVICE.search(words))

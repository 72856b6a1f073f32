"""Which link of a page leads to what: to cars, services, a booking, hours and the other key pages, by its words."""

import hashlib
import re
from urllib.parse import parse_qsl, urlsplit

from readiness.fetching import urls
from readiness.reading import vocabulary
from readiness.reading.page import HtmlPage, Link
from readiness.survey.site import Role, SurveyedSite

MOST_CANDIDATES = 5_000
"""Addresses of a site that are drawn from at most."""


def is_map(url: str) -> bool:
    """Whether an address leads to a place on a map."""
    address = url.lower()
    known = any(host in address for host in vocabulary.MAP_HOSTS) or vocabulary.GOOGLE_MAP.search(address)
    return address.startswith("geo:") or bool(known)


def may_visit(href: str, site: SurveyedSite) -> bool:
    """Whether a link leads to another page of this site."""
    home = site.home.final_url
    return (
        href.startswith(("https:", "http:"))
        and urls.same_site(urls.host_of(href), urls.host_of(home))
        and urls.page_key(href) != urls.page_key(home)
    )


def digest(url: str) -> str:
    """Return the hash that orders candidates."""
    return hashlib.sha256(url.encode()).hexdigest()


def leads_to_section(site: SurveyedSite, words: re.Pattern[str]) -> bool:
    """Whether a link of home with such words leads to a part of home itself, as those of a site of one page do."""
    home = {"", urls.page_key(site.home.url), urls.page_key(site.home.final_url)}
    links = site.home.page.links if site.home.page else ()
    return any(
        link.section and words.search(link.text) and (link.href and urls.page_key(link.href)) in home
        for link in links
    )


def links_of(page: HtmlPage | None) -> list[Link]:
    """Return the links of a page that lead to an address; none of a page that was not seen."""
    return [link for link in (page.links if page else ()) if link.href.startswith("http")]


def scripted_of(page: HtmlPage | None) -> list[Link]:
    """Return the addresses of a page that only a script or a form leads to."""
    return [link for link in (page.scripted if page else ()) if link.href.startswith("http")]


def form_of(url: str) -> str:
    """Return what addresses of one kind of page share."""
    parts = urlsplit(url)
    folder, _, last = parts.path.rstrip("/").rpartition("/")
    names = sorted(name for name, _ in parse_qsl(parts.query)[:20])
    return f"{folder}/*.{last.rpartition('.')[2] if '.' in last else ''}?{'&'.join(names)}"


ALIKE = 3
"""How many things of one kind are a list of them."""
CUSTOMERS = 3
"""How far cars of customers are from stock."""
WORD, WORD_START = re.compile(r"\w+"), re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
BRIEF = 3
"""Words up to which a link names one thing and is no sentence and no company."""
ROLE_WORDS = {
    Role.INVENTORY: vocabulary.INVENTORY,
    Role.SERVICE: vocabulary.SERVICE,
    Role.SCHEDULE: vocabulary.SCHEDULE,
    Role.CONTACT: vocabulary.CONTACT,
    Role.HOURS: vocabulary.HOURS,
    Role.FINANCE: vocabulary.FINANCE,
    Role.TRADE_IN: vocabulary.TRADE_IN,
    Role.PRIVACY: vocabulary.PRIVACY,
}


def link_for(role: Role, links: list[Link], lang: str) -> str | None:
    """Return the address of the link whose text, else whose path, speaks best of the role; the first of equals."""
    friend = vocabulary.FALSE_FRIENDS.get(lang[:2].lower())
    if role is Role.HOURS and friend:
        links = [link for link in links if not friend.search(f"{link.text} {words_of(link.href)}")]
    pattern = ROLE_WORDS[role]
    links = sorted(links, key=DISTANCES.get(role, lambda _: (0,)))
    if role is Role.SERVICE:
        links = [
            link for link in links if not states_terms(link) and not vocabulary.SCHEDULE.search(link.text)
        ]
    if role is Role.INVENTORY:
        links = [link for link in links if distance_from_stock(link)[0] < CUSTOMERS]
    # A page about the business may not have hours; a link to them may be called after the street.
    sure = _first(vocabulary.PLACE_AND_TIME, links) if role is Role.HOURS else None
    # Tyre shops have a menu of services and no page of that name.
    named = [link.href for link in links if link.in_navigation and is_service(link.text.strip())]
    menu = named if role is Role.SERVICE and len(set(named)) >= ALIKE else []
    return sure or _first(pattern, links) or next(iter(menu), None)


def _first(pattern: re.Pattern[str], links: list[Link]) -> str | None:
    by_text = (link.href for link in links if pattern.search(link.text))
    by_path = (link.href for link in links if pattern.search(words_of(link.href)))
    return next(by_text, None) or next(by_path, None)


def distance_from_stock(link: Link) -> tuple[int, ...]:
    """How far a link's words are from cars in stock: used ones, any, new ones, and those of a customer.

    Cars that were used differ from each other; new ones are often a catalog without a single car.
    """
    if vocabulary.TRADE_IN.search(link.text) or vocabulary.FINANCE.search(link.text):
        return (CUSTOMERS,)
    if vocabulary.USED_INVENTORY.search(link.text):
        return (0,)
    return (2,) if vocabulary.NEW_INVENTORY.search(link.text) else (1,)


def _distance_from_workshop(link: Link) -> tuple[int, ...]:
    """How far a link is from an overview of services: it is in the menu and is no booking and no list."""
    books = bool(vocabulary.SCHEDULE.search(link.text) or vocabulary.TEST_DRIVE.search(link.text))
    is_list = bool(vocabulary.PRICE_LIST.search(link.text))
    return (books, is_list, not link.in_navigation, len(WORD.findall(link.text)) > BRIEF)


def _distance_from_workshop_booking(link: Link) -> tuple[int, ...]:
    """How far a link is from booking work on a car: what says so, any appointment, and a drive in a car for sale."""
    if vocabulary.TEST_DRIVE.search(link.text):
        return (2,)
    return (0,) if vocabulary.SERVICE.search(f"{link.text} {words_of(link.href)}") else (1,)


DISTANCES = {
    Role.INVENTORY: distance_from_stock,
    Role.SERVICE: _distance_from_workshop,
    Role.SCHEDULE: _distance_from_workshop_booking,
}
"""How well a link whose words suit a role suits it: the smallest comes first."""


def states_terms(link: Link) -> bool:
    """Whether a link leads to the small print: `Terms of Service` is no service department."""
    return bool(vocabulary.NO_SERVICE.search(link.text) or vocabulary.NO_SERVICE.search(words_of(link.href)))


def is_service(text: str) -> bool:
    """Whether a text is the name of one service and nothing else."""
    return any(words.fullmatch(text) for words in vocabulary.SERVICES)


def words_of(url: str) -> str:
    """Return the words of the path of an address."""
    return spaced(url.partition("://")[2].partition("/")[2])


def spaced(path: str) -> str:
    """Words of an address, apart from each other: those of `used_cars`, `used-cars` and `UsedCars` alike."""
    return re.sub(r"[/_-]", " ", WORD_START.sub(" ", path))

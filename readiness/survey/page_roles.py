"""What a page is for by its content, where no link says: cars, services, appointments, finance, place, privacy.

Pure functions over pages that were fetched; they run in a worker process.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial

from readiness.fetching import urls
from readiness.reading import business, vocabulary
from readiness.reading.addresses import written_addresses
from readiness.reading.page import HtmlForm, HtmlPage
from readiness.reading.prices import amounts
from readiness.reading.vehicle_text import FIGURE
from readiness.survey.detail_pages import NEEDED, vehicle_points
from readiness.survey.site import KEY_ROLES, Role, SiteVisit, SurveyedSite
from readiness.survey.site_links import ALIKE, form_of, is_map, links_of

DESCRIBING = 40
ASKED = 3
"""Fields of a form from which on it asks for more than an address to write to."""
OFTEN = 2
"""How often a page without a heading about a thing names it when it is about it."""
JUDGED = (Role.INVENTORY, Role.SERVICE, Role.FINANCE, Role.TRADE_IN)
"""Roles that a page loses to another one that suits them better."""
DATES = frozenset(("date", "datetime-local", "time", "week"))


def missing_roles(site: SurveyedSite) -> list[Role]:
    """Return the roles of key pages that no link led to; a page of contact or hours settles both.

    What is called so by its link alone is missing still.
    """
    misnamed = {visit.url for visit in _misnamed(site)}
    known = {visit.role for visit in site.pages if visit.url not in misnamed}
    known |= {Role.HOURS} if Role.CONTACT in known else {Role.CONTACT} if Role.HOURS in known else set()
    return [role for role in KEY_ROLES if role not in known and role is not Role.CONTACT]


def roles_of_pages(site: SurveyedSite, unnamed: tuple[SiteVisit, ...]) -> list[Role]:
    """Return the role of each page of the site and then of each unnamed one, missing roles by content.

    A page that lists cars or services takes the place of one that a link only called so.
    """
    known = _roles_by_content((*unnamed, *_misnamed(site)), missing_roles(site))
    roles = set(known.values()) - {Role.PAGE, Role.SERVICE_DETAIL}
    kept = {visit.url: Role.PAGE if visit.role in roles else visit.role for visit in site.pages}
    kept |= {url: role for url, role in known.items() if url not in kept or role in roles}
    return [kept[visit.url] for visit in (*site.pages, *unnamed)]


def _roles_by_content(visits: tuple[SiteVisit, ...], wanted: list[Role]) -> dict[str, Role]:
    """Return the role of each page by its address; the first that suits a role has it.

    A list of what services cost is a detail of them.
    """
    maps = any(visit.ok and visit.page is not None and _shows_map(visit.page) for visit in visits)
    region = next((_region(visit) for visit in visits if visit.ok), "")
    tests = {**TESTS, Role.HOURS: _shows_map if maps else partial(_shows_address, region=region)}
    left = list(wanted)
    roles: dict[str, Role] = {}
    for visit in visits:
        page = visit.page if visit.ok else None
        suits = next((role for role in left if page is not None and tests[role](page)), Role.PAGE)
        left = [role for role in left if role is not suits]
        priced = suits is Role.PAGE and page is not None and _lists_prices(page)
        roles[visit.url] = Role.SERVICE_DETAIL if priced else suits
    return roles


def _misnamed(site: SurveyedSite) -> list[SiteVisit]:
    """Return the pages that are not what a link called them.

    Without any list of cars that is called so, a page that a link called a place may be it: "Our Showroom".
    """
    empty = [visit for visit in site.pages if _is_empty(visit)]
    empty_urls = {visit.url for visit in empty}
    if any(visit.role is Role.INVENTORY and visit.url not in empty_urls for visit in site.pages):
        return empty
    places = (visit for visit in site.pages if visit.role is Role.HOURS and visit.ok)
    return [*empty, *(visit for visit in places if visit.page is not None and lists_vehicles(visit.page))]


def _is_empty(visit: SiteVisit) -> bool:
    """Whether a page is not what a link called it: it lists no cars or services, or says nothing of money.

    It might still be where scripts or frames hide something.
    """
    page = visit.page if visit.ok and visit.role in JUDGED else None
    if page is None or page.is_shell or page.frames or page.inline_data or page.interfaces:
        return False
    return not TESTS[visit.role](page)


def vehicle_links(page: HtmlPage) -> set[str]:
    """Return the distinct addresses on a page that seem to lead to one vehicle each."""
    return {link.href for link in links_of(page) if vehicle_points(link.href, link.text) >= NEEDED}


def lists_vehicles(page: HtmlPage) -> bool:
    """Whether a page has several links to vehicles, or to pages of one form beside what distinguishes cars.

    That are makes or distances driven, with prices or years; a list of makes has neither.
    """
    if len(vehicle_links(page)) >= ALIKE:
        return True
    forms = Counter(form_of(url) for url in {link.href for link in links_of(page) if not link.in_navigation})
    if max(forms.values(), default=0) < ALIKE:
        return False
    text = page.own_text
    makes, years = len(vocabulary.MAKES.findall(text)), len(vocabulary.YEAR.findall(text))
    prices, driven = len(amounts(text)), sum(1 for _ in FIGURE.finditer(text))
    return max(makes, driven) >= ALIKE and max(prices, years) >= ALIKE


def is_about(page: HtmlPage, words: re.Pattern[str]) -> bool:
    """Whether a page says in its head or a heading that it is about a thing, or names it more than once."""
    return says_in_head(page, words) or len(words.findall(page.own_text)) >= OFTEN


def own_name(page: HtmlPage) -> str:
    """Return what a page calls itself: its title and its first heading."""
    return f"{page.title} {page.heading('h1')}"


def is_named_after(page: HtmlPage, words: re.Pattern[str]) -> bool:
    """Return whether a page calls itself by some words, and not by services besides."""
    name = own_name(page)
    return bool(words.search(name)) and not vocabulary.SERVICE.search(name)


def says_in_head(page: HtmlPage, words: re.Pattern[str]) -> bool:
    """Whether title, description or a heading of a page has one of some words."""
    return any(
        words.search(text) for text in (page.title, page.description, *(text for _, text in page.headings))
    )


def scheduler_on(page: HtmlPage) -> str:
    """Return a link, frame or script of a known scheduler on a page, an empty string where there is none."""
    for url in (*(link.href for link in page.links), *page.frames, *page.scripts):
        host = urls.host_of(url) if "//" in url else ""
        if any(host == known or host.endswith(f".{known}") for known in vocabulary.SCHEDULERS):
            return url
    return ""


def _books(page: HtmlPage) -> bool:
    if vocabulary.TEST_DRIVE.search(own_name(page)):
        return False
    return bool(scheduler_on(page)) or any(_asks_for_time(form, page) for form in page.forms)


def _asks_for_time(form: HtmlForm, page: HtmlPage) -> bool:
    if not form.submits or len(form.controls) < ASKED:
        return False
    said = f"{page.title} {page.description} {' '.join(text for _, text in page.headings)} {form.text}"
    return any(control.kind in DATES for control in form.controls) or bool(vocabulary.SCHEDULE.search(said))


def _lists_services(page: HtmlPage) -> bool:
    """Whether a page names three services and says something of them, or has them in a list or a table.

    A page about a warranty names what is covered, and is none.
    """
    if is_named_after(page, vocabulary.WARRANTY):
        return False
    named = len(vocabulary.services_named(page.own_text))
    says_more = page.own_words >= DESCRIBING or page.list_entries >= ALIKE
    return named >= ALIKE and (says_more or bool(page.lists or page.tables))


def _lists_prices(page: HtmlPage) -> bool:
    known = says_in_head(page, vocabulary.PRICE_LIST) or vocabulary.services_named(page.own_text)
    return len(amounts(page.own_text)) >= ALIKE and bool(known) and not lists_vehicles(page)


def _shows_map(page: HtmlPage) -> bool:
    return any(is_map(url) for url in (*(link.href for link in page.links), *page.frames))


def _region(visit: SiteVisit) -> str:
    return business.country(urls.host_of(visit.url), visit.page.lang if visit.page else "", ())


def _shows_address(page: HtmlPage, region: str) -> bool:
    """Whether a page gives an address; a footer that nothing marks as one gives it on every page."""
    own = [line for line in page.lines if line.is_own]
    return any(address.is_whole for address in written_addresses(own, region))


TESTS: Mapping[Role, Callable[[HtmlPage], bool]] = {
    Role.INVENTORY: lists_vehicles,
    Role.SERVICE: _lists_services,
    Role.SCHEDULE: _books,
    Role.FINANCE: lambda page: is_about(page, vocabulary.FINANCE),
    Role.TRADE_IN: lambda page: is_about(page, vocabulary.TRADE_IN),
    Role.PRIVACY: lambda page: bool(vocabulary.PRIVACY.search(own_name(page))),
}

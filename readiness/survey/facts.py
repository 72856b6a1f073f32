"""What the pages of a site state about the business behind it, for who writes about it."""

from collections.abc import Iterable
from dataclasses import dataclass

from analytics.text.opening_hours import visible_hours
from analytics.text.phones import e164, visible_phones
from readiness.reading import business
from readiness.reading.hours import SCHEMA_DAYS
from readiness.reading.page import HtmlPage
from readiness.reading.structured_data import texts
from readiness.survey.site import Role, SurveyedSite
from readiness.survey.site_type import SiteType, detect

LONGEST_TEXT = 20_000
MOST_VALUES = 10


@dataclass(frozen=True, slots=True)
class SiteFacts:
    """The type of a site, the facts it states by kind, and the URLs and texts of its pages (20,000 characters)."""

    site_type: SiteType
    facts: dict[str, list[str]]
    page_texts: tuple[tuple[str, str], ...]


def read_facts(site: SurveyedSite) -> SiteFacts:
    """Read a site's facts; it goes over strangers' text and runs in a worker process."""
    return SiteFacts(detect(site), facts_of(site), page_texts_of(site))


def facts_of(site: SurveyedSite) -> dict[str, list[str]]:
    """Return what the pages state of the business: names, telephones in E.164, addresses, days with hours."""
    region = region_of(site)
    nodes = site.nodes(business.BUSINESS_TYPES | business.GENERAL_TYPES)
    numbers = [e164 for _, page in site.seen() for _, e164 in phones(page, region)]
    stated = [visible_hours(page.text).days for _, page in site.seen()]
    days = {SCHEMA_DAYS[day] for hours in stated for day in hours}
    return {
        "names": _unique(text for _, node in nodes for text in texts(node.properties, "name")),
        "telephones": _unique(numbers),
        "addresses": _unique(
            " ".join(
                text
                for part in ("streetAddress", "postalCode", "addressLocality", "addressCountry")
                for text in texts(node.properties, "address", part)[:1]
            )
            for _, node in nodes
        ),
        "hoursOn": sorted(days, key=SCHEMA_DAYS.index),
    }


def page_texts_of(site: SurveyedSite) -> tuple[tuple[str, str], ...]:
    """Return the URL of each page with its title and text; together at most 20,000 characters."""
    texts: list[tuple[str, str]] = []
    room = LONGEST_TEXT
    for visit, page in site.seen():
        text = f"{page.title}\n{page.text}"[:room]
        room -= len(text)
        if text:
            texts.append((visit.final_url, text))
    return tuple(texts)


def _unique(values: Iterable[str]) -> list[str]:
    return [value for value in dict.fromkeys(values) if value][:MOST_VALUES]


REACHED = (Role.CONTACT, Role.HOURS, Role.PRIVACY)
"""Pages that say where a business is, beside home."""


def region_of(site: SurveyedSite) -> str:
    """Country whose numbering plan the site's local telephone numbers follow."""
    nodes = site.nodes(business.BUSINESS_TYPES | business.GENERAL_TYPES)
    stated = [text for _, node in nodes for text in texts(node.properties, "address", "addressCountry")]
    lang = site.home.page.lang if site.home.page else ""
    if not stated and "-" not in lang:
        stated = business.countries_of_codes(lang, " ".join(page.text for _, page in site.seen(*REACHED)))
    return business.country(site.host, lang, stated)


def phones(page: HtmlPage, region: str) -> list[tuple[str, str]]:
    """Telephone numbers of a page as (as written, E.164): `tel:` links first, then the visible text."""
    linked = [link.href[4:] for link in page.links if link.href.lower().startswith("tel:")]
    pairs = [(text, number) for text in linked if (number := e164(text, region))]
    return pairs + list(visible_phones(page.text, region))

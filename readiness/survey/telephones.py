"""Telephone numbers of a site: as they are written, and in the numbering plan of its country."""

from analytics.text.phones import e164, visible_phones
from readiness.reading import business
from readiness.reading.page import HtmlPage
from readiness.reading.structured_data import texts
from readiness.survey.site import Role, SurveyedSite

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

"""Links of a site's pages, in a form in which they can be compared and drawn."""

import hashlib
import re
from urllib.parse import parse_qsl, urlsplit

from readiness.fetching import urls
from readiness.fetching.errors import UrlRefused
from readiness.reading import vocabulary
from readiness.reading.page import HtmlPage, Link
from readiness.survey.site import SurveyedSite

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
        and normalized_url(href) != normalized_url(home)
    )


def normalized_url(url: str) -> str:
    """Return a URL in normal form, for comparing, or an empty string for one that is refused."""
    try:
        parts = urlsplit(url)
        exempt = f"{parts.hostname}:{parts.port or urls.PORTS.get(parts.scheme)}"
        return str(urls.parse(url, allow_hosts=frozenset((exempt,))))
    except (UrlRefused, ValueError):
        return ""


def digest(url: str) -> str:
    """Return the hash that orders candidates."""
    return hashlib.sha256(url.encode()).hexdigest()


def leads_to_section(site: SurveyedSite, words: re.Pattern[str]) -> bool:
    """Whether a link of home with such words leads to a part of home itself, as those of a site of one page do."""
    home = {"", normalized_url(site.home.url), normalized_url(site.home.final_url)}
    links = site.home.page.links if site.home.page else ()
    return any(
        link.section and words.search(link.text) and (link.href and normalized_url(link.href)) in home
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

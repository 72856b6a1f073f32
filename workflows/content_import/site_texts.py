"""Texts of web pages for a brand's content: pages that a sitemap lists, and the text of chosen pages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING

import anyio.to_thread

from readiness.fetching.dialing import Network
from readiness.fetching.policy import FetchPolicy

if TYPE_CHECKING:
    from readiness.reading.page_text import PageText
    from workflows.content_import.site_texts import SiteTextReader


from urllib.parse import urlsplit

from readiness.fetching import urls
from readiness.reading.documents import read_sitemap
from readiness.reading.page_text import PageText, read_page_text
from readiness.survey.site import Role
from workflows.cited_pages.reader import CitedPages, PageUnread, PageVisits

MOST_PAGES = 15
"""Pages that are read while a user waits."""
NO_WORDS = "it shows no text without its scripts"


class NoPagesListed(Exception):
    """No list of a site's pages was found. `str()` is the reason, without a final period."""


@dataclass(frozen=True, slots=True)
class ReadPage:
    """The outcome of one page: its text, or the reason in `unread`."""

    url: str
    text: "PageText | None"
    unread: str = ""


class SiteTexts:
    """Reads pages that a user chose. `policy` and `network` control which may be visited and how."""

    def __init__(
        self, policy: FetchPolicy, now: Callable[[], datetime], network: Network | None = None
    ) -> None:
        self._policy, self._now, self._network = policy, now, network

    async def list_pages(self, url: str) -> list[str]:
        """Return pages that a sitemap or the sitemaps of a site list. A URL without a scheme uses https.

        At most 500, only from this site. Raises NoPagesListed.
        """
        return await (await self._reader()).list_pages(url)

    async def read(self, pages: Sequence[str]) -> list[ReadPage]:
        """Return the text of each page, in the given order."""
        return await (await self._reader()).read(pages)

    async def read_html(self, html: str) -> "PageText | None":
        """Return the text of an uploaded page, or None when it has none."""
        return await (await self._reader()).read_html(html)

    async def _reader(self) -> "SiteTextReader":
        """Load the modules that read sites (6 MB) in a thread and return the reader."""
        await anyio.to_thread.run_sync(import_module, "workflows.content_import.site_texts")
        from workflows.content_import.site_texts import SiteTextReader

        return SiteTextReader(self._policy, self._now, self._network)


MOST_LISTED = 500
MOST_FILES = 6
NO_SITEMAP = "no sitemap was found there that lists pages of this site"
NO_PAGE = "it is no web page"


class SiteTextReader:
    """Opens visits to pages that a user chose. `policy` and `network` control which may be visited and how."""

    def __init__(
        self, policy: FetchPolicy, now: Callable[[], datetime], network: Network | None = None
    ) -> None:
        self._pages = CitedPages(policy, now, network)

    async def list_pages(self, url: str) -> list[str]:
        """Return pages that a sitemap or the sitemaps of a site list. A URL without a scheme uses https.

        At most `MOST_LISTED`, only from this site. Raises NoPagesListed.
        """
        url = url if "://" in url else f"https://{url}"
        async with self._pages.open() as visits:
            try:
                origin, named = await visits.sitemaps(url)
            except PageUnread as unread:
                raise NoPagesListed(str(unread)) from unread
            waiting = [url] if _is_sitemap(url) else [*named, f"{origin}/sitemap.xml"]
            pages: dict[str, None] = {}
            read: set[str] = set()
            while waiting and len(read) < MOST_FILES and len(pages) < MOST_LISTED:
                sitemap_url = waiting.pop(0)
                if sitemap_url in read or not _is_of_site(sitemap_url, origin):
                    continue
                read.add(sitemap_url)
                listed, children = await _read_sitemap(visits, sitemap_url)
                waiting = [*children[:MOST_FILES], *waiting]
                pages |= dict.fromkeys(page for page in listed if _is_of_site(page, origin))
        if not pages:
            raise NoPagesListed(NO_SITEMAP)
        return list(pages)[:MOST_LISTED]

    async def read(self, pages: Sequence[str]) -> list[ReadPage]:
        """Return the text of each page, in the given order."""
        async with self._pages.open() as visits:
            return [await _read_page(visits, url) for url in pages]

    async def read_html(self, html: str) -> PageText | None:
        """Return the text of an uploaded page, or None when it has none."""
        async with self._pages.open() as visits:
            text = await visits.run_in_worker(read_page_text, html.encode(), "text/html; charset=utf-8")
        return text if text is not None and text.markdown else None


def _is_sitemap(url: str) -> bool:
    """Check whether a URL seems to be a sitemap rather than a page."""
    return urlsplit(url).path.lower().endswith((".xml", ".gz"))


def _is_of_site(url: str, origin: str) -> bool:
    address = urls.resolve(origin, url)
    return address is not None and urls.same_site(urls.host_of(address), urls.host_of(origin))


async def _read_sitemap(visits: PageVisits, url: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the pages and child sitemaps that a sitemap lists; empty when it cannot be read."""
    try:
        _, body = await visits.fetch(url, Role.SITEMAP)
    except PageUnread:
        return (), ()
    sitemap = await visits.run_in_worker(read_sitemap, body)
    return (sitemap.locations, sitemap.children) if sitemap is not None else ((), ())


async def _read_page(visits: PageVisits, url: str) -> ReadPage:
    try:
        visit, body = await visits.fetch(url)
    except PageUnread as unread:
        return ReadPage(url, None, str(unread))
    if not visit.packed:
        return ReadPage(url, None, NO_PAGE)
    content_type = next((value for name, value in visit.headers if name.lower() == "content-type"), "")
    text = await visits.run_in_worker(read_page_text, body, content_type)
    if text is None or not text.markdown:
        return ReadPage(url, None, NO_WORDS)
    return ReadPage(url, text)

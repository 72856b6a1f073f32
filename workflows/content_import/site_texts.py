"""Texts of web pages for a brand's contents: pages that a sitemap lists, and what chosen pages say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING

import anyio.to_thread

from readiness.fetching.network import Network
from readiness.fetching.policy import FetchPolicy

if TYPE_CHECKING:
    from readiness.reading.page_text import PageText
    from workflows.content_import.site_text_reader import SiteTextReader

MOST_PAGES = 15
"""Pages that are read while a person waits."""
NO_WORDS = "it shows no text without its scripts"


class NoPagesListed(Exception):
    """A site without a list of its pages; `str()` says why, without a full stop."""


@dataclass(frozen=True, slots=True)
class ReadPage:
    """What came of one page: its text, or in `unread` why there is none."""

    url: str
    text: "PageText | None"
    unread: str = ""


class SiteTexts:
    """Reads pages that a person named; `policy` and `network` decide what may be visited and how."""

    def __init__(
        self, policy: FetchPolicy, now: Callable[[], datetime], network: Network | None = None
    ) -> None:
        self._policy, self._now, self._network = policy, now, network

    async def list_pages(self, url: str) -> list[str]:
        """Return pages that a sitemap lists, or the sitemaps of a site; an address without a scheme is an https one.

        At most 500, of this site alone. Raises NoPagesListed.
        """
        return await (await self._reader()).list_pages(url)

    async def read(self, pages: Sequence[str]) -> list[ReadPage]:
        """Return what each page says, in the order given."""
        return await (await self._reader()).read(pages)

    async def read_html(self, html: str) -> "PageText | None":
        """Return what a page says that a person has as a file, None when it says nothing."""
        return await (await self._reader()).read_html(html)

    async def _reader(self) -> "SiteTextReader":
        """Return who visits, with six megabytes that read sites; loaded in a thread, so that nobody is held up."""
        await anyio.to_thread.run_sync(import_module, "workflows.content_import.site_text_reader")
        from workflows.content_import.site_text_reader import SiteTextReader

        return SiteTextReader(self._policy, self._now, self._network)

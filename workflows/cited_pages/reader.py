"""Visits pages that engines cite: any site's, each by its own robots.txt, with one small budget for an agent's work."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Final, TypeVar, TypeVarTuple

from readiness.fetching import urls
from readiness.fetching.dialing import Network
from readiness.fetching.errors import FetchFailed, Reason, UrlRefused
from readiness.fetching.fetcher import Fetcher
from readiness.fetching.policy import FetchPolicy
from readiness.reading.documents import SITEMAP_BYTES
from readiness.survey.site import Role, SiteVisit
from readiness.survey.visitor import Visitor, robots_of
from workflows.cited_pages.outline import PageOutline, outline_html, outline_visit

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")
SLOWEST: Final = 5.0
"""Seconds between two requests to a site, however many its robots.txt asks for."""
WHY_UNREAD: Final = {
    Reason.DNS: "its host name cannot be resolved",
    Reason.REFUSED_ADDRESS: "its host leads to an address that is not visited",
    Reason.REFUSED_URL: "its address is one that is not visited",
    Reason.TIMEOUT: "it did not answer in time",
    Reason.ROBOTS_DISALLOWED: "robots.txt of its site keeps our bot away",
    Reason.BUDGET: "the visits of this run were used up",
    Reason.OFF_SITE: "it leads to another site",
    Reason.MEDIA_TYPE: "it is no web page",
    Reason.CHALLENGED: "it answers with a check for people",
    Reason.UNPARSABLE: "it could not be parsed",
}
OTHERWISE: Final = "it gave no usable answer"


class PageUnread(Exception):
    """A page that was not read; `str()` says why, in our words and without a full stop."""

    def __init__(self, reason: Reason | None) -> None:
        super().__init__(OTHERWISE if reason is None else WHY_UNREAD.get(reason, OTHERWISE))
        self.reason = reason


class CitedPages:
    """Opens visits to cited pages; `policy` and `network` decide what may be visited and how."""

    def __init__(
        self, policy: FetchPolicy, now: Callable[[], datetime], network: Network | None = None
    ) -> None:
        self._policy, self._now, self._network = policy, now, network or Network()

    @asynccontextmanager
    async def open(self) -> AsyncGenerator["PageVisits"]:
        """Return visits that share the policy's budget, until the block ends."""
        network = self._network
        async with Fetcher(
            self._policy, resolve=network.resolve, dial=network.dial, tls=network.tls
        ) as fetcher:
            yield PageVisits(fetcher, self._now)


class PageVisits:
    """Visits of one agent: each page once, and each site's robots.txt once and first."""

    def __init__(self, fetcher: Fetcher, now: Callable[[], datetime]) -> None:
        self._fetcher, self._now = fetcher, now
        self._visitors: dict[str, Visitor] = {}
        self._visits: dict[str, SiteVisit] = {}
        self._unread: dict[str, Reason | None] = {}

    async def outline(self, url: str, question: str) -> PageOutline:
        """Return what a page is made of. Raises PageUnread."""
        visit = await self._visit(url)
        outline = await self.run_in_worker(outline_visit, visit, question)
        if outline is None:
            raise PageUnread(Reason.UNPARSABLE if visit.packed else Reason.MEDIA_TYPE)
        return outline

    async def _visit(self, url: str) -> SiteVisit:
        if url in self._unread:
            raise PageUnread(self._unread[url])
        if url not in self._visits:
            try:
                self._visits[url], _ = await self.fetch(url)
            except PageUnread as unread:
                self._unread[url] = unread.reason
                raise
        return self._visits[url]

    async def outline_text(self, html: str, url: str, question: str) -> PageOutline | None:
        """Return the outline of the brand's own text; None when it cannot be read in time."""
        return await self.run_in_worker(outline_html, html, url, question)

    async def run_in_worker(
        self, function: Callable[[*Arguments], Result], *arguments: *Arguments
    ) -> Result | None:
        """Go over strangers' text in a worker process, inside the budget; None when it cannot be read."""
        return await Visitor(self._fetcher, self._now).run_in_worker(function, *arguments)

    async def fetch(self, url: str, role: Role = Role.PAGE) -> tuple[SiteVisit, bytes]:
        """Return an answered visit with its body. Sitemaps are fetched even when robots.txt disallows them.

        Raises PageUnread.
        """
        try:
            visitor = await self._visitor(url)
            is_sitemap = role is Role.SITEMAP
            most = SITEMAP_BYTES if is_sitemap else None
            visit, body = await visitor.visit(url, role, body=most, well_known=is_sitemap)
            if visit.final_url and self._origin(visit.final_url) != self._origin(url):
                # A redirect within a site may lead to a host whose robots.txt says something else.
                landed = await self._visitor(visit.final_url)
                if not is_sitemap and not await landed.allowed(visit.final_url):
                    raise FetchFailed(Reason.ROBOTS_DISALLOWED)
        except (FetchFailed, UrlRefused) as refused:
            raise PageUnread(refused.reason) from refused
        if not visit.ok or visit.stopped is not None:
            raise PageUnread(visit.stopped or visit.reason)
        return visit, body

    async def sitemaps(self, url: str) -> tuple[str, tuple[str, ...]]:
        """Return the origin of an address and the sitemaps that its robots.txt names. Raises PageUnread."""
        try:
            return self._origin(url), (await self._visitor(url)).sitemaps
        except (FetchFailed, UrlRefused) as refused:
            raise PageUnread(refused.reason) from refused

    def _origin(self, url: str) -> str:
        return urls.parse(url, allow_hosts=self._fetcher.policy.allow_hosts, exact=True).origin

    async def _visitor(self, url: str) -> Visitor:
        """Return the visitor of a page's host, who obeys its robots.txt; one that could not be had denies all."""
        origin = self._origin(url)
        if origin not in self._visitors:
            visitor = Visitor(self._fetcher, self._now)
            visit, body = await visitor.visit(f"{origin}/robots.txt", Role.ROBOTS, well_known=True)
            if visit.reason not in (None, Reason.MEDIA_TYPE, Reason.CHALLENGED):
                raise FetchFailed(visit.reason)
            delay = await visitor.obey(robots_of(visit, body))
            self._fetcher.slow_down(urls.host_of(origin), min(delay, SLOWEST))
            self._visitors[origin] = visitor
        return self._visitors[origin]

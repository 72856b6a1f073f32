"""Reads a brand's own site with the scanner's fetcher and rules."""

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING

import anyio.to_thread

from readiness.fetching import urls
from readiness.fetching.dialing import Network
from readiness.fetching.errors import SENTENCES, FetchFailed, ScanFailed, UrlRefused
from readiness.fetching.fetcher import Fetcher
from readiness.fetching.policy import FetchPolicy
from readiness.survey.visitor import ignore_progress
from storage.repositories.brands import Brand, EntityNames

if TYPE_CHECKING:
    from measurement.planning.site_proposals import Proposal
    from readiness.report.grading import SiteAnswers
    from readiness.survey.crawl import Crawl
    from readiness.survey.facts import SiteFacts
    from readiness.survey.site import SurveyedSite

MOST_PAGES = 50
PROPOSAL_PAGES = 4
ASKING_SECONDS = 30.0
PROPOSING_SECONDS = 10.0
"""A person waits for it."""
READERS = (
    "readiness.survey.crawl",
    "readiness.survey.facts",
    "readiness.report.grading",
    "measurement.planning.site_proposals",
)
"""Modules that read sites (6 MB), loaded with the first check of a site."""


class SiteUnreadable(Exception):
    """A site that gave nothing to read; `str()` is a sentence without a full stop."""


class Sites:
    """Visits sites; `policy` and `network` decide what may be visited and how."""

    def __init__(
        self, policy: FetchPolicy, now: Callable[[], datetime], network: Network | None = None
    ) -> None:
        self._policy = policy
        self._now = now
        self._network = network or Network()

    async def pages(self, url: str, most: int = MOST_PAGES) -> "SurveyedSite":
        """Read home, key pages and a sample of the rest. Raises ScanFailed, UrlRefused or FetchFailed."""
        async with self._crawl(url) as crawl:
            return await crawl.pages(most)

    async def propose(self, url: str) -> "list[Proposal]":
        """Return what a site's home, key pages and little more say for a profile; they are read in a worker process.

        An address without a scheme is an https one. Raises SiteUnreadable.
        """
        site = await self._read_for_proposals(url)
        from measurement.planning.site_proposals import propose_profile
        from readiness.reading.isolation import run_in_worker

        try:
            return await run_in_worker(
                PROPOSING_SECONDS, propose_profile, site, processor_seconds=PROPOSING_SECONDS
            )
        except FetchFailed as failed:
            raise SiteUnreadable("the pages of the site take too long to read") from failed

    async def _read_for_proposals(self, url: str) -> "SurveyedSite":
        try:
            site = await self.pages(url if "://" in url else f"https://{url}", PROPOSAL_PAGES)
        except UrlRefused as refused:
            raise SiteUnreadable(f"the address is not allowed: {str(refused).rstrip('.')}") from refused
        except (ScanFailed, FetchFailed) as failed:
            words = SENTENCES.get(failed.reason, "it gave no page to read")
            raise SiteUnreadable(f"the site could not be read: {words}") from failed
        if not site.home.packed:
            raise SiteUnreadable("the site answered with no page that can be read")
        return site

    async def access(self, url: str, *, probe: bool) -> "SurveyedSite":
        """Read who may read a few pages. Raises ScanFailed, UrlRefused or FetchFailed."""
        async with self._crawl(url) as crawl:
            return await crawl.access(probe=probe)

    async def ask(self, site: "SurveyedSite", names: Iterable[str]) -> "SiteAnswers":
        """Answer checks about a site in a worker process. Raises FetchFailed when that takes too long."""
        from readiness.reading.isolation import run_in_worker
        from readiness.report.grading import ask_site

        return await run_in_worker(
            ASKING_SECONDS, ask_site, site, tuple(names), processor_seconds=ASKING_SECONDS
        )

    async def facts(self, site: "SurveyedSite") -> "SiteFacts":
        """Read the facts of a site in a worker process. Raises FetchFailed when that takes too long."""
        from readiness.reading.isolation import run_in_worker
        from readiness.survey.facts import read_facts

        return await run_in_worker(ASKING_SECONDS, read_facts, site, processor_seconds=ASKING_SECONDS)

    @asynccontextmanager
    async def _crawl(self, url: str) -> AsyncGenerator["Crawl"]:
        """Return what visits a site, until the block ends."""
        for module in READERS:  # in a thread: the first look would hold up everybody for 0.13 s
            await anyio.to_thread.run_sync(import_module, module)
        from readiness.survey.crawl import Crawl

        network, allowed = self._network, self._policy.allow_hosts
        async with Fetcher(
            self._policy, resolve=network.resolve, dial=network.dial, tls=network.tls
        ) as fetcher:
            yield Crawl(fetcher, urls.parse(url, allow_hosts=allowed), self._now, ignore_progress)


def own_site(brand: Brand, entity: EntityNames) -> str | None:
    """Return the address of a brand's site, or None without one.

    The profile's website counts when it is on one of the brand's domains, or when there are none; else the first
    domain does.
    """
    if brand.website and (not entity.sites or is_own_domain(brand.website, entity)):
        return brand.website
    return f"https://{entity.sites[0]}" if entity.sites else None


def is_own_domain(url: str, entity: EntityNames) -> bool:
    """Check whether an address is on one of the brand's own domains."""
    host = urls.host_of(url)
    owned = (site.partition("/")[0].partition(":")[0].lower() for site in entity.sites)
    return any(host == domain or host.endswith(f".{domain}") for domain in owned)

"""Looks at a brand's own site, with the scanner's fetcher and rules, and at no other."""

from collections.abc import Callable
from datetime import datetime

from readiness import urls
from readiness.crawl import Crawl
from readiness.fetch import Fetcher
from readiness.policy import Policy
from readiness.scan import Network, silent
from readiness.site import Site
from storage.repositories.brands import Brand, Named

MOST_PAGES = 50


class Sites:
    """Visits sites; `policy` and `network` decide what may be visited and how."""

    def __init__(self, policy: Policy, now: Callable[[], datetime], network: Network | None = None) -> None:
        self._policy = policy
        self._now = now
        self._network = network or Network()

    async def pages(self, url: str, most: int = MOST_PAGES) -> Site:
        """Read home, key pages and a sample of the rest. Raises ScanFailed, UrlRefused or FetchFailed."""
        async with self._fetcher() as fetcher:
            return await self._crawl(fetcher, url).pages(most)

    async def access(self, url: str, *, probe: bool) -> Site:
        """Read who may read a few pages. Raises ScanFailed, UrlRefused or FetchFailed."""
        async with self._fetcher() as fetcher:
            return await self._crawl(fetcher, url).access(probe=probe)

    def _crawl(self, fetcher: Fetcher, url: str) -> Crawl:
        return Crawl(fetcher, urls.parse(url, allow_hosts=self._policy.allow_hosts), self._now, silent)

    def _fetcher(self) -> Fetcher:
        network = self._network
        return Fetcher(self._policy, resolve=network.resolve, dial=network.dial, tls=network.tls)


def own_site(brand: Brand, entity: Named) -> str | None:
    """Return the address of a brand's site, or None without one.

    The profile's website counts when it is on one of the brand's domains, or when there are none; else the first
    domain does.
    """
    if brand.website and (not entity.sites or vouched(brand.website, entity)):
        return brand.website
    return f"https://{entity.sites[0]}" if entity.sites else None


def vouched(url: str, entity: Named) -> bool:
    """Tell whether an address is on one of the brand's own domains, whose operator the brand speaks for."""
    host = urls.host_of(url)
    owned = (site.partition("/")[0].partition(":")[0].lower() for site in entity.sites)
    return any(host == one or host.endswith(f".{one}") for one in owned)

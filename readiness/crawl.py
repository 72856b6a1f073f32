"""Plans beside the scan's: many pages of a site for their state, or few of them for who may read them."""

import hashlib
from dataclasses import replace

from readiness import urls
from readiness.errors import ScanFailed
from readiness.site import Role, Site, Visit
from readiness.survey import Survey, normal
from readiness.visitor import Candidate

KEY_PAGES = 3


class Crawl(Survey):
    """The scanner's visits and rules under other plans. Home is not followed to another site.

    A home page that answers with an error is part of what is seen; ScanFailed means that nothing was.
    """

    async def pages(self, most: int) -> Site:
        """Home, the key pages, and of all that sitemap and home list a sample by hash; `most` pages in all."""
        site = await self._answering()
        if site.home.page is None:
            return site
        self._stage("sitemap")
        site = replace(site, sitemap=await self._sitemaps(self._origin(site)))
        self._stage("key pages")
        site = replace(site, pages=await self._key_pages(site))
        vehicles, services = self._candidates(site)
        site = replace(site, vehicle_urls=tuple(vehicles), service_urls=tuple(services))
        self._stage("sampled pages")
        roles = dict.fromkeys(vehicles, Role.VEHICLE) | dict.fromkeys(services, Role.SERVICE_DETAIL)
        sample = self._listed(site)[: max(0, most - 1 - len(site.pages))]
        sampled = await self._visitor.all([Candidate(url, roles.get(url, Role.PAGE)) for url in sample])
        self._stage("controls")
        return await self._controls(replace(site, pages=(*site.pages, *sampled)), self._origin(site))

    async def access(self, *, probe: bool) -> Site:
        """Home, three key pages, one vehicle and one service page; with `probe` as AI bots ask for them too."""
        site = await self._answering()
        if site.home.page is None:
            return site
        self._stage("sitemap")
        site = replace(site, sitemap=await self._sitemaps(self._origin(site)))
        self._stage("key pages")
        site = replace(site, pages=await self._key_pages(site, KEY_PAGES), probed=probe)
        vehicles, services = self._candidates(site)
        chosen = [Candidate(url, Role.VEHICLE) for url in vehicles[:1]]
        chosen += [Candidate(url, Role.SERVICE_DETAIL) for url in services[:1]]
        pages = (*site.pages, *await self._visitor.all(chosen))
        site = replace(site, pages=pages, vehicle_urls=tuple(vehicles), service_urls=tuple(services))
        if not probe:
            return site
        self._stage("bot headers")
        return replace(site, probes=await self._probes(site))

    async def _answering(self) -> Site:
        site = await self._front()
        # A robots.txt that fails denies everything by itself, and that is what was seen.
        if site.home.status is None and (site.robots_visit.status or 0) < 500:
            raise ScanFailed(site.home.blind)
        return site

    async def _home(self, url: str, role: Role) -> Visit:
        visit, _ = await self._visitor.visit(url, role)
        return visit

    def _listed(self, site: Site) -> list[str]:
        """Pages of this host that sitemap and home name, in the order of sha256(url)."""
        home = site.home.page
        linked = [link.href for link in (home.links if home else ()) if link.href.startswith("http")]
        known = {normal(visit.final_url or visit.url) for visit in (site.home, *site.pages)}
        known |= {normal(visit.url) for visit in site.pages}
        found = {normal(url) for url in (*site.sitemap.locations, *linked)} - known - {""}
        own = {urls.host_of(site.home.final_url), self._url.host}
        return sorted(
            (url for url in found if urls.host_of(url) in own),
            key=lambda url: hashlib.sha256(url.encode()).hexdigest(),
        )

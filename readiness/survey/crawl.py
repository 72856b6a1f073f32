"""Plans beside the scan's: many pages of a site for their state, or few of them for who may read them."""

from dataclasses import replace

from readiness.fetching.errors import ScanFailed
from readiness.survey.candidates import PageCandidate, listed_pages
from readiness.survey.site import Role, SurveyedSite
from readiness.survey.site_survey import Survey

KEY_PAGES = 3


class Crawl(Survey):
    """The scanner's visits and rules under other plans. Home is not followed to another site.

    A home page that answers with an error is part of what is seen; ScanFailed means that nothing was.
    """

    async def pages(self, most: int) -> SurveyedSite:
        """Home, the key pages, and of all that sitemap and home list a sample by hash; `most` pages in all."""
        site = await self._answering()
        if not (site.home.ok and site.home.packed):
            return site
        self._stage("sitemap")
        site = replace(site, sitemap=await self._sitemaps(self._origin(site)))
        self._stage("key pages")
        site = replace(site, pages=await self._key_pages(site))
        site = await self._with_candidates(site)
        self._stage("sampled pages")
        roles = dict.fromkeys(site.vehicle_urls, Role.VEHICLE)
        roles |= dict.fromkeys(site.service_urls, Role.SERVICE_DETAIL)
        sample = (
            await self._visitor.run_in_worker(listed_pages, site, max(0, most - 1 - len(site.pages))) or []
        )
        sampled = await self._visitor.all([PageCandidate(url, roles.get(url, Role.PAGE)) for url in sample])
        self._stage("controls")
        return await self._controls(replace(site, pages=(*site.pages, *sampled)), self._origin(site))

    async def access(self, *, probe: bool) -> SurveyedSite:
        """Home, three key pages, one vehicle and one service page; with `probe` as AI bots ask for them too."""
        site = await self._answering()
        if not (site.home.ok and site.home.packed):
            return site
        self._stage("sitemap")
        site = replace(site, sitemap=await self._sitemaps(self._origin(site)))
        self._stage("key pages")
        site = replace(site, pages=await self._key_pages(site, KEY_PAGES), probed=probe)
        site = await self._with_candidates(site)
        chosen = [PageCandidate(url, Role.VEHICLE) for url in site.vehicle_urls[:1]]
        chosen += [PageCandidate(url, Role.SERVICE_DETAIL) for url in site.service_urls[:1]]
        site = replace(site, pages=(*site.pages, *await self._visitor.all(chosen)))
        if not probe:
            return site
        self._stage("bot headers")
        return replace(site, probes=await self._probes(site))

    async def _answering(self) -> SurveyedSite:
        site = await self._look_past_robots(await self._front())
        if site.home.status is None:
            raise ScanFailed(site.home.blind)
        return site

"""The fetch plan of one scan: what is asked of a site, in which order, and what it makes of the answers."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, islice
from typing import Protocol

from readiness import agents
from readiness.fetching import urls
from readiness.fetching.errors import Reason, ScanFailed
from readiness.fetching.fetcher import Fetcher
from readiness.reading.agent_documents import DEFAULT_PATHS, DOCUMENT_PATHS, LLMS_TEXT, linked_urls
from readiness.reading.documents import MAX_LOCATIONS, SITEMAP_BYTES, Sitemap, read_sitemap
from readiness.survey.candidates import (
    PageCandidate,
    canonical_target,
    fullest_inventory,
    further_key_pages,
    key_pages,
    other_inventories,
    related_pages,
    sitemap_order,
    unnamed_pages,
    unseen_locations,
)
from readiness.survey.detail_pages import DetailCandidates, detail_pages, roles_by_content, vehicle_images
from readiness.survey.page_roles import roles_of_pages
from readiness.survey.rendered_page import BrowserSight
from readiness.survey.site import (
    KEY_ROLES,
    STANDING_IN,
    Role,
    SitemapSurvey,
    SiteVisit,
    SurveyedSite,
)
from readiness.survey.site_links import digest
from readiness.survey.visitor import Progress, Visitor, robots_of

CRAWL_DELAY_LIMIT = 5.0
CHILD_SITEMAPS = 3
NAMED_SITEMAPS = 4
MOST_CHILDREN = 1_000
IMAGES = 2
DETAILS = 8
VEHICLES, SERVICES = 5, 3
KEY_PAGES = 16
"""Pages that show what a site offers: by their links, or by their content where links say nothing."""
LOCATIONS, MORE_LOCATIONS = 5, 3
"""Pages of the sitemap that should be seen, and how many are visited for it alone."""
FAILURES = {
    Reason.DNS: Reason.DNS,
    Reason.REFUSED_ADDRESS: Reason.REFUSED_ADDRESS,
    Reason.TLS: Reason.TLS,
    Reason.TIMEOUT: Reason.TIMEOUT,
    Reason.BUDGET: Reason.TIMEOUT,
    Reason.TOO_LARGE: Reason.TOO_LARGE,
}
MARKDOWN = "text/markdown"
REQUESTS_FOR_A_SIGNAL, FOLLOWED_LINKS, MOST_SIGNALS = 5, 2, 100
"""Other requests for each one that serves a signal without weight, and how many links of llms.txt are followed."""


class BrowserVisits(Protocol):
    """Opens a few pages of a surveyed site in a browser."""

    async def __call__(self, site: SurveyedSite, fetcher: Fetcher, visitor: Visitor) -> BrowserSight:
        """Return what the browser saw."""
        ...


class Survey:
    """Runs the plan against one site; `progress` is called with a stage name, requests made and allowed."""

    def __init__(
        self,
        fetcher: Fetcher,
        url: urls.Url,
        now: Callable[[], datetime],
        progress: Progress,
        browse: BrowserVisits | None = None,
    ) -> None:
        self._fetcher, self._url, self._progress, self._browse = fetcher, url, progress, browse
        self._visitor = Visitor(fetcher, now)

    async def run(self, *, probe: bool, signals: bool = False) -> SurveyedSite:
        """Everything the checks need, as far as the budget goes; ScanFailed when there is no home page.

        With `signals`, every known document for agents is asked for, not only the usual ones.

        Of a site that is down, whose home page answers with a server error, that is all there is.
        """
        site = await self._front()
        seen = await self._look_past_robots(site)
        if seen.is_down:
            return seen
        if site.home.stopped is Reason.OFF_SITE or site.home.reason in STANDING_IN:
            return site
        if seen.home.status is None and seen is not site:
            raise ScanFailed(_failure(seen.home))
        # A home page that robots.txt denies us, in words or by failing, is graded as far as robots.txt allows.
        denied = site.home.reason is Reason.ROBOTS_DISALLOWED
        if not (_html_page(site.home) or denied):
            raise ScanFailed(_failure(site.secure_home, site.plain_home))
        site = replace(site, probed=probe and not denied)
        self._stage("sitemap")
        site = replace(site, sitemap=await self._sitemaps(self._origin(site)))
        self._stage("key pages")
        site = replace(site, pages=await self._key_pages(site))
        self._stage("sampled pages")
        site = await self._details(site)
        if not probe:  # a probe asks ten times, and what is left is for the signals
            site = await self._locations(site)
        self._stage("controls")
        site = await self._controls(site, self._origin(site))
        if probe:
            self._stage("bot headers")
            site = replace(site, probes=await self._probes(site))
        self._stage("images")
        site = await self._images(site)
        self._stage("emerging signals")
        site = await self._emerging(site, self._origin(site), every=signals)
        if self._browse is None or denied:
            return site
        self._stage("browser")
        return replace(site, browser=await self._browse(site, self._fetcher, self._visitor))

    async def _front(self) -> SurveyedSite:
        """robots.txt and home, which may have answered anything; ScanFailed without a word from either."""
        self._stage("robots.txt")
        robots_visit = await self._read_robots(self._url.origin)
        self._stage("home page")
        secure, plain = await self._homes()
        homes = (secure, plain)
        answered = (
            [visit for visit in homes if _html_page(visit)]
            or [visit for visit in homes if visit.stopped is Reason.OFF_SITE]
            or [visit for visit in homes if visit.status is not None]
        )
        home = answered[0] if answered else plain
        site = SurveyedSite(self._url, home, plain, secure, robots_visit, self._visitor.robots)
        if _html_page(home) and urls.host_of(self._origin(site)) != self._url.host:
            robots_visit = await self._read_robots(self._origin(site))
            if not await self._visitor.allowed(home.final_url):
                raise ScanFailed(Reason.ROBOTS_DISALLOWED)
            site = replace(site, robots_visit=robots_visit, robots=self._visitor.robots)
        return site

    async def _look_past_robots(self, site: SurveyedSite) -> SurveyedSite:
        """A failing robots.txt denies everything; one request for the head of home shows whether the site is down."""
        if site.home.status is not None or (site.robots_visit.status or 0) < 500:
            return site
        home, _ = await self._visitor.visit(str(self._url), Role.HOME, body=0, well_known=True)
        return replace(site, home=replace(home, packed=b""))

    def _origin(self, site: SurveyedSite) -> str:
        return urls.parse(
            site.home.final_url or str(self._url), allow_hosts=self._allow_hosts, exact=True
        ).origin

    @property
    def _allow_hosts(self) -> frozenset[str]:
        return self._fetcher.policy.allow_hosts

    def _stage(self, name: str) -> None:
        self._progress(name, self._fetcher.requests, self._fetcher.policy.requests or 0)

    # -- robots.txt and home

    async def _read_robots(self, origin: str) -> SiteVisit:
        visit, body = await self._visitor.visit(f"{origin}/robots.txt", Role.ROBOTS, well_known=True)
        unsafe = (Reason.TLS, Reason.CONNECTION, Reason.TIMEOUT, Reason.DOWNGRADE)
        if (visit.reason or visit.stopped) in unsafe and origin.startswith("https:"):
            http = origin.replace("https:", "http:", 1)
            plain, plain_body = await self._visitor.visit(f"{http}/robots.txt", Role.ROBOTS, well_known=True)
            if plain.reason is None:
                visit, body = plain, plain_body
        if visit.reason not in (None, Reason.MEDIA_TYPE, Reason.CHALLENGED):
            raise ScanFailed(_failure(visit))
        delay = min(await self._visitor.obey(robots_of(visit, body)), CRAWL_DELAY_LIMIT)
        self._fetcher.slow_down(urls.host_of(origin), delay)
        return visit

    async def _homes(self) -> tuple[SiteVisit, SiteVisit]:
        path = self._url.target
        if self._url.port not in urls.PORTS.values():
            only = await self._home(str(self._url), Role.HOME)
            unseen = SiteVisit(only.url, Role.PLAIN_HOME, Reason.NOT_FETCHED)
            return (only, unseen) if self._url.scheme == "https" else (replace(unseen, role=Role.HOME), only)
        host = self._url.host if ":" not in self._url.host else f"[{self._url.host}]"
        secure = await self._home(f"https://{host}{path}", Role.HOME)
        plain = await self._home(f"http://{host}{path}", Role.PLAIN_HOME)
        return secure, plain

    async def _home(self, url: str, role: Role) -> SiteVisit:
        visit, _ = await self._visitor.visit(url, role)
        if visit.reason is Reason.TIMEOUT:
            visit, _ = await self._visitor.visit(url, role)
        return visit

    # -- sitemaps

    async def _sitemaps(self, origin: str) -> SitemapSurvey:
        named = [urls.resolve(origin, line) for line in self._visitor.sitemaps]
        own = [url for url in named if url and urls.same_site(urls.host_of(url), urls.host_of(origin))]
        files = [
            await self._first_sitemap(own[:1] or [f"{origin}/sitemap.xml", f"{origin}/sitemap_index.xml"])
        ]
        named_others = await self._visitor.run_in_worker(sitemap_order, tuple(own[1:]), origin) or []
        files += [await self._sitemap(url) for url in named_others[: NAMED_SITEMAPS - 1]]
        files.sort(key=lambda file: not file[0].ok)  # a dead one hides no other
        children = tuple(url for _, sitemap in files for url in sitemap.children)[:MOST_CHILDREN]
        if children:
            ordered = await self._visitor.run_in_worker(sitemap_order, children, origin) or []
            files += [await self._sitemap(url) for url in ordered[:CHILD_SITEMAPS]]
        listed = [sitemap.locations for _, sitemap in files if sitemap.locations]
        if len(listed) < 2:  # as on most sites; fifty thousand addresses are not sorted a second time
            return SitemapSurvey(tuple(files), *listed)
        return SitemapSurvey(tuple(files), tuple(islice(dict.fromkeys(chain(*listed)), MAX_LOCATIONS)))

    async def _first_sitemap(self, candidates: Sequence[str]) -> tuple[SiteVisit, Sitemap]:
        sitemap = (SiteVisit(candidates[0], Role.SITEMAP, Reason.NOT_FETCHED), Sitemap("invalid"))
        for url in candidates:
            sitemap = await self._sitemap(url)
            if sitemap[0].status == 200:
                break
        return sitemap

    async def _sitemap(self, url: str) -> tuple[SiteVisit, Sitemap]:
        visit, body = await self._visitor.visit(url, Role.SITEMAP, body=SITEMAP_BYTES, well_known=True)
        if not visit.ok:
            return visit, Sitemap("invalid")
        sitemap = await self._visitor.run_in_worker(read_sitemap, body)
        if sitemap is None:
            return replace(visit, reason=Reason.UNPARSABLE), Sitemap("invalid")
        return visit, sitemap

    # -- pages

    async def _key_pages(self, site: SurveyedSite, most: int = KEY_PAGES) -> tuple[SiteVisit, ...]:
        pages = await self._visitor.all(
            await self._visitor.run_in_worker(key_pages, site, len(KEY_ROLES)) or []
        )
        pages = await self._with_fullest_inventory(replace(site, pages=pages))
        for choose in (unnamed_pages, related_pages):
            pages = await self._with_unnamed(replace(site, pages=pages), choose, most - len(pages))
        known = replace(site, pages=pages)
        further = await self._visitor.run_in_worker(further_key_pages, known, max(0, most - len(pages)))
        return (*pages, *await self._visitor.all(further or []))

    async def _with_fullest_inventory(self, site: SurveyedSite) -> tuple[SiteVisit, ...]:
        """The key pages, that of the inventory being one that lists vehicles, where the first link led to none."""
        others = await self._visitor.run_in_worker(other_inventories, site, len(KEY_ROLES)) or []
        visits = await self._visitor.all(others)
        fullest = await self._visitor.run_in_worker(fullest_inventory, visits) if visits else None
        if fullest is None:
            return site.pages
        kept = tuple(
            replace(visit, role=Role.PAGE) if visit.role is Role.INVENTORY else visit for visit in site.pages
        )
        return (replace(visits[fullest], role=Role.INVENTORY), *kept)

    async def _with_unnamed(
        self, site: SurveyedSite, choose: Callable[[SurveyedSite, int], list[PageCandidate]], most: int
    ) -> tuple[SiteVisit, ...]:
        """The pages with further ones whose links said nothing, each with the role that it turns out to have."""
        chosen = await self._visitor.run_in_worker(choose, site, max(0, most))
        visits = await self._visitor.all(chosen or [])
        roles = await self._visitor.run_in_worker(roles_of_pages, site, visits)
        named = zip((*site.pages, *visits), roles or [], strict=False)
        return tuple(replace(visit, role=role) for visit, role in named) if roles else (*site.pages, *visits)

    async def _with_candidates(self, site: SurveyedSite) -> SurveyedSite:
        listed = await self._candidates(site)
        return replace(site, vehicle_urls=listed.vehicles, service_urls=listed.services)

    async def _candidates(self, site: SurveyedSite) -> DetailCandidates:
        return await self._visitor.run_in_worker(detail_pages, site) or DetailCandidates()

    async def _details(self, site: SurveyedSite) -> SurveyedSite:
        listed = await self._candidates(site)
        site = replace(site, vehicle_urls=listed.vehicles, service_urls=listed.services)
        vehicle_quota = VEHICLES if site.service_urls else DETAILS
        service_quota = SERVICES if listed.vehicles or listed.alike else DETAILS
        chosen = [PageCandidate(url, Role.VEHICLE) for url in site.vehicle_urls[:vehicle_quota]]
        chosen += [PageCandidate(url, Role.SERVICE_DETAIL) for url in site.service_urls[:service_quota]]
        chosen += [PageCandidate(url, Role.PAGE) for url in listed.alike[:vehicle_quota]]
        visits = await self._by_content(await self._visitor.all(chosen))
        if any(visit.role is Role.VEHICLE for visit in visits) and listed.alike:
            site = replace(site, vehicle_urls=listed.alike)
        return replace(site, pages=(*site.pages, *visits))

    async def _locations(self, site: SurveyedSite) -> SurveyedSite:
        """With a few more pages of a sitemap of which hardly any was visited: whether they answer at all."""
        drawn = await self._visitor.run_in_worker(unseen_locations, site, LOCATIONS, MORE_LOCATIONS) or []
        visits = await self._visitor.all(PageCandidate(url, Role.PAGE) for url in drawn)
        return replace(site, locations=visits)

    async def _by_content(self, visits: tuple[SiteVisit, ...]) -> tuple[SiteVisit, ...]:
        """The same visits, each page that might offer a vehicle with the role that its content gives it."""
        possible = tuple(visit for visit in visits if visit.role in (Role.VEHICLE, Role.PAGE))
        roles = await self._visitor.run_in_worker(roles_by_content, possible) or [
            visit.role for visit in possible
        ]
        decided = dict(zip((visit.url for visit in possible), roles, strict=True))
        return tuple(replace(visit, role=decided.get(visit.url, visit.role)) for visit in visits)

    async def _controls(self, site: SurveyedSite, origin: str) -> SurveyedSite:
        # Made from the address, so that two reports of an unchanged site are equal.
        path = f"/seenby-{digest(origin)[:16]}"
        control, _ = await self._visitor.visit(f"{origin}{path}", Role.CONTROL)
        canonical = None
        target = await self._visitor.run_in_worker(canonical_target, site)
        if target:
            canonical, _ = await self._visitor.visit(target, Role.CANONICAL)
        return replace(site, control=control, canonical=canonical)

    # -- probes and emerging signals

    async def _probes(self, site: SurveyedSite) -> tuple[SiteVisit, ...]:
        detail = next(
            (visit for visit in site.pages if visit.ok and visit.role in (Role.VEHICLE, Role.SERVICE_DETAIL)),
            None,
        )
        probes: list[SiteVisit] = []
        for visit in (site.home, *([detail] if detail else [])):
            for agent in agents.PROBED:
                headers = (("User-Agent", agent.header or ""),)
                probe, _ = await self._visitor.visit(visit.final_url, Role.PROBE, headers=headers)
                probes.append(replace(probe, url=visit.url, agent=agent.token))
            closing, _ = await self._visitor.visit(visit.final_url, Role.PROBE)
            probes.append(replace(closing, url=visit.url))
        return tuple(probes)

    async def _emerging(self, site: SurveyedSite, origin: str, *, every: bool) -> SurveyedSite:
        """What the site offers to agents. It weighs nothing, so it gets few requests unless `every` one is wanted."""
        room = MOST_SIGNALS if every else self._fetcher.requests // REQUESTS_FOR_A_SIGNAL
        visits: list[SiteVisit] = []

        async def ask(url: str, accept: str = "", body: int | None = None) -> None:
            if len(visits) < room:
                headers = (("Accept", accept),) if accept else ()
                known = url.startswith(f"{origin}/.well-known/")
                visit, _ = await self._visitor.visit(
                    url, Role.EMERGING, headers=headers, body=body, well_known=known
                )
                visits.append(visit)

        home = site.home.final_url or str(self._url)
        await ask(f"{origin}{LLMS_TEXT}")
        seen = {visit.url for visit in (site.home, *site.pages, *site.locations)}
        readable = visits[0].status == 200 and not visits[0].packed if visits else False
        linked = linked_urls(visits[0].start, visits[0].url) if readable else []
        for url in [url for url in linked if url not in seen and url != home][:FOLLOWED_LINKS]:
            await ask(url, body=0)
        await ask(home, MARKDOWN)
        for path in DOCUMENT_PATHS if every else DEFAULT_PATHS:
            if path != LLMS_TEXT:
                await ask(f"{origin}{path}")
        return replace(site, emerging=tuple(visits))

    async def _images(self, site: SurveyedSite) -> SurveyedSite:
        pictures = await self._visitor.run_in_worker(vehicle_images, site) or []
        images = [await self._visitor.visit(url, Role.IMAGE, body=0) for url in pictures[:IMAGES]]
        return replace(site, images=tuple(visit for visit, _ in images))


def _html_page(visit: SiteVisit) -> bool:
    return visit.ok and bool(visit.packed)


def _failure(*visits: SiteVisit) -> Reason:
    """The reason a scan ends with: the first visit that has one of the published reasons."""
    reasons = (FAILURES.get(visit.reason) for visit in visits if visit.reason)
    return next((reason for reason in reasons if reason), Reason.HTTP_ERROR)

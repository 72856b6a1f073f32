"""The fetch plan of one scan: what is asked of a site, in which order, and what it makes of the answers."""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from readiness import agents, urls, vocabulary
from readiness.documents import SITEMAP_BYTES, Sitemap, read_robots, read_sitemap
from readiness.errors import Reason, ScanFailed, UrlRefused
from readiness.fetch import Fetcher
from readiness.robots import Robots
from readiness.site import KEY_ROLES, Role, Site, SitemapSurvey, Visit
from readiness.vehicles import main_image
from readiness.visitor import Candidate, Visitor

CRAWL_DELAY_LIMIT = 5.0
CHILD_SITEMAPS = 3
DETAILS = 8
VEHICLES, SERVICES = 5, 3
FAILURES = {
    Reason.DNS: Reason.DNS,
    Reason.REFUSED_ADDRESS: Reason.REFUSED_ADDRESS,
    Reason.TLS: Reason.TLS,
    Reason.TIMEOUT: Reason.TIMEOUT,
    Reason.BUDGET: Reason.TIMEOUT,
    Reason.ROBOTS_DISALLOWED: Reason.ROBOTS_DISALLOWED,
    Reason.TOO_LARGE: Reason.TOO_LARGE,
}
EMERGING_PATHS = (
    "/llms.txt",
    "/.well-known/ai-catalog.json",
    "/.well-known/mcp/server-card.json",
    "/.well-known/mcp.json",
    "/.well-known/agent-card.json",
    "/.well-known/ucp",
    "/.well-known/api-catalog",
    "/.well-known/agent-skills/index.json",
    "/.well-known/ai-plugin.json",
)
MARKDOWN = "text/markdown"
VEHICLE_PATH = (
    r"/(?:inventory|vehicles?|vehicle-details|used(?:-cars|-vehicles)?|new(?:-cars|-vehicles)?|pre-owned|cars?|vdp|stock"
    r"|fahrzeuge?|gebrauchtwagen|neuwagen|vehicules?|occasions?|voitures?|coches|vehiculos?|auto|veicoli|voorraad|samochody"
    r"|veiculos?|carros?)/(?:[^?#]*/)?[^/?#]*\d{3,}[^/?#]*"
)
SERVICE_PATH = (
    r"/(?:services?|repairs?|leistungen|werkstatt|prestations?|servicios?|servizi|diensten|uslugi|servicos?|packages)"
    r"/[a-z0-9%_-]{3,}"
)
VEHICLE_URL, SERVICE_URL = re.compile(VEHICLE_PATH, re.I), re.compile(SERVICE_PATH, re.I)
Progress: TypeAlias = Callable[[str, int, int], None]


class Survey:
    """Runs the plan against one site; `progress` hears a stage name of ours, requests made and allowed."""

    def __init__(
        self, fetcher: Fetcher, url: urls.Url, now: Callable[[], datetime], progress: Progress
    ) -> None:
        self._fetcher, self._url, self._progress = fetcher, url, progress
        self._visitor = Visitor(fetcher, now)

    async def run(self, *, probe: bool) -> Site:
        """Everything the checks need, as far as the budget goes; ScanFailed when there is no home page."""
        site = await self._front()
        if not _html_page(site.home):
            raise ScanFailed(_failure(site.secure_home, site.plain_home))
        site = replace(site, probed=probe)
        self._stage("sitemap")
        site = replace(site, sitemap=await self._sitemaps(self._origin(site)))
        self._stage("key pages")
        site = replace(site, pages=await self._key_pages(site))
        self._stage("sampled pages")
        site = await self._details(site)
        self._stage("controls")
        site = await self._controls(site, self._origin(site))
        if probe:
            self._stage("bot headers")
            site = replace(site, probes=await self._probes(site))
        self._stage("emerging signals")
        return await self._emerging(site, self._origin(site))

    async def _front(self) -> Site:
        """robots.txt and home, which may have answered anything; ScanFailed without a word from either."""
        self._stage("robots.txt")
        robots_visit = await self._read_robots(self._url.origin)
        self._stage("home page")
        secure, plain = await self._homes()
        homes = (secure, plain)
        answered = [visit for visit in homes if _html_page(visit)] or [
            visit for visit in homes if visit.status is not None
        ]
        home = answered[0] if answered else plain
        site = Site(self._url, home, plain, secure, robots_visit, self._visitor.robots)
        if _html_page(home) and urls.host_of(self._origin(site)) != self._url.host:
            robots_visit = await self._read_robots(self._origin(site))
            if not self._visitor.allowed(home.final_url):
                raise ScanFailed(Reason.ROBOTS_DISALLOWED)
            site = replace(site, robots_visit=robots_visit, robots=self._visitor.robots)
        return site

    def _origin(self, site: Site) -> str:
        return urls.parse(site.home.final_url, allow_hosts=self._allow_hosts, exact=True).origin

    @property
    def _allow_hosts(self) -> frozenset[str]:
        return self._fetcher.policy.allow_hosts

    def _stage(self, name: str) -> None:
        self._progress(name, self._fetcher.requests, self._fetcher.policy.requests or 0)

    # -- robots.txt and home

    async def _read_robots(self, origin: str) -> Visit:
        visit, body = await self._visitor.visit(f"{origin}/robots.txt", Role.ROBOTS, well_known=True)
        if visit.reason in (Reason.TLS, Reason.CONNECTION, Reason.TIMEOUT) and origin.startswith("https:"):
            http = origin.replace("https:", "http:", 1)
            plain, plain_body = await self._visitor.visit(f"{http}/robots.txt", Role.ROBOTS, well_known=True)
            if plain.reason is None:
                visit, body = plain, plain_body
        if visit.reason is not None and visit.reason is not Reason.MEDIA_TYPE:
            raise ScanFailed(_failure(visit))
        status = visit.status or 0
        if status >= 500:
            self._visitor.robots = Robots.denying_all()
        elif status == 200:
            self._visitor.robots = await self._visitor.apart(read_robots, body) or Robots.denying_all()
        else:
            self._visitor.robots = Robots(b"")  # RFC 9309 section 2.3.1.3: an unavailable file allows all.
        delay = min(self._visitor.robots.crawl_delay(agents.OWN_TOKEN), CRAWL_DELAY_LIMIT)
        self._fetcher.slow_down(urls.host_of(origin), delay)
        return visit

    async def _homes(self) -> tuple[Visit, Visit]:
        path = self._url.target
        if self._url.port not in urls.PORTS.values():
            only = await self._home(str(self._url), Role.HOME)
            unseen = Visit(only.url, Role.PLAIN_HOME, Reason.NOT_FETCHED)
            return (only, unseen) if self._url.scheme == "https" else (replace(unseen, role=Role.HOME), only)
        host = self._url.host if ":" not in self._url.host else f"[{self._url.host}]"
        secure = await self._home(f"https://{host}{path}", Role.HOME)
        plain = await self._home(f"http://{host}{path}", Role.PLAIN_HOME)
        return secure, plain

    async def _home(self, url: str, role: Role) -> Visit:
        visit, _ = await self._visitor.visit(url, role, same_site=False)
        if visit.reason is Reason.TIMEOUT:
            visit, _ = await self._visitor.visit(url, role, same_site=False)
        return visit

    # -- sitemaps

    async def _sitemaps(self, origin: str) -> SitemapSurvey:
        named = [urls.resolve(origin, line) for line in self._visitor.robots.sitemaps]
        same_site = [url for url in named if url and urls.same_site(urls.host_of(url), urls.host_of(origin))]
        first = await self._first_sitemap(
            [*same_site[:1]] or [f"{origin}/sitemap.xml", f"{origin}/sitemap_index.xml"]
        )
        files = [first]
        if first[1].children:
            children = [
                url for url in first[1].children if urls.same_site(urls.host_of(url), urls.host_of(origin))
            ]
            # Children whose name says that they list vehicles or services come first.
            ranked = sorted(children[:1000], key=lambda url: (not _lists_pages(url), _digest(url)))
            files += [await self._sitemap(url) for url in ranked[:CHILD_SITEMAPS]]
        return SitemapSurvey(
            tuple(files), tuple(dict.fromkeys(url for _, sitemap in files for url in sitemap.locations))
        )

    async def _first_sitemap(self, candidates: Sequence[str]) -> tuple[Visit, Sitemap]:
        found = (Visit(candidates[0], Role.SITEMAP, Reason.NOT_FETCHED), Sitemap("invalid"))
        for url in candidates:
            found = await self._sitemap(url)
            if found[0].status == 200:
                break
        return found

    async def _sitemap(self, url: str) -> tuple[Visit, Sitemap]:
        visit, body = await self._visitor.visit(url, Role.SITEMAP, body=SITEMAP_BYTES, well_known=True)
        if not visit.ok:
            return visit, Sitemap("invalid")
        sitemap = await self._visitor.apart(read_sitemap, body)
        if sitemap is None:
            return replace(visit, reason=Reason.UNPARSABLE), Sitemap("invalid")
        return visit, sitemap

    # -- pages

    async def _key_pages(self, site: Site, most: int = len(KEY_ROLES)) -> tuple[Visit, ...]:
        chosen: dict[str, Role] = {}
        for role in KEY_ROLES:
            url = self._link_for(role, site)
            if url is not None:
                chosen.setdefault(url, role)
        return await self._visitor.all([Candidate(url, role) for url, role in list(chosen.items())[:most]])

    def _link_for(self, role: Role, site: Site) -> str | None:
        """The first same-site link of home whose text, else whose path, speaks of the role."""
        page = site.home.page
        links = [link for link in (page.links if page else ()) if self._may_visit(link.href, site)]
        pattern = ROLE_WORDS[role]
        by_text = (link.href for link in links if pattern.search(link.text))
        by_path = (link.href for link in links if pattern.search(_words_of(link.href)))
        return next(by_text, None) or next(by_path, None)

    def _may_visit(self, href: str, site: Site) -> bool:
        home = site.home.final_url
        return (
            href.startswith(("https:", "http:"))
            and urls.same_site(urls.host_of(href), urls.host_of(home))
            and normal(href) != normal(home)
        )

    async def _details(self, site: Site) -> Site:
        vehicles, services = self._candidates(site)
        vehicle_quota = VEHICLES if services else DETAILS
        service_quota = SERVICES if vehicles else DETAILS
        chosen = [Candidate(url, Role.VEHICLE) for url in vehicles[:vehicle_quota]]
        chosen += [Candidate(url, Role.SERVICE_DETAIL) for url in services[:service_quota]]
        pages = (*site.pages, *await self._visitor.all(chosen))
        return replace(site, pages=pages, vehicle_urls=tuple(vehicles), service_urls=tuple(services))

    def _candidates(self, site: Site) -> tuple[list[str], list[str]]:
        """Detail pages from sitemap and links, in the order of sha256(url), so that nobody picks the best."""
        hosts = {urls.host_of(site.home.final_url), self._url.host}
        linked = [link.href for _, page in site.seen() for link in page.links if link.href.startswith("http")]
        known = {normal(visit.final_url or visit.url) for visit in (site.home, *site.pages)}
        vehicles: set[str] = set()
        services: set[str] = set()
        for href in (*site.sitemap.locations, *linked):
            url = normal(href)
            if not url or url in known or urls.host_of(url) not in hosts:
                continue
            path = url.partition("://")[2].lower()
            if VEHICLE_URL.search(path):
                vehicles.add(url)
            elif SERVICE_URL.search(path):
                services.add(url)
        return sorted(vehicles, key=_digest), sorted(services, key=_digest)

    async def _controls(self, site: Site, origin: str) -> Site:
        # Made from the address, so that two reports of an unchanged site are equal.
        path = f"/seenby-{_digest(origin)[:16]}"
        control, _ = await self._visitor.visit(f"{origin}{path}", Role.CONTROL)
        canonical = None
        page = site.home.page
        target = urls.resolve(site.home.final_url, page.canonicals[0]) if page and page.canonicals else None
        if target and normal(target) != normal(site.home.final_url) and self._may_visit(target, site):
            canonical, _ = await self._visitor.visit(target, Role.CANONICAL)
        return replace(site, control=control, canonical=canonical)

    # -- probes and emerging signals

    async def _probes(self, site: Site) -> tuple[Visit, ...]:
        detail = next(
            (visit for visit in site.pages if visit.ok and visit.role in (Role.VEHICLE, Role.SERVICE_DETAIL)),
            None,
        )
        found: list[Visit] = []
        for visit in (site.home, *([detail] if detail else [])):
            for agent in agents.PROBED:
                headers = (("User-Agent", agent.header or ""),)
                probe, _ = await self._visitor.visit(visit.final_url, Role.PROBE, headers=headers)
                found.append(replace(probe, url=visit.url, agent=agent.token))
            closing, _ = await self._visitor.visit(visit.final_url, Role.PROBE)
            found.append(replace(closing, url=visit.url))
        return tuple(found)

    async def _emerging(self, site: Site, origin: str) -> Site:
        visits = [
            (
                await self._visitor.visit(
                    f"{origin}{path}", Role.EMERGING, well_known=path.startswith("/.well-known/")
                )
            )[0]
            for path in EMERGING_PATHS
        ]
        markdown, _ = await self._visitor.visit(
            site.home.final_url, Role.EMERGING, headers=(("Accept", MARKDOWN),)
        )
        images = [await self._visitor.visit(url, Role.IMAGE, body=0) for url in _vehicle_images(site)[:2]]
        return replace(site, emerging=(*visits, markdown), images=tuple(visit for visit, _ in images))


ROLE_WORDS = {
    Role.INVENTORY: vocabulary.INVENTORY,
    Role.SERVICE: vocabulary.SERVICE,
    Role.SCHEDULE: vocabulary.SCHEDULE,
    Role.CONTACT: vocabulary.CONTACT,
    Role.HOURS: vocabulary.HOURS,
    Role.FINANCE: vocabulary.FINANCE,
    Role.TRADE_IN: vocabulary.TRADE_IN,
    Role.PRIVACY: vocabulary.PRIVACY,
}


def _html_page(visit: Visit) -> bool:
    return visit.ok and visit.page is not None


def _failure(*visits: Visit) -> Reason:
    """The reason a scan ends with: the first visit that has one of the published reasons."""
    reasons = (FAILURES.get(visit.reason) for visit in visits if visit.reason)
    return next((reason for reason in reasons if reason), Reason.HTTP_ERROR)


def normal(url: str) -> str:
    """Return a URL in normal form, or an empty string for one that is refused."""
    try:
        return str(urls.parse(url))
    except UrlRefused:
        return ""


def _digest(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest()


def _words_of(url: str) -> str:
    return re.sub(r"[/_-]+", " ", url.partition("://")[2].partition("/")[2])


def _lists_pages(url: str) -> bool:
    words = _words_of(url)
    return bool(vocabulary.INVENTORY.search(words) or vocabulary.SERVICE.search(words))


def _vehicle_images(site: Site) -> list[str]:
    """One image of each sampled vehicle page: the marked-up one, else the first with an alternative text."""
    found: list[str] = []
    for visit in site.samples(Role.VEHICLE):
        if visit.page is None:
            continue
        url = main_image(visit.page, visit.final_url)
        if url and url not in found and urls.same_site(urls.host_of(url), site.host):
            found.append(url)
    return found

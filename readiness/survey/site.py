"""What one scan fetched, as frozen values: the checks ask this and nothing else."""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from enum import StrEnum
from functools import cached_property
from typing import Any, cast
from urllib.parse import urlsplit

from readiness.fetching import urls
from readiness.fetching.errors import Reason
from readiness.fetching.response import Certificate, Hop
from readiness.reading.documents import Sitemap, from_pieces, in_pieces
from readiness.reading.page import HtmlPage, Node
from readiness.reading.robots import Robots
from readiness.survey.evidence import Evidence, excerpt
from readiness.survey.rendered_page import BrowserSight
from readiness.survey.site_kind import SiteState


class Role(StrEnum):
    """Why a URL was fetched."""

    ROBOTS = "robots"
    HOME = "home"
    PLAIN_HOME = "plain_home"
    SITEMAP = "sitemap"
    INVENTORY = "inventory"
    SERVICE = "service"
    SCHEDULE = "schedule"
    CONTACT = "contact"
    HOURS = "hours"
    FINANCE = "finance"
    TRADE_IN = "trade_in"
    PRIVACY = "privacy"
    VEHICLE = "vehicle"
    SERVICE_DETAIL = "service_detail"
    PAGE = "page"
    CANONICAL = "canonical"
    CONTROL = "control"
    PROBE = "probe"
    EMERGING = "emerging"
    IMAGE = "image"


REFUSALS = (401, 403, 405, 406, 429, 451)
"""Statuses with which servers turn away visitors whom they take for robots."""
STANDING_IN = (Reason.CHALLENGED, Reason.VISIT_REFUSED, Reason.PLACEHOLDER)
"""Reasons for which something else than the site's own home page was seen."""
KEY_ROLES = (
    Role.INVENTORY,
    Role.SERVICE,
    Role.SCHEDULE,
    Role.CONTACT,
    Role.HOURS,
    Role.FINANCE,
    Role.TRADE_IN,
    Role.PRIVACY,
)


@dataclass(frozen=True)
class SiteVisit:
    """One URL of the plan: what answered, or in `reason` why nothing could be seen.

    `packed` is the parsed page as the worker that read it pickled it: a process that only carries it on never
    opens it.
    `url` is what was asked, `final_url` what answered after redirects; `seconds` is the time to the
    first byte; `start` is the beginning of a body that is no HTML page; `agent` is the bot a probe
    pretended to be, empty for our own name.
    """

    url: str
    role: Role
    reason: Reason | None = None
    status: int | None = None
    final_url: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    chain: tuple[Hop, ...] = ()
    stopped: Reason | None = None
    media_type: str = ""
    size: int = 0
    sha256: str = ""
    fetched_at: str = ""
    seconds: float = 0.0
    truncated: bool = False
    certificate: Certificate | None = None
    start: str = ""
    packed: bytes = b""
    agent: str = ""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "page"}

    @cached_property
    def page(self) -> HtmlPage | None:
        """The parsed page, opened once; None where the answer was no HTML page that could be read."""
        return cast(HtmlPage, pickle.loads(self.packed)) if self.packed else None

    @property
    def ok(self) -> bool:
        """Whether this is a 200 whose body was understood."""
        return self.reason is None and self.status == 200

    @property
    def blind(self) -> Reason:
        """Why nothing could be seen here, for an `unknown`."""
        return self.reason or (Reason.HTTP_ERROR if self.status != 200 else Reason.NOT_FETCHED)

    def header(self, name: str) -> str:
        """First value of a header, or an empty string."""
        return next((value for key, value in self.headers if key == name), "")

    @property
    def lastmod(self) -> str:
        """The element that dates this in a sitemap, as its server says itself; without its word none is made up."""
        try:
            day = parsedate_to_datetime(self.header("last-modified")).date()
        except ValueError:
            return ""
        return f"<lastmod>{day.isoformat()}</lastmod>"

    def show(
        self,
        text: str | None = None,
        *,
        selector: str | None = None,
        pointer: str | None = None,
        line: int | None = None,
        header: str | None = None,
        detail: str | None = None,
    ) -> Evidence:
        """This visit as evidence: `text` is a quotation of the site, made harmless, and `detail` our own words.

        Without any of these, the title of the page shows which page answered, or its media type which file.
        """
        if not any((text, selector, pointer, line, header, detail)):
            if self.page is not None and self.page.title:
                text, selector = self.page.title, "title"
            elif self.media_type:
                header = f"content-type: {self.media_type}"
        return Evidence(
            url=self.url,
            status_code=self.status,
            header=excerpt(header) if header is not None else None,
            selector=excerpt(selector) if selector is not None else None,
            json_pointer=excerpt(pointer) if pointer is not None else None,
            line=line,
            excerpt=excerpt(text) if text is not None else None,
            detail=excerpt(detail) if detail is not None else None,
            sha256=self.sha256 or None,
            fetched_at=self.fetched_at or None,
        )


@dataclass(frozen=True, slots=True)
class SitemapSurvey:
    """The sitemap files that were read, and what they list together."""

    files: tuple[tuple[SiteVisit, Sitemap], ...] = ()
    locations: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return _survey_of, (self.files, in_pieces(self.locations))


def _survey_of(files: tuple[tuple[SiteVisit, Sitemap], ...], locations: Sequence[bytes]) -> SitemapSurvey:
    return SitemapSurvey(files, from_pieces(locations))


@dataclass(frozen=True)
class SurveyedSite:
    """One site as one scan saw it. `probed` says whether the starter vouched for header probes.

    `locations` are pages of the sitemap that were visited only to see whether they answer.
    """

    url: urls.Url
    home: SiteVisit
    plain_home: SiteVisit
    secure_home: SiteVisit
    robots_visit: SiteVisit
    robots: Robots
    sitemap: SitemapSurvey = field(default_factory=SitemapSurvey)
    pages: tuple[SiteVisit, ...] = ()
    locations: tuple[SiteVisit, ...] = ()
    control: SiteVisit | None = None
    canonical: SiteVisit | None = None
    probed: bool = False
    probes: tuple[SiteVisit, ...] = ()
    emerging: tuple[SiteVisit, ...] = ()
    images: tuple[SiteVisit, ...] = ()
    vehicle_urls: tuple[str, ...] = ()
    service_urls: tuple[str, ...] = ()
    browser: BrowserSight = field(default_factory=BrowserSight)

    @property
    def host(self) -> str:
        """Host of the home page that answered."""
        return urls.host_of(self.home.final_url or self.home.url)

    @property
    def place(self) -> str:
        """Host of the home page that answered, with the port where it is not the scheme's own."""
        parts = urlsplit(self.home.final_url or self.home.url)
        return (
            self.host if parts.port in (None, urls.PORTS.get(parts.scheme)) else f"{self.host}:{parts.port}"
        )

    @property
    def redirected_to(self) -> str | None:
        """Address on another site that home redirects to; it is named and not visited."""
        home = self.home
        return home.chain[-1].location if home.stopped is Reason.OFF_SITE and home.chain else None

    @property
    def only_shells(self) -> bool:
        """Whether every page that was read is a shell for scripts, so that what is missing was not seen."""
        seen = self.seen()
        return bool(seen) and all(page.is_shell for _, page in seen)

    @property
    def state(self) -> SiteState:
        """Whether home answered; a challenge page keeps us out, whatever its status is."""
        home = self.home
        if home.status in REFUSALS or home.reason is Reason.CHALLENGED:
            return SiteState.BLOCKED
        return SiteState.DOWN if self.is_down else SiteState.ANSWERS

    @property
    def is_down(self) -> bool:
        """Whether home answered with a server error of its own, which says nothing of the site's pages."""
        return (self.home.status or 0) >= 500 and self.home.reason is not Reason.CHALLENGED

    def role(self, role: Role) -> SiteVisit | None:
        """The key page of a role, or None when home links to none."""
        return next((visit for visit in self.pages if visit.role is role), None)

    def samples(self, role: Role) -> tuple[SiteVisit, ...]:
        """The sampled detail pages of a role."""
        return tuple(visit for visit in self.pages if visit.role is role)

    def seen(self, *roles: Role) -> tuple[tuple[SiteVisit, HtmlPage], ...]:
        """Home and the pages of these roles that answered 200 and were parsed; without roles all pages."""
        candidates = (self.home, *(visit for visit in self.pages if not roles or visit.role in roles))
        return tuple((visit, visit.page) for visit in candidates if visit.ok and visit.page is not None)

    def nodes(self, types: frozenset[str], *roles: Role) -> tuple[tuple[SiteVisit, Node], ...]:
        """Structured-data nodes of these types on home and the pages of these roles."""
        return tuple((visit, node) for visit, page in self.seen(*roles) for node in page.nodes_of(types))

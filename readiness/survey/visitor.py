"""One visit to a site: fetched if its robots.txt lets our bot, read apart, and whatever goes wrong named."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias, TypeVar, TypeVarTuple

import anyio

from readiness import agents
from readiness.fetching.errors import FetchFailed, Reason, UrlRefused
from readiness.fetching.fetcher import Fetcher
from readiness.fetching.response import Response
from readiness.reading.documents import RobotsSummary, allowed_urls, decode, read_robots
from readiness.reading.isolation import run_in_worker
from readiness.reading.page import StandIn
from readiness.reading.page_reader import pack_page
from readiness.reading.robots import Robots
from readiness.reading.stand_ins import says_challenge
from readiness.survey.candidates import PageCandidate
from readiness.survey.site import REFUSALS, Role, SiteVisit

Progress: TypeAlias = Callable[[str, int, int], None]
"""Hears a stage's name, the requests made and the requests allowed."""


def ignore_progress(stage: str, requests: int, limit: int) -> None:
    """Ignore progress."""


START, DOCUMENT = 16_384, 262_144
"""Characters that are kept of the beginning of a file, and of a document for agents, which is read whole."""
HOMES = (Role.HOME, Role.PLAIN_HOME)
FILES = (Role.ROBOTS, Role.SITEMAP)
HTML_TYPES = ("text/html", "application/xhtml+xml")
Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class Visitor:
    """Visits the pages of one site; `robots` decides which, and denies all until the file was read."""

    def __init__(self, fetcher: Fetcher, now: Callable[[], datetime]) -> None:
        self.robots = Robots.denying_all()
        self.sitemaps: tuple[str, ...] = ()
        self._decisions: dict[str, bool] = {}
        self._turns: dict[str, anyio.Lock] = {}
        self._unreadable: set[str] = set()
        self._fetcher, self._now = fetcher, now

    async def obey(self, robots: Robots) -> float:
        """Take a robots.txt as the rule from now on; return the seconds it wants between two requests.

        One that cannot be read in time, twice, denies everything, since what it allows is unknown.
        """
        self.robots, self.sitemaps, self._decisions = robots, (), {}
        if robots.is_open:
            return 0.0
        summary = await self._run_twice(read_robots, robots, agents.OWN_TOKEN)
        if summary is None:
            self.robots, summary = Robots.unread(), RobotsSummary()
        self.sitemaps = summary.sitemaps
        return summary.crawl_delay

    async def all(self, candidates: Iterable[PageCandidate]) -> tuple[SiteVisit, ...]:
        """Visits in the order given, as many at once as the fetcher lets through."""
        wanted = list(candidates)
        visits: dict[int, SiteVisit] = {}
        await self._decide([candidate.url for candidate in wanted])

        async def visit_candidate(index: int, candidate: PageCandidate) -> None:
            visits[index], _ = await self.visit(candidate.url, candidate.role)

        async with anyio.create_task_group() as group:
            for index, candidate in enumerate(wanted):
                group.start_soon(visit_candidate, index, candidate)
        return tuple(visits[index] for index in range(len(wanted)))

    async def allowed(self, url: str) -> bool:
        """Whether robots.txt lets our own bot fetch this URL."""
        await self._decide([url])
        return self._decisions[url]

    async def _decide(self, wanted: Sequence[str]) -> None:
        """Ask for all decisions that are not known yet at once; what takes too long to decide, twice, is denied."""
        asked = [url for url in dict.fromkeys(wanted) if url not in self._decisions]
        if not asked:
            return
        decided = [True] * len(asked)
        if not self.robots.is_open:
            decided = await self._run_twice(allowed_urls, self.robots, agents.OWN_TOKEN, asked)
        if decided is None:
            self.robots, decided = Robots.unread(), [False] * len(asked)
        self._decisions |= zip(asked, decided, strict=True)

    async def visit(
        self,
        url: str,
        role: Role,
        *,
        headers: Sequence[tuple[str, str]] = (),
        body: int | None = None,
        same_site: bool = True,
        well_known: bool = False,
    ) -> tuple[SiteVisit, bytes]:
        """Fetch and read one URL; whatever goes wrong becomes the visit's reason."""
        at = self._now().isoformat(timespec="seconds")
        blank = SiteVisit(url, role, fetched_at=at)
        if not well_known and not await self.allowed(url):
            return replace(blank, reason=Reason.ROBOTS_DISALLOWED), b""
        try:
            response = await self._fetcher.get(url, headers=headers, body=body, same_site=same_site)
        except FetchFailed as error:
            return replace(blank, reason=error.reason), b""
        except UrlRefused:
            return replace(blank, reason=Reason.REFUSED_URL), b""
        return await self._read(blank, response), response.body

    async def _read(self, blank: SiteVisit, response: Response) -> SiteVisit:
        visit = replace(
            blank,
            status=response.status,
            final_url=response.url,
            headers=response.headers,
            chain=response.chain,
            stopped=response.stopped,
            media_type=response.media_type,
            size=len(response.body),
            sha256=hashlib.sha256(response.body).hexdigest(),
            seconds=response.seconds,
            truncated=response.truncated,
            certificate=response.certificate,
        )
        content_type = response.header("content-type") or ""
        is_page = _is_html(response) or (visit.role in FILES and _begins_as_page(response))
        if not is_page and not says_challenge(response.headers):
            kept = DOCUMENT if visit.role is Role.EMERGING else START
            return replace(visit, start=decode(response.body[:kept], content_type))
        packed, stands_in = await self._pack(visit.sha256, response, content_type)
        challenged = stands_in is StandIn.CHALLENGE or says_challenge(response.headers)
        if visit.role in FILES:
            # A page in place of a file is that file, broken; a challenge in its place hides what the file says.
            hidden = Reason.CHALLENGED if challenged else None
            return replace(visit, start=decode(response.body[:START], content_type), reason=hidden)
        return replace(
            visit,
            packed=packed,
            reason=_unseen(visit, packed, stands_in, challenged=challenged),
            start=decode(response.body[:200], ""),
        )

    async def _pack(self, sha256: str, response: Response, content_type: str) -> tuple[bytes, StandIn | None]:
        """Read a page; bytes that were too much for one reader are given to no other: each costs a core seconds."""
        async with self._turns.setdefault(sha256, anyio.Lock()):
            if sha256 in self._unreadable:
                return b"", None
            read = await self.run_in_worker(pack_page, response.body, content_type, response.url)
            if read is None:
                self._unreadable.add(sha256)
        return read or (b"", None)

    async def _run_twice(
        self, function: Callable[[*Arguments], Result], *arguments: *Arguments
    ) -> Result | None:
        """Read something, once more if it cannot be read: a worker that was lost is no fault of the site."""
        outcome = await self.run_in_worker(function, *arguments)
        return outcome if outcome is not None else await self.run_in_worker(function, *arguments)

    async def run_in_worker(
        self, function: Callable[[*Arguments], Result], *arguments: *Arguments
    ) -> Result | None:
        """Read something in a worker process, inside the scan's budget; None when it cannot be read."""
        try:
            return await run_in_worker(self._fetcher.seconds_left, function, *arguments)
        except FetchFailed:
            return None


def _unseen(visit: SiteVisit, packed: bytes, stands_in: StandIn | None, *, challenged: bool) -> Reason | None:
    """Return why an answered visit shows no page of the site; only in the place of home a note hides a site."""
    if challenged:
        return Reason.CHALLENGED
    if visit.role in HOMES and visit.status in REFUSALS:
        return Reason.VISIT_REFUSED
    if visit.role in HOMES and visit.status == 200 and stands_in is StandIn.PLACEHOLDER:
        return Reason.PLACEHOLDER
    return None if packed else Reason.UNPARSABLE


def robots_of(visit: SiteVisit, body: bytes) -> Robots:
    """Return the rules of an answered visit to robots.txt.

    RFC 9309 sections 2.3.1.3 and 2.3.1.4: an unavailable file allows all, an unreachable one nothing.
    """
    status = visit.status or 0
    return Robots(body if status == 200 else b"") if status < 500 else Robots.denying_all()


def _is_html(response: Response) -> bool:
    return response.media_type in HTML_TYPES or (not response.media_type and _begins_as_page(response))


def _begins_as_page(response: Response) -> bool:
    """Whether a body is a page by its first element; a firewall answers for a file with whatever type it likes."""
    return response.body[:512].lstrip().lower().startswith((b"<!doctype html", b"<html"))

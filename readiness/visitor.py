"""One visit to a site: fetched if its robots.txt lets our bot, read apart, and whatever goes wrong named."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar, TypeVarTuple

import anyio

from readiness import agents
from readiness.documents import decode
from readiness.errors import FetchFailed, Reason, UrlRefused
from readiness.fetch import Fetcher
from readiness.isolation import apart
from readiness.page_reader import read_page
from readiness.response import Response
from readiness.robots import Robots
from readiness.site import Role, Visit

START = 16_384
HTML_TYPES = ("text/html", "application/xhtml+xml")
Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A page the plan may fetch."""

    url: str
    role: Role


class Visitor:
    """Visits the pages of one site; `robots` decides which, and denies all until the file was read."""

    def __init__(self, fetcher: Fetcher, now: Callable[[], datetime]) -> None:
        self.robots = Robots.denying_all()
        self._fetcher, self._now = fetcher, now

    async def all(self, candidates: Iterable[Candidate]) -> tuple[Visit, ...]:
        """Visits in the order given, as many at once as the fetcher lets through."""
        wanted = list(candidates)
        found: dict[int, Visit] = {}

        async def one(index: int, candidate: Candidate) -> None:
            found[index], _ = await self.visit(candidate.url, candidate.role)

        async with anyio.create_task_group() as group:
            for index, candidate in enumerate(wanted):
                group.start_soon(one, index, candidate)
        return tuple(found[index] for index in range(len(wanted)))

    def allowed(self, url: str) -> bool:
        """Whether robots.txt lets our own bot fetch this URL."""
        return self.robots.allows(url, agents.OWN_TOKEN)

    async def visit(
        self,
        url: str,
        role: Role,
        *,
        headers: Sequence[tuple[str, str]] = (),
        body: int | None = None,
        same_site: bool = True,
        well_known: bool = False,
    ) -> tuple[Visit, bytes]:
        """Fetch and read one URL; whatever goes wrong becomes the visit's reason."""
        at = self._now().isoformat(timespec="seconds")
        blank = Visit(url, role, fetched_at=at)
        if not well_known and not self.allowed(url):
            return replace(blank, reason=Reason.ROBOTS_DISALLOWED), b""
        try:
            response = await self._fetcher.get(url, headers=headers, body=body, same_site=same_site)
        except FetchFailed as error:
            return replace(blank, reason=error.reason), b""
        except UrlRefused:
            return replace(blank, reason=Reason.REFUSED_URL), b""
        return await self._read(blank, response), response.body

    async def _read(self, blank: Visit, response: Response) -> Visit:
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
        if not _is_html(response) or visit.role in (Role.ROBOTS, Role.SITEMAP):
            return replace(visit, start=decode(response.body[:START], content_type))
        page = await self.apart(read_page, response.body, content_type, response.url)
        return replace(
            visit,
            page=page,
            reason=None if page else Reason.UNPARSABLE,
            start=decode(response.body[:200], ""),
        )

    async def apart(self, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result | None:
        """Read something in a worker process, inside the scan's budget; None when it cannot be read."""
        try:
            return await apart(self._fetcher.seconds_left, function, *arguments)
        except FetchFailed:
            return None


def _is_html(response: Response) -> bool:
    return response.media_type in HTML_TYPES or (
        not response.media_type
        and response.body[:512].lstrip().lower().startswith((b"<!doctype html", b"<html"))
    )

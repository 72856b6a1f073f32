"""SSRF-safe fetching of an untrusted URL: no private address, no credential, bounded size and time."""

import ssl
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import cache
from types import TracebackType
from typing import Self, cast

import anyio
import anyio.lowlevel
import httpcore2

from readiness.fetching import urls
from readiness.fetching.dialing import PinnedBackend, Resolver, system_resolver
from readiness.fetching.errors import FetchFailed, Reason, UrlRefused
from readiness.fetching.policy import FetchPolicy
from readiness.fetching.response import Body, Hop, Response, head_of

REDIRECTS = frozenset((301, 302, 303, 307, 308))
MOST_CHUNKS = 20_000
"""Chunks of an answer that are read: a body of 2 MB has that many if each has 100 bytes, and servers send thousands."""
CHUNKS_A_TURN = 64
"""Chunks after which others get their turn: each costs 50 microseconds, and one packet can hold ten thousand."""


class Fetcher:
    """Requests under one policy: budget, pace, pinned connections; use it as an async context manager."""

    def __init__(
        self,
        policy: FetchPolicy,
        *,
        resolve: Resolver = system_resolver,
        dial: httpcore2.AsyncNetworkBackend | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.policy = policy
        self.requests = 0
        self.started = anyio.current_time()
        self._deadline = self.started + policy.seconds if policy.seconds is not None else float("inf")
        self._interval: dict[str, float] = {}
        self._next: dict[str, float] = {}
        self._slots = anyio.Semaphore(policy.in_flight)
        self._hosts: dict[str, anyio.Semaphore] = {}
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=tls or machines_authorities(),
            network_backend=PinnedBackend(
                policy, resolve, dial or cast(httpcore2.AsyncNetworkBackend, httpcore2.AnyIOBackend())
            ),
            max_connections=policy.in_flight + 2,
            keepalive_expiry=5,
        )

    async def __aenter__(self) -> Self:
        await self._pool.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        trace: TracebackType | None = None,
    ) -> None:
        await self._pool.__aexit__(kind, error, trace)

    @property
    def seconds_left(self) -> float:
        """What is left of the time budget, never below zero."""
        return max(0.0, self._deadline - anyio.current_time())

    @property
    def exhausted(self) -> bool:
        """Whether no further request may start."""
        spent = self.policy.requests is not None and self.requests >= self.policy.requests
        return spent or self.seconds_left <= 0

    def slow_down(self, host: str, seconds: float) -> None:
        """Keep at least this many seconds between two starts on a host from now on."""
        self._interval[host] = max(seconds, self.policy.interval)

    async def get(
        self,
        url: str,
        *,
        headers: Sequence[tuple[str, str]] = (),
        body: int | None = None,
        same_site: bool = False,
    ) -> Response:
        """GET a URL, following redirects as far as the policy goes.

        `headers` replace ours of the same name; `body` is another cap in bytes, 0 for headers only;
        `same_site` leaves redirects to another site alone. Raises FetchFailed, or UrlRefused for a
        first URL that is blocked before a request. A blocked redirect target raises FetchFailed.
        """
        chain: list[Hop] = []
        limit = self.policy.body if body is None else body
        target = self._parse(url)
        while True:
            response = await self._one(target, headers, limit)
            location = response.header("location")
            if response.status not in REDIRECTS or not location:
                return replace(response, chain=tuple(chain))
            following = urls.resolve(str(target), location)
            chain.append(Hop(str(target), response.status, following or ""))
            if following is None:
                return replace(response, chain=tuple(chain), stopped=Reason.REFUSED_URL)
            stopped = self._stops(target, following, len(chain), same_site)
            if stopped not in (None, Reason.OFF_SITE):
                return replace(response, chain=tuple(chain), stopped=stopped)
            try:
                target = self._parse(following)
            except UrlRefused as error:
                raise FetchFailed(Reason.REFUSED_ADDRESS) from error
            if stopped is not None:
                return replace(response, chain=tuple(chain), stopped=stopped)

    async def post(
        self, url: str, content: bytes, *, headers: Sequence[tuple[str, str]] = (), body: int = 0
    ) -> Response:
        """POST to a URL and return the answer, whatever its status; a redirect is not followed.

        `body` is the most that is read of the answer in bytes, 0 for its headers only. Raises as `get` does.
        """
        return await self._one(self._parse(url), headers, body, content)

    def _parse(self, url: str) -> urls.Url:
        parsed = urls.parse(url, allow_hosts=self.policy.allow_hosts, exact=True)
        if parsed.scheme not in self.policy.schemes:
            raise UrlRefused("Only https is visited here.")
        return parsed

    def _stops(self, url: urls.Url, location: str, hops: int, same_site: bool) -> Reason | None:
        if hops > self.policy.redirects:
            return Reason.REDIRECTS
        if url.scheme == "https" and not location.startswith("https:"):
            return Reason.DOWNGRADE
        if same_site and not urls.same_site(url.host, urls.host_of(location)):
            return Reason.OFF_SITE
        return None

    async def _one(
        self, url: urls.Url, headers: Sequence[tuple[str, str]], limit: int, content: bytes | None = None
    ) -> Response:
        host_slots = self._hosts.setdefault(url.host, anyio.Semaphore(self.policy.per_host))
        async with self._slots, host_slots:
            await self._turn(url.host)
            seconds = min(self.policy.request_seconds, self.seconds_left)
            try:
                with anyio.fail_after(seconds):
                    return await self._exchange(url, headers, limit, content)
            except TimeoutError as error:
                raise FetchFailed(Reason.TIMEOUT) from error

    async def _turn(self, host: str) -> None:
        if self.exhausted:
            raise FetchFailed(Reason.BUDGET)
        start = max(anyio.current_time(), self._next.get(host, 0))
        if start >= self._deadline:
            raise FetchFailed(Reason.BUDGET)
        self._next[host] = start + self._interval.get(host, self.policy.interval)
        self.requests += 1
        await anyio.sleep_until(start)

    async def _exchange(
        self, url: urls.Url, headers: Sequence[tuple[str, str]], limit: int, content: bytes | None
    ) -> Response:
        started = anyio.current_time()
        timeout = {
            "connect": self.policy.connect_seconds,
            "read": self.policy.read_seconds,
            "write": self.policy.read_seconds,
            "pool": self.policy.request_seconds,
        }
        try:
            async with self._pool.stream(
                b"GET" if content is None else b"POST",
                httpcore2.URL(
                    scheme=url.scheme.encode(),
                    host=url.host.encode(),
                    port=None if url.port == urls.PORTS[url.scheme] else url.port,
                    target=url.target.encode(),
                ),
                headers=self._headers(url, headers, content),
                content=content,
                extensions={"timeout": timeout},
            ) as answer:
                response = head_of(url, answer, anyio.current_time() - started)
                return await self._read(response, answer, limit)
        except httpcore2.TimeoutException as error:
            raise FetchFailed(Reason.TIMEOUT) from error
        except httpcore2.NetworkError as error:
            raise FetchFailed(Reason.TLS if _broke_tls(error) else Reason.CONNECTION) from error
        except httpcore2.ProtocolError as error:
            raise FetchFailed(Reason.PROTOCOL) from error
        except ssl.SSLError as error:
            raise FetchFailed(Reason.TLS) from error

    def _headers(
        self, url: urls.Url, extra: Sequence[tuple[str, str]], content: bytes | None
    ) -> list[tuple[bytes, bytes]]:
        ours = {"Host": url.authority, "User-Agent": self.policy.user_agent, "Accept": "*/*"}
        ours |= {"Accept-Encoding": "gzip"} | (
            {} if content is None else {"Content-Length": str(len(content))}
        )
        ours |= dict(extra)
        return [(name.encode(), value.encode()) for name, value in ours.items()]

    async def _read(self, response: Response, answer: httpcore2.Response, limit: int) -> Response:
        if limit == 0 or response.status in REDIRECTS:
            return response
        if response.media_type and not response.media_type.startswith(self.policy.media_types):
            return replace(response, stopped=Reason.MEDIA_TYPE)
        body, number = Body(response.header("content-encoding"), limit), 0
        async with aclosing(answer.aiter_stream()) as chunks:
            async for chunk in chunks:
                if number == MOST_CHUNKS:
                    body.full = True
                else:
                    body.feed(chunk)
                if body.full:
                    break
                number += 1
                if number % CHUNKS_A_TURN == 0:
                    await anyio.lowlevel.checkpoint()
        if body.full and not self.policy.cut:
            raise FetchFailed(Reason.TOO_LARGE)
        return replace(response, body=bytes(body.content), truncated=body.full)


@cache
def machines_authorities() -> ssl.SSLContext:
    """Return what every visit of the process checks certificates by; to read the machine's authorities takes 20 ms."""
    return httpcore2.default_ssl_context()


def _broke_tls(error: BaseException | None) -> bool:
    while error is not None and not isinstance(error, ssl.SSLError):
        error = error.__cause__ or error.__context__
    return error is not None

"""Fetching a stranger's URL: no private address, no credential, no surprise in size or time.

The address rule sits where the socket is opened, so redirects, retries and a resolver that changes
its mind all pass it; the connection pool keeps server name and certificate on the host name.
"""

import socket
import ssl
import zlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self, TypeAlias, cast
from urllib.parse import urlsplit

import anyio
import anyio.to_thread
import httpcore2

from readiness import urls
from readiness.addresses import compressed, is_public
from readiness.errors import FetchFailed, Reason, UrlRefused

Resolver: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
REDIRECTS = frozenset((301, 302, 303, 307, 308))
CHUNK = 65_536
TEXTS = ("text/", "application/json", "application/ld+json", "application/xml", "application/xhtml+xml")
SITEMAPS = ("application/gzip", "application/x-gzip", "application/octet-stream")
MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Policy:
    """What one fetcher may do; sizes in bytes, times in seconds.

    `requests` and `seconds` are the budget of the fetcher's whole life; None is no budget.
    `media_types` are prefixes; an answer of another type keeps its headers and loses its body.
    `allow_hosts` holds `host:port` pairs exempt from the address rule; production has none.
    `own_host` is this server's public name: an address of it is refused under any name.
    """

    user_agent: str
    schemes: frozenset[str] = frozenset(("http", "https"))
    redirects: int = 5
    body: int = 2 * MIB
    cut: bool = True
    media_types: tuple[str, ...] = (*TEXTS, *SITEMAPS)
    resolve_seconds: float = 2
    connect_seconds: float = 3
    read_seconds: float = 5
    request_seconds: float = 10
    requests: int | None = None
    seconds: float | None = None
    in_flight: int = 2
    per_host: int = 2
    interval: float = 0
    allow_hosts: frozenset[str] = frozenset()
    own_host: str | None = None


def scan_policy(base_url: str) -> Policy:
    """The budget of one readiness scan."""
    agent = f"SeenbyReadinessBot/1.0 (+{base_url}/readiness/bot)"
    return Policy(agent, requests=48, seconds=90, interval=0.25, own_host=host_of(base_url))


def monitor_policy(base_url: str) -> Policy:
    """The budget of one look of a monitor."""
    return replace(scan_policy(base_url), requests=100, seconds=240)


def general_policy(base_url: str) -> Policy:
    """The budget of one job that fetches a few given URLs."""
    agent = f"SeenbyReadinessBot/1.0 (+{base_url}/readiness/bot)"
    return Policy(
        agent,
        redirects=3,
        request_seconds=15,
        seconds=15,
        in_flight=4,
        per_host=1,
        own_host=host_of(base_url),
    )


def metadata_policy(base_url: str) -> Policy:
    """OAuth client metadata documents: https and JSON only, no redirect, 16 KB, 3 seconds."""
    return Policy(
        f"seenby/1.0 (+{base_url})",
        schemes=frozenset(("https",)),
        redirects=0,
        body=16 * 1024,
        cut=False,
        media_types=("application/json",),
        request_seconds=3,
        in_flight=4,
        per_host=1,
        own_host=host_of(base_url),
    )


def host_of(base_url: str) -> str | None:
    """Name or address in a base URL; None when it has none."""
    return urlsplit(base_url).hostname


@dataclass(frozen=True, slots=True)
class Hop:
    """One redirect that was answered, followed or not."""

    url: str
    status: int
    location: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a TLS server showed: common name of the issuer, and the last valid second as it was written."""

    issuer: str
    expires: str


@dataclass(frozen=True, slots=True)
class Response:
    """One answer. `url` is the last URL asked; `stopped` says why its redirect or its body was left alone."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    seconds: float
    chain: tuple[Hop, ...] = ()
    stopped: Reason | None = None
    truncated: bool = False
    certificate: Certificate | None = None

    def header(self, name: str) -> str | None:
        """First value of a header, or None."""
        return next((value for key, value in self.headers if key == name), None)

    @property
    def media_type(self) -> str:
        """Type and subtype in lower case, without parameters."""
        return (self.header("content-type") or "").partition(";")[0].strip().lower()


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """Every address the system knows for a host, in its own order; OSError when there is none."""

    def look_up() -> list[str]:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return list(dict.fromkeys(str(entry[4][0]) for entry in found))

    return await anyio.to_thread.run_sync(look_up, abandon_on_cancel=True)


class PinnedBackend(httpcore2.AsyncNetworkBackend):
    """Opens sockets only to addresses that passed the rule, each connection after one look-up."""

    def __init__(self, policy: Policy, resolve: Resolver, dial: httpcore2.AsyncNetworkBackend) -> None:
        self._policy, self._resolve, self._dial = policy, resolve, dial
        self._own: frozenset[str] | None = None

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Look the host up, refuse it unless every address is public, connect to the first of them."""
        try:
            addresses = await self._look_up(host, port)
        except (OSError, UnicodeError) as error:
            raise FetchFailed(Reason.DNS) from error
        if not addresses:
            raise FetchFailed(Reason.DNS)
        if f"{host}:{port}" not in self._policy.allow_hosts and not await self._all_public(addresses, port):
            raise FetchFailed(Reason.REFUSED_ADDRESS)
        return await self._dial.connect_tcp(addresses[0], port, timeout, local_address, socket_options)

    async def _look_up(self, host: str, port: int) -> Sequence[str]:
        with anyio.fail_after(self._policy.resolve_seconds):
            return await self._resolve(host, port)

    async def _all_public(self, addresses: Sequence[str], port: int) -> bool:
        if not all(is_public(address) for address in addresses):
            return False
        own = await self._own_addresses(port)
        return all(is_public(address, own) for address in addresses)

    async def _own_addresses(self, port: int) -> frozenset[str]:
        """This server's public addresses as they are now, looked up once in a fetcher's life.

        A name without an address has none to refuse; a resolver that is silent about it fails the connection.
        """
        if self._own is None:
            try:
                host = self._policy.own_host
                found = await self._look_up(host, port) if host else ()
            except TimeoutError as error:
                raise FetchFailed(Reason.DNS) from error
            except (OSError, UnicodeError):
                found = ()
            self._own = frozenset(compressed(address) for address in found)
        return self._own


class Fetcher:
    """GET requests under one policy: budget, pace, pinned connections; use it as an async context manager."""

    def __init__(
        self,
        policy: Policy,
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
            ssl_context=tls or httpcore2.default_ssl_context(),
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
        first URL that is refused unseen. A refused redirect target raises FetchFailed.
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
            if stopped is not None:
                return replace(response, chain=tuple(chain), stopped=stopped)
            try:
                target = self._parse(following)
            except UrlRefused as error:
                raise FetchFailed(Reason.REFUSED_ADDRESS) from error

    def _parse(self, url: str) -> urls.Url:
        parsed = urls.parse(url, allow_hosts=self.policy.allow_hosts, exact=True)
        if parsed.scheme not in self.policy.schemes:
            raise UrlRefused("Only https is visited here.")
        return parsed

    def _stops(self, here: urls.Url, there: str, hops: int, same_site: bool) -> Reason | None:
        if hops > self.policy.redirects:
            return Reason.REDIRECTS
        if here.scheme == "https" and not there.startswith("https:"):
            return Reason.DOWNGRADE
        if same_site and not urls.same_site(here.host, urls.host_of(there)):
            return Reason.OFF_SITE
        return None

    async def _one(self, url: urls.Url, headers: Sequence[tuple[str, str]], limit: int) -> Response:
        host_slots = self._hosts.setdefault(url.host, anyio.Semaphore(self.policy.per_host))
        async with self._slots, host_slots:
            await self._turn(url.host)
            seconds = min(self.policy.request_seconds, self.seconds_left)
            try:
                with anyio.fail_after(seconds):
                    return await self._exchange(url, headers, limit)
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

    async def _exchange(self, url: urls.Url, headers: Sequence[tuple[str, str]], limit: int) -> Response:
        started = anyio.current_time()
        timeout = {
            "connect": self.policy.connect_seconds,
            "read": self.policy.read_seconds,
            "write": self.policy.read_seconds,
            "pool": self.policy.request_seconds,
        }
        try:
            async with self._pool.stream(
                b"GET",
                httpcore2.URL(
                    scheme=url.scheme.encode(),
                    host=url.host.encode(),
                    port=None if url.port == urls.PORTS[url.scheme] else url.port,
                    target=url.target.encode(),
                ),
                headers=self._headers(url, headers),
                extensions={"timeout": timeout},
            ) as answer:
                response = _head(url, answer, anyio.current_time() - started)
                return await self._read(response, answer, limit)
        except httpcore2.TimeoutException as error:
            raise FetchFailed(Reason.TIMEOUT) from error
        except httpcore2.NetworkError as error:
            raise FetchFailed(Reason.TLS if _broke_tls(error) else Reason.CONNECTION) from error
        except httpcore2.ProtocolError as error:
            raise FetchFailed(Reason.PROTOCOL) from error
        except ssl.SSLError as error:
            raise FetchFailed(Reason.TLS) from error

    def _headers(self, url: urls.Url, extra: Sequence[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
        ours = {"Host": url.authority, "User-Agent": self.policy.user_agent, "Accept": "*/*"}
        ours |= {"Accept-Encoding": "gzip", **dict(extra)}
        return [(name.encode(), value.encode()) for name, value in ours.items()]

    async def _read(self, response: Response, answer: httpcore2.Response, limit: int) -> Response:
        if limit == 0 or response.status in REDIRECTS:
            return response
        if response.media_type and not response.media_type.startswith(self.policy.media_types):
            return replace(response, stopped=Reason.MEDIA_TYPE)
        body = Body(response.header("content-encoding"), limit)
        async with aclosing(answer.aiter_stream()) as chunks:
            async for chunk in chunks:
                body.feed(chunk)
                if body.full:
                    break
        if body.full and not self.policy.cut:
            raise FetchFailed(Reason.TOO_LARGE)
        return replace(response, body=bytes(body.content), truncated=body.full)


class Body:
    """Decoded bytes of one answer, never more than the limit, never inflated further than that."""

    def __init__(self, encoding: str | None, limit: int) -> None:
        coding = (encoding or "identity").strip().lower()
        if coding not in ("identity", "", "gzip", "x-gzip"):
            raise FetchFailed(Reason.ENCODING)
        self.content = bytearray()
        self.full = False
        self._limit = limit
        self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 16) if coding.endswith("gzip") else None

    def feed(self, chunk: bytes) -> None:
        """Take a piece off the wire; `full` turns true when there was more than the limit."""
        while chunk and not self.full:
            piece, chunk = self._decode(chunk)
            room = self._limit - len(self.content)
            self.content += piece[:room]
            self.full = len(piece) > room

    def _decode(self, chunk: bytes) -> tuple[bytes, bytes]:
        if self._inflate is None:
            return chunk, b""
        try:
            piece = self._inflate.decompress(chunk, CHUNK)
        except zlib.error as error:
            raise FetchFailed(Reason.ENCODING) from error
        return piece, self._inflate.unconsumed_tail


def _broke_tls(error: BaseException | None) -> bool:
    """Whether an SSL error stands anywhere in the chain of causes."""
    while error is not None and not isinstance(error, ssl.SSLError):
        error = error.__cause__ or error.__context__
    return error is not None


def _head(url: urls.Url, answer: httpcore2.Response, seconds: float) -> Response:
    headers = tuple(
        (name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in answer.headers
    )
    extensions = cast(Mapping[str, Any], answer.extensions)  # pyright: ignore[reportUnknownMemberType]  # untyped
    tls: Any = extensions["network_stream"].get_extra_info("ssl_object")
    return Response(str(url), answer.status, headers, b"", seconds, certificate=_certificate(tls))


def _certificate(tls: Any) -> Certificate | None:
    shown: dict[str, Any] = (tls.getpeercert() if tls is not None else None) or {}
    if not shown:
        return None
    issuer = {name: str(value) for group in shown.get("issuer", ()) for name, value in group}
    return Certificate(
        issuer.get("commonName") or issuer.get("organizationName") or "", str(shown.get("notAfter", ""))
    )

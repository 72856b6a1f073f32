"""Sends one request over the shared connection pool and reads one bounded response."""

import logging
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Literal

import anyio
import httpx2

from engines.errors import EngineError, EngineErrorCode

BODY_LIMIT = 1024 * 1024
"""Bytes of a response; an answer with all that its searches returned has a quarter of it."""
HEADERS = {"User-Agent": "seenby", "Accept": "application/json", "Accept-Encoding": "identity"}
JSON_TYPE = re.compile(r"(?<!\s)\s*application/(?:[\w.+-]+\+)?json\s*(?:;|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds. The two deadlines bound a whole ask, waits between attempts included."""

    connect: float = 10.0
    write: float = 10.0
    pool: float = 30.0
    visibility: float = 120.0
    readiness: float = 300.0


@dataclass(frozen=True, slots=True)
class Received:
    """A response whose body arrived whole; header names are lowercase."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def ok(self) -> bool:
        """Whether the status is 2xx."""
        return 200 <= self.status < 300

    @property
    def declares_other_than_json(self) -> bool:
        """Whether the content type is given and is not JSON."""
        declared = self.headers.get("content-type")
        return declared is not None and JSON_TYPE.match(declared) is None


class Transport:
    """One connection pool for all engines of an event loop, opened by the first request.

    It follows no redirect, keeps no cookie and reads no proxy or certificate
    setting from the environment: a key goes to the configured address only.
    """

    def __init__(self) -> None:
        # At DEBUG it logs response headers, and a provider may echo the key in one.
        logging.getLogger("httpcore2").setLevel(logging.INFO)
        # At INFO it logs addresses, and a supplier may take the key in one.
        logging.getLogger("httpx2").setLevel(logging.WARNING)
        self._client: httpx2.AsyncClient | None = None

    async def aclose(self) -> None:
        """Close the pool; the next request opens a new one."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def post(
        self,
        url: str,
        headers: Mapping[str, str],
        body: bytes,
        timeouts: Timeouts,
        seconds: float,
    ) -> Received:
        """Send `body` and return a response of any status, or raise EngineError when none arrives in time."""
        return await self.send("POST", url, headers, body, timeouts, seconds)

    async def send(
        self,
        method: Literal["GET", "POST"],
        url: str,
        headers: Mapping[str, str],
        body: bytes,
        timeouts: Timeouts,
        seconds: float,
        most: int = BODY_LIMIT,
    ) -> Received:
        """Send one request and return a response of any status and `most` bytes; raises as `post` does."""
        try:
            with anyio.fail_after(seconds):
                return await self._send(method, url, headers, body, timeouts, seconds, most)
        except TimeoutError:
            failure = EngineError(
                EngineErrorCode.TIMEOUT, "The engine did not answer in time.", possibly_billed=True
            )
        # Raised outside the handler: an httpx2 exception carries the request, and with it the key.
        raise failure

    async def _send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes,
        timeouts: Timeouts,
        seconds: float,
        most: int,
    ) -> Received:
        limits = httpx2.Timeout(
            connect=timeouts.connect, write=timeouts.write, pool=timeouts.pool, read=seconds
        )
        answering = False
        try:
            async with self._pool().stream(
                method, url, headers=dict(headers), content=body or None, timeout=limits
            ) as response:
                answering = True
                headers = {name.lower(): value for name, value in response.headers.items()}
                return Received(response.status_code, headers, await _bounded(response, most))
        except httpx2.HTTPError as error:
            failure = _failure(error, answering)
        raise failure

    def _pool(self) -> httpx2.AsyncClient:
        if self._client is None:
            self._client = httpx2.AsyncClient(
                headers=HEADERS,
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
                follow_redirects=False,
                trust_env=False,
                verify=_tls(),
                limits=httpx2.Limits(max_connections=None, max_keepalive_connections=32),
            )
        return self._client


@cache
def _tls() -> ssl.SSLContext:
    """Return what every pool of the process checks certificates by; to read the machine's authorities takes 20 ms."""
    return httpx2.create_ssl_context(trust_env=False)


async def _bounded(response: httpx2.Response, most: int) -> bytes:
    received = bytearray()
    async for chunk in response.aiter_bytes():
        received += chunk
        if len(received) > most:
            raise EngineError(
                EngineErrorCode.INVALID_RESPONSE, "The engine's response is too large.", possibly_billed=True
            )
    return bytes(received)


def _failure(error: httpx2.HTTPError, answering: bool) -> EngineError:
    """Our error for a broken request; `answering` once the response's headers have arrived."""
    kind = type(error).__name__
    if isinstance(error, httpx2.ReadTimeout):
        return EngineError(
            EngineErrorCode.TIMEOUT, "The engine did not answer in time.", detail=kind, possibly_billed=True
        )
    if answering:
        return EngineError(
            EngineErrorCode.INVALID_RESPONSE,
            "The engine's response broke off.",
            detail=kind,
            possibly_billed=True,
        )
    if isinstance(error, (httpx2.LocalProtocolError, httpx2.UnsupportedProtocol)):
        return EngineError(
            EngineErrorCode.PROVIDER_ERROR, "The engine's address cannot be asked.", detail=kind
        )
    # A connection lost after sending may hide a finished, billed answer; one never opened cannot.
    sent = isinstance(error, (httpx2.ReadError, httpx2.RemoteProtocolError, httpx2.CloseError))
    return EngineError(
        EngineErrorCode.PROVIDER_UNAVAILABLE,
        "The engine could not be reached.",
        detail=kind,
        possibly_billed=sent,
    )

"""The gate between a browser and the network: a proxy that fetches for it under the rules of every other visit.

It ends the browser's TLS itself, so that each request is seen whole and decided on: public addresses alone, GET alone,
robots.txt of the site, a budget of requests and bytes, and nothing at all while forms are being filled.
"""

import base64
import hashlib
import ssl
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
from anyio.abc import ByteStream, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream
from anyio.streams.tls import TLSStream

from readiness.fetching import urls
from readiness.fetching.errors import FetchFailed, Reason, UrlRefused
from readiness.fetching.fetcher import Fetcher
from readiness.fetching.policy import MIB, FetchPolicy
from readiness.fetching.response import Response

LIFETIME = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class VisitCertificate:
    """What the gate shows to the browser; `fingerprint` is the base64 SHA-256 of its public key."""

    tls: ssl.SSLContext
    fingerprint: str


def make_certificate() -> VisitCertificate:
    """Return a new self-signed certificate; its key is gone from the disk when this returns."""
    # Nine megabytes of every process that scans, and few scans open a browser.
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "readiness gate")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    certificate = (
        builder.not_valid_before(now - LIFETIME)
        .not_valid_after(now + LIFETIME)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("gate.invalid")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    written = certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gate.pem"
        path.touch(mode=0o600)
        path.write_bytes(written)
        tls.load_cert_chain(path)
    return VisitCertificate(tls, base64.b64encode(hashlib.sha256(public).digest()).decode())


MOST_HEAD = 32_768
MOST_REQUESTS, MOST_BYTES = 150, 16 * MIB
MEDIA_TYPES = (
    "text/", "image/", "font/", "application/json", "application/ld+json", "application/manifest+json",
    "application/javascript", "application/x-javascript", "application/ecmascript", "application/font",
    "application/xhtml+xml",
)  # fmt: skip
"""What a page is made of; anything else, a download above all, comes without its body."""
FRAMES = frozenset(("document", "iframe", "frame", "embed", "object", "fencedframe"))
LEFT_OUT = frozenset(("audio", "video", "track", "report", "serviceworker", "webidentity"))
PASSED_ON = ("accept", "accept-language", "origin", "referer")
DROPPED = frozenset(
    [
        "connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding",
        "set-cookie", "upgrade", "alt-svc", "strict-transport-security", "proxy-authenticate", "trailer",
        "link", "refresh", "report-to", "nel",
    ]
)  # fmt: skip


def browser_policy(policy: FetchPolicy, seconds: float) -> FetchPolicy:
    """Return the budget of a browser's requests out of that of the scan it belongs to."""
    return replace(
        policy,
        redirects=0,  # the browser follows them, each as a request of its own
        media_types=MEDIA_TYPES,
        requests=MOST_REQUESTS,
        seconds=seconds,
        in_flight=6,
        per_host=6,
        interval=0,
    )


@dataclass(frozen=True, slots=True)
class BrowserRequest:
    """One request as the browser sent it; header names are in lower case."""

    method: str
    url: str
    headers: Mapping[str, str]


@dataclass
class Gate:
    """Decides on every request of one browser; `allowed` asks robots.txt, `host` is the scanned site."""

    fetcher: Fetcher
    host: str
    allowed: Callable[[str], Awaitable[bool]]
    certificate: VisitCertificate
    spent: int = 0
    refused: dict[str, int] = field(default_factory=dict[str, int])

    @asynccontextmanager
    async def listening(self) -> AsyncGenerator[int]:
        """Listen on a free port of loopback and yield it; every connection ends with the block."""
        listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
        async with listener, anyio.create_task_group() as group:
            group.start_soon(listener.serve, self._serve)
            yield int(listener.extra(anyio.abc.SocketAttribute.local_port))
            group.cancel_scope.cancel()

    async def _serve(self, connection: SocketStream) -> None:
        try:
            async with connection:
                await self._talk(connection)
        except (OSError, ssl.SSLError, anyio.EndOfStream, anyio.IncompleteRead, anyio.DelimiterNotFound):
            return
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, ValueError):
            return

    async def _talk(self, connection: SocketStream) -> None:
        reader = BufferedByteReceiveStream(connection)
        request = parse_head(await reader.receive_until(b"\r\n\r\n", MOST_HEAD), "")
        if request.method != "CONNECT":
            await self._answer_all(connection, reader, request, "")
            return
        host, _, port = request.url.rpartition(":")
        await connection.send(b"HTTP/1.1 200 OK\r\n\r\n")
        if port == "80":
            await self._answer_all(connection, BufferedByteReceiveStream(connection), None, f"http://{host}")
            return
        origin = f"https://{host}" if port == "443" else f"https://{host}:{port}"
        secured = await TLSStream.wrap(
            connection, server_side=True, ssl_context=self.certificate.tls, standard_compatible=False
        )
        await self._answer_all(secured, BufferedByteReceiveStream(secured), None, origin)

    async def _answer_all(
        self, stream: ByteStream, reader: BufferedByteReceiveStream, first: BrowserRequest | None, origin: str
    ) -> None:
        request = first
        while True:
            request = request or parse_head(await reader.receive_until(b"\r\n\r\n", MOST_HEAD), origin)
            if request.method != "GET" or "upgrade" in request.headers:
                # What may follow is no request that is answered here, so the connection ends.
                await stream.send(self._refusal("method"))
                return
            await stream.send(await self._answer(request))
            request = None

    async def _answer(self, request: BrowserRequest) -> bytes:
        """Return the whole answer to a request: the network's, or an error."""
        try:
            reason = await self._reason_against(request)
            if reason:
                return self._refusal(reason)
            headers = [(name.title(), request.headers[name]) for name in PASSED_ON if name in request.headers]
            response = await self.fetcher.get(request.url, headers=headers)
        except UrlRefused:
            return self._refusal(Reason.REFUSED_URL)
        except FetchFailed as error:
            return self._refusal(error.reason)
        location = response.header("location")
        target = urls.resolve(request.url, location) if location else None
        if location and (target is None or (_is_secure(request.url) and not _is_secure(target))):
            return self._refusal(Reason.DOWNGRADE)
        if response.stopped is Reason.MEDIA_TYPE:
            return self._refusal(Reason.MEDIA_TYPE)
        self.spent += len(response.body)
        return written(response)

    async def _reason_against(self, request: BrowserRequest) -> str | None:
        """Return why a request is blocked; None where it is allowed."""
        own = urls.host_of(request.url)
        kind = request.headers.get("sec-fetch-dest")
        if self.spent >= MOST_BYTES:
            return Reason.BUDGET
        if kind in LEFT_OUT or "sec-purpose" in request.headers or (kind is None and _is_secure(request.url)):
            return "kind"
        if kind in FRAMES and not urls.same_site(own, self.host):
            return Reason.OFF_SITE
        if own == self.host and not await self.allowed(request.url):
            return Reason.ROBOTS_DISALLOWED
        return None

    def _refusal(self, reason: str) -> bytes:
        self.refused[reason] = self.refused.get(reason, 0) + 1
        return b"HTTP/1.1 403 Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


def parse_head(head: bytes, origin: str) -> BrowserRequest:
    """Read the head of a request, whose target is absolute or relative to `origin`; ValueError where it is none."""
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ")
    pairs = (line.partition(":") for line in lines if line)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    return BrowserRequest(method, f"{origin}{target}", headers)


def written(response: Response) -> bytes:
    """Return an answer as it goes over to the browser, without cookies and what belongs to a connection."""
    kept = [(name, value) for name, value in response.headers if name not in DROPPED]
    lines = [f"HTTP/1.1 {response.status} Answer", *(f"{name}: {value}" for name, value in kept)]
    lines += [f"content-length: {len(response.body)}", "", ""]
    return "\r\n".join(lines).encode("latin-1") + response.body


def _is_secure(url: str) -> bool:
    return url.startswith("https:")

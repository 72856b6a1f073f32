"""What a server answered, as far as the policy let it in."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import httpcore2

from readiness.fetching.errors import FetchFailed, Reason
from readiness.fetching.urls import Url

CHUNK = 65_536


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


def head_of(url: Url, answer: httpcore2.Response, seconds: float) -> Response:
    """Return what is known before the body is read; header names become lower case."""
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

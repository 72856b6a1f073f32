"""The normal form of a URL, SSRF rules that block local and hostile URLs, and what counts as the same site."""

import ipaddress
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

import idna
from publicsuffixlist import PSLFILE, PublicSuffixList

from readiness.fetching.addresses import IPAddress, is_public
from readiness.fetching.errors import UrlRefused

MAX_LENGTH = 2048
MAX_HOST = 253
PORTS = {"http": 80, "https": 443}
LOCAL_SUFFIXES = ("localhost", "local", "internal", "lan", "home.arpa", "onion")
TRACKING = frozenset(
    ("gclid", "gbraid", "wbraid", "dclid", "fbclid", "msclkid", "yclid", "mc_cid", "mc_eid", "_ga")
)
BLANKS = re.compile(r"[\x00-\x20\x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]")
LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
NUMERIC = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)")
ESCAPE = re.compile(r"%([0-9a-fA-F]{2})")
DROPPED = str.maketrans("", "", "\t\n\r")
DEFAULT_DOCUMENT = re.compile(r"(?<=/)(?:index|default)\.(?:[sx]?html?|php\d?|aspx?|jsp|cfm|cgi|pl)$", re.I)
"""What a server sends for a folder."""
UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
LITERAL = frozenset("!$&'()*+,;=:@/?%[]") | UNRESERVED


class EveryHost(frozenset[str]):
    """Holds every `host:port`, so private sites are allowed. For development only."""

    def __contains__(self, item: object) -> bool:
        return True


EVERY_HOST: frozenset[str] = EveryHost()


@dataclass(frozen=True, slots=True)
class Url:
    """A URL in normal form: scheme, host as A-labels or an address literal, port, path and query."""

    scheme: str
    host: str
    port: int
    path: str
    query: str

    @property
    def target(self) -> str:
        """What goes into the request line."""
        return f"{self.path}?{self.query}" if self.query else self.path

    @property
    def authority(self) -> str:
        """Host, with brackets round an IPv6 literal, and the port unless it is the scheme's own."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def key(self) -> str:
        """The lookup key of a report: everything but the scheme."""
        return f"{self.authority}{self.target}"

    @property
    def origin(self) -> str:
        """Scheme and authority, without a slash at the end."""
        return f"{self.scheme}://{self.authority}"

    def __str__(self) -> str:
        return f"{self.origin}{self.target}"


def parse(text: str, *, allow_hosts: frozenset[str] = frozenset(), exact: bool = False) -> Url:
    """Bring a URL into normal form, or raise UrlRefused with our words.

    `allow_hosts` holds `host:port` pairs that are exempt from the name, literal and port rules.
    Normalisation follows RFC 3986 section 6.2.2 and UTS 46; tracking parameters and a trailing
    slash are dropped, unless `exact` asks for the resource just as it was linked.
    """
    text = text.strip()
    if not text or len(text) > MAX_LENGTH:
        raise UrlRefused(f"A URL has 1 to {MAX_LENGTH} characters.")
    if BLANKS.search(text) or "\\" in text:
        raise UrlRefused("A URL holds no blanks, control characters or backslashes.")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise UrlRefused("This is not a URL.") from error
    scheme = parts.scheme.lower()
    if scheme not in PORTS:
        raise UrlRefused("A URL starts with http:// or https://.")
    if "@" in parts.netloc:
        raise UrlRefused("A URL carries no user name or password.")
    host = canonical_host(parts.hostname or "")
    port = PORTS[scheme] if port is None else port
    if f"{host}:{port}" not in allow_hosts:
        _refuse_local(host)
        if port not in PORTS.values():
            raise UrlRefused("Only the ports 80 and 443 are visited.")
    path, query = _path(parts.path), _escapes(parts.query)
    url = Url(scheme, host, port, path, query) if exact else Url(scheme, host, port, _bare(path), _own(query))
    if len(str(url)) > MAX_LENGTH:
        raise UrlRefused(f"A URL has 1 to {MAX_LENGTH} characters.")
    return url


def canonical_host(host: str) -> str:
    """Lower-case A-labels of a host name, or the compressed form of an address literal."""
    host = unquote(host).lower()
    literal = _literal(host)
    if literal is not None:
        return literal.compressed
    try:
        ascii_host = (
            idna.encode(host, uts46=True, transitional=False).decode() if not host.isascii() else host
        )
    except idna.IDNAError as error:
        raise UrlRefused("The host name is not valid.") from error
    ascii_host = ascii_host.removesuffix(".")
    labels = ascii_host.split(".")
    if not 1 <= len(ascii_host) <= MAX_HOST or not all(LABEL.fullmatch(label) for label in labels):
        raise UrlRefused("The host name is not valid.")
    if NUMERIC.fullmatch(labels[-1]) and _literal(ascii_host) is None:
        raise UrlRefused("A host is a name or a plainly written address.")
    return ascii_host


def _literal(host: str) -> IPAddress | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _refuse_local(host: str) -> None:
    literal = _literal(host)
    if literal is not None:
        if not is_public(literal):
            raise UrlRefused("Addresses of private networks are not visited.")
        return
    if "." not in host or any(host == suffix or host.endswith(f".{suffix}") for suffix in LOCAL_SUFFIXES):
        raise UrlRefused("Local names are not visited.")


def _path(path: str) -> str:
    segments: list[str] = []
    *folders, last = _escapes(path).split("/")[1:] or [""]
    for segment in folders:
        if segment == "..":
            segments = segments[:-1]
        elif segment != ".":
            segments.append(segment)
    if last == "..":
        segments = segments[:-1]
    return "/" + "/".join([*segments, "" if last in (".", "..") else last])


def _bare(path: str) -> str:
    return path.rstrip("/") or "/"


def _own(query: str) -> str:
    return "&".join(pair for pair in query.split("&") if pair and not _tracks(pair.partition("=")[0]))


def _tracks(name: str) -> bool:
    return name.lower() in TRACKING or name.lower().startswith("utm_")


def _escapes(text: str) -> str:
    """Escape what must be, unescape what need not be, upper-case the rest (RFC 3986 section 6.2.2)."""
    upper = ESCAPE.sub(_escape, text)
    return "".join(c if c in LITERAL else "".join(f"%{b:02X}" for b in c.encode()) for c in upper)


def _escape(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character in UNRESERVED else f"%{match[1].upper()}"


def resolve(base: str, reference: str) -> str | None:
    """The absolute http(s) URL a page at `base` means by `reference`, or None when it means none.

    This form keeps port, slash and parameters as the page wrote them: it is what gets fetched. As browsers do, blanks
    inside are escaped and line breaks dropped.
    """
    reference = reference.strip().partition("#")[0].translate(DROPPED)
    if not reference or len(reference) > MAX_LENGTH or "\\" in reference:
        return None
    reference = BLANKS.sub(lambda blank: quote(blank[0]), reference)
    try:
        absolute = urljoin(base, reference)
        parts = urlsplit(absolute)
        _ = parts.port
    except ValueError:
        return None
    return absolute if parts.scheme in PORTS and parts.hostname else None


def page_key(url: str) -> str:
    """What identifies a page within its site: its URL without scheme, `www.` and default document, else empty."""
    try:
        parts = urlsplit(url)
        exempt = f"{parts.hostname}:{parts.port or PORTS.get(parts.scheme)}"
        parsed = parse(url, allow_hosts=frozenset((exempt,)))
    except (UrlRefused, ValueError):
        return ""
    path = _bare(DEFAULT_DOCUMENT.sub("", parsed.path))
    return replace(parsed, path=path).key.removeprefix("www.")


def quoted(url: str) -> str:
    """A URL as the value of a query parameter."""
    return quote(url, safe="")


def host_of(url: str) -> str:
    """Host of a URL that `resolve` or `parse` produced, canonical where it can be."""
    host = urlsplit(url).hostname or ""
    try:
        return canonical_host(host)
    except UrlRefused:
        return host


def same_site(host: str, other: str) -> bool:
    """Whether two hosts share a registrable domain; hosts without one must be equal."""
    first, second = registrable(host), registrable(other)
    return first == second if first and second else host == other


def registrable(host: str) -> str:
    """Registrable domain of a canonical host by the bundled public suffix list, or an empty string."""
    return _suffixes().privatesuffix(host) or ""


def load_suffixes() -> None:
    """Load the public suffix list, which blocks for 50 ms; call it before an event loop runs."""
    _suffixes()


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False)


@lru_cache(maxsize=1)
def public_suffix_list_version() -> str:
    """Date line of the bundled public suffix list, as its publisher wrote it, or `unknown`."""
    match = re.search(r"^// VERSION: (\S+)", Path(PSLFILE).read_text(encoding="utf-8"), re.M)
    return match[1] if match else "unknown"

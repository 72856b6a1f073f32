"""Normalizes the URLs that an answer cites and determines who owns them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from analytics.matching.aliases import Entity
from analytics.text.suffixes import ascii_host, registrable_domain

if TYPE_CHECKING:
    from markdown_it import MarkdownIt  # loading it takes a seventh of a second, which start-up cannot spare

VERSION = "ownership/2"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}://")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_TRACKING = frozenset(("gclid", "fbclid", "msclkid", "srsltid"))
_GOOGLE = re.compile(r"(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?")
_OPAQUE_REDIRECTS = {"vertexaisearch.cloud.google.com": "/grounding-api-redirect/"}
"""Redirect hosts whose URLs do not show their destination. Gemini cites only such URLs."""
_DEEPEST_WRAPPING = 3


class CitationKind(StrEnum):
    """`CITED` sources are used in the answer and count; `RETRIEVED` sources were found but not used."""

    CITED = "cited"
    RETRIEVED = "retrieved"


class OwnerClass(StrEnum):
    """The owner of a cited page, from the brand's point of view."""

    OWNED = "owned"
    COMPETITOR = "competitor"
    THIRD_PARTY = "third_party"


@dataclass(frozen=True, slots=True)
class Citation:
    """A source as reported by an engine, with the original `url`.

    `site` is the destination host of a redirect URL, if the engine's metadata names it.
    """

    url: str
    kind: CitationKind = CitationKind.CITED
    title: str | None = None
    site: str | None = None


@dataclass(frozen=True, slots=True)
class OwnedCitation:
    """A citation with the host, domain and owner derived from its URL.

    `host` and `domain` are lower-case ASCII. `domain` is the registrable domain, or None for an IP address, a
    single label or an unknown suffix. `host` is None if the URL cannot be parsed. `entity_id` is the owner of
    the page; if there are several, the brand takes precedence, and `owners` lists all of them. `resolved` is
    False for a redirect URL with an unknown destination, and therefore an unknown owner.
    """

    url: str
    normalized: str
    kind: CitationKind
    title: str | None
    host: str | None
    domain: str | None
    owner: OwnerClass
    entity_id: str | None
    owners: frozenset[str] = frozenset()
    resolved: bool = True


class _Address(NamedTuple):
    """The parts of a web address that determine its owner."""

    scheme: str
    host: str
    port: int | None
    path: str
    query: str

    def __str__(self) -> str:
        port = f":{self.port}" if self.port is not None else ""
        query = f"?{self.query}" if self.query else ""
        return f"{self.scheme}://{self.host}{port}{self.path}{query}"


_PLAIN = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9.-]+)(?P<path>/[!-\"$->@-~]*)?(?:\?(?P<query>[!-\"$-~]*))?(?:\#[!-~]*)?"
)
"""The common form of a URL: lower-case ASCII without a port or user name."""


def _parse(url: str) -> _Address | None:
    """Return the normalized parts of a web address, https by default; None if it is not a web address."""
    url = url.strip()
    plain = _PLAIN.fullmatch(url)
    if plain is None:
        return _parse_any(url)
    scheme, name, path, query = plain.groups()
    host = ascii_host(name)
    return _Address(scheme, host, None, path or "/", _query(query)) if host else None


def _parse_any(url: str) -> _Address | None:
    bare = _SCHEME.match(url) is None
    try:
        parts = urlsplit("https://" + url.removeprefix("//") if bare else url)
        port, name = parts.port, parts.hostname
    except ValueError:
        return None
    if not name or parts.scheme not in _DEFAULT_PORTS or (bare and "@" in parts.netloc):
        return None
    host = ascii_host(name)
    if not host or host.split() != [host]:
        return None
    if ":" in host:
        host = f"[{host}]"
    port = None if port == _DEFAULT_PORTS[parts.scheme] else port
    return _Address(parts.scheme, host, port, parts.path or "/", _query(parts.query))


def _query(query: str | None) -> str:
    if not query:
        return ""
    return "&".join(part for part in query.split("&") if not _is_tracking(part.partition("=")[0]))


def _is_tracking(parameter: str) -> bool:
    name = parameter.lower()
    return name.startswith("utm_") or name in _TRACKING


@lru_cache(maxsize=1 << 13)
def _address(url: str) -> _Address | None:
    """Return the address that a URL leads to, with Google's redirect page unwrapped."""
    address = _parse(url)
    for _ in range(_DEEPEST_WRAPPING):
        target = _redirect_target(address)
        if target is None:
            break
        address = target
    return address


def _redirect_target(address: _Address | None) -> _Address | None:
    if address is None or address.path != "/url" or not _GOOGLE.fullmatch(address.host):
        return None
    fields: dict[str, str] = {}
    for part in address.query.split("&"):
        name, _, value = part.partition("=")
        fields.setdefault(name, value)
    target = unquote(fields.get("q") or fields.get("url") or "")
    return _parse(target) if _SCHEME.match(target) else None


def _is_opaque(address: _Address | None) -> bool:
    prefix = _OPAQUE_REDIRECTS.get(address.host) if address else None
    return address is not None and prefix is not None and address.path.startswith(prefix)


def _named_site(citation: Citation) -> _Address | None:
    """Return the destination of a redirect: the site in the engine's metadata, or a title that is only a domain."""
    for name in (citation.site, citation.title):
        if name and not any(character in name.strip() for character in "/@ \t\n"):
            address = _parse(name)
            if address is not None and registrable_domain(address.host) is not None:
                return address
    return None


def normalize_url(url: str) -> str:
    """Return the canonical URL of a page, so that all spellings of it are equal.

    The host becomes lower-case ASCII without a trailing dot. The default port, credentials, fragment and
    tracking parameters (utm_*, gclid, fbclid, msclkid, srsltid) are removed. An empty path becomes `/` (RFC
    3986, section 6.2.3). Google's `/url?q=` is unwrapped. The path and all other parameters are kept.
    Anything that is not a web address is stripped and otherwise returned unchanged.
    """
    address = _address(url)
    return str(address) if address else url.strip()


class Ownership:
    """Maps pages to the entities that own them. `brand_id` is the brand; all other entities are competitors.

    A site that is a registrable domain, bare or with `www.`, owns all of its subdomains. Any other host owns
    itself and its subdomains. A site with a path owns the pages below that path, compared case-insensitively.
    """

    def __init__(self, entities: Iterable[Entity], brand_id: str):
        self._brand = brand_id
        self._hosts: dict[str, set[str]] = defaultdict(set)
        self._prefixes: dict[str, list[tuple[str, str]]] = defaultdict(list)
        # Answers cite the same few hosts repeatedly.
        self._owners_of_host = lru_cache(maxsize=1 << 12)(self._look_up)
        for entity in entities:
            for site in entity.sites:
                self._add(entity.id, site)

    def _add(self, entity_id: str, site: str) -> None:
        address = _parse(site)
        if address is None:
            return
        host = address.host.removeprefix("www.")
        path = address.path.rstrip("/").casefold()
        if path:
            self._prefixes[host].append((path, entity_id))
        else:
            self._hosts[host].add(entity_id)

    def owners(self, url: str) -> frozenset[str]:
        """Return the ids of all entities that own the page."""
        address = _address(url)
        return self._owners(address) if address else frozenset()

    def _owners(self, address: _Address) -> frozenset[str]:
        owners = self._owners_of_host(address.host)
        prefixes = self._prefixes.get(address.host.removeprefix("www.")) if self._prefixes else None
        if not prefixes:
            return owners
        path = address.path.casefold()
        of_page = (owner for prefix, owner in prefixes if path == prefix or path.startswith(prefix + "/"))
        return owners.union(of_page)

    def _look_up(self, host: str) -> frozenset[str]:
        return frozenset(owner for name in _and_parents(host) for owner in self._hosts.get(name, ()))

    def _is_divided(self, host: str) -> bool:
        """Return whether an entity owns a subdomain or path of the host, so the host alone does not show the owner."""
        bare = host.removeprefix("www.")
        return bool(self._prefixes.get(bare)) or any(owned.endswith("." + bare) for owned in self._hosts)

    def classify(self, citation: Citation) -> OwnedCitation:
        """Return the citation with its normalized URL, registrable domain and owner."""
        address = _address(citation.url)
        normalized = str(address) if address else citation.url.strip()
        resolved = True
        if _is_opaque(address):
            address = _named_site(citation)
            resolved = address is not None and (
                bool(self._owners(address)) or not self._is_divided(address.host)
            )
        owners: frozenset[str] = self._owners(address) if address else frozenset()
        owner, entity_id = OwnerClass.THIRD_PARTY, None
        if self._brand in owners:
            owner, entity_id = OwnerClass.OWNED, self._brand
        elif owners:
            owner, entity_id = OwnerClass.COMPETITOR, min(owners)
        return OwnedCitation(
            url=citation.url,
            normalized=normalized,
            kind=citation.kind,
            title=citation.title,
            host=address.host if address else None,
            domain=registrable_domain(address.host) if address else None,
            owner=owner,
            entity_id=entity_id,
            owners=owners,
            resolved=resolved,
        )

    def read(self, citations: Sequence[Citation], text: str) -> tuple[OwnedCitation, ...]:
        """Return the distinct citations of an answer, in order.

        If the engine reported none, the answer's Markdown links count as cited. Of several citations with the
        same kind and normalized URL, the first is kept.
        """
        distinct: dict[tuple[CitationKind, str], OwnedCitation] = {}
        for citation in citations or markdown_links(text):
            owned = self.classify(citation)
            distinct.setdefault((owned.kind, owned.normalized), owned)
        return tuple(distinct.values())

    def cited_owners(self, citations: Iterable[OwnedCitation]) -> frozenset[str]:
        """Return the ids of all entities whose own pages are cited, ignoring retrieved pages."""
        cited = (citation for citation in citations if citation.kind is CitationKind.CITED)
        return frozenset(owner for citation in cited for owner in citation.owners)


@lru_cache(maxsize=1 << 12)
def _and_parents(host: str) -> tuple[str, ...]:
    """Return the host and its parent names up to the registrable domain; an IP address has no parents."""
    domain = registrable_domain(host)
    if domain is None:
        return (host,)
    labels = host.removesuffix(domain).strip(".").split(".") if host != domain else []
    return tuple(".".join((*labels[at:], domain)) for at in range(len(labels) + 1))


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.normalizeLink = _as_written
    return parser


def _as_written(url: str) -> str:
    return url


def markdown_links(text: str) -> tuple[Citation, ...]:
    """Return the web links of a Markdown text as cited, in order, ignoring images and code."""
    if not ("](" in text or "]:" in text or "<http" in text or "<HTTP" in text):
        return ()
    cited: list[Citation] = []
    for block in _parser().parse(text):
        for token in block.children or ():
            url = token.attrGet("href") if token.type == "link_open" else None
            if isinstance(url, str) and url.lower().startswith(("http://", "https://")):
                cited.append(Citation(url))
    return tuple(cited)

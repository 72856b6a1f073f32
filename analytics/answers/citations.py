"""Normalizes the URLs that an answer cites and determines who owns them."""

import re
import tomllib
from base64 import urlsafe_b64decode
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote_plus, urlsplit, urlunsplit

from analytics.matching.aliases import Entity
from analytics.text.markup import with_links
from analytics.text.suffixes import ascii_host, registrable_domain

if TYPE_CHECKING:
    from markdown_it import MarkdownIt  # loading it takes a seventh of a second, which start-up cannot spare
    from markdown_it.token import Token

VERSION = "ownership/3"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}://")
_DEFAULT_PORTS = (None, 80, 443)
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
    """The normal form of a web address, which has no scheme: http and https are one page."""

    host: str
    port: int | None
    path: str
    query: str

    def __str__(self) -> str:
        port = f":{self.port}" if self.port is not None else ""
        query = f"?{self.query}" if self.query else ""
        return f"https://{self.host}{port}{self.path}{query}"


_PLAIN = re.compile(
    r"https?://(?P<host>[a-z0-9.-]+)(?P<path>(?:/[a-zA-Z0-9_~-][a-zA-Z0-9_.~-]*)*)/?(?:\#[!-~]*)?"
)
"""The common form of a URL, whose path is normal: lower-case ASCII without a port, user name or query."""


def _parse(url: str) -> _Address | None:
    """Return the normal form of a web address, https by default; None if it is not a web address."""
    url = url.strip()
    plain = _PLAIN.fullmatch(url)
    if plain is not None:
        host = _host(plain["host"])
        return _Address(host, None, plain["path"] or "/", "") if host else None
    from w3lib.url import canonicalize_url

    bare = _SCHEME.match(url) is None
    try:
        parts = urlsplit("https://" + url.removeprefix("//") if bare else url)
        port, host = parts.port, _host(parts.hostname or "")
        page = urlsplit(canonicalize_url(urlunsplit(("https", "a", parts.path, parts.query, ""))))
    except ValueError:
        return None
    if host.split() != [host] or parts.scheme not in ("http", "https") or (bare and "@" in parts.netloc):
        return None
    if ":" in host:
        host = f"[{host}]"
    query = "&".join(part for part in page.query.split("&") if not _is_tracking(part))
    return _Address(host, None if port in _DEFAULT_PORTS else port, page.path.rstrip("/") or "/", query)


def _host(name: str) -> str:
    """Return the host in lower-case ASCII, without `www.` if a domain remains."""
    host = ascii_host(name)
    while host.startswith("www.") and registrable_domain(host[4:]):
        host = host[4:]
    return host


@cache
def _tracking() -> Mapping[str, Any]:
    text = files("analytics.answers").joinpath("tracking_parameters.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    names = (name for source in data["names"].values() for name in source)
    return {**data, "prefixes": tuple(data["prefixes"]), "names": frozenset(names)}


def _is_tracking(parameter: str) -> bool:
    name, _, value = parameter.lower().partition("=")
    known = _tracking()
    return (
        name in known["names"]
        or name.startswith(known["prefixes"])
        or (name in known["referrer_names"] and value.removeprefix("www.") in known["ai_products"])
    )


_GOOGLE = r"google\.[a-z]{2,3}(?:\.[a-z]{2})?"
_TARGETS = tuple(
    re.compile(rf"\A{pattern}")
    for pattern in (
        rf"(?:www\.)?{_GOOGLE}/url\?(?:.*&)?(?:q|url)=(?P<quoted>[^&]+)",
        rf"(?:www\.)?{_GOOGLE}/amp/(?:s/)?(?P<plain>.+)",
        rf"translate\.{_GOOGLE}/translate\?(?:.*&)?u=(?P<quoted>[^&]+)",
        r"(?P<translated>.+)\.translate\.goog(?P<rest>[/?].*|$)",
        r"(?:[^/]+\.)?cdn\.ampproject\.org/[a-z]+/(?:s/)?(?P<plain>.+)",
        r"(?:www\.)?bing\.com/ck/a\?(?:.*&)?u=a1(?P<base64>[^&]+)",
        r"(?:www\.)?duckduckgo\.com/l/?\?(?:.*&)?uddg=(?P<quoted>[^&]+)",
        r"r\.search\.yahoo\.com/(?:.*/)?RU=(?P<quoted>[^/]+)",
        r"(?:www\.)?youtube\.com/redirect\?(?:.*&)?q=(?P<quoted>[^&]+)",
        r"(?:www\.)?linkedin\.com/(?:safety/go|redir/redirect)/?\?(?:.*&)?url=(?P<quoted>[^&]+)",
        r"lm?\.(?:facebook|instagram)\.com/(?:l\.php)?\?(?:.*&)?u=(?P<quoted>[^&]+)",
        r"[^/]+\.safelinks\.protection\.outlook\.com/[^?]*\?(?:.*&)?url=(?P<quoted>[^&]+)",
        r"web\.archive\.org/web/[^/]+/(?P<plain>.+)",
        r"archive\.(?:ph|is|today|li|md|vn|fo)/(?:\w+/)*(?P<plain>https?:.+)",
    )
)
"""Redirects and copies that show their target: host, path and query without the scheme."""


@lru_cache(maxsize=1 << 13)
def _address(url: str) -> _Address | None:
    """Return the normal form of the address that a URL leads to."""
    address = _parse(url)
    for _ in range(_DEEPEST_WRAPPING):
        target = _redirect_target(url)
        inner = _parse(target) if target else None
        if target is None or inner is None or registrable_domain(inner.host) is None:
            break
        url, address = target, inner
    return address


def _redirect_target(url: str) -> str | None:
    scheme = _SCHEME.match(url := url.strip())
    host, slash, rest = url[scheme.end() if scheme else 0 :].partition("/")
    found = next(
        (match for pattern in _TARGETS if (match := pattern.match(host.lower() + slash + rest))), None
    )
    if found is None:
        return None
    parts = found.groupdict()
    if translated := parts.get("translated"):
        # Google writes a dot as "-" and a hyphen as "--".
        name = translated.replace("--", "\0").replace("-", ".").replace("\0", "-")
        return name + parts["rest"]
    if encoded := parts.get("base64"):
        try:
            return urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).decode()
        except ValueError:
            return None
    quoted = parts.get("quoted")
    return unquote_plus(quoted) if quoted else parts.get("plain")


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
    """Return the normal form of a page's URL, so that all addresses of one page are equal.

    The path and query are canonicalized by w3lib, which Scrapy uses to find duplicate pages (RFC 3986, section
    6.2.2): case of percent-encodings, needlessly encoded characters, Unicode, dot segments and the order of
    parameters. In addition, the scheme is https, the host is lower-case ASCII without `www.` and a trailing
    dot, and a trailing slash, the default port, credentials, the fragment and the tracking parameters of
    tracking_parameters.toml are removed. A redirect that shows its target counts as the target.

    The result identifies a page; link to the URL as cited. Anything that is not a web address is stripped and
    otherwise returned unchanged.
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
        if address.path != "/":
            self._prefixes[address.host].append((address.path.casefold(), entity_id))
        else:
            self._hosts[address.host].add(entity_id)

    def owners(self, url: str) -> frozenset[str]:
        """Return the ids of all entities that own the page."""
        address = _address(url)
        return self._owners(address) if address else frozenset()

    def _owners(self, address: _Address) -> frozenset[str]:
        owners = self._owners_of_host(address.host)
        prefixes = self._prefixes.get(address.host) if self._prefixes else None
        if not prefixes:
            return owners
        path = address.path.casefold()
        of_page = (owner for prefix, owner in prefixes if path == prefix or path.startswith(prefix + "/"))
        return owners.union(of_page)

    def _look_up(self, host: str) -> frozenset[str]:
        return frozenset(owner for name in _and_parents(host) for owner in self._hosts.get(name, ()))

    def _is_divided(self, host: str) -> bool:
        """Return whether an entity owns a subdomain or path of the host, so the host alone does not show the owner."""
        return bool(self._prefixes.get(host)) or any(owned.endswith("." + host) for owned in self._hosts)

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

        If the engine reported none, the links in the answer's text count as cited. Of several citations with the
        same kind and normalized URL, the first is kept.
        """
        distinct: dict[tuple[CitationKind, str], OwnedCitation] = {}
        for citation in citations or links_of_text(text):
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

    parser = MarkdownIt("commonmark", {"linkify": True}).enable(["table", "linkify"])
    parser.normalizeLink = lambda url: url
    parser.normalizeLinkText = lambda link: link
    return parser


_MARK_OF_A_LINK = re.compile(r"https?://|www\.", re.IGNORECASE)
_BARE_URL = re.compile(r"(?:https?://|www\.)[^，。、；！？（）《》「」『』【】]+", re.IGNORECASE)
"""A URL as linkify finds it, up to the first full-width punctuation mark. Domains alone are names more often."""


def links_of_text(text: str) -> tuple[Citation, ...]:
    """Return the web links of an answer's text as cited, in order, ignoring images and code.

    These are Markdown links, HTML anchors, ChatGPT's link markers, and bare URLs that begin with `http://`,
    `https://` or `www.`.
    """
    if _MARK_OF_A_LINK.search(text) is None:
        return ()
    urls = (url for block in _parser().parse(with_links(text)) for url in _links(block.children or (block,)))
    return tuple(Citation(url) for url in urls if url.lower().startswith(("http://", "https://")))


def _links(tokens: Iterable["Token"]) -> Iterator[str]:
    bare = False
    for token in tokens:
        if token.type.startswith("html_"):
            yield from _html_links(token.content)
        elif bare:
            yield from _bare_url(token.content)
        bare = token.type == "link_open" and token.markup == "linkify"
        if token.type == "link_open" and not bare:
            yield str(token.attrGet("href"))


def _bare_url(found: str) -> Iterator[str]:
    if url := _BARE_URL.match(found):
        yield url[0] if "://" in url[0][:8] else "https://" + url[0]


def _html_links(html: str) -> Iterator[str]:
    from selectolax.lexbor import LexborHTMLParser

    page = LexborHTMLParser(html)
    for anchor in page.css("a[href]"):
        yield anchor.attributes["href"] or ""
    page.strip_tags(["a", "code", "pre", "script", "style"])
    yield from (link.url for link in links_of_text(page.text(separator=" ")))

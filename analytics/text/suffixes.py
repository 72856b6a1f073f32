"""Domain names and the Public Suffix List, read from the copy inside tldextract, never from the network."""

import ipaddress
import re
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import idna

if TYPE_CHECKING:
    from tldextract import TLDExtract  # loading it takes a fifth of a second, which start-up cannot spare

_VERSION = re.compile(rb"// VERSION: (\d{4}-\d{2}-\d{2})")


@cache
def _extractor() -> "TLDExtract":
    from tldextract import TLDExtract

    return TLDExtract(cache_dir=None, suffix_list_urls=(), include_psl_private_domains=True)


def load_suffix_list() -> None:
    """Load the list; it blocks for a fifth of a second, in which an event loop would stand still."""
    is_domain("example.com")


@cache
def suffix_list_date() -> str:
    """The day of the list in use, `YYYY-MM-DD` (publicsuffix.org), or `unknown` if the copy does not tell."""
    package = find_spec("tldextract")  # found and not loaded: loading it brings a client for HTTP
    if package is None or package.origin is None:
        return "unknown"
    version = _VERSION.search(Path(package.origin).with_name(".tld_set_snapshot").read_bytes())
    return version[1].decode() if version else "unknown"


@lru_cache(maxsize=1 << 16)
def ascii_host(host: str) -> str:
    """The host in lower-case ASCII (IDNA 2008 with UTS 46 mapping), without a trailing dot.

    A host that IDNA refuses comes back in lower case, otherwise unchanged.
    """
    host = host.strip().rstrip(".").lower()
    if host.isascii():
        return host
    try:
        return idna.encode(host, uts46=True).decode("ascii").lower()
    except (UnicodeError, ValueError):
        return host


@lru_cache(maxsize=1 << 16)
def registrable_domain(host: str) -> str | None:
    """What somebody registered: the public suffix and one label more, private suffixes (github.io) included.

    None for an IP address, a single label, a public suffix itself, or a suffix nobody lists.
    """
    host = ascii_host(host)
    if _is_address(host):
        return None
    return _extractor().extract_str(host).top_domain_under_public_suffix or None


@lru_cache(maxsize=1 << 16)
def is_domain(host: str) -> bool:
    """Whether the name ends in a public suffix of the registries and has a label before it."""
    parts = _extractor().extract_str(ascii_host(host), include_psl_private_domains=False)
    return bool(parts.suffix and parts.domain)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True

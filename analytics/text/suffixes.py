"""Domain names and the Public Suffix List, from the copy bundled with a package, never from the network."""

import ipaddress
import re
from functools import cache, lru_cache
from pathlib import Path

import idna
from publicsuffixlist import PSLFILE, PublicSuffixList

_VERSION = re.compile(rb"// VERSION: (\d{4}-\d{2}-\d{2})")


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False)


@cache
def _suffixes_of_registries() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False, only_icann=True)


def load_suffix_list() -> None:
    """Load the list. This takes a twentieth of a second, during which an event loop would be blocked."""
    _suffixes()
    _suffixes_of_registries()


@cache
def suffix_list_date() -> str:
    """Return the date of the list in use, `YYYY-MM-DD` (publicsuffix.org), or `unknown` if the copy has none."""
    version = _VERSION.search(Path(PSLFILE).read_bytes())
    return version[1].decode() if version else "unknown"


@lru_cache(maxsize=1 << 16)
def ascii_host(host: str) -> str:
    """Return the host in lower-case ASCII (IDNA 2008 with UTS 46 mapping), without a trailing dot.

    A host that IDNA rejects is returned in lower case, otherwise unchanged.
    """
    host = host.strip().rstrip(".").lower()
    if host.isascii():
        return host
    try:
        return idna.encode(host, uts46=True).decode("ascii").rstrip(".").lower()
    except (UnicodeError, ValueError):
        return host


@lru_cache(maxsize=1 << 16)
def registrable_domain(host: str) -> str | None:
    """Return the registrable domain: the public suffix and one more label, including private suffixes (github.io).

    None for an IP address, a single label, a public suffix itself, or an unlisted suffix.
    """
    host = ascii_host(host)
    if _is_address(host):
        return None
    return _suffixes().privatesuffix(host)


@lru_cache(maxsize=1 << 16)
def is_domain(host: str) -> bool:
    """Return whether the name ends in a registry's public suffix and has a label before it."""
    return _suffixes_of_registries().privatesuffix(ascii_host(host)) is not None


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True

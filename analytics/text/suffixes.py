"""Domain names and the Public Suffix List, read from the copy that a package brings, never from the network."""

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
    """Load the list; it blocks for a twentieth of a second, in which an event loop would stand still."""
    _suffixes()
    _suffixes_of_registries()


@cache
def suffix_list_date() -> str:
    """The day of the list in use, `YYYY-MM-DD` (publicsuffix.org), or `unknown` if the copy does not tell."""
    version = _VERSION.search(Path(PSLFILE).read_bytes())
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
    return _suffixes().privatesuffix(host)


@lru_cache(maxsize=1 << 16)
def is_domain(host: str) -> bool:
    """Whether the name ends in a public suffix of the registries and has a label before it."""
    return _suffixes_of_registries().privatesuffix(ascii_host(host)) is not None


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True

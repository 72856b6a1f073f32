"""Verification of bots by the networks that their operators publish.

An address inside the networks is verified. An address outside counts as an impostor only while the list is
about as old as the log line. Without a list, or with an address that says nothing, the visit is not verified
and nothing is guessed.
"""

import ipaddress
import json
import tomllib
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final, cast

from measurement.errors import WorkError
from storage.repositories.crawler_visits import BotAddressList

VERIFIED: Final = "verified"
NOT_VERIFIED: Final = "not_verified"
NOT_THIS_BOT: Final = "not_this_bot"
CONCLUSIVE: Final = timedelta(days=30)
"""Longest time between a list and a log line for an address outside the list to count as an impostor."""
MOST_PREFIXES: Final = 20_000
WIDEST: Final = {4: 10, 6: 24}
"""Shortest prefixes that a bot's network may have: a list that covers half the world verifies nothing."""
BEHIND_PROXIES: Final = tuple(
    ipaddress.ip_network(text)
    for text in (
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "100.64.0.0/10",
    )
) + tuple(ipaddress.ip_network(text) for text in ("::1/128", "fc00::/7", "fe80::/10"))
"""Addresses that appear in a log written behind a proxy."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@cache
def address_sources() -> Mapping[str, Any]:
    """Return our list of where operators publish addresses and names, with its date."""
    text = files("measurement.imports.access_logs").joinpath("bot_addresses.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


class PublishedNetworks:
    """Networks of bots, looked up by binary search."""

    def __init__(self, lists: Iterable[BotAddressList]) -> None:
        self._fetched: dict[str, datetime] = {}
        self._ranges: dict[tuple[str, int], tuple[list[int], list[int]]] = {}
        for known in lists:
            self._fetched[known.bot] = known.fetched_at
            for version, networks in _by_version(known.prefixes).items():
                self._ranges[known.bot, version] = (
                    [int(network.network_address) for network in networks],
                    [int(network.broadcast_address) for network in networks],
                )

    @property
    def bots(self) -> Mapping[str, datetime]:
        """The bots whose addresses are known, and when these were fetched."""
        return self._fetched

    def verify(self, bot: str, address: str, instant: datetime) -> str:
        """Return `verified`, `not_verified` or `not_this_bot`."""
        parsed = parse_address(address)
        fetched_at = self._fetched.get(bot)
        if parsed is None or fetched_at is None:
            return NOT_VERIFIED
        first, last = self._ranges.get((bot, parsed.version), ([], []))
        position = bisect_right(first, int(parsed)) - 1
        if position >= 0 and int(parsed) <= last[position]:
            return VERIFIED
        return NOT_THIS_BOT if abs(fetched_at - instant) <= CONCLUSIVE else NOT_VERIFIED


@lru_cache(maxsize=4096)
def parse_address(text: str) -> Address | None:
    """Return an address that can identify a visitor; None for an invalid address or one of a private network."""
    try:
        address = ipaddress.ip_address(text.strip("[]"))
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    address = mapped or address
    if any(address.version == network.version and address in network for network in BEHIND_PROXIES):
        return None
    return address


def parse_published(text: str) -> list[str]:
    """Return the networks of a published list. Raises WorkError when the text is not such a list."""
    hint = 'Give the operator\'s JSON: {"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}.'
    try:
        value: Any = json.loads(text)
        entries = cast(dict[str, Any], value)["prefixes"]
        prefixes = [_prefix(entry) for entry in cast(list[Any], entries)]
        networks = [ipaddress.ip_network(prefix) for prefix in prefixes]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise WorkError("this is no published list of addresses", hint) from error
    if not 0 < len(networks) <= MOST_PREFIXES:
        raise WorkError(
            f"a list has between one and {MOST_PREFIXES} networks, this one {len(networks)}", hint
        )
    for network in networks:
        if network.prefixlen < WIDEST[network.version]:
            raise WorkError(f"{network} is wider than any bot's network", "Nothing of the list was taken.")
    return [str(network) for network in networks]


def _prefix(entry: Any) -> str:
    if isinstance(entry, str):
        return entry
    named = cast(Mapping[str, Any], entry)
    prefix = named.get("ipv4Prefix") or named.get("ipv6Prefix")
    if not isinstance(prefix, str):
        raise TypeError(entry)
    return prefix


def _by_version(prefixes: Sequence[str]) -> dict[int, list[Any]]:
    networks = [ipaddress.ip_network(prefix) for prefix in prefixes]
    fourth = [network for network in networks if isinstance(network, ipaddress.IPv4Network)]
    sixth = [network for network in networks if isinstance(network, ipaddress.IPv6Network)]
    return {
        4: list(ipaddress.collapse_addresses(fourth)),
        6: list(ipaddress.collapse_addresses(sixth)),
    }

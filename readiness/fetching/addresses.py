"""SSRF protection: only allow sockets to IP addresses that are public in every form."""

import ipaddress
from collections.abc import Iterator
from typing import TypeAlias

IPAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
IPNetwork: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

# Global by the standard library of Python 3.11, yet not a place on the public internet: protocol
# assignments, a cloud's host agent, locally used NAT64 (RFC 8215), site-local (RFC 3879), SRv6 (RFC 9602).
REFUSED: tuple[IPNetwork, ...] = tuple(
    ipaddress.ip_network(text)
    for text in (
        "192.0.0.0/24", "168.63.129.16/32", "64:ff9b:1::/48", "fec0::/10", "5f00::/16", "fd00:ec2::/32",
    )
)  # fmt: skip
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
TRANSLATED = ipaddress.IPv6Network("::ffff:0:0:0/96")
COMPATIBLE = ipaddress.IPv6Network("::/96")
ISATAP = (0x00005EFE, 0x02005EFE)


def is_public(address: IPAddress | str, own: frozenset[str] = frozenset()) -> bool:
    """Whether `address` is a unicast address of the public internet, and so is every IPv4 address inside it.

    `own` are this server's public addresses in text form; they are blocked too. A zone or a text that
    is no address answers False.
    """
    if isinstance(address, str):
        try:
            address = ipaddress.ip_address(address)
        except ValueError:
            return False
    if isinstance(address, ipaddress.IPv6Address) and address.scope_id:
        return False
    return all(_plain(form) and form.compressed not in own for form in (address, *embedded(address)))


def compressed(text: str) -> str:
    """Return an address in the one form in which `is_public` compares it, an IPv4 one out of its mapped form.

    A text that is no address is returned as it is: it equals none.
    """
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).compressed


def _plain(address: IPAddress) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        return True  # The embedded IPv4 address decides, and it is checked separately.
    return (
        address.is_global
        and not (address.is_multicast or address.is_reserved or address.is_unspecified)
        and not any(address.version == network.version and address in network for network in REFUSED)
    )


def embedded(address: IPAddress) -> Iterator[ipaddress.IPv4Address]:
    """Yield every IPv4 address that a network may extract from an IPv6 address and route to.

    Forms: mapped and compatible (RFC 4291), translated (RFC 2765), NAT64 (RFC 6052), 6to4 (RFC 3056),
    Teredo server and client (RFC 4380), ISATAP (RFC 5214).
    """
    if isinstance(address, ipaddress.IPv4Address):
        return
    number = int(address)
    low = ipaddress.IPv4Address(number & 0xFFFFFFFF)
    if address.ipv4_mapped or any(address in network for network in (NAT64, TRANSLATED, COMPATIBLE)):
        yield low
    if address.sixtofour:
        yield address.sixtofour
    if address.teredo:
        yield from address.teredo
    if number >> 32 & 0xFFFFFFFF in ISATAP:
        yield low

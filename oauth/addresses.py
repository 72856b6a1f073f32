"""Where a request came from, as far as limits go."""

from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request


def address_of(request: "Request") -> str:
    """Return the client's address, proxies taken away."""
    return request.client.host if request.client else ""


def network_of(address: str) -> str:
    """The part of a client address that one subscriber holds: an IPv4 address, or an IPv6 /64."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return f"{IPv6Address(int(parsed) >> 64 << 64)}/64"

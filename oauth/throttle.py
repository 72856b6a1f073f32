"""Rate limits of the authorization server, and the client address they are counted by; the server implements them."""

from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from starlette.requests import Request


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `count` requests within any `seconds`, of one kind."""

    kind: str
    count: int
    seconds: int


class Throttle(Protocol):
    """Counts requests, for all processes alike."""

    async def wait(self, *asked: tuple[Limit, str]) -> int | None:
        """Count a request under each limit and subject; return None when it was counted.

        Otherwise count it under none of them, and return the whole seconds until a retry can succeed.
        """
        ...


def address_of(request: "Request") -> str:
    """Return the client's address as the proxy settings resolve it."""
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

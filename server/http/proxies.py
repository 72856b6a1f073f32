"""Trusted proxies in front of the service, and the client address behind them."""

from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network


class TrustedProxies:
    """Networks of proxies that are trusted to report a client's address.

    Raises ValueError for something that is neither an address nor a network.
    """

    def __init__(self, networks: Iterable[str] = ()) -> None:
        self._networks: tuple[Network, ...] = tuple(ip_network(network) for network in networks)

    def __bool__(self) -> bool:
        return bool(self._networks)

    def __contains__(self, address: str) -> bool:
        try:
            parsed = ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self._networks)

    def client_of(self, peer: str, forwarded_for: str) -> str:
        """Return the client behind `peer`: the nearest address in X-Forwarded-For that is not a trusted proxy.

        Only entries that a trusted proxy appended are read, from right to left. Anything to the left of the first
        untrusted address was written by an unknown client.
        """
        client = peer
        for hop in reversed(forwarded_for.split(",")):
            if client not in self:
                break
            try:
                client = str(ip_address(hop.strip()))
            except ValueError:
                break
        return client

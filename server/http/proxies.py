"""The proxies in front of the service, and the client's address behind them."""

from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network


class TrustedProxies:
    """Networks whose word about a client's address counts.

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
        """Find the client behind `peer`: the nearest address in X-Forwarded-For that is no proxy of ours.

        Only what a trusted proxy appended is read, from the right; what stands left of the first
        untrusted address was written by a stranger.
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

"""SSRF protection: sockets are opened to public addresses only.

The rule sits where the socket is opened, so redirects, retries and a resolver that changes its mind all pass it;
the connection pool keeps server name and certificate on the host name.
"""

import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import anyio
import anyio.to_thread
import httpcore2

from readiness.fetching.addresses import compressed, is_public
from readiness.fetching.errors import FetchFailed, Reason
from readiness.fetching.policy import FetchPolicy

Resolver: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """Every address the system knows for a host, in its own order; OSError when there is none."""

    def look_up() -> list[str]:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return list(dict.fromkeys(str(entry[4][0]) for entry in entries))

    return await anyio.to_thread.run_sync(look_up, abandon_on_cancel=True)


class PinnedBackend(httpcore2.AsyncNetworkBackend):
    """Opens sockets only to addresses that passed the rule, after one DNS lookup for each connection."""

    def __init__(self, policy: FetchPolicy, resolve: Resolver, dial: httpcore2.AsyncNetworkBackend) -> None:
        self._policy, self._resolve, self._dial = policy, resolve, dial
        self._own: frozenset[str] | None = None

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Resolve the host, block it unless every address is public, and connect to the first one."""
        try:
            addresses = await self._look_up(host, port)
        except (OSError, UnicodeError) as error:
            raise FetchFailed(Reason.DNS) from error
        if not addresses:
            raise FetchFailed(Reason.DNS)
        if f"{host}:{port}" not in self._policy.allow_hosts and not await self._all_public(addresses, port):
            raise FetchFailed(Reason.REFUSED_ADDRESS)
        return await self._dial.connect_tcp(addresses[0], port, timeout, local_address, socket_options)

    async def _look_up(self, host: str, port: int) -> Sequence[str]:
        with anyio.fail_after(self._policy.resolve_seconds):
            return await self._resolve(host, port)

    async def _all_public(self, addresses: Sequence[str], port: int) -> bool:
        if not all(is_public(address) for address in addresses):
            return False
        own = await self._own_addresses(port)
        return all(is_public(address, own) for address in addresses)

    async def _own_addresses(self, port: int) -> frozenset[str]:
        """This server's public addresses as they are now, looked up once in a fetcher's life.

        A name without an address blocks nothing; a resolver that does not answer fails the connection.
        """
        if self._own is None:
            try:
                host = self._policy.own_host
                addresses = await self._look_up(host, port) if host else ()
            except TimeoutError as error:
                raise FetchFailed(Reason.DNS) from error
            except (OSError, UnicodeError):
                addresses = ()
            self._own = frozenset(compressed(address) for address in addresses)
        return self._own


@dataclass(frozen=True, slots=True)
class Network:
    """How hosts become sockets; tests and nothing else put their own in."""

    resolve: Resolver = system_resolver
    dial: httpcore2.AsyncNetworkBackend | None = None
    tls: ssl.SSLContext | None = None

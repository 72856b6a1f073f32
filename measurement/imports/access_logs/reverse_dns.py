"""Verification of crawlers by reverse DNS, confirmed by a forward lookup.

The host name of an address must belong to the bot's operator and resolve back to the address. Anyone may give
an address any name, so the name proves nothing until the operator's own DNS confirms it. Without an answer
from DNS, a visit stays not verified.
"""

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final, NamedTuple

import anyio

from measurement.imports.access_logs.bot_verification import (
    NOT_THIS_BOT,
    NOT_VERIFIED,
    VERIFIED,
    address_sources,
    parse_address,
)

if TYPE_CHECKING:
    from dns.asyncresolver import Resolver

LOOKUP_SECONDS: Final = 3.0
"""Time limit of one lookup, including all its retries."""
PART_SECONDS: Final = 20.0
"""Time limit of all lookups for one part of a log."""
SILENT_SECONDS: Final = 60.0
"""How long to pause lookups after a part in which no lookup was answered."""
REMEMBERED_SECONDS: Final = 3600.0
MOST_REMEMBERED: Final = 10_000
MOST_ASKED: Final = 500
"""Number of addresses that are looked up for one part of a log."""
MOST_NAMES: Final = 4
"""Number of names of one address that are followed; the owner of an address may give it thousands."""
AT_ONCE: Final = 16


class LoggedVisitor(NamedTuple):
    """A visitor: the bot that a user agent names, and the address it came from."""

    bot: str
    address: str


class LookupUnanswered(Exception):
    """A lookup got no usable answer, which says nothing about the address."""


@dataclass(frozen=True, slots=True)
class NameLookups:
    """The two DNS lookups; both raise LookupUnanswered, and return nothing for a name that does not exist."""

    names_of: Callable[[str], Awaitable[Sequence[str]]]
    addresses_of: Callable[[str, int], Awaitable[Sequence[str]]]
    """Takes a name and the IP version."""


class ReverseDns:
    """Resolves addresses to host names, and caches the answers for an hour."""

    def __init__(self, lookups: NameLookups, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._lookups = lookups
        self._monotonic = monotonic
        self._remembered: dict[str, tuple[float, tuple[str, ...]]] = {}
        self._silent_until = float("-inf")
        self._suffixes: Mapping[str, Sequence[str]] = address_sources()["names"]

    def may_verify(self, visitor: LoggedVisitor) -> bool:
        """Return whether the bot's operator documents host names and the address can have one."""
        return visitor.bot in self._suffixes and parse_address(visitor.address) is not None

    async def verify(self, visitors: Iterable[LoggedVisitor]) -> dict[LoggedVisitor, str]:
        """Return `verified`, `not_verified` or `not_this_bot` for each visitor that was looked up.

        A visitor is an impostor only if a name that is not the bot's resolves back to the address.
        """
        asked = [visitor for visitor in dict.fromkeys(visitors) if self.may_verify(visitor)]
        addresses = list(dict.fromkeys(visitor.address for visitor in asked))[:MOST_ASKED]
        names = await self._confirmed(addresses)
        return {
            visitor: self._verdict(visitor.bot, names[visitor.address])
            for visitor in asked
            if visitor.address in names
        }

    def _verdict(self, bot: str, names: Sequence[str]) -> str:
        if not names:
            return NOT_VERIFIED
        is_operators = any(belongs_to(name, self._suffixes[bot]) for name in names)
        return VERIFIED if is_operators else NOT_THIS_BOT

    async def _confirmed(self, addresses: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the names of each address that resolve back to it, without addresses that got no answer."""
        now = self._monotonic()
        known = {
            address: remembered[1]
            for address in addresses
            if (remembered := self._remembered.get(address)) is not None and remembered[0] > now
        }
        unknown = [address for address in addresses if address not in known]
        if not unknown or now < self._silent_until:
            return known
        told: dict[str, tuple[str, ...]] = {}
        slots = anyio.Semaphore(AT_ONCE)

        async def ask(address: str) -> None:
            async with slots:
                try:
                    told[address] = await self._names_back(address)
                except LookupUnanswered:
                    return

        with anyio.move_on_after(PART_SECONDS):
            async with anyio.create_task_group() as group:
                for address in unknown:
                    group.start_soon(ask, address)
        if not told:
            self._silent_until = self._monotonic() + SILENT_SECONDS
        self._remember(told)
        return known | told

    async def _names_back(self, address: str) -> tuple[str, ...]:
        """Return the names of an address that resolve back to it. Raises LookupUnanswered."""
        meant = parse_address(address)
        assert meant is not None
        confirmed: list[str] = []
        for name in (await self._lookups.names_of(str(meant)))[:MOST_NAMES]:
            there = await self._lookups.addresses_of(name, meant.version)
            if any(ip_address(candidate) == meant for candidate in there):
                confirmed.append(name.rstrip(".").lower())
        return tuple(confirmed)

    def _remember(self, told: Mapping[str, tuple[str, ...]]) -> None:
        if len(self._remembered) + len(told) > MOST_REMEMBERED:
            self._remembered.clear()
        until = self._monotonic() + REMEMBERED_SECONDS
        self._remembered |= {address: (until, names) for address, names in told.items()}


def belongs_to(name: str, suffixes: Iterable[str]) -> bool:
    """Return whether a name is one of these domains or a subdomain of one."""
    return any(name == suffix or name.endswith(f".{suffix}") for suffix in suffixes)


def reverse_dns_of(on: bool, server: tuple[str, int] | None) -> ReverseDns | None:
    """Return the reverse DNS client that the settings call for, or None if it is turned off."""
    return ReverseDns(dns_lookups(server)) if on else None


def dns_lookups(server: tuple[str, int] | None = None) -> NameLookups:
    """Return lookups at the resolver with this address and port, or at this machine's resolvers by default."""
    resolvers: list[Resolver] = []

    def resolver() -> "Resolver":
        if not resolvers:
            resolvers.append(_resolver(server))
        return resolvers[0]

    async def names_of(address: str) -> Sequence[str]:
        import dns.reversename

        return await _ask(resolver, dns.reversename.from_address(address), "PTR")

    async def addresses_of(name: str, version: int) -> Sequence[str]:
        return await _ask(resolver, name, "A" if version == 4 else "AAAA")

    return NameLookups(names_of, addresses_of)


async def _ask(resolver: "Callable[[], Resolver]", name: object, kind: str) -> Sequence[str]:
    import dns.exception
    import dns.resolver

    try:
        answer = await resolver().resolve(name, kind, lifetime=LOOKUP_SECONDS, search=False)  # pyright: ignore[reportArgumentType]
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return ()
    except (dns.exception.DNSException, OSError, ValueError) as error:
        raise LookupUnanswered from error
    return [record.to_text() for record in answer]


def _resolver(server: tuple[str, int] | None) -> "Resolver":
    """Return a resolver. Raises dns.resolver.NoResolverConfiguration if this machine has none configured."""
    from dns.asyncresolver import Resolver

    if server is None:
        return Resolver()
    resolver = Resolver(configure=False)
    resolver.nameservers = [server[0]]
    resolver.port = server[1]
    return resolver

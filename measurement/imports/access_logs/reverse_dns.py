"""Verifies crawlers by reverse DNS: the name of an address has to be the operator's, and to lead back to the address.

A name that anybody may give to an address proves nothing before the operator's own DNS names that address too. Where
nobody answers, a visit stays not verified.
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
"""What one question may take, all tries together."""
PART_SECONDS: Final = 20.0
"""What the questions about one part of a log may take together."""
SILENT_SECONDS: Final = 60.0
"""How long nobody is asked after a part in which nobody answered."""
REMEMBERED_SECONDS: Final = 3600.0
MOST_REMEMBERED: Final = 10_000
MOST_ASKED: Final = 500
"""Addresses that are asked about for one part of a log."""
MOST_NAMES: Final = 4
"""Names of one address that are followed; whoever owns an address may give it thousands."""
AT_ONCE: Final = 16


class LoggedVisitor(NamedTuple):
    """Who came: the bot that a user agent names, and the address it came from."""

    bot: str
    address: str


class LookupUnanswered(Exception):
    """Nobody answered a question, or in no usable form, which says nothing about the address."""


@dataclass(frozen=True, slots=True)
class NameLookups:
    """The two questions of DNS; both raise LookupUnanswered, and return nothing for a name that there is not."""

    names_of: Callable[[str], Awaitable[Sequence[str]]]
    addresses_of: Callable[[str, int], Awaitable[Sequence[str]]]
    """Asked with a name and the version of IP."""


class ReverseDns:
    """Looks up the names of addresses, and remembers what it was told for an hour."""

    def __init__(self, lookups: NameLookups, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._lookups = lookups
        self._monotonic = monotonic
        self._remembered: dict[str, tuple[float, tuple[str, ...]]] = {}
        self._silent_until = float("-inf")
        self._suffixes: Mapping[str, Sequence[str]] = address_sources()["names"]

    def may_verify(self, visitor: LoggedVisitor) -> bool:
        """Tell whether the operator of a bot documents names, and the address is one that can have such a name."""
        return visitor.bot in self._suffixes and parse_address(visitor.address) is not None

    async def verify(self, visitors: Iterable[LoggedVisitor]) -> dict[LoggedVisitor, str]:
        """Return verified, not_verified or not_this_bot of each visitor that was asked about.

        An address is somebody else's only where a name that is not the bot's leads back to it.
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
        """Return the names of each address that lead back to it; addresses that nobody told of are left out."""
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
        """Return the names of an address that lead back to it. Raises LookupUnanswered."""
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
    """Tell whether a name is one of these domains or below one, by whole labels."""
    return any(name == suffix or name.endswith(f".{suffix}") for suffix in suffixes)


def reverse_dns_of(on: bool, server: tuple[str, int] | None) -> ReverseDns | None:
    """Return who looks up names by the settings, None where nobody does."""
    return ReverseDns(dns_lookups(server)) if on else None


def dns_lookups(server: tuple[str, int] | None = None) -> NameLookups:
    """Return lookups at the resolver of an address and port; without one at those of this machine."""
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
    """Return a resolver. Raises dns.resolver.NoResolverConfiguration on a machine that has none."""
    from dns.asyncresolver import Resolver

    if server is None:
        return Resolver()
    resolver = Resolver(configure=False)
    resolver.nameservers = [server[0]]
    resolver.port = server[1]
    return resolver

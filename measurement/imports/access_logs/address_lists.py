"""Fetch the address lists that bot operators publish, and reuse stored lists for a day."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import anyio

from measurement.errors import WorkError
from measurement.imports.access_logs.bot_verification import address_sources, parse_published
from measurement.planning.clock import Clock
from readiness.fetching.dialing import Network
from readiness.fetching.errors import FetchFailed, UrlRefused
from readiness.fetching.fetcher import Fetcher
from readiness.fetching.policy import FetchPolicy
from storage.database import Database
from storage.repositories.crawler_visits import BotAddressList

log = logging.getLogger(__name__)

FRESH: Final = timedelta(days=1)
"""Age at which a list is fetched again."""
IN_USE: Final = timedelta(days=100)
"""Lists are fetched only if a log has come in within this time."""
REFRESH_SECONDS: Final = 6 * 3600.0


@dataclass(frozen=True, slots=True)
class FetchedList:
    """Result of fetching one published list: its networks, or why there are none."""

    url: str
    bots: Sequence[str]
    prefixes: Sequence[str] = ()
    failure: str | None = None


def published_at(bots: Sequence[str] = ()) -> dict[str, list[str]]:
    """Return the URLs of published lists with the bots each one covers, limited to `bots` if any are given."""
    sources: Mapping[str, Sequence[str]] = address_sources()["lists"]
    wanted = {url: [name for name in names if not bots or name in bots] for url, names in sources.items()}
    return {url: names for url, names in wanted.items() if names}


class AddressLists:
    """Fetches and stores lists; a list that cannot be fetched leaves the stored one as it is."""

    def __init__(
        self, database: Database, policy: FetchPolicy, now: Clock, network: Network | None = None
    ) -> None:
        self._database = database
        self._policy = policy
        self._now = now
        self._network = network or Network()

    async def run(self) -> None:
        """Keep the lists fresh until cancelled, as long as logs come in."""
        while True:
            try:
                async with self._database.presence.alone("addresses of crawlers"):
                    await self.refresh()
            except Exception:
                log.exception("fetching the addresses of crawlers")
            await anyio.sleep(REFRESH_SECONDS)

    async def refresh(self) -> list[FetchedList]:
        """Fetch the lists that are missing or a day old; none if no log has come in lately."""
        operators, now = self._database.operators, self._now()
        if not await operators.crawler_visits.any_since((now - IN_USE).date()):
            return []
        fresh = {known.bot for known in await operators.bot_addresses.all() if now - known.fetched_at < FRESH}
        return await self.fetch(
            {url: bots for url, bots in published_at().items() if not fresh.issuperset(bots)}
        )

    async def fetch(self, sources: Mapping[str, Sequence[str]]) -> list[FetchedList]:
        """Fetch lists by URL, and store those that arrived."""
        if not sources:
            return []
        results: dict[str, FetchedList] = {}
        network = self._network
        async with Fetcher(
            self._policy, resolve=network.resolve, dial=network.dial, tls=network.tls
        ) as fetcher:

            async def read(url: str, bots: Sequence[str]) -> None:
                results[url] = await _read_list(fetcher, url, bots)

            async with anyio.create_task_group() as group:
                for url, bots in sources.items():
                    group.start_soon(read, url, bots)
        now = self._now()
        lists = [
            BotAddressList(bot, result.url, result.prefixes, now)
            for result in results.values()
            if result.failure is None
            for bot in result.bots
        ]
        if lists:
            async with self._database.operation() as operators:
                await operators.bot_addresses.save(lists)
        return [results[url] for url in sources]


async def _read_list(fetcher: Fetcher, url: str, bots: Sequence[str]) -> FetchedList:
    try:
        response = await fetcher.get(url)
    except (FetchFailed, UrlRefused) as error:
        return FetchedList(url, bots, failure=f"it cannot be reached ({error})")
    if response.status != 200 or response.stopped is not None or response.truncated:
        reason = response.stopped.value if response.stopped else f"status {response.status}"
        return FetchedList(url, bots, failure=f"no list was answered ({reason})")
    try:
        return FetchedList(url, bots, parse_published(response.body.decode("utf-8", "replace")))
    except WorkError as error:
        return FetchedList(url, bots, failure=error.message)

"""Published addresses of bots: the same lists for every company."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from storage.queries import Query
from storage.repository import Repository
from storage.tables.crawler_visits import bot_address_lists


@dataclass(frozen=True, slots=True)
class BotAddressList:
    """The networks of one bot, where the list is from and when it was read."""

    bot: str
    source: str
    prefixes: Sequence[str]
    fetched_at: datetime


ALL = Query(
    select(
        bot_address_lists.c.bot,
        bot_address_lists.c.source,
        bot_address_lists.c.prefixes,
        bot_address_lists.c.fetched_at,
    ).order_by(bot_address_lists.c.bot),
    BotAddressList,
)


class BotAddressRepository(Repository):
    """The lists of the installation."""

    async def all(self) -> list[BotAddressList]:
        """Return every list."""
        return await self._all(ALL)

    async def save(self, lists: Sequence[BotAddressList]) -> None:
        """Store lists in the place of those that are here for the same bots."""
        rows: list[Mapping[str, Any]] = [
            {
                "bot": known.bot,
                "source": known.source,
                "prefixes": list(known.prefixes),
                "fetched_at": known.fetched_at,
            }
            for known in lists
        ]
        if rows:
            await self._write(
                self._insert_or_change(bot_address_lists, "source", "prefixes", "fetched_at"), rows
            )

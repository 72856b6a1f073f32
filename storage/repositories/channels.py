"""Channels: where an answer came from (platform, mode, source, country); their names are the same for everybody."""

from typing import TypeAlias

from sqlalchemy import bindparam, select

from storage.queries import Query
from storage.repository import Repository
from storage.tables.answers import channels

ChannelName: TypeAlias = tuple[str, str, str, str]
"""Platform, mode, source and country; the country is empty where no engine was told one."""


EVERY_CHANNEL = ("", "", "")
"""Platform, mode and source of the name under which all channels of a country stand together."""


def named(platform: str, mode: str, source: str, country: str, key: int) -> tuple[ChannelName, int]:
    """Group a channel's name."""
    return (platform, mode, source, country), key


KEY = Query(
    select(channels.c.key).where(
        channels.c.platform == bindparam("platform"),
        channels.c.mode == bindparam("mode"),
        channels.c.source == bindparam("source"),
        channels.c.country == bindparam("country"),
    ),
    int,
)
KEYS = Query(
    select(channels.c.platform, channels.c.mode, channels.c.source, channels.c.country, channels.c.key), named
)


class ChannelRepository(Repository):
    """The channels that answers of a company, or of any other, came through."""

    async def key(self, platform: str, mode: str, source: str, country: str = "") -> int:
        """Return the key of a channel, making it when it is new."""
        values = {"platform": platform, "mode": mode, "source": source, "country": country}
        row = await self._first(KEY, **values)
        if row is None:
            await self._write(self._insert_or_ignore(channels), values)
            row = await self._first(KEY, **values)
            assert row is not None
        return row

    async def every_channel_of(self, country: str) -> int | None:
        """Return the key under which all channels of a country stand together; None where nobody asked there."""
        platform, mode, source = EVERY_CHANNEL
        return await self._first(KEY, platform=platform, mode=mode, source=source, country=country)

    async def keys(self) -> dict[ChannelName, int]:
        """Return the key of every channel by its name."""
        return dict(await self._all(KEYS))

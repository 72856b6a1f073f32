"""Channels: where an answer came from, as platform, mode and source; their names are the same for everybody."""

from sqlalchemy import bindparam, select

from storage.queries import Query
from storage.repositories.repository import Repository
from storage.tables.answers import channels

N = channels.c


def named(platform: str, mode: str, source: str, key: int) -> tuple[tuple[str, str, str], int]:
    """Group a channel's name."""
    return (platform, mode, source), key


KEY = Query(
    select(N.key).where(
        N.platform == bindparam("platform"), N.mode == bindparam("mode"), N.source == bindparam("source")
    ),
    int,
)
KEYS = Query(select(N.platform, N.mode, N.source, N.key), named)


class Channels(Repository):
    """The channels that answers of a company, or of any other, came through."""

    async def key(self, platform: str, mode: str, source: str) -> int:
        """Return the key of a channel, making it when it is new."""
        values = {"platform": platform, "mode": mode, "source": source}
        found = await self._first(KEY, **values)
        if found is None:
            await self._write(self._insert_or_ignore(channels), values)
            found = await self._first(KEY, **values)
            assert found is not None
        return found

    async def keys(self) -> dict[tuple[str, str, str], int]:
        """Return the key of every channel by (platform, mode, source)."""
        return dict(await self._all(KEYS))

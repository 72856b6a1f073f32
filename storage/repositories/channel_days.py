"""Channel days: how each channel of a published batch went on each of its days."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date, datetime
from operator import attrgetter
from typing import Any

from sqlalchemy import and_, bindparam, delete, insert, select

from storage.filters import MembershipFilter
from storage.queries import Query, plain
from storage.repositories.answers.answer_filters import day_of
from storage.repositories.day_numbers import day_bounds, is_within, number_of
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.answers import channels
from storage.tables.columns import unproven
from storage.tables.prompts import run_batches
from storage.tables.totals import channel_days


@dataclass(frozen=True, slots=True)
class ChannelDayDraft:
    """One channel of a batch on one day of the batch, to be published.

    `planned` to `truncated` count how its asks ended in the whole batch, `answers` the answers of the day. The lists
    are sorted, and of valid answers of the day, as is `last_valid_at`. `domains` counts the answers, valid or not,
    that cite each domain, by owner class and domain.
    """

    day: date
    channel_key: int
    degraded: bool
    planned: int
    valid: int
    refused: int
    empty: int
    failed: int
    not_grounded: int
    truncated: int
    answers: int
    served_models: Sequence[str]
    requested_models: Sequence[str]
    places: Sequence[str]
    languages: Sequence[str]
    last_valid_at: datetime | None
    domains: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class ChannelDay:
    """The same as it is stored, with its batch and channel, without domains; `source` is as in `CellTotals`."""

    batch_id: str
    batch_key: int
    finished_at: datetime
    day: date
    platform: str
    mode: str
    source: str
    country: str
    degraded: bool
    planned: int
    valid: int
    refused: int
    empty: int
    failed: int
    not_grounded: int
    truncated: int
    answers: int
    served_models: tuple[str, ...]
    requested_models: tuple[str, ...]
    places: tuple[str, ...]
    languages: tuple[str, ...]
    last_valid_at: datetime | None


DAY_FIELD, *LIST_FIELDS = (
    [field.name for field in fields(ChannelDay)].index(name)
    for name in ("day", "served_models", "requested_models", "places", "languages")
)


def channel_day(*columns: Any) -> ChannelDay:
    """Build one channel of a batch on one day."""
    values = list(columns)
    values[DAY_FIELD] = day_of(values[DAY_FIELD])
    for place in LIST_FIELDS:
        values[place] = tuple(values[place])
    return ChannelDay(*values)


OWN_DAYS = and_(
    channel_days.c.company_id == bindparam("company_id"),
    channel_days.c.revision_key == bindparam("revision_key"),
)
CHANNEL_DAYS = (
    select(
        *row_columns(
            ChannelDay,
            channel_days,
            batch_id=run_batches.c.id,
            finished_at=run_batches.c.finished_at,
            **{name: channels.c[name] for name in ("platform", "mode", "source", "country")},
        )
    )
    .select_from(
        channel_days.join(run_batches, run_batches.c.key == channel_days.c.batch_key).join(
            channels, channels.c.key == channel_days.c.channel_key
        )
    )
    .where(OWN_DAYS)
)
CHANNEL_DAYS_BETWEEN = Query(CHANNEL_DAYS.where(is_within(channel_days.c.day)), channel_day)
CHANNEL_DAYS_OF = Query(
    CHANNEL_DAYS.where(MembershipFilter(channel_days.c.batch_key, "batch_keys")), channel_day
)
PLACE_OF = attrgetter("day", "batch_key", "platform", "mode", "source", "country")
"""Sorted here, because SQLite would read all days to have those of a batch in order."""
OF_BATCH = and_(OWN_DAYS, channel_days.c.batch_key == bindparam("batch_key"))
IS_PUBLISHED = Query(select(channel_days.c.day).where(OF_BATCH).limit(1), int)
STORED_CHANNEL_DAYS = Query(select(*map(unproven, channel_days.c)).where(OF_BATCH), plain)
PUBLISHED_BATCHES = Query(
    select(channel_days.c.batch_key).where(OWN_DAYS).distinct().order_by(channel_days.c.batch_key),
    int,
)


class ChannelDayRepository(Repository):
    """How the channels of one company's published batches went."""

    async def of_period(self, revision_key: int, first: date | None, last: date | None) -> list[ChannelDay]:
        """Return each channel of each published batch on these days, both included, oldest day first."""
        rows = await self._all(CHANNEL_DAYS_BETWEEN, revision_key=revision_key, **day_bounds(first, last))
        return sorted(rows, key=PLACE_OF)

    async def of_batches(self, revision_key: int, batch_keys: Sequence[int]) -> list[ChannelDay]:
        """Return each channel of some published batches on each of their days, oldest day first."""
        rows = await self._all(CHANNEL_DAYS_OF, revision_key=revision_key, batch_keys=list(batch_keys))
        return sorted(rows, key=PLACE_OF)

    async def replace(self, revision_key: int, batch_key: int, days: Sequence[ChannelDayDraft]) -> bool:
        """Publish the days of a batch, in place of earlier ones; return whether there were any."""
        origin = {"company_id": self.company_id, "revision_key": revision_key, "batch_key": batch_key}
        again = await self._first(IS_PUBLISHED, revision_key=revision_key, batch_key=batch_key) is not None
        if again:
            await self._write(delete(channel_days).where(OF_BATCH), origin)
        rows = [{**origin, **asdict(day), "day": number_of(day.day)} for day in days]
        await self._write_all(insert(channel_days), rows)
        return again

    async def stored(self, revision_key: int, batch_key: int) -> list[dict[str, Any]]:
        """Return the channel days of a batch by column, even if a document of theirs is damaged."""
        names = [column.name for column in channel_days.c]
        rows = await self._all(STORED_CHANNEL_DAYS, revision_key=revision_key, batch_key=batch_key)
        return [dict(zip(names, row, strict=True)) for row in rows]

    async def batches(self, revision_key: int) -> list[int]:
        """Return the keys of all batches with channel days."""
        return await self._all(PUBLISHED_BATCHES, revision_key=revision_key)

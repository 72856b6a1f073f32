"""Trend points: the value of each metric of each batch, by day and channel."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date
from typing import Any

from sqlalchemy import bindparam, delete, insert, select

from storage.queries import Query, plain
from storage.repositories.revisions import OWN_REVISION, owned_revision
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.answers import channels
from storage.tables.prompts import run_batches
from storage.tables.results import metric_points


@dataclass(frozen=True, slots=True)
class PointDraft:
    """One value of one metric of one batch; channel 0 is all channels together.

    `low` and `high` are the 95 % interval of all such questions, `prompts_low` and `prompts_high` that of the same
    prompts; `noise_source` says how the noise of single answers was known.
    """

    metric: str
    channel_key: int
    day: date
    value: float
    samples: int
    low: float | None
    high: float | None
    prompts_low: float | None
    prompts_high: float | None
    noise_source: str | None

    def columns(self) -> dict[str, Any]:
        """Return its values by column."""
        return {column.name: getattr(self, column.name) for column in fields(self)}


@dataclass(frozen=True, slots=True)
class StoredPoint:
    """A batch's value of a metric on a day; the intervals are as in `PointDraft`."""

    day: date
    value: float
    samples: int
    low: float | None
    high: float | None
    prompts_low: float | None
    prompts_high: float | None
    noise_source: str | None


@dataclass(frozen=True, slots=True)
class Point(StoredPoint):
    """The value of a batch that is named."""

    batch_id: str


@dataclass(frozen=True, slots=True)
class ChannelPoint(StoredPoint):
    """The value of a batch through one channel."""

    platform: str
    mode: str
    source: str
    country: str


STORED = row_columns(StoredPoint, metric_points)
"""The columns of `StoredPoint`, in its order."""
POINTS = Query(
    select(*STORED, run_batches.c.id)
    .join(run_batches, run_batches.c.key == metric_points.c.batch_key)
    .where(
        OWN_REVISION,
        metric_points.c.revision_key == bindparam("revision_key"),
        metric_points.c.metric == bindparam("metric"),
        metric_points.c.channel_key == bindparam("channel_key"),
        metric_points.c.day >= bindparam("since", type_=metric_points.c.day.type),
    )
    .order_by(metric_points.c.day, metric_points.c.batch_key),
    Point,
    brief=True,
)
POINTS_BY_CHANNEL = Query(
    select(*STORED, channels.c.platform, channels.c.mode, channels.c.source, channels.c.country)
    .join(channels, channels.c.key == metric_points.c.channel_key)
    .where(
        OWN_REVISION,
        metric_points.c.revision_key == bindparam("revision_key"),
        metric_points.c.metric == bindparam("metric"),
        metric_points.c.channel_key.in_(select(channels.c.key).where(channels.c.platform != "")),
        metric_points.c.day >= bindparam("since", type_=metric_points.c.day.type),
    )
    .order_by(
        channels.c.platform,
        channels.c.mode,
        channels.c.source,
        channels.c.country,
        metric_points.c.day,
        metric_points.c.batch_key,
    ),
    ChannelPoint,
    brief=True,
)
NEWEST_DAY = Query(
    select(metric_points.c.day)
    .where(
        OWN_REVISION,
        metric_points.c.revision_key == bindparam("revision_key"),
        metric_points.c.metric == bindparam("metric"),
        metric_points.c.channel_key == bindparam("channel_key"),
    )
    .order_by(metric_points.c.day.desc())
    .limit(1),
    plain,
    brief=True,
)
NEWEST_VALUE = Query(
    select(metric_points.c.value, metric_points.c.samples)
    .where(
        OWN_REVISION,
        metric_points.c.revision_key == bindparam("revision_key"),
        metric_points.c.metric == bindparam("metric"),
        metric_points.c.channel_key == bindparam("channel_key"),
        metric_points.c.day >= bindparam("since", type_=metric_points.c.day.type),
    )
    .order_by(metric_points.c.day.desc(), metric_points.c.batch_key.desc())
    .limit(1),
    plain,
    brief=True,
)


class TrendPointRepository(Repository):
    """The trend points of one company."""

    async def replace(self, points: Sequence[PointDraft], *, revision_key: int, batch_key: int) -> None:
        """Store the points of a batch in a revision, in place of those that were there before."""
        same = (metric_points.c.revision_key == revision_key) & (metric_points.c.batch_key == batch_key)
        ours = metric_points.c.revision_key.in_(owned_revision(self.company_id, revision_key))
        await self._write(delete(metric_points).where(same, ours))
        origin = {"revision_key": revision_key, "batch_key": batch_key}
        rows = [{**origin, **point.columns()} for point in points]
        if rows:
            await self._write(insert(metric_points), rows)

    async def since(self, revision_key: int, metric: str, first: date, channel_key: int = 0) -> list[Point]:
        """Return every batch's value of a metric since a day, oldest first, over all channels by default."""
        return await self._all(
            POINTS, revision_key=revision_key, metric=metric, since=first, channel_key=channel_key
        )

    async def by_channel(self, revision_key: int, metric: str, first: date) -> list[ChannelPoint]:
        """Return every batch's value of a metric since a day through each channel, oldest first in each."""
        return await self._all(POINTS_BY_CHANNEL, revision_key=revision_key, metric=metric, since=first)

    async def newest_day(self, revision_key: int, metric: str, channel_key: int = 0) -> date | None:
        """Return the last day on which a metric has a value, over all channels by default."""
        newest = await self._first(
            NEWEST_DAY, revision_key=revision_key, metric=metric, channel_key=channel_key
        )
        return newest[0] if newest else None

    async def newest_value(self, revision_key: int, metric: str, since: date) -> tuple[float, int] | None:
        """Return the newest value of a metric over all channels, not older than a day, with its samples."""
        return await self._first(
            NEWEST_VALUE, revision_key=revision_key, metric=metric, since=since, channel_key=0
        )

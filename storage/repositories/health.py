"""Health: how each channel of each batch behaved, and whether this installation's background work is paused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import and_, bindparam, delete, func, insert, select

from storage.queries import Query
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.columns import unproven
from storage.tables.health import channel_health
from storage.tables.prompts import run_batches
from storage.tables.webhooks import nightly_work, work_pauses


@dataclass(frozen=True, slots=True)
class ChannelHealthRow:
    """One channel in one batch; counts, and the names of what was suspicious."""

    platform: str
    mode: str
    country: str
    batch_id: str
    planned: int
    failed: int
    refused: int
    valid: int
    answered: int
    searched: int
    measurable: int
    citing: int
    truncated: int
    served_models: Sequence[str]
    median_latency_ms: int | None
    no_credential: bool
    alerts: Sequence[str]
    created_at: datetime


NEWEST = (
    select(
        channel_health.c.platform,
        channel_health.c.mode,
        channel_health.c.country,
        func.max(channel_health.c.created_at).label("at"),
    )
    .where(
        channel_health.c.company_id == bindparam("company_id"),
        channel_health.c.brand_key == bindparam("brand_key"),
    )
    .group_by(channel_health.c.platform, channel_health.c.mode, channel_health.c.country)
    .subquery()
)
HEALTH = row_columns(ChannelHealthRow, channel_health, batch_id=run_batches.c.id)
LATEST = Query(
    select(*HEALTH)
    .join(
        NEWEST,
        and_(
            NEWEST.c.platform == channel_health.c.platform,
            NEWEST.c.mode == channel_health.c.mode,
            NEWEST.c.country == channel_health.c.country,
            NEWEST.c.at == channel_health.c.created_at,
        ),
    )
    .join(run_batches, run_batches.c.key == channel_health.c.batch_key)
    .where(
        channel_health.c.company_id == bindparam("company_id"),
        channel_health.c.brand_key == bindparam("brand_key"),
    )
    .order_by(channel_health.c.platform, channel_health.c.mode, channel_health.c.country),
    ChannelHealthRow,
)


OF_BATCH = Query(
    select(*map(unproven, HEALTH))
    .join(run_batches, run_batches.c.key == channel_health.c.batch_key)
    .where(
        channel_health.c.company_id == bindparam("company_id"),
        channel_health.c.batch_key == bindparam("batch_key"),
    )
    .order_by(channel_health.c.platform, channel_health.c.mode, channel_health.c.country),
    ChannelHealthRow,
)


class ChannelHealthRepository(Repository):
    """The health of one company's channels."""

    async def latest(self, brand_key: int) -> list[ChannelHealthRow]:
        """Return how each channel of a brand behaved in the newest batch that asked it."""
        return await self._all(LATEST, brand_key=brand_key)

    async def of_batch(self, batch_key: int) -> list[ChannelHealthRow]:
        """Return how the channels of a batch behaved."""
        return await self._all(OF_BATCH, batch_key=batch_key)

    async def add(
        self, brand_key: int, batch_key: int, values: Sequence[Mapping[str, Any]], now: datetime
    ) -> None:
        """Store how the channels of a batch behaved."""
        own = {"company_id": self.company_id, "brand_key": brand_key, "batch_key": batch_key}
        rows = [{**own, **channel, "created_at": now} for channel in values]
        if rows:
            await self._write(insert(channel_health), rows)


@dataclass(frozen=True, slots=True)
class Night:
    """The night for which work was done."""

    day: date


LAST_NIGHT = Query(
    select(nightly_work.c.night).where(nightly_work.c.name == bindparam("name")), Night, brief=True
)


class NightlyWorkRepository(Repository):
    """The last night for which each kind of nightly work was done, across all processes."""

    async def last(self, name: str) -> date | None:
        """Return the last night for which the work was done."""
        last = await self._first(LAST_NIGHT, name=name)
        return last.day if last else None

    async def record(self, name: str, night: date) -> None:
        """Record that the work was done for a night."""
        values = {"name": name, "night": night}
        await self._write(self._insert_or_change(nightly_work, "night"), values)


THE_ONLY: Final = 1


@dataclass(frozen=True, slots=True)
class WorkPause:
    """Why no work is done, and since when."""

    reason: str
    since: datetime


CURRENT = Query(select(work_pauses.c.reason, work_pauses.c.created_at), WorkPause, brief=True)


class WorkPauseRepository(Repository):
    """The one pause of an installation, of all companies at once."""

    async def current(self) -> WorkPause | None:
        """Return the pause that holds, if one does."""
        return await self._first(CURRENT)

    async def begin(self, reason: str, now: datetime) -> None:
        """Let no work be done from the next start of a process on, unless a pause holds already."""
        values = {"key": THE_ONLY, "reason": reason, "created_at": now}
        await self._write(self._insert_or_ignore(work_pauses), values)

    async def end(self) -> bool:
        """Let work be done again; False when no pause held."""
        return (await self._write(delete(work_pauses))).rowcount == 1

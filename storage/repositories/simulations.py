"""Simulations of one engine, and the channels (platform, mode, source, country) that answers came through."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import BigInteger, ColumnElement, Select, bindparam, cast, func, select

from storage.filters import OptionalCondition, distinct_values, optional
from storage.queries import Listing, Query, plain
from storage.repositories.answers.answer_filters import UNFILTERED, AnswerFilter
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.answers import channels
from storage.tables.brands import brands
from storage.tables.prompts import run_batches, simulations

ChannelName: TypeAlias = tuple[str, str, str, str]
"""Platform, mode, source and country; the country is empty where none was sent to the engine."""


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
        """Return the key under which all channels of a country stand together; None where nothing was asked there."""
        platform, mode, source = EVERY_CHANNEL
        return await self._first(KEY, platform=platform, mode=mode, source=source, country=country)

    async def keys(self) -> dict[ChannelName, int]:
        """Return the key of every channel by its name."""
        return dict(await self._all(KEYS))


@dataclass(frozen=True, slots=True)
class Simulation:
    """One asking session as a list shows it."""

    id: str
    batch_id: str
    brand_id: str
    brand_name: str
    platform: str
    mode: str
    country: str
    not_supported: Sequence[str]
    source: str
    status: str
    custom_query: str | None
    accuracy_score: int | None
    planned: int
    answered: int
    failed: int
    created_at: datetime
    finished_at: datetime | None


OURS = simulations.c.company_id == bindparam("company_id")
OF_BRAND = simulations.c.brand_key == bindparam("brand_key")


def newest_first(*chosen: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """Skip to the page in the index alone, and look up only the sessions that are on it."""
    page = (
        select(simulations.c.key)
        .where(*chosen)
        .order_by(simulations.c.created_at.desc(), simulations.c.key.desc())
        .limit(bindparam("limit"))
        .offset(bindparam("offset"))
        .subquery()
    )
    return (
        select(
            *row_columns(
                Simulation,
                simulations,
                batch_id=run_batches.c.id,
                brand_id=brands.c.id,
                brand_name=brands.c.name,
            )
        )
        .select_from(page)
        .join(simulations, simulations.c.key == page.c.key)
        .join(run_batches, run_batches.c.key == simulations.c.batch_key)
        .join(brands, brands.c.key == simulations.c.brand_key)
        .order_by(simulations.c.created_at.desc(), simulations.c.key.desc())
    )


COUNTED = select(cast(func.coalesce(func.sum(brands.c.simulations), 0), BigInteger)).where(
    brands.c.company_id == bindparam("company_id")
)
LISTED = Listing(newest_first(OURS), COUNTED, Simulation, brief=True)
LISTED_OF_BRAND = Listing(
    newest_first(OURS, OF_BRAND),
    COUNTED.where(brands.c.key == bindparam("brand_key")),
    Simulation,
    brief=True,
)


FILTERS: Mapping[str, ColumnElement[bool]] = {
    "platform": simulations.c.platform == bindparam("platform"),
    "country": simulations.c.country == bindparam("country"),
    "mode": simulations.c.mode == bindparam("mode"),
    "since": simulations.c.created_at >= bindparam("since", type_=simulations.c.created_at.type),
    "until": simulations.c.created_at < bindparam("until", type_=simulations.c.created_at.type),
}
"""What a session itself says, by the field of `AnswerFilter`; its prompts stand at each of its asks."""


CHOSEN = (OURS, OptionalCondition(OF_BRAND, "of_brand"), *optional(FILTERS))
FILTERED = Listing(
    newest_first(*CHOSEN), select(func.count()).select_from(simulations).where(*CHOSEN), Simulation
)
"""A page and its count for any choice of filters; sessions that match are counted one by one."""


OF_BATCH = Query(
    select(
        simulations.c.key,
        simulations.c.planned,
        simulations.c.answered,
        simulations.c.failed,
        simulations.c.status,
        simulations.c.accuracy_score,
        simulations.c.finished_at,
    )
    .where(OURS, simulations.c.batch_key == bindparam("batch_key"))
    .order_by(simulations.c.key),
    plain,
)
HOW_MANY = Query(select(func.count()).select_from(simulations).where(OURS, OF_BRAND), int)
KNOWN = Query(COUNTED.where(brands.c.key == bindparam("brand_key")), int)
PLATFORMS = Query(distinct_values(simulations.c.platform, OURS), str, brief=True)
COUNTRIES = Query(distinct_values(simulations.c.country, OURS), str, brief=True)
OF_PLATFORM = Query(
    select(simulations.c.key).where(OURS, simulations.c.platform == bindparam("platform")).limit(1),
    int,
    brief=True,
)
OF_COUNTRY = Query(
    select(simulations.c.key).where(OURS, simulations.c.country == bindparam("country")).limit(1),
    int,
    brief=True,
)


class SimulationRepository(Repository):
    """The asking sessions of one company."""

    async def platforms(self) -> list[str]:
        """Return every platform that answers of the company came from."""
        return await self._all(PLATFORMS)

    async def countries(self) -> list[str]:
        """Return every country that answers of the company were asked from."""
        return await self._all(COUNTRIES)

    async def has_platform(self, platform: str) -> bool:
        """Return whether an answer of the company came from a platform."""
        return await self._first(OF_PLATFORM, platform=platform) is not None

    async def has_country(self, country: str) -> bool:
        """Return whether an answer of the company was asked from a country."""
        return await self._first(OF_COUNTRY, country=country) is not None

    async def of_batch(self, batch_key: int) -> list[dict[str, Any]]:
        """Return what the sessions of a batch say of their end, by column."""
        names = ("key", "planned", "answered", "failed", "status", "accuracy_score", "finished_at")
        rows = await self._all(OF_BATCH, batch_key=batch_key)
        return [dict(zip(names, row, strict=True)) for row in rows]

    async def count(self, brand_key: int) -> int:
        """Count the sessions of a brand row by row, as a verification of their stored number does."""
        return await self._first(HOW_MANY, brand_key=brand_key) or 0

    async def counted(self, brand_key: int) -> int:
        """Return the stored number of a brand's sessions, which pages show."""
        return await self._first(KNOWN, brand_key=brand_key) or 0

    async def page(
        self, brand_key: int | None, limit: int, offset: int, chosen: AnswerFilter = UNFILTERED
    ) -> tuple[list[Simulation], int]:
        """Return one page of asking sessions, newest first, and how many there are.

        `chosen` names no prompts. Its times are compared with the start of a session.
        """
        if chosen.names:
            listing = FILTERED.of(chosen.names if brand_key is None else (*chosen.names, "of_brand"))
            values = {"limit": limit, "offset": offset, "brand_key": brand_key, **chosen.values}
            return await self._page(listing, **values)
        if brand_key is None:
            return await self._page(LISTED, limit=limit, offset=offset)
        return await self._page(LISTED_OF_BRAND, brand_key=brand_key, limit=limit, offset=offset)

"""Results of one country: score, engines and rankings over the channels of the newest batch that asked there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import LargeBinary, and_, bindparam, delete, exists, insert, select, type_coerce

from storage.queries import Query, plain
from storage.repositories.results import BrandRankings
from storage.repositories.row_columns import row_columns
from storage.repositories.simulations import EVERY_CHANNEL
from storage.repository import Repository
from storage.tables.answers import channels
from storage.tables.brands import analysis_revisions, brands
from storage.tables.columns import unproven
from storage.tables.results import country_calculations, score_calculations


@dataclass(frozen=True, slots=True)
class CountryDraft:
    """What a batch shows of one country; documents as they are stored."""

    country: str
    headline: Mapping[str, Any]
    platforms: Mapping[str, Any]
    rankings: Mapping[str, Any]

    def columns(self) -> dict[str, Any]:
        """Return its values by column; documents are not copied, which would cost more than their use."""
        return {column.name: getattr(self, column.name) for column in fields(self)}


@dataclass(frozen=True, slots=True)
class CountryResult:
    """The newest result of a country, and the receipt of the calculation that it belongs to."""

    headline: Mapping[str, Any]
    platforms: Mapping[str, Any]
    receipt: Mapping[str, Any]
    calculated_at: datetime


OF_CALCULATION = and_(
    score_calculations.c.revision_key == country_calculations.c.revision_key,
    score_calculations.c.batch_key == country_calculations.c.batch_key,
)
TOGETHER = and_(
    *(
        column == name
        for column, name in zip(
            (channels.c.platform, channels.c.mode, channels.c.source), EVERY_CHANNEL, strict=True
        )
    )
)
NEWEST = Query(
    select(*row_columns(CountryResult, country_calculations, receipt=score_calculations.c.receipt))
    .join(score_calculations, OF_CALCULATION)
    .where(
        country_calculations.c.company_id == bindparam("company_id"),
        country_calculations.c.brand_key == bindparam("brand_key"),
        country_calculations.c.revision_key == bindparam("revision_key"),
        country_calculations.c.country == bindparam("country"),
    )
    .order_by(country_calculations.c.calculated_at.desc(), country_calculations.c.key.desc())
    .limit(1),
    CountryResult,
    brief=True,
)
DOCUMENTS = Query(
    select(
        type_coerce(country_calculations.c.headline, LargeBinary),
        type_coerce(score_calculations.c.receipt, LargeBinary),
    )
    .join(score_calculations, OF_CALCULATION)
    .where(
        country_calculations.c.company_id == bindparam("company_id"),
        country_calculations.c.brand_key == bindparam("brand_key"),
        country_calculations.c.revision_key == bindparam("revision_key"),
        country_calculations.c.country == bindparam("country"),
    )
    .order_by(country_calculations.c.calculated_at.desc(), country_calculations.c.key.desc())
    .limit(1),
    plain,
    brief=True,
)
LATEST = country_calculations.alias("latest")
NEWEST_OF_BRAND = (
    select(country_calculations.c.key)
    .where(
        country_calculations.c.brand_key == brands.c.key,
        country_calculations.c.revision_key == brands.c.revision_key,
        country_calculations.c.country == bindparam("country"),
    )
    .order_by(country_calculations.c.calculated_at.desc(), country_calculations.c.key.desc())
    .limit(1)
    .correlate(brands)
    .scalar_subquery()
)
RANKED = (
    select(
        brands.c.id,
        brands.c.name,
        score_calculations.c.score,
        score_calculations.c.status,
        LATEST.c.calculated_at,
        LATEST.c.rankings,
        score_calculations.c.receipt,
    )
    .select_from(brands)
    .join(LATEST, LATEST.c.key == NEWEST_OF_BRAND)
    .join(
        score_calculations,
        and_(
            score_calculations.c.revision_key == LATEST.c.revision_key,
            score_calculations.c.batch_key == LATEST.c.batch_key,
        ),
    )
    .where(brands.c.company_id == bindparam("company_id"))
    .order_by(LATEST.c.calculated_at.desc(), LATEST.c.key.desc())
)
RANKINGS = Query(
    RANKED.where(brands.c.archived_at.is_(None)).limit(bindparam("limit")), BrandRankings, brief=True
)
BRAND_RANKINGS = Query(RANKED.where(brands.c.key == bindparam("brand_key")), BrandRankings, brief=True)
KNOWN = Query(
    select(channels.c.country)
    .where(
        TOGETHER,
        exists(
            select(country_calculations.c.key).where(
                country_calculations.c.company_id == bindparam("company_id"),
                country_calculations.c.country == channels.c.country,
            )
        ),
    )
    .order_by(channels.c.country),
    str,
)
"""One index lookup for each country of the world that was asked from, however much was measured."""
OF_BATCH = Query(
    select(
        country_calculations.c.country,
        unproven(country_calculations.c.headline),
        unproven(country_calculations.c.platforms),
        unproven(country_calculations.c.rankings),
    )
    .join(
        score_calculations,
        and_(
            OF_CALCULATION,
            score_calculations.c.brand_key == country_calculations.c.brand_key,
            score_calculations.c.calculated_at == country_calculations.c.calculated_at,
        ),
    )
    .where(
        country_calculations.c.company_id == bindparam("company_id"),
        country_calculations.c.revision_key == bindparam("revision_key"),
        country_calculations.c.batch_key == bindparam("batch_key"),
    )
    .order_by(country_calculations.c.country),
    CountryDraft,
)


class CountryResultRepository(Repository):
    """The results by country of one company."""

    async def known(self) -> list[str]:
        """Return every country that some result of the company is of."""
        return await self._all(KNOWN)

    async def newest_documents(
        self, brand_key: int, revision_key: int, country: str
    ) -> tuple[bytes, bytes] | None:
        """Return headline and receipt of a country's newest result as they are stored: `parse_packed` reads them."""
        return await self._first(DOCUMENTS, brand_key=brand_key, revision_key=revision_key, country=country)

    async def newest(self, brand_key: int, revision_key: int, country: str) -> CountryResult | None:
        """Return the newest result of a brand in a country."""
        return await self._first(NEWEST, brand_key=brand_key, revision_key=revision_key, country=country)

    async def rankings(self, brand_key: int | None, country: str, limit: int) -> list[BrandRankings]:
        """Return the newest rankings of one brand or of every brand in a country, last measured first."""
        if brand_key is None:
            return await self._all(RANKINGS, country=country, limit=limit)
        return await self._all(BRAND_RANKINGS, brand_key=brand_key, country=country)

    async def of_batch(self, revision_key: int, batch_key: int) -> list[CountryDraft]:
        """Return what a revision's calculation of a batch says of each country."""
        return await self._all(OF_BATCH, revision_key=revision_key, batch_key=batch_key)

    async def replace(
        self,
        drafts: Sequence[CountryDraft],
        *,
        brand_key: int,
        revision_key: int,
        batch_key: int,
        now: datetime,
    ) -> None:
        """Store the results of a batch's countries in place of those that this revision had of it."""
        ours = select(analysis_revisions.c.key).where(
            analysis_revisions.c.key == revision_key, analysis_revisions.c.company_id == self.company_id
        )
        await self._write(
            delete(country_calculations).where(
                country_calculations.c.revision_key.in_(ours), country_calculations.c.batch_key == batch_key
            )
        )
        rows = [
            {
                "company_id": self.company_id,
                "brand_key": brand_key,
                "revision_key": revision_key,
                "batch_key": batch_key,
                "country": draft.country,
                "headline": draft.headline,
                "platforms": draft.platforms,
                "rankings": draft.rankings,
                "calculated_at": now,
            }
            for draft in drafts
        ]
        if rows:
            await self._write(insert(country_calculations), rows)

"""Results: stored calculations with their receipts, and the scores in force."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import LargeBinary, and_, bindparam, delete, insert, select, type_coerce

from storage.filters import MembershipFilter
from storage.ids import new_id
from storage.queries import Query, plain
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.brands import brands
from storage.tables.prompts import run_batches
from storage.tables.results import score_calculations


@dataclass(frozen=True, slots=True)
class BrandScore:
    """The score in force of one brand."""

    brand_id: str
    brand_name: str
    score: float | None
    status: str
    calculated_at: datetime


@dataclass(frozen=True, slots=True)
class BrandRankings(BrandScore):
    """With its rankings by platform; the empty name is all platforms together."""

    rankings: Mapping[str, Any]
    receipt: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CalculationRow:
    """One stored result: headline (score, factors, interval, change), per platform, ranking, receipt."""

    key: int
    id: str
    brand_key: int
    revision_key: int
    batch_key: int
    receipt_id: str
    status: str
    score: float | None
    headline: Mapping[str, Any]
    receipt: Mapping[str, Any]
    calculated_at: datetime


@dataclass(frozen=True, slots=True)
class CalculationDraft:
    """A result that is to be stored."""

    receipt_id: str
    status: str
    score: float | None
    headline: Mapping[str, Any]
    platforms: Mapping[str, Any]
    rankings: Mapping[str, Any]
    receipt: Mapping[str, Any]


CALCULATION = row_columns(CalculationRow, score_calculations)
OURS = and_(
    score_calculations.c.company_id == bindparam("company_id"),
    score_calculations.c.brand_key == bindparam("brand_key"),
    score_calculations.c.revision_key == bindparam("revision_key"),
)
NEWEST = (score_calculations.c.calculated_at.desc(), score_calculations.c.key.desc())
OF_BRAND = Query(
    select(*CALCULATION).where(OURS).order_by(*NEWEST).limit(bindparam("limit")), CalculationRow, brief=True
)
DOCUMENTS = Query(
    select(
        type_coerce(score_calculations.c.headline, LargeBinary),
        type_coerce(score_calculations.c.receipt, LargeBinary),
    )
    .where(OURS)
    .order_by(*NEWEST)
    .limit(1),
    plain,
    brief=True,
)
PLATFORMS = Query(
    select(score_calculations.c.platforms, score_calculations.c.calculated_at, score_calculations.c.receipt)
    .where(OURS)
    .order_by(*NEWEST)
    .limit(1),
    plain,
    brief=True,
)
NEWEST_OF_BRAND = (
    select(score_calculations.c.key)
    .where(
        score_calculations.c.brand_key == brands.c.key,
        score_calculations.c.revision_key == brands.c.revision_key,
    )
    .order_by(*NEWEST)
    .limit(1)
    .correlate(brands)
    .scalar_subquery()
)
LATEST = score_calculations.alias("latest")
CURRENT = (
    select(*row_columns(BrandScore, LATEST, brand_id=brands.c.id, brand_name=brands.c.name))
    .select_from(brands)
    .join(LATEST, LATEST.c.key == NEWEST_OF_BRAND)
    .where(brands.c.company_id == bindparam("company_id"))
    .order_by(LATEST.c.calculated_at.desc(), LATEST.c.key.desc())
)
IS_ACTIVE = brands.c.archived_at.is_(None)
SCORES = Query(CURRENT.where(IS_ACTIVE), BrandScore, brief=True)
RANKINGS = Query(
    CURRENT.where(IS_ACTIVE).add_columns(LATEST.c.rankings, LATEST.c.receipt).limit(bindparam("limit")),
    BrandRankings,
    brief=True,
)
BRAND_RANKINGS = Query(
    CURRENT.add_columns(LATEST.c.rankings, LATEST.c.receipt).where(brands.c.key == bindparam("brand_key")),
    BrandRankings,
    brief=True,
)
BY_RECEIPT = Query(
    select(*CALCULATION)
    .where(
        score_calculations.c.company_id == bindparam("company_id"),
        score_calculations.c.receipt_id == bindparam("receipt_id"),
    )
    .order_by(*NEWEST)
    .limit(1),
    CalculationRow,
)
OF_BATCH = Query(
    select(*CALCULATION).where(
        score_calculations.c.company_id == bindparam("company_id"),
        score_calculations.c.revision_key == bindparam("revision_key"),
        score_calculations.c.batch_key == bindparam("batch_key"),
    ),
    CalculationRow,
)
RECEIPTS = Query(
    select(run_batches.c.id, score_calculations.c.receipt)
    .join(score_calculations, score_calculations.c.batch_key == run_batches.c.key)
    .where(
        score_calculations.c.company_id == bindparam("company_id"),
        score_calculations.c.revision_key == bindparam("revision_key"),
        MembershipFilter(run_batches.c.id, "batch_ids"),
    ),
    plain,
)


class ResultRepository(Repository):
    """The calculations of one company."""

    async def latest(self, brand_key: int, revision_key: int, limit: int = 1) -> list[CalculationRow]:
        """Return the newest calculations of the brand in this revision, newest first."""
        return await self._all(OF_BRAND, brand_key=brand_key, revision_key=revision_key, limit=limit)

    async def newest_documents(self, brand_key: int, revision_key: int) -> tuple[bytes, bytes] | None:
        """Return headline and receipt of the newest calculation as they are stored: `parse_packed` reads them."""
        return await self._first(DOCUMENTS, brand_key=brand_key, revision_key=revision_key)

    async def platforms(
        self, brand_key: int, revision_key: int
    ) -> tuple[Mapping[str, Any], datetime, Mapping[str, Any]] | None:
        """Return the per-engine part of the newest calculation, when it was made, and its receipt."""
        return await self._first(PLATFORMS, brand_key=brand_key, revision_key=revision_key)

    async def scores(self) -> list[BrandScore]:
        """Return the score in force of every brand that was ever measured, last measured first."""
        return await self._all(SCORES)

    async def rankings(self, brand_key: int | None, limit: int) -> list[BrandRankings]:
        """Return the rankings in force of one brand, or of every brand, last measured first."""
        if brand_key is None:
            return await self._all(RANKINGS, limit=limit)
        return await self._all(BRAND_RANKINGS, brand_key=brand_key)

    async def by_receipt(self, receipt_id: str) -> CalculationRow | None:
        """Return the calculation that a receipt belongs to."""
        return await self._first(BY_RECEIPT, receipt_id=receipt_id)

    async def of_batch(self, revision_key: int, batch_key: int) -> CalculationRow | None:
        """Return the calculation of one batch in one revision."""
        return await self._first(OF_BATCH, revision_key=revision_key, batch_key=batch_key)

    async def receipts(
        self, revision_key: int, batch_ids: Sequence[str]
    ) -> list[tuple[str, Mapping[str, Any]]]:
        """Return the identifiers of those of these batches that are calculated, each with its receipt."""
        if not batch_ids:
            return []
        return await self._all(RECEIPTS, revision_key=revision_key, batch_ids=list(batch_ids))

    async def add(
        self,
        draft: CalculationDraft,
        *,
        brand_key: int,
        revision_key: int,
        batch_key: int,
        replay_of: int | None,
        now: datetime,
        signature: str = "",
    ) -> None:
        """Store a result, in place of what this revision said of the batch before."""
        origin = {"revision_key": revision_key, "batch_key": batch_key}
        same = (score_calculations.c.revision_key == revision_key) & (
            score_calculations.c.batch_key == batch_key
        )
        await self._write(
            delete(score_calculations).where(same, score_calculations.c.company_id == self.company_id)
        )
        owner = {"id": new_id(), "company_id": self.company_id, "brand_key": brand_key, **origin}
        names = ("receipt_id", "status", "score", "headline", "platforms", "rankings", "receipt")
        values = {name: getattr(draft, name) for name in names}
        await self._write(
            insert(score_calculations),
            {**owner, **values, "replay_of": replay_of, "calculated_at": now, "signature": signature},
        )

"""Batch cells: precomputed extraction results of a revision for each batch and day."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, delete, exists, insert, select

from storage.encoding import digest_of, packed, unpacked
from storage.errors import DamagedData
from storage.filters import MembershipFilter
from storage.queries import Query
from storage.repository import Repository
from storage.tables.prompts import run_batches
from storage.tables.results import batch_cells


@dataclass(frozen=True, slots=True)
class DayDocuments:
    """The documents of one batch and day: its answers, and the metrics of competitors, empty without any."""

    answers: str
    rivals: str


class LaidOutPlace(NamedTuple):
    """A batch and UTC day with the digest of its precomputed cells; equal digests mean equal answers."""

    batch_key: int
    batch_id: str
    day: date
    digest: str


@dataclass(frozen=True, slots=True)
class StoredCells:
    """The answers of one batch and UTC day, in the form of `measurement.publication.days`, still compressed."""

    batch_key: int
    batch_id: str
    day: date
    digest: str
    cells: bytes

    @property
    def place(self) -> LaidOutPlace:
        """The batch and day."""
        return LaidOutPlace(self.batch_key, self.batch_id, self.day, self.digest)

    @property
    def text(self) -> str:
        """The document. Raises DamagedData if it differs from what was written."""
        return unpacked(self.cells)


@dataclass(frozen=True, slots=True)
class StoredRivals:
    """Competitors' metrics in one batch on one day, in the form of `measurement.rival_points`, still compressed."""

    day: date
    rivals: bytes

    @property
    def text(self) -> str:
        """The document. Raises DamagedData if it differs from what was written."""
        return unpacked(self.rivals)


def day_documents(day: date, cells: bytes, rivals: bytes, digest: str) -> tuple[date, DayDocuments]:
    """Build one day with its documents. Raises DamagedData if they differ from what was written."""
    if digest != digest_of(cells):
        raise DamagedData("the daily document has another digest; replay the brand")
    return day, DayDocuments(unpacked(cells), unpacked(rivals))


OF_BRAND = and_(
    run_batches.c.company_id == bindparam("company_id"),
    run_batches.c.brand_key == bindparam("brand_key"),
    run_batches.c.status == "success",
)
OF_REVISION = and_(
    batch_cells.c.batch_key == run_batches.c.key, batch_cells.c.revision_key == bindparam("revision_key")
)
DURING = batch_cells.c.day.between(
    bindparam("first", type_=batch_cells.c.day.type), bindparam("last", type_=batch_cells.c.day.type)
)
NEWEST_BATCH = (run_batches.c.finished_at.desc(), run_batches.c.key.desc(), batch_cells.c.day)
PLACE = (run_batches.c.key, run_batches.c.id, batch_cells.c.day, batch_cells.c.digest)
PLACES = Query(
    select(*PLACE).join(batch_cells, OF_REVISION).where(OF_BRAND, DURING).order_by(*NEWEST_BATCH),
    LaidOutPlace,
)
OF_DAYS = Query(
    select(*PLACE, batch_cells.c.cells)
    .join(batch_cells, OF_REVISION)
    .where(OF_BRAND, DURING)
    .order_by(*NEWEST_BATCH),
    StoredCells,
)
OF_PLACES = Query(
    select(*PLACE, batch_cells.c.cells)
    .join(batch_cells, OF_REVISION)
    .where(OF_BRAND, DURING, MembershipFilter(run_batches.c.key, "batch_keys")),
    StoredCells,
)
OF_BATCHES = Query(
    select(*PLACE, batch_cells.c.cells)
    .join(batch_cells, OF_REVISION)
    .where(OF_BRAND, MembershipFilter(run_batches.c.key, "batch_keys"))
    .order_by(*NEWEST_BATCH),
    StoredCells,
)
RIVALS = Query(
    select(batch_cells.c.day, batch_cells.c.rivals)
    .select_from(run_batches.join(batch_cells, OF_REVISION))
    .where(OF_BRAND, DURING)
    .order_by(batch_cells.c.day, run_batches.c.key),
    StoredRivals,
)
NOT_LAID_OUT = Query(
    select(run_batches.c.key)
    .where(
        OF_BRAND,
        run_batches.c.finished_at >= bindparam("since", type_=run_batches.c.finished_at.type),
        ~exists(select(batch_cells.c.batch_key).where(OF_REVISION)),
    )
    .order_by(run_batches.c.finished_at.desc(), run_batches.c.key.desc())
    .limit(bindparam("limit")),
    int,
)


OF_BATCH = Query(
    select(batch_cells.c.day, batch_cells.c.cells, batch_cells.c.rivals, batch_cells.c.digest).where(
        batch_cells.c.company_id == bindparam("company_id"),
        batch_cells.c.revision_key == bindparam("revision_key"),
        batch_cells.c.batch_key == bindparam("batch_key"),
    ),
    day_documents,
)


class BatchCellRepository(Repository):
    """Extraction results of the revisions of one company's brands, by batch and day."""

    async def replace(self, revision_key: int, batch_key: int, days: Mapping[date, DayDocuments]) -> None:
        """Store a revision's results for a batch, replacing earlier ones."""
        same = (batch_cells.c.revision_key == revision_key) & (batch_cells.c.batch_key == batch_key)
        await self._write(delete(batch_cells).where(same))
        origin: dict[str, Any] = {
            "revision_key": revision_key,
            "batch_key": batch_key,
            "company_id": self.company_id,
        }
        rows: list[dict[str, Any]] = []
        for day, of_day in days.items():
            cells, rivals = packed(of_day.answers), packed(of_day.rivals)
            rows.append({**origin, "day": day, "cells": cells, "rivals": rivals, "digest": digest_of(cells)})
        if rows:
            await self._write(insert(batch_cells), rows)

    async def places(self, brand_key: int, revision_key: int, first: date, last: date) -> list[LaidOutPlace]:
        """Return the precomputed days of successful batches in this period, newest batch first."""
        return await self._all(PLACES, brand_key=brand_key, revision_key=revision_key, first=first, last=last)

    async def of_places(
        self, brand_key: int, revision_key: int, places: Sequence[LaidOutPlace]
    ) -> list[StoredCells]:
        """Return the current cells of at least one place, in any order; the result may include other places."""
        days = [place.day for place in places]
        return await self._all(
            OF_PLACES,
            brand_key=brand_key,
            revision_key=revision_key,
            first=min(days),
            last=max(days),
            batch_keys=sorted({place.batch_key for place in places}),
        )

    async def of_days(self, brand_key: int, revision_key: int, first: date, last: date) -> list[StoredCells]:
        """Return a revision's results for the successful batches of these days, newest batch first."""
        return await self._all(
            OF_DAYS, brand_key=brand_key, revision_key=revision_key, first=first, last=last
        )

    async def of_batches(
        self, brand_key: int, revision_key: int, batch_keys: Sequence[int]
    ) -> list[StoredCells]:
        """Return a revision's results for these successful batches, newest batch first."""
        return await self._all(
            OF_BATCHES, brand_key=brand_key, revision_key=revision_key, batch_keys=list(batch_keys)
        )

    async def rivals(self, brand_key: int, revision_key: int, first: date, last: date) -> list[StoredRivals]:
        """Return the metrics of competitors on these days, by batch, oldest day first."""
        return await self._all(RIVALS, brand_key=brand_key, revision_key=revision_key, first=first, last=last)

    async def of_batch(self, revision_key: int, batch_key: int) -> dict[date, DayDocuments]:
        """Return the stored documents of a batch by day. Raises DamagedData if they differ from what was written."""
        return dict(await self._all(OF_BATCH, revision_key=revision_key, batch_key=batch_key))

    async def not_laid_out(self, brand_key: int, revision_key: int, limit: int, since: datetime) -> list[int]:
        """Return the keys of successful batches since an instant without precomputed cells, newest first."""
        return await self._all(
            NOT_LAID_OUT, brand_key=brand_key, revision_key=revision_key, limit=limit, since=since
        )

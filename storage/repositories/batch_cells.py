"""Batch cells: what a revision read in the answers of each batch and day, as publishing laid it out."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import and_, bindparam, delete, exists, insert, select

from storage.packing import packed, unpacked
from storage.statements.queries import Query, plain
from storage.statements.repository import Repository
from storage.statements.tables.prompts import run_batches
from storage.statements.tables.results import batch_cells


@dataclass(frozen=True, slots=True)
class StoredCells:
    """The answers of one batch and UTC day, in the form of `measurement.answer_counts`."""

    batch_key: int
    text: str


def stored_cells(batch_key: int, cells: bytes) -> StoredCells:
    """Build one batch and day."""
    return StoredCells(batch_key, unpacked(cells))


B, C = run_batches.c, batch_cells.c
OF_BRAND = and_(
    B.company_id == bindparam("company_id"),
    B.brand_key == bindparam("brand_key"),
    B.status == "success",
)
OF_REVISION = and_(C.batch_key == B.key, C.revision_key == bindparam("revision_key"))
OF_DAYS = Query(
    select(B.key, C.cells)
    .join(batch_cells, OF_REVISION)
    .where(OF_BRAND, C.day.between(bindparam("first", type_=C.day.type), bindparam("last", type_=C.day.type)))
    .order_by(C.day.desc(), B.key.desc()),
    stored_cells,
)
NOT_LAID_OUT = Query(
    select(B.key)
    .where(OF_BRAND, ~exists(select(C.batch_key).where(OF_REVISION)))
    .order_by(B.finished_at.desc(), B.key.desc())
    .limit(bindparam("limit")),
    int,
)


OF_BATCH = Query(
    select(C.day, C.cells).where(
        C.company_id == bindparam("company_id"),
        C.revision_key == bindparam("revision_key"),
        C.batch_key == bindparam("batch_key"),
    ),
    plain,
)


class BatchCellRepository(Repository):
    """What the revisions of one company's brands read, by batch and day."""

    async def replace(self, revision_key: int, batch_key: int, days: Mapping[date, str]) -> None:
        """Store what a revision read in a batch, in place of what was there before."""
        same = (C.revision_key == revision_key) & (C.batch_key == batch_key)
        await self._write(delete(batch_cells).where(same))
        origin: dict[str, Any] = {
            "revision_key": revision_key,
            "batch_key": batch_key,
            "company_id": self.company_id,
        }
        rows = [{**origin, "day": day, "cells": packed(text)} for day, text in days.items()]
        if rows:
            await self._write(insert(batch_cells), rows)

    async def of_days(self, brand_key: int, revision_key: int, first: date, last: date) -> list[StoredCells]:
        """Return what a revision read in the successful batches of these days, the newest day first."""
        return await self._all(
            OF_DAYS, brand_key=brand_key, revision_key=revision_key, first=first, last=last
        )

    async def of_batch(self, revision_key: int, batch_key: int) -> dict[date, str]:
        """Return what is stored of a batch by day. Raises DamagedData when it is not what was written."""
        days = await self._all(OF_BATCH, revision_key=revision_key, batch_key=batch_key)
        return {day: unpacked(cells) for day, cells in days}

    async def not_laid_out(self, brand_key: int, revision_key: int, limit: int) -> list[int]:
        """Return the keys of successful batches that nothing is stored of, the newest first."""
        return await self._all(NOT_LAID_OUT, brand_key=brand_key, revision_key=revision_key, limit=limit)

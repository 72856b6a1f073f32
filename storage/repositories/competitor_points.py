"""Competitor points: the published metrics of a brand's competitors by batch and day."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import bindparam, delete, insert, select

from storage.queries import Query, plain
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.columns import unproven
from storage.tables.results import competitor_points

OURS = competitor_points.c.company_id == bindparam("company_id")
OF_REVISION = competitor_points.c.revision_key == bindparam("revision_key")


@dataclass(frozen=True, slots=True)
class StoredCompetitorPoints:
    """The metrics of competitors in one batch on one day, as `measurement.publication.competitor_points` reads them."""

    day: date
    points: Mapping[str, Any]


NEWEST = Query(
    select(*row_columns(StoredCompetitorPoints, competitor_points))
    .where(
        OURS,
        OF_REVISION,
        competitor_points.c.day.between(
            bindparam("first", type_=competitor_points.c.day.type),
            bindparam("last", type_=competitor_points.c.day.type),
        ),
    )
    .order_by(competitor_points.c.day.desc(), competitor_points.c.batch_key.desc())
    .limit(bindparam("limit")),
    StoredCompetitorPoints,
)
OF_BATCH = Query(
    select(competitor_points.c.day, unproven(competitor_points.c.points)).where(
        OURS, OF_REVISION, competitor_points.c.batch_key == bindparam("batch_key")
    ),
    plain,
)


class CompetitorPointRepository(Repository):
    """The published metrics of the competitors of one company's brands."""

    async def replace(
        self, revision_key: int, batch_key: int, days: Mapping[date, Mapping[str, Any]]
    ) -> None:
        """Store a batch's points in a revision, in place of earlier ones."""
        same = (competitor_points.c.revision_key == revision_key) & (
            competitor_points.c.batch_key == batch_key
        )
        await self._write(delete(competitor_points).where(same))
        origin = {"revision_key": revision_key, "batch_key": batch_key, "company_id": self.company_id}
        await self._write_all(
            insert(competitor_points),
            [{**origin, "day": day, "points": points} for day, points in days.items()],
        )

    async def newest(
        self, revision_key: int, first: date, last: date, limit: int
    ) -> list[StoredCompetitorPoints]:
        """Return the points of these days, newest first, of at most `limit` batches and days."""
        return await self._all(NEWEST, revision_key=revision_key, first=first, last=last, limit=limit)

    async def of_batch(self, revision_key: int, batch_key: int) -> dict[date, Mapping[str, Any]]:
        """Return the stored points of a batch by day, whatever they contain."""
        return dict(await self._all(OF_BATCH, revision_key=revision_key, batch_key=batch_key))

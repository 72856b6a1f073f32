"""Analysis revisions: a brand's former, current and next method of reading answers."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Select,
    and_,
    bindparam,
    exists,
    insert,
    select,
    update,
)

from storage.errors import RowGone
from storage.queries import Query, plain
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.brands import analysis_revisions, brands


@dataclass(frozen=True, slots=True)
class Revision:
    """A method of reading answers: the versions of every step, and a fingerprint of them and the aliases."""

    key: int
    brand_key: int
    versions: Mapping[str, Any]
    fingerprint: str
    state: str
    parsing: int
    """The parsing whose text it reads; 0 is what was stored first."""


OWN_REVISION = exists(
    select(analysis_revisions.c.key)
    .where(
        analysis_revisions.c.company_id == bindparam("company_id"),
        analysis_revisions.c.key == bindparam("revision_key"),
    )
    .correlate(None)
)
"""Whether the requested revision belongs to the company. It is looked up once; a join may read every row."""
REVISION_COLUMNS = row_columns(Revision, analysis_revisions)
OF_BRAND = and_(
    analysis_revisions.c.company_id == bindparam("company_id"),
    analysis_revisions.c.brand_key == bindparam("brand_key"),
)
CURRENT = Query(
    select(*REVISION_COLUMNS).where(OF_BRAND, analysis_revisions.c.state == "current"), Revision, brief=True
)
VERSIONS_BY_STATE = Query(
    select(analysis_revisions.c.state, analysis_revisions.c.versions).where(
        OF_BRAND, analysis_revisions.c.state != "retired"
    ),
    plain,
    brief=True,
)
REREADING = Query(
    select(analysis_revisions.c.key)
    .join(brands, brands.c.key == analysis_revisions.c.brand_key)
    .where(brands.c.company_id == bindparam("company_id"), analysis_revisions.c.state == "building")
    .limit(1),
    int,
    brief=True,
)
BUILDING = Query(
    select(*REVISION_COLUMNS)
    .where(OF_BRAND, analysis_revisions.c.state == "building")
    .order_by(analysis_revisions.c.key.desc())
    .limit(1),
    Revision,
)
MATCHING = Query(
    select(*REVISION_COLUMNS)
    .where(OF_BRAND, analysis_revisions.c.fingerprint == bindparam("fingerprint"))
    .order_by(analysis_revisions.c.key.desc())
    .limit(1),
    Revision,
)

BY_KEY = Query(
    select(*REVISION_COLUMNS).where(
        analysis_revisions.c.company_id == bindparam("company_id"),
        analysis_revisions.c.key == bindparam("key"),
    ),
    Revision,
)


def owned_revision(company_id: str, revision_key: int) -> Select[tuple[int]]:
    """Return the selection of a company's revision, for tables whose rows have no owner column."""
    return select(analysis_revisions.c.key).where(
        analysis_revisions.c.key == revision_key, analysis_revisions.c.company_id == company_id
    )


class RevisionRepository(Repository):
    """The analysis revisions of one company."""

    async def current(self, brand_key: int) -> Revision | None:
        """Return the revision behind every number of this brand."""
        return await self._first(CURRENT, brand_key=brand_key)

    async def find(self, key: int) -> Revision:
        """Return a revision that is known to exist, whatever its state. Raises RowGone if it was deleted."""
        revision = await self._first(BY_KEY, key=key)
        if revision is None:
            raise RowGone
        return revision

    async def building(self, brand_key: int) -> Revision | None:
        """Return the revision that is being built in parallel to the current one."""
        return await self._first(BUILDING, brand_key=brand_key)

    async def versions_by_state(self, brand_key: int) -> dict[str, Mapping[str, Any]]:
        """Return the versions of the current revision, and of the one being built if there is one, by state."""
        return dict(await self._all(VERSIONS_BY_STATE, brand_key=brand_key))

    async def rereading(self) -> bool:
        """Return whether any brand's history is being reprocessed; the cost only grows with the number of brands."""
        return await self._first(REREADING) is not None

    async def matching(self, brand_key: int, fingerprint: str) -> Revision | None:
        """Return the newest revision with this fingerprint, whatever its state."""
        return await self._first(MATCHING, brand_key=brand_key, fingerprint=fingerprint)

    async def begin(
        self, brand_key: int, versions: Mapping[str, Any], fingerprint: str, parsing: int, now: datetime
    ) -> Revision:
        """Create a revision that is built in parallel to the current one, from the text of a parsing."""
        values = {
            "brand_key": brand_key,
            "versions": versions,
            "fingerprint": fingerprint,
            "state": "building",
            "parsing": parsing,
        }
        await self._insert(
            insert(analysis_revisions), {**values, "company_id": self.company_id, "created_at": now}
        )
        made = await self.matching(brand_key, fingerprint)
        assert made is not None
        return made

    async def switch(self, revision: Revision, now: datetime) -> None:
        """Make a complete revision current in a single step; the previous one is kept as retired."""
        of_brand = and_(
            analysis_revisions.c.brand_key == revision.brand_key,
            analysis_revisions.c.company_id == self.company_id,
        )
        retired = {"state": "retired", "replaced_at": now}
        other = and_(
            of_brand, analysis_revisions.c.state != "retired", analysis_revisions.c.key != revision.key
        )
        await self._write(update(analysis_revisions).where(other).values(retired))
        current = {"state": "current", "replaced_at": None}
        await self._write(
            update(analysis_revisions).where(analysis_revisions.c.key == revision.key).values(current)
        )
        brand = (brands.c.key == revision.brand_key) & (brands.c.company_id == self.company_id)
        await self._write(update(brands).where(brand).values(revision_key=revision.key))

    async def resume(self, revision: Revision, now: datetime) -> Revision:
        """Rebuild a retired revision, replacing any other that was being built."""
        await self.retire_unfinished(revision.brand_key, now)
        building = {"state": "building", "replaced_at": None}
        await self._write(
            update(analysis_revisions).where(analysis_revisions.c.key == revision.key).values(building)
        )
        return replace(revision, state="building")

    async def retire_unfinished(self, brand_key: int, now: datetime) -> None:
        """Retire the revision being built, because the brand is read by the current revision again."""
        building = and_(
            analysis_revisions.c.brand_key == brand_key,
            analysis_revisions.c.company_id == self.company_id,
            analysis_revisions.c.state == "building",
        )
        retired = {"state": "retired", "replaced_at": now}
        await self._write(update(analysis_revisions).where(building).values(retired))

"""Deletes a company whose brands are gone, with its people, keys and books; and keeps when that is planned."""

from datetime import datetime

from sqlalchemy import bindparam, delete, select, update

from storage.queries import Query
from storage.repository import Repository
from storage.tables.changes import change_counts
from storage.tables.companies import companies


def instant(delete_at: datetime) -> datetime:
    """Return the value of the one column as it is."""
    return delete_at


OURS = companies.c.id == bindparam("company_id")
PLANNED = Query(select(companies.c.delete_at).where(OURS, companies.c.delete_at.is_not(None)), instant)


class CompanyDeletionRepository(Repository):
    """Plans and does the deletion of one company."""

    async def planned(self) -> datetime | None:
        """Return when the company is to be deleted, None where nobody plans it."""
        return await self._first(PLANNED)

    async def plan(self, delete_at: datetime | None) -> None:
        """Have the company deleted at an instant, or not at all."""
        row = companies.c.id == self.company_id
        await self._write(update(companies).where(row).values(delete_at=delete_at))

    async def delete(self) -> None:
        """Delete the company with whatever is still its own; its brands, which hold the most, go before.

        Its counts go after it: whoever still writes has locked the company first, and would wait for a count.
        """
        await self._write(delete(companies).where(companies.c.id == self.company_id))
        await self._write(delete(change_counts))

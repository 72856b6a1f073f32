"""Companies and their people, as the operator sees them, and the deletion of a company whose brands are gone."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select, update

from storage.errors import DuplicateRow
from storage.ids import new_id
from storage.queries import Query
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.companies import companies, users


@dataclass(frozen=True, slots=True)
class Company:
    """One company, which is one workspace."""

    id: str
    name: str
    plan: str
    created_at: datetime


COLUMNS = row_columns(Company, companies)
ALL = Query(select(*COLUMNS).order_by(companies.c.created_at, companies.c.id), Company)
BY_NAME_OR_ID = Query(
    select(*COLUMNS).where(
        (companies.c.name_folded == bindparam("folded")) | (companies.c.id == bindparam("id"))
    ),
    Company,
    brief=True,
)
TO_DELETE = Query(
    select(*COLUMNS)
    .where(companies.c.delete_at <= bindparam("now", type_=companies.c.delete_at.type))
    .order_by(companies.c.delete_at, companies.c.id),
    Company,
)
EMAIL = Query(select(users.c.id).where(users.c.email == bindparam("email")), str)


class CompanyRepository(Repository):
    """The operator's list of tenants."""

    async def all(self) -> list[Company]:
        """Return every company, oldest first."""
        return await self._all(ALL)

    async def to_delete(self, now: datetime) -> list[Company]:
        """Return the companies whose time to change one's mind is over, the oldest first."""
        return await self._all(TO_DELETE, now=now)

    async def find(self, name_or_id: str) -> Company | None:
        """Find by identifier or by exact name in any case."""
        return await self._first(BY_NAME_OR_ID, folded=name_or_id.strip().casefold(), id=name_or_id)

    async def create(
        self, name: str, email: str, plan: str, now: datetime, *, may_share_name: bool = False
    ) -> Company:
        """Make a company and its owner. Raises DuplicateRow when the e-mail is taken, or the name.

        With `may_share_name` a second company of a name is made, which is found by its identifier alone: strangers
        learn of no name whether it has an account, and take none away.
        """
        name, email = name.strip(), email.strip().lower()
        company, name_folded = Company(new_id(), name, plan, now), name.casefold()
        if await self.find(name) is not None:
            if not may_share_name:
                raise DuplicateRow("company", name)
            name_folded = f"{name_folded}\n{company.id}"
        if await self._first(EMAIL, email=email) is not None:
            raise DuplicateRow("e-mail", email)
        await self._write(
            insert(companies),
            {"id": company.id, "name": name, "name_folded": name_folded, "plan": plan, "created_at": now},
        )
        owner = {"id": new_id(), "company_id": company.id, "email": email, "name": email.split("@")[0]}
        await self._write(insert(users), owner | {"role": "owner", "created_at": now})
        return company

    async def rename(self, company_id: str, name: str) -> None:
        """Call a company otherwise; a name that another one has is shared as `create` shares it."""
        name = name.strip()
        holder = await self.find(name)
        shared = holder is not None and holder.id != company_id
        folded = f"{name.casefold()}\n{company_id}" if shared else name.casefold()
        values = {"name": name, "name_folded": folded}
        await self._write(update(companies).where(companies.c.id == company_id).values(values))

    async def set_plan(self, company_id: str, plan: str) -> None:
        """Put the company on another plan."""
        await self._write(update(companies).where(companies.c.id == company_id).values(plan=plan))


def instant(delete_at: datetime) -> datetime:
    """Return the value of the one column as it is."""
    return delete_at


OURS = companies.c.id == bindparam("company_id")
PLANNED = Query(select(companies.c.delete_at).where(OURS, companies.c.delete_at.is_not(None)), instant)


class CompanyDeletionRepository(Repository):
    """Plans and does the deletion of one company."""

    async def planned(self) -> datetime | None:
        """Return when the company is to be deleted, None where none is planned."""
        return await self._first(PLANNED)

    async def plan(self, delete_at: datetime | None) -> None:
        """Have the company deleted at an instant, or not at all."""
        row = companies.c.id == self.company_id
        await self._write(update(companies).where(row).values(delete_at=delete_at))

    async def delete(self) -> None:
        """Delete the company with whatever is still its own; its brands, which hold the most, go before."""
        await self._write(delete(companies).where(companies.c.id == self.company_id))

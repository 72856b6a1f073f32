"""People: who they are, what they may do in their company, and the hash of their password."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Exists, bindparam, delete, insert, or_, select, true, update

from storage.errors import DuplicateRow
from storage.ids import new_id
from storage.queries import Query
from storage.repositories.locks import company_lock
from storage.repository import Repository
from storage.tables.companies import companies, users


@dataclass(frozen=True, slots=True)
class User:
    """One person of one company; `role` is owner, member or viewer."""

    id: str
    company_id: str
    company_name: str
    plan: str
    email: str
    name: str
    role: str
    password_hash: str | None
    created_at: datetime


OTHER = users.alias("others")
COLUMNS = (
    users.c.id,
    users.c.company_id,
    companies.c.name,
    companies.c.plan,
    users.c.email,
    users.c.name,
    users.c.role,
    users.c.password_hash,
    users.c.created_at,
)
PEOPLE = select(*COLUMNS).join(companies, companies.c.id == users.c.company_id)
BY_EMAIL = Query(PEOPLE.where(users.c.email == bindparam("email")), User)
BY_ID = Query(PEOPLE.where(users.c.id == bindparam("id")), User)
WITH_PASSWORD = Query(select(users.c.id).where(users.c.password_hash.is_not(None)).limit(1), str)
OF_COMPANY = Query(
    PEOPLE.where(users.c.company_id == bindparam("company_id")).order_by(users.c.created_at, users.c.id), User
)


def folded(email: str) -> str:
    """Return the one form in which an address is stored and compared."""
    return email.strip().lower()


class UserRepository(Repository):
    """People of every company, for the one who signs them in."""

    async def by_email(self, email: str) -> User | None:
        """Find by address, in any case."""
        return await self._first(BY_EMAIL, email=folded(email))

    async def exist(self) -> bool:
        """Tell whether anybody can sign in, or could until now."""
        return bool(await self._first(WITH_PASSWORD))

    async def by_id(self, user_id: str) -> User | None:
        """Find by identifier."""
        return await self._first(BY_ID, id=user_id)

    async def add(
        self, company_id: str, email: str, name: str, role: str, password_hash: str, now: datetime
    ) -> str:
        """Add a person to a company and return the new identifier. Raises Duplicate when the address is taken."""
        if await self.by_email(email) is not None:
            raise DuplicateRow("e-mail", folded(email))
        values = {"id": new_id(), "company_id": company_id, "email": folded(email), "name": name.strip()}
        values |= {"role": role, "password_hash": password_hash}
        await self._write(insert(users), {**values, "created_at": now})
        return values["id"]

    async def set_password(self, user_id: str, password_hash: str) -> None:
        """Replace the hash of the password."""
        await self._write(update(users).where(users.c.id == user_id).values(password_hash=password_hash))

    async def rename(self, user_id: str, name: str) -> None:
        """Change how the person is called."""
        await self._write(update(users).where(users.c.id == user_id).values(name=name.strip()))


class ColleagueRepository(Repository):
    """The people of one company."""

    async def all(self) -> list[User]:
        """Return everybody, the longest here first."""
        return await self._all(OF_COMPANY)

    async def set_role(self, user_id: str, role: str) -> bool:
        """Give a colleague a role; False for nobody of the company, and for its last owner."""
        await self._write(company_lock(self.company_id))
        stays = self._other_owner(user_id) if role != "owner" else true()
        row = (users.c.id == user_id) & (users.c.company_id == self.company_id)
        done = await self._write(
            update(users).where(row, or_(users.c.role != "owner", stays)).values(role=role)
        )
        return done.rowcount == 1

    async def remove(self, user_id: str) -> bool:
        """Delete a colleague with sessions and connected apps; False for a stranger and the last owner.

        What they made stays, and what they were to do is nobody's.
        """
        await self._write(company_lock(self.company_id))
        row = (users.c.id == user_id) & (users.c.company_id == self.company_id)
        done = await self._write(
            delete(users).where(row, or_(users.c.role != "owner", self._other_owner(user_id)))
        )
        return done.rowcount == 1

    def _other_owner(self, user_id: str) -> Exists:
        """Return the condition that the company has an owner beside this person."""
        others = select(OTHER.c.id).where(
            OTHER.c.company_id == self.company_id, OTHER.c.role == "owner", OTHER.c.id != user_id
        )
        return others.exists()

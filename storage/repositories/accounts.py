"""Accounts: people and their roles, sessions, invitations and password resets; only digests of secrets are stored."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Exists, bindparam, delete, insert, or_, select, true, update

from storage.errors import DuplicateRow
from storage.ids import new_id
from storage.queries import Query
from storage.repositories.locks import company_lock
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.accounts import invitations, sessions
from storage.tables.companies import companies, users
from storage.tables.mails import password_resets


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
COLUMNS = row_columns(User, users, company_name=companies.c.name, plan=companies.c.plan)
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
        """Return whether any account can sign in, or could until now."""
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
        """Return all colleagues, the longest here first."""
        return await self._all(OF_COMPANY)

    async def set_role(self, user_id: str, role: str) -> bool:
        """Give a colleague a role; False for a user outside the company, and for its last owner."""
        await self._write(company_lock(self.company_id))
        stays = self._other_owner(user_id) if role != "owner" else true()
        row = (users.c.id == user_id) & (users.c.company_id == self.company_id)
        done = await self._write(
            update(users).where(row, or_(users.c.role != "owner", stays)).values(role=role)
        )
        return done.rowcount == 1

    async def remove(self, user_id: str) -> bool:
        """Delete a colleague with sessions and connected apps; False for a stranger and the last owner.

        What they made stays, and actions assigned to them become unassigned.
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


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session; `seen_at` is its last use, right within a minute."""

    digest: str
    company_id: str
    user_id: str
    seen_at: datetime
    created_at: datetime


SESSION_COLUMNS = row_columns(SessionRow, sessions)
BY_DIGEST = Query(
    select(*SESSION_COLUMNS).where(sessions.c.digest.in_([bindparam("now_digest"), bindparam("former")])),
    SessionRow,
)


class SessionRepository(Repository):
    """The sessions of every company, for the one who checks cookies."""

    async def find(self, digests: tuple[str, str]) -> SessionRow | None:
        """Return the session stored under one of the digests, however old."""
        return await self._first(BY_DIGEST, now_digest=digests[0], former=digests[1])

    async def add(self, session: SessionRow) -> None:
        """Store a new session."""
        await self._write(
            insert(sessions), {column.name: getattr(session, column.name) for column in SESSION_COLUMNS}
        )

    async def seen(self, digest: str, now: datetime) -> None:
        """Remember a use."""
        await self._write(update(sessions).where(sessions.c.digest == digest).values(seen_at=now))

    async def end(self, digests: tuple[str, str]) -> None:
        """Sign out the session stored under one of the digests."""
        await self._write(delete(sessions).where(sessions.c.digest.in_(digests)))

    async def end_all(self, user_id: str) -> None:
        """Sign a person out everywhere."""
        await self._write(delete(sessions).where(sessions.c.user_id == user_id))

    async def sweep(self, idle_since: datetime, created_before: datetime) -> None:
        """Delete what can no longer be used."""
        await self._write(
            delete(sessions).where(
                or_(sessions.c.seen_at < idle_since, sessions.c.created_at < created_before)
            )
        )


@dataclass(frozen=True, slots=True)
class Invitation:
    """One open invitation; `invited_by` is None when the operator made it."""

    id: str
    company_id: str
    company_name: str
    email: str
    role: str
    invited_by: str | None
    expires_at: datetime
    created_at: datetime


OPEN = select(*row_columns(Invitation, invitations, company_name=companies.c.name)).join(
    companies, companies.c.id == invitations.c.company_id
)
INVITATION_BY_DIGEST = Query(
    OPEN.where(invitations.c.digest.in_([bindparam("now_digest"), bindparam("former")])), Invitation
)
INVITATION_OF_COMPANY = Query(
    OPEN.where(invitations.c.company_id == bindparam("company_id")).order_by(
        invitations.c.created_at, invitations.c.id
    ),
    Invitation,
)


class InvitationRepository(Repository):
    """The invitations of every company, for the one who is handed a link."""

    async def by_digests(self, digests: tuple[str, str]) -> Invitation | None:
        """Return the invitation whose token is stored under one of the digests, however old."""
        return await self._first(INVITATION_BY_DIGEST, now_digest=digests[0], former=digests[1])

    async def use(self, invitation_id: str) -> bool:
        """Take the invitation; False when another caller was faster."""
        return (await self._write(delete(invitations).where(invitations.c.id == invitation_id))).rowcount == 1


class CompanyInvitationRepository(Repository):
    """The invitations of one company."""

    async def all(self) -> list[Invitation]:
        """Return the open ones, oldest first."""
        return await self._all(INVITATION_OF_COMPANY)

    async def add(self, invitation: Invitation, digest: str) -> None:
        """Store a new invitation, in the place of an earlier one to the same address."""
        await self._write(
            delete(invitations).where(
                invitations.c.company_id == self.company_id, invitations.c.email == invitation.email
            )
        )
        names = ("id", "email", "role", "invited_by", "expires_at", "created_at")
        values = {name: getattr(invitation, name) for name in names}
        await self._write(insert(invitations), values | {"company_id": self.company_id, "digest": digest})

    async def withdraw(self, invitation_id: str) -> bool:
        """Take an invitation back; False when it is not there."""
        condition = (invitations.c.id == invitation_id) & (invitations.c.company_id == self.company_id)
        return (await self._write(delete(invitations).where(condition))).rowcount == 1


@dataclass(frozen=True, slots=True)
class PasswordReset:
    """One open link and whose password it changes, or makes: `first` says that there is none yet."""

    digest: str
    company_id: str
    user_id: str
    email: str
    first: bool
    expires_at: datetime


RESET_BY_DIGEST = Query(
    select(
        *row_columns(
            PasswordReset, password_resets, email=users.c.email, first=users.c.password_hash.is_(None)
        )
    )
    .join(users, users.c.id == password_resets.c.user_id)
    .where(password_resets.c.digest.in_([bindparam("now_digest"), bindparam("former")])),
    PasswordReset,
)


class PasswordResetRepository(Repository):
    """The links of every company, for the one who is handed one."""

    async def by_digests(self, digests: tuple[str, str]) -> PasswordReset | None:
        """Return the link stored under one of the digests, however old."""
        return await self._first(RESET_BY_DIGEST, now_digest=digests[0], former=digests[1])

    async def use(self, digest: str) -> bool:
        """Take a link; False when another caller was faster."""
        return (
            await self._write(delete(password_resets).where(password_resets.c.digest == digest))
        ).rowcount == 1


class CompanyPasswordResetRepository(Repository):
    """The links of one company's people."""

    async def add(self, digest: str, user_id: str, expires_at: datetime, now: datetime) -> None:
        """Store a new link, in the place of earlier ones of the person."""
        await self._write(
            delete(password_resets).where(
                password_resets.c.user_id == user_id, password_resets.c.company_id == self.company_id
            )
        )
        values = {"digest": digest, "company_id": self.company_id, "user_id": user_id}
        await self._write(insert(password_resets), {**values, "expires_at": expires_at, "created_at": now})

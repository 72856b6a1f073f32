"""Links by which people choose a new password: each works once and for a while; only the digest is kept."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select

from storage.queries import Query
from storage.repository import Repository
from storage.tables.companies import users
from storage.tables.mails import password_resets


@dataclass(frozen=True, slots=True)
class PasswordReset:
    """One open link and whose password it changes, or makes: `first` says that there is none yet."""

    digest: str
    company_id: str
    user_id: str
    email: str
    first: bool
    expires_at: datetime


BY_DIGEST = Query(
    select(
        password_resets.c.digest,
        password_resets.c.company_id,
        password_resets.c.user_id,
        users.c.email,
        users.c.password_hash.is_(None),
        password_resets.c.expires_at,
    )
    .join(users, users.c.id == password_resets.c.user_id)
    .where(password_resets.c.digest.in_([bindparam("now_digest"), bindparam("former")])),
    PasswordReset,
)


class PasswordResetRepository(Repository):
    """The links of every company, for the one who is handed one."""

    async def by_digests(self, digests: tuple[str, str]) -> PasswordReset | None:
        """Return the link stored under one of the digests, however old."""
        return await self._first(BY_DIGEST, now_digest=digests[0], former=digests[1])

    async def use(self, digest: str) -> bool:
        """Take a link; False when somebody was faster."""
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

"""Invitations to join a company: a link that works once; only the digest of its token is kept."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select

from storage.queries import Query
from storage.repository import Repository
from storage.tables.accounts import invitations
from storage.tables.companies import companies


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


OPEN = select(
    invitations.c.id,
    invitations.c.company_id,
    companies.c.name,
    invitations.c.email,
    invitations.c.role,
    invitations.c.invited_by,
    invitations.c.expires_at,
    invitations.c.created_at,
).join(companies, companies.c.id == invitations.c.company_id)
BY_DIGEST = Query(
    OPEN.where(invitations.c.digest.in_([bindparam("now_digest"), bindparam("former")])), Invitation
)
OF_COMPANY = Query(
    OPEN.where(invitations.c.company_id == bindparam("company_id")).order_by(
        invitations.c.created_at, invitations.c.id
    ),
    Invitation,
)


class InvitationRepository(Repository):
    """The invitations of every company, for the one who is handed a link."""

    async def by_digests(self, digests: tuple[str, str]) -> Invitation | None:
        """Return the invitation whose token is stored under one of the digests, however old."""
        return await self._first(BY_DIGEST, now_digest=digests[0], former=digests[1])

    async def use(self, invitation_id: str) -> bool:
        """Take the invitation; False when somebody was faster."""
        return (await self._write(delete(invitations).where(invitations.c.id == invitation_id))).rowcount == 1


class CompanyInvitationRepository(Repository):
    """The invitations of one company."""

    async def all(self) -> list[Invitation]:
        """Return the open ones, oldest first."""
        return await self._all(OF_COMPANY)

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

"""Announcements of change: what will be different from which day on, and who has to be told before."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import and_, bindparam, or_, select

from storage.queries import Query
from storage.repository import Repository
from storage.tables.companies import api_keys, users
from storage.tables.mails import announcements


@dataclass(frozen=True, slots=True)
class Announcement:
    """One change: `tools` are those that go away on the day."""

    id: str
    title: str
    body: str
    effective_on: date
    tools: Sequence[str]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Addressee:
    """A person who is told: an owner, or somebody of a company with an API key who may use it."""

    company_id: str
    user_id: str
    email: str


UPCOMING = Query(
    select(
        announcements.c.id,
        announcements.c.title,
        announcements.c.body,
        announcements.c.effective_on,
        announcements.c.tools,
        announcements.c.created_at,
    )
    .where(announcements.c.effective_on >= bindparam("since", type_=announcements.c.effective_on.type))
    .order_by(announcements.c.effective_on, announcements.c.created_at, announcements.c.id),
    Announcement,
)
HAS_KEY = (
    select(api_keys.c.id).where(api_keys.c.company_id == users.c.company_id, api_keys.c.status == "active")
).exists()
ADDRESSEES = Query(
    select(users.c.company_id, users.c.id, users.c.email)
    .where(or_(users.c.role == "owner", and_(users.c.role == "member", HAS_KEY)))
    .order_by(users.c.company_id, users.c.id),
    Addressee,
)


class AnnouncementRepository(Repository):
    """The announcements of the installation, for everybody."""

    async def add(self, announcement: Announcement) -> None:
        """Store an announcement, unless it is there already."""
        names = ("id", "title", "body", "effective_on", "created_at")
        values = {name: getattr(announcement, name) for name in names}
        await self._write(
            self._insert_or_ignore(announcements), {**values, "tools": list(announcement.tools)}
        )

    async def since(self, day: date) -> list[Announcement]:
        """Return what takes effect on a day or later, the soonest first."""
        return await self._all(UPCOMING, since=day)

    async def addressees(self) -> list[Addressee]:
        """Return everybody who is told, by company."""
        return await self._all(ADDRESSEES)

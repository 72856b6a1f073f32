"""Notifications: what the people of a company are told, each once."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, func, select

from storage.ids import new_id
from storage.queries import Listing
from storage.repositories.repository import Repository
from storage.tables.brands import brands
from storage.tables.companies import company_notifications


@dataclass(frozen=True, slots=True)
class NotificationDraft:
    """One thing to tell; the same `dedup_key` is told once."""

    kind: str
    severity: str
    title: str
    message: str
    dedup_key: str
    brand_key: int | None = None


@dataclass(frozen=True, slots=True)
class Notification:
    """One thing that was told."""

    id: str
    brand_id: str | None
    kind: str
    severity: str
    title: str
    message: str
    read_at: datetime | None
    created_at: datetime


N = company_notifications.c
LISTED = (
    select(N.id, brands.c.id, N.kind, N.severity, N.title, N.message, N.read_at, N.created_at)
    .outerjoin(brands, brands.c.key == N.brand_key)
    .where(N.company_id == bindparam("company_id"))
    .order_by(N.created_at.desc(), N.key.desc())
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)
COUNTED = (
    select(func.count()).select_from(company_notifications).where(N.company_id == bindparam("company_id"))
)
UNREAD = N.read_at.is_(None)
PAGE = Listing(LISTED, COUNTED, Notification, brief=True)
UNREAD_PAGE = Listing(LISTED.where(UNREAD), COUNTED.where(UNREAD), Notification, brief=True)


class Notifications(Repository):
    """The notifications of one company."""

    async def add(self, draft: NotificationDraft, now: datetime) -> None:
        """Tell it, unless it was told before."""
        names = ("kind", "severity", "title", "message", "dedup_key", "brand_key")
        values = {name: getattr(draft, name) for name in names}
        own = {"id": new_id(), "company_id": self.company_id, "created_at": now}
        await self._write(self._insert_or_ignore(company_notifications), {**values, **own})

    async def page(self, only_unread: bool, limit: int, offset: int) -> tuple[list[Notification], int]:
        """Return one page, newest first, and how many there are."""
        return await self._page(UNREAD_PAGE if only_unread else PAGE, limit=limit, offset=offset)

    async def unread(self) -> int:
        """Return how many nobody has read."""
        return await self._first(UNREAD_PAGE.count) or 0

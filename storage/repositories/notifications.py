"""Notifications to a company's users, and announcements of changes."""

import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import and_, bindparam, func, insert, or_, select, update

from storage.filters import MembershipFilter
from storage.ids import new_id
from storage.queries import Listing, Query, QuerySession, plain
from storage.repositories.locks import brand_lock
from storage.repositories.mails import MailDraft, MailRepository
from storage.repositories.notification_choices import Chooser, NotificationChoiceRepository
from storage.repositories.row_columns import row_columns
from storage.repositories.webhooks import DeliveryDraft, Webhook, WebhookRepository
from storage.repository import Repository
from storage.tables.brands import brands
from storage.tables.companies import api_keys, company_notifications, users
from storage.tables.mails import announcements

events = logging.getLogger("seenby.events")

AN_HOUR = 20
"""Maximum notifications for one brand in a clock hour; the rest are counted in a single digest."""
MOST_NAMED = 5
"""Maximum findings that a combined notification names; the linked page lists all of them."""
LEAST_ALIKE = 3
"""Minimum number of equal words at the start of titles for merging them."""
ALIKE = "alike:"
"""Prefix of the deduplication key of a combined notification; the code of each finding follows."""
MOST_CODES = 200
"""Maximum findings in one key: a PostgreSQL index takes no entry over 2,704 bytes."""
REMEMBERED = timedelta(days=2)
"""How long a finding of a combined notification is not repeated; nothing is reported more than once a day."""


@dataclass(frozen=True, slots=True)
class NotificationDraft:
    """One event to report; the same `dedup_key` is reported once. `path` is the page with details."""

    kind: str
    severity: str
    title: str
    message: str
    dedup_key: str
    brand_key: int | None = None
    issue_id: str | None = None
    run_id: str | None = None
    path: str | None = None


@dataclass(frozen=True, slots=True)
class AlikeDrafts:
    """Similar findings of one check: a single one is reported as it is, several as one with their number.

    `title` creates the text for a number of findings, `path` is the page that lists them. Up to `few` of them
    are reported separately.
    """

    drafts: Sequence[NotificationDraft]
    title: Callable[[int], str]
    path: str
    few: int = 1


@dataclass(frozen=True, slots=True)
class Notification:
    """One event that was reported."""

    id: str
    brand_id: str | None
    kind: str
    severity: str
    title: str
    message: str
    issue_id: str | None
    run_id: str | None
    path: str | None
    read_at: datetime | None
    created_at: datetime


OURS = company_notifications.c.company_id == bindparam("company_id")
LISTED = (
    select(*row_columns(Notification, company_notifications, brand_id=brands.c.id))
    .outerjoin(brands, brands.c.key == company_notifications.c.brand_key)
    .where(OURS)
    .order_by(company_notifications.c.created_at.desc(), company_notifications.c.key.desc())
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)
COUNTED = select(func.count()).select_from(company_notifications).where(OURS)
UNREAD = company_notifications.c.read_at.is_(None)
PAGE = Listing(LISTED, COUNTED, Notification, brief=True)
UNREAD_PAGE = Listing(LISTED.where(UNREAD), COUNTED.where(UNREAD), Notification, brief=True)
OF_KEY = Query(
    select(
        company_notifications.c.key, company_notifications.c.severity, company_notifications.c.folded
    ).where(OURS, company_notifications.c.dedup_key == bindparam("dedup_key")),
    plain,
    brief=True,
)
TOLD_ALONE = Query(
    select(company_notifications.c.dedup_key).where(
        OURS, MembershipFilter(company_notifications.c.dedup_key, "dedup_keys")
    ),
    str,
)
OF_HOUR = Query(
    COUNTED.where(
        company_notifications.c.brand_key == bindparam("brand_key"),
        company_notifications.c.folded.is_(None),
        company_notifications.c.created_at
        >= bindparam("since", type_=company_notifications.c.created_at.type),
    ),
    int,
)
ALIKE_KEYS = Query(
    select(company_notifications.c.dedup_key).where(
        OURS,
        company_notifications.c.dedup_key.startswith(ALIKE, autoescape=True),
        company_notifications.c.created_at
        >= bindparam("since", type_=company_notifications.c.created_at.type),
    ),
    str,
)
BRAND_ID = Query(
    select(brands.c.id).where(
        brands.c.company_id == bindparam("company_id"), brands.c.key == bindparam("brand_key")
    ),
    str,
    brief=True,
)
DRAFTED = ("kind", "severity", "title", "message", "dedup_key", "brand_key", "issue_id", "run_id", "path")
SEVERITIES = ("info", "warning", "critical")


class NotificationRepository(Repository):
    """The notifications of one company.

    The recipients outside the notifications page are read once for all notifications of a transaction.
    """

    def __init__(self, session: QuerySession, company_id: str) -> None:
        super().__init__(session, company_id)
        self._choosers: dict[str, list[Chooser]] = {}
        self._active_webhooks: list[Webhook] | None = None

    async def add(self, draft: NotificationDraft, now: datetime) -> None:
        """Report an event once; from the 21st per hour and brand on, count it in the digest."""
        if await self._first(OF_KEY, dedup_key=draft.dedup_key) is not None:
            return
        if draft.brand_key is not None and await self._is_full(draft.brand_key, now):
            await self._fold(draft, draft.brand_key, now)
            return
        values = {name: getattr(draft, name) for name in DRAFTED}
        own = {"id": new_id(), "company_id": self.company_id, "created_at": now}
        await self._write(self._insert_or_ignore(company_notifications), {**values, **own})
        await self._queue_mails(values, now)
        await self._queue_webhooks({**values, "id": own["id"]}, now)
        fields = {"company_id": self.company_id, "notification_id": own["id"], "run_id": draft.run_id}
        events.info("notification", extra={**fields, "kind": draft.kind, "severity": draft.severity})

    async def add_alike(self, alike: AlikeDrafts, now: datetime) -> None:
        """Report similar findings of one check as one notification, without those already reported."""
        fresh = await self._filter_new(alike.drafts, now) if alike.drafts else []
        for draft in fresh if len(fresh) <= alike.few else [gathered(fresh, alike)]:
            await self.add(draft, now)

    async def _filter_new(
        self, drafts: Sequence[NotificationDraft], now: datetime
    ) -> list[NotificationDraft]:
        """Return the drafts that have been reported neither alone nor in a combined notification."""
        stored = await self._all(ALIKE_KEYS, since=now - REMEMBERED)
        told = {code for key in stored for code in key.removeprefix(ALIKE).split(",")}
        alone = set(await self._all(TOLD_ALONE, dedup_keys=[draft.dedup_key for draft in drafts]))
        return [draft for draft in drafts if _code(draft) not in told and draft.dedup_key not in alone]

    async def _queue_mails(self, told: Mapping[str, Any], now: datetime) -> None:
        """Queue an email to all users who want this kind by email, in the transaction that reports it."""
        choosers = self._choosers.get(told["kind"])
        if choosers is None:
            choices = NotificationChoiceRepository(self._session, self.company_id)
            choosers = self._choosers[told["kind"]] = await choices.choosers(told["kind"], "email")
        drafts = [
            MailDraft(
                kind="alert",
                recipient=chooser.email,
                content={name: told[name] for name in ("kind", "severity", "title", "message", "path")},
                dedup_key=f"alert:{told['dedup_key']}:{chooser.user_id}",
                user_id=chooser.user_id,
            )
            for chooser in choosers
        ]
        if drafts:
            await MailRepository(self._session, self.company_id).queue(drafts, now)

    async def _queue_webhooks(self, told: Mapping[str, Any], now: datetime) -> None:
        """Queue a delivery to every webhook that wants this kind, in the transaction that reports it."""
        webhooks = WebhookRepository(self._session, self.company_id)
        if self._active_webhooks is None:
            self._active_webhooks = [webhook for webhook in await webhooks.all() if webhook.state == "active"]
        wanting = [webhook for webhook in self._active_webhooks if told["kind"] in webhook.kinds]
        if not wanting:
            return
        brand_key = told["brand_key"]
        brand_id = None if brand_key is None else await self._first(BRAND_ID, brand_key=brand_key)
        content = {name: told.get(name) for name in ("id", "kind", "severity", "title", "message", "path")}
        content |= {"brandId": brand_id, "issueId": told.get("issue_id"), "runId": told.get("run_id")}
        await webhooks.queue(
            [
                DeliveryDraft(webhook.id, told["kind"], content, f"notification:{told['dedup_key']}")
                for webhook in wanting
            ],
            now,
        )

    async def _is_full(self, brand_key: int, now: datetime) -> bool:
        """Return whether a brand's hour is full, and block other transactions from reporting about the brand."""
        await self._write(brand_lock(self.company_id, brand_key))
        return (await self._first(OF_HOUR, brand_key=brand_key, since=hour_of(now)) or 0) >= AN_HOUR

    async def _fold(self, draft: NotificationDraft, brand_key: int, now: datetime) -> None:
        dedup_key = f"digest:{brand_key}:{hour_of(now).isoformat()}"
        earlier = await self._first(OF_KEY, dedup_key=dedup_key)
        key, severity, folded = earlier or (None, draft.severity, 0)
        values = {
            "severity": max(severity, draft.severity, key=SEVERITIES.index),
            "title": f"{folded + 1} more notifications in this hour",
            "message": f"Only the first {AN_HOUR} notifications of an hour are listed one by one. "
            "The open issues show all that is wrong.",
            "path": "/issues",
            "folded": folded + 1,
            "read_at": None,
        }
        if key is not None:
            await self._write(
                update(company_notifications).where(
                    company_notifications.c.key == key, company_notifications.c.company_id == self.company_id
                ),
                values,
            )
            return
        place = {"brand_key": brand_key, "dedup_key": dedup_key, "kind": "system_alert"}
        own = {"id": new_id(), "company_id": self.company_id, "created_at": now}
        await self._write(insert(company_notifications), {**values, **place, **own})
        await self._queue_mails({**values, **place}, now)
        await self._queue_webhooks({**values, **place, "id": own["id"]}, now)

    async def page(self, only_unread: bool, limit: int, offset: int) -> tuple[list[Notification], int]:
        """Return one page, newest first, and the total."""
        return await self._page(UNREAD_PAGE if only_unread else PAGE, limit=limit, offset=offset)

    async def unread(self) -> int:
        """Return the number of unread notifications."""
        return await self._first(UNREAD_PAGE.count) or 0

    async def mark_read(self, notification_id: str | None, now: datetime) -> int:
        """Mark one notification as read, or all without an identifier; return how many were unread."""
        rows = (company_notifications.c.company_id == self.company_id) & UNREAD
        if notification_id is not None:
            rows &= company_notifications.c.id == notification_id
        return (await self._write(update(company_notifications).where(rows).values(read_at=now))).rowcount


def hour_of(moment: datetime) -> datetime:
    """Return the start of the clock hour that contains a moment."""
    return moment.replace(minute=0, second=0, microsecond=0)


def gathered(drafts: Sequence[NotificationDraft], alike: AlikeDrafts) -> NotificationDraft:
    """Return one draft for several: their number, worst severity, titles from the worst on, and the page of all."""
    worst_first = sorted(drafts, key=lambda draft: -SEVERITIES.index(draft.severity))
    first = worst_first[0]
    named = "; ".join(shortened([draft.title for draft in worst_first[:MOST_NAMED]]))
    rest = len(drafts) - MOST_NAMED
    codes = sorted({_code(draft) for draft in drafts})
    return NotificationDraft(
        kind=first.kind,
        severity=first.severity,
        title=alike.title(len(drafts)),
        message=f"{named}; and {rest} more." if rest > 0 else f"{named}.",
        dedup_key=ALIKE + ",".join(codes[:MOST_CODES]),
        brand_key=first.brand_key,
        run_id=first.run_id,
        path=alike.path,
    )


def shortened(titles: Sequence[str]) -> list[str]:
    """Return titles with their common first words only in the first, if these are more than two or a label.

    A label ends in a colon. Quoted parts of a title stay whole.
    """
    words = [title.split(" ") for title in titles]
    shortest = min(map(len, words)) - 1
    alike = 0
    while (
        alike < shortest
        and len({title_words[alike] for title_words in words}) == 1
        and words[0][alike][:1] != "“"
    ):
        alike += 1
    if alike < LEAST_ALIKE and any(word.endswith(":") for word in words[0][:alike]):
        alike = max(place for place, word in enumerate(words[0][:alike], 1) if word.endswith(":"))
    elif alike < LEAST_ALIKE:
        return list(titles)
    rest = [" ".join(title_words[alike:]) for title_words in words]
    return [titles[0], *rest[1:]]


def _code(draft: NotificationDraft) -> str:
    """Return eight digits that identify a draft among those of two days."""
    return hashlib.sha256(draft.dedup_key.encode()).hexdigest()[:8]


@dataclass(frozen=True, slots=True)
class Announcement:
    """One change; `tools` are those that are removed on its day."""

    id: str
    title: str
    body: str
    effective_on: date
    tools: Sequence[str]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Addressee:
    """A recipient: an owner, or a member of a company with an API key."""

    company_id: str
    user_id: str
    email: str


UPCOMING = Query(
    select(*row_columns(Announcement, announcements))
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
    """The announcements of the installation, for all companies."""

    async def add(self, announcement: Announcement) -> None:
        """Store an announcement, unless it already exists."""
        names = ("id", "title", "body", "effective_on", "created_at")
        values = {name: getattr(announcement, name) for name in names}
        await self._write(
            self._insert_or_ignore(announcements), {**values, "tools": list(announcement.tools)}
        )

    async def since(self, day: date) -> list[Announcement]:
        """Return the announcements that take effect on a day or later, soonest first."""
        return await self._all(UPCOMING, since=day)

    async def addressees(self) -> list[Addressee]:
        """Return all recipients, by company."""
        return await self._all(ADDRESSEES)

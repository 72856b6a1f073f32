"""Emails: queued in the transaction that causes them, claimed for delivery, and the record of each delivery."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import bindparam, case, delete, func, select, update

from storage.ids import new_id
from storage.queries import Listing, Query, plain
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.companies import users
from storage.tables.mails import mails, notification_choices


@dataclass(frozen=True, slots=True)
class MailDraft:
    """One email to send; the same `dedup_key` is queued once.

    `content` holds the values for the email's template. `sealed` is a sign-in link, sealed for this email's
    `id`; it is erased when the email reaches a final state.
    """

    kind: str
    recipient: str
    content: Mapping[str, Any]
    dedup_key: str
    user_id: str | None = None
    sealed: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class MailRecord:
    """The delivery state of one email; `reply` is the last SMTP code of the server, None before the first."""

    id: str
    kind: str
    recipient: str
    state: str
    attempts: int
    reply: int | None
    due_at: datetime
    ended_at: datetime | None
    created_at: datetime


OURS = mails.c.company_id == bindparam("company_id")
PAGE = Listing(
    select(*row_columns(MailRecord, mails))
    .where(OURS)
    .order_by(mails.c.created_at.desc(), mails.c.key.desc())
    .limit(bindparam("limit"))
    .offset(bindparam("offset")),
    select(func.count()).select_from(mails).where(OURS),
    MailRecord,
)


class MailRepository(Repository):
    """The emails of one company."""

    async def queue(self, drafts: Collection[MailDraft], now: datetime) -> None:
        """Queue emails that were not queued before; they are sent after the transaction commits."""
        shared = {"company_id": self.company_id, "state": "queued", "attempts": 0}
        rows = [
            {
                "id": draft.id or new_id(),
                "user_id": draft.user_id,
                "kind": draft.kind,
                "recipient": draft.recipient,
                "content": dict(draft.content),
                "sealed": draft.sealed,
                "dedup_key": draft.dedup_key,
                "due_at": now,
                "created_at": now,
                **shared,
            }
            for draft in drafts
        ]
        if rows:
            await self._write(self._insert_or_ignore(mails), rows)

    async def page(self, limit: int, offset: int) -> tuple[list[MailRecord], int]:
        """Return one page of the record, newest first, and the total."""
        return await self._page(PAGE, limit=limit, offset=offset)


@dataclass(frozen=True, slots=True)
class QueuedMail:
    """One email to send, after `attempts` earlier attempts."""

    id: str
    company_id: str
    kind: str
    recipient: str
    content: Mapping[str, Any]
    sealed: str | None
    attempts: int
    due_at: datetime
    created_at: datetime

    @property
    def urgent(self) -> bool:
        """Whether a user waits for the email before they can continue."""
        return self.kind in URGENT


@dataclass(frozen=True, slots=True)
class ReportReader:
    """A user who subscribed to a report and has not been sent one under a key yet."""

    company_id: str
    user_id: str
    email: str


URGENT: Final = ("invitation", "password_reset", "sign_up")
"""Kinds of emails that a user waits for."""
QUEUED = mails.c.state == "queued"
HURRY = case(*((mails.c.kind == kind, 0) for kind in URGENT), else_=1)
TURN = (
    select(
        mails.c.key,
        HURRY.label("hurry"),
        func.row_number()
        .over(partition_by=mails.c.company_id, order_by=(HURRY, mails.c.due_at, mails.c.key))
        .label("place"),
    )
    .where(QUEUED, mails.c.due_at <= bindparam("now", type_=mails.c.due_at.type))
    .subquery("turn")
)
DUE = Query(
    select(*row_columns(QueuedMail, mails))
    .join(TURN, TURN.c.key == mails.c.key)
    .where(TURN.c.place <= bindparam("of_each"))
    .order_by(TURN.c.hurry, TURN.c.place, mails.c.due_at, mails.c.key)
    .limit(bindparam("limit")),
    QueuedMail,
)
WAITING = Query(select(func.count(), func.min(mails.c.created_at)).where(QUEUED), plain)
READERS = Query(
    select(notification_choices.c.company_id, notification_choices.c.user_id, users.c.email)
    .join(users, users.c.id == notification_choices.c.user_id)
    .where(
        notification_choices.c.kind == bindparam("kind"),
        notification_choices.c.means == "email",
        ~select(mails.c.key)
        .where(
            mails.c.company_id == notification_choices.c.company_id,
            mails.c.dedup_key == bindparam("prefix") + notification_choices.c.user_id,
        )
        .exists(),
    )
    .order_by(notification_choices.c.company_id, notification_choices.c.user_id)
    .limit(bindparam("limit")),
    ReportReader,
)


class MailQueueRepository(Repository):
    """The emails of every company, for the sender."""

    async def due(self, now: datetime, of_each: int, limit: int) -> list[QueuedMail]:
        """Return due emails, at most `of_each` of a company; urgent ones first, in turns."""
        return await self._all(DUE, now=now, of_each=of_each, limit=limit)

    async def claim(self, mail: QueuedMail, until: datetime) -> bool:
        """Lease an email and count the attempt; False if another caller was faster.

        If the sender dies, the email is due again when the lease expires.
        """
        condition = (
            (mails.c.id == mail.id)
            & QUEUED
            & (mails.c.due_at == mail.due_at)
            & (mails.c.attempts == mail.attempts)
        )
        values = {"due_at": until, "attempts": mail.attempts + 1}
        return (await self._write(update(mails).where(condition).values(**values))).rowcount == 1

    async def hold(self, mail_id: str, until: datetime) -> None:
        """Extend the lease of a claimed email."""
        await self._write(update(mails).where(mails.c.id == mail_id, QUEUED).values(due_at=until))

    async def end(self, mail_id: str, state: str, reply: int | None, now: datetime) -> None:
        """Record the final state of an email (`delivered`, `refused` or `given_up`) and erase its link."""
        values = {"state": state, "reply": reply, "ended_at": now, "sealed": None}
        await self._write(update(mails).where(mails.c.id == mail_id).values(**values))

    async def postpone(self, mail_id: str, reply: int | None, due_at: datetime) -> None:
        """Record an attempt that failed temporarily."""
        await self._write(
            update(mails).where(mails.c.id == mail_id, QUEUED).values(reply=reply, due_at=due_at)
        )

    async def waiting(self) -> tuple[int, datetime | None]:
        """Return how many emails are waiting, and since when the oldest is."""
        count, oldest = (await self._all(WAITING))[0]
        return count, oldest

    async def readers_without(self, kind: str, prefix: str, limit: int) -> list[ReportReader]:
        """Return subscribers of a kind of report who have no email whose key is the prefix and their identifier."""
        return await self._all(READERS, kind=kind, prefix=prefix, limit=limit)

    async def delete_ended(self, before: datetime, limit: int) -> int:
        """Delete the record of emails that ended before an instant and return how many were deleted."""
        old = select(mails.c.key).where(mails.c.state != "queued", mails.c.ended_at < before).limit(limit)
        return (await self._write(delete(mails).where(mails.c.key.in_(old)))).rowcount

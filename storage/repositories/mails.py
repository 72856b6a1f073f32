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
    """One mail to send: the same `dedup_key` is queued once.

    `content` is what the words of its kind are made with. `sealed` is a link that signs a person in, sealed for this
    mail's `id`; it is erased when the mail has ended.
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
    """What became of one mail; `reply` is the last SMTP code of the server, None before it said any."""

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
    """The mails of one company."""

    async def queue(self, drafts: Collection[MailDraft], now: datetime) -> None:
        """Queue mails, each unless it was queued before; they are sent when the transaction has committed."""
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
        """Return one page of the record, newest first, and how many there are."""
        return await self._page(PAGE, limit=limit, offset=offset)


@dataclass(frozen=True, slots=True)
class QueuedMail:
    """One mail that is to be sent; `attempts` were made before."""

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
        """Whether a person waits for it before they can continue."""
        return self.kind in URGENT


@dataclass(frozen=True, slots=True)
class ReportReader:
    """A person who wants a report and was not sent one under a key yet."""

    company_id: str
    user_id: str
    email: str


URGENT: Final = ("invitation", "password_reset", "sign_up")
"""Kinds of emails that a person waits for."""
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
    """The mails of every company, for the one who sends them."""

    async def due(self, now: datetime, of_each: int, limit: int) -> list[QueuedMail]:
        """Return what is due, at most `of_each` of a company; first what a person waits for, by turns."""
        return await self._all(DUE, now=now, of_each=of_each, limit=limit)

    async def claim(self, mail: QueuedMail, until: datetime) -> bool:
        """Take a mail for a while, counting the attempt; False when another caller was faster.

        If the sender dies, it is due again when the lease expires.
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
        """Keep a claimed mail for longer."""
        await self._write(update(mails).where(mails.c.id == mail_id, QUEUED).values(due_at=until))

    async def end(self, mail_id: str, state: str, reply: int | None, now: datetime) -> None:
        """Record how a mail ended: delivered, refused or given_up; the link in it is erased."""
        values = {"state": state, "reply": reply, "ended_at": now, "sealed": None}
        await self._write(update(mails).where(mails.c.id == mail_id).values(**values))

    async def postpone(self, mail_id: str, reply: int | None, due_at: datetime) -> None:
        """Record an attempt that failed for now."""
        await self._write(
            update(mails).where(mails.c.id == mail_id, QUEUED).values(reply=reply, due_at=due_at)
        )

    async def waiting(self) -> tuple[int, datetime | None]:
        """Return how many mails wait, and since when the oldest does."""
        count, oldest = (await self._all(WAITING))[0]
        return count, oldest

    async def readers_without(self, kind: str, prefix: str, limit: int) -> list[ReportReader]:
        """Return who wants a kind of report and has no mail whose key is the prefix and their identifier."""
        return await self._all(READERS, kind=kind, prefix=prefix, limit=limit)

    async def delete_ended(self, before: datetime, limit: int) -> int:
        """Delete the record of mails that ended before an instant; return how many went."""
        old = select(mails.c.key).where(mails.c.state != "queued", mails.c.ended_at < before).limit(limit)
        return (await self._write(delete(mails).where(mails.c.key.in_(old)))).rowcount

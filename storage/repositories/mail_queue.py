"""The queue of e-mails over all companies: what is due, claimed for a while by who sends it, and how each ended."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import bindparam, case, delete, func, select, update

from storage.queries import Query, plain
from storage.repository import Repository
from storage.tables.companies import users
from storage.tables.mails import mails, notification_choices


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
        """Whether somebody waits for it before they can go on."""
        return self.kind in URGENT


@dataclass(frozen=True, slots=True)
class ReportReader:
    """A person who wants a report and was not sent one under a key yet."""

    company_id: str
    user_id: str
    email: str


URGENT: Final = ("invitation", "password_reset", "sign_up")
"""Kinds of mails that somebody waits for."""
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
    select(
        mails.c.id,
        mails.c.company_id,
        mails.c.kind,
        mails.c.recipient,
        mails.c.content,
        mails.c.sealed,
        mails.c.attempts,
        mails.c.due_at,
        mails.c.created_at,
    )
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
        """Return what is due, at most `of_each` of a company; first what somebody waits for, by turns."""
        return await self._all(DUE, now=now, of_each=of_each, limit=limit)

    async def claim(self, mail: QueuedMail, until: datetime) -> bool:
        """Take a mail for a while, counting the attempt; False when somebody was faster.

        Whoever dies with it leaves it due again when the while is over.
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

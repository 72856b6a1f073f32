"""E-mails of one company: queued in the transaction that causes them, and the record of each delivery."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, select

from storage.ids import new_id
from storage.queries import Listing
from storage.repository import Repository
from storage.tables.mails import mails


@dataclass(frozen=True, slots=True)
class MailDraft:
    """One mail to send: the same `dedup_key` is queued once.

    `content` is what the words of its kind are made with. `sealed` is a link that lets somebody in, sealed for this
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
    select(
        mails.c.id,
        mails.c.kind,
        mails.c.recipient,
        mails.c.state,
        mails.c.attempts,
        mails.c.reply,
        mails.c.due_at,
        mails.c.ended_at,
        mails.c.created_at,
    )
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

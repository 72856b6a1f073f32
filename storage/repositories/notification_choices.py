"""Who wants which kind of notification by which means; no one receives any without choosing it.

A page reads a person's own with `workspace.notification_choices.of_user(user_id)` and stores them with
`set_of_user(user_id, choices)`, which takes every choice that is to hold and drops the others. What a choice leads to
is written in the transaction that raises a notification (`storage/repositories/notifications.py`) and sent by
`workflows/mail/delivery.py`; `web.services.PageServices.outbox` is None where no mail can be sent.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, delete, select

from storage.queries import Query
from storage.repository import Repository
from storage.tables.companies import users
from storage.tables.mails import notification_choices

WEEKLY_REPORT: Final = "weekly_report"
MONTHLY_REPORT: Final = "monthly_report"
KINDS: Final = (
    "bot_access",
    "crawler_error",
    "content_gap",
    "ai_mention",
    "system_alert",
    WEEKLY_REPORT,
    MONTHLY_REPORT,
)
"""The kinds of notifications, as list_notifications has them, and the reports."""
MEANS: Final = ("email",)
"""By what people can be notified beside the pages and list_notifications."""


@dataclass(frozen=True, slots=True)
class NotificationChoice:
    """One kind that a person wants by one means, of KINDS and MEANS."""

    kind: str
    means: str


@dataclass(frozen=True, slots=True)
class Chooser:
    """A person who wants a kind of notification, and where mail reaches them."""

    user_id: str
    email: str


OF_USER = Query(
    select(notification_choices.c.kind, notification_choices.c.means)
    .where(
        notification_choices.c.company_id == bindparam("company_id"),
        notification_choices.c.user_id == bindparam("user_id"),
    )
    .order_by(notification_choices.c.kind, notification_choices.c.means),
    NotificationChoice,
)
CHOOSERS = Query(
    select(users.c.id, users.c.email)
    .join(notification_choices, notification_choices.c.user_id == users.c.id)
    .where(
        notification_choices.c.company_id == bindparam("company_id"),
        notification_choices.c.kind == bindparam("kind"),
        notification_choices.c.means == bindparam("means"),
        users.c.company_id == notification_choices.c.company_id,
    )
    .order_by(users.c.id),
    Chooser,
    brief=True,
)


class NotificationChoiceRepository(Repository):
    """The choices of one company's people."""

    async def of_user(self, user_id: str) -> list[NotificationChoice]:
        """Return what a person wants, by kind."""
        return await self._all(OF_USER, user_id=user_id)

    async def choosers(self, kind: str, means: str) -> list[Chooser]:
        """Return all users who want a kind by a means."""
        return await self._all(CHOOSERS, kind=kind, means=means)

    async def set_of_user(self, user_id: str, choices: Collection[NotificationChoice]) -> None:
        """Let exactly these choices of a person hold. Raises ValueError for an unknown kind or means."""
        for choice in choices:
            if choice.kind not in KINDS or choice.means not in MEANS:
                raise ValueError(f"{choice.kind} by {choice.means} cannot be chosen")
        await self._write(
            delete(notification_choices).where(
                notification_choices.c.user_id == user_id,
                notification_choices.c.company_id == self.company_id,
            )
        )
        rows = [
            {"company_id": self.company_id, "user_id": user_id, "kind": choice.kind, "means": choice.means}
            for choice in set(choices)
        ]
        if rows:
            await self._write(self._insert_or_ignore(notification_choices), rows)

"""Webhooks of a company, the queue of deliveries, and the outcome of each."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Text, bindparam, delete, func, insert, select, type_coerce, update

from storage.ids import new_id
from storage.queries import Listing, Query, plain
from storage.repositories.notification_choices import MONTHLY_REPORT, WEEKLY_REPORT
from storage.repository import Repository
from storage.tables.webhooks import webhook_deliveries, webhooks

DRAFT_APPROVED: Final = "draft_approved"
"""The kind of a delivery for an approved draft; it is not a notification."""
REPORTS: Final = (WEEKLY_REPORT, MONTHLY_REPORT)
KINDS: Final = (
    *("bot_access", "crawler_error", "content_gap", "ai_mention", "system_alert"),
    *(DRAFT_APPROVED, *REPORTS),
)
"""The kinds of notifications in list_notifications, and the kinds that are only sent to webhooks."""
TEST: Final = "test"
"""The kind of a test delivery that a user requested."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """The destination for some kinds of notifications. `sealed` holds the URL and the signing secret.

    `format` is standard, text or teams, `state` active or disabled; `delivered_at` is the last success.
    """

    id: str
    host: str
    last4: str
    sealed: str
    format: str
    kinds: Sequence[str]
    state: str
    disabled_reason: str | None
    disabled_at: datetime | None
    delivered_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class DeliveryDraft:
    """One message to one webhook; the same `dedup_key` is queued once."""

    webhook_id: str
    kind: str
    content: Mapping[str, Any]
    dedup_key: str


@dataclass(frozen=True, slots=True)
class DeliveryRecord:
    """The state of one delivery: the outcome of the last attempt, and the HTTP status if there was a response."""

    id: str
    webhook_id: str
    kind: str
    state: str
    attempts: int
    outcome: str | None
    reply: int | None
    due_at: datetime
    ended_at: datetime | None
    created_at: datetime


OURS = webhooks.c.company_id == bindparam("company_id")
COLUMNS = (
    *(
        webhooks.c.id,
        webhooks.c.host,
        webhooks.c.last4,
        webhooks.c.sealed,
        webhooks.c.format,
        webhooks.c.kinds,
    ),
    *(
        webhooks.c.state,
        webhooks.c.disabled_reason,
        webhooks.c.disabled_at,
        webhooks.c.delivered_at,
        webhooks.c.created_at,
    ),
)
ALL = Query(select(*COLUMNS).where(OURS).order_by(webhooks.c.created_at, webhooks.c.id), Webhook, brief=True)
BY_ID = Query(select(*COLUMNS).where(OURS, webhooks.c.id == bindparam("id")), Webhook, brief=True)
OUR_DELIVERIES = webhook_deliveries.c.company_id == bindparam("company_id")
PAGE = Listing(
    select(
        *(
            webhook_deliveries.c.id,
            webhook_deliveries.c.webhook_id,
            webhook_deliveries.c.kind,
            webhook_deliveries.c.state,
            webhook_deliveries.c.attempts,
        ),
        *(
            webhook_deliveries.c.outcome,
            webhook_deliveries.c.reply,
            webhook_deliveries.c.due_at,
            webhook_deliveries.c.ended_at,
            webhook_deliveries.c.created_at,
        ),
    )
    .where(OUR_DELIVERIES)
    .order_by(webhook_deliveries.c.created_at.desc(), webhook_deliveries.c.key.desc())
    .limit(bindparam("limit"))
    .offset(bindparam("offset")),
    select(func.count()).select_from(webhook_deliveries).where(OUR_DELIVERIES),
    DeliveryRecord,
)


class WebhookRepository(Repository):
    """The webhooks of one company and their deliveries."""

    async def all(self) -> list[Webhook]:
        """Return every webhook, oldest first."""
        return await self._all(ALL)

    async def find(self, webhook_id: str) -> Webhook | None:
        """Return a webhook."""
        return await self._first(BY_ID, id=webhook_id)

    async def add(self, webhook: Webhook) -> None:
        """Store a new webhook."""
        values = {
            "id": webhook.id,
            "company_id": self.company_id,
            "host": webhook.host,
            "last4": webhook.last4,
            "sealed": webhook.sealed,
            "format": webhook.format,
            "kinds": list(webhook.kinds),
            "state": webhook.state,
            "created_at": webhook.created_at,
        }
        await self._write(insert(webhooks), values)

    async def remove(self, webhook_id: str) -> bool:
        """Delete a webhook with its pending deliveries; False if it does not exist."""
        condition = (webhooks.c.id == webhook_id) & (webhooks.c.company_id == self.company_id)
        return (await self._write(delete(webhooks).where(condition))).rowcount == 1

    async def enable(self, webhook_id: str) -> bool:
        """Resume deliveries to a webhook; False if it does not exist."""
        condition = (webhooks.c.id == webhook_id) & (webhooks.c.company_id == self.company_id)
        values = {"state": "active", "disabled_reason": None, "disabled_at": None}
        return (await self._write(update(webhooks).where(condition).values(**values))).rowcount == 1

    async def disable(self, webhook_id: str, reason: str, now: datetime) -> bool:
        """Stop deliveries to a webhook and give up pending ones; False if it was already disabled."""
        condition = (
            (webhooks.c.id == webhook_id)
            & (webhooks.c.company_id == self.company_id)
            & (webhooks.c.state == "active")
        )
        values = {"state": "disabled", "disabled_reason": reason, "disabled_at": now}
        if (await self._write(update(webhooks).where(condition).values(**values))).rowcount == 0:
            return False
        waiting = (
            (webhook_deliveries.c.webhook_id == webhook_id)
            & (webhook_deliveries.c.company_id == self.company_id)
            & (webhook_deliveries.c.state == "queued")
        )
        ended = {"state": "given_up", "outcome": "webhook_disabled", "ended_at": now}
        await self._write(update(webhook_deliveries).where(waiting).values(**ended))
        return True

    async def queue(
        self, drafts: Collection[DeliveryDraft], now: datetime, due_at: datetime | None = None
    ) -> list[str]:
        """Queue deliveries that were not queued before, and return their identifiers in order.

        They are sent after the transaction commits, or at `due_at` if set.
        """
        rows = [
            {
                "id": new_id(),
                "company_id": self.company_id,
                "webhook_id": draft.webhook_id,
                "kind": draft.kind,
                "content": dict(draft.content),
                "dedup_key": draft.dedup_key,
                "state": "queued",
                "attempts": 0,
                "due_at": due_at or now,
                "created_at": now,
            }
            for draft in drafts
        ]
        if rows:
            await self._write(self._insert_or_ignore(webhook_deliveries), rows)
        return [str(row["id"]) for row in rows]

    async def deliveries(self, limit: int, offset: int) -> tuple[list[DeliveryRecord], int]:
        """Return one page of the record, newest first, and the total."""
        return await self._page(PAGE, limit=limit, offset=offset)


@dataclass(frozen=True, slots=True)
class QueuedDelivery:
    """One message to send, with its webhook, after `attempts` earlier attempts."""

    id: str
    company_id: str
    webhook_id: str
    host: str
    sealed: str
    format: str
    delivered_at: datetime | None
    kind: str
    content: Mapping[str, Any]
    attempts: int
    due_at: datetime
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ReportReceiver:
    """A webhook that a report is due for."""

    company_id: str
    webhook_id: str


QUEUED = webhook_deliveries.c.state == "queued"
QUEUE_COLUMNS = (
    *(
        webhook_deliveries.c.id,
        webhook_deliveries.c.company_id,
        webhook_deliveries.c.webhook_id,
        webhooks.c.host,
        webhooks.c.sealed,
        webhooks.c.format,
        webhooks.c.delivered_at,
    ),
    *(
        webhook_deliveries.c.kind,
        webhook_deliveries.c.content,
        webhook_deliveries.c.attempts,
        webhook_deliveries.c.due_at,
        webhook_deliveries.c.created_at,
    ),
)
TURN = (
    select(
        webhook_deliveries.c.key,
        func.row_number()
        .over(
            partition_by=webhook_deliveries.c.webhook_id,
            order_by=(webhook_deliveries.c.due_at, webhook_deliveries.c.key),
        )
        .label("place"),
    )
    .where(QUEUED, webhook_deliveries.c.due_at <= bindparam("now", type_=webhook_deliveries.c.due_at.type))
    .subquery("turn")
)
DUE = Query(
    select(*QUEUE_COLUMNS)
    .join(TURN, TURN.c.key == webhook_deliveries.c.key)
    .join(webhooks, webhooks.c.id == webhook_deliveries.c.webhook_id)
    .where(TURN.c.place <= bindparam("of_each"))
    .order_by(TURN.c.place, webhook_deliveries.c.due_at, webhook_deliveries.c.key)
    .limit(bindparam("limit")),
    QueuedDelivery,
)
QUEUE_BY_ID = Query(
    select(*QUEUE_COLUMNS)
    .join(webhooks, webhooks.c.id == webhook_deliveries.c.webhook_id)
    .where(webhook_deliveries.c.id == bindparam("id"), QUEUED),
    QueuedDelivery,
)
REPORT_KEY = bindparam("report_key", type_=Text)
WITHOUT_REPORT = Query(
    select(webhooks.c.company_id, webhooks.c.id)
    .where(
        webhooks.c.state == "active",
        type_coerce(webhooks.c.kinds, Text).contains(bindparam("quoted_kind", type_=Text)),
        ~select(webhook_deliveries.c.key)
        .where(webhook_deliveries.c.webhook_id == webhooks.c.id, webhook_deliveries.c.dedup_key == REPORT_KEY)
        .exists(),
    )
    .order_by(webhooks.c.company_id, webhooks.c.id)
    .limit(bindparam("limit")),
    ReportReceiver,
)
WAITING = Query(select(func.count(), func.min(webhook_deliveries.c.due_at)).where(QUEUED), plain)


class WebhookQueueRepository(Repository):
    """The deliveries of every company, for the sender."""

    async def due(self, now: datetime, of_each: int, limit: int) -> list[QueuedDelivery]:
        """Return due deliveries, at most `of_each` of a webhook, so that a slow one does not delay others."""
        return await self._all(DUE, now=now, of_each=of_each, limit=limit)

    async def without_report(self, kind: str, key: str, limit: int) -> list[ReportReceiver]:
        """Return active webhooks that receive a kind of report and have no delivery with its key."""
        return await self._all(WITHOUT_REPORT, quoted_kind=f'"{kind}"', report_key=key, limit=limit)

    async def find(self, delivery_id: str) -> QueuedDelivery | None:
        """Return a delivery that has not ended."""
        return await self._first(QUEUE_BY_ID, id=delivery_id)

    async def claim(self, delivery: QueuedDelivery, until: datetime) -> bool:
        """Lease a delivery and count the attempt; False if another caller was faster.

        If the sender dies, the delivery is due again when the lease expires.
        """
        condition = (
            (webhook_deliveries.c.id == delivery.id)
            & QUEUED
            & (webhook_deliveries.c.due_at == delivery.due_at)
        )
        condition &= webhook_deliveries.c.attempts == delivery.attempts
        values = {"due_at": until, "attempts": delivery.attempts + 1}
        return (await self._write(update(webhook_deliveries).where(condition).values(**values))).rowcount == 1

    async def end(
        self, delivery: QueuedDelivery, state: str, outcome: str, reply: int | None, now: datetime
    ) -> None:
        """Record the final state of a delivery: `delivered`, `refused` or `given_up`."""
        values = {"state": state, "outcome": outcome, "reply": reply, "ended_at": now}
        await self._write(
            update(webhook_deliveries).where(webhook_deliveries.c.id == delivery.id, QUEUED).values(**values)
        )
        if state == "delivered":
            await self._write(
                update(webhooks).where(webhooks.c.id == delivery.webhook_id).values(delivered_at=now)
            )

    async def postpone(self, delivery_id: str, outcome: str, reply: int | None, due_at: datetime) -> None:
        """Record an attempt that failed temporarily."""
        values = {"outcome": outcome, "reply": reply, "due_at": due_at}
        await self._write(
            update(webhook_deliveries).where(webhook_deliveries.c.id == delivery_id, QUEUED).values(**values)
        )

    async def waiting(self) -> tuple[int, datetime | None]:
        """Return how many deliveries are waiting, and when the first of them is or was due."""
        count, first_due = (await self._all(WAITING))[0]
        return count, first_due

    async def delete_ended(self, before: datetime, limit: int) -> int:
        """Delete the record of deliveries that ended before an instant and return how many were deleted."""
        old = (
            select(webhook_deliveries.c.key)
            .where(webhook_deliveries.c.state != "queued", webhook_deliveries.c.ended_at < before)
            .limit(limit)
        )
        return (
            await self._write(delete(webhook_deliveries).where(webhook_deliveries.c.key.in_(old)))
        ).rowcount

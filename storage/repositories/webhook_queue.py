"""The queue of webhooks over all companies: what is due, claimed for a while by who sends it, and how each ended."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, func, select, update

from storage.queries import Query, plain
from storage.repository import Repository
from storage.tables.webhooks import webhook_deliveries, webhooks


@dataclass(frozen=True, slots=True)
class QueuedDelivery:
    """One message that is to be sent, with its webhook; `attempts` were made before."""

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


QUEUED = webhook_deliveries.c.state == "queued"
COLUMNS = (
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
    select(*COLUMNS)
    .join(TURN, TURN.c.key == webhook_deliveries.c.key)
    .join(webhooks, webhooks.c.id == webhook_deliveries.c.webhook_id)
    .where(TURN.c.place <= bindparam("of_each"))
    .order_by(TURN.c.place, webhook_deliveries.c.due_at, webhook_deliveries.c.key)
    .limit(bindparam("limit")),
    QueuedDelivery,
)
BY_ID = Query(
    select(*COLUMNS)
    .join(webhooks, webhooks.c.id == webhook_deliveries.c.webhook_id)
    .where(webhook_deliveries.c.id == bindparam("id"), QUEUED),
    QueuedDelivery,
)
WAITING = Query(select(func.count(), func.min(webhook_deliveries.c.due_at)).where(QUEUED), plain)


class WebhookQueueRepository(Repository):
    """The deliveries of every company, for the one who sends them."""

    async def due(self, now: datetime, of_each: int, limit: int) -> list[QueuedDelivery]:
        """Return what is due, at most `of_each` of a webhook: one that is slow keeps no other waiting."""
        return await self._all(DUE, now=now, of_each=of_each, limit=limit)

    async def find(self, delivery_id: str) -> QueuedDelivery | None:
        """Return a delivery that has not ended."""
        return await self._first(BY_ID, id=delivery_id)

    async def claim(self, delivery: QueuedDelivery, until: datetime) -> bool:
        """Take a delivery for a while, counting the attempt; False when somebody was faster.

        Whoever dies with it leaves it due again when the while is over.
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
        """Record how a delivery ended: delivered, refused or given_up."""
        values = {"state": state, "outcome": outcome, "reply": reply, "ended_at": now}
        await self._write(
            update(webhook_deliveries).where(webhook_deliveries.c.id == delivery.id, QUEUED).values(**values)
        )
        if state == "delivered":
            await self._write(
                update(webhooks).where(webhooks.c.id == delivery.webhook_id).values(delivered_at=now)
            )

    async def postpone(self, delivery_id: str, outcome: str, reply: int | None, due_at: datetime) -> None:
        """Record an attempt that failed for now."""
        values = {"outcome": outcome, "reply": reply, "due_at": due_at}
        await self._write(
            update(webhook_deliveries).where(webhook_deliveries.c.id == delivery_id, QUEUED).values(**values)
        )

    async def waiting(self) -> tuple[int, datetime | None]:
        """Return how many deliveries wait, and when the first of them is due or was."""
        count, first_due = (await self._all(WAITING))[0]
        return count, first_due

    async def delete_ended(self, before: datetime, limit: int) -> int:
        """Delete the record of deliveries that ended before an instant; return how many went."""
        old = (
            select(webhook_deliveries.c.key)
            .where(webhook_deliveries.c.state != "queued", webhook_deliveries.c.ended_at < before)
            .limit(limit)
        )
        return (
            await self._write(delete(webhook_deliveries).where(webhook_deliveries.c.key.in_(old)))
        ).rowcount

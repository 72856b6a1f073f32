"""Deliver webhooks: each delivery is claimed with a lease, retried with backoff, and its outcome recorded."""

import logging
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

import anyio
from standardwebhooks import Webhook as StandardWebhook

from measurement.planning.clock import Clock
from oauth.sealing import CannotOpen, Seal
from readiness.fetching.dialing import Resolver, system_resolver
from readiness.fetching.errors import FetchFailed, UrlRefused
from readiness.fetching.fetcher import Fetcher
from readiness.fetching.policy import delivery_policy
from storage.database import Database
from storage.ids import new_id
from storage.repositories.notifications import NotificationDraft
from storage.repositories.webhooks import TEST, DeliveryDraft, QueuedDelivery
from workflows.webhooks.bodies import JSON, TEST_CONTENT, body_of
from workflows.webhooks.registration import InvalidWebhook, open_target, parse_target

log = logging.getLogger(__name__)
events = logging.getLogger("seenby.events")

LOOK_SECONDS: Final = 2.0
AT_ONCE: Final = 20
AT_ONCE_OF_EACH: Final = 4
"""Limit per webhook, so that a slow receiver does not delay others."""
LEASE: Final = timedelta(minutes=5)
"""Lease of a delivery. If its sender dies, another one takes over after that."""
WAITS: Final[Sequence[timedelta]] = (
    timedelta(seconds=5),
    *(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120)),
    *(timedelta(hours=hours) for hours in (6, 12, 24)),
)
"""Pauses after each failed attempt. After the last attempt the delivery is given up."""
LIFE: Final = timedelta(days=3)
"""Older deliveries are given up unsent, because their content is outdated."""
GONE: Final = 410
"""The response status that unsubscribes a receiver (Standard Webhooks)."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The outcome of one attempt, and the HTTP status if there was a response."""

    outcome: str
    reply: int | None = None

    @property
    def delivered(self) -> bool:
        """Whether the receiver accepted it."""
        return self.outcome == "delivered"


class WebhookDelivery:
    """Sends webhooks until cancelled. It is stateless, so any number of processes may run it."""

    def __init__(
        self,
        database: Database,
        seal: Seal,
        base_url: str,
        now: Clock,
        allow_hosts: frozenset[str] = frozenset(),
        resolve: Resolver = system_resolver,
    ) -> None:
        self._database = database
        self._seal = seal
        self._base_url = base_url
        self._now = now
        self._policy = replace(delivery_policy(base_url), allow_hosts=allow_hosts)
        self._resolve = resolve
        self._under_way: Counter[str] = Counter()
        """Number of deliveries in progress in this process, by webhook."""

    async def run(self) -> None:
        """Send due deliveries continuously. Newer ones do not wait for a receiver that does not respond."""
        async with anyio.create_task_group() as group:
            while True:
                if claimed := await self._claim_due():
                    group.start_soon(self._send_all, claimed)
                else:
                    await anyio.sleep(LOOK_SECONDS)

    async def send_due(self) -> int:
        """Try every delivery that is due now, at most AT_ONCE of them, and return how many were tried."""
        if claimed := await self._claim_due():
            await self._send_all(claimed)
        return len(claimed)

    async def _claim_due(self) -> list[QueuedDelivery]:
        """Claim due deliveries within the concurrency limits. An error keeps what was already claimed."""
        claimed: list[QueuedDelivery] = []
        under_way = self._under_way
        try:
            due = await self._database.operators.webhook_queue.due(self._now(), AT_ONCE_OF_EACH, AT_ONCE)
            for delivery in due:
                if under_way.total() >= AT_ONCE or under_way[delivery.webhook_id] >= AT_ONCE_OF_EACH:
                    continue
                if await self._claim(delivery):
                    under_way[delivery.webhook_id] += 1
                    claimed.append(delivery)
        except Exception:
            log.exception("looking for what is due for webhooks")
        return claimed

    async def _send_all(self, claimed: Sequence[QueuedDelivery]) -> None:
        """Send the claimed deliveries concurrently."""
        try:
            async with self._open_fetcher() as fetcher, anyio.create_task_group() as group:
                for delivery in claimed:
                    group.start_soon(self._try, fetcher, delivery)
        except Exception:
            log.exception("sending to webhooks")

    async def send_test(self, company_id: str, webhook_id: str) -> Attempt | None:
        """Send a test to a webhook once, now and in any state. Returns None when there is no such webhook."""
        draft = DeliveryDraft(webhook_id, TEST, TEST_CONTENT, f"{TEST}:{new_id()}")
        async with self._database.transaction(company_id) as writing:
            if await writing.webhooks.find(webhook_id) is None:
                return None
            # Another sender must not claim the delivery before we do, so it is due only later.
            later = self._now() + LEASE
            [delivery_id] = await writing.webhooks.queue([draft], self._now(), later)
        delivery = await self._database.operators.webhook_queue.find(delivery_id)
        if delivery is None or not await self._claim(delivery):
            return None  # the webhook was removed meanwhile
        started = time.perf_counter()
        async with self._open_fetcher() as fetcher:
            attempt = await self._send(fetcher, delivery)
        state = "delivered" if attempt.delivered else "given_up"
        await self._end(delivery, state, attempt, started)
        return attempt

    def _open_fetcher(self) -> Fetcher:
        return Fetcher(self._policy, resolve=self._resolve)

    async def _claim(self, delivery: QueuedDelivery) -> bool:
        async with self._database.operation() as operators:
            return await operators.webhook_queue.claim(delivery, self._now() + LEASE)

    async def _try(self, fetcher: Fetcher, delivery: QueuedDelivery) -> None:
        """Send one claimed delivery and record its outcome at once."""
        started = time.perf_counter()
        try:
            if self._now() - delivery.created_at > LIFE:
                await self._end(delivery, "given_up", Attempt("too_old"), started)
                return
            attempt = await self._send(fetcher, delivery)
            if attempt.delivered:
                await self._end(delivery, "delivered", attempt, started)
            elif attempt.outcome == "sealed_under_another_key":
                await self._end(delivery, "refused", attempt, started)
            else:
                await self._fail(delivery, attempt, started)
        except Exception:
            log.exception("recording delivery %s", delivery.id)  # it is due again when its lease has ended
        finally:
            self._under_way[delivery.webhook_id] -= 1

    async def _send(self, fetcher: Fetcher, delivery: QueuedDelivery) -> Attempt:
        """Send one message and return the outcome. Raises nothing."""
        try:
            target = open_target(self._seal, delivery.sealed, delivery.company_id, delivery.webhook_id)
            body = body_of(delivery.content, delivery.format, self._base_url, delivery.created_at)
            headers = (*JSON, *signed_headers(target.secret, delivery.id, self._now(), body))
            url = parse_target(target.url, self._policy.allow_hosts)
            response = await fetcher.post(str(url), body, headers=headers)
        except CannotOpen:
            return Attempt("sealed_under_another_key")
        except FetchFailed as failed:
            return Attempt(str(failed.reason))
        except (InvalidWebhook, UrlRefused):
            return Attempt("refused_url")
        except Exception:
            log.exception("sending delivery %s", delivery.id)
            return Attempt("internal_error")
        return Attempt(outcome_of(response.status), response.status)

    async def _fail(self, delivery: QueuedDelivery, attempt: Attempt, started: float) -> None:
        """Retry later with backoff; after the last attempt, or on 410 Gone, give up and check the webhook itself."""
        if attempt.reply != GONE and delivery.attempts < len(WAITS):
            due_at = self._now() + WAITS[delivery.attempts]
            async with self._database.operation() as operators:
                await operators.webhook_queue.postpone(delivery.id, attempt.outcome, attempt.reply, due_at)
            self._tell(delivery, "postponed", attempt, started)
            return
        await self._end(delivery, "given_up", attempt, started)
        heard_since = delivery.delivered_at is not None and delivery.delivered_at > delivery.created_at
        if attempt.reply == GONE or not heard_since:
            await self._disable(delivery, attempt)

    async def _disable(self, delivery: QueuedDelivery, attempt: Attempt) -> None:
        """Disable a webhook that accepted nothing for days or unsubscribed, and notify the company."""
        now = self._now()
        async with self._database.transaction(delivery.company_id) as writing:
            if not await writing.webhooks.disable(delivery.webhook_id, attempt.outcome, now):
                return
            last = f"{attempt.outcome.replace('_', ' ')}" + (f" ({attempt.reply})" if attempt.reply else "")
            notification = NotificationDraft(
                kind="system_alert",
                severity="warning",
                title=f"The webhook to {delivery.host} was disabled",
                message=f"It accepted no delivery for days, or asked for no more. Last attempt: {last}. "
                "Pending deliveries were dropped. Fix the receiver, then test and enable the webhook in the settings.",
                dedup_key=f"webhook:{delivery.webhook_id}:{now.isoformat()}",
                path="/settings/webhooks",
            )
            await writing.notifications.add(notification, now)
        fields = {"webhook_id": delivery.webhook_id, "company_id": delivery.company_id}
        events.warning(
            "webhook_disabled", extra={**fields, "host": delivery.host, "outcome": attempt.outcome}
        )

    async def _end(self, delivery: QueuedDelivery, state: str, attempt: Attempt, started: float) -> None:
        async with self._database.operation() as operators:
            await operators.webhook_queue.end(delivery, state, attempt.outcome, attempt.reply, self._now())
        self._tell(delivery, state, attempt, started)

    def _tell(self, delivery: QueuedDelivery, state: str, attempt: Attempt, started: float) -> None:
        """Log the attempt with the host only, because the path of the URL may be a secret."""
        level = logging.INFO if state == "delivered" else logging.WARNING
        fields = {"delivery_id": delivery.id, "webhook_id": delivery.webhook_id, "host": delivery.host}
        fields |= {"company_id": delivery.company_id, "webhook_kind": delivery.kind, "state": state}
        numbers = {"outcome": attempt.outcome, "reply": attempt.reply, "attempt": delivery.attempts + 1}
        duration = round((time.perf_counter() - started) * 1000, 3)
        events.log(level, "webhook", extra={**fields, **numbers, "duration_ms": duration})


def outcome_of(status: int) -> str:
    """Return the outcome of an HTTP status. Any 2xx is delivered, and redirects are not followed."""
    if 200 <= status < 300:
        return "delivered"
    if status == GONE:
        return "gone"
    return "redirected" if 300 <= status < 400 else "receiver_refused"


def signed_headers(secret: str, message_id: str, now: datetime, body: bytes) -> tuple[tuple[str, str], ...]:
    """Return the webhook signature headers (Standard Webhooks 1.0.0), for verification and deduplication."""
    signature = StandardWebhook(secret).sign(message_id, now, body.decode())
    return (
        ("webhook-id", message_id),
        ("webhook-timestamp", str(int(now.timestamp()))),
        ("webhook-signature", signature),
    )

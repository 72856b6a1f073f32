"""Sends what waits in the queue of mails: each claimed for a while, tried again by a plan, its end recorded."""

import logging
import math
import time
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Final

import anyio

from measurement.planning.clock import Clock
from oauth.sealing import CannotOpen, Seal
from storage.database import Database
from storage.failures import retry_while_busy
from storage.repositories.mails import QueuedMail
from workflows.mail.messages import InvalidRecipient, compose
from workflows.mail.outbox import MAIL
from workflows.mail.smtp import MailRefused, SmtpSettings, SmtpTransport

log = logging.getLogger(__name__)
events = logging.getLogger("seenby.events")

LOOK_SECONDS: Final = 2.0
AT_ONCE: Final = 8
"""Connections of a process to the mail server; many servers accept that many from one client."""
AT_ONCE_OF_EACH: Final = 3
"""Of one company: one whose recipients are slow keeps no other waiting."""
UNHURRIED_AT_ONCE: Final = 5
"""Of alerts, reports and announcements; the other connections are reserved for mails that a user waits for."""
LEASE: Final = timedelta(minutes=2)
"""How long a mail is its sender's; when the sender died, another one takes it after that.

While the server has the message, its acknowledgement is waited for besides."""
STOP_SECONDS: Final = 5.0
"""What a process that is to end leaves the mails under way: what the server has taken is not sent again."""
WAITS: Final[Sequence[timedelta]] = (
    *(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120)),
    *(timedelta(hours=hours) for hours in (6, 12, 24)),
)
"""Pauses after each attempt that failed for now; after the last attempt the mail is given up."""
LIFE: Final = timedelta(days=3)
"""Older mails are given up unsent: they waited while no server was set, and what they say is no news any more."""


class MailDelivery:
    """Sends mails until cancelled; any number of processes may, and none remembers anything."""

    def __init__(
        self,
        database: Database,
        smtp: SmtpSettings,
        seal: Seal,
        base_url: str,
        now: Clock,
        transport: SmtpTransport | None = None,
    ) -> None:
        self._database = database
        self._sender = smtp.sender
        self._seal = seal
        self._base_url = base_url
        self._now = now
        self._transport = transport or SmtpTransport(smtp)
        self._under_way: Counter[str] = Counter()
        """How many mails of each company this process sends now."""
        self._unhurried = 0
        self._freed = anyio.Event()
        self._kept: set[anyio.CancelScope] = set()
        self._stop_at = math.inf

    async def run(self) -> None:
        """Send what is due, again and again; no mail waits for one that the server does not take."""
        async with anyio.create_task_group() as group:
            try:
                while True:
                    self._freed = anyio.Event()
                    for mail in await self._claim_due():
                        group.start_soon(self._send_to_end, mail)
                    with anyio.move_on_after(LOOK_SECONDS):
                        await self._freed.wait()
            finally:
                self._stop_at = anyio.current_time() + STOP_SECONDS
                for scope in self._kept:
                    scope.deadline = self._stop_at

    async def send_due(self) -> int:
        """Try what is due now and has a place, at most AT_ONCE mails; return how many were tried."""
        claimed = await self._claim_due()
        async with anyio.create_task_group() as group:
            for mail in claimed:
                group.start_soon(self._send_to_end, mail)
        return len(claimed)

    async def _claim_due(self) -> list[QueuedMail]:
        """Take what is due and has a place beside what is under way; what fails meanwhile takes back nothing taken."""
        claimed: list[QueuedMail] = []
        try:
            for mail in await self._database.operators.mail_queue.due(self._now(), AT_ONCE_OF_EACH, AT_ONCE):
                if self._has_place(mail) and await self._claim(mail):
                    self._under_way[mail.company_id] += 1
                    self._unhurried += not mail.urgent
                    claimed.append(mail)
        except Exception:
            log.exception("looking for mails that are due")
        return claimed

    def _has_place(self, mail: QueuedMail) -> bool:
        if self._under_way.total() >= AT_ONCE or self._under_way[mail.company_id] >= AT_ONCE_OF_EACH:
            return False
        return mail.urgent or self._unhurried < UNHURRIED_AT_ONCE

    async def _claim(self, mail: QueuedMail) -> bool:
        async with self._database.operation() as operators:
            return await operators.mail_queue.claim(mail, self._now() + LEASE)

    async def _send_to_end(self, mail: QueuedMail) -> None:
        """Send one claimed mail, also when the process is to end meanwhile: a while is left for it."""
        with anyio.CancelScope(deadline=self._stop_at, shield=True) as kept:
            self._kept.add(kept)
            try:
                await self._try(mail)
            except Exception:
                log.exception("recording mail %s", mail.id)  # it is due again when its lease has ended
            finally:
                self._kept.discard(kept)
                self._under_way[mail.company_id] -= 1
                self._unhurried -= not mail.urgent
                self._freed.set()

    async def _try(self, mail: QueuedMail) -> None:
        """Send one claimed mail and record at once what became of it."""
        started = time.perf_counter()
        if self._now() - mail.created_at > LIFE:
            await self._end(mail, "given_up", "too_old", None, started)
            return
        try:
            link = self._link_of(mail)
            message = compose(mail, link, self._base_url, self._sender)
            reply = await self._transport.send(message, mail.recipient, partial(self._hold, mail))
        except InvalidRecipient:
            await self._end(mail, "refused", "invalid_address", None, started)
        except CannotOpen:
            await self._end(mail, "refused", "sealed_under_another_key", None, started)
        except MailRefused as refused:
            await self._fail(mail, refused, started)
        except Exception:
            log.exception("sending mail %s", mail.id)
            await self._fail(mail, MailRefused("internal_error"), started)
        else:
            await self._end(mail, "delivered", "delivered", reply, started)

    async def _hold(self, mail: QueuedMail) -> None:
        """Keep a mail from every other sender for as long as the server may take with the message."""
        patience = timedelta(seconds=self._transport.acknowledgement_seconds)
        async with self._database.operation() as operators:
            await operators.mail_queue.hold(mail.id, self._now() + LEASE + patience)

    def _link_of(self, mail: QueuedMail) -> str | None:
        if mail.sealed is None:
            return None
        return self._seal.open(mail.sealed, mail.company_id, MAIL, mail.id)

    async def _end(
        self, mail: QueuedMail, state: str, outcome: str, reply: int | None, started: float
    ) -> None:
        async def record() -> None:
            async with self._database.operation() as operators:
                await operators.mail_queue.end(mail.id, state, reply, self._now())

        # What the server took is sent again unless this is written: a database that is away is waited for.
        await retry_while_busy(record)
        self._tell(mail, state, outcome, reply, started)

    async def _fail(self, mail: QueuedMail, refused: MailRefused, started: float) -> None:
        """Give the mail up where trying again is no use, and try it later otherwise."""
        if refused.permanent:
            await self._end(mail, "refused", refused.outcome, refused.reply, started)
        elif mail.attempts >= len(WAITS):
            await self._end(mail, "given_up", refused.outcome, refused.reply, started)
        else:
            await self._postpone(mail, refused, started)

    async def _postpone(self, mail: QueuedMail, refused: MailRefused, started: float) -> None:
        due_at = self._now() + WAITS[mail.attempts]
        async with self._database.operation() as operators:
            await operators.mail_queue.postpone(mail.id, refused.reply, due_at)
        self._tell(mail, "postponed", refused.outcome, refused.reply, started)

    def _tell(self, mail: QueuedMail, state: str, outcome: str, reply: int | None, started: float) -> None:
        """Write the attempt's line; the address stays in the record of deliveries."""
        level = logging.INFO if state == "delivered" else logging.WARNING
        fields = {"mail_id": mail.id, "company_id": mail.company_id, "mail_kind": mail.kind, "state": state}
        fields |= {"outcome": outcome, "reply": reply, "attempt": mail.attempts + 1}
        duration = round((time.perf_counter() - started) * 1000, 3)
        events.log(level, "mail", extra={**fields, "duration_ms": duration})

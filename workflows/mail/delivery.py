"""Sends what waits in the queue of mails: each claimed for a while, tried again by a plan, its end recorded."""

import logging
import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import anyio

from measurement.clock import Clock
from oauth.sealing import CannotOpen, Seal
from storage.database import Database
from storage.repositories.mail_queue import QueuedMail
from workflows.mail.messages import InvalidRecipient, compose
from workflows.mail.outbox import MAIL
from workflows.mail.settings import SmtpSettings
from workflows.mail.smtp import MailRefused, SmtpTransport

log = logging.getLogger(__name__)
events = logging.getLogger("seenby.events")

LOOK_SECONDS: Final = 2.0
AT_ONCE: Final = 20
LEASE: Final = timedelta(minutes=2)
"""How long a mail is its sender's; when the sender died, another one takes it after that."""
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

    async def run(self) -> None:
        """Send what is due, again and again."""
        while True:
            try:
                sent = await self.send_due()
            except Exception:
                log.exception("sending mails")
                sent = 0
            if not sent:
                await anyio.sleep(LOOK_SECONDS)

    async def send_due(self) -> int:
        """Try every mail that is due now, at most AT_ONCE of them; return how many were tried."""
        tried = 0
        for mail in await self._database.operators.mail_queue.due(self._now(), AT_ONCE):
            async with self._database.operation() as operators:
                claimed = await operators.mail_queue.claim(mail, self._now() + LEASE)
            if claimed:
                await self._try(mail)
                tried += 1
        return tried

    async def _try(self, mail: QueuedMail) -> None:
        """Send one claimed mail and record at once what became of it."""
        started = time.perf_counter()
        if self._now() - mail.created_at > LIFE:
            await self._end(mail, "given_up", "too_old", None, started)
            return
        try:
            link = self._link_of(mail)
            message = compose(mail, link, self._base_url, self._sender)
            reply = await self._transport.send(message, mail.recipient)
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

    def _link_of(self, mail: QueuedMail) -> str | None:
        if mail.sealed is None:
            return None
        return self._seal.open(mail.sealed, mail.company_id, MAIL, mail.id)

    async def _end(
        self, mail: QueuedMail, state: str, outcome: str, reply: int | None, started: float
    ) -> None:
        async with self._database.operation() as operators:
            await operators.mail_queue.end(mail.id, state, reply, self._now())
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

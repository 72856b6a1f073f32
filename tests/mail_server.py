"""A real mail server on loopback that keeps what it is handed."""

import asyncio
import email
import email.policy
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from oauth.sealing import Seal
from storage.database import Database
from workflows.mail.delivery import MailDelivery
from workflows.mail.smtp import SmtpSettings

NOON = datetime(2026, 3, 31, 12, tzinfo=UTC)
SECRET = b"an unguessable test key of 40 characters"
BASE_URL = "https://seenby.test"


@dataclass
class MailServer:
    """Keeps every message; `rcpt` and `data` are what it replies, and `taken` is set with the message number `hold_after`.

    It never answers a recipient of the domains `silent`, refuses those of `refused`, and breaks the connection when it
    has the message to one of `breaking`. Each word on a message waits while `pending` is set to an event.
    """

    rcpt: str = "250 OK"
    data: str = "250 OK"
    messages: list[EmailMessage] = field(default_factory=list[EmailMessage])
    taken: threading.Event = field(default_factory=threading.Event)
    arrived: threading.Event = field(default_factory=threading.Event)
    hold_after: int | None = None
    port: int = 0
    silent: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    breaking: tuple[str, ...] = ()
    pending: threading.Event | None = None
    has_message: threading.Event = field(default_factory=threading.Event)
    silences: list[str] = field(default_factory=list[str])

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address.endswith(self.refused or ("@",)):
            return "550 no such user"
        if address.endswith(self.silent or ("@",)):
            self.silences.append(address)
            await asyncio.Event().wait()
        if self.rcpt.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.rcpt

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.has_message.set()
        if envelope.rcpt_tos[0].endswith(self.breaking or ("@",)):
            assert isinstance(server.transport, asyncio.Transport)
            server.transport.abort()
            return "451 broken"
        if self.pending is not None:
            await asyncio.to_thread(self.pending.wait, 30)
        if self.data.startswith("250"):
            assert isinstance(envelope.content, bytes)
            message = email.message_from_bytes(envelope.content, policy=email.policy.default)
            message["X-Recipients"] = " ".join(envelope.rcpt_tos)
            self.messages.append(message)
            self.arrived.set()
        if self.hold_after is not None and len(self.messages) >= self.hold_after:
            self.taken.set()
        return self.data

    @property
    def settings(self) -> SmtpSettings:
        return SmtpSettings("127.0.0.1", self.port, "seenby@seenby.test", security="none")

    def delivery(self, database: Database, now: Callable[[], datetime] = lambda: NOON) -> MailDelivery:
        return MailDelivery(database, self.settings, Seal(SECRET), BASE_URL, now)


@contextmanager
def open_mail_server(**options: Any) -> Generator[MailServer]:
    """A server on a port of its own; options are aiosmtpd's."""
    server = MailServer()
    controller = AnyPortController(server, hostname="127.0.0.1", port=0, **options)
    controller.start()
    server.port = controller.port
    yield server
    controller.stop()


class AnyPortController(Controller):
    """Listens on whatever port is free."""

    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()

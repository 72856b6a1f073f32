"""SMTP: sends a composed message to the operator's mail server and interprets its errors."""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Final, Literal

import aiosmtplib

Security = Literal["starttls", "tls", "none"]


@dataclass(frozen=True, slots=True)
class SmtpSettings:
    """Where mail is handed in, and as whom; `sender` is the address in From."""

    host: str
    port: int
    sender: str
    security: Security = "starttls"
    username: str | None = None
    password: str | None = field(default=None, repr=False)


ENVELOPE_SECONDS: Final = 60.0
"""How long a server may take from the connection until it has taken sender and recipient."""
ACKNOWLEDGEMENT_SECONDS: Final = 600.0
"""How long a server may take with the message itself (RFC 5321, 4.5.3.2.6): one that is left earlier may have taken it,
and is handed it again."""
PERMANENT: Final = range(500, 600)
SENDER_FAULTS: Final = frozenset({530, 534, 535, 538, 554})
"""Replies that concern the operator's account or server rather than one recipient."""


class MailRefused(Exception):
    """A message was not taken. `permanent` says that trying again is no use; `reply` is the SMTP code, if any."""

    def __init__(self, outcome: str, reply: int | None = None, *, permanent: bool = False) -> None:
        super().__init__(outcome)
        self.outcome = outcome
        self.reply = reply
        self.permanent = permanent


class SmtpTransport:
    """Hands messages to one SMTP server, each over a connection of its own."""

    def __init__(
        self,
        settings: SmtpSettings,
        tls: Callable[[], ssl.SSLContext] | None = None,
        envelope_seconds: float = ENVELOPE_SECONDS,
        acknowledgement_seconds: float = ACKNOWLEDGEMENT_SECONDS,
    ) -> None:
        self._settings = settings
        self._tls = tls or ssl.create_default_context
        self._envelope_seconds = envelope_seconds
        self.acknowledgement_seconds = acknowledgement_seconds

    async def send(
        self, message: EmailMessage, recipient: str, before_message: Callable[[], Awaitable[None]]
    ) -> int:
        """Hand a message in and return the code of its acknowledgement. Raises MailRefused.

        `before_message` is awaited when the server has taken sender and recipient: from then on it may take the
        message, and take `acknowledgement_seconds` to say so.
        """
        client = self._client()
        try:
            await self._introduce(client, recipient)
            await before_message()
            reply = await client.data(message.as_bytes(), timeout=self.acknowledgement_seconds)
        except (aiosmtplib.SMTPException, OSError) as error:
            raise named(error) from error
        finally:
            client.close()
        return reply.code

    async def check(self) -> None:
        """Connect and sign in without sending anything. Raises MailRefused."""
        client = self._client()
        try:
            async with asyncio.timeout(self._envelope_seconds):
                await client.connect()
                await client.quit()
        except (aiosmtplib.SMTPException, OSError) as error:
            raise named(error) from error
        finally:
            client.close()

    async def _introduce(self, client: aiosmtplib.SMTP, recipient: str) -> None:
        """Connect, sign in, and name sender and recipient."""
        async with asyncio.timeout(self._envelope_seconds):
            try:
                await client.connect()
            except (aiosmtplib.SMTPException, OSError) as error:
                raise named(error, connecting=True) from error
            await client.mail(self._settings.sender)
            await client.rcpt(recipient)

    def _client(self) -> aiosmtplib.SMTP:
        settings = self._settings
        return aiosmtplib.SMTP(
            hostname=settings.host,
            port=settings.port,
            username=settings.username,
            password=settings.password,
            use_tls=settings.security == "tls",
            start_tls=settings.security == "starttls",
            tls_context=None if settings.security == "none" else self._tls(),
            local_hostname=socket.gethostname(),
            timeout=self._envelope_seconds / 2,
        )


def named(error: Exception, *, connecting: bool = False) -> MailRefused:
    """Map a failure of the SMTP client to an outcome and the server's code."""
    if isinstance(error, aiosmtplib.SMTPAuthenticationError):
        return MailRefused("credentials_refused", error.code)
    if isinstance(error, aiosmtplib.SMTPRecipientRefused):
        return MailRefused("recipient_refused", error.code, permanent=error.code in PERMANENT)
    if isinstance(error, aiosmtplib.SMTPResponseException):
        permanent = not connecting and error.code in PERMANENT and error.code not in SENDER_FAULTS
        return MailRefused("server_refused", error.code, permanent=permanent)
    if isinstance(error, ssl.SSLError) or isinstance(error.__cause__, ssl.SSLError):
        return MailRefused("tls_failed")
    if isinstance(error, TimeoutError):
        return MailRefused("timeout")
    if isinstance(error, OSError):
        return MailRefused("unreachable")
    return MailRefused("no_tls_or_sign_in")  # the client's own words for an extension that the server lacks

"""SMTP: how a composed message reaches the operator's mail server, and what its refusal means."""

import asyncio
import socket
import ssl
from collections.abc import Callable
from email.message import EmailMessage
from typing import Final

import aiosmtplib

from workflows.mail.settings import SmtpSettings

SEND_SECONDS: Final = 60.0
"""How long one message may take, from the connection to the server's acknowledgement."""
PERMANENT: Final = range(500, 600)
SENDER_FAULTS: Final = frozenset({530, 534, 535, 538, 554})
"""Replies that blame the operator's account or server rather than one recipient: mended, they go away."""


class MailRefused(Exception):
    """A message was not taken. `permanent` says that trying again is no use; `reply` is the SMTP code, if any."""

    def __init__(self, outcome: str, reply: int | None = None, *, permanent: bool = False) -> None:
        super().__init__(outcome)
        self.outcome = outcome
        self.reply = reply
        self.permanent = permanent


class SmtpTransport:
    """Hands messages to one SMTP server, each over a connection of its own."""

    def __init__(self, settings: SmtpSettings, tls: Callable[[], ssl.SSLContext] | None = None) -> None:
        self._settings = settings
        self._tls = tls or ssl.create_default_context

    async def send(self, message: EmailMessage, recipient: str) -> int:
        """Hand a message in and return the code of its acknowledgement. Raises MailRefused."""
        try:
            async with asyncio.timeout(SEND_SECONDS):
                return await self._send(message, recipient)
        except TimeoutError as error:
            raise MailRefused("timeout") from error

    async def check(self) -> None:
        """Connect and sign in without sending anything. Raises MailRefused."""
        try:
            async with asyncio.timeout(SEND_SECONDS):
                client = await self._connect()
                await client.quit()
        except TimeoutError as error:
            raise MailRefused("timeout") from error
        except (aiosmtplib.SMTPException, OSError) as error:
            raise named(error) from error

    async def _send(self, message: EmailMessage, recipient: str) -> int:
        try:
            client = await self._connect()
        except (aiosmtplib.SMTPException, OSError) as error:
            raise named(error, connecting=True) from error
        try:
            await client.mail(self._settings.sender)
            await client.rcpt(recipient)
            reply = await client.data(message.as_bytes())
        except (aiosmtplib.SMTPException, OSError) as error:
            raise named(error) from error
        finally:
            client.close()
        return reply.code

    async def _connect(self) -> aiosmtplib.SMTP:
        settings = self._settings
        client = aiosmtplib.SMTP(
            hostname=settings.host,
            port=settings.port,
            username=settings.username,
            password=settings.password,
            use_tls=settings.security == "tls",
            start_tls=settings.security == "starttls",
            tls_context=None if settings.security == "none" else self._tls(),
            local_hostname=socket.gethostname(),
            timeout=SEND_SECONDS / 2,
        )
        await client.connect()
        return client


def named(error: Exception, *, connecting: bool = False) -> MailRefused:
    """Return what a failure of the SMTP client means, in a word of ours and the server's code."""
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

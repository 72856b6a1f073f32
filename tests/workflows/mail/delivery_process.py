"""A process that sends the mails of a database until it is killed: database URL and port are its arguments."""

import asyncio
import sys
from datetime import UTC, datetime

from oauth.sealing import Seal
from storage.database import Database
from workflows.mail.delivery import MailDelivery
from workflows.mail.smtp import SmtpSettings


async def run(url: str, port: int, secret: str, base_url: str) -> None:
    database = await Database.open(url)
    smtp = SmtpSettings("127.0.0.1", port, "seenby@seenby.test", security="none")
    await MailDelivery(
        database, smtp, Seal(secret.encode()), base_url, lambda: datetime(2026, 3, 31, 12, tzinfo=UTC)
    ).run()


asyncio.run(run(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]))

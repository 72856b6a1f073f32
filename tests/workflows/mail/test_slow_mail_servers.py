"""A mail server that hangs, trickles, breaks off or is slow to say yes holds up nobody else, and takes no mail twice."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest

from oauth.sealing import Seal
from storage.database import Database
from storage.repositories.mails import MailDraft
from tests.mail_server import BASE_URL, NOON, SECRET, MailServer
from workflows.mail.delivery import MailDelivery
from workflows.mail.smtp import SmtpSettings, SmtpTransport

BOTH = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
PATIENCE = 50
"""Less than the minute that a whole envelope may take, so that nothing passes which waited for that."""


@pytest.fixture
async def database(url: str):
    opened = await Database.open(url)
    yield opened
    await opened.close()


async def make_company(database: Database, name: str) -> str:
    async with database.operation() as operators:
        company = await operators.companies.create(name, f"owner@{name}.test", "scale", NOON)
    return company.id


async def queue(database: Database, company: str, kind: str, *recipients: str) -> None:
    """Queue a mail of a kind to each recipient."""
    contents: dict[str, dict[str, Any]] = {
        "alert": {"kind": "ai_mention", "severity": "info", "title": "Title", "message": "M", "path": None},
        "invitation": {"company": "Acme", "invitedBy": "Ada", "role": "member"},
        "weekly_report": {"company": "Acme", "brands": [], "openIssues": 0},
    }
    drafts = [MailDraft(kind, to, contents[kind], f"{kind}:{to}") for to in recipients]
    async with database.transaction(company) as writing:
        await writing.mails.queue(drafts, NOON)


async def states(database: Database, company: str) -> dict[str, tuple[str, int]]:
    """Return state and attempts by recipient."""
    page, _ = await database.workspace(company).mails.page(1000, 0)
    return {record.recipient: (record.state, record.attempts) for record in page}


async def reached(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def sending(delivery: MailDelivery) -> AsyncGenerator[asyncio.Task[None]]:
    task = asyncio.create_task(delivery.run())
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def impatient(database: Database, port: int, seconds: float) -> MailDelivery:
    settings = SmtpSettings("127.0.0.1", port, "seenby@seenby.test", security="none")
    transport = SmtpTransport(settings, None, seconds, seconds)
    return MailDelivery(database, settings, Seal(SECRET), BASE_URL, lambda: NOON, transport)


@BOTH
async def test_recipients_that_hang_keep_nobody_elses_mail_waiting(
    database: Database, mail_server: MailServer
) -> None:
    slow, quick = await make_company(database, "slow"), await make_company(database, "quick")
    mail_server.silent = ("@tar.test",)
    await queue(database, slow, "alert", *(f"p{number}@tar.test" for number in range(40)))
    await queue(database, quick, "alert", *(f"p{number}@a.test" for number in range(10)))
    async with sending(mail_server.delivery(database)):
        await reached(lambda: len(mail_server.messages) == 10)
    assert len(mail_server.silences) <= 3


async def test_an_invitation_waits_behind_no_reports_that_hang(
    database: Database, mail_server: MailServer
) -> None:
    mail_server.silent = ("@tar.test",)
    for name in ("first", "second", "third", "fourth"):
        company = await make_company(database, name)
        await queue(database, company, "weekly_report", *(f"{name}{number}@tar.test" for number in range(9)))
    late = await make_company(database, "late")
    async with sending(mail_server.delivery(database)):
        await reached(lambda: len(mail_server.silences) == 5)
        await queue(database, late, "invitation", "new@a.test")
        await reached(lambda: len(mail_server.messages) == 1)
    assert mail_server.messages[0]["To"] == "new@a.test"


async def test_an_invitation_goes_before_its_own_companys_reports(
    database: Database, mail_server: MailServer
) -> None:
    company = await make_company(database, "one")
    await queue(database, company, "weekly_report", *(f"p{number}@a.test" for number in range(30)))
    await queue(database, company, "invitation", "new@a.test")
    await mail_server.delivery(database).send_due()
    assert "new@a.test" in [message["To"] for message in mail_server.messages]


async def test_a_rejected_recipient_or_broken_connection_affects_no_other(
    database: Database, mail_server: MailServer
) -> None:
    company = await make_company(database, "one")
    mail_server.refused, mail_server.breaking = ("@gone.test",), ("@torn.test",)
    await queue(database, company, "alert", "a@a.test", "b@gone.test", "c@torn.test", "d@a.test")
    delivery = mail_server.delivery(database)
    while await delivery.send_due():
        pass
    assert await states(database, company) == {
        "a@a.test": ("delivered", 1),
        "b@gone.test": ("refused", 1),
        "c@torn.test": ("queued", 1),
        "d@a.test": ("delivered", 1),
    }
    mail_server.breaking = ()
    await mail_server.delivery(database, lambda: NOON + timedelta(minutes=1)).send_due()
    assert sorted(message["To"] for message in mail_server.messages) == [
        "a@a.test",
        "c@torn.test",
        "d@a.test",
    ]


@pytest.mark.parametrize("words", [b"", b"2", b"220 ready\r\n"], ids=["silent", "trickling", "deaf"])
async def test_a_server_that_takes_connections_and_says_no_more_is_left(
    database: Database, words: bytes
) -> None:
    opened: list[asyncio.StreamWriter] = []

    async def stall(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        opened.append(writer)
        writer.write(words)
        while words == b"2" and not writer.is_closing():
            writer.write(b"2")
            await asyncio.sleep(0.02)

    company = await make_company(database, "one")
    await queue(database, company, "alert", "a@a.test", "b@a.test", "c@a.test")
    server = await asyncio.start_server(stall, "127.0.0.1", 0)
    async with server:
        async with asyncio.timeout(PATIENCE):
            assert await impatient(database, server.sockets[0].getsockname()[1], 0.3).send_due() == 3
        for writer in opened:
            writer.close()
    assert set((await states(database, company)).values()) == {("queued", 1)}


async def test_a_server_that_is_slow_to_say_yes_gets_no_second_copy(
    database: Database, mail_server: MailServer
) -> None:
    """What was handed over is acknowledged later than a whole envelope may take, and after another sender looked."""
    company = await make_company(database, "one")
    mail_server.pending = threading.Event()
    await queue(database, company, "alert", "a@a.test")
    settings = mail_server.settings
    transport = SmtpTransport(settings, None, 0.2)
    patient = MailDelivery(database, settings, Seal(SECRET), BASE_URL, lambda: NOON, transport)
    async with sending(patient):
        await reached(mail_server.has_message.is_set)
        other = mail_server.delivery(database, lambda: NOON + timedelta(minutes=9))
        await asyncio.sleep(0.5)
        assert await other.send_due() == 0
        mail_server.pending.set()
        await reached(lambda: len(mail_server.messages) == 1)
        async with asyncio.timeout(PATIENCE):
            while (await states(database, company))["a@a.test"][0] == "queued":
                await asyncio.sleep(0.01)
    assert await states(database, company) == {"a@a.test": ("delivered", 1)}


@BOTH
async def test_a_sender_that_is_stopped_hears_the_servers_yes(
    database: Database, mail_server: MailServer
) -> None:
    company = await make_company(database, "one")
    mail_server.pending = threading.Event()
    await queue(database, company, "alert", "a@a.test")
    async with sending(mail_server.delivery(database)) as task:
        await reached(mail_server.has_message.is_set)
        task.cancel()
        await asyncio.sleep(0)
        mail_server.pending.set()
    assert await states(database, company) == {"a@a.test": ("delivered", 1)}
    assert await mail_server.delivery(database, lambda: NOON + timedelta(hours=1)).send_due() == 0
    assert len(mail_server.messages) == 1


async def test_a_failing_database_loses_no_mail_slot(database: Database, mail_server: MailServer) -> None:
    company = await make_company(database, "one")
    await queue(database, company, "alert", *(f"p{number}@a.test" for number in range(12)))
    async with database.writing() as connection:
        await connection.exec_driver_sql(
            "CREATE TRIGGER torn BEFORE UPDATE ON mails WHEN OLD.key % 2 = 0 "
            "BEGIN SELECT RAISE(ABORT, 'torn'); END"
        )
    delivery = mail_server.delivery(database)
    for _ in range(6):
        await delivery.send_due()
    async with database.writing() as connection:
        await connection.exec_driver_sql("DROP TRIGGER torn")
    while await delivery.send_due():
        pass
    assert set((await states(database, company)).values()) == {("delivered", 1)}
    assert len(mail_server.messages) == 12

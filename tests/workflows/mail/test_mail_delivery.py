"""Mails: queued with what causes them, delivered through SMTP, tried again, recorded; hostile text is inert."""

import asyncio
import json
import logging
import sys
from collections import Counter
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from oauth.sealing import Seal
from storage.database import Database
from storage.repositories.mails import MailDraft, MailRecord
from storage.repositories.notification_choices import NotificationChoice
from storage.repositories.notifications import NotificationDraft
from tests.mail_server import BASE_URL, NOON, SECRET, MailServer
from workflows.mail.delivery import AT_ONCE_OF_EACH
from workflows.mail.outbox import Outbox
from workflows.mail.scheduled_reports import ScheduledReports

BOTH = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
ALERT = NotificationDraft("ai_mention", "warning", "chatgpt does not name Zentrix", "Look.", "told:1")


@pytest.fixture
async def database(url: str):
    opened = await Database.open(url)
    yield opened
    await opened.close()


async def make_company(database: Database, name: str = "Zentrix") -> tuple[str, str]:
    """Return a new company's identifier and its owner's."""
    email = f"owner@{name.lower()}.test"
    async with database.operation() as operators:
        company = await operators.companies.create(name, email, "scale", NOON)
        owner = await operators.users.by_email(email)
    assert owner is not None
    return company.id, owner.id


async def choose(database: Database, company: str, user: str, *kinds: str) -> None:
    choices = [NotificationChoice(kind, "email") for kind in kinds]
    async with database.transaction(company) as writing:
        await writing.notification_choices.set_of_user(user, choices)


async def tell(database: Database, company: str, draft: NotificationDraft = ALERT) -> None:
    async with database.transaction(company) as writing:
        await writing.notifications.add(draft, NOON)


async def queue(database: Database, company: str, count: int) -> None:
    content = {"kind": "ai_mention", "severity": "info", "title": "Title", "message": "M", "path": None}
    drafts = [MailDraft("alert", f"p{number}@a.test", content, f"alert:{number}") for number in range(count)]
    async with database.transaction(company) as writing:
        await writing.mails.queue(drafts, NOON)


async def records(database: Database, company: str) -> list[MailRecord]:
    page, _ = await database.workspace(company).mails.page(1000, 0)
    return page


def body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    assert part is not None
    return part.get_content()


@BOTH
async def test_an_alert_is_mailed_once_to_who_chose_its_kind(
    database: Database, mail_server: MailServer
) -> None:
    company, owner = await make_company(database)
    await choose(database, company, owner, "ai_mention")
    await tell(database, company)
    await tell(database, company)
    delivery = mail_server.delivery(database)
    assert [await delivery.send_due(), await delivery.send_due()] == [1, 0]
    (message,) = mail_server.messages
    assert (message["To"], message["Subject"]) == ("owner@zentrix.test", ALERT.title)
    assert f"{BASE_URL}/notifications" in body(message, "plain")
    (record,) = await records(database, company)
    assert (record.state, record.attempts, record.reply) == ("delivered", 1, 250)


async def test_nobody_is_mailed_who_did_not_choose_the_kind(
    database: Database, mail_server: MailServer
) -> None:
    company, owner = await make_company(database)
    await tell(database, company)
    await choose(database, company, owner, "bot_access", "weekly_report")
    await tell(database, company, NotificationDraft("ai_mention", "info", "Title", "Message.", "told:2"))
    assert await mail_server.delivery(database).send_due() == 0


async def test_a_choice_is_the_persons_own_and_of_a_known_kind(database: Database) -> None:
    company, owner = await make_company(database)
    other, _ = await make_company(database, "Acme")
    await choose(database, company, owner, "ai_mention")
    assert await database.workspace(other).notification_choices.of_user(owner) == []
    assert await database.workspace(other).notification_choices.choosers("ai_mention", "email") == []
    with pytest.raises(ValueError, match="post by pigeon"):
        async with database.transaction(company) as writing:
            await writing.notification_choices.set_of_user(owner, [NotificationChoice("post", "pigeon")])


async def test_a_server_that_is_away_is_tried_again_by_the_plan(
    database: Database, mail_server: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    company, _ = await make_company(database)
    await queue(database, company, 1)
    mail_server.data = "451 later"
    delivery = mail_server.delivery(database)
    with caplog.at_level(logging.INFO):
        await delivery.send_due()
    (record,) = await records(database, company)
    assert (record.state, record.reply, record.due_at) == ("queued", 451, NOON + timedelta(minutes=1))
    line = next(line for line in caplog.records if line.name == "seenby.events")
    assert (line.__dict__["state"], line.__dict__["outcome"]) == ("postponed", "server_refused")
    mail_server.data = "250 OK"
    assert await delivery.send_due() == 0
    assert await mail_server.delivery(database, lambda: NOON + timedelta(minutes=1)).send_due() == 1
    (record,) = await records(database, company)
    assert (record.state, record.attempts) == ("delivered", 2)


async def test_a_recipient_that_is_refused_for_good_is_not_tried_again(
    database: Database, mail_server: MailServer
) -> None:
    company, _ = await make_company(database)
    await queue(database, company, 1)
    mail_server.rcpt = "550 no such user"
    await mail_server.delivery(database).send_due()
    (record,) = await records(database, company)
    assert (record.state, record.reply) == ("refused", 550)


async def test_after_the_last_attempt_a_mail_is_given_up(database: Database, mail_server: MailServer) -> None:
    company, _ = await make_company(database)
    await queue(database, company, 1)
    mail_server.data = "451 later"
    moment = NOON
    while (await records(database, company))[0].state == "queued":
        moment = (await records(database, company))[0].due_at
        await mail_server.delivery(database, lambda at=moment: at).send_due()
    (record,) = await records(database, company)
    assert (record.state, record.attempts, moment - NOON < timedelta(days=3)) == ("given_up", 8, True)


async def test_mail_that_waited_for_days_without_a_server_is_not_sent(
    database: Database, mail_server: MailServer
) -> None:
    company, _ = await make_company(database)
    await queue(database, company, 1)
    await mail_server.delivery(database, lambda: NOON + timedelta(days=4)).send_due()
    assert mail_server.messages == []
    assert (await records(database, company))[0].state == "given_up"


@BOTH
async def test_a_killed_sender_loses_no_mail_and_sends_no_other_twice(
    database: Database, url: str, mail_server: MailServer
) -> None:
    company, _ = await make_company(database)
    await queue(database, company, 30)
    mail_server.hold_after = 7
    sender = await asyncio.create_subprocess_exec(
        sys.executable,
        str(Path(__file__).with_name("delivery_process.py")),
        url,
        str(mail_server.port),
        SECRET.decode(),
        BASE_URL,
        env={"PYTHONPATH": str(Path(__file__).parents[3])},
    )
    assert await asyncio.to_thread(mail_server.taken.wait, 60)
    sender.kill()
    await sender.wait()
    later = mail_server.delivery(database, lambda: NOON + timedelta(minutes=13))
    while await later.send_due():
        pass
    copies = Counter(message["Message-ID"] for message in mail_server.messages)
    assert len(copies) == 30
    # Those whose acknowledgements died with the sender come again, as the same messages.
    assert sum(copies.values()) <= 30 + AT_ONCE_OF_EACH
    assert {record.state for record in await records(database, company)} == {"delivered"}


HOSTILE = (
    "Zentrix\r\nBcc: victim@evil.test\r\n\r\n<script>alert(1)</script> "
    '<img src=x onerror=alert(2)> <a href="javascript:alert(3)">x</a> \u202egnp.exe \x00\x1b[2J'
)


async def test_hostile_text_stays_text_in_headers_and_html(
    database: Database, mail_server: MailServer
) -> None:
    company, owner = await make_company(database)
    await choose(database, company, owner, "ai_mention")
    await tell(database, company, NotificationDraft("ai_mention", "info", HOSTILE, HOSTILE * 500, "told:3"))
    await mail_server.delivery(database).send_due()
    (message,) = mail_server.messages
    assert (message["Bcc"], message["X-Recipients"]) == (None, "owner@zentrix.test")
    page = body(message, "html")
    assert "<script" not in page
    assert "<img" not in page
    assert page.count("<a ") == 1
    assert not {"\u202e", "\x00", "\x1b"} & set(page + body(message, "plain") + message["Subject"])
    assert len(message.as_bytes()) < 30_000


@pytest.mark.parametrize(
    "address",
    [
        "a@a.test,b@b.test",
        "a@a.test\r\nBcc: b@b.test",
        "<a@a.test> b@b.test",
        "a@a.test>\r\nRCPT TO:<b@b.test",
    ],
)
async def test_an_address_that_is_more_than_one_address_gets_no_mail(
    database: Database, mail_server: MailServer, address: str
) -> None:
    company, _ = await make_company(database)
    content = {"company": "Acme", "invitedBy": "Ada", "role": "member"}
    async with database.transaction(company) as writing:
        await writing.mails.queue([MailDraft("invitation", address, content, "invitation:1")], NOON)
    await mail_server.delivery(database).send_due()
    assert mail_server.messages == []
    assert (await records(database, company))[0].state == "refused"


async def test_a_link_that_lets_somebody_in_waits_sealed_and_is_erased(
    database: Database, url: str, mail_server: MailServer
) -> None:
    company, owner = await make_company(database)
    link = f"{BASE_URL}/auth/reset?key=very-secret-token"
    async with database.transaction(company) as writing:
        await Outbox(Seal(SECRET)).reset_password(writing, "owner@zentrix.test", link, owner, NOON)
    (queued,) = await database.operators.mail_queue.due(NOON, 1, 5)
    assert "very-secret-token" not in json.dumps([queued.content, queued.sealed])
    await mail_server.delivery(database).send_due()
    assert link in body(mail_server.messages[0], "plain")
    async with database.writing() as connection:
        rows = await connection.exec_driver_sql("SELECT sealed FROM mails")
        assert [row[0] for row in rows] == [None]


@BOTH
async def test_the_weekly_report_comes_once_a_week_and_invents_no_score(
    database: Database, mail_server: MailServer
) -> None:
    company, owner = await make_company(database)
    await choose(database, company, owner, "weekly_report")
    reports = ScheduledReports(database)
    assert [await reports.start_due(NOON), await reports.start_due(NOON)] == [1, 0]
    monday = NOON + timedelta(days=6)
    assert await reports.start_due(monday.replace(hour=6)) == 0
    assert await reports.start_due(monday.replace(hour=7)) == 1
    await mail_server.delivery(database).send_due()
    assert "No brand is watched yet." in body(mail_server.messages[0], "plain")

"""Webhooks: queued with what causes them, signed, sent to public addresses only, tried again, switched off."""

import asyncio
import base64
import hashlib
import hmac
import json
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, cast

import pytest

from oauth.sealing import Seal
from storage.database import Database
from storage.queries import Query, QuerySession
from storage.repositories.notifications import NotificationDraft, NotificationRepository
from storage.repositories.webhooks import KINDS, DeliveryRecord, Webhook
from tests.webhook_receiver import WebhookReceiver, open_receiver
from tests.workflows.mail.test_mail_delivery import BASE_URL, NOON, SECRET, make_company
from workflows.webhooks.delivery import WAITS, WebhookDelivery
from workflows.webhooks.registration import InvalidWebhook, Target
from workflows.webhooks.service import WebhookService

BOTH = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
ALERT = NotificationDraft(
    "ai_mention", "warning", "chatgpt does not name Zentrix", "Look.", "told:1", path="/answers"
)


@pytest.fixture
async def database(url: str) -> AsyncGenerator[Database]:
    opened = await Database.open(url)
    yield opened
    await opened.close()


@pytest.fixture
def receiver() -> Generator[WebhookReceiver]:
    with open_receiver() as opened:
        yield opened


def service(
    database: Database, receiver: WebhookReceiver, now: Callable[[], datetime] = lambda: NOON
) -> WebhookService:
    return WebhookService(database, Seal(SECRET), BASE_URL, now, frozenset((receiver.host,)))


def delivery_at(database: Database, receiver: WebhookReceiver, moment: datetime) -> WebhookDelivery:
    return service(database, receiver, lambda: moment).delivery


async def tell(database: Database, company: str, draft: NotificationDraft = ALERT) -> None:
    async with database.transaction(company) as writing:
        await writing.notifications.add(draft, NOON)


async def add(
    database: Database, receiver: WebhookReceiver, company: str, form: str = "standard"
) -> tuple[Webhook, Target]:
    return await service(database, receiver).add(company, receiver.url, KINDS, form)


async def records(database: Database, company: str) -> list[DeliveryRecord]:
    page, _ = await database.workspace(company).webhooks.deliveries(1000, 0)
    return page


async def send_until_ended(database: Database, receiver: WebhookReceiver, company: str) -> datetime:
    moment = NOON
    while (await records(database, company))[0].state == "queued":
        moment = (await records(database, company))[0].due_at
        assert await delivery_at(database, receiver, moment).send_due() == 1
    return moment


@BOTH
async def test_a_notification_arrives_once_signed_as_standard_webhooks_say(
    database: Database, receiver: WebhookReceiver
) -> None:
    company, _ = await make_company(database)
    _, target = await add(database, receiver, company)
    await tell(database, company)
    await tell(database, company)
    delivery = service(database, receiver).delivery
    assert [await delivery.send_due(), await delivery.send_due()] == [1, 0]
    (request,) = receiver.requests
    (record,) = await records(database, company)
    assert (record.state, record.attempts, record.reply) == ("delivered", 1, 204)
    assert request.path == "/hook/secret-path"
    assert request.headers["webhook-id"] == record.id
    assert int(request.headers["webhook-timestamp"]) == int(NOON.timestamp())
    key = base64.b64decode(target.secret.removeprefix("whsec_"))
    signed = f"{record.id}.{int(NOON.timestamp())}.".encode() + request.body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert request.headers["webhook-signature"] == f"v1,{expected}"
    document = json.loads(request.body)
    assert (document["type"], document["timestamp"]) == ("notification.created", "2026-03-31T12:00:00.000Z")
    assert document["data"]["title"] == ALERT.title
    assert document["data"]["url"] == f"{BASE_URL}/answers"
    [told], _ = await database.workspace(company).notifications.page(False, 10, 0)
    assert document["data"]["id"] == told.id


async def test_only_chosen_kinds_and_only_the_own_company_are_sent(
    database: Database, receiver: WebhookReceiver
) -> None:
    company, _ = await make_company(database)
    other, _ = await make_company(database, "Acme")
    await service(database, receiver).add(company, receiver.url, ["bot_access"], "standard")
    await tell(database, company)
    await tell(database, other)
    assert await service(database, receiver).delivery.send_due() == 0
    assert await service(database, receiver).all(other) == []
    (webhook,) = await service(database, receiver).all(company)
    assert await service(database, receiver).test(other, webhook.id) is None
    assert await service(database, receiver).remove(other, webhook.id) is False


class ReadLog:
    """A transaction's session that notes what is read in it."""

    def __init__(self, session: QuerySession) -> None:
        self._session = session
        self.queries: list[Query[Any]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    async def fetch(self, query: Query[Any], values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        self.queries.append(query)
        return await self._session.fetch(query, values)


async def test_notifications_of_one_transaction_read_once_who_is_told(
    database: Database, receiver: WebhookReceiver
) -> None:
    company, _ = await make_company(database)
    await add(database, receiver, company)
    async with database.transaction(company) as writing:
        reads = ReadLog(writing.session)
        telling = NotificationRepository(cast(QuerySession, reads), company)
        for number in range(5):
            await telling.add(replace(ALERT, dedup_key=f"told:{number}"), NOON)
    assert len(await records(database, company)) == 5
    # Whether each was told before is asked of each; mails and webhooks are looked up once.
    counts = sorted(Counter(reads.queries).values())
    assert counts == [1, 1, 5]


async def test_a_failing_receiver_is_retried_with_the_same_identifier(
    database: Database, receiver: WebhookReceiver, caplog: pytest.LogCaptureFixture
) -> None:
    company, _ = await make_company(database)
    await add(database, receiver, company)
    await tell(database, company)
    receiver.status = 500
    with caplog.at_level(logging.INFO):
        await delivery_at(database, receiver, NOON).send_due()
    (record,) = await records(database, company)
    assert (record.state, record.reply, record.due_at) == ("queued", 500, NOON + WAITS[0])
    line = next(line.__dict__ for line in caplog.records if line.getMessage() == "webhook")
    assert (line["state"], line["outcome"], line["reply"]) == ("postponed", "receiver_refused", 500)
    assert "secret-path" not in str(line)
    receiver.status = 200
    assert await delivery_at(database, receiver, NOON).send_due() == 0
    assert await delivery_at(database, receiver, record.due_at).send_due() == 1
    (record,) = await records(database, company)
    assert (record.state, record.attempts) == ("delivered", 2)
    assert receiver.requests[0].headers["webhook-id"] == receiver.requests[1].headers["webhook-id"]
    assert receiver.requests[0].body == receiver.requests[1].body


@BOTH
async def test_a_webhook_that_accepts_nothing_for_days_is_disabled(
    database: Database, receiver: WebhookReceiver
) -> None:
    company, _ = await make_company(database)
    webhook, _ = await add(database, receiver, company)
    await tell(database, company)
    receiver.status = 503
    ended = await send_until_ended(database, receiver, company)
    assert timedelta(days=1) < ended - NOON < timedelta(days=3)
    (stored,) = await service(database, receiver).all(company)
    assert (stored.state, stored.disabled_reason) == ("disabled", "receiver_refused")
    told, _ = await database.workspace(company).notifications.page(True, 10, 0)
    assert "was disabled" in told[0].title
    assert {record.state for record in await records(database, company)} == {"given_up"}
    before = len(receiver.requests)
    await tell(database, company, NotificationDraft("ai_mention", "info", "Title", "Message.", "told:2"))
    assert await delivery_at(database, receiver, ended).send_due() == 0
    assert len(receiver.requests) == before
    receiver.status = 200
    assert await service(database, receiver).enable(company, webhook.id)
    await tell(database, company, NotificationDraft("ai_mention", "info", "Title", "Message.", "told:3"))
    assert await delivery_at(database, receiver, NOON).send_due() == 1


async def test_a_receiver_that_is_gone_gets_nothing_more_at_once(
    database: Database, receiver: WebhookReceiver
) -> None:
    company, _ = await make_company(database)
    await add(database, receiver, company)
    await tell(database, company)
    receiver.status = 410
    await delivery_at(database, receiver, NOON).send_due()
    (stored,) = await service(database, receiver).all(company)
    assert (stored.state, stored.disabled_reason, len(receiver.requests)) == ("disabled", "gone", 1)


async def test_one_lost_message_does_not_switch_off_a_webhook_that_takes_others(
    database: Database, receiver: WebhookReceiver
) -> None:
    company, _ = await make_company(database)
    await add(database, receiver, company)
    await tell(database, company)
    receiver.status = 500
    await delivery_at(database, receiver, NOON).send_due()
    receiver.status = 200
    async with database.transaction(company) as writing:
        later = NotificationDraft("ai_mention", "info", "Title", "Message.", "told:2")
        await writing.notifications.add(later, NOON + timedelta(seconds=1))
    await delivery_at(database, receiver, NOON + timedelta(seconds=1)).send_due()
    receiver.status = 500
    failing = (await records(database, company))[1]
    while failing.state == "queued":
        await delivery_at(database, receiver, failing.due_at).send_due()
        failing = (await records(database, company))[1]
    (stored,) = await service(database, receiver).all(company)
    assert (failing.state, stored.state) == ("given_up", "active")


async def test_a_redirect_is_not_followed(database: Database, receiver: WebhookReceiver) -> None:
    company, _ = await make_company(database)
    webhook, _ = await add(database, receiver, company)
    receiver.status, receiver.location = 307, f"http://{receiver.host}/elsewhere"
    attempt = await service(database, receiver).test(company, webhook.id)
    assert attempt is not None
    assert (attempt.outcome, attempt.reply, len(receiver.requests)) == ("redirected", 307, 1)


@pytest.mark.parametrize(
    "address",
    [
        "http://hooks.example/x",
        "https://127.0.0.1/x",
        "https://localhost/x",
        "https://[::1]/x",
        "https://2130706433/x",
        "https://169.254.169.254/latest/meta-data",
        "https://10.0.0.1/x",
        "https://hooks.example:8443/x",
        "https://user:password@hooks.example/x",
        "ftp://hooks.example/x",
        "",
    ],
)
async def test_an_address_that_is_not_public_https_is_refused_unseen(
    database: Database, address: str
) -> None:
    company, _ = await make_company(database)
    guarded = WebhookService(database, Seal(SECRET), BASE_URL, lambda: NOON)
    with pytest.raises(InvalidWebhook, match="the address is not allowed"):
        await guarded.add(company, address, KINDS, "standard")


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:127.0.0.1"])
async def test_a_name_that_leads_to_a_private_address_is_sent_nothing(
    database: Database, receiver: WebhookReceiver, address: str
) -> None:
    """The name was public when it was added, and leads inside when something is sent."""
    company, _ = await make_company(database)
    guarded = WebhookService(database, Seal(SECRET), BASE_URL, lambda: NOON)
    await guarded.add(company, "https://hooks.example/x", KINDS, "standard")
    await tell(database, company)

    async def resolve(host: str, port: int) -> list[str]:
        return [address] if host == "hooks.example" else ["203.0.113.7"]

    delivery = WebhookDelivery(database, Seal(SECRET), BASE_URL, lambda: NOON, resolve=resolve)
    await delivery.send_due()
    (record,) = await records(database, company)
    assert (record.state, record.outcome, record.reply) == ("queued", "refused_address", None)
    assert receiver.requests == []


HOSTILE = "Zentrix <!channel> [here](https://evil.test) \u202egnp.exe \x00 & <script>"


async def test_hostile_text_is_inert_in_a_chat_and_cleaned_in_a_document(
    database: Database, receiver: WebhookReceiver
) -> None:
    company, _ = await make_company(database)
    await add(database, receiver, company, "text")
    await tell(database, company, NotificationDraft("ai_mention", "info", HOSTILE, HOSTILE, "told:9"))
    await service(database, receiver).delivery.send_due()
    text = json.loads(receiver.requests[0].body)
    assert text.keys() == {"text"}
    assert not {"<", ">", "\u202e", "\x00"} & set(text["text"])
    assert "](" not in text["text"]


async def test_neither_address_nor_secret_stands_readable_in_the_database(
    database: Database, receiver: WebhookReceiver
) -> None:
    company, _ = await make_company(database)
    _, target = await add(database, receiver, company)
    await tell(database, company)
    async with database.writing() as connection:
        for table in ("webhooks", "webhook_deliveries"):
            rows = (await connection.exec_driver_sql(f"SELECT * FROM {table}")).all()
            assert rows
            assert "secret-path" not in str(rows)
            assert target.secret not in str(rows)


async def test_a_receiver_that_does_not_answer_keeps_no_other_waiting(
    database: Database, receiver: WebhookReceiver
) -> None:
    (slow, _), (other, _) = await make_company(database), await make_company(database, "Acme")
    with open_receiver() as quick:
        receiver.let_go.clear()
        hosts = frozenset((receiver.host, quick.host))
        both = WebhookService(database, Seal(SECRET), BASE_URL, lambda: NOON, hosts)
        await both.add(slow, receiver.url, KINDS, "standard")
        await both.add(other, quick.url, KINDS, "standard")
        for number in range(10):
            await tell(database, slow, NotificationDraft("ai_mention", "info", "T", "M", f"told:{number}"))
        sending = asyncio.create_task(both.delivery.run())
        async with asyncio.timeout(20):
            while not receiver.requests:
                await asyncio.sleep(0.02)
        await tell(database, other)
        arrived = await asyncio.to_thread(quick.arrived.wait, 20)
        left = [record for record in await records(database, slow) if record.due_at == NOON + WAITS[0]]
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        assert (arrived, left) == (True, [])
        assert len(receiver.requests) == 4  # of one webhook at once


async def test_a_crowded_webhook_keeps_no_other_waiting(
    database: Database, receiver: WebhookReceiver
) -> None:
    crowded, _ = await make_company(database)
    other, _ = await make_company(database, "Acme")
    await add(database, receiver, crowded)
    for number in range(30):
        await tell(database, crowded, NotificationDraft("ai_mention", "info", "T", "M", f"told:{number}"))
    await add(database, receiver, other)
    await tell(database, other)
    await service(database, receiver).delivery.send_due()
    assert [record.state for record in await records(database, other)] == ["delivered"]


async def test_a_sender_that_died_leaves_its_delivery_to_another(
    database: Database, receiver: WebhookReceiver
) -> None:
    company, _ = await make_company(database)
    await add(database, receiver, company)
    await tell(database, company)
    queue = database.operators.webhook_queue
    (delivery,) = await queue.due(NOON, 4, 20)
    async with database.operation() as operators:
        assert await operators.webhook_queue.claim(delivery, NOON + timedelta(minutes=5))
    async with database.operation() as operators:
        assert not await operators.webhook_queue.claim(delivery, NOON + timedelta(minutes=5))
    assert await delivery_at(database, receiver, NOON).send_due() == 0
    assert await delivery_at(database, receiver, NOON + timedelta(minutes=5)).send_due() == 1
    (record,) = await records(database, company)
    assert (record.state, record.attempts) == ("delivered", 2)


async def test_a_failing_database_loses_no_delivery_slot(
    database: Database, receiver: WebhookReceiver
) -> None:
    company, _ = await make_company(database)
    await add(database, receiver, company)
    sender = service(database, receiver).delivery
    drafts = [NotificationDraft("ai_mention", "info", "T", "M", f"told:{number}") for number in range(12)]
    for draft in drafts:
        await tell(database, company, draft)
    async with database.writing() as connection:
        await connection.exec_driver_sql(
            "CREATE TRIGGER torn BEFORE UPDATE ON webhook_deliveries WHEN OLD.key % 2 = 0 "
            "BEGIN SELECT RAISE(ABORT, 'torn'); END"
        )
    for _ in range(6):
        await sender.send_due()
    async with database.writing() as connection:
        await connection.exec_driver_sql("DROP TRIGGER torn")
    while await sender.send_due():
        pass
    assert [record.state for record in await records(database, company)] == ["delivered"] * 12

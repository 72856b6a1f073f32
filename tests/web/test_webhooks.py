"""Webhooks in the pages: added by owners, the secret shown once, tested, and fed by the running service."""

import json
import re
from collections.abc import Generator

import anyio
import anyio.to_thread
import pytest

from measurement.planning.clock import utc_now
from storage.database import Database
from storage.repositories.notifications import NotificationDraft
from tests.web.conftest import Meet, Person, Run, Running
from tests.web.test_roles import colleague
from tests.webhook_receiver import WebhookReceiver, open_receiver

PAGE = "/settings/webhooks"


@pytest.fixture(scope="module")
def service(run_service: Run) -> Running:
    return run_service(ALLOW_PRIVATE_SITES="on")


@pytest.fixture
def receiver() -> Generator[WebhookReceiver]:
    with open_receiver() as opened:
        yield opened


async def add(person: Person, url: str, **fields: str) -> str:
    """Add a webhook for broken pages and return the page that follows."""
    typed = {"url": url, "format": "standard", "kind-crawler_error": "1", **fields}
    return (await person.submit(PAGE, typed)).text


async def test_an_owner_adds_a_webhook_tests_it_and_notifications_arrive(
    ada: Person, database: Database, receiver: WebhookReceiver
) -> None:
    made = await add(ada, receiver.url)
    (secret,) = re.findall(r"whsec_[A-Za-z0-9+/=&#;]+", made)
    listed = await ada.text(PAGE)
    assert receiver.host in listed
    assert "secret-path" not in listed
    assert secret not in listed
    action = re.search(rf'action="({PAGE}/[^"]+/test)"', made)
    assert action is not None
    tested = await ada.submit(PAGE, {}, action[1])
    assert "The test: arrived (HTTP 204)." in tested.text
    receiver.arrived.clear()
    company = await database.operators.companies.find(ada.company)
    assert company is not None
    async with database.transaction(company.id) as writing:
        draft = NotificationDraft("crawler_error", "critical", "A key page answers 404", "Look.", "told:1")
        await writing.notifications.add(draft, utc_now())
    with anyio.fail_after(60):
        assert await anyio.to_thread.run_sync(receiver.arrived.wait, 60)
    document = json.loads(receiver.requests[-1].body)
    assert document["data"]["kind"] == "crawler_error"
    assert "Broken pages" in await ada.text(PAGE)


async def test_a_failing_receiver_is_reported_and_a_removed_one_is_gone(
    ada: Person, receiver: WebhookReceiver
) -> None:
    receiver.status = 500
    made = await add(ada, receiver.url, format="text")
    action = re.findall(rf'action="({PAGE}/[^"]+)/test"', made)[-1]
    tested = await ada.submit(PAGE, {}, f"{action}/test")
    assert tested.status_code == 422
    assert "the receiver answered with an error (HTTP 500)" in tested.text
    assert (await ada.submit(PAGE, {}, f"{action}/remove")).status_code == 303
    assert action not in (await ada.http.get(PAGE)).text


@pytest.mark.parametrize("url", ["ftp://hooks.example/", "nonsense"])
async def test_an_address_that_is_refused_is_told_why_and_kept_in_the_form(ada: Person, url: str) -> None:
    page = await add(ada, url)
    assert "The webhook was not added: the address is not allowed" in page
    assert f'value="{url}"' in page


async def test_only_owners_change_webhooks_and_nobody_of_another_company(
    ada: Person, meet: Meet, receiver: WebhookReceiver
) -> None:
    made = await add(ada, receiver.url)
    action = re.findall(rf'action="({PAGE}/[^"]+)/test"', made)[-1]
    member = await colleague(ada, meet, "member")
    page = (await member.http.get(PAGE)).text
    assert receiver.host in page
    assert 'action="/settings/webhooks' not in page
    stranger = meet()
    await stranger.sign_up()
    token = await stranger.token(PAGE, PAGE)
    foreign = await stranger.http.post(f"{action}/remove", data={"token": token})
    assert foreign.status_code in (403, 404)
    assert receiver.host not in await stranger.text(PAGE)
    assert receiver.host in await ada.text(PAGE)

"""Links that pages send by e-mail: invitations and new passwords, and what stands there without a mail server."""

import asyncio
import re
from collections.abc import Generator

import pytest

from tests.mail_server import MailServer, open_mail_server
from tests.web.conftest import Meet, Person, Run, Running

OTHER_PASSWORD = "some quite different words"


@pytest.fixture(scope="module")
def mail_server() -> Generator[MailServer]:
    with open_mail_server() as server:
        yield server


@pytest.fixture(scope="module")
def mailing(run_service: Run, mail_server: MailServer) -> Running:
    """A service that sends mail."""
    return run_service(
        SMTP_HOST="127.0.0.1",
        SMTP_PORT=str(mail_server.port),
        SMTP_FROM="seenby@a.test",
        SMTP_SECURITY="none",
    )


async def link_to(server: MailServer, recipient: str) -> str:
    """Return the path of the link in the next mail to an address, once it has arrived."""
    async with asyncio.timeout(60):
        while True:
            for message in server.messages:
                if message["To"] == recipient:
                    server.messages.remove(message)
                    part = message.get_body(("plain",))
                    assert part is not None
                    match = re.search(r"https?://[^/\s]+(/auth/\S+)", part.get_content())
                    assert match is not None
                    return match[1]
            await asyncio.to_thread(server.arrived.wait, 1)
            server.arrived.clear()


async def join_or_change(person: Person, link: str, **fields: str) -> int:
    action, _, key = link.partition("?key=")
    token = await person.token(link, action)
    return (await person.http.post(action, data={"token": token, "key": key, **fields})).status_code


async def test_an_invitation_is_mailed_and_lets_the_colleague_in(
    mailing: Running, mail_server: MailServer, meet: Meet
) -> None:
    ada, bob = meet(mailing.url), meet(mailing.url)
    await ada.sign_up()
    page = await ada.submit("/settings/people", {"email": bob.email, "role": "member"})
    assert "on its way by e-mail" in page.text
    link = await link_to(mail_server, bob.email)
    assert await join_or_change(bob, link, name="Bob", password=OTHER_PASSWORD) == 303
    assert ada.company in await bob.text("/settings/people")


async def test_a_new_password_by_mail_ends_what_the_old_one_opened(
    mailing: Running, mail_server: MailServer, meet: Meet
) -> None:
    ada, elsewhere = meet(mailing.url), meet(mailing.url)
    await ada.sign_up()
    await elsewhere.submit("/auth/forgotten", {"email": ada.email.upper()})
    link = await link_to(mail_server, ada.email)
    assert await join_or_change(elsewhere, link, password="short") == 422
    assert await join_or_change(elsewhere, link, password=OTHER_PASSWORD) == 303
    assert (await ada.http.get("/settings/profile")).status_code == 303
    assert (await elsewhere.http.get(link)).status_code == 404
    assert (await ada.sign_in(password=OTHER_PASSWORD)).status_code == 303


async def test_who_asks_for_a_link_is_not_told_whether_there_is_an_account(
    mailing: Running, mail_server: MailServer, meet: Meet
) -> None:
    ada, eve = meet(mailing.url), meet(mailing.url)
    await ada.sign_up()
    answers = [
        await eve.submit("/auth/forgotten", {"email": email}) for email in (ada.email, "nobody@example.com")
    ]
    assert answers[0].text == answers[1].text
    assert "If this address has an account here" in answers[0].text
    await link_to(mail_server, ada.email)


async def test_a_later_link_takes_the_place_of_the_first(
    mailing: Running, mail_server: MailServer, meet: Meet
) -> None:
    ada = meet(mailing.url)
    await ada.sign_up()
    stranger = meet(mailing.url)
    links: list[str] = []
    for _ in range(2):
        await stranger.submit("/auth/forgotten", {"email": ada.email})
        links.append(await link_to(mail_server, ada.email))
    assert [(await stranger.http.get(link)).status_code for link in links] == [404, 200]


async def test_links_for_one_account_are_counted(mailing: Running, meet: Meet) -> None:
    ada = meet(mailing.url)
    codes = [
        (await ada.submit("/auth/forgotten", {"email": "flood@example.com"})).status_code for _ in range(3)
    ]
    assert codes == [200, 200, 429]


async def test_without_a_mail_server_the_pages_say_what_to_do(ada: Person, meet: Meet) -> None:
    page = await ada.submit("/settings/people", {"email": "carol@example.com", "role": "member"})
    assert "this server sends no e-mail" in page.text
    assert "seenby company invite" in await meet().text("/auth/forgotten")

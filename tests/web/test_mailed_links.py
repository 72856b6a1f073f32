"""Links that pages send by e-mail: invitations and new passwords, and what stands there without a mail server."""

import asyncio
import re
import sqlite3
from collections.abc import Generator

import httpx2
import pytest

from tests.mail_server import MailServer, open_mail_server
from tests.web.conftest import PASSWORD, Meet, Person, Run, Running, shape

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


async def mail_to(server: MailServer, recipient: str) -> str:
    """Return the text of the next mail to an address, once it has arrived."""
    async with asyncio.timeout(60):
        while True:
            for message in server.messages:
                if message["To"] == recipient:
                    server.messages.remove(message)
                    part = message.get_body(("plain",))
                    assert part is not None
                    return part.get_content()
            await asyncio.to_thread(server.arrived.wait, 1)
            server.arrived.clear()


async def link_to(server: MailServer, recipient: str) -> str:
    """Return the path of the link in the next mail to an address."""
    match = re.search(r"https?://[^/\s]+(/auth/\S+)", await mail_to(server, recipient))
    assert match is not None
    return match[1]


async def ask_for_account(person: Person, **changed: str) -> httpx2.Response:
    fields = {"company": person.company, "name": "Ada", "email": person.email, **changed}
    return await person.submit("/auth/signup", fields)


@pytest.fixture
async def mailed_ada(mailing: Running, mail_server: MailServer, meet: Meet) -> Person:
    """An owner who made an account by the link in a mail and is signed in."""
    person = meet(mailing.url)
    assert (await ask_for_account(person)).status_code == 200
    assert (await person.http.get("/start")).status_code == 303
    assert await join_or_change(person, await link_to(mail_server, person.email), password=PASSWORD) == 303
    return person


async def join_or_change(person: Person, link: str, **fields: str) -> int:
    action, _, key = link.partition("?key=")
    token = await person.token(link, action)
    return (await person.http.post(action, data={"token": token, "key": key, **fields})).status_code


async def test_signing_up_by_mail_leads_a_new_owner_to_the_set_up(mailed_ada: Person) -> None:
    assert mailed_ada.company in await mailed_ada.text("/settings/profile")
    assert (await mailed_ada.http.get("/start")).status_code == 200
    assert (await mailed_ada.sign_in_elsewhere()).headers["location"] == "/"


async def test_sign_up_answers_alike_and_the_mail_alone_says_who_has_an_account(
    mailed_ada: Person, mail_server: MailServer, meet: Meet
) -> None:
    url = str(mailed_ada.http.base_url)
    new, twin, known = meet(url), meet(url), meet(url)
    answers = [
        await ask_for_account(new),
        await ask_for_account(twin, company=mailed_ada.company.upper()),
        await ask_for_account(known, email=mailed_ada.email.upper()),
    ]
    assert [shape(answer) for answer in answers] == [shape(answers[0])] * 3
    assert answers[0].status_code == 200
    starts = [await person.http.get("/start") for person in (new, twin, known)]
    assert [shape(start) for start in starts] == [shape(starts[0])] * 3
    assert "have an account" not in await mail_to(mail_server, new.email)
    told = await mail_to(mail_server, mailed_ada.email)
    assert "You already have one, so nothing changed" in told
    assert "key=" not in told
    # A company of a name that another one has is its own, and opens nothing of the other.
    assert await join_or_change(twin, await link_to(mail_server, twin.email), password=PASSWORD) == 303
    assert mailed_ada.email not in await twin.text("/settings/people")
    assert (await mailed_ada.http.get("/settings/keys")).status_code == 200


async def test_nothing_is_looked_up_before_an_answer_that_must_not_tell(
    mailing: Running, mailed_ada: Person, meet: Meet
) -> None:
    eve = meet(mailing.url)
    forms = {path: await eve.token(path, path) for path in ("/auth/signup", "/auth/forgotten")}
    # Whoever holds the lock of the file's writers stops everything that is written for an address.
    with sqlite3.connect(mailing.database_file, isolation_level=None) as holder:
        holder.execute("BEGIN IMMEDIATE")
        for email in (mailed_ada.email, eve.email):
            fields = {"company": eve.company, "name": "Eve", "email": email}
            for path, token in forms.items():
                async with asyncio.timeout(20):
                    answer = await eve.http.post(path, data={"token": token, **fields})
                assert answer.status_code == 200
        holder.execute("ROLLBACK")
    holder.close()


async def test_an_unopened_account_lets_nobody_in_and_is_mailed_its_link_again(
    mailing: Running, mail_server: MailServer, meet: Meet
) -> None:
    ada = meet(mailing.url)
    links: list[str] = []
    for _ in range(2):
        await ask_for_account(ada, password=PASSWORD)
        links.append(await link_to(mail_server, ada.email))
    assert (await ada.sign_in()).status_code == 401
    assert [(await ada.http.get(link)).status_code for link in links] == [404, 200]


async def test_an_invitation_is_mailed_and_lets_the_colleague_in(
    mailing: Running, mail_server: MailServer, mailed_ada: Person, meet: Meet
) -> None:
    ada, bob = mailed_ada, meet(mailing.url)
    page = await ada.submit("/settings/people", {"email": bob.email, "role": "member"})
    assert "on its way by e-mail" in page.text
    # Who invites could otherwise open the link, and see whether the address has an account.
    assert "key=" not in page.text
    link = await link_to(mail_server, bob.email)
    assert await join_or_change(bob, link, name="Bob", password=OTHER_PASSWORD) == 303
    assert ada.company in await bob.text("/settings/people")


async def test_a_new_password_by_mail_ends_what_the_old_one_opened(
    mailing: Running, mail_server: MailServer, mailed_ada: Person, meet: Meet
) -> None:
    ada, elsewhere = mailed_ada, meet(mailing.url)
    await elsewhere.submit("/auth/forgotten", {"email": ada.email.upper()})
    link = await link_to(mail_server, ada.email)
    assert await join_or_change(elsewhere, link, password="short") == 422
    assert await join_or_change(elsewhere, link, password=OTHER_PASSWORD) == 303
    assert (await ada.http.get("/settings/profile")).status_code == 303
    assert (await elsewhere.http.get(link)).status_code == 404
    assert (await ada.sign_in(password=OTHER_PASSWORD)).status_code == 303


async def test_who_asks_for_a_link_is_not_told_whether_there_is_an_account(
    mailing: Running, mail_server: MailServer, mailed_ada: Person, meet: Meet
) -> None:
    ada, eve = mailed_ada, meet(mailing.url)
    answers = [
        await eve.submit("/auth/forgotten", {"email": email}) for email in (ada.email, "nobody@example.com")
    ]
    assert shape(answers[0]) == shape(answers[1])
    assert "If this address has an account here" in answers[0].text
    await link_to(mail_server, ada.email)


async def test_a_later_link_takes_the_place_of_the_first(
    mailing: Running, mail_server: MailServer, mailed_ada: Person, meet: Meet
) -> None:
    ada = mailed_ada
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
    told = (await meet().http.get("/auth/forgotten")).text
    assert ("sends no e-mail" in told, 'href="/help/quick-start"' in told) == (True, True)
    assert "seenby company invite" in await meet().text("/help/quick-start")

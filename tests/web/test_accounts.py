"""Accounts over HTTP, against the whole running service."""

import asyncio
import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing

import httpx2
import pytest

from measurement.errors import WorkError
from server.cli.session import find_company
from storage.database import Database
from tests.web.conftest import Meet, Person, Run, Running, shape
from tests.web.test_roles import colleague

PASSWORD = "four unrelated words"
WRONG = "E-mail address or password is wrong."
NEWEST_USE = "SELECT max(seen_at) FROM sessions"


def cookie(response: httpx2.Response, name: str) -> str:
    found = [one for one in response.headers.get_list("set-cookie") if one.startswith(f"{name}=")]
    assert len(found) == 1, found
    return found[0]


async def test_signing_up_signs_in_and_leads_to_the_keys(meet: Meet) -> None:
    ada = meet()
    response = await ada.sign_up()
    assert (response.status_code, response.headers["location"]) == (303, "/start")
    assert ada.company in await ada.text("/settings/keys")


async def test_a_session_cookie_is_out_of_reach_of_scripts_and_other_sites(meet: Meet) -> None:
    response = await meet().sign_up()
    parts = {part.strip().lower() for part in cookie(response, "seenby-session").split(";")[1:]}
    assert {"httponly", "samesite=lax", "path=/"} <= parts
    assert not any(part.startswith("domain") for part in parts)


async def test_over_https_cookies_are_bound_to_the_host_and_secure(run_service: Run, meet: Meet) -> None:
    service = run_service(BASE_URL="https://seenby.example")
    response = await meet(service.url).http.get("/auth/login", headers={"Host": "seenby.example"})
    assert "secure" in cookie(response, "__Host-seenby-browser").lower()


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("password", "eleven char", "A password has from 12 to 128 characters."),
        ("password", "x" * 129, "A password has from 12 to 128 characters."),
        ("email", "nobody", "This is not an e-mail address."),
        ("company", " ", "Fill in this field."),
        ("name", "a\u202eb", "At most 100 printable characters, please."),
    ],
)
async def test_a_sign_up_that_does_not_do_says_which_field(
    meet: Meet, field: str, value: str, fault: str
) -> None:
    ada = meet()
    fields = {"company": ada.company, "name": "Ada", "email": ada.email, "password": PASSWORD, field: value}
    response = await ada.submit("/auth/signup", fields)
    assert response.status_code == 422
    assert fault in response.text
    assert PASSWORD not in response.text


async def test_a_stranger_is_not_told_which_addresses_have_an_account(ada: Person, meet: Meet) -> None:
    mallory, new = meet(), meet()
    free = await new.sign_up()
    fields = {"company": mallory.company, "name": "Eve", "email": ada.email.upper(), "password": PASSWORD}
    answer = await mallory.submit("/auth/signup", fields)
    assert shape(answer) == shape(free)
    # Nothing was made, nothing of Ada's opens, and an honest person is told what to do.
    start = await mallory.http.get("/start")
    assert start.headers["location"] == "/auth/login?next=/start"
    assert "already had an account" in await mallory.text(start.headers["location"])
    assert (await ada.http.get("/settings/keys")).status_code == 200


async def test_a_stranger_is_not_told_which_companies_have_an_account(
    ada: Person, meet: Meet, database: Database
) -> None:
    mallory, new = meet(), meet()
    free = await new.sign_up()
    fields = {"company": ada.company.upper(), "name": "Eve", "email": mallory.email, "password": PASSWORD}
    assert shape(await mallory.submit("/auth/signup", fields)) == shape(free)
    # A company of its own is made, which nobody of the other one's is in.
    assert (await mallory.http.get("/start")).status_code == 200
    assert ada.email not in await mallory.text("/settings/people")
    assert mallory.email not in await ada.text("/settings/people")
    # An operator is asked which of the two they mean.
    with pytest.raises(WorkError, match="Several companies"):
        await find_company(database, ada.company)


async def test_who_invites_is_not_told_that_an_address_has_an_account_elsewhere(
    ada: Person, meet: Meet
) -> None:
    other, free = meet(), meet()
    await other.sign_up()
    answers: list[httpx2.Response] = []
    for invited in (free, other):
        page = await ada.submit("/settings/people", {"email": invited.email, "role": "member"})
        key = page.text.split("/auth/invitation?key=")[1].split("<")[0]
        browser = meet()
        token = await browser.token(f"/auth/invitation?key={key}", "/auth/invitation")
        fields = {"token": token, "key": key, "name": "Bob", "password": "other unrelated words"}
        answers.append(await browser.http.post("/auth/invitation", data=fields))
        last = browser
    assert shape(answers[0]) == shape(answers[1])
    assert (await last.http.get("/settings/keys")).status_code == 303
    assert (await meet().sign_in(other.email)).status_code == 303


async def test_sign_up_can_be_closed(run_service: Run, meet: Meet) -> None:
    service = run_service(SIGNUP="closed")
    stranger = meet(service.url)
    response = await stranger.http.get("/auth/signup")
    assert (response.status_code, "Sign-up is closed" in response.text) == (403, True)
    assert "/auth/signup" not in (await stranger.http.get("/auth/login")).text


async def test_without_mail_only_the_first_person_can_sign_up(run_service: Run, meet: Meet) -> None:
    service = run_service(SIGNUP="open")
    first, stranger = meet(service.url), meet(service.url)
    assert "/auth/signup" in (await stranger.http.get("/auth/login")).text
    token = await stranger.token("/auth/signup", "/auth/signup")
    assert (await first.sign_up()).headers["location"] == "/start"
    assert "/auth/signup" not in (await stranger.http.get("/auth/login")).text
    answers: list[httpx2.Response] = []
    for email in (first.email, stranger.email):
        fields = {"company": stranger.company, "name": "Eve", "email": email, "password": PASSWORD}
        answers.append(await stranger.http.post("/auth/signup", data={"token": token, **fields}))
    assert shape(answers[0]) == shape(answers[1])
    assert (answers[0].status_code, "Sign-up is closed" in answers[0].text) == (403, True)
    # Colleagues come by invitation all the same.
    page = await first.submit("/settings/people", {"email": stranger.email, "role": "member"})
    assert "/auth/invitation?key=" in page.text


async def test_strangers_are_led_to_sign_in_and_back(ada: Person, meet: Meet) -> None:
    stranger = meet()
    response = await stranger.http.get("/settings/profile?changed=password")
    assert response.headers["location"] == "/auth/login?next=/settings/profile%3Fchanged%3Dpassword"
    page = await stranger.http.get(response.headers["location"])
    assert 'name="next" value="/settings/profile?changed=password"' in page.text
    response = await stranger.sign_in(ada.email, to="/settings/profile")
    assert (response.status_code, response.headers["location"]) == (303, "/settings/profile")


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example",
        "\\/evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        "javascript:alert(1)",
        "evil.example",
        "",
    ],
)
async def test_signing_in_leads_nowhere_but_to_our_own_pages(ada: Person, meet: Meet, target: str) -> None:
    response = await meet().sign_in(ada.email, to=target)
    assert (response.status_code, response.headers["location"]) == (303, "/")


async def opens(person: Person, session: str) -> bool:
    """Whether a session's cookie still opens the settings."""
    async with httpx2.AsyncClient(base_url=person.http.base_url, timeout=20) as client:
        response = await client.get("/settings/keys", headers={"Cookie": f"seenby-session={session}"})
        return response.status_code == 200


async def test_signing_in_again_gives_a_new_session_and_ends_the_one_before(ada: Person) -> None:
    before = ada.http.cookies["seenby-session"]
    token = await ada.token("/start", "/auth/logout")
    assert await opens(ada, before)
    await ada.http.post("/auth/logout", data={"token": token})
    await ada.sign_in()
    after = ada.http.cookies["seenby-session"]
    assert (await opens(ada, before), await opens(ada, after)) == (False, True)


async def test_a_session_that_was_planted_is_not_the_one_the_victim_signs_in_to(
    ada: Person, meet: Meet
) -> None:
    attacker, victim = meet(), meet()
    await attacker.sign_up()
    planted = attacker.http.cookies["seenby-session"]
    fields = {"email": ada.email, "password": PASSWORD, "next": "/"}
    # The victim's browser has its own signed-out form open when the cookie is planted.
    token = await victim.token("/auth/login", "/auth/login")
    refused = await victim.http.post(
        "/auth/login",
        data={"token": token, **fields},
        headers={
            "Cookie": f"seenby-session={planted}; seenby-browser={victim.http.cookies['seenby-browser']}"
        },
    )
    assert refused.status_code == 403
    signed_in = await victim.sign_in(ada.email)
    assert planted not in cookie(signed_in, "seenby-session")
    assert ada.company not in await attacker.text("/settings/profile")


async def test_a_page_is_read_while_nothing_can_be_written(service: Running, ada: Person) -> None:
    with closing(sqlite3.connect(service.database_file, isolation_level=None)) as holder:
        # A session that was last used two minutes ago is due to be noted.
        holder.execute("UPDATE sessions SET seen_at = seen_at - 120000000")
        holder.execute("BEGIN IMMEDIATE")
        async with asyncio.timeout(10):
            page = await ada.http.get("/settings/profile")
        due = holder.execute(NEWEST_USE).fetchone()
        holder.execute("ROLLBACK")
        assert (page.status_code, ada.company in page.text) == (200, True)
        async with asyncio.timeout(20):
            while holder.execute(NEWEST_USE).fetchone() == due:
                await ada.http.get("/settings/profile")


async def test_signing_out_ends_the_session_on_the_server(ada: Person) -> None:
    kept = ada.http.cookies["seenby-session"]
    response = await ada.http.post("/auth/logout", data={"token": await ada.token("/start", "/auth/logout")})
    assert response.headers["location"] == "/auth/login"
    assert not await opens(ada, kept)


async def test_changing_the_password_signs_out_every_other_browser(ada: Person, meet: Meet) -> None:
    elsewhere = meet()
    await elsewhere.sign_in(ada.email)
    fields = {"present": PASSWORD, "password": "other unrelated words"}
    response = await ada.submit("/settings/profile", fields, "/settings/password")
    assert response.headers["location"] == "/settings/profile?changed=password"
    assert (await ada.http.get("/settings/keys")).status_code == 200
    assert (await elsewhere.http.get("/settings/keys")).status_code == 303
    assert (await meet().sign_in(ada.email)).status_code == 401
    assert (await meet().sign_in(ada.email, "other unrelated words")).status_code == 303


async def test_the_present_password_is_needed_for_a_new_one(ada: Person) -> None:
    fields = {"present": "not the password", "password": "other unrelated words"}
    response = await ada.submit("/settings/profile", fields, "/settings/password")
    assert (response.status_code, "not your current password" in response.text) == (422, True)


async def test_unknown_addresses_and_wrong_passwords_are_indistinguishable(ada: Person, meet: Meet) -> None:
    async def tried(email: str) -> tuple[float, httpx2.Response]:
        person = meet()
        token = await person.token("/auth/login", "/auth/login")
        fields = {"token": token, "email": email, "password": "a wrong password", "next": "/"}
        started = time.perf_counter()
        response = await person.http.post("/auth/login", data=fields)
        return time.perf_counter() - started, response

    known: list[tuple[float, httpx2.Response]] = []
    unknown: list[tuple[float, httpx2.Response]] = []
    for number in range(3):
        known.append(await tried(ada.email))
        unknown.append(await tried(f"nobody{number}@example.org"))
    for _, response in (*known, *unknown):
        assert (response.status_code, WRONG in response.text) == (401, True)
    fastest_known, fastest_unknown = (min(seconds for seconds, _ in timings) for timings in (known, unknown))
    assert 0.5 < fastest_unknown / fastest_known < 2


async def test_a_colleague_joins_by_a_link_that_works_once(ada: Person, meet: Meet) -> None:
    bob = meet()
    page = await ada.submit("/settings/people", {"email": bob.email, "role": "member"})
    link = page.text.split("/auth/invitation?key=")[1].split("<")[0]
    address = f"/auth/invitation?key={link}"
    fields = {"key": link, "name": "Bob", "password": PASSWORD}
    joined = await bob.http.post(
        "/auth/invitation", data={"token": await bob.token(address, "/auth/invitation"), **fields}
    )
    assert joined.status_code == 303
    assert ada.company in await bob.text("/settings/people")
    used = await meet().http.get(address)
    assert (used.status_code, "This invitation no longer works" in used.text) == (404, True)
    assert '<a class="button" href="/auth/login">Sign in</a>' in used.text


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_an_unknown_address_is_a_page_with_a_way_on(ada: Person, meet: Meet, method: str) -> None:
    html = {"Accept": "text/html,application/xhtml+xml"}
    page = await ada.http.request(method, "/no/such/page", headers=html)
    assert (page.status_code, "Page not found" in page.text, "Settings" in page.text) == (404, True, True)
    assert page.headers["content-security-policy"]
    stranger = await meet().http.request(method, "/no/such/page", headers=html)
    assert (stranger.status_code, 'href="/auth/login">Sign in</a>' in stranger.text) == (404, True)


async def test_members_neither_invite_nor_set_engine_keys(ada: Person, meet: Meet) -> None:
    bob = meet()
    page = await ada.submit("/settings/people", {"email": bob.email, "role": "member"})
    key = page.text.split("/auth/invitation?key=")[1].split("<")[0]
    token = await bob.token(f"/auth/invitation?key={key}", "/auth/invitation")
    await bob.http.post(
        "/auth/invitation", data={"token": token, "key": key, "name": "Bob", "password": PASSWORD}
    )
    for path in ("/settings/people", "/settings/engines", "/settings/engines/chatgpt/test"):
        response = await bob.http.post(path, data={"email": "eve@example.com"})
        assert (response.status_code, "Owners only" in response.text) == (403, True)


async def test_an_owner_is_told_that_somebody_is_a_colleague_already(ada: Person) -> None:
    response = await ada.submit("/settings/people", {"email": ada.email, "role": "owner"})
    assert (response.status_code, "a colleague&#39;s already" in response.text) == (422, True)


async def test_a_withdrawn_invitation_opens_nothing(ada: Person, meet: Meet) -> None:
    page = await ada.submit("/settings/people", {"email": "carol@example.com", "role": "member"})
    key = page.text.split("/auth/invitation?key=")[1].split("<")[0]
    actions = [part.split('"')[0] for part in page.text.split('action="')]
    [action] = [action for action in actions if action.endswith("/withdraw")]
    assert (await ada.submit("/settings/people", {}, action)).status_code == 303
    assert (await meet().http.get(f"/auth/invitation?key={key}")).status_code == 404


def p99(seconds: list[float]) -> float:
    return sorted(seconds)[len(seconds) * 99 // 100]


async def test_a_thousand_wrong_passwords_never_lock_the_owner_out(
    ada: Person, meet: Meet, service: Running
) -> None:
    keys = [await ada.make_key() for _ in range(12)]
    await ada.http.post("/auth/logout", data={"token": await ada.token("/start", "/auth/logout")})
    eve = meet()
    token = await eve.token("/auth/login", "/auth/login")
    outcomes: list[int] = []

    async def attack(number: int) -> None:
        address = eve.address if number % 2 else f"172.16.{number >> 8}.{number & 255}"
        fields = {"token": token, "email": ada.email, "password": f"wrong password {number}", "next": "/"}
        response = await eve.http.post("/auth/login", data=fields, headers={"X-Forwarded-For": address})
        outcomes.append(response.status_code)

    async def watched(stop: Callable[[int], bool]) -> list[float]:
        """Call a tool again and again, and return how long each call took."""
        waits: list[float] = []
        async with httpx2.AsyncClient(base_url=service.url, timeout=60) as client:
            while not stop(len(waits)):
                started = time.perf_counter()
                headers = {"Authorization": f"Bearer {keys[len(waits) % len(keys)]}"}
                answer = await client.post("/api/mcp-app/rest/get_credits", json={}, headers=headers)
                assert answer.status_code in {200, 429}
                waits.append(time.perf_counter() - started)
                await asyncio.sleep(0.02)
        return waits

    idle = await watched(lambda calls: calls == 100)
    over = asyncio.Event()
    watching = asyncio.create_task(watched(lambda _: over.is_set()))
    for first in range(0, 1000, 10):
        await asyncio.gather(*(attack(number) for number in range(first, first + 10)))
    assert (await ada.sign_in()).status_code == 303
    over.set()
    attacked = await watching
    assert set(outcomes) <= {401, 429}
    # Five tries a minute; the attack may last into a few more minutes on a slow machine.
    assert outcomes.count(401) <= 15
    assert len(outcomes) == 1000
    # `python -m bench passwords` measures it; attacker, server and client share one process here.
    assert p99(attacked) < 20 * max(p99(idle), 0.025)


async def test_an_owner_makes_the_link_to_a_new_password_where_no_mail_is_sent(
    ada: Person, meet: Meet, token_for: Callable[[Person, str], str]
) -> None:
    bob = await colleague(ada, meet, "member")
    forgotten = meet()
    assert "An owner of your company can make a link" in await forgotten.text("/auth/forgotten")
    page = (await ada.http.get("/settings/people")).text
    [make] = re.findall(r'action="(/settings/people/[0-9a-f-]+/password)"', page)
    assert (await bob.http.post(make, data={"token": token_for(bob, make)})).status_code == 403
    made = (await ada.submit("/settings/people", {}, make)).text
    [link] = re.findall(r"/auth/reset\?key=([\w-]+)", made)
    token = await forgotten.token(f"/auth/reset?key={link}", "/auth/reset")
    fields = {"token": token, "key": link, "password": "some quite different words"}
    assert (await forgotten.http.post("/auth/reset", data=fields)).status_code == 303
    assert (await bob.http.get("/")).text != (await forgotten.http.get("/")).text, "the old session ended"
    assert bob.email in await forgotten.text("/settings/profile")
    used = await meet().http.get(f"/auth/reset?key={link}")
    assert 'name="password"' not in used.text


@pytest.mark.parametrize("role", ["member", "viewer"])
async def test_a_person_leaves_the_company_by_themselves(ada: Person, meet: Meet, role: str) -> None:
    bob = await colleague(ada, meet, role)
    profile, leave = "/settings/profile", "/settings/leave"
    refused = await bob.submit(profile, {"leaving": "some other words here"}, leave)
    assert (refused.status_code, "not your current password" in refused.text) == (422, True)
    left = await bob.submit(profile, {"leaving": PASSWORD}, leave)
    assert left.headers["location"] == "/auth/login?left=1"
    assert "Your account is deleted" in await bob.text("/auth/login?left=1")
    assert (await bob.http.get(profile)).status_code == 303, "the session ended"
    assert (await bob.sign_in(bob.email)).status_code == 401
    assert bob.email not in await ada.text("/settings/people")


async def test_the_last_owner_does_not_leave(ada: Person, meet: Meet) -> None:
    profile, leave = "/settings/profile", "/settings/leave"
    refused = await ada.submit(profile, {"leaving": PASSWORD}, leave)
    assert (refused.status_code, "make a colleague an owner under People first" in refused.text) == (
        422,
        True,
    )
    bob = await colleague(ada, meet, "owner")
    assert (await ada.submit(profile, {"leaving": PASSWORD}, leave)).status_code == 303
    assert ada.email not in await bob.text("/settings/people")

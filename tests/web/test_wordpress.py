"""WordPress in the pages: a site set by owners, texts sent by members, nothing by viewers and other companies."""

import json
from collections.abc import Callable, Generator
from typing import Any

import anyio
import anyio.to_thread
import pytest

from storage.database import Database
from tests.web.conftest import Person, Run, Running
from tests.web.test_content import draft, fields_of
from tests.web.test_roles import colleague
from tests.webhook_receiver import open_receiver
from tests.wordpress_site import PASSWORD, USER, WordPressSiteServer, open_wordpress

PAGE = "/settings/wordpress"


@pytest.fixture(scope="module")
def service(run_service: Run) -> Running:
    return run_service(ALLOW_PRIVATE_SITES="on")


@pytest.fixture
def site() -> Generator[WordPressSiteServer]:
    with open_wordpress() as opened:
        yield opened


async def connect(person: Person, site: WordPressSiteServer) -> None:
    fields = {"url": site.url, "username": USER, "password": PASSWORD}
    assert (await person.submit(PAGE, fields)).status_code == 303


async def test_a_draft_becomes_one_wordpress_post_that_approval_updates(
    measured: Person, database: Database, site: WordPressSiteServer
) -> None:
    page = await draft(measured, database, "answer:some-prompt", "Seven years\n\n<script>alert(1)</script>")
    assert "Send to WordPress" not in await measured.text(page)
    await connect(measured, site)
    shown = (await measured.http.get(PAGE)).text
    assert (site.url in shown, PASSWORD in shown, "untested" in shown) == (True, False, True)
    assert "may write posts there" in (await measured.submit(PAGE, {}, f"{PAGE}/test")).text
    sending = page.replace("/draft", "/wordpress")
    sent = await measured.submit(page, {"status": "publish"}, sending)
    assert sent.headers["location"] == f"{page}?sent=not_approved"
    sent = await measured.submit(page, {}, sending)
    assert "it is a new post there" in await measured.text(sent.headers["location"])
    [post] = site.posts.values()
    assert (post["status"], "<script>" in post["content"]) == ("draft", False)
    fields = {**fields_of((await measured.http.get(page)).text), "decision": "approve"}
    approved = await measured.submit(page, {**fields, "do-1": "edit", "text-1": "Many years"})
    item = approved.headers["location"].partition("?")[0]
    sent = await measured.submit(item, {}, f"{item}/wordpress")
    assert "its post there is up to date" in await measured.text(sent.headers["location"])
    assert [post["content"] for post in site.posts.values()] == ["<p>Many years</p>\n"]
    assert f"post {post['id']}" in await measured.text(item)


async def test_viewers_and_other_companies_send_nothing_and_members_set_nothing(
    measured: Person,
    meet: Callable[..., Person],
    database: Database,
    site: WordPressSiteServer,
    token_for: Callable[[Person, str], str],
) -> None:
    await connect(measured, site)
    page = await draft(measured, database, "answer:some-prompt", "Seven years")
    sending = page.replace("/draft", "/wordpress")
    viewer, member = await colleague(measured, meet, "viewer"), await colleague(measured, meet, "member")
    stranger = meet()
    await stranger.sign_up()
    for person, status in ((viewer, 403), (stranger, 404)):
        refused = await person.http.post(sending, data={"token": token_for(person, sending)})
        assert refused.status_code == status
    assert "Send to WordPress" not in await viewer.text(page)
    own = {"url": site.url, "username": "mallory", "password": "mine"}
    for person in (viewer, member):
        for path in (PAGE, f"{PAGE}/test", f"{PAGE}/remove"):
            refused = await person.http.post(path, data={"token": token_for(person, path), **own})
            assert refused.status_code == 403
    assert "mallory" not in await measured.text(PAGE)
    assert site.url not in await stranger.text(PAGE)
    assert site.requests == []
    assert (await member.submit(page, {}, sending)).status_code == 303
    assert len(site.posts) == 1


async def test_site_errors_are_reported_and_the_password_stays_hidden(ada: Person) -> None:
    for fields, words in (
        ({"url": "ftp://blog.acme.example"}, "the address is not allowed"),
        ({"url": "https://blog.acme.example", "username": "a:b"}, "holds a colon"),
    ):
        refused = await ada.submit(PAGE, {"username": USER, "password": "hush hush", **fields})
        assert (refused.status_code, words in refused.text) == (422, True)
        assert fields["url"] in refused.text
        assert "hush hush" not in refused.text


async def test_an_approval_is_told_to_the_webhooks_that_want_it(measured: Person, database: Database) -> None:
    with open_receiver() as wanting, open_receiver() as other:
        for receiver, kind in ((wanting, "draft_approved"), (other, "system_alert")):
            fields = {"url": receiver.url, "format": "standard", f"kind-{kind}": "1"}
            await measured.submit("/settings/webhooks", fields)
        page = await draft(measured, database, "answer:some-prompt", "Seven years")
        opened = fields_of((await measured.http.get(page)).text)
        await measured.submit(page, {**opened, "do-1": "edit", "text-1": "Many years", "decision": "keep"})
        opened = fields_of((await measured.http.get(page)).text)
        approved = await measured.submit(page, {**opened, "decision": "approve"})
        with anyio.fail_after(60):
            assert await anyio.to_thread.run_sync(wanting.arrived.wait, 60)
        [request] = wanting.requests
        document: dict[str, Any] = json.loads(request.body)
        assert (document["type"], document["data"]["kind"]) == ("draft.approved", "draft_approved")
        assert document["data"]["url"].endswith(approved.headers["location"].partition("?")[0])
        assert "webhook-signature" in request.headers
        assert other.requests == []
    assert "Approved drafts" in await measured.text("/settings/webhooks")

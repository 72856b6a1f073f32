"""Publishing to WordPress: one post for a text whatever happens on the way, and a password that reaches no other host."""

import logging
from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import replace
from datetime import datetime, timedelta

import anyio.to_thread
import pytest

from oauth.sealing import Seal
from storage.database import Database
from storage.repositories.repository_items import RepositoryItem
from tests.webhook_receiver import open_receiver
from tests.wordpress_site import PASSWORD, USER, WordPressSiteServer, open_wordpress
from tests.workflows.mail.test_mail_delivery import BASE_URL, NOON, SECRET, make_company
from workflows.publishing.site_access import InvalidWordPressSite, parse_site
from workflows.publishing.wordpress import WordPressAccess
from workflows.publishing.wordpress_publication import SETTLING, PublishResult, WordPressPublication

ITEM = RepositoryItem(
    id="0199f2a4-0000-7000-8000-00000000abcd",
    title="How long do vans last? <b>& more</b>",
    body="# How long do vans last?\n\nSeven **years**.\n\n[gallery ids=1] <script>alert(1)</script>",
    category="article",
    url=None,
    created_at=NOON,
    updated_at=NOON,
)


@pytest.fixture
async def database(url: str) -> AsyncGenerator[Database]:
    opened = await Database.open(url)
    yield opened
    await opened.close()


@pytest.fixture
def site() -> Generator[WordPressSiteServer]:
    with open_wordpress() as opened:
        yield opened


def publication(
    site: WordPressSiteServer, now: Callable[[], datetime] = lambda: NOON, seconds: float | None = None
) -> WordPressPublication:
    return WordPressPublication(Seal(SECRET), BASE_URL, now, frozenset((site.host,)), request_seconds=seconds)


async def connect(
    database: Database, site: WordPressSiteServer, *, password: str = PASSWORD, company: str | None = None
) -> str:
    """Return a company whose texts go to the site."""
    company_id = company or (await make_company(database))[0]
    access = WordPressAccess(site.url, USER, password)
    await publication(site).store(database, company_id, access, None)
    return company_id


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_a_text_becomes_one_draft_and_a_later_sending_updates_it(
    database: Database, site: WordPressSiteServer
) -> None:
    company = await connect(database, site)
    made = await publication(site).publish(database, company, ITEM)
    assert made == PublishResult("created", 201, 41)
    [post] = site.posts.values()
    assert (post["status"], post["title"]) == (
        "draft",
        "How long do vans last? &lt;b&gt;&amp; more&lt;/b&gt;",
    )
    assert post["content"].startswith("<p>Seven <strong>years</strong>.</p>")
    assert not {"[", "]"} & set(post["content"])
    assert "<script>" not in post["content"]
    site.posts[41] |= {"status": "publish", "slug": "renamed-by-a-person"}
    changed = replace(ITEM, title="New title", body="Nine years.")
    assert await publication(site).publish(database, company, changed) == PublishResult("updated", 200, 41)
    [post] = site.posts.values()
    assert (post["title"], post["content"]) == ("New title", "<p>Nine years.</p>\n")
    assert (post["status"], post["slug"]) == ("publish", "renamed-by-a-person")


@pytest.mark.parametrize("fault", ["slow", "lost"])
async def test_a_post_that_was_made_without_an_answer_is_found_again(
    database: Database, site: WordPressSiteServer, fault: str
) -> None:
    company = await connect(database, site)
    site.fault, site.fault_methods = fault, ("POST",)
    seconds = 3.0 if fault == "slow" else None  # the search that follows has as long, on a busy machine too
    made = await publication(site, seconds=seconds).publish(database, company, ITEM)
    assert (made.outcome, made.post_id) == ("created", 41)
    site.release.set()
    site.fault = ""
    assert (await publication(site).publish(database, company, ITEM)).outcome == "updated"
    assert len(site.posts) == 1


async def test_a_post_that_is_made_long_after_we_gave_up_gets_no_twin(
    database: Database, site: WordPressSiteServer
) -> None:
    company = await connect(database, site)
    site.fault, site.fault_methods = "late", ("POST",)
    given_up = await publication(site, seconds=0.5).publish(database, company, ITEM)
    assert (given_up.outcome, given_up.uncertain) == ("timeout", True)
    soon = NOON + SETTLING - timedelta(seconds=1)
    assert (await publication(site, lambda: soon).publish(database, company, ITEM)).outcome == "under_way"
    site.release.set()
    assert await anyio.to_thread.run_sync(site.stored.wait, 30)
    later = NOON + SETTLING
    assert (await publication(site, lambda: later).publish(database, company, ITEM)).outcome == "updated"
    assert len(site.posts) == 1


async def test_a_sender_that_died_in_the_middle_leaves_no_twin(
    database: Database, site: WordPressSiteServer
) -> None:
    company = await connect(database, site)
    await publication(site).publish(database, company, ITEM)
    present = await database.workspace(company).wordpress.site()
    assert present is not None
    async with database.transaction(company) as writing:  # as if it had never heard of the post that it made
        await writing.wordpress.forget_post(present.id, ITEM.id)
    renamed = replace(ITEM, title="Another title by now")
    assert (await publication(site).publish(database, company, renamed)).outcome == "updated"
    assert len(site.posts) == 1


async def test_a_deleted_post_is_made_anew_and_one_in_the_trash_is_left_there(
    database: Database, site: WordPressSiteServer
) -> None:
    company = await connect(database, site)
    await publication(site).publish(database, company, ITEM)
    site.posts[41] |= {"status": "trash", "slug": f"{site.posts[41]['slug']}__trashed"}
    assert (await publication(site).publish(database, company, ITEM)).outcome == "in_the_trash"
    assert len(site.posts) == 1
    del site.posts[41]
    assert (await publication(site).publish(database, company, ITEM)).outcome == "created"


async def test_a_draft_that_nobody_approved_is_never_published(
    database: Database, site: WordPressSiteServer
) -> None:
    company = await connect(database, site)
    draft = replace(ITEM, category="draft")
    assert (await publication(site).publish(database, company, draft, "publish")).outcome == "not_approved"
    assert site.requests == []
    await publication(site).publish(database, company, draft)
    assert site.posts[41]["status"] == "draft"
    published = await publication(site).publish(
        database, company, replace(ITEM, id=f"{ITEM.id[:-1]}e"), "publish"
    )
    assert (published.outcome, site.posts[42]["status"]) == ("created", "publish")


@pytest.mark.parametrize(
    ("fault", "outcome", "reply"),
    [
        ("server_error", "site_error", 500),
        ("no_json", "invalid_reply", 200),
        ("redirect", "redirected", 307),
        ("invalid", "invalid_parameters", 400),
        ("no_route", "no_wordpress", 404),
    ],
)
async def test_what_a_site_answers_instead_is_told_in_our_words(
    database: Database, site: WordPressSiteServer, fault: str, outcome: str, reply: int
) -> None:
    company = await connect(database, site)
    workspace = database.workspace(company)
    assert await workspace.wordpress.undelivered() == 0
    site.fault, site.location = fault, f"{site.url}/elsewhere"
    told = await publication(site).publish(database, company, ITEM)
    assert (told.outcome, told.reply, told.succeeded) == (outcome, reply, False)
    assert site.posts == {}
    assert await workspace.wordpress.undelivered() == 1
    site.fault = ""
    assert (await publication(site).publish(database, company, ITEM)).outcome == "created"
    assert await workspace.wordpress.undelivered() == 0


async def test_a_post_rejected_as_invalid_is_neither_kept_nor_repeated(
    database: Database, site: WordPressSiteServer
) -> None:
    company = await connect(database, site)
    await publication(site).publish(database, company, ITEM)
    site.fault, site.fault_methods = "invalid", ("POST",)
    changed = replace(ITEM, body="Eight years.")
    assert (await publication(site).publish(database, company, changed)).outcome == "invalid_parameters"
    assert "Seven" in site.posts[41]["content"]
    site.fault = ""
    assert (await publication(site).publish(database, company, changed)).outcome == "updated"
    assert list(site.posts) == [41]
    assert "Eight" in site.posts[41]["content"]


async def test_wrong_passwords_and_missing_rights_are_told_apart(
    database: Database, site: WordPressSiteServer
) -> None:
    company = await connect(database, site, password="wrong wrong wrong")
    refused = await publication(site).publish(database, company, ITEM)
    assert (refused.outcome, refused.reply) == ("credentials_refused", 401)
    await connect(database, site, company=company)
    tested = await publication(site).test(database, company)
    assert tested == PublishResult("works")
    site.may_edit = False
    assert (await publication(site).publish(database, company, ITEM)).outcome == "not_allowed"
    tested = await publication(site).test(database, company)
    assert tested is not None
    assert tested.outcome == "not_allowed"
    stored = await database.workspace(company).wordpress.site()
    assert stored is not None
    assert stored.state == "refused"


@pytest.mark.parametrize("location", ["http://169.254.169.254/latest/meta-data/", "other"])
@pytest.mark.parametrize("methods", [("GET",), ("POST",)])
async def test_a_redirect_takes_the_password_nowhere(
    database: Database, site: WordPressSiteServer, location: str, methods: tuple[str, ...]
) -> None:
    company = await connect(database, site)
    with open_receiver() as other:
        site.fault, site.fault_methods = "redirect", methods
        site.location = other.url if location == "other" else location
        result = await publication(site).publish(database, company, ITEM)
        assert (result.outcome, result.uncertain) == ("redirected", False)
        assert other.requests == []
    assert {path.partition("?")[0] for _, path in site.requests} == {"/wp-json/wp/v2/posts"}


async def test_a_name_that_leads_into_a_private_network_is_sent_nothing(
    database: Database, site: WordPressSiteServer
) -> None:
    company, _ = await make_company(database)
    asked: list[str] = []

    async def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["169.254.169.254"]

    rebound = WordPressPublication(Seal(SECRET), BASE_URL, lambda: NOON, resolve=resolve)
    await rebound.store(database, company, WordPressAccess("https://blog.acme.example", USER, PASSWORD), None)
    assert (await rebound.publish(database, company, ITEM)).outcome == "refused_address"
    assert "blog.acme.example" in asked


@pytest.mark.parametrize(
    "address",
    [
        "http://blog.acme.example",
        "https://127.0.0.1/",
        "https://[::ffff:169.254.169.254]/",
        "https://user:secret@blog.acme.example/",
        "https://blog.acme.example:8443/",
        "https://blog.acme.example/?rest_route=/",
        "javascript:alert(1)",
    ],
)
def test_an_address_that_a_password_must_not_go_to_is_refused(address: str) -> None:
    with pytest.raises(InvalidWordPressSite):
        parse_site(address, frozenset())


async def test_the_password_is_sealed_and_in_no_log_and_opens_for_no_other_row(
    database: Database, site: WordPressSiteServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    company = await connect(database, site)
    other, _ = await make_company(database, "Rival")
    await publication(site).publish(database, company, ITEM)
    stored = await database.workspace(company).wordpress.site()
    assert stored is not None
    assert PASSWORD not in repr(stored)
    sent = site.authorizations[0].removeprefix("Basic ")
    for secret in (PASSWORD, sent):
        assert secret not in caplog.text
        assert all(secret not in str(record.__dict__) for record in caplog.records)
    async with database.transaction(other) as writing:  # a row that was copied to another company
        await writing.wordpress.put("copied", stored.url, stored.username, stored.sealed, None, NOON)
    before = len(site.requests)
    assert (await publication(site).publish(database, other, ITEM)).outcome == "sealed_under_another_key"
    assert len(site.requests) == before


async def test_a_new_password_keeps_the_posts_and_another_site_begins_anew(
    database: Database, site: WordPressSiteServer
) -> None:
    company = await connect(database, site)
    await publication(site).publish(database, company, ITEM)
    await connect(database, site, company=company)
    assert (await publication(site).publish(database, company, ITEM)).outcome == "updated"
    with open_wordpress() as moved:
        await connect(database, moved, company=company)
        assert (await publication(moved).publish(database, company, ITEM)).outcome == "created"
        assert (len(site.posts), len(moved.posts)) == (1, 1)

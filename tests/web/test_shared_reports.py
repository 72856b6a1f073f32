"""Reports: a brand on paper, and a link that shows one report and nothing else, until it ends."""

import asyncio
import logging
import re
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing

import pytest
from playwright.async_api import Page

from tests.web.conftest import Meet, Person, Running
from tests.web.test_roles import colleague

READERS = 200


async def shared_link(person: Person) -> str:
    """Share the report of a person's brand; return the path of its link."""
    page = f"/brands/{person.brand}/report"
    made = await person.submit(page, {"days": "7"})
    assert made.status_code == 200, made.text
    match = re.search(r"/shared/[\w-]+", made.text)
    assert match is not None
    return match[0]


async def revoke(person: Person) -> int:
    """Revoke the first shared report in the settings; return the status."""
    page = (await person.http.get("/settings/shared")).text
    action = re.findall(r'action="(/settings/shared/[^"]+/revoke)"', page)[0]
    return (await person.submit("/settings/shared", {}, action)).status_code


async def test_a_report_says_what_the_overview_says(measured: Person) -> None:
    report = " ".join((await measured.text(f"/brands/{measured.brand}/report?period=7")).split())
    overview = " ".join((await measured.text(f"/brands/{measured.brand}?period=7")).split())
    (named, answers), *_ = re.findall(r"(\d+) of (\d+) answers", overview)
    assert f"{named} of {answers} answers" in report
    [score] = re.findall(r"Visibility score (\d+\.\d) ", overview)
    assert f"Visibility score {score} " in report
    for part in ("Prompts won", "Prompts lost", "Sources", "How this was measured"):
        assert part in report


async def test_a_link_shows_one_report_to_a_stranger_and_leads_nowhere(measured: Person, meet: Meet) -> None:
    link, stranger = await shared_link(measured), meet()
    shown = await stranger.http.get(link)
    assert (shown.status_code, "Key figures" in shown.text) == (200, True)
    assert shown.headers["x-robots-tag"].startswith("noindex")
    assert shown.headers["cache-control"] == "no-store"
    assert shown.headers["referrer-policy"] == "no-referrer"
    assert re.findall(r"<a [^>]*href", shown.text) == []
    assert re.findall(r"<form|<script", shown.text) == []
    assert measured.brand not in shown.text
    for path in (f"/brands/{measured.brand}", f"/brands/{measured.brand}/report", "/settings/shared"):
        assert (await stranger.http.get(path)).headers["location"].startswith("/auth/login")


async def test_a_revoked_link_ends_at_once(measured: Person, meet: Meet) -> None:
    link, stranger = await shared_link(measured), meet()
    assert (await stranger.http.get(link)).status_code == 200
    assert await revoke(measured) == 303
    assert (await stranger.http.get(link)).status_code == 404


async def test_an_expired_link_looks_like_one_that_never_was(
    measured: Person, service: Running, meet: Meet
) -> None:
    link, stranger = await shared_link(measured), meet()
    with closing(sqlite3.connect(service.database_file)) as writer:
        writer.execute("UPDATE shared_reports SET expires_at = 1")
        writer.commit()
    expired, unknown = await stranger.http.get(link), await stranger.http.get("/shared/" + "x" * 43)
    assert (expired.status_code, unknown.status_code) == (404, 404)
    assert re.sub(r"\s", "", expired.text) == re.sub(r"\s", "", unknown.text)


async def test_the_token_of_a_link_is_no_credential_and_is_not_stored(
    measured: Person, service: Running, meet: Meet
) -> None:
    link, stranger = await shared_link(measured), meet()
    token = link.removeprefix("/shared/")
    asked = await stranger.http.post(
        "/api/mcp-app/rest/list_brand_profiles", json={}, headers={"Authorization": f"Bearer {token}"}
    )
    assert asked.status_code == 401
    cookies = {"Cookie": f"seenby-session={token}", "X-Original-URL": f"/brands/{measured.brand}"}
    assert (await stranger.http.get(f"/brands/{measured.brand}", headers=cookies)).status_code == 303
    with closing(sqlite3.connect(service.database_file)) as reader:
        stored = reader.execute("SELECT * FROM shared_reports").fetchall()
    assert token not in str(stored)
    host = {"X-Forwarded-Host": "evil.example", "X-Original-URL": "/settings/shared"}
    assert "evil.example" not in (await stranger.http.get(link, headers=host)).text


@pytest.mark.parametrize("guess", ["", "x", "../settings/shared", "%2e%2e%2fsettings", "x" * 5000, "ü"])
async def test_a_guessed_link_opens_nothing(measured: Person, meet: Meet, guess: str) -> None:
    await shared_link(measured)
    answer = await meet().http.get(f"/shared/{guess}")
    assert answer.status_code in (303, 404)
    assert "Key figures" not in answer.text


async def test_links_are_guessed_only_so_often(measured: Person, meet: Meet) -> None:
    stranger = meet()
    tries = [(await stranger.http.get(f"/shared/guess{number}")).status_code for number in range(31)]
    assert (tries[0], tries[-1]) == (404, 429)
    assert (await stranger.http.get(await shared_link(measured))).status_code == 200


async def test_guesses_without_asking_for_the_body_count_as_well(measured: Person, meet: Meet) -> None:
    stranger = meet()
    tries = [(await stranger.http.head(f"/shared/guess{number}")).status_code for number in range(31)]
    assert (tries[0], tries[-1]) == (404, 429)


async def test_nothing_of_a_link_is_kept_and_no_condition_opens_it_again(
    measured: Person, meet: Meet
) -> None:
    link, stranger = await shared_link(measured), meet()
    shown, head = await stranger.http.get(link), await stranger.http.head(link)
    assert (head.status_code, head.content) == (200, b"")
    varying = {"date", "x-request-id", "set-cookie"}
    assert {name: head.headers[name] for name in head.headers if name not in varying} == {
        name: shown.headers[name] for name in shown.headers if name not in varying
    }
    assert not {"etag", "last-modified", "expires"} & set(shown.headers)
    conditions = {
        "If-None-Match": "*",
        "If-Modified-Since": "Fri, 31 Dec 2100 00:00:00 GMT",
        "Range": "bytes=0-9",
    }
    again = await stranger.http.get(link, headers=conditions)
    assert (again.status_code, again.text) == (200, shown.text)
    assert await revoke(measured) == 303
    gone = await stranger.http.get(link, headers=conditions)
    assert (gone.status_code, gone.headers["cache-control"]) == (404, "no-store")
    assert (await stranger.http.head(link)).status_code == 404


async def test_shared_report_readers_cost_nothing_and_stop_at_revocation(
    measured: Person, meet: Meet, caplog: pytest.LogCaptureFixture
) -> None:
    link, strangers = await shared_link(measured), [meet() for _ in range(20)]
    with caplog.at_level(logging.INFO):
        shown = await asyncio.gather(*(stranger.http.get(link) for stranger in strangers * (READERS // 20)))
        assert {answer.status_code for answer in shown} == {200}
        assert len({answer.text for answer in shown}) == 1
        assert [record for record in caplog.records if hasattr(record, "tool")] == []
        await measured.http.get(f"/brands/{measured.brand}/report")
    assert [record for record in caplog.records if hasattr(record, "tool")], "a calculation would be seen"
    revoked = asyncio.Event()

    async def read_on(stranger: Person) -> None:
        """Read until the link is gone, which it is for everybody who asks after the revocation."""
        async with asyncio.timeout(60):
            while True:
                too_late = revoked.is_set()
                answer = await stranger.http.get(link)
                assert answer.status_code == 404 or (answer.status_code == 200 and not too_late)
                if answer.status_code == 404:
                    return

    readers = [asyncio.create_task(read_on(stranger)) for stranger in strangers]
    assert await revoke(measured) == 303
    revoked.set()
    await asyncio.gather(*readers)


async def test_another_companys_brand_and_links_are_out_of_reach(
    measured: Person, meet: Meet, token_for: Callable[[Person, str], str]
) -> None:
    await shared_link(measured)
    stranger = meet()
    await stranger.sign_up()
    page = f"/brands/{measured.brand}/report"
    assert (await stranger.http.get(page)).status_code == 404
    sent = await stranger.http.post(page, data={"token": token_for(stranger, page), "days": "7"})
    assert sent.status_code == 404
    listed = (await measured.http.get("/settings/shared")).text
    action = re.findall(r'action="(/settings/shared/[^"]+/revoke)"', listed)[0]
    taken = await stranger.http.post(action, data={"token": token_for(stranger, action)})
    assert taken.status_code == 404
    assert "Acme" not in (await stranger.http.get("/settings/shared")).text


async def test_a_viewer_reads_the_report_and_shares_nothing(
    measured: Person, meet: Meet, token_for: Callable[[Person, str], str]
) -> None:
    viewer, page = await colleague(measured, meet, "viewer"), f"/brands/{measured.brand}/report"
    shown = await viewer.http.get(page)
    assert (shown.status_code, "Create link" in shown.text) == (200, False)
    sent = await viewer.http.post(page, data={"token": token_for(viewer, page), "days": "7"})
    assert sent.status_code == 403


@pytest.mark.browser
async def test_a_report_prints_without_navigation(
    measured: Person, browse: Callable[..., Awaitable[Page]]
) -> None:
    page: Page = await browse(measured)
    await page.goto(f"/brands/{measured.brand}/report")
    await page.emulate_media(media="print", color_scheme="dark")
    assert not await page.get_by_role("navigation", name="Main").is_visible()
    assert not await page.get_by_role("button", name="Create link").is_visible()
    assert await page.get_by_role("heading", name="How this was measured").is_visible()
    assert await page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert len(await page.pdf(format="A4")) > 10_000

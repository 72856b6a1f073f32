"""Clients known by a document of their own: which are believed, how long, and what a person is shown."""

import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from oauth.client_documents import Fetched, cache_seconds, is_document_url, pinned
from oauth.redirects import RedirectRules
from storage.database import Database
from tests.oauth.conftest import Moment, Running

URL = "https://app.example/oauth/client.json"
REDIRECT = "https://app.example/cb"


def answer(
    status: int = 200, media_type: str = "application/json", cache: str = "", **changed: Any
) -> Fetched:
    document = {"client_id": URL, "client_name": "Own words", "redirect_uris": [REDIRECT], **changed}
    kept = {name: value for name, value in document.items() if value is not None}
    return Fetched(status, media_type, cache, json.dumps(kept).encode())


@pytest.mark.parametrize(
    ("url", "good"),
    [
        (URL, True),
        ("https://app.example/", False),
        ("https://app.example", False),
        ("http://app.example/c.json", False),
        ("https://app.example:8443/c.json", False),
        ("https://u:p@app.example/c.json", False),
        ("https://app.example/c.json#f", False),
        ("https://app.example/a/../c.json", False),
        ("https://app.example/a/%2e%2e/c.json", False),
        ("https://127.0.0.1/c.json", False),
        ("https://[::1]/c.json", False),
        ("https://localhost/c.json", False),
        ("https://2130706433/c.json", False),
        ("https://app.example/" + "x" * 512, False),
    ],
)
def test_only_plain_https_urls_of_names_are_fetched(url: str, good: bool) -> None:
    assert is_document_url(url) is good


@pytest.mark.requirement("AUTH-16")
@pytest.mark.parametrize(
    ("client", "redirect"),
    [
        ("https://claude.ai/oauth/mcp-oauth-client-metadata", "https://claude.ai/api/mcp/auth_callback"),
        ("https://claude.ai/oauth/mcp-oauth-client-metadata", "https://claude.com/api/mcp/auth_callback"),
        ("https://claude.ai/oauth/claude-code-client-metadata", "http://localhost:61234/callback"),
        ("https://claude.ai/oauth/claude-code-client-metadata", "http://127.0.0.1:61234/callback"),
        ("https://chatgpt.com/oauth/client.json", "https://chatgpt.com/connector_platform_oauth_redirect"),
        ("https://chatgpt.com/oauth/Ab_1-2/client.json", "https://chatgpt.com/connector/oauth/Ab_1-2"),
    ],
)
async def test_official_connectors_use_their_callbacks_without_a_fetch(
    start: Callable[..., AbstractAsyncContextManager[Running]],
    database: Database,
    moment: Moment,
    client: str,
    redirect: str,
) -> None:
    rules = RedirectRules(frozenset({"claude.ai", "claude.com", "chatgpt.com"}))
    async with start(database, moment, rules=rules) as service:
        await service.sign_in()
        page, _ = await service.consent_page(client, redirect_uri=redirect)
        assert f"<strong>{urlsplit(client).netloc}</strong>" in page.text
        tokens = await service.redeem(
            client, await service.code(client, redirect_uri=redirect), redirect_uri=redirect
        )
        assert tokens.status_code == 200
        assert service.documents.asked == []


def test_one_connector_s_id_does_not_open_another_s_callback() -> None:
    found = pinned("https://chatgpt.com/oauth/one/client.json")
    assert found is not None
    assert found["redirect_uris"] == ["https://chatgpt.com/connector/oauth/one"]
    assert pinned("https://chatgpt.com/oauth/../client.json") is None


async def test_a_fetched_client_is_shown_by_its_host_and_remembered_once_allowed(service: Running) -> None:
    service.documents.answers[URL] = answer()
    page, _ = await service.consent_page(URL, redirect_uri=REDIRECT)
    assert "<strong>app.example</strong>" in page.text
    assert "Own words" in page.text
    tokens = await service.redeem(URL, await service.code(URL, redirect_uri=REDIRECT), redirect_uri=REDIRECT)
    assert tokens.status_code == 200
    location = str((await service.authorize(URL, redirect_uri=REDIRECT)).headers["location"])
    assert location.startswith(REDIRECT + "?code="), "what was allowed is not asked again"
    assert parse_qs(urlsplit(location).query)["iss"] == [service.url]
    assert service.documents.asked == [URL]


async def test_disconnecting_forgets_what_was_allowed_and_more_is_always_asked(service: Running) -> None:
    service.documents.answers[URL] = answer()
    code = await service.code(URL, redirect_uri=REDIRECT, scope="service.read")
    more = await service.authorize(URL, redirect_uri=REDIRECT)
    assert more.headers["location"].startswith("/oauth/consent?")
    await service.redeem(URL, code, redirect_uri=REDIRECT)
    (app,) = await service.site.connected_apps.of_company(service.user.company_id)
    await service.site.connected_apps.revoke(service.user.company_id, app.id)
    again = await service.authorize(URL, redirect_uri=REDIRECT, scope="service.read")
    assert again.headers["location"].startswith("/oauth/consent?")


async def test_a_registered_or_loopback_client_is_asked_about_every_time(service: Running) -> None:
    registered = (await service.register("https://app.example/cb"))["client_id"]
    await service.code(registered, redirect_uri=REDIRECT)
    again = await service.authorize(registered, redirect_uri=REDIRECT)
    assert again.headers["location"].startswith("/oauth/consent?")
    code = "https://claude.ai/oauth/claude-code-client-metadata"
    await service.code(code, redirect_uri="http://localhost:1/callback")
    again = await service.authorize(code, redirect_uri="http://localhost:1/callback")
    assert again.headers["location"].startswith("/oauth/consent?")


@pytest.mark.parametrize(
    "fetched",
    [
        None,
        answer(302),
        answer(404),
        answer(media_type="text/html"),
        answer(client_id="https://app.example/oauth/other.json"),
        answer(client_id=URL + "/"),
        answer(client_secret="x"),
        answer(token_endpoint_auth_method="client_secret_post"),
        answer(token_endpoint_auth_method="private_key_jwt"),
        answer(redirect_uris=["javascript:alert(1)"]),
        answer(redirect_uris=[]),
        answer(redirect_uris=None),
        answer(redirect_uris=[REDIRECT] * 11),
        answer(padding="x" * 16_384),
        Fetched(200, "application/json", "", b"[1]"),
        Fetched(200, "application/json", "", b"{"),
        Fetched(200, "application/json", "", b"[" * 16_000),
    ],
)
async def test_a_missing_or_invalid_document_is_no_client(service: Running, fetched: Fetched | None) -> None:
    service.documents.answers[URL] = fetched
    refused = await service.authorize(URL, redirect_uri=REDIRECT)
    assert refused.status_code == 400
    await service.authorize(URL, redirect_uri=REDIRECT)
    assert service.documents.asked == [URL], "a failure is remembered for a while"


async def test_a_document_s_redirect_to_an_unlisted_host_is_dropped(
    start: Callable[..., AbstractAsyncContextManager[Running]], database: Database, moment: Moment
) -> None:
    async with start(database, moment, rules=RedirectRules(frozenset({"claude.ai"}))) as service:
        await service.sign_in()
        service.documents.answers[URL] = answer(redirect_uris=[REDIRECT, "https://evil.example/cb"])
        page, _ = await service.consent_page(URL, redirect_uri=REDIRECT)
        assert page.status_code == 200
        evil = await service.authorize(URL, redirect_uri="https://evil.example/cb")
        assert evil.status_code == 400


async def test_a_method_that_is_not_offered_does_when_none_is_offered_beside_it(service: Running) -> None:
    service.documents.answers[URL] = answer(
        token_endpoint_auth_method="private_key_jwt", token_endpoint_auth_methods_supported=["none"]
    )
    page, _ = await service.consent_page(URL, redirect_uri=REDIRECT)
    assert page.status_code == 200


async def test_one_address_makes_us_fetch_ten_times_a_minute_at_most(service: Running) -> None:
    for number in range(12):
        await service.authorize(f"https://app.example/{number}.json", redirect_uri=REDIRECT)
    assert len(service.documents.asked) == 10


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("", 300),
        ("no-store", 300),
        ("max-age=60", 300),
        ("public, Max-Age=3600", 3600),
        ("max-age=999999", 86400),
    ],
)
def test_a_document_is_kept_from_five_minutes_to_a_day(header: str, seconds: int) -> None:
    assert cache_seconds(header) == seconds

"""The authorization server over HTTP: the whole sign-in, and each way to cheat at it."""

import base64
import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from oauth.redirects import RedirectRules
from storage.database import Database
from tests.oauth.conftest import Moment, Running
from web.accounts.accounts import set_password

CALLBACK = "http://127.0.0.1:4000/cb"


def sent_back(answer: httpx2.Response) -> dict[str, str]:
    """The parameters that a redirect sends to the client."""
    return {name: values[0] for name, values in parse_qs(urlsplit(answer.headers["location"]).query).items()}


def assert_error(answer: httpx2.Response, status: int, code: str) -> None:
    assert (answer.status_code, answer.json()["error"]) == (status, code), answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert set(answer.json()) <= {"error", "error_description"}


@pytest.mark.requirement("AUTH-13", "AUTH-14")
async def test_both_metadata_documents_are_served_at_every_path_clients_try(service: Running) -> None:
    for endpoint in ("", "/mcp", "/api/mcp-app"):
        answer = await service.http.get(f"/.well-known/oauth-protected-resource{endpoint}")
        assert answer.json() == {
            "resource": service.url + endpoint,
            "authorization_servers": [service.url],
            "scopes_supported": ["service.read", "service.write"],
            "bearer_methods_supported": ["header"],
            "resource_name": "seenby",
        }
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "max-age=300" in answer.headers["cache-control"]
        server = (await service.http.get(f"/.well-known/oauth-authorization-server{endpoint}")).json()
        assert server["issuer"] == service.url
        assert server["authorization_endpoint"] == f"{service.url}/api/oauth/authorize"
        assert server["token_endpoint"] == f"{service.url}/api/oauth/token"
        assert server["registration_endpoint"] == f"{service.url}/api/oauth/register"
        assert server["code_challenge_methods_supported"] == ["S256"]
        assert "none" in server["token_endpoint_auth_methods_supported"]
        assert server["client_id_metadata_document_supported"] is True
        assert server["authorization_response_iss_parameter_supported"] is True
    assert (await service.http.get("/.well-known/openid-configuration")).status_code == 404
    assert (await service.http.get("/.well-known/openai-apps-challenge")).status_code == 404


@pytest.mark.requirement("AUTH-13")
async def test_a_consent_becomes_tokens_that_open_the_tools_and_renew(service: Running) -> None:
    client = (await service.register())["client_id"]
    _, hidden = await service.consent_page(client)
    answer = await service.decide({**hidden, "decision": "allow", "write": "yes"})
    assert answer.status_code == 303
    assert answer.headers["location"].startswith(CALLBACK + "?")
    assert sent_back(answer)["state"] == "a state & more"
    assert sent_back(answer)["iss"] == service.url
    redeemed = await service.redeem(client, sent_back(answer)["code"], resource=f"{service.url}/mcp")
    assert redeemed.headers["cache-control"] == "no-store"
    assert redeemed.headers["pragma"] == "no-cache"
    tokens = redeemed.json()
    assert re.fullmatch(r"at_[A-Za-z0-9_-]{43}", tokens["access_token"])
    assert re.fullmatch(r"rt_[A-Za-z0-9_-]{43}", tokens["refresh_token"])
    assert (tokens["token_type"], tokens["expires_in"]) == ("Bearer", 3600)
    assert tokens["scope"] == "service.read service.write"
    assert (await service.call(tokens["access_token"], "change_something")).status_code == 200
    renewed = await service.token(
        grant_type="refresh_token", client_id=client, refresh_token=tokens["refresh_token"]
    )
    assert (await service.call(renewed.json()["access_token"])).status_code == 200


async def test_a_request_for_writing_alone_brings_reading(service: Running) -> None:
    client = (await service.register())["client_id"]
    answer = await service.redeem(client, await service.code(client, scope="service.write"))
    assert answer.json()["scope"] == "service.read service.write"
    assert (await service.call(answer.json()["access_token"])).status_code == 200


async def test_write_can_be_withheld_and_a_denial_reaches_the_client(service: Running) -> None:
    client = (await service.register())["client_id"]
    answer = await service.redeem(client, await service.code(client, write=False))
    assert answer.json()["scope"] == "service.read"
    assert (await service.call(answer.json()["access_token"], "change_something")).status_code == 401
    _, hidden = await service.consent_page(client)
    denied = await service.decide({**hidden, "decision": "deny"})
    assert sent_back(denied)["error"] == "access_denied"
    assert (sent_back(denied)["state"], sent_back(denied)["iss"]) == ("a state & more", service.url)


async def test_the_page_names_client_account_and_redirect_and_warns_of_loopback(service: Running) -> None:
    client = (await service.register(client_name="<script>alert(1)</script>\u202eevil"))["client_id"]
    page, _ = await service.consent_page(client)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;evil" in page.text
    assert "<script>alert" not in page.text
    assert "Ours &lt;b&gt;" in page.text
    assert "owner@ours.example" in page.text
    assert "<strong>127.0.0.1:4000</strong>" in page.text
    assert "any program on it can receive the answer" in page.text


async def test_the_page_cannot_be_framed_kept_or_scripted(service: Running) -> None:
    page, _ = await service.consent_page((await service.register())["client_id"])
    policy = page.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "form-action 'self' http://127.0.0.1:4000;" in policy
    assert page.headers["x-frame-options"] == "DENY"
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["x-content-type-options"] == "nosniff"
    assert not re.search(r"<script(?! src=)", page.text)


async def test_a_signed_out_person_signs_in_and_returns_to_the_request(service: Running) -> None:
    client = (await service.register())["client_id"]
    async with httpx2.AsyncClient(base_url=service.url) as browser:
        answer = await browser.get("/api/oauth/authorize", params=service.asking(client))
        target = urlsplit(answer.headers["location"])
        assert target.path == "/auth/login"
        following = parse_qs(target.query)["next"][0]
        assert following.startswith("/oauth/consent?rid=")
        again = await browser.get(following)
        assert urlsplit(again.headers["location"]).path == "/auth/login"
        await service.sign_in(browser)
        assert (await browser.get(following)).status_code == 200


async def test_a_request_opens_in_no_other_browser(service: Running) -> None:
    client = (await service.register())["client_id"]
    answer = await service.authorize(client)
    async with httpx2.AsyncClient(base_url=service.url) as other:
        await service.sign_in(other)
        assert (await other.get(answer.headers["location"])).status_code == 400


async def test_consent_needs_a_session_csrf_token_origin_and_an_unused_request(
    service: Running,
) -> None:
    client = (await service.register())["client_id"]
    _, hidden = await service.consent_page(client)
    allowed = {**hidden, "decision": "allow"}
    for headers in (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": service.url, "Sec-Fetch-Site": "cross-site"},
        {"Origin": ""},
    ):
        assert (await service.decide(allowed, **headers)).status_code == 403, headers
    assert (await service.decide({**allowed, "token": "0" * 64})).status_code == 403
    _, other = await service.consent_page(client)
    assert (await service.decide({**allowed, "token": other["token"]})).status_code == 403
    async with httpx2.AsyncClient(base_url=service.url) as stranger:
        forged = await stranger.post("/oauth/consent", data=allowed, headers={"Origin": service.url})
        assert forged.status_code == 403
        await service.sign_in(stranger)
        forged = await stranger.post("/oauth/consent", data=allowed, headers={"Origin": service.url})
        assert forged.status_code == 403
    assert (await service.decide(allowed)).status_code == 303
    assert (await service.decide(allowed)).status_code == 400


async def test_a_request_waits_ten_minutes(service: Running) -> None:
    client = (await service.register())["client_id"]
    _, hidden = await service.consent_page(client)
    service.moment.forward(minutes=10)
    assert (await service.decide({**hidden, "decision": "allow"})).status_code == 400


@pytest.mark.parametrize(
    "changed",
    [
        {"client_id": "unknown"},
        {"client_id": None},
        {"client_id": "x" * 600},
        {"redirect_uri": "http://127.0.0.1:4000/CB"},
        {"redirect_uri": "http://127.0.0.1:4000/cb/"},
        {"redirect_uri": "HTTP://127.0.0.1:4000/cb"},
        {"redirect_uri": "http://localhost:4000/cb"},
        {"redirect_uri": "http://127.0.0.1:4000/cb?x=1"},
        {"redirect_uri": "http://127.0.0.1.evil.example/cb"},
        {"redirect_uri": "http://127.0.0.1:4000@evil.example/cb"},
        {"redirect_uri": "https://evil.example/cb"},
        {"redirect_uri": "//evil.example/cb"},
        {"redirect_uri": "https://App.example/cb"},
        {"redirect_uri": "https://app.example:8443/cb"},
        {"redirect_uri": "javascript:alert(1)"},
        {"redirect_uri": None},
        {"state": "x" * 9000},
    ],
)
async def test_an_unproven_client_or_redirect_is_shown_to_the_person_only(
    service: Running, changed: dict[str, str | None]
) -> None:
    client = (await service.register(CALLBACK, "https://app.example/cb"))["client_id"]
    answer = await service.authorize(client, **changed)
    assert answer.status_code == 400
    assert "location" not in answer.headers
    assert "evil" not in answer.text
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


async def test_a_repeated_parameter_is_rejected(service: Running) -> None:
    client = (await service.register())["client_id"]
    asked = httpx2.QueryParams([*service.asking(client).items(), ("redirect_uri", CALLBACK)])
    assert (await service.browser.get("/api/oauth/authorize", params=asked)).status_code == 400
    answer = await service.http.post(
        "/api/oauth/token",
        content="grant_type=refresh_token&grant_type=refresh_token",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )
    assert_error(answer, 400, "invalid_request")


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": None}, "invalid_request"),
        ({"response_mode": "fragment"}, "invalid_request"),
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge": "a"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"scope": "service.read admin"}, "invalid_scope"),
        ({"resource": "https://other.example/mcp"}, "invalid_target"),
    ],
)
async def test_other_errors_go_to_the_proven_redirect_with_state_and_issuer(
    service: Running, changed: dict[str, str | None], code: str
) -> None:
    answer = await service.authorize((await service.register())["client_id"], **changed)
    assert answer.status_code == 302
    assert answer.headers["location"].startswith(CALLBACK + "?")
    assert sent_back(answer)["error"] == code
    assert (sent_back(answer)["state"], sent_back(answer)["iss"]) == ("a state & more", service.url)


async def test_a_loopback_program_chooses_its_port_and_no_other_part(service: Running) -> None:
    client = (await service.register("http://127.0.0.1/cb", "http://localhost/cb"))["client_id"]
    for redirect in ("http://127.0.0.1:51234/cb", "http://localhost:8/cb"):
        code = await service.code(client, redirect_uri=redirect)
        assert (await service.redeem(client, code, redirect_uri=redirect)).status_code == 200
        other = await service.code(client, redirect_uri=redirect)
        assert_error(
            await service.redeem(client, other, redirect_uri="http://127.0.0.1:1/cb"), 400, "invalid_grant"
        )


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"redirect_uris": ["javascript:alert(1)"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["data:text/html,x"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["ftp://a.example/cb"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["http://evil.example/cb"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a.example/cb#f"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://u:p@a.example/cb"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a.example\\@evil.example/cb"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a.example/c b"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a.example:99999/cb"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["cursor://anysphere/cb"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["https://a.example/" + "x" * 1024]}, "invalid_redirect_uri"),
        ({"redirect_uris": [CALLBACK, 1]}, "invalid_redirect_uri"),
        ({"redirect_uris": [CALLBACK] * 11}, "invalid_redirect_uri"),
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({}, "invalid_redirect_uri"),
        ({"redirect_uris": [CALLBACK], "client_name": "x" * 121}, "invalid_client_metadata"),
        ({"redirect_uris": [CALLBACK], "grant_types": ["implicit"]}, "invalid_client_metadata"),
        ({"redirect_uris": [CALLBACK], "grant_types": 1}, "invalid_client_metadata"),
        ({"redirect_uris": [CALLBACK], "response_types": ["token"]}, "invalid_client_metadata"),
        (
            {"redirect_uris": [CALLBACK], "token_endpoint_auth_method": "private_key_jwt"},
            "invalid_client_metadata",
        ),
        ({"redirect_uris": [CALLBACK], "x": "x" * 16_384}, "invalid_client_metadata"),
        ([], "invalid_client_metadata"),
    ],
)
async def test_a_bad_registration_gets_its_error_code(service: Running, body: Any, code: str) -> None:
    assert_error(await service.http.post("/api/oauth/register", json=body), 400, code)


async def test_a_registration_keeps_the_redirects_that_are_accepted(service: Running) -> None:
    cursor = [
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "https://www.cursor.com/agents/mcp/oauth/callback",
        "http://localhost:8787/callback",
    ]
    listed = await service.register(redirect_uris=[*cursor, "http://evil.example/cb", "cursor://evil/cb"])
    assert listed["redirect_uris"] == cursor
    code = await service.code(listed["client_id"], redirect_uri=cursor[0])
    made = await service.redeem(listed["client_id"], code, redirect_uri=cursor[0])
    assert made.status_code == 200


@pytest.mark.parametrize(
    ("uri", "way"),
    [
        ("zed://mcp/cb", "Its operator can accept the scheme with SEENBY_OAUTH_REDIRECT_SCHEMES."),
        ("javascript:alert(1)", "Use https, or http on 127.0.0.1."),
        ("http://evil.example/cb", "Use https, or http on 127.0.0.1."),
    ],
)
async def test_a_refused_registration_names_the_redirect_and_the_setting(
    service: Running, uri: str, way: str
) -> None:
    answer = await service.http.post("/api/oauth/register", json={"redirect_uris": [uri]})
    assert_error(answer, 400, "invalid_redirect_uri")
    assert (
        answer.json()["error_description"] == f"The redirect URI {uri} is not accepted by this server. {way}"
    )


@pytest.mark.parametrize("path", ["", "/mcp", "/api/mcp-app"])
async def test_metadata_is_served_with_a_slash_at_its_end(service: Running, path: str) -> None:
    for document in ("oauth-protected-resource", "oauth-authorization-server"):
        address = f"/.well-known/{document}{path}"
        assert (await service.http.get(f"{address}/")).json() == (await service.http.get(address)).json()


async def test_scopes_of_openid_connect_grant_nothing(service: Running) -> None:
    client = (await service.register())["client_id"]
    code = await service.code(client, scope="openid profile email offline_access service.read")
    assert (await service.redeem(client, code)).json()["scope"] == "service.read"


async def test_registrations_are_limited_by_address(service: Running) -> None:
    refused = {"redirect_uris": ["http://evil.example/cb"]}
    assert {(await service.http.post("/api/oauth/register", json=refused)).status_code for _ in range(9)} == {
        400
    }
    for _ in range(100):
        await service.register()
    answer = await service.http.post("/api/oauth/register", json={"redirect_uris": [CALLBACK]})
    assert_error(answer, 429, "temporarily_unavailable")
    seconds = answer.headers["retry-after"]
    assert 3590 <= int(seconds) <= 3600
    assert answer.json()["error_description"] == (
        "Too many registrations: at most 100 clients an hour are registered from one network, and 1000 in all. "
        f"Try again in {seconds} seconds (Retry-After)."
    )
    assert answer.headers["access-control-expose-headers"] == "Retry-After"


@pytest.mark.parametrize("method", ["client_secret_post", "client_secret_basic"])
async def test_a_confidential_client_proves_itself_by_body_or_basic(service: Running, method: str) -> None:
    client = await service.register(token_endpoint_auth_method=method)
    name, secret = client["client_id"], client["client_secret"]
    assert client["client_secret_expires_at"] == 0
    assert_error(await service.redeem(name, await service.code(name)), 401, "invalid_client")
    assert_error(
        await service.redeem(name, await service.code(name), client_secret="no"), 401, "invalid_client"
    )
    assert (await service.redeem(name, await service.code(name), client_secret=secret)).status_code == 200
    basic = base64.b64encode(f"{name}:{secret}".encode()).decode()
    form = {
        "grant_type": "authorization_code",
        "code": await service.code(name),
        "redirect_uri": CALLBACK,
        "code_verifier": service.verifier,
    }
    answer = await service.http.post(
        "/api/oauth/token", data=form, headers={"Authorization": f"Basic {basic}"}
    )
    assert answer.status_code == 200
    wrong = base64.b64encode(f"{name}:wrong".encode()).decode()
    answer = await service.http.post(
        "/api/oauth/token", data=form, headers={"Authorization": f"Basic {wrong}"}
    )
    assert_error(answer, 401, "invalid_client")
    assert answer.headers["www-authenticate"].startswith("Basic")


async def test_bad_token_requests_get_their_error_codes(service: Running) -> None:
    client = (await service.register())["client_id"]
    assert_error(await service.token(client_id=client), 400, "invalid_request")
    assert_error(await service.token(client_id="x", grant_type="refresh_token"), 401, "invalid_client")
    assert_error(await service.token(client_id=client, grant_type="password"), 400, "unsupported_grant_type")
    assert_error(await service.token(client_id=client, grant_type="refresh_token"), 400, "invalid_request")
    assert_error(await service.redeem(client, "unknown"), 400, "invalid_grant")
    assert_error(await service.redeem(client, "unknown", code_verifier="short"), 400, "invalid_request")
    assert_error(await service.redeem(client, "unknown", code_verifier=None), 400, "invalid_request")
    assert_error(
        await service.http.post("/api/oauth/token", json={"grant_type": "x"}), 400, "invalid_request"
    )
    too_long = await service.redeem(client, "x" * 20_000)
    assert_error(too_long, 400, "invalid_request")


async def test_a_wrong_verifier_redirect_or_resource_gets_no_token(service: Running) -> None:
    client = (await service.register())["client_id"]
    for changed, code in (
        ({"code_verifier": "x" * 43}, "invalid_grant"),
        ({"redirect_uri": CALLBACK + "/"}, "invalid_grant"),
        ({"redirect_uri": None}, "invalid_grant"),
        ({"resource": "https://other.example/mcp"}, "invalid_target"),
        ({"resource": f"{service.url}/api/mcp-app"}, "invalid_target"),
    ):
        assert_error(await service.redeem(client, await service.code(client), **changed), 400, code)


async def test_revocation_ends_a_grant_and_reveals_nothing_about_others(service: Running) -> None:
    one, other = [(await service.register())["client_id"] for _ in range(2)]
    tokens = await service.tokens(one)
    for client, token in ((one, "unknown"), (other, tokens["refresh_token"])):
        answer = await service.http.post("/api/oauth/revoke", data={"client_id": client, "token": token})
        assert (answer.status_code, answer.content) == (200, b"")
    assert (await service.call(tokens["access_token"])).status_code == 200
    sent = {"client_id": one, "token": tokens["refresh_token"]}
    assert (await service.http.post("/api/oauth/revoke", data=sent)).status_code == 200
    assert (await service.call(tokens["access_token"])).status_code == 401
    assert_error(
        await service.token(grant_type="refresh_token", client_id=one, refresh_token=tokens["refresh_token"]),
        400,
        "invalid_grant",
    )
    sent["client_id"] = "unknown"
    assert_error(await service.http.post("/api/oauth/revoke", data=sent), 401, "invalid_client")


@pytest.mark.requirement("AUTH-17")
async def test_expired_tokens_are_rejected_with_a_challenge_to_sign_in(service: Running) -> None:
    tokens = await service.tokens((await service.register())["client_id"])
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "look_around"}}
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    assert (await service.http.post("/mcp", json=call, headers=headers)).status_code == 200
    service.moment.forward(hours=1)
    answer = await service.http.post("/mcp", json=call, headers=headers)
    assert answer.status_code == 401
    assert answer.json() == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32001, "message": "Invalid API key."},
    }
    metadata = f'resource_metadata="{service.url}/.well-known/oauth-protected-resource/mcp"'
    assert metadata in answer.headers["www-authenticate"]
    nobody = await service.http.post("/mcp", json=call)
    assert nobody.status_code == 401
    assert nobody.json()["result"]["_meta"]["mcp/www_authenticate"]


async def test_cors_allows_registration_and_tokens_but_not_authorization(
    service: Running,
) -> None:
    origin = {"Origin": "https://inspector.example", "Access-Control-Request-Method": "POST"}
    for path in ("register", "token", "revoke"):
        answer = await service.http.options(f"/api/oauth/{path}", headers=origin)
        assert answer.status_code == 204
        assert answer.headers["access-control-allow-origin"] == "*"
    answer = await service.browser.get("/api/oauth/authorize", headers=origin)
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.requirement("AUTH-16")
async def test_an_operator_can_limit_redirects_to_listed_hosts_and_schemes(
    start: Callable[..., AbstractAsyncContextManager[Running]], database: Database, moment: Moment
) -> None:
    rules = RedirectRules(frozenset({"claude.ai"}), frozenset({"cursor"}))
    async with start(database, moment, rules=rules) as service:
        await service.sign_in()
        for admitted in (
            "https://claude.ai/api/mcp/auth_callback",
            "http://localhost:1/cb",
            "cursor://anysphere.cursor-mcp/oauth/callback",
        ):
            client = (await service.register(admitted))["client_id"]
            page, _ = await service.consent_page(client, redirect_uri=admitted)
            assert page.status_code == 200
        for host in ("https://evil.example/cb", "https://claude.ai.evil.example/cb", "vscode://x/cb"):
            answer = await service.http.post("/api/oauth/register", json={"redirect_uris": [host]})
            assert_error(answer, 400, "invalid_redirect_uri")


async def test_a_stolen_database_holds_no_secret(service: Running, tmp_path: Path) -> None:
    client = await service.register(token_endpoint_auth_method="client_secret_post")
    secret = client["client_secret"]
    waiting = sent_back(await service.authorize(client["client_id"]))["rid"]
    code = await service.code(client["client_id"])
    tokens = (await service.redeem(client["client_id"], code, client_secret=secret)).json()
    unused = await service.code(client["client_id"])
    raw = [secret, waiting, code, unused, tokens["access_token"], tokens["refresh_token"]]
    raw += [str(cookie.value).partition(".")[0] for cookie in service.browser.cookies.jar]
    dump = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert client["client_id"].encode() in dump, "the files hold what was written"
    for text in raw:
        assert text
        assert text.encode() not in dump


async def test_a_company_s_apps_are_listed_for_its_settings_and_ended_there(service: Running) -> None:
    tokens = await service.tokens((await service.register())["client_id"])
    apps = service.site.connected_apps
    (app,) = await apps.of_company(service.user.company_id)
    assert (app.name, app.host) == ("Tester", "127.0.0.1:4000")
    assert await apps.of_company("another company") == []
    assert not await apps.revoke("another company", app.id)
    assert await apps.revoke(service.user.company_id, app.id)
    assert (await service.call(tokens["access_token"])).status_code == 401


async def test_a_changed_password_disconnects_every_app(service: Running) -> None:
    tokens = await service.tokens((await service.register())["client_id"])
    await set_password(service.site, service.user.id, "a new and longer password")
    assert (await service.call(tokens["access_token"])).status_code == 401

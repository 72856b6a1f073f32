"""Pages over HTTP: keys, engine keys, forgery, headers, other companies, and what a stolen database tells."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Awaitable, Callable, Generator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx2
import pytest

import web
from engines.settings import SUPPLIER_PARTS
from tests.measurement.loopback_supplier import Supplier, running_supplier
from tests.web.conftest import NO_BRANDS, App, Meet, Person, Run, Running
from web.security.forms import MOST_FIELDS

PASSWORD = "four unrelated words"
PAGES = (
    "/",
    "/connect",
    "/readiness",
    "/auth/login",
    "/auth/signup",
    "/settings/keys",
    "/settings/apps",
    "/settings/engines",
    "/settings/webhooks",
    "/settings/wordpress",
    "/settings/people",
    "/settings/profile",
)


async def rest(url: str, key: str) -> httpx2.Response:
    async with httpx2.AsyncClient(base_url=url, timeout=20) as client:
        path = "/api/mcp-app/rest/list_brand_profiles"
        return await client.post(path, json={}, headers={"Authorization": f"Bearer {key}"})


@pytest.mark.requirement("AUTH-01", "AUTH-02", "AUTH-03")
@pytest.mark.requirement("RES-16", "LIM-05")
async def test_an_api_key_is_shown_once_and_stored_hashed(ada: Person, service: Running) -> None:
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)
    fields = {"description": "for the report", "expires": tomorrow.isoformat()}
    shown = re.findall(r"sk_live_[0-9a-z]+", (await ada.submit("/settings/keys", fields)).text)
    assert len(shown) == 1
    assert re.fullmatch(r"sk_live_[0-9a-f]{32}", shown[0])
    assert len(shown[0]) == 40
    text = await ada.text("/settings/keys")
    assert "for the report" in text
    assert f"{tomorrow:%b} {tomorrow.day}, {tomorrow.year}" in text
    assert shown[0] not in text
    with closing(sqlite3.connect(service.database_file)) as reader:
        stored = "prefix, last4, digest, status, last_used_at"
        newest = reader.execute(f"SELECT {stored} FROM api_keys ORDER BY id DESC LIMIT 1")
        prefix, last4, digest, status, last_used_at = newest.fetchone()
    assert (prefix, last4) == (shown[0][:8], shown[0][-4:])
    assert (status, last_used_at) == ("active", None)
    assert re.fullmatch(r"[0-9a-f]{64}", digest)
    assert shown[0][8:] not in digest


@pytest.mark.requirement("AUTH-04")
@pytest.mark.requirement("SVC-01")
async def test_an_api_key_reaches_every_brand_of_its_company_and_no_other(
    measured: Person, meet: Meet, service: Running
) -> None:
    key = await measured.make_key()
    brands = (await rest(service.url, key)).json()["brands"]
    assert {brand["name"] for brand in brands} == {"Acme", "Quiet brand"}
    bearer = {"Authorization": f"Bearer {key}"}
    for brand in brands:
        asked = {"brandId": brand["id"]}
        read = await measured.http.post("/api/mcp-app/rest/get_brand_profile", json=asked, headers=bearer)
        assert read.status_code == 200
    unknown = {"runId": "00000000-0000-7000-8000-000000000000"}
    written = await measured.http.post("/api/mcp-app/rest/cancel_workflow_run", json=unknown, headers=bearer)
    assert written.status_code == 404, "let in, and nothing found"
    eve = meet()
    await eve.sign_up()
    assert (await rest(service.url, await eve.make_key())).json()["brands"] == []


@pytest.mark.requirement("AUTH-05")
@pytest.mark.requirement("STATE-06")
async def test_a_key_works_until_it_is_revoked(ada: Person, service: Running) -> None:
    key = await ada.make_key("for the report")
    assert (await rest(service.url, key)).json() == NO_BRANDS
    html = (await ada.http.get("/settings/keys")).text
    assert key not in html
    assert f"sk_live_…{key[-4:]}" in html
    action = "/settings/keys/" + html.split('action="/settings/keys/')[1].split('"')[0]
    assert (await ada.submit("/settings/keys", {}, action)).status_code == 303
    refused = await rest(service.url, key)
    assert (refused.status_code, refused.json()["error"]["message"]) == (401, "Invalid API key.")
    assert "revoked" in await ada.text("/settings/keys")


async def over_mcp(url: str, credential: str) -> httpx2.Response:
    message: dict[str, Any] = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "list_brand_profiles", "arguments": {}},
    }
    async with httpx2.AsyncClient(base_url=url, timeout=20) as client:
        return await client.post("/mcp", json=message, headers={"Authorization": f"Bearer {credential}"})


@pytest.mark.requirement("AUTH-07")
@pytest.mark.parametrize("call", [rest, over_mcp])
@pytest.mark.parametrize("kind", ["key", "token"])
async def test_the_last_use_is_right_within_a_second(
    ada: Person,
    service: Running,
    let_in: Callable[[Person], Awaitable[App]],
    call: Callable[[str, str], Awaitable[httpx2.Response]],
    kind: str,
) -> None:
    if kind == "key":
        credential, table = await ada.make_key(), "api_keys"
    else:
        app = await let_in(ada)
        tokens = await app.redeem(await app.allow(*await app.ask()))
        credential, table = tokens["access_token"], "oauth_grants"
    newest = f"SELECT last_used_at FROM {table} ORDER BY created_at DESC, id DESC LIMIT 1"
    called = datetime.now(UTC).timestamp()
    assert (await call(service.url, credential)).status_code == 200
    with closing(sqlite3.connect(service.database_file)) as reader:
        async with asyncio.timeout(20):
            while (noted := reader.execute(newest).fetchone()[0]) is None:
                await asyncio.sleep(0.02)
    assert abs(noted / 1_000_000 - called) < 1


async def test_an_expiry_in_the_past_or_out_of_form_makes_no_key(ada: Person) -> None:
    for text in ("2020-01-01", "tomorrow"):
        response = await ada.submit("/settings/keys", {"expires": text})
        assert (response.status_code, "The key was not created" in response.text) == (422, True)
    assert "No key yet" in await ada.text("/settings/keys")


async def test_another_companys_key_cannot_be_seen_or_revoked(
    ada: Person, meet: Meet, service: Running, token_for: Callable[[Person, str], str]
) -> None:
    key = await ada.make_key("hers alone")
    html = (await ada.http.get("/settings/keys")).text
    action = "/settings/keys/" + html.split('action="/settings/keys/')[1].split('"')[0]
    eve = meet()
    await eve.sign_up()
    assert "hers alone" not in await eve.text("/settings/keys")
    # Her own token for that address: the form is hers, the key is not.
    from_her = await eve.http.post(action, data={"token": token_for(eve, action)})
    assert from_her.status_code == 404
    assert (await rest(service.url, key)).status_code == 200


@pytest.mark.parametrize("path", PAGES)
async def test_every_page_refuses_frames_scripts_and_other_sites(ada: Person, path: str) -> None:
    response = await ada.http.get(path)
    policy = response.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"} <= set(
        policy
    )
    assert "unsafe" not in response.headers["content-security-policy"]
    assert response.headers["x-frame-options"] == "DENY"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["cache-control"] == "no-store"
    assert " style=" not in response.text
    assert "<script>" not in response.text
    assert 'src="http' not in response.text


async def test_a_form_without_its_token_or_from_elsewhere_changes_nothing(
    ada: Person, meet: Meet, service: Running
) -> None:
    token = await ada.token("/settings/keys", "/settings/keys")
    eve = meet()
    await eve.sign_up()
    foreign = await eve.token("/settings/keys", "/settings/keys")
    other_form = await ada.token("/settings/profile", "/settings/profile")
    elsewhere = {"Origin": "https://evil.example"}
    attempts: list[tuple[dict[str, str], dict[str, str]]] = [
        ({}, {}),
        ({"token": "0" * 64}, {}),
        ({"token": "ü"}, {}),
        ({"token": foreign}, {}),
        ({"token": other_form}, {}),
        ({"token": token}, elsewhere),
        ({"token": token}, {"Origin": "null"}),
        ({"token": token}, {"Origin": ""}),
        ({"token": token}, {"Sec-Fetch-Site": "cross-site"}),
        ({"token": token}, {"Sec-Fetch-Site": "same-site"}),
        ({"token": token}, {"Sec-Fetch-Site": "none"}),
    ]
    for fields, headers in attempts:
        sent = {"description": "forged", **fields}
        response = await ada.http.post("/settings/keys", data=sent, headers=headers)
        assert (response.status_code, "no longer valid" in response.text) == (403, True), (fields, headers)
    assert "No key yet" in await ada.text("/settings/keys")
    good = await ada.http.post(
        "/settings/keys", data={"token": token}, headers={"Origin": "null", "Sec-Fetch-Site": "same-origin"}
    )
    assert good.status_code == 200


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"{}", "application/json"),
        (
            b"&".join(b"a%d=1" % number for number in range(MOST_FIELDS + 1)),
            "application/x-www-form-urlencoded",
        ),
        (b"token=%ff", "application/x-www-form-urlencoded"),
        (b"token=\xff", "application/x-www-form-urlencoded"),
    ],
)
async def test_a_body_that_is_no_form_of_ours_is_refused(ada: Person, body: bytes, kind: str) -> None:
    response = await ada.http.post("/settings/keys", content=body, headers={"Content-Type": kind})
    assert (response.status_code, "cannot be read" in response.text) == (400, True)


async def test_names_of_people_and_companies_are_text_not_markup(meet: Meet) -> None:
    eve = meet()
    eve.company = f"<script>alert({eve.email!r})</script>"
    await eve.sign_up()
    html = (await eve.http.get("/settings/profile")).text
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert" in html


async def test_a_brand_of_another_company_is_not_there(ada: Person) -> None:
    response = await ada.http.get("/brands/00000000-0000-7000-8000-0000000000b1")
    assert (response.status_code, "Page not found" in response.text) == (404, True)


async def test_the_connect_page_is_filled_in_with_this_servers_address(meet: Meet, service: Running) -> None:
    text = await meet().text("/connect")
    assert f"claude mcp add --transport http seenby {service.url}/mcp" in text
    assert f'"url": "{service.url}/mcp"' in text
    assert f"curl -s {service.url}/api/mcp-app/rest/list_brand_profiles" in text
    assert '"command": "seenby"' in text


ANSWER = {
    "id": "r1",
    "model": "tester-1",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "yes"}}],
    "usage": {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 6},
}


class Provider(BaseHTTPRequestHandler):
    """An OpenAI-compatible endpoint that knows one key."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        good = self.headers["Authorization"] == "Bearer provider-key-good-1234"
        body = json.dumps(ANSWER if good else {"error": {"message": "bad key"}}).encode()
        self.send_response(200 if good else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None: ...


@pytest.fixture(scope="module")
def with_engine(run_service: Run) -> Generator[Running]:
    """A service with one engine that needs a key."""
    provider = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    Thread(target=provider.serve_forever, daemon=True).start()
    entry = {
        "platform": "tester",
        "baseUrl": f"http://127.0.0.1:{provider.server_port}/v1",
        "model": "tester-1",
    }
    yield run_service(ENGINE_COMPATIBLE=json.dumps([entry]))
    provider.shutdown()
    provider.server_close()


async def test_an_engine_key_is_tested_by_really_asking_and_never_shown(
    meet: Meet, with_engine: Running
) -> None:
    ada = meet(with_engine.url)
    await ada.sign_up()
    for secret, state in (("provider-key-wrong-9876", "rejected"), ("provider-key-good-1234", "ok")):
        fields = {"platform": "tester", "secret": secret}
        assert (await ada.submit("/settings/engines", fields)).status_code == 303
        assert "untested" in await ada.text("/settings/engines")
        await ada.submit("/settings/engines", {}, "/settings/engines/tester/test")
        html = (await ada.http.get("/settings/engines")).text
        assert f">{state}</span>" in html
        assert secret not in html
        assert f"…{secret[-4:]}" in html
    assert (await ada.submit("/settings/engines", {}, "/settings/engines/tester/remove")).status_code == 303
    assert "…1234" not in (await ada.http.get("/settings/engines")).text


SUPPLIED = (
    *("google_ai_overview@dataforseo", "chatgpt_app@dataforseo", "google_ai_overview@cloro"),
    *("google_ai_mode@brightdata", "google_ai_overview@serpapi"),
)


@pytest.fixture(scope="module")
def with_suppliers(run_service: Run) -> Generator[tuple[Running, Supplier]]:
    """A service that may ask suppliers, none of whose keys it has."""
    with running_supplier() as supplier:
        addresses = {f"SUPPLIER_{name}_BASE_URL": supplier.base_url for name in SUPPLIER_PARTS}
        surfaces = ",".join(platform.replace("@", "=") for platform in SUPPLIED)
        yield run_service(SURFACES=surfaces, **addresses), supplier


@pytest.mark.parametrize("platform", SUPPLIED)
async def test_a_suppliers_key_is_tested_by_one_task_that_nobody_waits_for(
    meet: Meet, with_suppliers: tuple[Running, Supplier], platform: str
) -> None:
    service, supplier = with_suppliers
    supplier.finishing.clear()
    before = len(supplier.submissions)
    ada = meet(service.url)
    await ada.sign_up()
    fields = {"platform": platform, "secret": "owner@shop.example:0123456789abcdef"}
    assert (await ada.submit("/settings/engines", fields)).status_code == 303
    told = (await ada.submit("/settings/engines", {}, f"/settings/engines/{platform}/test")).text
    assert "the key works" in told
    assert len(supplier.submissions) == before + 1
    if platform.endswith("_mode@brightdata"):
        assert list(supplier.tasks)[-1] in supplier.cancelled


async def test_a_stolen_database_tells_no_secret(meet: Meet, with_engine: Running) -> None:
    ada = meet(with_engine.url)
    await ada.sign_up()
    page = await ada.submit("/settings/people", {"email": "dora@example.com", "role": "member"})
    invitation = page.text.split("/auth/invitation?key=")[1].split("<")[0]
    secrets = [
        PASSWORD,
        await ada.make_key(),
        invitation,
        ada.http.cookies["seenby-session"].rpartition(".")[0],
        "provider-key-good-1234",
    ]
    await ada.submit("/settings/engines", {"platform": "tester", "secret": "provider-key-good-1234"})
    folder = with_engine.database_file.parent
    dump = b"".join(file.read_bytes() for file in folder.glob("seenby.db*"))
    assert ada.email.encode() in dump
    for secret in secrets:
        assert secret.encode() not in dump


async def test_engines_without_credentials_are_not_listed(
    measured: Person,
) -> None:
    page = f"/brands/{measured.brand}/score"
    text = await measured.text(page)
    # Third is named less often, and yet Acme's score in the ranking is its own.
    assert "All are scored on the same answers." in text
    assert "The score above also counts" not in text
    assert ("ChatGPT" in text, "Perplexity" in text) == (True, False)
    await measured.submit("/settings/engines", {"platform": "perplexity", "secret": "pplx-0123456789abcdef"})
    assert "Perplexity" in await measured.text(page)


async def test_an_old_trend_is_shown_up_to_its_newest_day(
    measured_long_ago: Person,
) -> None:
    today = datetime.now(UTC).date()
    days = {ago: today - timedelta(days=ago) for ago in (90, 62, 56, 51)}
    newest = f"{days[51]:%b} {days[51].day}, {days[51].year}"
    text = " ".join((await measured_long_ago.text(f"/brands/{measured_long_ago.brand}")).split())
    assert f"This page shows the 28 days to {newest}." in text
    shown = re.findall(r"(\w{3} \d{1,2}, \d{4}) \d", text)
    expected = [f"{days[ago]:%b} {days[ago].day}, {days[ago].year}" for ago in (51, 56, 62)]
    assert shown == expected
    assert f"of 100, 28 days to {newest}" in " ".join((await measured_long_ago.text("/")).split())


def test_the_layout_names_nothing_that_a_page_may_name() -> None:
    """What a layout sets at its top stands in the blocks of every page, before what the page was given."""
    layout = (Path(web.__file__).parent / "layout" / "base.html").read_text(encoding="utf-8")
    named = re.findall(r"{% (?:set|macro) (\w+)", layout)
    assert len(named) > 4
    assert [name for name in named if not name.startswith("nav")] == []


async def test_the_page_of_a_score_speaks_of_questions_and_ways_of_asking(measured: Person) -> None:
    html = (await measured.http.get(f"/brands/{measured.brand}/score")).text
    text = " ".join((await measured.text(f"/brands/{measured.brand}/score")).split())
    assert "These prompts" not in text
    modes = re.findall(r'<td data-label="Mode">([^<]+)</td>', html)
    assert modes
    assert set(modes) <= {"from memory", "with web search"}


@pytest.mark.parametrize(
    ("path", "marked"),
    [
        ("/score", "Overview"),
        ("/suggestions", "Competitors"),
        ("/crawlers", "Crawlers"),
        ("/readiness", "Competitors"),
        ("/audit", "Overview"),
        ("/monitors", "Automation"),
    ],
)
async def test_a_page_behind_another_marks_it_in_the_navigation(
    measured: Person, path: str, marked: str
) -> None:
    html = (await measured.http.get(f"/brands/{measured.brand}{path}")).text
    navigation = html[html.index('<nav aria-label="Main">') : html.index("</nav>")]
    assert re.findall(r'aria-current="page">(\w+)', navigation) == [marked]


async def test_weekly_scores_are_one_line_and_a_longer_pause_is_a_gap(measured: Person) -> None:
    page = (await measured.http.get(f"/brands/{measured.brand}")).text
    chart = page[page.index('class="time wide-form"') :].partition("</svg>")[0]
    assert chart.count('class="dot"') == 4
    [line] = re.findall(r'class="line" d="([^"]+)"', chart)
    assert line.count("L") == 3, "days 12, 6, 5 and 1 before today: every pause but a long one is joined"

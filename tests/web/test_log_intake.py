"""Access logs over HTTP: every format, counted once with what files brought, bounded, and nobody else's."""

import gzip
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from rest_bridge.log_intake import LARGEST_OPENED, LARGEST_SENT, SENT_A_MINUTE
from tests.web.conftest import Meet, Person
from tests.web.test_crawlers import line

GPTBOT = "Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)"
AT = datetime.now(UTC) - timedelta(hours=3)
NGINX = {
    "time_iso8601": AT.isoformat(timespec="seconds"),
    "remote_addr": "203.0.113.9",
    "request": "GET /nginx HTTP/1.1",
    "status": "200",
    "http_user_agent": GPTBOT,
    "http_referer": "",
}
CLOUDFLARE = {
    "ClientIP": "203.0.113.9",
    "ClientRequestHost": "acme.example",
    "ClientRequestMethod": "GET",
    "ClientRequestURI": "/cloudflare",
    "ClientRequestUserAgent": GPTBOT,
    "EdgeResponseStatus": 200,
    "EdgeStartTimestamp": AT.strftime("%Y-%m-%dT%H:%M:%SZ"),
}
CLOUDFRONT = (
    "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status "
    "cs(Referer) cs(User-Agent)\n"
    + "\t".join(
        [
            *(AT.strftime("%Y-%m-%d"), AT.strftime("%H:%M:%S"), "FRA50", "512", "203.0.113.9", "GET"),
            *("acme.example", "/cloudfront", "200", "-", GPTBOT.replace(" ", "%20")),
        ]
    )
    + "\n"
)
FORMATS = {
    "combined": line(2, "/combined", "GPTBot/1.0"),
    "nginx-json": json.dumps(NGINX).encode(),
    "cloudflare": json.dumps(CLOUDFLARE).encode(),
    "cloudfront": CLOUDFRONT.encode(),
}


async def send(person: Person, body: bytes, key: str | None = None, **query: str) -> Any:
    headers = {"Authorization": f"Bearer {key or await person.make_key()}"}
    sent = {"brandId": person.brand, **query}
    return await person.http.post("/api/access-logs", content=body, headers=headers, params=sent)


@pytest.fixture
async def logged(measured: Person) -> Person:
    """A person whose brand has a website."""
    key = {"Authorization": f"Bearer {await measured.make_key()}"}
    site = {"brandId": measured.brand, "website": "https://acme.example"}
    changed = await measured.http.post("/api/mcp-app/rest/update_brand_profile", json=site, headers=key)
    assert changed.status_code == 200, changed.text
    return measured


async def test_each_format_counts_once_however_often_and_packed_it_is_sent(logged: Person) -> None:
    key = await logged.make_key()
    for name, body in FORMATS.items():
        first = await send(logged, body, key, format=name)
        assert first.status_code == 200, first.text
        assert (first.json()["visits"], first.json()["duplicates"]) == (1, 0), (name, first.json())
        again = (await send(logged, gzip.compress(body), key)).json()
        assert (again["visits"], again["duplicates"], again["counted"]) == (0, 1, 0), name
    common = (await send(logged, b'203.0.113.9 - - [%s] "GET / HTTP/1.1" 200 5\n' % AT.strftime(
        "%d/%b/%Y:%H:%M:%S +0000").encode(), key, format="common")).json()  # fmt: skip
    assert (common["visits"], common["other"], common["skipped"]) == (0, 1, 1)
    page = await logged.text(f"/brands/{logged.brand}/crawlers")
    assert "/cloudfront" in page
    assert "the address for log shippers" in page


async def test_who_may_not_write_or_sends_too_often_is_refused(logged: Person, meet: Meet) -> None:
    body = FORMATS["combined"]
    nobody = await logged.http.post("/api/access-logs", content=body)
    assert (nobody.status_code, nobody.json()["error"]["code"]) == (401, "UNAUTHORIZED")
    assert nobody.headers["www-authenticate"].startswith("Bearer")
    forged = await send(logged, body, "sk_live_" + "a" * 32)
    assert forged.status_code == 401
    assert (await logged.http.get("/api/access-logs")).status_code == 405
    other = meet()
    await other.sign_up()
    theirs = await send(other, body, brandId=logged.brand)
    assert (theirs.status_code, theirs.json()["error"]["code"]) == (404, "NOT_FOUND")
    key = await logged.make_key()
    codes = [(await send(logged, b"", key)).status_code for _ in range(SENT_A_MINUTE)]
    assert set(codes) == {200}
    refused = await send(logged, b"", key)
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "RATE_LIMITED")
    assert 1 <= int(refused.headers["retry-after"]) <= 60


async def test_hostile_bodies_are_refused_in_words_and_count_nothing(logged: Person) -> None:
    key = await logged.make_key()
    good = FORMATS["combined"]
    bomb = gzip.compress(b"x" * (LARGEST_OPENED + 1))
    for body, status, words in (
        (b"x" * (LARGEST_SENT + 1), 413, "Request body too large"),
        (bomb, 400, "the gzip body opens to more than"),
        (gzip.compress(good)[:-9], 400, "the gzip body is damaged or ends early"),
        (b"\x1f\x8b" + b"\0" * 50, 400, "the gzip body is damaged or ends early"),
        (gzip.compress(gzip.compress(good)), 400, "the gzip body holds gzip again"),
    ):
        refused = await send(logged, body, key)
        assert (refused.status_code, refused.json()["error"]["message"].startswith(words)) == (
            status,
            True,
        ), refused.text
    for query, words in (
        ({"brand": "Acme"}, "the address takes brandId, site, format"),
        ({"site": "other.example"}, "there is no site of this brand 'other.example'"),
        ({"format": "klingon"}, "there is no format of logs 'klingon'"),
        ({"brandId": "a\0b"}, "the address takes"),
        (dict.fromkeys("abcde", "x"), "the address takes"),
    ):
        refused = await send(logged, good, key, **query)
        assert (refused.status_code, refused.json()["error"]["message"].startswith(words)) == (400, True), (
            refused.text
        )
    taken = (await send(logged, b"\xff\xfe\x00 {[(\n" + good + b"x" * 40_000, key)).json()
    assert (taken["visits"], taken["unreadable"]) == (1, 2)

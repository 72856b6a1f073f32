"""The page of AI crawlers' visits: counts with their words, chart beside table, hostile paths inert, one company's only."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest

from measurement.imports.access_logs.log_import import LogImporter, LogTarget
from measurement.planning.clock import utc_now
from oauth.signing import SubKey
from storage.database import Database
from storage.repositories.crawler_visits import BotAddressList
from tests.web.conftest import Meet, Person

CHATGPT = "https://chatgpt.com/"
HOSTILE = "/<script>alert(1)</script>\x1b[2J\u202e${jndi:ldap://x}"


def line(
    days: int, path: str, agent: str, *, address: str = "203.0.113.9", status: int = 200, referrer: str = "-"
) -> bytes:
    time = (utc_now() - timedelta(days=days, hours=1)).strftime("%d/%b/%Y:%H:%M:%S +0000")
    return f'{address} - - [{time}] "GET {path} HTTP/1.1" {status} 5 "{referrer}" "{agent}"\n'.encode()


LINES = [
    *(line(days, f"/page-{number}", "GPTBot/1.0") for days in (2, 3, 4) for number in range(days)),
    line(2, "/gone", "GPTBot/1.0", status=404),
    line(2, "/login", "GPTBot/1.0", address="198.51.100.7"),
    *(line(days, "/shoes", "ClaudeBot/1.0") for days in (2, 3)),
    line(3, HOSTILE, "ClaudeBot/1.0", status=503),
    *(line(days, "/landing", "Mozilla/5.0", referrer=CHATGPT) for days in (2, 3)),
]


async def take_in(database: Database, person: Person) -> None:
    """Take in the log of the person's brand, with the addresses of GPTBot known."""
    company = await database.operators.companies.find(person.company)
    assert company is not None
    async with database.operation() as operators:
        known = BotAddressList("GPTBot", "test", ["203.0.113.0/28"], utc_now())
        await operators.bot_addresses.save([known])
    workspace = database.workspace(company.id)
    brand = await workspace.brands.find(person.brand)
    assert brand is not None
    target = LogTarget(company.id, brand, ["acme.example"], "acme.example")
    async for _ in LogImporter(database, SubKey(b"k" * 32), utc_now).import_lines(target, LINES, "file"):
        pass


async def test_a_brand_without_a_log_is_told_how_one_comes_in(measured: Person) -> None:
    page = (await measured.http.get(f"/brands/{measured.brand}/crawlers")).text
    assert "No log has come in yet." in page
    assert 'href="/help/access-logs"' in page
    assert "seenby logs import" in await measured.text("/help/access-logs")
    overview = (await measured.http.get(f"/brands/{measured.brand}")).text
    assert f'href="/brands/{measured.brand}/crawlers"' in overview


async def test_visits_pages_answers_and_referrals_are_shown_with_their_words(
    measured: Person, database: Database
) -> None:
    await take_in(database, measured)
    await take_in(database, measured)
    page = (await measured.http.get(f"/brands/{measured.brand}/crawlers")).text
    words = " ".join((await measured.text(f"/brands/{measured.brand}/crawlers")).split())
    assert "13 visits, 77% of them verified. 1 more came under a crawler's name" in words
    assert "11 got the page (2xx), 1 denied or not found (4xx), 1 your server failed (5xx)" in words
    assert "ChatGPT 2" in words
    assert "Visits of AI crawlers by day: 3 measured days" in page
    assert "/login" not in page
    for raw in ("<script>alert", "\x1b", "\u202e", "${jndi"):
        assert raw not in page
    assert "%3Cscript%3Ealert%281%29" in page
    rows = (await measured.http.get(f"/brands/{measured.brand}/crawlers.csv")).content
    table = {row["bot"]: row for row in csv.DictReader(io.StringIO(rows.decode("utf-8-sig")))}
    assert (table["GPTBot"]["visits"], table["GPTBot"]["verified"]) == ("10", "10")
    assert (table["ClaudeBot"]["visits"], table["ClaudeBot"]["notVerified"]) == ("3", "3")
    earlier = await measured.text(f"/brands/{measured.brand}/crawlers?from=2026-01-01&to=2026-01-31")
    assert "Nothing is counted for these days." in earlier


@pytest.mark.parametrize("ending", ["", ".csv", ".json"])
async def test_visits_of_another_company_are_not_found(measured: Person, meet: Meet, ending: str) -> None:
    stranger = meet()
    await stranger.sign_up()
    assert (await stranger.http.get(f"/brands/{measured.brand}/crawlers{ending}")).status_code == 404


async def test_the_monitoring_tool_says_what_crawlers_did(measured: Person, database: Database) -> None:
    key = {"Authorization": f"Bearer {await measured.make_key()}"}

    async def seen() -> Any:
        asked = {"brandId": measured.brand}
        answer = await measured.http.post("/api/mcp-app/rest/get_monitoring_results", json=asked, headers=key)
        assert answer.status_code == 200, answer.text
        return answer.json()["crawlerVisits"]

    assert await seen() is None
    await take_in(database, measured)
    visits = await seen()
    assert (visits["visits"], visits["verified"], visits["notThisBot"], visits["referrals"]) == (13, 10, 1, 2)
    assert [(bot["bot"], bot["operator"], bot["visits"]) for bot in visits["bots"]] == [
        ("GPTBot", "OpenAI", 10),
        ("ClaudeBot", "Anthropic", 3),
    ]

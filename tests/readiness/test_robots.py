import re
import shutil
import subprocess
import tarfile
from functools import cache
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readiness.agents import TOKENS
from readiness.reading.robots import Robots

ARCHIVE = "protego-0.7.0.tar.gz"
BOTS = ("Googlebot", "Bingbot", "OAI-SearchBot", "ChatGPT-User", "GPTBot", "ClaudeBot", "Applebot", "Applebot-Extended",
        "PerplexityBot", "CCBot", "Amazonbot", "Bytespider", "Google-Extended", "DuckAssistBot", "SeenbyReadinessBot")  # fmt: skip
PATHS = ("/", "/inventory/used?page=2")


class Independent:
    """A second reader of RFC 9309, written from the RFC alone: lines, groups, longest match."""

    def __init__(self, body: bytes, *, any_field_ends: bool = False) -> None:
        self.groups: dict[str, list[tuple[bool, str]]] = {}
        self._known: dict[tuple[str, str], bool] = {}
        agents: list[str] = []
        after_rule = True
        for line in re.split(r"\r\n|\r|\n", body[: 500 * 1024].decode("utf-8-sig", "replace")):
            name, colon, value = line.partition("#")[0].partition(":")
            name, value = name.strip().lower(), value.strip()
            if not colon:
                continue
            if name == "user-agent":
                agents = [] if after_rule else agents
                after_rule = False
                token = (
                    "*"
                    if value.split(maxsplit=1)[:1] == ["*"]
                    else (re.match(r"[A-Za-z_-]*", value) or [""])[0].lower()
                )
                agents.append(token)
                self.groups.setdefault(token, [])
            elif name in ("allow", "disallow"):
                after_rule = True
                for agent in agents if value else ():
                    self.groups[agent].append((name == "allow", value))
            elif any_field_ends and name not in ("sitemap", "host"):
                after_rule = True

    def allows(self, url: str, bot: str) -> bool:
        group = bot.lower() if bot.lower() in self.groups else "*"
        if (group, url) not in self._known:
            self._known[group, url] = self._decide(self.groups.get(group, []), url)
        return self._known[group, url]

    def _decide(self, rules: list[tuple[bool, str]], url: str) -> bool:
        parts = urlsplit(url)
        target = self._same(parts.path + (f"?{parts.query}" if parts.query else ""))
        best = max(
            ((len(p), allow) for allow, p in rules if self._matches(self._same(p), target)), default=(0, True)
        )
        return best[1]

    @staticmethod
    @cache
    def _same(text: str) -> str:
        return quote(unquote(text), safe="/*$?=&;:@!+,'()~-._%[]#|\\\"<>^`{} ")

    @staticmethod
    def _matches(pattern: str, target: str) -> bool:
        end = pattern.endswith("$")
        pieces = pattern.removesuffix("$").split("*")
        # An expression for each of a quarter of a million rules would take many times as long.
        if not target.startswith(pieces[0]):
            return False
        pieces = [re.escape(piece) for piece in pieces]
        return re.match(".*".join(pieces) + ("$" if end else ""), target) is not None


@pytest.fixture(scope="module")
def corpus() -> list[tuple[str, bytes]]:
    """Every real robots.txt of Protego's source archive, fetched by pip and kept in the user's cache."""
    cache = Path.home() / ".cache" / "seenby-tests"
    cache.mkdir(parents=True, exist_ok=True)
    if not (cache / ARCHIVE).exists():
        pip = shutil.which("pip3") or shutil.which("pip")
        if pip is None:
            pytest.skip("there is no pip to get Protego's source archive with")
        command = [
            pip,
            "download",
            "-q",
            "--no-deps",
            "--no-binary",
            "protego",
            "-d",
            str(cache),
            "protego==0.7.0",
        ]
        subprocess.run(command, capture_output=True, check=False, timeout=200)
        if not (cache / ARCHIVE).exists():
            pytest.skip("pip could not get Protego's source archive")
    with tarfile.open(cache / ARCHIVE) as archive:
        members = [
            member
            for member in archive.getmembers()
            if member.isfile() and "/tests/test_data/" in member.name
        ]
        return [
            (Path(member.name).name, file.read())
            for member in members
            if (file := archive.extractfile(member))
        ]


def test_the_examples_of_the_rfc_are_read_as_it_says() -> None:
    robots = Robots(
        b"User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n"
        b"User-Agent: Googlebot\nUser-Agent: Bingbot\nAllow: /example/page.html\nAllow: /example/allowed.gif\nDisallow: /\n"
        b"User-Agent: CCBot\nDisallow:\n"
    )
    site = "https://example.com"
    assert robots.allows(f"{site}/example/page.html", "Googlebot")
    assert not robots.allows(f"{site}/example/disallowed.gif", "Bingbot")
    assert robots.allows(f"{site}/anything", "CCBot")
    assert robots.allows(f"{site}/publications/x", "Applebot")
    assert not robots.allows(f"{site}/a.gif", "Applebot")


def test_a_group_binds_the_bots_it_names_and_no_others() -> None:
    robots = Robots(
        b"\xef\xbb\xbfUser-agent: Applebot\nDisallow: /\n\nUser-agent: Googlebot/2.1\nDisallow: /x\n"
    )
    assert not robots.allows("https://example.com/", "Applebot")
    assert robots.allows("https://example.com/", "Applebot-Extended")
    assert not robots.allows("https://example.com/x", "Googlebot")
    assert robots.has_bom


def test_a_verdict_names_the_line_that_decides() -> None:
    robots = Robots(
        b"# rules\nUser-agent: GPTBot\nUser-agent: *\nDisallow: /a\nDisallow: /a/b/c\nAllow: /a/b\n"
    )
    denied = robots.verdict("https://example.com/a/b/c/d", "GPTBot")
    assert (denied.allowed, denied.group, denied.line, denied.text) == (
        False,
        "gptbot",
        5,
        "Disallow: /a/b/c",
    )
    allowed = robots.verdict("https://example.com/a/b/d", "Bingbot")
    assert (allowed.allowed, allowed.group, allowed.line) == (True, "*", 6)
    assert robots.verdict("https://example.com/z", "Bingbot").line == 0


def test_lines_that_are_no_rules_are_told_by_number() -> None:
    assert Robots(
        b"User-agent: *\n\n# note\nDissallow: /\nhello\nSitemap: https://example.com/s.xml\n"
    ).unknown_lines == (4, 5)


def test_ten_thousand_agents_before_ten_thousand_rules_cost_no_product() -> None:
    body = (
        b"".join(b"User-agent: a%s\n" % (b"b" * (i % 40) + b"c" * (i // 40)) for i in range(3000))
        + b"Disallow: /x\n" * 15_000
    )
    assert Robots(body).allows("https://example.com/x", "Googlebot")


@given(st.binary(max_size=400), st.sampled_from(TOKENS))
def test_no_bytes_make_the_reader_raise(body: bytes, bot: str) -> None:
    robots = Robots(body)
    verdict = robots.verdict("https://example.com/a?b=c", bot)
    assert verdict.allowed == robots.allows("https://example.com/a?b=c", bot)


# Where another field (Crawl-delay, Noindex) stands between two User-agent lines, RFC 9309 joins the two into
# one group, since only Allow and Disallow end a run of agents. Ours ends the run at any field, as the authors of
# these files plainly mean it: a pace for bingbot is no wish to share the ban of the next bot.
JOINED_BY_THE_RFC = frozenset(
    (
        "bitbucket.org", "www.ajc.com", "www.betterhealth.vic.gov.au", "www.blu-ray.com", "www.broadcom.com_443",
        "www.cafemom.com", "www.charlotteobserver.com", "www.eventbrite.com", "www.giant-bicycles.com",
        "www.homeaway.com", "www.ixigo.com", "www.kansascity.com", "www.miamiherald.com", "www.nationstates.net",
        "www.newsobserver.com", "www.pepboys.com", "www.sacbee.com", "www.tableau.com", "www.tennis-warehouse.com",
    )
)  # fmt: skip


def test_real_robots_files_match_an_independent_parser(
    corpus: list[tuple[str, bytes]],
) -> None:
    bots = frozenset(bot.lower() for bot in BOTS)
    by_the_letter: set[str] = set()
    by_any_field: set[str] = set()
    for name, body in corpus:
        ours, letter, any_field = (
            Robots(body, bots),
            Independent(body),
            Independent(body, any_field_ends=True),
        )
        for url in (f"https://example.com{path}" for path in PATHS):
            for bot in BOTS:
                verdict = ours.allows(url, bot)
                by_the_letter |= {name} if verdict != letter.allows(url, bot) else set()
                by_any_field |= {name} if verdict != any_field.allows(url, bot) else set()
    assert len(corpus) >= 4_231
    assert by_any_field == set()
    assert by_the_letter == JOINED_BY_THE_RFC

"""Crawlers verified by reverse DNS: logs taken in on the command line, with a real DNS server."""

from collections.abc import Generator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.dns_server import DnsServer, dns_server
from tests.measurement.conftest import Acme
from tests.measurement.test_access_logs import combined, shown

GOOGLEBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
BINGBOT = "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"
REAL, SIXTH, LIAR, STRANGER, NAMELESS, LOOKALIKE, RENTED = (
    "192.0.2.10",
    "2001:db8::a",
    "198.51.100.20",
    "198.51.100.30",
    "198.51.100.40",
    "198.51.100.50",
    "198.51.100.60",
)
RECORDS = {
    ("10.2.0.192.in-addr.arpa.", "PTR"): ["crawl-10.googlebot.com."],
    ("crawl-10.googlebot.com.", "A"): [REAL],
    ("a" + ".0" * 23 + ".8.b.d.0.1.0.0.2.ip6.arpa.", "PTR"): ["crawl-a.googlebot.com."],
    ("crawl-a.googlebot.com.", "AAAA"): [SIXTH],
    # Whoever owns an address may give it any name; that name does not lead back.
    ("20.100.51.198.in-addr.arpa.", "PTR"): ["crawl-20.googlebot.com."],
    ("crawl-20.googlebot.com.", "A"): [REAL],
    ("30.100.51.198.in-addr.arpa.", "PTR"): ["host30.hoster.example."],
    ("host30.hoster.example.", "A"): [STRANGER],
    ("50.100.51.198.in-addr.arpa.", "PTR"): ["crawl.notgooglebot.com."],
    ("crawl.notgooglebot.com.", "A"): [LOOKALIKE],
    # A machine that anybody may rent from the operator.
    ("60.100.51.198.in-addr.arpa.", "PTR"): ["60.100.51.198.bc.googleusercontent.com."],
    ("60.100.51.198.bc.googleusercontent.com.", "A"): [RENTED],
}


@pytest.fixture
def resolver(acme: Acme) -> Generator[DnsServer]:
    """A DNS server that the commands ask."""
    with dns_server(RECORDS) as server:
        acme.seenby.environment["SEENBY_REVERSE_DNS"] = server.address
        yield server


def log(acme: Acme, path: Path, lines: Sequence[str]) -> Any:
    path.write_text("".join(f"{line}\n" for line in lines))
    return acme.seenby.json("logs", "import", str(path), "--brand", "Acme")


def googlebot(acme: Acme) -> tuple[int, int, int]:
    [bot] = shown(acme)["bots"]
    return bot["verified"], bot["notVerified"], bot["notThisBot"]


def test_a_name_that_leads_back_verifies_and_one_of_somebody_else_does_not(
    acme: Acme, tmp_path: Path, resolver: DnsServer
) -> None:
    addresses = (REAL, SIXTH, LIAR, STRANGER, NAMELESS, LOOKALIKE, RENTED, "10.0.0.1")
    lines = [combined(f"/{address}", GOOGLEBOT, address=address) for address in addresses]
    counts = log(acme, tmp_path / "access.log", lines)
    assert (counts["visits"], counts["notThisBot"]) == (8, 3)
    assert googlebot(acme) == (2, 3, 3)
    paths = {page["path"] for page in shown(acme)["pages"]}
    assert f"/{REAL}" in paths
    assert not paths & {f"/{STRANGER}", f"/{LOOKALIKE}", f"/{RENTED}"}
    assert not [name for name in resolver.asked if name.startswith("1.0.0.10.")]


def test_without_dns_answers_nothing_is_verified_or_rejected(
    acme: Acme, tmp_path: Path, resolver: DnsServer
) -> None:
    resolver.silent = True
    counts = log(
        acme, tmp_path / "access.log", [combined("/", GOOGLEBOT, address=one) for one in (REAL, STRANGER)]
    )
    assert (counts["visits"], counts["notThisBot"]) == (2, 0)
    assert resolver.asked
    assert googlebot(acme) == (0, 2, 0)


def test_no_name_is_asked_for_where_it_is_off_or_for_bots_without_names(
    acme: Acme, tmp_path: Path, resolver: DnsServer
) -> None:
    log(acme, tmp_path / "one.log", [combined("/")])
    acme.seenby.environment["SEENBY_REVERSE_DNS"] = "off"
    log(acme, tmp_path / "two.log", [combined("/", BINGBOT, address=REAL)])
    assert resolver.asked == []
    acme.seenby.environment["SEENBY_REVERSE_DNS"] = "nowhere"
    refused = acme.seenby("logs", "addresses")
    assert refused.code == 1
    assert "SEENBY_REVERSE_DNS must be on, off or the address of a resolver" in refused.err


def test_a_name_of_today_makes_no_impostor_of_a_visit_long_ago(
    acme: Acme, tmp_path: Path, resolver: DnsServer
) -> None:
    then = (datetime.now(UTC) - timedelta(days=60)).strftime("%d/%b/%Y:%H:%M:%S +0000")
    log(acme, tmp_path / "old.log", [combined("/", GOOGLEBOT, address=STRANGER, time=then)])
    [bot] = shown(acme, "--days", "90")["bots"]
    assert (bot["notVerified"], bot["notThisBot"]) == (1, 0)

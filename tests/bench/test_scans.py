"""The measurement of scans runs, and what it measures of hostile sites keeps the scanner's promises."""

from bench.scans import BUDGET_SECONDS, HOSTILE_CEILING, hostile
from tests.in_full import in_full

UNSEEN = {
    "endless body": None,
    "10,000 links": None,
    "50 MB of HTML": None,
    "invalid encodings": None,
    "redirect to loopback": "refused_address",
    "redirect to metadata": "refused_address",
}


@in_full
def test_hostile_sites_end_in_a_report_inside_time_and_memory() -> None:
    hostile_sites = list(hostile(UNSEEN))
    assert [name for name, _, _ in hostile_sites] == list(UNSEEN)
    for name, ended, memory in hostile_sites:
        assert ended.seconds < BUDGET_SECONDS
        assert memory < HOSTILE_CEILING, name
        assert "score" in ended.outcome, name
        assert (UNSEEN[name] or "nothing") in ended.outcome, name

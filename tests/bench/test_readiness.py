"""The labelled corpus of sites: every check finds what is there, and blames no sound site."""

import pytest

from bench.readiness.corpus import GOOD, sites
from bench.readiness.measuring import (
    FAULTS,
    NEEDED,
    Rightness,
    Statuses,
    agreement,
    compare,
    labels,
    scanned,
)
from bench.readiness.proposals import BROKEN, broken, try_proposals
from bench.readiness.robots_rules import may_fetch
from readiness.checks.catalog import CATALOG


@pytest.fixture(scope="module")
def given() -> dict[str, Statuses]:
    return scanned()


def test_every_check_is_right_about_the_corpus(given: dict[str, Statuses]) -> None:
    rightness = compare(labels(), given)
    poor = {check: right for check, right in rightness.items() if min(right.precision, right.recall) < NEEDED}
    assert not poor


def test_no_sound_site_is_blamed_for_anything(given: dict[str, Statuses]) -> None:
    blamed = {name: [check for check, status in given[name].items() if status in FAULTS] for name in GOOD}
    assert blamed == {name: [] for name in GOOD}


def test_the_labels_speak_of_the_sites_that_are_built(given: dict[str, Statuses]) -> None:
    assert set(labels()) == set(given)


def test_two_labellings_of_matters_of_taste_agree_on_nine_in_ten() -> None:
    shared = agreement(labels())
    assert shared.judged > 80
    assert shared.equal / shared.judged >= 0.9


def test_a_fault_that_is_missed_or_made_up_counts_against_a_check() -> None:
    first, second = (check.id for check in CATALOG[:2])
    passing = dict.fromkeys((check.id for check in CATALOG), "pass")
    wanted = {"a": passing | {first: "fail"}, "b": passing | {first: "fail"}, "c": passing}
    given = {"a": passing | {first: "warn"}, "b": passing, "c": passing | {second: "fail"}}
    rightness = compare(wanted, given)
    assert rightness[first] == Rightness(found=1, false=0, missed=1, exact=1, sites=3)
    assert (rightness[first].precision, rightness[first].recall) == (1.0, 0.5)
    assert (rightness[second].precision, rightness[second].recall) == (0.0, 1.0)


def test_proposals_pass_on_the_patched_copy_and_open_nothing_unasked() -> None:
    sampled = ("us-opaque", "french-dealer", "german-garage")
    corpus = sites()
    built = {f"{name}{BROKEN}": broken(corpus[name]) for name in sampled}
    built["one search bot denied"] = corpus["one search bot denied"]
    trials = {trial.name: trial for trial in try_proposals(built)}
    assert {name: trial.faults for name, trial in trials.items()} == dict.fromkeys(built, ())
    assert trials["one search bot denied"].mended == 1
    assert all(trials[f"{name}{BROKEN}"].mended >= 3 for name in sampled)


@pytest.mark.parametrize(
    ("text", "agent", "path", "allowed"),
    [
        ("User-agent: *\nDisallow: /a\nAllow: /a/b\n", "x", "/a/b/c", True),
        ("User-agent: *\nDisallow: /a\nAllow: /a/b\n", "x", "/a/c", False),
        ("User-agent: *\nDisallow: /\n\nUser-agent: Bot\nDisallow:\n", "bot", "/a", True),
        ("User-agent: Bot\nUser-agent: Other\nDisallow: /*.pdf$\n", "other", "/x/y.pdf", False),
        ("User-agent: Bot\nUser-agent: Other\nDisallow: /*.pdf$\n", "other", "/x/y.pdf?a", True),
        ("User-agent: Bot\nDisallow: /a\nAllow: /a\n", "bot", "/a", True),
        ("", "bot", "/a", True),
    ],
)
def test_the_second_reader_of_robots_txt_reads_by_the_standard(
    text: str, agent: str, path: str, allowed: bool
) -> None:
    assert may_fetch(text, agent, f"https://a.example{path}") is allowed

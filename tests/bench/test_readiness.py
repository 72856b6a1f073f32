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
    every_site,
    labels,
    scanned,
    site_host,
    statuses_of,
)
from bench.readiness.proposals import BROKEN, broken, try_proposals
from bench.readiness.robots_rules import may_fetch
from bench.sites import Page, Pages
from readiness.checks.catalog import CATALOG
from readiness.report.document import LineChange, Report


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    return scanned(every_site())


@pytest.fixture(scope="module")
def given(reports: dict[str, Report]) -> dict[str, Statuses]:
    return {name: statuses_of(report) for name, report in reports.items()}


def test_every_check_is_right_about_the_corpus(given: dict[str, Statuses]) -> None:
    rightness = compare(labels(), given)
    poor = {check: right for check, right in rightness.items() if min(right.precision, right.recall) < NEEDED}
    assert not poor


def test_no_sound_site_is_blamed_for_anything(given: dict[str, Statuses]) -> None:
    blamed = {name: [check for check, status in given[name].items() if status in FAULTS] for name in GOOD}
    assert blamed == {name: [] for name in GOOD}


def test_the_labels_speak_of_the_sites_that_are_built(given: dict[str, Statuses]) -> None:
    assert set(labels()) == set(given)


def test_applying_the_changes_of_fixes_passes_their_checks(reports: dict[str, Report]) -> None:
    """Left out is what a fix shows of one page for many: markup and directives of every vehicle, dates of a sitemap."""
    shown = {
        check.id: (name, check.changes)
        for name, report in reports.items()
        for _, group in report.groups()
        for check in group.checks
        if check.changes and MENDED.get(check.id) == name
    }
    assert shown.keys() == MENDED.keys()
    built = every_site()
    mended = {
        check: with_changes(built[name], site_host(name), changes, site_host(check))
        for check, (name, changes) in shown.items()
    }
    statuses = {check: statuses_of(report)[check] for check, report in scanned(mended).items()}
    assert statuses == dict.fromkeys(MENDED, "pass")


MENDED = {
    "tech.canonical": "foreign canonical",
    "tech.bots.search_policy": "one search bot denied",
    "tech.bots.user_policy": "assistant denied",
    "tech.sd.valid": "us_motorcycle_shop",
    "tech.sd.business": "french_atelier_horaires",
    "tech.sitemap": "british_ev_on_request",
    "svc.structured": "spanish_concesionario",
    "ho.phone": "british_mot_centre",
}
"""For each check that shows changes, a site where these are all that is missing."""


def with_changes(pages: Pages, host: str, changes: list[LineChange], moved_to: str) -> Pages:
    """The pages of a site after somebody made the changes, word for word, on another host."""
    made = {
        path: Page(page.body.replace(b"HOST", host.encode()), headers=page.headers)
        for path, page in pages.items()
    }
    for change in changes:
        path = change.url.removeprefix(f"https://{host}") or "/"
        text = made[path].body.decode()
        if change.changedExcerpt.startswith("--- "):
            text = patched(text, change.changedExcerpt)
        elif change.excerpt is None:
            text = text.replace("</head>", f"{change.changedExcerpt}</head>", 1)
        else:
            assert change.excerpt in text
            text = text.replace(change.excerpt, change.changedExcerpt)
        made[path] = Page(text.encode(), headers=made[path].headers)
    return {
        path: Page(page.body.replace(host.encode(), moved_to.encode()), headers=page.headers)
        for path, page in made.items()
    }


def patched(text: str, difference: str) -> str:
    """A text after the only hunk of a unified difference."""
    _, _, heading, *hunk = difference.splitlines()
    lines, first = text.splitlines(), int(heading.split(",")[0].removeprefix("@@ -")) - 1
    old = sum(not line.startswith("+") for line in hunk)
    return "\n".join([*lines[:first], *(line[1:] for line in hunk if line[:1] != "-"), *lines[first + old :]])


def test_two_labelings_of_matters_of_taste_agree_on_nine_in_ten() -> None:
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

"""Content gaps by gaps/1: worked examples, computed by hand."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.gaps import GapKind, Item, ItemLibrary, PromptEvidence, answer_gap, citation_gap, stems

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def seen(**changes: object) -> PromptEvidence:
    values: dict[str, object] = {
        "valid": {"one": 2, "two": 2},
        "named": {"a": 2},
        "cited": {},
        "measurable": 0,
        "rivals_on": {"one"},
        "own": "brand",
    }
    return PromptEvidence(**{**values, **changes})  # type: ignore[arg-type]


def test_an_answer_gap_needs_three_answers_half_with_one_competitor() -> None:
    gap = answer_gap(seen())
    assert gap is not None
    assert (gap.severity, gap.rivals) == ("warning", ("a",))
    assert answer_gap(seen(valid={"one": 2})) is None
    assert answer_gap(seen(named={"a": 2, "brand": 1})) is None
    assert answer_gap(seen(named={"a": 1, "b": 1})) is None


def test_an_answer_gap_is_critical_on_two_platforms_with_three_competitors() -> None:
    rivals = {"a": 4, "b": 1, "c": 1}
    findings = [
        answer_gap(seen(named=rivals, rivals_on={"one", "two"})),
        answer_gap(seen(named=rivals)),
        answer_gap(seen(named={"a": 4, "b": 1, "c": 0}, rivals_on={"one", "two"})),
    ]
    assert [gap.severity for gap in findings if gap] == ["critical", "warning", "warning"]


def test_a_citation_gap_counts_only_answers_whose_citations_are_known() -> None:
    gap = citation_gap(seen(measurable=2, cited={"a": 1}))
    assert gap is not None
    assert gap.kind is GapKind.CITATION
    assert citation_gap(seen(measurable=3, cited={"a": 1})) is None
    assert citation_gap(seen(measurable=2, cited={"a": 2, "brand": 1})) is None
    assert citation_gap(seen(measurable=0, cited={"a": 2})) is None


def test_words_are_folded_cut_and_without_function_words() -> None:
    assert stems("What do the PRICES of Café pricing cost?") == stems("price cafe cost")
    assert stems("how can I do it") == frozenset()


def test_coverage_is_the_share_of_idf_that_one_item_holds() -> None:
    items = [
        Item("Brakes", "We replace brake pads.", NOW),
        Item("Tires", "We store winter tires.", NOW),
        Item("History", "We began small.", NOW),
    ]
    library = ItemLibrary(items)
    best_item = library.best("Who replaces winter brakes?")
    assert best_item is not None
    # replac, brak: in one item of three; winter: in one of three. All weigh the same: two of three words.
    assert best_item[0] == 0
    assert best_item[1] == pytest.approx(2 / 3)
    [gap] = library.gaps("Who repaints rusty winter bumpers?", NOW)
    assert (gap.kind, gap.severity, gap.item) == (GapKind.COVERAGE, "warning", 1)


def test_an_item_that_covers_may_be_old_or_lack_what_is_asked_for() -> None:
    old = Item("Oil change", "An oil change takes an hour.", NOW - timedelta(days=181))
    others = [Item(name, "Ask for its price.", NOW) for name in ("Brakes", "Tires")]
    kinds = {gap.kind: gap.fact for gap in ItemLibrary([old, *others]).gaps("price of an oil change", NOW)}
    assert kinds == {
        GapKind.STALE: None,
        GapKind.MISSING_FACT: "price",
    }
    whole = Item("Oil change", "The price of an oil change is $49.", NOW)
    assert ItemLibrary([whole, *others]).gaps("price of an oil change", NOW) == []


@given(st.lists(st.text(max_size=60), max_size=6), st.text(max_size=80))
def test_coverage_is_a_share_and_a_text_covers_itself(bodies: list[str], prompt: str) -> None:
    items = [Item("", body, NOW) for body in [*bodies, prompt]]
    best_item = ItemLibrary(items).best(prompt)
    if stems(prompt):
        assert best_item is not None
        assert best_item[1] == pytest.approx(1)
    else:
        assert best_item is None

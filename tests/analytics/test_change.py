from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, cast

import geo_watch  # pyright: ignore[reportMissingTypeStubs] - an independent implementation without types
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.change import Change, Row, Side, baseline, compare
from analytics.digests import inputs_digest, seed_of
from analytics.intervals import newcombe_paired
from analytics.observations import Channel, Observation
from analytics.score import score

Make = Callable[..., Observation]
Cells = Mapping[Channel, Mapping[str, Sequence[int]]]
MakeSide = Callable[..., Side]


class Oracle(Protocol):
    """The function of geo-score that is used here, with its types: percentage points, one decimal."""

    def paired_ci(
        self, by_question: Sequence[tuple[int, int]], table: tuple[int, int, int, int], seed: int, reps: int
    ) -> list[float]: ...


oracle = cast(Oracle, geo_watch)


@pytest.fixture
def side(seen: Make) -> MakeSide:
    """Makes a side from 0/1 per repeat, by channel and prompt."""

    def make(cells: Cells, **more: Any) -> Side:
        found = [
            seen(prompt, channel, named=bool(hit))
            for channel, prompts in cells.items()
            for prompt, hits in prompts.items()
            for hit in hits
        ]
        fields: dict[str, Any] = {
            "score": score("acme", found, "r1", replicates=40),
            "analysis": "r1",
            "country": "US",
            "language": "en",
            "prompts": {prompt: f"text of {prompt}" for prompts in cells.values() for prompt in prompts},
            "served": {channel: frozenset({"model-1"}) for channel in cells},
            "observations": found,
            **more,
        }
        return Side(**fields)

    return make


def prompts(*hits: int) -> dict[str, list[int]]:
    return {f"p{number:02}": [hit] for number, hit in enumerate(hits)}


def row(change: Change, channel: Channel | None) -> Row:
    return next(one for one in change.rows if one.channel == channel)


BEFORE = prompts(*[1] * 6, 1, *[0] * 8, *[0] * 15)
AFTER = prompts(*[1] * 6, 0, *[1] * 8, *[0] * 15)


def test_the_published_example_of_one_channel(side: MakeSide, memory: Channel) -> None:
    change = compare(side({memory: BEFORE}), side({memory: AFTER}))
    (only,) = change.rows
    assert (only.channel, only.pairs, only.prompts) == (memory, 30, 30)
    assert (only.before, only.after) == (pytest.approx(7 / 30), pytest.approx(14 / 30))
    assert only.delta == pytest.approx(7 / 30)
    assert only.p == pytest.approx(0.0391, abs=5e-5)
    assert only.p_adjusted == only.p
    assert newcombe_paired(6, 1, 8, 15) == pytest.approx((0.0395, 0.4033), abs=5e-5)
    assert only.interval is not None
    assert only.interval[0] <= 0.0396
    assert only.interval[1] >= 0.4032
    assert (change.verdict, change.reason) == ("changed", None)
    assert change.value == pytest.approx(100 * (0.5 + 0.2 * 0.25) * (7 / 30) / 0.7)


def test_the_family_of_rows_is_corrected_together(side: MakeSide, memory: Channel, search: Channel) -> None:
    # Per channel 8 gained to 1 lost and 6 to 2. Together p06 loses twice, p07 comes out even and 13 prompts
    # gain one: 93 of the 2^14 sign patterns reach a net change of 11 on either side.
    before = {memory: BEFORE, search: prompts(*[0] * 6, 1, 1, *[0] * 22)}
    after = {memory: AFTER, search: prompts(*[0] * 15, *[1] * 6, *[0] * 9)}
    change = compare(side(before), side(after), replicates=200)
    one, other, overall = row(change, memory), row(change, search), row(change, None)
    assert (one.p, other.p, overall.p) == pytest.approx((20 / 2**9, 74 / 2**8, 2 * 93 / 2**14))
    assert (overall.pairs, overall.prompts) == (60, 30)
    assert (one.p_adjusted, other.p_adjusted) == pytest.approx((2 * 20 / 2**9, 74 / 2**8))
    assert overall.p_adjusted == pytest.approx(3 * 2 * 93 / 2**14)
    assert (one.verdict, other.verdict) == ("no_detectable_change", "no_detectable_change")
    assert change.verdict == overall.verdict == "changed"


def test_the_same_prompt_in_two_channels_is_one_piece_of_evidence(
    side: MakeSide, memory: Channel, search: Channel
) -> None:
    # Seven prompts gained in both channels are seven moves, not fourteen.
    before, after = prompts(*[0] * 12), prompts(*[1] * 7, *[0] * 5)
    change = compare(
        side({memory: before, search: before}), side({memory: after, search: after}), replicates=200
    )
    assert row(change, None).p == pytest.approx(2 / 2**7)
    assert row(change, None).p_adjusted == pytest.approx(3 * 2 / 2**7)
    assert change.verdict == "changed"


def test_interval_of_the_difference_agrees_with_an_independent_implementation(
    side: MakeSide, memory: Channel
) -> None:
    before = side({memory: {f"p{i:02}": [i % 2, 0, i % 3 == 0] for i in range(12)}})
    after = side({memory: {f"p{i:02}": [1, i % 4 == 0, i % 2] for i in range(12)}})
    (only,) = compare(before, after).rows
    pairs = [
        (was.prompt_id, was.named, now.named)
        for was, now in zip(before.observations, after.observations, strict=True)
    ]
    groups = [
        (sum(now - was for prompt, was, now in pairs if prompt == name), 3)
        for name in sorted({p[0] for p in pairs})
    ]
    moves = [(was, now) for _, was, now in pairs]
    table = (
        moves.count((True, True)),
        moves.count((True, False)),
        moves.count((False, True)),
        moves.count((False, False)),
    )
    inputs = inputs_digest([*before.score.answer_ids, *after.score.answer_ids], "r1")
    expected = oracle.paired_ci(groups, table, seed_of("acme", f"{inputs}|{memory}"), 2000)
    assert only.interval is not None
    assert [100 * limit for limit in only.interval] == pytest.approx(expected, abs=0.0501)


def test_repeats_are_paired_in_order_of_capture_up_to_the_smaller_number(
    side: MakeSide, memory: Channel
) -> None:
    before = side({memory: {f"p{i}": [1, 0] for i in range(8)}})
    after = side({memory: {f"p{i}": [1, 0, 1, 1] for i in range(8)}})
    shuffled = replace(after, observations=after.observations[::-1])
    (only,) = compare(before, shuffled).rows
    assert (only.pairs, only.delta, only.p) == (16, 0.0, 1.0)


def test_too_few_prompts_are_told_with_the_number_needed(side: MakeSide, memory: Channel) -> None:
    before, after = ({memory: {f"p{i}": [hit] * 3 for i in range(5)}} for hit in (0, 1))
    change = compare(side(before), side(after), replicates=200)
    assert (change.verdict, change.rows[0].reason) == ("not_comparable", "too_few_prompts")
    assert change.rows[0].needed == 6


def test_a_small_channel_leaves_the_family_and_lowers_the_bar_for_the_others(
    side: MakeSide, memory: Channel, search: Channel
) -> None:
    other = Channel("grok", "visibility")
    before = {memory: prompts(*[0] * 7), search: prompts(*[0] * 7), other: prompts(0, 0)}
    after = {memory: prompts(*[1] * 7), search: prompts(*[0] * 7), other: prompts(0, 0)}
    change = compare(side(before), side(after), replicates=200)
    assert (row(change, other).verdict, row(change, other).needed) == ("not_comparable", 8)
    assert row(change, memory).p_adjusted == pytest.approx(3 * 2 / 2**7)
    assert row(change, memory).verdict == "changed"


def test_a_score_that_was_not_measured_gives_no_difference(side: MakeSide, memory: Channel) -> None:
    change = compare(side({memory: prompts(*[0] * 8)}), side({memory: prompts(*[1] * 8)}), replicates=200)
    assert (change.value, change.reason, change.verdict) == (None, "insufficient_data", "changed")


def test_nothing_earlier_is_not_comparable(side: MakeSide, memory: Channel) -> None:
    assert compare(None, side({memory: AFTER})) == Change(None, "not_comparable", "no_earlier_calculation")


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("analysis", "r2", "analysis_changed"),
        ("country", "DE", "locale_changed"),
        ("language", "de", "locale_changed"),
        ("prompts", {"p00": "other words"}, "prompts_changed"),
    ],
)
def test_another_reading_or_question_forbids_the_test(
    side: MakeSide, memory: Channel, field: str, value: object, reason: str
) -> None:
    after = side({memory: AFTER}, **{field: value})
    assert compare(side({memory: BEFORE}), after) == Change(None, "not_comparable", reason)  # pyright: ignore[reportArgumentType] - parametrized literal


def test_a_patch_of_the_model_compares_and_a_minor_does_not(side: MakeSide, memory: Channel) -> None:
    before, after = side({memory: BEFORE}), side({memory: AFTER})
    patch = replace(after, score=replace(after.score, model="visibility/1.0.9"))
    minor = replace(after, score=replace(after.score, model="visibility/1.1.0"))
    assert compare(before, patch, replicates=200).verdict == "changed"
    assert compare(before, minor).reason == "model_changed"


def test_a_fifth_of_the_prompts_may_be_replaced_and_is_not_paired(side: MakeSide, memory: Channel) -> None:
    before, after = side({memory: prompts(*[0] * 20)}), side({memory: prompts(*[1] * 20)})
    edited = {name: f"new {text}" if name < "p04" else text for name, text in after.prompts.items()}
    assert compare(before, replace(after, prompts=edited), replicates=200).rows[0].pairs == 16
    edited["p10"] = "new as well"
    assert compare(before, replace(after, prompts=edited)).reason == "prompts_changed"


def test_another_set_of_channels_gives_no_difference_but_tests_the_common_ones(
    side: MakeSide, memory: Channel, search: Channel
) -> None:
    before, after = side({memory: BEFORE}), side({memory: AFTER, search: AFTER})
    change = compare(before, after, replicates=200)
    assert (change.value, change.reason, change.verdict) == (None, "channels_changed", "changed")
    assert [one.channel for one in change.rows] == [memory]
    degraded = compare(replace(before, degraded=frozenset({search})), after, replicates=200)
    assert (degraded.value, degraded.reason, degraded.verdict) == (None, "degraded", "changed")


def test_no_common_channel_is_not_comparable(side: MakeSide, memory: Channel, search: Channel) -> None:
    change = compare(side({memory: BEFORE}), side({search: AFTER}))
    assert change == Change(None, "not_comparable", "channels_changed")


def test_another_basis_gives_no_difference_but_the_test_stands(side: MakeSide, memory: Channel) -> None:
    before, after = side({memory: BEFORE}), side({memory: AFTER})
    fewer = replace(after, score=replace(after.score, basis=after.score.basis[:1]))
    change = compare(before, fewer, replicates=200)
    assert (change.value, change.reason, change.verdict) == (None, "basis_changed", "changed")


def test_a_channel_with_another_served_model_is_shown_but_not_judged(
    side: MakeSide, memory: Channel, search: Channel
) -> None:
    before = side({memory: BEFORE, search: prompts(*[0] * 30)})
    after = side({memory: AFTER, search: prompts(*[1] * 30)})
    served = {memory: frozenset({"model-1"}), search: frozenset({"model-2"})}
    change = compare(before, replace(after, served=served), replicates=200)
    swapped = row(change, search)
    assert (swapped.verdict, swapped.reason, swapped.p_adjusted) == (
        "not_comparable",
        "served_model_changed",
        None,
    )
    assert swapped.p == pytest.approx(2 / 2**30)
    assert row(change, None).pairs == 30
    assert (change.value, change.reason, change.verdict) == (None, "served_model_changed", "changed")


def test_the_baseline_is_the_latest_calculation_without_a_shared_answer(
    side: MakeSide, memory: Channel
) -> None:
    oldest, old = side({memory: BEFORE}), side({memory: BEFORE})
    current = side({memory: AFTER})
    overlapping = replace(old, score=replace(old.score, answer_ids=current.score.answer_ids[:1]))
    assert baseline(current, [overlapping, old, oldest]) is old
    assert baseline(current, [overlapping]) is None


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_swapping_the_sides_turns_the_sign_and_keeps_the_verdict(data: st.DataObject) -> None:
    channel = Channel("chatgpt", "visibility")
    hits = st.lists(st.integers(0, 1), min_size=12, max_size=12)
    sides: list[Side] = []
    for name in ("b", "a"):
        found = [
            Observation(f"{name}{i}", f"p{i:02}", channel, data.draw(st.datetimes()), bool(hit))
            for i, hit in enumerate(data.draw(hits))
        ]
        texts = {seen.prompt_id: "text" for seen in found}
        served = {channel: frozenset({"m"})}
        sides.append(Side(score("acme", found, "r", replicates=40), "r", "US", "en", texts, served, found))
    there, back = (compare(*pair, replicates=40) for pair in (sides, sides[::-1]))
    assert there.verdict == back.verdict
    assert there.rows[0].p == back.rows[0].p
    assert there.value == (None if back.value is None else -back.value)
    assert there.rows[0].delta == -(back.rows[0].delta or 0.0)

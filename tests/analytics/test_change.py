from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.change import ChangeResult, ScoreChange, Side, baseline, compare
from analytics.observation import Channel, Observation
from analytics.paired_change import PairedCells, check_missing, paired_difference
from analytics.prompt_means import CellKey, Cells, cell
from analytics.score_inputs import Part
from tests.analytics.observed import rated_sums, score

Make = Callable[..., Observation]
Hits = Mapping[Channel, Mapping[str, Sequence[int]]]
MakeSide = Callable[..., Side]
A = Channel("a", "visibility")


def cells(*named_of: tuple[int, int]) -> Cells:
    """Cells of one channel from (named, valid) of each prompt; a prompt without a valid answer has none."""
    return {
        (f"p{i:02}", A): cell([1.0] * named + [0.0] * (valid - named))
        for i, (named, valid) in enumerate(named_of)
        if valid
    }


def thirds(*named: int) -> Cells:
    return cells(*((count, 3) for count in named))


@pytest.mark.parametrize(
    ("before", "after", "delta", "interval", "p"),
    [
        (
            thirds(0, 1, 2, 3, 1, 0, 0, 2, 1, 0),
            thirds(1, 2, 2, 3, 3, 0, 1, 3, 2, 1),
            0.2667,
            (0.0936, 0.4397),
            0.0069,
        ),
        (thirds(*[0] * 30), thirds(*[0] * 30), 0, (-0.0440, 0.0440), 1),
        (thirds(*[0] * 30), thirds(1, 1, 1, 1, *[0] * 26), 0.0444, (-0.0028, 0.0917), 0.0641),
        (
            cells(*[(1, 1)] * 7, *[(0, 1)] * 23),
            cells(*[(1, 1)] * 6, (0, 1), *[(1, 1)] * 8, *[(0, 1)] * 15),
            0.2333,
            (0.0382, 0.4284),
            0.0207,
        ),
    ],
)
def test_the_paired_test_gives_the_published_numbers(
    before: Cells, after: Cells, delta: float, interval: tuple[float, float], p: float
) -> None:
    difference = paired_difference(before, after)
    assert difference is not None
    assert difference.delta == pytest.approx(delta, abs=5e-5)
    assert difference.interval() == pytest.approx(interval, abs=5e-5)
    assert difference.p == pytest.approx(p, abs=5e-5)


LOST_BEFORE = [(3, 3)] * 8 + [(2, 3)] * 6 + [(1, 3)] * 6 + [(0, 3)] * 10
LOST_AFTER = [(2, 3)] * 7 + [(1, 2)] * 6 + [(1, 3)] + [(1, 2)] * 5 + [(0, 2)] + [(0, 3)] * 10


def missing_of(*named_of: tuple[int, int]) -> dict[CellKey, float]:
    return {(f"p{i:02}", A): 3.0 - valid for i, (_, valid) in enumerate(named_of) if valid < 3}


def test_missing_answers_undo_a_change_as_published() -> None:
    paired = PairedCells(cells(*LOST_BEFORE), cells(*LOST_AFTER), {}, missing_of(*LOST_AFTER))
    observed = paired_difference(paired.before, paired.after)
    assert observed is not None
    assert observed.delta == pytest.approx(-0.1167, abs=5e-5)
    assert observed.interval() == pytest.approx((-0.1958, -0.0375), abs=5e-5)
    assert observed.p == pytest.approx(0.0053, abs=5e-5)
    checked = check_missing(paired, observed)
    assert (paired.missing, checked.survives, checked.tipping) == (12, False, 5)
    assert checked.interval[0] == observed.interval()[0]
    assert checked.interval[1] > 0
    filled = paired_difference(paired.before, cells(*[(named + 3 - valid, 3) for named, valid in LOST_AFTER]))
    assert filled is not None
    assert filled.p == pytest.approx(0.3250, abs=5e-5)
    assert filled.interval()[1] == pytest.approx(checked.interval[1], abs=1e-12)


def test_few_missing_answers_fill_only_the_excess_of_one_side() -> None:
    before = thirds(*[0] * 20, *[1] * 20)
    after = [(2, 3)] * 20 + [(3, 3)] * 18 + [(2, 2)] * 2
    paired = PairedCells(before, cells(*after), {}, missing_of(*after))
    observed = paired_difference(paired.before, paired.after)
    assert observed is not None
    one_sided = check_missing(paired, observed)
    alike = {("p00", A): 1.0, ("p01", A): 1.0}
    balanced = check_missing(replace(paired, missing_before=alike), observed)
    assert one_sided.survives
    assert one_sided.interval[0] < observed.interval()[0]
    assert balanced.interval == pytest.approx(observed.interval(), abs=1e-3)
    # Two of 122 planned answers against two of 120: only the difference of the shares is filled.
    assert balanced.interval[0] > one_sided.interval[0]


def test_cells_that_lost_every_answer_are_filled_too() -> None:
    before, after = cells(*[(1, 1)] * 12), cells(*[(0, 1)] * 6)
    lost = {(f"p{i:02}", A): 1.0 for i in range(6, 12)}
    paired = PairedCells(before, after, {}, lost)
    observed = paired_difference(before, after)
    assert observed is not None
    assert (observed.prompts, observed.p < 0.05) == (6, True)
    filled = paired_difference(before, cells(*[(0, 1)] * 6, *[(1, 1)] * 6))
    assert filled is not None
    checked = check_missing(paired, observed)
    assert checked.interval == pytest.approx((observed.interval()[0], filled.interval()[1]), abs=1e-12)


@pytest.fixture
def side(seen: Make) -> MakeSide:
    """Makes a side from 0/1 per repeat, by channel and prompt; its sums are of answers that also have `said`."""

    def make(hits: Hits, said: Mapping[str, Any] | None = None, **more: Any) -> Side:
        observations = [
            seen(prompt, channel, named=bool(hit))
            for channel, prompts in hits.items()
            for prompt, marks in prompts.items()
            for hit in marks
        ]
        fields: dict[str, Any] = {
            "score": score("acme", observations, "r1"),
            "analysis": "r1",
            "country": "US",
            "language": "en",
            "prompts": {prompt: f"text of {prompt}" for prompts in hits.values() for prompt in prompts},
            "served": {channel: frozenset({"model-1"}) for channel in hits},
            "sums": rated_sums([replace(one, **(said or {})) for one in observations]),
            **more,
        }
        return Side(**fields)

    return make


def prompts(*hits: int) -> dict[str, list[int]]:
    return {f"p{number:02}": [hit] for number, hit in enumerate(hits)}


def of_channel(change: ScoreChange, channel: Channel) -> ChangeResult:
    return next(result for result in change.channels if result.channel == channel)


def primary(change: ScoreChange) -> ChangeResult:
    assert change.primary is not None
    return change.primary


BEFORE = prompts(*[1] * 6, 1, *[0] * 8, *[0] * 15)
AFTER = prompts(*[1] * 6, 0, *[1] * 8, *[0] * 15)
HEADLINE = (0.5 + 0.25 * 0.25) / 0.75


def test_the_headline_decides_and_presence_explains(side: MakeSide, memory: Channel) -> None:
    change = compare(side({memory: BEFORE}), side({memory: AFTER}))
    assert (change.verdict, change.reason, change.endpoint) == ("changed", None, "score")
    assert change.value == pytest.approx(100 * HEADLINE * 7 / 30)
    presence, prominence = change.parts
    assert (presence.part, prominence.part) == (Part.PRESENCE, Part.PROMINENCE)
    assert presence.delta == pytest.approx(7 / 30)
    assert presence.p == pytest.approx(0.0207, abs=5e-5)
    assert (presence.answers_before, presence.prompts, presence.missing) == (30, 30, 0)
    assert presence.verdict == "changed"
    assert primary(change).level == 0.05


def test_interval_and_verdict_never_disagree(side: MakeSide, memory: Channel, search: Channel) -> None:
    before = {memory: BEFORE, search: prompts(*[0] * 6, 1, 1, *[0] * 22)}
    after = {memory: AFTER, search: prompts(*[0] * 15, *[1] * 3, *[0] * 12)}
    change = compare(side(before), side(after))
    for result in (primary(change), *change.channels, *change.parts):
        if result.interval is not None:
            excludes = result.interval[0] > 0 or result.interval[1] < 0
            assert excludes == (result.verdict == "changed")


def test_one_channel_that_changed_does_not_move_the_headline(side: MakeSide) -> None:
    channels = [Channel(name, "visibility") for name in "abcd"]
    quiet = prompts(*[0, 1] * 15)
    moved = prompts(*[1] * 12, *[0] * 3, *[0, 1] * 7, 0)
    swing = prompts(*[1, 0] * 15)
    before = dict.fromkeys(channels, quiet)
    after = {
        **dict.fromkeys(channels, swing),
        channels[0]: {**quiet, **{f"p{i:02}": [1] for i in range(0, 24, 2)}},
    }
    change = compare(side(before), side(after))
    assert of_channel(change, channels[0]).verdict == "changed"
    assert of_channel(change, channels[0]).level == 0.05 / 4
    assert change.verdict == primary(change).verdict == "no_detectable_change"
    assert {part.reason for part in change.parts} == {"headline_unchanged"}
    assert {part.p for part in change.parts} == {None}
    assert moved != quiet


def test_repeats_may_differ_and_all_answers_count(side: MakeSide, memory: Channel) -> None:
    before = side({memory: {f"p{i}": [1, 0] for i in range(8)}})
    after = side({memory: {f"p{i}": [1, 0, 1, 0] for i in range(8)}})
    only = primary(compare(before, after))
    assert (only.answers_before, only.answers_after, only.delta, only.p) == (16, 32, 0.0, 1.0)


def test_one_common_prompt_is_too_few(side: MakeSide, memory: Channel) -> None:
    before, after = ({memory: {"p0": [hit] * 30}} for hit in (0, 1))
    change = compare(side(before), side(after))
    assert (change.verdict, primary(change).reason) == ("not_comparable", "too_few_prompts")
    assert (primary(change).prompts, primary(change).interval) == (1, None)


def test_two_prompts_are_enough_for_a_test(side: MakeSide, memory: Channel) -> None:
    before, after = ({memory: {"p0": [hit] * 30, "p1": [hit] * 30}} for hit in (0, 1))
    assert compare(side(before), side(after)).verdict in ("changed", "no_detectable_change")


def test_a_change_that_missing_answers_could_undo_reports_their_number(
    side: MakeSide, memory: Channel
) -> None:
    hits = [[1] * named + [0] * (valid - named) for named, valid in LOST_AFTER]
    before = {f"p{i:02}": [1] * named + [0] * (valid - named) for i, (named, valid) in enumerate(LOST_BEFORE)}
    after = {f"p{i:02}": marks for i, marks in enumerate(hits)}
    missing = {(f"p{i:02}", memory): float(3 - len(marks)) for i, marks in enumerate(hits) if len(marks) < 3}
    change = compare(side({memory: before}), side({memory: after}, missing=missing))
    assert change.verdict == "changed_if_missing_are_alike"
    assert (primary(change).missing, primary(change).tipping is not None) == (12, True)
    assert primary(change).interval is not None
    assert primary(change).interval[1] > 0  # pyright: ignore[reportOptionalSubscript]
    assert {part.reason for part in change.parts} == {"headline_unchanged"}


def test_prompts_that_lost_every_answer_count_against_the_change(side: MakeSide, memory: Channel) -> None:
    before = side({memory: prompts(*[1] * 20, *[0] * 20)})
    kept = {f"p{i:02}": [0] for i in range(12)} | {f"p{i:02}": [0] for i in range(20, 40)}
    lost = {(f"p{i:02}", memory): 1.0 for i in range(12, 20)}
    change = compare(before, side({memory: kept}, missing=lost))
    silent = compare(before, side({memory: kept}))
    assert (silent.verdict, silent.primary and silent.primary.missing) == ("changed", 0)
    assert (primary(change).missing, primary(change).prompts) == (8, 32)
    assert primary(change).p == pytest.approx(primary(silent).p)
    assert primary(change).interval != primary(silent).interval


def test_a_score_that_was_not_measured_gives_no_difference(side: MakeSide, memory: Channel) -> None:
    change = compare(side({memory: prompts(*[0] * 8)}), side({memory: prompts(*[1] * 8)}))
    assert (change.value, change.reason, change.verdict) == (None, "insufficient_data", "changed")


def test_nothing_earlier_is_not_comparable(side: MakeSide, memory: Channel) -> None:
    assert compare(None, side({memory: AFTER})) == ScoreChange(
        None, "not_comparable", "no_earlier_calculation"
    )


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
    assert compare(side({memory: BEFORE}), after) == ScoreChange(None, "not_comparable", reason)  # pyright: ignore[reportArgumentType] - parametrized literal


def test_a_patch_of_the_model_compares_and_a_minor_does_not(side: MakeSide, memory: Channel) -> None:
    before, after = side({memory: BEFORE}), side({memory: AFTER})
    patch = replace(after, score=replace(after.score, model="visibility/3.0.9"))
    minor = replace(after, score=replace(after.score, model="visibility/3.1.0"))
    assert compare(before, patch).verdict == "changed"
    assert compare(before, minor).reason == "model_changed"


def test_a_fifth_of_the_prompts_may_be_replaced_and_is_not_paired(side: MakeSide, memory: Channel) -> None:
    before, after = side({memory: prompts(*[0] * 20)}), side({memory: prompts(*[1] * 20)})
    edited = {name: f"new {text}" if name < "p04" else text for name, text in after.prompts.items()}
    assert primary(compare(before, replace(after, prompts=edited))).prompts == 16
    edited["p10"] = "new as well"
    assert compare(before, replace(after, prompts=edited)).reason == "prompts_changed"


def test_different_channels_are_compared_on_their_common_ones(
    side: MakeSide, memory: Channel, search: Channel
) -> None:
    before, after = side({memory: BEFORE}), side({memory: AFTER, search: AFTER})
    change = compare(before, after)
    assert (change.value, change.reason, change.verdict) == (None, "channels_changed", "changed")
    assert [result.channel for result in change.channels] == [memory]
    degraded = compare(replace(before, degraded=frozenset({search})), after)
    assert (degraded.value, degraded.reason, degraded.verdict) == (None, "degraded", "changed")


def test_no_common_channel_is_not_comparable(side: MakeSide, memory: Channel, search: Channel) -> None:
    change = compare(side({memory: BEFORE}), side({search: AFTER}))
    assert (change.verdict, change.reason, change.channels) == ("not_comparable", "channels_changed", ())


def test_another_basis_is_compared_on_presence(side: MakeSide, memory: Channel) -> None:
    citing = {"citation_measurable": True, "cites_owned": True}
    change = compare(side({memory: BEFORE}), side({memory: AFTER}, said=citing))
    assert (change.value, change.reason, change.endpoint) == (None, "basis_changed", "presence")
    assert (change.verdict, primary(change).p) == ("changed", pytest.approx(0.0207, abs=5e-5))


def test_a_channel_with_another_served_model_is_shown_but_not_judged(
    side: MakeSide, memory: Channel, search: Channel
) -> None:
    before = side({memory: BEFORE, search: prompts(*[0] * 30)})
    after = side({memory: AFTER, search: prompts(*[1] * 30)})
    served = {memory: frozenset({"model-1"}), search: frozenset({"model-2"})}
    change = compare(before, replace(after, served=served))
    swapped = of_channel(change, search)
    assert (swapped.verdict, swapped.reason) == ("not_comparable", "served_model_changed")
    assert swapped.p is not None
    assert primary(change).answers_before == 30
    assert (change.value, change.reason, change.verdict) == (None, "served_model_changed", "changed")


def test_the_baseline_is_the_latest_calculation_without_a_shared_answer(
    side: MakeSide, memory: Channel
) -> None:
    oldest, old = side({memory: BEFORE}), side({memory: BEFORE})
    current = side({memory: AFTER})
    overlapping = replace(old, score=replace(old.score, answer_ids=current.score.answer_ids[:1]))
    assert baseline(current, [overlapping, old, oldest]) is old
    assert baseline(current, [overlapping]) is None


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_swapping_the_sides_turns_the_sign_and_keeps_the_verdict(data: st.DataObject) -> None:
    channel = Channel("chatgpt", "visibility")
    hits = st.lists(st.integers(0, 1), min_size=12, max_size=12)
    sides: list[Side] = []
    for name in ("b", "a"):
        observations = [
            Observation(f"{name}{i}", f"p{i:02}", channel, data.draw(st.datetimes()), bool(hit))
            for i, hit in enumerate(data.draw(hits))
        ]
        texts = {answer.prompt_id: "text" for answer in observations}
        served = {channel: frozenset({"m"})}
        result = score("acme", observations, "r")
        sides.append(Side(result, "r", "US", "en", texts, served, rated_sums(observations)))
    there, back = compare(sides[0], sides[1]), compare(sides[1], sides[0])
    assert there.verdict == back.verdict
    assert primary(there).p == pytest.approx(primary(back).p)
    assert there.value == (None if back.value is None else pytest.approx(-back.value))

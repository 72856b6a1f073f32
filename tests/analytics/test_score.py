import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.batches import AnswerBatch, ChannelAsks
from analytics.cell_sums import MILLION, prominence_of
from analytics.intervals import wilson
from analytics.observation import Channel, Observation
from analytics.score_inputs import Part, effective_weights
from tests.analytics.naive_score import NaiveScore, rated
from tests.analytics.observed import calculate, calculate_all, score

Make = Callable[..., Observation]


CHANNELS = [
    Channel("chatgpt", "visibility"),
    Channel("chatgpt", "readiness"),
    Channel("grok", "visibility", "import"),
]
START = datetime(2026, 3, 1, tzinfo=UTC)


@st.composite
def answers(draw: st.DrawFn, fewest: int = 1) -> list[Observation]:
    """Random valid answers of one entity, over up to 8 prompts and 3 channels, with holes and repeats."""
    found: list[Observation] = []
    has_site, echoing = draw(st.booleans()), draw(st.sets(st.integers(1, 8), max_size=2))
    for number in range(draw(st.integers(fewest, 40))):
        named, prompt = draw(st.booleans()), draw(st.integers(1, 8))
        found.append(
            Observation(
                answer_id=f"a{number}",
                prompt_id=f"p{prompt}",
                channel=draw(st.sampled_from(CHANNELS)),
                captured_at=START + timedelta(seconds=number),
                named=named,
                rank=draw(st.none() | st.integers(1, 12)) if named else None,
                position=draw(st.integers(0, 996)) / 997,  # no prominence is half a millionth
                citation_measurable=draw(st.booleans()),
                cites_owned=draw(st.booleans()) if has_site else None,
                branded=draw(st.integers(0, 9)) == 0,
                echo=prompt in echoing,
                custom=draw(st.integers(0, 9)) == 0,
            )
        )
    return found


def test_the_published_example(worked: list[Observation]) -> None:
    result = score("acme", worked, "r1")
    assert (result.answers, result.prompts, result.status, result.confidence) == (10, 5, "measured", "low")
    named, first, unnamed_rank = round(1 / log2(3), 6), 1.0, round(1 / log2(5), 6)
    prominence = ((first + 0.25 + named) / 5 + (named + unnamed_rank + 0.125 * 1.5) / 5) / 2
    assert [result.factor(part).value for part in Part] == pytest.approx([0.6, prominence, 0.4])
    assert result.factor(Part.CITATION).samples == 5
    assert result.basis == tuple(Part)
    assert [factor.effective_weight for factor in result.factors] == [0.5, 0.25, 0.25]
    expected = 100 * (0.5 * 0.6 + 0.25 * prominence + 0.25 * 0.4)
    assert result.value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("basis", "weights"),
    [
        (tuple(Part), [0.5, 0.25, 0.25]),
        ((Part.PRESENCE, Part.PROMINENCE), [2 / 3, 1 / 3]),
        ((Part.PRESENCE,), [1.0]),
        ((), []),
    ],
)
def test_the_weight_of_a_part_not_measured_goes_to_the_others(
    basis: tuple[Part, ...], weights: list[float]
) -> None:
    assert list(effective_weights(basis).values()) == pytest.approx(weights)


def test_prominence_falls_slowly_with_rank_and_place() -> None:
    ranked = [prominence_of(rank, 0.0) / MILLION for rank in (1, 2, 3, 4, 5, 10, 15)]
    assert ranked == pytest.approx([1, 0.6309, 0.5, 0.4307, 0.3869, 0.2891, 0.25], abs=5e-5)
    placed = [prominence_of(None, place) / MILLION for place in (0, 1 / 3, 0.99)]
    assert placed == pytest.approx([0.25, 0.2083, 0.1263], abs=5e-5)
    assert prominence_of(400, 0.0) == MILLION / 4


@given(st.none() | st.integers(1, 500), st.floats(0, 1, exclude_max=True))
def test_prominence_is_rounded_to_the_nearest_millionth(rank: int | None, position: float) -> None:
    exact = 0.25 * (1 - position / 2) if rank is None else max(0.25, 1 / log2(rank + 1))
    assert abs(prominence_of(rank, position) - MILLION * exact) <= 0.5 + 1e-9


@settings(max_examples=120, deadline=None)
@given(answers())
def test_the_score_is_the_weighted_sum_of_its_factors(observations: list[Observation]) -> None:
    naive = NaiveScore.of(observations)
    counted = rated(observations)
    result = score("acme", observations, "r1")
    enough = len(counted) >= 10 and len({answer.prompt_id for answer in counted}) >= 5
    assert (result.value is not None) == (result.intervals is not None) == enough
    assert result.answer_ids == tuple(
        answer.answer_id for answer in sorted(counted, key=lambda one: one.answer_id)
    )
    if counted:
        weights = naive.weights()
        assert [str(part) for part in result.basis] == list(weights)
        parts = {part: naive.part(part) for part in weights}
        for part in result.basis:
            assert result.factor(part).value == pytest.approx(parts[part], abs=1e-12)
            assert result.factor(part).effective_weight == pytest.approx(weights[part])
        if enough:
            expected = 100 * sum(weight * parts[part] for part, weight in weights.items())
            assert result.value == pytest.approx(expected, abs=1e-10)


@settings(max_examples=80, deadline=None)
@given(answers(fewest=12), st.randoms(use_true_random=False))
def test_shuffling_answers_changes_nothing_at_all(
    observations: list[Observation], rng: random.Random
) -> None:
    shuffled = rng.sample(observations, len(observations))
    assert score("acme", shuffled, "r1") == score("acme", observations, "r1")


@settings(max_examples=80, deadline=None)
@given(answers(fewest=12))
def test_renaming_platforms_changes_nothing_at_all(observations: list[Observation]) -> None:
    names = {"chatgpt": "zeta", "grok": "alpha"}
    renamed = [
        replace(one, channel=one.channel._replace(platform=names[one.channel.platform]))
        for one in observations
    ]
    assert score("acme", renamed, "r1") == score("acme", observations, "r1")


@settings(max_examples=80, deadline=None)
@given(answers())
def test_a_score_stays_within_its_intervals_and_all_within_bounds(observations: list[Observation]) -> None:
    result = score("acme", observations, "r1")
    if result.value is not None and result.intervals is not None:
        for low, high in (result.intervals.these_prompts, result.intervals.all_questions or (0, 100)):
            assert 0 <= low <= result.value + 1e-9
            assert result.value - 1e-9 <= high <= 100
    for factor in result.factors:
        assert factor.value is None or 0 <= factor.value <= 1
    if result.basis:
        assert sum(factor.effective_weight for factor in result.factors) == pytest.approx(1)


@settings(max_examples=80, deadline=None)
@given(answers(fewest=12))
def test_a_brand_that_is_never_named_scores_exactly_zero(observations: list[Observation]) -> None:
    silent = [replace(one, named=False, rank=None) for one in observations]
    result = score("acme", silent, "r1")
    assert result.value in (0.0, None)
    assert all(factor.value in (0.0, None) for factor in result.factors)
    assert result.intervals is None or result.intervals.these_prompts[0] == 0.0


@settings(max_examples=80, deadline=None)
@given(answers(fewest=2), st.data())
def test_adding_a_mention_never_lowers_presence(observations: list[Observation], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(observations) - 1))
    more = list(observations)
    more[index] = replace(more[index], named=True)
    before = score("acme", observations, "r1").factor(Part.PRESENCE).value
    after = score("acme", more, "r1").factor(Part.PRESENCE).value
    assert (before is None) == (after is None)
    assert before is None or after is None or after >= before


def test_a_brand_that_cites_its_site_without_being_named_scores_zero(seen: Make, search: Channel) -> None:
    found = [seen(f"p{i % 5}", search, citation_measurable=True, cites_owned=True) for i in range(10)]
    result = score("acme", found, "r1")
    assert result.value == 0.0
    assert result.basis == tuple(Part)


def test_nothing_valid_is_not_measured_and_never_zero(seen: Make) -> None:
    branded = [seen(f"p{i}", named=True, branded=True) for i in range(40)]
    for found in ([], branded):
        result = score("acme", found, "r1")
        assert (result.status, result.value, result.intervals, result.confidence) == (
            "not_measured",
            None,
            None,
            None,
        )
        assert (result.missing_answers, result.missing_prompts) == (10, 5)
        assert {factor.reason for factor in result.factors} == {"no_valid_answer"}


@pytest.mark.parametrize(
    ("prompts", "repeats", "status", "confidence"),
    [
        (9, 1, "insufficient_data", None),
        (4, 10, "insufficient_data", None),
        (5, 2, "measured", "low"),
        (9, 10, "measured", "low"),
        (29, 1, "measured", "low"),
        (10, 3, "measured", "ok"),
    ],
)
def test_status_and_confidence_follow_the_sample(
    seen: Make, prompts: int, repeats: int, status: str, confidence: str | None
) -> None:
    found = [seen(f"p{i}", named=True) for i in range(prompts) for _ in range(repeats)]
    result = score("acme", found, "r1")
    assert (result.status, result.confidence) == (status, confidence)
    assert (result.value is None) == (status == "insufficient_data")


def test_too_small_a_sample_says_what_is_missing(seen: Make) -> None:
    result = score("acme", [seen(f"p{i % 3}") for i in range(7)], "r1")
    assert (result.missing_answers, result.missing_prompts) == (3, 2)
    assert result.factor(Part.PRESENCE).value == 0.0


def test_parts_that_are_not_measured_say_why(seen: Make, search: Channel) -> None:
    no_site = [seen(f"p{i}", search, citation_measurable=True) for i in range(10)]
    silent = [seen(f"p{i}", cites_owned=False) for i in range(10)]
    assert score("acme", no_site, "r1").factor(Part.CITATION).reason == "no_site_known"
    assert score("acme", silent, "r1").factor(Part.CITATION).reason == "no_answer_reports_citations"


def test_each_prompt_and_channel_weighs_the_same_however_often_asked(seen: Make, search: Channel) -> None:
    found = [seen("p0", named=True) for _ in range(50)] + [seen(f"p{i}") for i in range(1, 10)]
    found += [seen(f"p{i}", search, named=True) for i in range(5)]
    assert score("acme", found, "r1").factor(Part.PRESENCE).value == pytest.approx((0.1 + 1) / 2)


def test_one_prompt_says_nothing_of_all_such_questions(seen: Make) -> None:
    found = [seen("p0", named=i < 3) for i in range(10)]
    intervals = score("acme", found, "r1").factor(Part.PRESENCE).intervals
    assert intervals is not None
    assert intervals.all_questions is None
    assert intervals.these_prompts[0] < 0.3 < intervals.these_prompts[1]


@pytest.fixture
def batch(seen: Make) -> Callable[..., AnswerBatch]:
    def make(
        name: str, day: int, rates: Mapping[Channel, Sequence[int]], failed: Mapping[Channel, int]
    ) -> AnswerBatch:
        found = [
            seen(f"p{i}", channel, named=bool(hit))
            for channel, hits in rates.items()
            for i, hit in enumerate(hits)
        ]
        asked = {
            channel: ChannelAsks(len(hits) + failed.get(channel, 0), len(hits), failed=failed.get(channel, 0))
            for channel, hits in rates.items()
        }
        return AnswerBatch(name, datetime(2026, 3, day, tzinfo=UTC), asked, {"acme": found})

    return make


def test_a_calculation_scores_platforms_and_modes_by_the_same_rule(
    batch: Callable[..., AnswerBatch], memory: Channel, search: Channel
) -> None:
    both = batch("b1", 1, {memory: [1] * 8 + [0] * 8, search: [1] * 16}, {})
    result = calculate("acme", [both], "r1")
    assert result.score.factor(Part.PRESENCE).value == 0.75
    everywhere = 100 * (0.5 + 0.25 * 0.25) / 0.75
    assert result.platforms["chatgpt"].value == pytest.approx(everywhere / 2)
    assert result.modes["readiness"].value == pytest.approx(everywhere)
    for name, of_part, channel in (
        ("chatgpt", result.platforms, memory),
        ("visibility", result.modes, memory),
        ("perplexity", result.platforms, search),
        ("readiness", result.modes, search),
    ):
        chosen = [one for one in both.observations["acme"] if one.channel == channel]
        assert of_part[name] == score("acme", chosen, "r1", with_factors=False)
    assert (result.channels, result.batches, result.degraded) == ((memory, search), ("b1",), ())


def test_failed_asks_below_a_fifth_change_nothing(batch: Callable[..., AnswerBatch], memory: Channel) -> None:
    clean = batch("b1", 1, {memory: [1, 0] * 20}, {})
    failing = replace(clean, asked={memory: ChannelAsks(planned=50, valid=40, failed=10)})
    assert calculate("acme", [failing], "r1") == calculate("acme", [clean], "r1")


def test_a_degraded_channel_is_left_out_of_its_batch_and_named(
    batch: Callable[..., AnswerBatch], memory: Channel, search: Channel
) -> None:
    broken = batch("new", 2, {memory: [0] * 20, search: [1] * 20}, {memory: 6})
    earlier = batch("old", 1, {memory: [1] * 20}, {})
    result = calculate("acme", [earlier, broken], "r1")
    assert result.degraded == (("new", memory),)
    assert result.batches == ("new", "old")
    assert result.score.value == pytest.approx(100 * (0.5 + 0.25 * 0.25) / 0.75)


def test_earlier_repeats_estimate_the_noise_of_single_answers(
    batch: Callable[..., AnswerBatch], memory: Channel, search: Channel
) -> None:
    # 15 of 30 prompts name the brand, and did before: no noise seen, k = 15, so n = 30 * (15 + 1).
    newest = batch("new", 3, {memory: [1, 0] * 15}, {})
    earlier = [batch(f"old{day}", day, {memory: [1, 0] * 15, search: [0, 1] * 15}, {}) for day in (1, 2)]
    result = calculate_all("acme", [newest], "r1", [*earlier, newest]).score
    presence = result.factor(Part.PRESENCE).intervals
    assert presence is not None
    assert presence.noise_source == "earlier_answers"
    assert presence.these_prompts == pytest.approx(wilson(0.5, 30 * 16, 1.959964), abs=1e-12)
    assert result.intervals is not None
    assert result.intervals.noise_source == "earlier_answers"
    assert result.value == calculate_all("acme", [newest], "r1").score.value


def test_repeats_change_nothing_where_prompts_were_asked_twice(
    batch: Callable[..., AnswerBatch], memory: Channel
) -> None:
    newest = batch("new", 3, {memory: [1, 0] * 15}, {})
    twice = replace(newest, observations={"acme": [*newest.observations["acme"]] * 2})
    earlier = batch("old", 1, {memory: [0, 1] * 15}, {})
    assert calculate_all("acme", [twice], "r1", [earlier]) == calculate_all("acme", [twice], "r1")


def test_a_brand_without_an_answer_is_not_measured(
    batch: Callable[..., AnswerBatch], memory: Channel
) -> None:
    result = calculate("acme", [batch("b1", 1, {memory: []}, {memory: 3})], "r1")
    assert (result.score.status, result.platforms, result.batches) == ("not_measured", {}, ("b1",))

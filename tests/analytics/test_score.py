import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.batches import Asked, Batch
from analytics.intervals import wilson
from analytics.observations import Channel, Observation
from analytics.score import Score, calculate, score
from analytics.sheet import Part

Make = Callable[..., Observation]
EXAMPLE_SEED = 14057949909642167679
WEIGHTS = {
    "presence": Fraction(5, 10),
    "prominence": Fraction(2, 10),
    "citation": Fraction(2, 10),
    "tone": Fraction(1, 10),
}
TONES = {"positive": Fraction(1), "neutral": Fraction(1, 2), "negative": Fraction(0)}


# A second, naive implementation in exact fractions: no cell means kept, nothing merged, nothing shared.
def naive_mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction()) / len(values)


def naive_value(part: str, one: Observation) -> Fraction | None:
    if part == "citation" and (not one.citation_measurable or one.cites_owned is None):
        return None
    if not one.named:
        return Fraction(0)
    if part == "presence":
        return Fraction(1)
    if part == "citation":
        return Fraction(bool(one.cites_owned))
    return Fraction(1, one.rank or (2 if one.first_third else 4))


def naive_part(part: str, observations: Sequence[Observation], draw: Sequence[str]) -> Fraction | None:
    if part == "tone":
        present = naive_part("presence", observations, draw)
        if not present:
            return present
        tones = [TONES[o.tone] for p in draw for o in observations if o.prompt_id == p and o.tone in TONES]
        return present * naive_mean(tones) if tones else None
    channels: list[Fraction] = []
    for channel in {one.channel for one in observations}:
        cells: list[Fraction] = []
        for prompt in draw:
            found = [
                naive_value(part, o) for o in observations if (o.prompt_id, o.channel) == (prompt, channel)
            ]
            measured = [value for value in found if value is not None]
            if measured:
                cells.append(naive_mean(measured))
        if cells:
            channels.append(naive_mean(cells))
    return naive_mean(channels) if channels else None


def naive_basis(observations: Sequence[Observation]) -> list[str]:
    basis = ["presence", "prominence"]
    if any(naive_value("citation", one) is not None for one in observations):
        basis.append("citation")
    named = sum(one.named for one in observations)
    if named == 0 or sum(one.tone in TONES for one in observations) >= 10:
        basis.append("tone")
    return basis


def naive_score(observations: Sequence[Observation], draw: Sequence[str], basis: Sequence[str]) -> Fraction:
    parts = {part: naive_part(part, observations, draw) for part in basis}
    known = {part: value for part, value in parts.items() if value is not None}
    weight = sum((WEIGHTS[part] for part in known), Fraction())
    return sum((WEIGHTS[part] * value for part, value in known.items()), Fraction()) / weight


def naive_interval(observations: Sequence[Observation], seed: int, replicates: int) -> tuple[float, float]:
    prompts, n, basis = (
        sorted({one.prompt_id for one in observations}),
        len(observations),
        naive_basis(observations),
    )
    rng = random.Random(seed)
    draws = sorted(
        naive_score(observations, rng.choices(prompts, k=len(prompts)), basis) for _ in range(replicates)
    )
    low, high = wilson(float(naive_score(observations, prompts, basis) * n), n)
    tail = replicates // 40
    return 100 * min(float(draws[tail]), low), 100 * max(float(draws[-1 - tail]), high)


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
    for number in range(draw(st.integers(fewest, 40))):
        named = draw(st.booleans())
        found.append(
            Observation(
                answer_id=f"a{number}",
                prompt_id=f"p{draw(st.integers(1, 8))}",
                channel=draw(st.sampled_from(CHANNELS)),
                captured_at=START + timedelta(seconds=number),
                named=named,
                rank=draw(st.none() | st.integers(1, 12)) if named else None,
                first_third=draw(st.booleans()),
                citation_measurable=draw(st.booleans()),
                cites_owned=draw(st.sampled_from([True, False, None])),
                tone=draw(st.sampled_from(["positive", "neutral", "negative", "unknown", None]))
                if named
                else None,
                branded=draw(st.integers(0, 9)) == 0,
                echo=draw(st.integers(0, 9)) == 0,
                custom=draw(st.integers(0, 9)) == 0,
            )
        )
    return found


def figures(one: Score) -> tuple[object, ...]:
    """What must not move when nothing of substance does; the interval depends on the ids through its seed."""
    return (
        one.value,
        one.status,
        one.confidence,
        one.answers,
        [(f.part, f.value, f.samples) for f in one.factors],
    )


def test_the_published_example(worked: list[Observation]) -> None:
    result = score("acme", worked, "r1")
    assert (result.answers, result.prompts, result.status, result.confidence) == (10, 5, "measured", "low")
    assert [result.factor(part).value for part in Part] == pytest.approx([0.6, 0.3, 0.4, None])
    assert result.factor(Part.CITATION).samples == 5
    assert (result.factor(Part.TONE).samples, result.factor(Part.TONE).reason) == (
        6,
        "fewer_than_10_judged_mentions",
    )
    assert result.basis == (Part.PRESENCE, Part.PROMINENCE, Part.CITATION)
    assert [f.effective_weight for f in result.factors] == pytest.approx([5 / 9, 2 / 9, 2 / 9, 0])
    assert result.value == pytest.approx(100 * (0.5 * 0.6 + 0.2 * 0.3 + 0.2 * 0.4) / 0.9, abs=1e-12)
    assert round(result.value or 0, 1) == 48.9


def test_the_published_interval_comes_out_of_the_published_seed(worked: list[Observation]) -> None:
    result = score("acme", worked, "r1", seed=EXAMPLE_SEED)
    assert result.interval is not None
    assert [round(limit, 1) for limit in result.interval] == [19.4, 75.5]
    assert result.factor(Part.PRESENCE).interval == (0.2, 0.9)


def test_the_seed_is_made_of_model_entity_and_inputs(worked: list[Observation]) -> None:
    result = score("acme", worked, "r1")
    text = f"visibility/1.0.0|acme|{result.inputs_sha256}"
    assert result.seed == int(sha256(text.encode()).hexdigest()[:16], 16)
    assert score("acme", worked[::-1], "r1") == result
    others = [score("acme", worked, "r2"), score("bravo", worked, "r1"), score("acme", worked[1:], "r1")]
    assert len({result.seed, *(other.seed for other in others)}) == 4


@settings(max_examples=150, deadline=None)
@given(answers())
def test_score_and_factors_equal_a_naive_implementation(observations: list[Observation]) -> None:
    rated = [one for one in observations if not (one.branded or one.echo or one.custom)]
    result = score("acme", observations, "r1", replicates=40)
    prompts = sorted({one.prompt_id for one in rated})
    enough = len(rated) >= 10 and len(prompts) >= 5
    assert (result.value is not None) == (result.interval is not None) == enough
    if rated:
        assert list(result.basis) == naive_basis(rated)
        for part in result.basis:
            expected = naive_part(part, rated, prompts)
            assert result.factor(part).value == (
                None if expected is None else pytest.approx(float(expected), abs=1e-12)
            )
    if enough:
        expected = 100 * naive_score(rated, prompts, naive_basis(rated))
        assert result.value == pytest.approx(float(expected), abs=1e-10)
        assert result.interval == pytest.approx(naive_interval(rated, result.seed, 40), abs=1e-9)


@settings(max_examples=80, deadline=None)
@given(answers(fewest=12), st.randoms(use_true_random=False))
def test_shuffling_answers_changes_nothing_at_all(
    observations: list[Observation], rng: random.Random
) -> None:
    shuffled = rng.sample(observations, len(observations))
    assert score("acme", shuffled, "r1", replicates=40) == score("acme", observations, "r1", replicates=40)


@settings(max_examples=80, deadline=None)
@given(answers(fewest=12))
def test_renaming_platforms_changes_nothing_at_all(observations: list[Observation]) -> None:
    names = {"chatgpt": "zeta", "grok": "alpha"}
    renamed = [
        replace(one, channel=replace(one.channel, platform=names[one.channel.platform]))
        for one in observations
    ]
    assert score("acme", renamed, "r1", replicates=40) == score("acme", observations, "r1", replicates=40)


@settings(max_examples=80, deadline=None)
@given(answers())
def test_a_score_stays_within_its_interval_and_both_within_bounds(observations: list[Observation]) -> None:
    result = score("acme", observations, "r1", replicates=40)
    if result.value is not None and result.interval is not None:
        assert 0 <= result.interval[0] <= result.value <= result.interval[1] <= 100
    for factor in result.factors:
        assert factor.value is None or 0 <= factor.value <= 1
    if result.basis:
        assert sum(factor.effective_weight for factor in result.factors) == pytest.approx(1)


@settings(max_examples=80, deadline=None)
@given(answers(fewest=12))
def test_a_brand_that_is_never_named_scores_exactly_zero(observations: list[Observation]) -> None:
    silent = [replace(one, named=False, rank=None, tone=None) for one in observations]
    result = score("acme", silent, "r1", replicates=40)
    assert result.value in (0.0, None)
    assert all(factor.value in (0.0, None) for factor in result.factors)
    assert result.interval is None or result.interval[0] == 0.0


@settings(max_examples=80, deadline=None)
@given(answers(fewest=2), st.data())
def test_adding_a_mention_never_lowers_presence(observations: list[Observation], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(observations) - 1))
    more = list(observations)
    more[index] = replace(more[index], named=True)
    before = score("acme", observations, "r1", replicates=40).factor(Part.PRESENCE).value
    after = score("acme", more, "r1", replicates=40).factor(Part.PRESENCE).value
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
        assert (result.status, result.value, result.interval, result.confidence) == (
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
    result = score("acme", found, "r1", replicates=40)
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


def test_tone_counts_from_ten_judged_mentions(seen: Make) -> None:
    def result(judged: int) -> Score:
        found = [seen(f"p{i}", named=True, tone="positive" if i < judged else "unknown") for i in range(20)]
        return score("acme", found, "r1", replicates=40)

    assert result(9).factor(Part.TONE).value is None
    assert result(10).factor(Part.TONE).value == 1.0
    assert result(9).basis == (Part.PRESENCE, Part.PROMINENCE)


def test_each_prompt_and_each_channel_weighs_the_same_however_often_it_was_asked(
    seen: Make, search: Channel
) -> None:
    found = [seen("p0", named=True) for _ in range(50)] + [seen(f"p{i}") for i in range(1, 10)]
    found += [seen(f"p{i}", search, named=True) for i in range(5)]
    assert score("acme", found, "r1", replicates=40).factor(Part.PRESENCE).value == pytest.approx(
        (0.1 + 1) / 2
    )


def test_one_prompt_has_the_wilson_interval_alone(seen: Make) -> None:
    found = [seen("p0", named=i < 3) for i in range(10)]
    assert score("acme", found, "r1").factor(Part.PRESENCE).interval == wilson(3, 10)


@pytest.fixture
def batch(seen: Make) -> Callable[..., Batch]:
    def make(
        name: str, day: int, rates: Mapping[Channel, Sequence[int]], failed: Mapping[Channel, int]
    ) -> Batch:
        found = [
            seen(f"p{i}", channel, named=bool(hit))
            for channel, hits in rates.items()
            for i, hit in enumerate(hits)
        ]
        asked = {
            channel: Asked(len(hits) + failed.get(channel, 0), len(hits), failed=failed.get(channel, 0))
            for channel, hits in rates.items()
        }
        return Batch(name, datetime(2026, 3, day, tzinfo=UTC), asked, {"acme": found})

    return make


def test_a_calculation_scores_platforms_and_modes_by_the_same_rule(
    batch: Callable[..., Batch], memory: Channel, search: Channel
) -> None:
    both = batch("b1", 1, {memory: [1] * 8 + [0] * 8, search: [1] * 16}, {})
    result = calculate("acme", [both], "r1", replicates=40)
    assert result.score.factor(Part.PRESENCE).value == 0.75
    assert result.platforms["chatgpt"].factor(Part.PRESENCE).value == 0.5
    assert result.modes["readiness"].factor(Part.PRESENCE).value == 1.0
    alone = score(
        "acme", [one for one in both.observations["acme"] if one.channel == search], "r1", replicates=40
    )
    assert result.platforms["perplexity"] == alone == result.modes["readiness"]
    assert (result.channels, result.batches, result.degraded) == ((memory, search), ("b1",), ())


def test_failed_asks_below_a_fifth_change_nothing(batch: Callable[..., Batch], memory: Channel) -> None:
    clean = batch("b1", 1, {memory: [1, 0] * 20}, {})
    failing = replace(clean, asked={memory: Asked(planned=50, valid=40, failed=10)})
    assert calculate("acme", [failing], "r1", replicates=40) == calculate(
        "acme", [clean], "r1", replicates=40
    )


def test_a_degraded_channel_is_left_out_of_its_batch_and_named(
    batch: Callable[..., Batch], memory: Channel, search: Channel
) -> None:
    broken = batch("new", 2, {memory: [0] * 20, search: [1] * 20}, {memory: 6})
    earlier = batch("old", 1, {memory: [1] * 20}, {})
    result = calculate("acme", [earlier, broken], "r1", replicates=40)
    assert result.degraded == (("new", memory),)
    assert result.batches == ("new", "old")
    assert figures(result.score)[0] == pytest.approx(100 * (0.5 + 0.2 * 0.25) / 0.7)


def test_a_brand_in_no_batch_is_not_measured() -> None:
    result = calculate("acme", [], "r1")
    assert (result.score.status, result.platforms, result.batches) == ("not_measured", {}, ())

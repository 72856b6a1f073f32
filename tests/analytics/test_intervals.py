from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.intervals import (
    ALPHA,
    IntervalPair,
    RatioSums,
    holm_levels,
    interval_pair,
    ratio_pair,
    wilson,
)
from analytics.observation import Channel
from analytics.prompt_means import Cell, CellKey, cell, estimate
from analytics.student import quantile, two_sided_p
from tests.analytics.naive_intervals import (
    Answers,
    all_questions,
    pooled_rate,
    prompt_values,
    ratio_all_questions,
    ratio_these_prompts,
    these_prompts,
)

A, B, C = (Channel(name, "visibility") for name in "abc")
THIRDS = [0, 1, 2, 3, 1, 0, 0, 2, 1, 0]


def repeated(named: Sequence[int], repeats: int = 3) -> dict[CellKey, list[float]]:
    """One channel; how many of the repeats of each prompt name the brand."""
    return {(f"p{i:02}", A): [1.0] * count + [0.0] * (repeats - count) for i, count in enumerate(named)}


def pair(answers: Answers, *, yes_or_no: bool = True) -> IntervalPair:
    cells = {key: cell(values) for key, values in answers.items()}
    value = estimate(cells)
    assert value is not None
    return interval_pair(cells, value, yes_or_no=yes_or_no)


def rounded(interval: tuple[float, float] | None) -> list[float] | None:
    return None if interval is None else [round(limit, 4) for limit in interval]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (repeated([0] * 30), [0, 0.1224]),
        (repeated([1] + [0] * 29), [0.0011, 0.1045]),
        (repeated(THIRDS), [0.1388, 0.6081]),
        ({("p", A): [1.0] * 40}, None),
        (repeated([0] * 12), [0, 0.2876]),
    ],
)
def test_all_such_questions_as_published(answers: Answers, expected: list[float] | None) -> None:
    assert rounded(pair(answers).all_questions) == expected


def test_the_headline_is_not_capped_at_its_answers() -> None:
    values = [0.2, 0.35, 0.5, 0.1, 0, 0.62, 0.4, 0.3, 0.25, 0.45]
    answers = {(f"p{i}", A): [value] for i, value in enumerate(values)}
    assert rounded(pair(answers, yes_or_no=False).all_questions) == [0.1804, 0.4945]


def table(*rows: str) -> Answers:
    """Single answers, one row of 0 and 1 for each prompt, a column for each channel."""
    return {
        (f"p{i}", channel): [float(mark)]
        for i, row in enumerate(rows)
        for channel, mark in zip((A, B, C), row, strict=False)
    }


@pytest.mark.parametrize(
    ("answers", "expected", "source"),
    [
        (repeated(THIRDS), [0.2052, 0.4919], "repeats"),
        (repeated([3] * 10 + [0] * 20), [0.3047, 0.3633], "repeats"),
        (repeated([0] * 30), [0, 0.0409], "repeats"),
        (table("110", "000", "111", "010", "000"), [0.2324, 0.5948], "channels"),
        (table(*["1"] * 3, *["0"] * 7), [0.1078, 0.6032], "upper_bound"),
    ],
)
def test_these_prompts_as_published(answers: Answers, expected: list[float], source: str) -> None:
    intervals = pair(answers)
    assert (rounded(intervals.these_prompts), intervals.noise_source) == (expected, source)


def test_single_answers_take_the_pooled_noise_of_repeated_cells() -> None:
    answers = {("p1", A): [1.0, 0.0], ("p2", A): [1.0, 1.0, 1.0], ("p3", A): [1.0]}
    pooled = 0.5 / 3
    noise = (0.5 / 2 + 0 / 3 + pooled / 1) / 9
    m = (0.5 + 1 + 1) / 3
    coin = m * (1 - m) * (1 / 2 + 1 / 3 + 1) / 9
    effective = m * (1 - m) / ((1 * min(noise, coin) + coin) / 2)
    assert pair(answers).these_prompts == pytest.approx(wilson(m, effective, 1.959964), abs=1e-12)


def test_a_table_with_a_hole_only_bounds_the_noise() -> None:
    holed = dict(table("110", "000", "111", "010", "000"))
    del holed["p3", B]
    assert pair(holed).noise_source == "upper_bound"


def test_earlier_answers_in_which_nothing_changed_count_as_repeats() -> None:
    cells = {key: cell(values) for key, values in table("1", "0", "1", "0").items()}
    value = estimate(cells)
    assert value is not None
    steady = {key: cell([current.mean] * 4) for key, current in cells.items()}
    sharper = interval_pair(cells, value, earlier=steady)
    bounded = interval_pair(cells, value)
    assert (sharper.noise_source, bounded.noise_source) == ("earlier_answers", "upper_bound")
    assert sharper.these_prompts[0] > bounded.these_prompts[0]
    assert sharper.these_prompts[1] < bounded.these_prompts[1]


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_ends_are_exact_and_rounding_decides_nothing(rate: float) -> None:
    whole = pair({(f"p{i}", A): [rate] * 3 for i in range(7)})
    nearly = pair({(f"p{i}", A): [abs(rate - 1e-17)] * 3 for i in range(7)})
    assert whole == nearly
    assert whole.all_questions is not None
    assert (whole.these_prompts if rate == 0 else whole.these_prompts[::-1])[0] == rate
    assert (whole.all_questions if rate == 0 else whole.all_questions[::-1])[0] == rate


holed_answers = st.dictionaries(
    st.tuples(st.sampled_from([f"p{i}" for i in range(9)]), st.sampled_from([A, B, C])),
    st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=5),
    min_size=1,
    max_size=27,
)


@settings(max_examples=120, deadline=None)
@given(holed_answers, holed_answers, st.booleans())
def test_both_intervals_agree_with_a_second_implementation(
    answers: Answers, others: Answers, asked_once: bool
) -> None:
    if asked_once:
        answers = {key: values[:1] for key, values in answers.items()}
    others = {key: values for key, values in others.items() if values[0]}
    cells = {key: cell(values) for key, values in answers.items()}
    value = estimate(cells)
    assert value is not None
    intervals = pair(answers)
    again = all_questions(answers)
    assert intervals.all_questions == (again if again is None else pytest.approx(again, abs=1e-9))
    assert pair(answers, yes_or_no=False).all_questions == (
        again if again is None else pytest.approx(all_questions(answers, yes_or_no=False), abs=1e-9)
    )
    for earlier in (None, others):
        same, source = these_prompts(answers, earlier)
        repeats = None if earlier is None else {key: cell(values) for key, values in earlier.items()}
        known = interval_pair(cells, value, yes_or_no=True, earlier=repeats)
        assert (known.these_prompts, known.noise_source) == (pytest.approx(same, abs=1e-9), source)


@settings(max_examples=60, deadline=None)
@given(holed_answers)
def test_prompt_values_average_to_the_estimate(answers: Answers) -> None:
    value = estimate({key: cell(values) for key, values in answers.items()})
    assert value is not None
    m, values = prompt_values(answers)
    assert value.mean == pytest.approx(m, abs=1e-12)
    assert list(value.values) == pytest.approx(values, abs=1e-12)
    assert sum(value.values) / len(value.values) == pytest.approx(m, abs=1e-12)


def test_no_cell_has_no_estimate() -> None:
    assert estimate({}) is None
    assert cell([0.25, 0.75]) == Cell(0.5, 2, 0.125)


def ratio_sums(answers: Sequence[tuple[int, int]]) -> RatioSums:
    """The sums of a cell from the hit, 0 or 1, and the trials of each answer."""
    return RatioSums(
        answers=len(answers),
        hits=sum(hit for hit, _ in answers),
        trials=sum(trials for _, trials in answers),
        hit_trials=sum(hit * trials for hit, trials in answers),
        trial_squares=sum(trials * trials for _, trials in answers),
    )


def test_a_pooled_rate_has_the_prompt_values_of_a_ratio() -> None:
    groups = {
        (f"p{i}", A): [(hit, 1) for hit in hits] for i, hits in enumerate([(1, 1, 0), (0, 0, 0), (1, 0, 1)])
    }
    rate, intervals = ratio_pair({key: ratio_sums(answers) for key, answers in groups.items()}) or (0.0, None)
    balanced = pair({key: [float(hit) for hit, _ in answers] for key, answers in groups.items()})
    assert rate == pytest.approx(4 / 9)
    assert intervals is not None
    assert intervals.all_questions == pytest.approx(balanced.all_questions)
    assert intervals.these_prompts == pytest.approx(balanced.these_prompts)
    assert ratio_pair({("p0", A): ratio_sums([(0, 0)])}) is None


@settings(max_examples=120, deadline=None)
@given(
    st.dictionaries(
        st.tuples(st.sampled_from([f"p{i}" for i in range(6)]), st.sampled_from([A, B])),
        st.lists(st.sampled_from([(0, 0), (0, 1), (1, 1), (0, 3), (1, 2), (1, 4)]), min_size=1, max_size=5),
        min_size=1,
    )
)
def test_a_pooled_rate_has_the_intervals_of_its_linearized_answers(
    groups: dict[CellKey, list[tuple[int, int]]],
) -> None:
    pooled = ratio_pair({key: ratio_sums(answers) for key, answers in groups.items()})
    assert (pooled is None) == (not any(trial for answers in groups.values() for _, trial in answers))
    if pooled is not None:
        rate, intervals = pooled
        assert rate == pooled_rate(groups)[0]
        same, source = ratio_these_prompts(groups)
        assert (intervals.these_prompts, intervals.noise_source) == (pytest.approx(same, abs=1e-9), source)
        others = ratio_all_questions(groups)
        assert intervals.all_questions == (others if others is None else pytest.approx(others, abs=1e-9))


def test_wilson_solves_its_defining_equation() -> None:
    for hits, trials in ((3, 10), (2.6, 7), (29, 30), (140.25, 400)):
        for limit in wilson(hits / trials, trials, 1.96):
            distance = (hits / trials - limit) ** 2
            assert distance == pytest.approx(1.96**2 * limit * (1 - limit) / trials, abs=1e-9)


@pytest.mark.parametrize(("mean", "trials"), [(-0.1, 5), (1.1, 5), (0.5, 0)])
def test_wilson_refuses_what_is_no_mean(mean: float, trials: float) -> None:
    with pytest.raises(ValueError, match="wilson"):
        wilson(mean, trials, 1.96)


@pytest.mark.parametrize(
    ("degrees", "expected"), [(29, 2.0452296421), (4, 2.7764451052), (1, 12.7062047362), (1000, 1.9623390808)]
)
def test_quantiles_of_student_are_those_of_the_tables(degrees: int, expected: float) -> None:
    assert quantile(0.975, degrees) == pytest.approx(expected, abs=1e-10)
    assert two_sided_p(quantile(0.975, degrees), degrees) == pytest.approx(0.05, abs=1e-13)


def test_holm_steps_down_and_stops_at_the_first_failure() -> None:
    assert holm_levels([0.001, 0.02, 0.04]) == [3, 2, 1]
    assert holm_levels([0.04, 0.001, 0.03]) == [2, 3, 2]
    assert holm_levels([0.02, 0.03]) == [2, 1]
    assert holm_levels([0.03, 0.02]) == [1, 2]
    assert holm_levels([]) == []
    assert [p < ALPHA / j for p, j in zip([0.04, 0.001, 0.03], [2, 3, 2], strict=True)] == [
        False,
        True,
        False,
    ]

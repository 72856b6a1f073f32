from collections.abc import Callable

import pytest

from analytics.observation import Observation
from analytics.power import (
    learned_answer_variance,
    learned_prompt_wobble,
    power,
    smallest_detectable_change,
)
from tests.analytics.observed import rated_sums


def test_power_of_a_plan_as_published() -> None:
    assert power(0.10, 30, 3, 1 / 6, 0) == pytest.approx(0.3438, abs=5e-5)
    assert power(0.10, 30, 9, 1 / 6, 0) == pytest.approx(0.7884, abs=5e-5)


@pytest.mark.parametrize(("wobble", "expected"), [(0, 0.1019), (0.03, 0.1371)])
def test_smallest_detectable_change_as_published(wobble: float, expected: float) -> None:
    assert smallest_detectable_change(30, 9, 1 / 6, wobble) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("prompts", "expected"),
    [
        (10, [(57, 60), (33, 37), (19, 26), (14, 22)]),
        (30, [(31, 32), (18, 20), (10, 14), (7, 12)]),
        (100, [(16, 17), (9, 11), (5, 7), (4, 6)]),
    ],
)
def test_smallest_points_of_the_table(prompts: int, expected: list[tuple[int, int]]) -> None:
    for answers, points in zip((1, 3, 9, 18), expected, strict=True):
        smallest = [smallest_detectable_change(prompts, answers, 1 / 6, wobble) or 0 for wobble in (0, 0.03)]
        assert tuple(round(100 * change) for change in smallest) == points


@pytest.mark.parametrize(("answers", "prompts"), [(1, 272), (3, 98), (9, 39)])
def test_prompts_that_reveal_ten_points(answers: int, prompts: int) -> None:
    fewer, enough = (smallest_detectable_change(number, answers) for number in (prompts - 1, prompts))
    assert fewer is not None
    assert enough is not None
    assert enough <= 0.10 < fewer


def test_a_plan_that_can_reveal_nothing_says_so() -> None:
    assert smallest_detectable_change(1, 9) is None
    assert smallest_detectable_change(2, 1) is None
    assert (smallest_detectable_change(1_000_000, 1) or 0) > 0.0001
    with pytest.raises(ValueError, match="at least one"):
        power(0.1, 30, 0)


NAMED = (0.5 + 0.25 / 4) / 0.75
"""Headline of an answer that names the brand at its start, where presence and prominence are measured."""


def test_the_noise_of_answers_is_learned_from_cells_that_were_asked_twice(
    seen: Callable[..., Observation],
) -> None:
    mixed = [seen(f"m{number}", named=named) for number in range(5) for named in (True, False)]
    steady = [seen(f"s{number}", named=True) for number in range(5) for _ in range(2)]
    once = [seen("o", named=True)]
    learned = learned_answer_variance(rated_sums(mixed + steady + once))
    assert learned is not None
    assert (learned.variance, learned.degrees) == (pytest.approx(NAMED**2 / 2 / 2), 10)
    assert learned_answer_variance(rated_sums(once)) is None


def test_prompt_variance_excludes_variance_within_answers(
    seen: Callable[..., Observation],
) -> None:
    before = [seen(f"p{number}") for number in range(4)]
    after = [seen(f"p{number}", named=number == 0) for number in range(4)]
    learned = learned_prompt_wobble(rated_sums(before), rated_sums(after), 0.01)
    assert learned is not None
    assert (learned.variance, learned.degrees) == (pytest.approx(NAMED**2 / 4 - 2 * 0.01), 3)
    twice = learned_prompt_wobble(rated_sums([*before, *before]), rated_sums(after), 0.01)
    assert twice is not None
    assert twice.variance == pytest.approx(NAMED**2 / 4 - 0.01 / 2 - 0.01), (
        "of two answers the mean wobbles half"
    )
    calm = learned_prompt_wobble(rated_sums(before), rated_sums(after), 1 / 6)
    assert calm is not None
    assert calm.variance == 0
    assert learned_prompt_wobble(rated_sums(before[:1]), rated_sums(after[:1]), 0.01) is None

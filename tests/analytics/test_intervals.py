import random
from collections.abc import Sequence
from itertools import product
from math import comb
from typing import Protocol, cast

import geo_watch  # pyright: ignore[reportMissingTypeStubs] - an independent implementation without types
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.intervals import (
    cluster_interval,
    fewest_prompts,
    holm,
    mcnemar,
    newcombe_paired,
    prompt_draws,
    sign_flip,
    smallest_detectable_difference,
    wilson,
)


class Oracle(Protocol):
    """The functions of geo-score that are used here, with their types."""

    def wilson(self, k: int, n: int) -> list[float]: ...
    def cluster_ci(self, groups: Sequence[tuple[int, int]], seed: int, reps: int) -> list[float]: ...
    def mcnemar_p(self, gained: int, lost: int) -> float: ...
    def signflip_p(self, changes: Sequence[int]) -> float: ...
    def newcombe_paired(
        self, both: int, lost: int, gained: int, neither: int
    ) -> tuple[float, float] | None: ...
    def holm(self, ps: Sequence[float]) -> list[float]: ...


oracle = cast(Oracle, geo_watch)
EXACT = 1e-9
counts = st.integers(0, 60)


@given(counts, counts)
def test_wilson_agrees_with_an_independent_implementation(hits: int, misses: int) -> None:
    trials = hits + misses
    if trials:
        assert wilson(hits, trials) == pytest.approx(oracle.wilson(hits, trials), abs=5.1e-5)


def test_wilson_solves_its_defining_equation() -> None:
    # The limits are the rates p whose distance to the observed rate is exactly z standard errors of p.
    for hits, trials in ((3, 10), (2.6, 7), (29, 30), (140.25, 400)):
        for limit in wilson(hits, trials):
            assert (hits / trials - limit) ** 2 == pytest.approx(
                1.96**2 * limit * (1 - limit) / trials, abs=EXACT
            )


def test_wilson_reaches_the_ends_exactly() -> None:
    for trials in range(1, 200):
        assert wilson(0, trials)[0] == 0.0
        assert wilson(trials, trials)[1] == 1.0


@pytest.mark.parametrize(("hits", "trials"), [(1, 0), (0, 0), (-1, 5), (6, 5)])
def test_wilson_refuses_impossible_counts(hits: int, trials: int) -> None:
    with pytest.raises(ValueError, match="wilson"):
        wilson(hits, trials)


@pytest.mark.parametrize(("trials", "half"), [(10, 0.25), (30, 0.16), (100, 0.09), (400, 0.045)])
def test_wilson_half_widths_at_thirty_percent_are_the_published_ones(trials: int, half: float) -> None:
    low, high = wilson(0.3 * trials, trials)
    assert (high - low) / 2 == pytest.approx(half, abs=0.005)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 5).flatmap(
        lambda m: st.lists(st.tuples(st.integers(0, m), st.just(m)), min_size=1, max_size=25)
    ),
    st.integers(0, 2**64 - 1),
)
def test_cluster_interval_draws_the_same_way_as_an_independent_implementation(
    groups: list[tuple[int, int]], seed: int
) -> None:
    assert cluster_interval(groups, seed) == pytest.approx(oracle.cluster_ci(groups, seed, 2000), abs=1.01e-4)


def test_cluster_interval_takes_uneven_and_empty_prompts() -> None:
    groups = [(0, 3), (2, 2), (0, 0), (1, 5), (4, 4)]
    assert cluster_interval(groups, 9) == pytest.approx(oracle.cluster_ci(groups, 9, 2000), abs=1.01e-4)
    assert cluster_interval([(0, 0)], 9) is None
    assert cluster_interval([(2, 5)], 9) == wilson(2, 5)


def test_draws_are_those_of_the_seeded_standard_generator() -> None:
    generator = random.Random(14057949909642167679)
    names = ["p1", "p2", "p3", "p4", "p5"]
    expected = [generator.choices(names, k=5) for _ in range(50)]
    assert [[names[i] for i in draw] for draw in prompt_draws(5, 14057949909642167679, 50)] == expected


@given(counts, counts)
def test_mcnemar_agrees_with_an_independent_implementation(gained: int, lost: int) -> None:
    assert mcnemar(gained, lost) == pytest.approx(oracle.mcnemar_p(gained, lost), abs=EXACT)
    assert mcnemar(gained, lost) == mcnemar(lost, gained)


@given(st.lists(st.integers(-12, 12), max_size=40))
def test_sign_flip_agrees_with_an_independent_implementation(changes: list[int]) -> None:
    assert sign_flip(changes) == pytest.approx(oracle.signflip_p(changes), abs=EXACT)


@given(st.lists(st.integers(-4, 4), max_size=9))
def test_sign_flip_is_the_share_of_all_sign_patterns_at_least_as_extreme(changes: list[int]) -> None:
    sizes = [abs(change) for change in changes]
    sums = [
        abs(sum(s * d for s, d in zip(signs, sizes, strict=True)))
        for signs in product((-1, 1), repeat=len(sizes))
    ]
    assert sign_flip(changes) == pytest.approx(
        sum(s >= abs(sum(changes)) for s in sums) / len(sums), abs=EXACT
    )


@given(st.lists(st.integers(-1, 1), max_size=60))
def test_sign_flip_of_single_steps_is_mcnemar(changes: list[int]) -> None:
    assert sign_flip(changes) == pytest.approx(mcnemar(changes.count(1), changes.count(-1)), abs=EXACT)


def test_sign_flip_of_many_prompts_does_not_enumerate_patterns() -> None:
    # 400 prompts moving by 1: the binomial tail has a closed form, 2^400 patterns do not end.
    changes = [1] * 230 + [-1] * 170
    expected = 2 * sum(comb(400, i) for i in range(171)) / 2**400
    assert sign_flip(changes) == pytest.approx(expected, abs=EXACT)
    assert sign_flip([24] * 230 + [-24] * 170) == pytest.approx(expected, abs=EXACT)


def test_sign_flip_of_the_published_example() -> None:
    assert sign_flip([2, 1, 1, 3, 0, 1, 2, -1]) == pytest.approx(0.0781, abs=5e-5)


@given(counts, counts, counts, counts)
def test_newcombe_agrees_with_an_independent_implementation(
    both: int, lost: int, gained: int, neither: int
) -> None:
    if both + lost + gained + neither:
        expected = oracle.newcombe_paired(both, lost, gained, neither)
        assert expected is not None
        # Near a full or empty margin the reference keeps rounding noise of its Wilson limits under a root.
        assert newcombe_paired(both, lost, gained, neither) == pytest.approx(expected, abs=EXACT)


def test_newcombe_needs_a_pair() -> None:
    with pytest.raises(ValueError, match="wilson"):
        newcombe_paired(0, 0, 0, 0)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_agrees_with_an_independent_implementation(ps: list[float]) -> None:
    assert holm(ps) == pytest.approx(oracle.holm(ps), abs=EXACT)


def test_holm_of_the_published_example() -> None:
    assert holm([0.0391, 0.0117, 0.2891]) == pytest.approx([0.0782, 0.0351, 0.2891])


@pytest.mark.parametrize(("family", "prompts"), [(1, 6), (2, 7), (3, 7), (5, 8), (7, 9)])
def test_fewest_prompts_that_must_move(family: int, prompts: int) -> None:
    assert fewest_prompts(family) == prompts


@pytest.mark.parametrize(("answers", "points"), [(100, 18), (400, 9)])
def test_smallest_detectable_difference_of_two_sets(answers: int, points: int) -> None:
    assert round(100 * smallest_detectable_difference(answers)) == points

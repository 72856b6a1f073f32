import random

import pytest

from analytics.monitoring import (
    WEEKLY,
    NamedCount,
    is_rarely_named,
    rare_step_evidence,
    step_evidence,
)

STEADY = [30, 34, 31, 36, 33, 29, 35, 32, 31, 37, 30, 33, 34, 32, 31, 35, 33, 30, 34, 32]
RARE = [0, 1, 0, 0, 1, 0, 2, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1]


def test_evidence_of_a_step_grows_as_published() -> None:
    looks = [value / 100 for value in STEADY]
    assert step_evidence(looks).value == pytest.approx(0.9904, abs=5e-5)
    expected = [(45, 1.373, 5e-4), (43, 11.35, 5e-3), (46, 322.7, 0.05), (44, 3792, 0.5)]
    for value, evidence, rounding in expected:
        looks.append(value / 100)
        assert step_evidence(looks).value == pytest.approx(evidence, abs=rounding)
    shown = step_evidence(looks)
    assert (shown.step, shown.is_alarm(), shown.is_alarm(series=200)) == (20, True, False)
    assert shown.size == pytest.approx(0.119, abs=1e-9)


def test_evidence_on_a_rarely_named_brand_grows_as_published() -> None:
    looks = [NamedCount(named, 30) for named in RARE]
    assert is_rarely_named(looks[:14])
    assert rare_step_evidence(looks).value == pytest.approx(0.9891, abs=5e-5)
    for evidence, rounding in ((0.9887, 5e-5), (1.053, 5e-4), (2.2325, 5e-5), (15.94, 5e-3), (129.5, 0.05)):
        looks.append(NamedCount(4, 30))
        assert rare_step_evidence(looks).value == pytest.approx(evidence, abs=rounding)


def test_a_step_below_five_points_is_no_alarm() -> None:
    looks = [0.30 + 0.001 * (i % 3) for i in range(40)] + [0.33 + 0.001 * (i % 3) for i in range(40)]
    shown = step_evidence(looks)
    assert shown.value > 20
    assert not shown.is_alarm()


def test_a_short_or_constant_series_says_nothing() -> None:
    assert step_evidence([]).value == 1
    assert step_evidence([0.3] * 14).value == 1
    assert step_evidence([0.3] * 60).value < 1
    assert step_evidence([0.3] * 6, WEEKLY).value == 1
    assert not is_rarely_named([NamedCount(0, 0)])
    assert not is_rarely_named([NamedCount(15, 30)])


def test_a_year_of_an_unchanged_brand_seldom_alarms() -> None:
    rng = random.Random(5)
    alarms = 0
    for _ in range(25):
        looks = [sum(rng.random() < 0.3 for _ in range(30)) / 30 for _ in range(120)]
        alarms += any(step_evidence(looks[: n + 1]).is_alarm() for n in range(14, 120, 5))
    assert alarms <= 3

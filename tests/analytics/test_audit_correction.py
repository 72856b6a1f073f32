import pytest

from analytics.audit_correction import LabeledSample, correct_rate


def test_a_rate_is_corrected_as_published() -> None:
    corrected = correct_rate(0.40, (0.30, 0.51), LabeledSample(60, 6, 60, 2))
    assert corrected.rate == pytest.approx(0.38, abs=1e-12)
    assert [round(limit, 4) for limit in corrected.interval] == [0.2711, 0.5020]


def test_a_matcher_without_errors_keeps_the_rate_and_widens_the_interval() -> None:
    corrected = correct_rate(0.40, (0.30, 0.51), LabeledSample(100, 0, 100, 0))
    assert corrected.rate == pytest.approx(0.40)
    assert corrected.interval[0] < 0.30
    assert corrected.interval[1] > 0.51


@pytest.mark.parametrize("counts", [(0, 0, 10, 0), (10, 11, 10, 0), (10, 0, 10, -1)])
def test_labels_that_cannot_be_are_refused(counts: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="label"):
        LabeledSample(*counts)


def test_the_interval_of_a_corrected_rate_stays_between_0_and_1() -> None:
    all_missed = correct_rate(0.48, (0.44, 0.52), LabeledSample(3, 0, 3, 3))
    assert (all_missed.rate, all_missed.interval[1]) == (1, 1)
    none_right = correct_rate(0.02, (0.0, 0.1), LabeledSample(3, 3, 3, 0))
    assert (none_right.rate, none_right.interval[0]) == (0, 0)

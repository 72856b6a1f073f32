from datetime import date, timedelta

from analytics.monitoring import NamedCount
from analytics.series_watch import Look, watch_series, weekly_looks

MONDAY = date(2026, 3, 2)
STEADY = [30, 34, 31, 36, 33, 29, 35, 32, 31, 37, 30, 33, 34, 32, 31, 35, 33, 30, 34, 32]


def look(day: int, points: float, named: int = 30, missing: float = 0.0) -> Look:
    return Look(MONDAY + timedelta(days=day), points / 100, missing, NamedCount(named, 90))


def test_a_step_in_days_is_an_early_signal_and_no_change_yet() -> None:
    looks = [look(day, points) for day, points in enumerate([*STEADY, 45, 43, 46])]
    state = watch_series(looks)
    (signal,) = state.early_signals
    assert (signal.since, signal.seen) == (MONDAY + timedelta(days=20), MONDAY + timedelta(days=22))
    assert (state.changes, state.evidence) == ((), 1.0)
    assert watch_series(looks[:-1]).early_signals == ()


def test_weekly_means_tell_the_change() -> None:
    looks = [look(day, STEADY[day % 20] + (15 if day >= 84 else 0)) for day in range(126)]
    (change,) = watch_series(looks).changes
    assert change.since == MONDAY + timedelta(days=90)
    assert change.size > 0.1


def test_after_an_alarm_the_series_begins_anew_at_the_step() -> None:
    levels = [0] * 20 + [15] * 30 + [0] * 20
    looks = [look(day, STEADY[day % 20] + level) for day, level in enumerate(levels)]
    up, down = watch_series(looks).early_signals
    assert (up.size > 0, down.size < 0) == (True, True)
    assert down.since == MONDAY + timedelta(days=50)


def test_a_look_that_misses_too_much_is_left_out() -> None:
    looks = [look(day, points) for day, points in enumerate(STEADY)]
    broken = [look(20 + day, 0, missing=0.2) for day in range(10)]
    assert watch_series([*looks, *broken]) == watch_series(looks)


def test_more_series_beside_each_other_need_more_evidence() -> None:
    looks = [look(day, points) for day, points in enumerate([*STEADY, 45, 43])]
    assert watch_series([*looks, look(22, 46)], series=10).early_signals
    assert not watch_series([*looks, look(22, 46)], series=20).early_signals


def test_a_rarely_named_brand_is_watched_by_its_counts() -> None:
    counts = [0, 1, 0, 0, 1, 0, 2, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 4, 4, 4, 4, 4]
    looks = [
        Look(MONDAY + timedelta(days=day), named / 30, 0, NamedCount(named, 30))
        for day, named in enumerate(counts)
    ]
    (signal,) = watch_series(looks).early_signals
    assert signal.since == MONDAY + timedelta(days=18)
    assert not watch_series(looks[:-1]).early_signals


def test_the_week_that_is_not_over_does_not_count() -> None:
    looks = [look(day, 30 + day) for day in range(9)]
    (week,) = weekly_looks(looks)
    assert (week.day, week.value) == (MONDAY + timedelta(days=6), 0.33)
    assert week.count == NamedCount(210, 630)
    assert len(weekly_looks([look(day, 30) for day in range(14)])) == 2

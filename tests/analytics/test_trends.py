from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.metric_names import MetricName
from analytics.trends import MetricPoint, TrendDay, daily

TODAY = date(2026, 3, 31)


def at(day: int, hour: int, value: float | None) -> MetricPoint:
    return MetricPoint(datetime(2026, 3, day, hour, tzinfo=UTC), value)


def test_scores_are_averaged_and_counts_summed_per_day() -> None:
    points = [at(31, 18, 60.0), at(30, 9, 10.0), at(31, 6, 50.0)]
    assert daily(MetricName.VISIBILITY_SCORE, points, TODAY, 30) == [
        TrendDay(date(2026, 3, 30), 10.0, 1),
        TrendDay(TODAY, 55.0, 2),
    ]
    assert daily(MetricName.MENTION_COUNT, points, TODAY, 30)[1] == TrendDay(TODAY, 110.0, 2)


def test_days_without_a_measured_batch_are_left_out() -> None:
    points = [at(28, 9, 10.0), at(29, 9, None), at(31, 9, 0.0)]
    assert [day.day.day for day in daily(MetricName.SENTIMENT, points, TODAY, 30)] == [28, 31]
    assert daily(MetricName.SENTIMENT, points, TODAY, 30)[1].value == 0.0


def test_a_trend_covers_today_and_the_days_before_it() -> None:
    points = [at(29, 0, 1.0), at(30, 0, 2.0), at(31, 23, 3.0)]
    assert [day.value for day in daily(MetricName.SENTIMENT, points, TODAY, 2)] == [2.0, 3.0]
    assert [day.value for day in daily(MetricName.SENTIMENT, points, date(2026, 3, 30), 1)] == [2.0]
    with pytest.raises(ValueError, match="day"):
        daily(MetricName.SENTIMENT, points, TODAY, 0)


def test_days_are_utc_days_wherever_the_time_was_written() -> None:
    evening = datetime(2026, 3, 30, 20, tzinfo=timezone(timedelta(hours=-7)))
    assert daily(MetricName.SENTIMENT, [MetricPoint(evening, 1.0)], TODAY, 1)[0].day == TODAY


@given(st.lists(st.tuples(st.integers(1, 31), st.integers(0, 23), st.integers(0, 50))))
def test_summed_mentions_lose_nothing_and_order_does_not_matter(rows: list[tuple[int, int, int]]) -> None:
    points = [at(*row) for row in rows]
    series = daily(MetricName.MENTION_COUNT, points, TODAY, 31)
    assert sum(row.value for row in series) == sum(row[2] for row in rows)
    assert sum(row.samples for row in series) == len(rows)
    assert daily(MetricName.VISIBILITY_SCORE, points[::-1], TODAY, 31) == daily(
        MetricName.VISIBILITY_SCORE, points, TODAY, 31
    )

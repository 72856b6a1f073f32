"""How long to wait, by the provider's word or by chance."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from engines.transport.retries import backoff, forbidden, stated_wait

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Sun, 01 Mar 2026 11:59:30 GMT"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "-4"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "tomorrow"}, None),
    ],
)
def test_the_stated_wait_is_read_from_milliseconds_seconds_or_a_date(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert stated_wait(headers, NOW) == seconds


def test_an_endless_wait_still_is_a_date() -> None:
    wait = stated_wait({"retry-after": "inf"}, NOW)
    assert wait is not None
    assert NOW + timedelta(seconds=wait) > NOW


@pytest.mark.parametrize(("attempt", "widest"), [(1, 2.0), (2, 4.0), (4, 16.0), (5, 20.0), (50, 20.0)])
def test_backoff_draws_from_a_range_that_doubles_up_to_twenty_seconds(attempt: int, widest: float) -> None:
    assert backoff(attempt, lambda low, high: low) == 0.0
    assert backoff(attempt, lambda low, high: high) == widest
    assert 0 <= backoff(attempt, random.Random(3).uniform) <= widest


def test_only_an_explicit_false_forbids_asking_again() -> None:
    assert forbidden({"x-should-retry": "False"})
    assert not forbidden({"x-should-retry": "true"})
    assert not forbidden({})

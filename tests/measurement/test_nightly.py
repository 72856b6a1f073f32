"""Work of the night: its hour, and that a night which fails is followed by the next."""

import logging
from datetime import UTC, datetime, time, timedelta

import anyio
import pytest

from measurement.planning.schedules import next_night, repeat_nightly

HOUR = time(3, 17)
JUST_BEFORE = datetime(2026, 3, 1, 3, 16, 59, 999_000, tzinfo=UTC)


async def test_a_night_that_fails_is_logged_and_the_next_night_comes(
    caplog: pytest.LogCaptureFixture,
) -> None:
    nights: list[int] = []
    done = anyio.Event()

    async def work() -> None:
        nights.append(len(nights) + 1)
        if len(nights) == 1:
            raise ConnectionError("the database is down")
        done.set()

    with caplog.at_level(logging.ERROR), anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(repeat_nightly, HOUR, lambda: JUST_BEFORE + timedelta(days=len(nights)), work)
            await done.wait()
            group.cancel_scope.cancel()
    assert nights == [1, 2]
    assert "work of the night" in caplog.text


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("2026-03-01T03:16:59+00:00", "2026-03-01T03:17:00+00:00"),
        ("2026-03-01T03:17:00+00:00", "2026-03-02T03:17:00+00:00"),
        ("2026-12-31T23:30:00-05:00", "2027-01-02T03:17:00+00:00"),
    ],
)
def test_the_next_night_is_told_in_utc(now: str, expected: str) -> None:
    assert next_night(HOUR, datetime.fromisoformat(now)) == datetime.fromisoformat(expected)

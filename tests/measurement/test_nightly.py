"""Work of the night: its hour, and that a night which fails is followed by the next."""

import logging
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta
from itertools import count

import anyio
import pytest

from measurement.planning.schedules import next_night, repeat_nightly
from storage.database import Database

HOUR = time(3, 17)
JUST_BEFORE = datetime(2026, 3, 1, 3, 16, 59, 999_000, tzinfo=UTC)


async def test_a_night_that_fails_is_logged_and_the_next_night_comes(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    nights: list[int] = []
    done = anyio.Event()

    async def work() -> None:
        nights.append(len(nights) + 1)
        if len(nights) == 1:
            raise ConnectionError("the database is down")
        done.set()

    def clock() -> datetime:
        return JUST_BEFORE + timedelta(days=len(nights))

    with caplog.at_level(logging.ERROR), anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(repeat_nightly, database, "work", HOUR, clock, work)
            await done.wait()
            group.cancel_scope.cancel()
    assert nights == [1, 2]
    assert "work of the night" in caplog.text


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_one_of_three_processes_does_the_work_of_each_night(url: str) -> None:
    databases = [await Database.open(url) for _ in range(3)]
    done: list[Database] = []

    async def pass_three_nights(database: Database) -> None:
        asked = count()

        def clock() -> datetime:
            night = next(asked) // 2  # it is asked twice a night
            if night == 3:
                raise EndOfTest
            return JUST_BEFORE + timedelta(days=night)

        async def work() -> None:
            await anyio.sleep(0)
            done.append(database)

        with suppress(EndOfTest):
            await repeat_nightly(database, "work", HOUR, clock, work)

    async with anyio.create_task_group() as group:
        for database in databases:
            group.start_soon(pass_three_nights, database)
    assert len(done) == 3
    for database in databases:
        await database.close()


class EndOfTest(Exception):
    """The last night is over."""


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

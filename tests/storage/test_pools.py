"""Every connection in use: a caller waits a bounded time, hears that the database is busy, and can see it."""

import asyncio
import gc
import shutil
import stat
import warnings
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

import storage.engines
from storage.database import Database
from storage.errors import DatabaseBusy, DatabaseLost, DatabaseUnavailable

NOON = datetime(2026, 3, 31, 12, tzinfo=UTC)


async def test_a_caller_hears_that_every_connection_is_in_use(
    empty_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage.engines, "POOL_SECONDS", 0.05)
    database = await Database.open(empty_postgres)
    async with AsyncExitStack() as stack:
        for _ in range(storage.engines.WRITERS):
            await stack.enter_async_context(database.writing())
        with pytest.raises(DatabaseBusy, match="every connection stayed in use; try again"):
            await stack.enter_async_context(database.writing())
        [write, read, engine] = database.pools
        assert (write.name, write.in_use, write.size) == ("write", 6, 6)
        assert (read.name, read.in_use, engine.name, engine.in_use) == ("read", 0, "engine", 0)
    assert database.pools[0].in_use == 0
    await database.close()


async def test_a_circle_of_locks_is_told_as_busy(empty_postgres: str) -> None:
    database = await Database.open(empty_postgres)
    lock = "SELECT pg_advisory_xact_lock({})"
    both = asyncio.Barrier(2)

    async def take(first: int, second: int) -> None:
        async with database.writing() as connection:
            await connection.exec_driver_sql(lock.format(first))
            await both.wait()
            await connection.exec_driver_sql(lock.format(second))

    outcomes = await asyncio.gather(take(1, 2), take(2, 1), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes if outcome] == [DatabaseBusy]
    await database.close()


@pytest.mark.parametrize(
    ("code", "told", "words"),
    [
        ("53100", DatabaseUnavailable, "the disk is full or cannot be written"),
        ("58030", DatabaseUnavailable, "the disk is full or cannot be written"),
        ("53200", DatabaseBusy, "try again in a moment"),
        ("53400", DatabaseUnavailable, "it rejected the operation"),
        ("57P03", DatabaseLost, "the server does not answer"),
        ("25006", DatabaseLost, "the database cannot be used"),
        ("25P04", DatabaseBusy, "try again in a moment"),
        ("0A000", DBAPIError, "no words"),
        ("54000", DBAPIError, "no words"),
    ],
)
async def test_server_failures_are_separated_from_defective_statements(
    empty_postgres: str, code: str, told: type[Exception], words: str
) -> None:
    database = await Database.open(empty_postgres)
    with pytest.raises(told, match=words) as failure:
        async with database.writing() as connection:
            await connection.exec_driver_sql(f"DO $$ BEGIN RAISE 'no words' USING ERRCODE = '{code}'; END $$")
    assert failure.type is told
    await database.close()


async def test_a_read_only_server_is_reported_and_still_read(
    empty_postgres: str,
) -> None:
    setting = f"ALTER DATABASE {empty_postgres.rpartition('/')[2]} {{}} default_transaction_read_only"
    database = await Database.open(empty_postgres)
    async with database.writing() as connection:
        await connection.exec_driver_sql(f"{setting.format('SET')} = on")
    await database.close()
    database = await Database.open(empty_postgres)  # new connections find the server changed
    try:
        with pytest.raises(DatabaseLost, match="the database cannot be used: it is read-only"):
            async with database.operation() as operators:
                await operators.companies.create("Acme", "acme@example.com", "scale", NOON)
        assert await database.operators.companies.all() == []
    finally:
        async with database.writing() as connection:
            await connection.exec_driver_sql("SET TRANSACTION READ WRITE")
            await connection.exec_driver_sql(setting.format("RESET"))
        await database.close()


async def test_another_writer_of_the_file_is_told_as_busy(migrated: Path, tmp_path: Path) -> None:
    shutil.copy(migrated, tmp_path / "seenby.db")
    url = f"sqlite+aiosqlite:///{tmp_path}/seenby.db"
    first, second = await Database.open(url), await Database.open(f"{url}?timeout=0.05")
    async with first.operation() as writing:
        await writing.companies.create("ours", "ours@example.com", "free", NOON)
        with pytest.raises(DatabaseBusy, match="it stayed locked"):
            async with second.operation() as other:
                await other.companies.create("theirs", "theirs@example.com", "free", NOON)
    await first.close()
    await second.close()


async def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    database = await Database.open(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}")
    await database.close()
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("seenby.db")} == {
        "seenby.db": 0o600
    }


async def test_a_transaction_that_outlasts_its_database_closes_its_connection(url: str) -> None:
    database, writes, may_end = await Database.open(url), asyncio.Event(), asyncio.Event()

    async def write() -> None:
        async with database.writing():
            writes.set()
            await may_end.wait()

    writing = asyncio.create_task(write())
    await writes.wait()
    await database.close()
    may_end.set()
    await writing
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        gc.collect()
    assert [str(warning.message) for warning in told] == []

"""Writers of one SQLite file in one process: each gets its turn, and none keeps it that has ended."""

import asyncio
import gc
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import closing
from pathlib import Path

import anyio
import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError, StatementError

from storage.database import Database
from storage.errors import DatabaseBusy, DatabaseUnavailable

ADD = text("UPDATE counted SET n = n + 1")
COUNT = text("SELECT n FROM counted")


@pytest.fixture
async def counted(tmp_path: Path) -> AsyncGenerator[Database]:
    """A file with one number in it, which patience for a fifth of a second is to be had for."""
    opened = await Database.open(f"sqlite+aiosqlite:///{tmp_path}/seenby.db?timeout=0.2")
    async with opened.writing() as connection:
        await connection.execute(text("CREATE TABLE counted (n INTEGER)"))
        await connection.execute(text("INSERT INTO counted VALUES (0)"))
    yield opened
    await opened.close()


async def number(database: Database) -> int:
    async with database.writing() as connection:
        return int((await connection.execute(COUNT)).scalar_one())


async def test_writers_of_tasks_and_threads_lose_no_write(tmp_path: Path, counted: Database) -> None:
    patient = await Database.open(f"sqlite+aiosqlite:///{tmp_path}/seenby.db")

    async def write() -> None:
        async with patient.writing() as connection:
            await connection.execute(ADD)

    def write_on_a_thread() -> None:
        with patient.synchronous_engine.begin() as connection:
            connection.execute(COUNT)
            connection.execute(ADD)

    writes = [write() for _ in range(40)] + [asyncio.to_thread(write_on_a_thread) for _ in range(40)]
    await asyncio.gather(*writes)
    assert await number(patient) == 80
    await patient.close()


async def test_a_new_file_that_another_process_writes_to_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "seenby.db"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as stranger:
        stranger.execute("BEGIN IMMEDIATE")
        impatient = await Database.open(f"sqlite+aiosqlite:///{path}?timeout=0.1")
        with pytest.raises(DatabaseBusy):
            await impatient.migrate()
        await impatient.close()
        patient = await Database.open(f"sqlite+aiosqlite:///{path}")
        migration = asyncio.create_task(patient.migrate())
        done, _ = await asyncio.wait([migration], timeout=0.1)
        assert not done
        stranger.execute("ROLLBACK")
        await migration
    assert await patient.is_versioned()
    await patient.close()


async def test_who_waits_too_long_for_a_turn_is_told_and_the_next_one_gets_it(counted: Database) -> None:
    with counted.synchronous_engine.begin() as holding:
        holding.execute(ADD)
        with pytest.raises(DatabaseUnavailable):
            async with counted.writing() as connection:
                await connection.execute(ADD)
    async with counted.writing() as connection:
        await connection.execute(ADD)
    assert await number(counted) == 2


async def test_a_transaction_without_a_statement_keeps_nobody_waiting(counted: Database) -> None:
    async with counted.writing(), counted.writing() as second:
        await second.execute(ADD)
    assert await number(counted) == 1


async def test_a_failed_statement_and_a_rollback_pass_the_turn_on(counted: Database) -> None:
    async def write(statement: str) -> None:
        async with counted.writing() as connection:
            await connection.execute(ADD)
            await connection.execute(text(statement))

    for statement in ("UPDATE missing SET n = 1", "INSERT INTO counted VALUES (1, 2)"):
        with pytest.raises(DatabaseUnavailable):
            await write(statement)
        with (
            pytest.raises(OperationalError, match=r"no such table|2 values"),
            counted.synchronous_engine.begin() as threaded,
        ):
            threaded.execute(text(statement))
    with pytest.raises(StatementError):
        await write(":missing")
    async with counted.writing() as connection:
        await connection.execute(ADD)
    assert await number(counted) == 1


async def test_a_writer_cancelled_while_it_waits_blocks_no_other(counted: Database) -> None:
    with counted.synchronous_engine.begin() as holding:
        holding.execute(ADD)
        async with anyio.create_task_group() as group:
            waiting = anyio.Event()

            async def write() -> None:
                async with counted.writing() as connection:
                    waiting.set()
                    await connection.execute(ADD)

            group.start_soon(write)
            await waiting.wait()
            await anyio.lowlevel.checkpoint()
            group.cancel_scope.cancel()
    with anyio.fail_after(5):
        while True:
            try:
                assert await number(counted) == 1
                break
            except DatabaseUnavailable:
                continue  # the cancelled one's thread is being closed


async def test_a_connection_dropped_in_its_transaction_frees_the_write_lock(counted: Database) -> None:
    pooled = counted.synchronous_engine.raw_connection()
    dropped = pooled.driver_connection
    assert dropped is not None
    pooled.detach()
    dropped.cursor().execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseUnavailable):
        await number_after_adding(counted)
    del pooled, dropped
    gc.collect()
    assert await number_after_adding(counted) == 1


async def number_after_adding(database: Database) -> int:
    async with database.writing() as connection:
        await connection.execute(ADD)
    return await number(database)

"""Transactions that are cancelled in the middle of a statement: nothing stays behind that would never end."""

import asyncio

import anyio
from sqlalchemy import text

from storage.database import Database

LONG = text(
    "WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 300000)"
    " SELECT count(*) FROM counted"
)


async def test_a_cancelled_transaction_leaves_no_task_that_waits_for_ever(database: Database) -> None:
    async with anyio.create_task_group() as group:
        begun = anyio.Event()

        async def write() -> None:
            async with database.writing() as connection:
                begun.set()
                await connection.execute(LONG)

        group.start_soon(write)
        await begun.wait()
        group.cancel_scope.cancel()
    left = asyncio.all_tasks() - {asyncio.current_task()}
    if left:
        _, waiting = await asyncio.wait(left, timeout=5)
        assert not waiting
    with anyio.fail_after(5):
        async with database.writing() as connection:
            assert await connection.scalar(text("SELECT 1")) == 1

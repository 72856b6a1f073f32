"""Reads of callers do not wait behind those of work in the background."""

import asyncio

from sqlalchemy import text

from storage.database import Database
from storage.ids import new_id
from storage.pool_sizes import CONNECTIONS, PoolSizes
from storage.pools import background_work
from storage.readers import KEPT_FREE


async def read_runs(database: Database) -> None:
    """Read a run, as every run at work does again and again."""
    with background_work():
        await database.workspace(new_id()).runs.find(new_id())


async def test_a_caller_reads_while_background_reads_fill_their_share(
    empty_postgres: str,
) -> None:
    database = await Database.open(empty_postgres)
    async with database.writing() as connection:
        await connection.execute(text("LOCK TABLE workflow_runs IN ACCESS EXCLUSIVE MODE"))
        waiting = [asyncio.create_task(read_runs(database)) for _ in range(20)]
        async with asyncio.timeout(10):
            while reads_at_work(database) < PoolSizes.of(CONNECTIONS).read - KEPT_FREE:
                await asyncio.sleep(0.01)
            assert await database.operators.companies.all() == []
    await asyncio.gather(*waiting)
    await database.close()


def reads_at_work(database: Database) -> int:
    return next(pool.in_use for pool in database.pools if pool.name == "read")

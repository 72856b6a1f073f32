"""Who is alive and who is alone: on SQLite by locked files, on PostgreSQL by one session beside the pools."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack

import pytest
from sqlalchemy import text

from storage.database import Database
from storage.ids import new_id

Databases = tuple[Database, Database]
MANY = 40
TERMINATE = text(
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


@pytest.fixture
async def databases(url: str) -> AsyncGenerator[Databases]:
    """The same database opened twice, as two processes have it."""
    first, second = await Database.open(url), await Database.open(url)
    yield first, second
    await first.close()
    await second.close()


async def test_many_executors_leave_every_connection_to_the_work(databases: Databases) -> None:
    ours, theirs = databases
    async with AsyncExitStack() as stack, asyncio.timeout(20):
        executors = [await stack.enter_async_context(ours.presence.executor()) for _ in range(MANY)]
        async with ours.operation() as operators:
            assert await operators.companies.all() == []
        assert await theirs.presence.find_orphaned_executors(executors) == []
    assert sorted(await theirs.presence.find_orphaned_executors(executors)) == sorted(executors)


async def test_a_cancelled_executor_is_gone(databases: Databases) -> None:
    ours, theirs = databases
    entered: asyncio.Queue[str] = asyncio.Queue()

    async def work() -> None:
        async with ours.presence.executor() as executor:
            entered.put_nowait(executor)
            await asyncio.Event().wait()

    working = asyncio.create_task(work())
    executor = await entered.get()
    assert (
        await ours.presence.find_orphaned_executors([executor])
        == await theirs.presence.find_orphaned_executors([executor])
        == []
    )
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    assert await theirs.presence.find_orphaned_executors([executor]) == [executor]


async def test_one_at_a_time_is_inside_of_a_name(databases: Databases) -> None:
    inside, most = 0, 0

    async def visit(database: Database) -> None:
        nonlocal inside, most
        async with database.presence.alone("room"):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1

    async with asyncio.timeout(20):
        await asyncio.gather(*(visit(database) for database in databases * 2))
    assert (inside, most) == (0, 1)


async def test_giving_up_the_wait_for_a_name_leaves_it_to_the_next(databases: Databases) -> None:
    ours, theirs = databases
    async with ours.presence.alone("room"):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05), theirs.presence.alone("room"):
                raise AssertionError("two are inside")
    async with asyncio.timeout(20), theirs.presence.alone("room"):
        pass
    async with asyncio.timeout(20), ours.presence.alone("room"):
        pass


async def test_an_executor_whose_session_was_cut_comes_back(empty_postgres: str) -> None:
    ours, theirs = await Database.open(empty_postgres), await Database.open(empty_postgres)
    async with ours.presence.executor() as executor, asyncio.timeout(20):
        async with theirs.writing() as connection:
            await connection.execute(TERMINATE)
        while await theirs.presence.find_orphaned_executors([executor]):
            await asyncio.sleep(0.01)
        assert await ours.presence.find_orphaned_executors([executor]) == []
    nobody = new_id()
    assert await theirs.presence.find_orphaned_executors([executor, nobody]) == [executor, nobody]
    await ours.close()
    await theirs.close()

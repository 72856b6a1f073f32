"""Every connection in use: a caller waits a bounded time, hears that the database is busy, and can see it."""

import asyncio
import gc
import os
import shutil
import stat
import subprocess
import warnings
from collections.abc import Generator
from contextlib import AsyncExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

import storage.engines
from storage.database import Database
from storage.errors import DatabaseBusy, DatabaseLost, DatabaseUnavailable
from storage.ids import new_id
from storage.pool_sizes import PoolSizes
from tests.held_ports import held_port
from workflows.engine.run_engine import RunEngine

NOON = datetime(2026, 3, 31, 12, tzinfo=UTC)


async def test_a_caller_hears_that_every_connection_is_in_use(
    empty_postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage.engines, "POOL_SECONDS", 0.05)
    database = await Database.open(empty_postgres)
    async with AsyncExitStack() as stack:
        for _ in range(4):
            await stack.enter_async_context(database.writing())
        with pytest.raises(DatabaseBusy, match="every connection stayed in use; try again"):
            await stack.enter_async_context(database.writing())
        [write, read, engine] = database.pools
        assert (write.name, write.in_use, write.size) == ("write", 4, 4)
        assert (read.name, read.in_use, engine.name, engine.in_use) == ("read", 0, "engine", 0)
    assert database.pools[0].in_use == 0
    await database.close()


@pytest.mark.parametrize("connections", [9, 14, 25, 100])
def test_the_pools_of_a_process_share_its_connections(connections: int) -> None:
    sizes = PoolSizes.of(connections)
    assert sum(sizes) + 1 == connections  # one more holds the locks
    assert min(sizes) >= 1


async def test_connections_of_a_process_are_named_for_the_server(empty_postgres: str) -> None:
    database = await Database.open(empty_postgres)
    with database.synchronous_engine.connect():
        async with database.presence.worker(), database.writing() as connection:
            named = await connection.exec_driver_sql(
                "SELECT application_name FROM pg_stat_activity WHERE datname = current_database()"
            )
            names = set(named.scalars())
    assert {"seenby brief read", "seenby write", "seenby engine", "seenby locks"} <= names
    await database.close()


async def test_a_server_without_a_free_connection_is_quoted(empty_postgres: str) -> None:
    database, role = await Database.open(empty_postgres), f"full_{new_id().replace('-', '')}"
    async with database.writing() as connection:
        await connection.exec_driver_sql(f"CREATE ROLE {role} LOGIN CONNECTION LIMIT 0")
    try:
        words = "too many connections for role .*lower SEENBY_DATABASE_CONNECTIONS"
        with pytest.raises(DatabaseUnavailable, match=words):
            await Database.open(empty_postgres.replace("postgres@", f"{role}@"))
    finally:
        async with database.writing() as connection:
            await connection.exec_driver_sql(f"DROP ROLE {role}")
        await database.close()


@contextmanager
def pgbouncer(database: str, folder: Path) -> Generator[str]:
    """A PgBouncer that lends each transaction one of two connections; the URL of a database through it."""
    program = shutil.which("pgbouncer") or pytest.skip("PgBouncer is not installed")
    server, _, name = database.rpartition("/")
    with held_port() as port:
        file = folder / "pgbouncer.ini"
        file.write_text(
            f"[databases]\n{name} = host=127.0.0.1 user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
            f"listen_port = {port}\nso_reuseport = 1\nauth_type = any\nunix_socket_dir =\n"
            "pool_mode = transaction\ndefault_pool_size = 2\n"
            + ("user = nobody\n" if os.geteuid() == 0 else "")  # it does not run as root
        )
        process = subprocess.Popen([program, file], stderr=subprocess.PIPE)
        assert process.stderr is not None
        try:
            for line in process.stderr:
                if b"process up" in line:
                    break
            yield f"{server.replace('5432', str(port))}/{name}"
        finally:
            process.terminate()
            process.communicate()


async def test_reads_and_writes_share_two_connections_of_a_pooler(
    empty_postgres: str, tmp_path: Path
) -> None:
    with pgbouncer(empty_postgres, tmp_path) as pooled:
        database = await Database.open(pooled, direct_url=empty_postgres)

        async def create(number: int) -> None:
            async with database.operation() as operators:
                company = await operators.companies.create(
                    f"C{number}", f"{number}@example.com", "free", NOON
                )
            assert await database.operators.companies.find(company.id) == company

        await database.migrate()
        async with database.presence.worker():
            assert await database.presence.workers() == 1
            await asyncio.gather(*(create(number) for number in range(30)))
        engine = RunEngine(database, lambda: NOON)
        await engine.open()
        await engine.reconcile()
        await engine.close()
        assert len(await database.operators.companies.all()) == 30
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

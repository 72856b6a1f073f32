"""The schema: made once however many start together, equal to the tables, refused when it is newer."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import OperationalError

from storage.database import Database
from storage.errors import SchemaTooNew
from storage.migrations.newest import newest_revision
from storage.migrations.upgrade import configuration
from storage.statements.tables import metadata

MIGRATE = """
import asyncio, sys
from storage.database import Database
async def run():
    database = await Database.open(sys.argv[1])
    sys.stdin.readline()
    await database.migrate()
    await database.close()
asyncio.run(run())
"""


async def clear(url: str) -> None:
    """Take away the schema."""
    if url.startswith("sqlite"):
        Path(url.partition("///")[2]).unlink()
        return
    database = await Database.open(url)
    async with database.writing() as connection:
        await connection.execute(text("DROP SCHEMA public CASCADE"))
        await connection.execute(text("CREATE SCHEMA public"))
    await database.close()


async def test_processes_that_start_together_make_the_schema_once(url: str) -> None:
    await clear(url)
    started = [
        subprocess.Popen(
            [sys.executable, "-c", MIGRATE, url],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        for _ in range(2)
    ]
    ends = await asyncio.gather(*(asyncio.to_thread(one.communicate, "go\n", 60) for one in started))
    assert [(one.returncode, end[1]) for one, end in zip(started, ends, strict=True)] == [(0, "")] * 2
    await expect_metadata(url)


async def test_migrating_twice_changes_nothing_and_leaves_what_the_tables_say(url: str) -> None:
    database = await Database.open(url)
    await database.migrate()
    await database.migrate()
    await database.close()
    await expect_metadata(url)


async def expect_metadata(url: str) -> None:
    """Compare the schema with the declared tables as a new migration would."""

    def differences(connection: Connection) -> list[Any]:
        context = MigrationContext.configure(connection, opts={"include_name": is_ours})
        assert context.get_current_revision() == newest_revision()
        return [found for found in compare_metadata(context, metadata) if not is_search(found)]

    database = await Database.open(url)
    async with database.writing() as connection:
        assert await connection.run_sync(differences) == []
    await database.close()


def is_ours(name: str | None, kind: str, parents: object) -> bool:
    """Leave out tables that are not declared: the full-text index and those of others."""
    return kind != "table" or name in metadata.tables


def is_search(found: Any) -> bool:
    """Tell whether a difference is the full-text column or index, which only the migration knows."""
    return found[0].startswith("remove_") and "search" in str(found[-1])


async def test_a_schema_of_a_newer_program_is_refused(url: str) -> None:
    database = await Database.open(url)
    async with database.writing() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    try:
        with pytest.raises(SchemaTooNew, match="newer version"):
            await database.migrate()
    finally:
        # The PostgreSQL database is shared with the tests that follow.
        async with database.writing() as connection:
            statement = text("UPDATE alembic_version SET version_num = :newest")
            await connection.execute(statement, {"newest": newest_revision()})
        await database.close()


async def test_the_newest_revision_is_the_head_of_the_only_branch(url: str) -> None:
    from alembic.script import ScriptDirectory

    def heads(connection: Connection) -> list[str]:
        return ScriptDirectory.from_config(configuration(connection)).get_heads()

    database = await Database.open(url)
    async with database.writing() as connection:
        assert await connection.run_sync(heads) == [newest_revision()]
    await database.close()


async def test_the_points_of_a_trend_are_kept_when_they_are_put_beside_each_other(tmp_path: Path) -> None:
    days = (9, 2, 5)
    engine = create_engine(f"sqlite:///{tmp_path}/seenby.db")
    with engine.begin() as connection:
        command.upgrade(configuration(connection), "0015")
        connection.execute(BATCH, [{"key": day} for day in days])
        connection.execute(POINT, [{"day": f"2026-11-{day:02}", "batch": day} for day in days])
    engine.dispose()
    database = await Database.open(f"sqlite+aiosqlite:///{tmp_path}/seenby.db")
    await database.migrate()
    async with database.writing() as connection:
        kept = await connection.execute(text("SELECT day, batch_key, value, low FROM metric_points"))
        assert [tuple(one) for one in kept] == [(f"2026-11-{day:02}", day, 0.25, None) for day in (2, 5, 9)]
        with pytest.raises(OperationalError, match="rowid"):
            await connection.execute(text("SELECT rowid FROM metric_points"))
    await database.close()


BATCH = text(
    "INSERT INTO run_batches (key, id, company_id, brand_key, source, status, plan_sha256, created_at) "
    "VALUES (:key, :key, 'none', 1, 'api', 'success', :key, 0)"
)
POINT = text(
    "INSERT INTO metric_points (revision_key, metric, channel_key, day, batch_key, value, samples) "
    "VALUES (1, 'mentionCount', 0, :day, :batch, 0.25, 3)"
)


def test_every_revision_has_a_number_of_its_own() -> None:
    versions = Path(__file__).parents[2] / "storage" / "migrations" / "versions"
    names = sorted(file.name for file in versions.glob("[0-9]*.py"))
    numbers = [name.partition("_")[0] for name in names]
    assert len(numbers) == len(set(numbers)), names

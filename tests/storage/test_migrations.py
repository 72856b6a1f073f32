"""Migrations: run once by processes that start together, equal to the declared tables, unknown revisions rejected."""

import asyncio
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import text

from storage.database import Database
from storage.errors import SchemaTooNew
from storage.migrations.ddl import FIRST, declared_statements, frozen_statements
from storage.migrations.upgrade import known_revisions, newest_revision, present_revision
from storage.tables import metadata

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


async def test_processes_that_start_together_create_the_schema_once(url: str) -> None:
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
    ends = await asyncio.gather(
        *(asyncio.to_thread(started_run.communicate, "go\n", 60) for started_run in started)
    )
    assert [(started_run.returncode, end[1]) for started_run, end in zip(started, ends, strict=True)] == [
        (0, "")
    ] * 2
    await expect_metadata(url)


async def test_migrating_twice_leaves_the_declared_schema(url: str) -> None:
    database = await Database.open(url)
    await database.migrate()
    await database.migrate()
    await database.close()
    await expect_metadata(url)


async def expect_metadata(url: str) -> None:
    """See that the schema bears the newest revision and is the declared one."""
    database = await Database.open(url)
    async with database.writing() as connection:
        assert await connection.run_sync(present_revision) == newest_revision()
    assert await database.schema_differences() == []
    await database.close()


async def test_an_altered_schema_is_reported_with_its_differences(url: str) -> None:
    changes = (
        ("ALTER TABLE score_calculations DROP COLUMN signature", SIGNATURE),
        ("DROP INDEX ix_readiness_reports_public", INDEX),
        ("DROP TABLE idempotency_keys", None),
        ("ALTER TABLE companies ADD COLUMN odd TEXT", "ALTER TABLE companies DROP COLUMN odd"),
    )
    database = await Database.open(url)
    await database.migrate()
    async with database.writing() as connection:
        for change, _ in changes:
            await connection.execute(text(change))
    try:
        await database.migrate()
        assert await database.schema_differences() == [
            "column companies.odd is not declared",
            "column score_calculations.signature is missing",
            "index ix_readiness_reports_public of readiness_reports is missing",
            "table idempotency_keys is missing",
        ]
    finally:
        # The PostgreSQL database is shared with the tests that follow.
        async with database.writing() as connection:
            for _, repair in changes:
                if repair:
                    await connection.execute(text(repair))
            await connection.run_sync(metadata.tables["idempotency_keys"].create)
        await database.close()
    await expect_metadata(url)


SIGNATURE = "ALTER TABLE score_calculations ADD COLUMN signature TEXT NOT NULL DEFAULT ''"
INDEX = "CREATE INDEX ix_readiness_reports_public ON readiness_reports (public, scanned_at)"


@pytest.mark.parametrize("revision", ["9999_later", "0058", "0001"])
async def test_an_unknown_revision_is_rejected_with_what_to_do(url: str, revision: str) -> None:
    """Of a newer version, or of a development version from before the first release."""
    database = await Database.open(url)
    async with database.writing() as connection:
        statement = text("UPDATE alembic_version SET version_num = :revision")
        await connection.execute(statement, {"revision": revision})
    try:
        with pytest.raises(SchemaTooNew, match=f"schema {revision}, which .* restore a backup"):
            await database.migrate()
    finally:
        # The PostgreSQL database is shared with the tests that follow.
        async with database.writing() as connection:
            await connection.execute(statement, {"revision": newest_revision()})
        await database.close()


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
@pytest.mark.skipif(newest_revision() != FIRST, reason="later revisions change tables")
def test_the_first_revision_is_the_ddl_of_the_declared_tables(dialect: str) -> None:
    frozen = frozen_statements(dialect)
    assert frozen == declared_statements(dialect), "run python -m storage.migrations.ddl"


def test_the_files_number_one_line_of_revisions() -> None:
    config = Config()
    config.set_main_option("script_location", str(files("storage") / "migrations"))
    config.set_main_option("path_separator", "os")
    line = [revision.revision for revision in ScriptDirectory.from_config(config).walk_revisions()]
    assert tuple(line[::-1]) == known_revisions()


PROGRAM = """
import asyncio, sys
from storage.database import Database

async def main():
    database = await Database.open(sys.argv[1])
    await database.migrate()
    await database.close()

asyncio.run(main())
sys.exit("alembic" in sys.modules)
"""


@pytest.mark.parametrize("present", [True, False], ids=["up to date", "empty"])
def test_only_a_database_that_is_behind_loads_alembic(migrated: Path, tmp_path: Path, present: bool) -> None:
    path = tmp_path / "seenby.db"
    if present:
        path.write_bytes(migrated.read_bytes())
    ran = subprocess.run([sys.executable, "-c", PROGRAM, f"sqlite+aiosqlite:///{path}"], timeout=60)
    assert ran.returncode == (0 if present else 1)

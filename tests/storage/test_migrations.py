"""The schema: made once however many start together, equal to the tables, refused when it is newer."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import OperationalError

from storage.database import Database
from storage.errors import SchemaTooNew
from storage.migrations.newest import newest_revision
from storage.migrations.upgrade import configuration, present_revision
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
    ends = await asyncio.gather(
        *(asyncio.to_thread(started_run.communicate, "go\n", 60) for started_run in started)
    )
    assert [(started_run.returncode, end[1]) for started_run, end in zip(started, ends, strict=True)] == [
        (0, "")
    ] * 2
    await expect_metadata(url)


async def test_migrating_twice_changes_nothing_and_leaves_what_the_tables_say(url: str) -> None:
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


async def test_a_schema_that_only_claims_to_be_the_newest_is_told_with_what_differs(url: str) -> None:
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


async def test_mails_that_were_queued_about_sign_ups_become_a_kind_of_their_own(url: str) -> None:
    await clear(url)
    queued = {
        "link": ("password_reset", '{"occasion":"sign_up","company":"Acme"}'),
        "known": ("password_reset", '{"occasion": "known_address"}'),
        "forgotten": ("password_reset", "{}"),
        "invited": ("invitation", '{"company": "Acme"}'),
    }
    database = await Database.open(url)
    async with database.writing() as connection:
        await connection.run_sync(lambda synchronous: command.upgrade(configuration(synchronous), "0038"))
        await connection.execute(
            text(
                "INSERT INTO companies (id, name, name_folded, plan, created_at) VALUES ('c', 'c', 'c', 'scale', 0)"
            )
        )
        await connection.execute(
            MAIL, [{"id": name, "kind": kind, "content": said} for name, (kind, said) in queued.items()]
        )
    await database.migrate()
    async with database.writing() as connection:
        kept = await connection.execute(text("SELECT id, kind, content FROM mails"))
        expected = {**queued, **{name: ("sign_up", queued[name][1]) for name in ("link", "known")}}
        assert {row[0]: (row[1], row[2]) for row in kept} == expected
    await database.close()
    await expect_metadata(url)


MAIL = text(
    "INSERT INTO mails (id, company_id, kind, recipient, content, dedup_key, state, attempts, due_at, created_at) "
    "VALUES (:id, 'c', :kind, 'ada@a.test', :content, :id, 'queued', 0, 0, 0)"
)


def test_every_revision_has_a_number_of_its_own() -> None:
    versions = Path(__file__).parents[2] / "storage" / "migrations" / "versions"
    names = sorted(file.name for file in versions.glob("[0-9]*.py"))
    numbers = [name.partition("_")[0] for name in names]
    assert len(numbers) == len(set(numbers)), names

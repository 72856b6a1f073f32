"""What a new version of the workflow engine must be checked for before it is taken."""

import asyncio
import shutil
import tomllib
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

import dbos
from dbos import DBOS
from sqlalchemy import Connection, inspect, text

from storage.database import Database
from storage.tables import metadata
from tests.workflows.conftest import PATIENCE, Altered, OpenHouse, Peer, Spawn
from workflows.engine.run_engine import RunEngine

ROOT = Path(__file__).parents[2]


class Process(Protocol):
    returncode: int | None


def test_the_engine_is_pinned_with_its_private_takeover_name() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"dbos=={version('dbos')}" in project["dependencies"]
    assert callable(getattr(DBOS, "_recover_pending_workflows", None))


async def test_the_engines_tables_stand_beside_ours_under_other_names(tmp_path: Path) -> None:
    def names(connection: Connection) -> set[str]:
        return set(inspect(connection).get_table_names())

    database = await Database.open(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}")
    engine = RunEngine(database, lambda: datetime.now(UTC))
    await engine.open()
    async with database.writing() as connection:
        theirs = await connection.run_sync(names)
    assert {"workflow_status", "operation_outputs", "notifications"} <= theirs
    assert theirs & set(metadata.tables) == set()
    # The other order of arrival: our schema comes to a file that has theirs, and both stay.
    await database.migrate()
    async with database.writing() as connection:
        present = await connection.run_sync(names)
    assert set(metadata.tables) | theirs <= present
    await engine.close()
    await database.close()


async def test_a_fresh_file_works_with_the_installed_sqlite(
    migrated: Path, tmp_path: Path, open_house: OpenHouse, peer: Peer, spawn: Spawn, altered: Altered
) -> None:
    """From Python 3.12 on the engine asks SQLite for fractions of a second, which SQLite before 3.42 lacks."""
    shutil.copy(migrated, tmp_path / "seenby.db")
    address = f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}"
    package = Path(dbos.__file__).parent
    code = altered(package, ("_migration.py", "_sys_db.py"), "sys.version_info >= (3, 12)", "True")
    peer.meet = at_once
    worker = await spawn(address, code)
    database = await Database.open(address)
    async with asyncio.timeout(PATIENCE):
        while not await database.presence.workers():
            assert worker.returncode is None, "the engine does not start"
            await asyncio.sleep(0.05)
    await database.close()
    house = await open_house(address)
    before = datetime.now(UTC)
    run_id = (await house.call("run_workflow", workflowId="content_refresh"))["runId"]
    assert (await house.ended(run_id)).status == "completed"
    async with house.database.writing() as connection:
        times = text("SELECT started_at_epoch_ms, updated_at FROM workflow_status")
        started, updated = (await connection.execute(times)).one()
        versions = await connection.scalars(text("SELECT version_timestamp FROM application_versions"))
        assert all(version > 1e12 for version in versions)
    # In whole seconds most runs would begin before they were asked for.
    assert started >= int(before.timestamp() * 1000)
    assert started <= updated <= datetime.now(UTC).timestamp() * 1000
    assert started % 1000 or updated % 1000


async def at_once(asked: object) -> None:
    """Let an agent go as soon as it asks."""

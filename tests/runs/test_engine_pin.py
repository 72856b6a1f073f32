"""What a new version of the workflow engine must be checked for before it is taken."""

import tomllib
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from dbos import DBOS
from sqlalchemy import Connection, inspect

from storage.database import Database
from storage.tables import metadata
from workflows.engine import RunEngine

ROOT = Path(__file__).parents[2]


def test_the_engine_is_pinned_and_has_the_private_name_that_takes_runs_over() -> None:
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

"""The schema's revisions: one line of them, and a start that has nothing to do loads no migration tool."""

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory

from storage.migrations.upgrade import known_revisions


def test_the_files_number_one_line_of_revisions() -> None:
    config = Config()
    config.set_main_option("script_location", str(files("storage") / "migrations"))
    config.set_main_option("path_separator", "os")
    line = [revision.revision for revision in ScriptDirectory.from_config(config).walk_revisions()]
    assert line[::-1] == known_revisions()


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
def test_only_a_database_that_is_behind_loads_the_migration_tool(
    migrated: Path, tmp_path: Path, present: bool
) -> None:
    path = tmp_path / "seenby.db"
    if present:
        path.write_bytes(migrated.read_bytes())
    ran = subprocess.run([sys.executable, "-c", PROGRAM, f"sqlite+aiosqlite:///{path}"], timeout=60)
    assert ran.returncode == (0 if present else 1)

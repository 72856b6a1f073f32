"""SQLite's planner knows how many rows there are, whoever wrote them."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from storage.database import Database
from tests.conftest import NOON


async def test_a_process_that_read_nothing_counts_what_others_wrote(migrated: Path, tmp_path: Path) -> None:
    file = Path(shutil.copy(migrated, tmp_path / "seenby.db"))
    writer = await Database.open(f"sqlite+aiosqlite:///{file}")
    async with writer.operation() as operators:
        await operators.companies.create("Shop", "owner@shop.example", "growth", NOON)
    await writer.close()
    fresh = await Database.open(f"sqlite+aiosqlite:///{file}")
    await fresh.refresh_statistics()
    await fresh.close()
    with closing(sqlite3.connect(file)) as reader:
        counted = {table for (table,) in reader.execute("SELECT tbl FROM sqlite_stat1")}
    assert "companies" in counted

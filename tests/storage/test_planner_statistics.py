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


async def test_planner_counts_again_once_answers_have_doubled(migrated: Path, tmp_path: Path) -> None:
    file = Path(shutil.copy(migrated, tmp_path / "seenby.db"))
    database = await Database.open(f"sqlite+aiosqlite:///{file}")
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA foreign_keys = OFF")
        other.execute("PRAGMA ignore_check_constraints = ON")
        other.execute("DROP TABLE IF EXISTS sqlite_stat1")

        def store(keys: range) -> None:
            columns = [(name, kind) for _, name, kind, *_ in other.execute("PRAGMA table_info(answers)")]
            marks = ", ".join("?" * len(columns))
            other.executemany(
                f"INSERT INTO answers VALUES ({marks})",
                [[str(key) if kind == "TEXT" else key for _, kind in columns] for key in keys],
            )

        def counted() -> set[str]:
            return {stat for (stat,) in other.execute("SELECT stat FROM sqlite_stat1 WHERE tbl = 'answers'")}

        store(range(1, 11))
        await database.refresh_statistics(only_when_grown=True)
        of_ten = counted()
        store(range(11, 16))
        await database.refresh_statistics(only_when_grown=True)
        assert counted() == of_ten
        store(range(16, 31))
        await database.refresh_statistics(only_when_grown=True)
        assert {stat.split()[0] for stat in counted()} == {"30"}
    await database.close()

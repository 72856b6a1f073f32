"""The DDL of the declared tables, and the frozen copy of it that the first revision runs.

Until the first release, `python -m storage.migrations.ddl` writes the frozen copy again after a table has changed.
A released revision is never edited: from then on a changed table needs a revision of its own.
"""

from collections.abc import Sequence
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

from sqlalchemy import create_mock_engine

from storage.tables import metadata

FIRST = "0001_schema"
DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}


def declared_statements(dialect: str) -> list[str]:
    """Return the statements that create every declared table on `sqlite` or `postgresql`, in order."""
    statements: list[str] = []

    def write(statement: Any, *_: object, **__: object) -> None:
        text = str(statement.compile(dialect=engine.dialect))
        statements.append("\n".join(line.rstrip() for line in text.strip().splitlines() if line.strip()))

    engine = create_mock_engine(f"{DRIVERS[dialect]}://", write)
    metadata.create_all(engine, checkfirst=False)
    ordered: list[str] = []
    # SQLAlchemy has a table's indexes in no order; they are sorted by name.
    for are_indexes, group in groupby(statements, key=is_index):
        run = list(group)
        ordered += sorted(run) if are_indexes else run
    return ordered


def is_index(statement: str) -> bool:
    """Return whether a statement creates an index."""
    return statement.startswith(("CREATE INDEX", "CREATE UNIQUE INDEX"))


def frozen_statements(dialect: str) -> Sequence[str]:
    """Return the statements of the first revision; a blank line ends each of them."""
    frozen = files("storage.migrations") / "versions" / f"{FIRST}.{dialect}.sql"
    return frozen.read_text("utf-8").strip().removesuffix(";").split(";\n\n")


def main() -> None:
    """Write the frozen copy from the declared tables."""
    for dialect in DRIVERS:
        target = Path(__file__).parent / "versions" / f"{FIRST}.{dialect}.sql"
        target.write_text("".join(f"{statement};\n\n" for statement in declared_statements(dialect)), "utf-8")


if __name__ == "__main__":
    main()

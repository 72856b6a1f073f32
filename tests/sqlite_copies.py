"""Copies of SQLite databases: what many tests begin with is made once, and each has a copy of its own."""

import sqlite3
from contextlib import closing
from pathlib import Path


def file_of(url: str) -> Path | None:
    """The file of a SQLite database; None for another's."""
    scheme, _, path = url.partition(":///")
    return Path(path) if scheme.startswith("sqlite") else None


def copied(database: Path, to: Path) -> Path:
    """Copy a database, with what is still in its log of writes, over another one, which may be open."""
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(to)) as copy:
        source.backup(copy)
    return to

"""Copies a whole database at one instant while it is written to, and loads a copy into an empty one.

SQLite copies itself (`VACUUM INTO` reads one snapshot); PostgreSQL is copied by its own pg_dump and pg_restore.
"""

import os
import shutil
import sqlite3
import subprocess
from pathlib import Path

from sqlalchemy.engine import URL, make_url

from storage.errors import StorageError

SECONDS = 24 * 3600


class BackupFailed(StorageError):
    """A copy could not be made or loaded; the words say what to do."""


def copy_database(url: str, target: Path) -> None:
    """Write a copy of the database to a new file; it blocks. Raises BackupFailed."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        copy_sqlite(Path(str(parsed.database)), target)
    else:
        run_tool("pg_dump", parsed, ["--format=custom", "--no-owner", "--no-privileges", f"--file={target}"])


def load_database(url: str, source: Path) -> None:
    """Load a copy into an empty database, all or nothing; it blocks. Raises BackupFailed."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        load_sqlite(Path(str(parsed.database)), source)
        return
    options = ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"]
    run_tool("pg_restore", parsed, [*options, f"--dbname={parsed.database}", str(source)], named=False)


def copy_sqlite(database: Path, target: Path) -> None:
    """Copy a SQLite file as it is at this instant."""
    try:
        connection = sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True, timeout=60)
        try:
            connection.execute("VACUUM INTO ?", (str(target),))
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise BackupFailed(f"the database cannot be copied to {target.parent}: {error}") from error


def load_sqlite(database: Path, source: Path) -> None:
    """Put a copy where the database is expected, which must be empty or missing."""
    database.parent.mkdir(parents=True, exist_ok=True)
    arriving = database.with_name(f".{database.name}.restoring")
    try:
        shutil.copyfile(source, arriving)
        arriving.chmod(0o600)
        with arriving.open("rb+") as file:
            os.fsync(file.fileno())
        for leftover in ("-wal", "-shm"):
            database.with_name(database.name + leftover).unlink(missing_ok=True)
        arriving.replace(database)
    except OSError as error:
        raise BackupFailed(f"{database} cannot be written: {error.strerror}") from error
    finally:
        arriving.unlink(missing_ok=True)


def run_tool(tool: str, url: URL, options: list[str], *, named: bool = True) -> None:
    """Run one of PostgreSQL's programs on a database; its password is not among the arguments."""
    if shutil.which(tool) is None:
        raise BackupFailed(
            f"{tool} is not installed: install PostgreSQL's client programs (postgresql-client)"
        )
    place = [f"--host={url.host}", f"--port={url.port or 5432}"]
    place += [f"--username={url.username}"] if url.username else []
    command = [tool, *place, "--no-password", *options, *([str(url.database)] if named else [])]
    environ = {**os.environ, **({"PGPASSWORD": str(url.password)} if url.password else {})}
    ended = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=SECONDS, check=False)
    if ended.returncode:
        last = ended.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        raise BackupFailed(f"{tool} failed: {last[0]}")

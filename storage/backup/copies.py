"""Copies a whole database at one instant while it is written to, and loads a copy into an empty one.

SQLite copies itself (`VACUUM INTO` reads one snapshot); PostgreSQL is copied by its own pg_dump, pg_restore and psql.
A copy and the pause of its work arrive together: whoever ends a restore anywhere, however rudely, leaves no copy that
would ask the questions of the one that was copied once more.
"""

import os
import shutil
import sqlite3
import subprocess
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from tempfile import TemporaryFile
from typing import IO, Final

from sqlalchemy.engine import URL, make_url

from storage.errors import StorageError

SECONDS = 24 * 3600
PAUSES: Final = "work_pauses"
PAUSE_OF_POSTGRESQL: Final = f"""
INSERT INTO public.{PAUSES} (key, reason, created_at) VALUES (1, :'pause_reason', :pause_since) ON CONFLICT DO NOTHING;
"""


class BackupFailed(StorageError):
    """A copy could not be made or loaded; the words say what to do."""


def copy_database(url: str, target: Path) -> None:
    """Write a copy of the database to a new file; it blocks. Raises BackupFailed."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        copy_sqlite(Path(str(parsed.database)), target)
    else:
        run_tool("pg_dump", parsed, ["--format=custom", "--no-owner", "--no-privileges", f"--file={target}"])


def load_database(url: str, source: Path, pause: str | None) -> None:
    """Load a copy into an empty database, all or nothing, with its work paused for a reason; it blocks.

    Raises BackupFailed.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        load_sqlite(Path(str(parsed.database)), source, pause)
    else:
        load_postgresql(parsed, source, pause)


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


def load_sqlite(database: Path, source: Path, pause: str | None) -> None:
    """Put a copy where the database is expected, which must be empty or missing."""
    database.parent.mkdir(parents=True, exist_ok=True)
    arriving = database.with_name(f".{database.name}.restoring")
    try:
        shutil.copyfile(source, arriving)
        arriving.chmod(0o600)
        if pause is not None:
            pause_sqlite(arriving, pause)
        with arriving.open("rb+") as file:
            os.fsync(file.fileno())
        for leftover in ("-wal", "-shm"):
            database.with_name(database.name + leftover).unlink(missing_ok=True)
        arriving.replace(database)
    except sqlite3.Error as error:
        raise BackupFailed(f"the copy cannot be written to: {error}") from error
    except OSError as error:
        raise BackupFailed(f"{database} cannot be written: {error.strerror}") from error
    finally:
        arriving.unlink(missing_ok=True)


def pause_sqlite(file: Path, reason: str) -> None:
    """Pause the work of a copy before anybody can open it as the database."""
    with closing(sqlite3.connect(file)) as connection, connection:
        row = (reason, now_in_microseconds())
        connection.execute(f"INSERT OR IGNORE INTO {PAUSES} (key, reason, created_at) VALUES (1, ?, ?)", row)


def now_in_microseconds() -> int:
    """Return the instant as the database stores instants."""
    return time.time_ns() // 1000


def load_postgresql(url: URL, source: Path, pause: str | None) -> None:
    """Let psql do what pg_restore writes, and pause the work, in one transaction.

    The words that commit are ours: where pg_restore breaks off, nothing could be taken for the end of its script.
    """
    restoring = program(
        "pg_restore", url, ["--no-owner", "--no-privileges", "--file=-", str(source)], place=False
    )
    options = [
        "--no-psqlrc",
        "--quiet",
        "--set=ON_ERROR_STOP=1",
        f"--set=pause_reason={pause}",
        f"--set=pause_since={now_in_microseconds()}",
        f"--dbname={url.database}",
    ]
    loading = program("psql", url, options)
    with TemporaryFile() as complaints, TemporaryFile() as refusals:
        with (
            Popen(restoring.command, env=restoring.environ, stdout=PIPE, stderr=complaints) as giver,
            Popen(loading.command, env=loading.environ, stdin=PIPE, stdout=DEVNULL, stderr=refusals) as taker,
        ):
            assert giver.stdout is not None
            assert taker.stdin is not None
            # Whoever breaks off says why; the pipe between them only says that.
            with suppress(BrokenPipeError), taker.stdin as script:
                script.write(b"BEGIN;\n")
                shutil.copyfileobj(giver.stdout, script)
                if giver.wait() == 0:
                    script.write((PAUSE_OF_POSTGRESQL if pause is not None else "").encode() + b"COMMIT;\n")
            giver.stdout.close()
        if taker.returncode:
            raise BackupFailed(f"psql failed: {named_error(refusals)}")
        if giver.returncode:
            raise BackupFailed(f"pg_restore failed: {named_error(complaints)}")


@dataclass(frozen=True, slots=True)
class DatabaseProgram:
    """One of PostgreSQL's programs as it is started; the password is not among the arguments."""

    command: list[str]
    environ: dict[str, str]


def program(tool: str, url: URL, options: list[str], *, place: bool = True) -> DatabaseProgram:
    """Return how to start a program, with where the database is unless it needs none. Raises BackupFailed."""
    if shutil.which(tool) is None:
        raise BackupFailed(
            f"{tool} is not installed: install PostgreSQL's client programs (postgresql-client)"
        )
    where = [f"--host={url.host}", f"--port={url.port or 5432}", "--no-password"] if place else []
    where += [f"--username={url.username}"] if place and url.username else []
    environ = {**os.environ, **({"PGPASSWORD": str(url.password)} if url.password else {})}
    return DatabaseProgram([tool, *where, *options], environ)


def run_tool(tool: str, url: URL, options: list[str]) -> None:
    """Run one of PostgreSQL's programs on a database to its end. Raises BackupFailed."""
    started = program(tool, url, [*options, str(url.database)])
    ended = subprocess.run(
        started.command, env=started.environ, capture_output=True, timeout=SECONDS, check=False
    )
    if ended.returncode:
        raise BackupFailed(f"{tool} failed: {named_error(BytesIO(ended.stderr))}")


def named_error(said: IO[bytes]) -> str:
    """Return the line in which a program named its error, or the last one of what it said."""
    said.seek(0)
    lines = said.read().decode(errors="replace").strip().splitlines()
    errors = [line.partition("ERROR:")[2].strip() for line in lines if "ERROR:" in line]
    return (errors or lines or ["it said nothing"])[-1]

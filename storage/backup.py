"""Backups: a consistent copy of the whole database while it is written to, in one file with a manifest, and restores.

SQLite copies itself (`VACUUM INTO` reads one snapshot); PostgreSQL is copied by its own pg_dump, pg_restore and psql.
A restored copy arrives with its work paused, in one transaction: a restore that is killed at any moment leaves no copy
that would send the requests of the original again.
"""

import hashlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
import time
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from tempfile import TemporaryFile, mkdtemp
from typing import IO, Any, Final, cast

from filelock import FileLock, Timeout
from sqlalchemy.engine import URL, make_url

from storage.errors import StorageError

PREFIX: Final = ".seenby-backup-"
LOCK: Final = "lock"
"""Its lock ends with the process that works in the folder."""


@contextmanager
def working_folder(parent: Path) -> Generator[Path]:
    """Lend a new folder for its owner alone, and remove it; those that killed processes left go first."""
    clear(parent)
    folder, lock = open_folder(parent)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        lock.release()


def open_folder(parent: Path) -> tuple[Path, FileLock]:
    """Make a folder and lock it; another one when it was removed before it was locked."""
    while True:
        folder = Path(mkdtemp(prefix=PREFIX, dir=parent))
        with suppress(FileNotFoundError, Timeout):
            lock = FileLock(folder / LOCK, timeout=0)
            lock.acquire()
            if (folder / LOCK).exists():
                return folder, lock
            lock.release()


def clear(parent: Path) -> None:
    """Remove the folders that no process works in any more."""
    for folder in parent.glob(f"{PREFIX}*"):
        with suppress(OSError, Timeout), FileLock(folder / LOCK, timeout=0):
            shutil.rmtree(folder, ignore_errors=True)


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
    """Pause the work of a copy before it can be opened as the database."""
    with closing(sqlite3.connect(file)) as connection, connection:
        row = (reason, now_in_microseconds())
        connection.execute(f"INSERT OR IGNORE INTO {PAUSES} (key, reason, created_at) VALUES (1, ?, ?)", row)


def now_in_microseconds() -> int:
    """Return the instant as the database stores instants."""
    return time.time_ns() // 1000


def load_postgresql(url: URL, source: Path, pause: str | None) -> None:
    """Let psql do what pg_restore writes, and pause the work, in one transaction.

    COMMIT is written here: where pg_restore breaks off, nothing could be taken for the end of its script.
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
    with TemporaryFile() as complaints, TemporaryFile() as errors:
        with (
            Popen(restoring.command, env=restoring.environ, stdout=PIPE, stderr=complaints) as giver,
            Popen(loading.command, env=loading.environ, stdin=PIPE, stdout=DEVNULL, stderr=errors) as taker,
        ):
            assert giver.stdout is not None
            assert taker.stdin is not None
            # The program that breaks off says why; the pipe between them only says that.
            with suppress(BrokenPipeError), taker.stdin as script:
                script.write(b"BEGIN;\n")
                shutil.copyfileobj(giver.stdout, script)
                if giver.wait() == 0:
                    script.write((PAUSE_OF_POSTGRESQL if pause is not None else "").encode() + b"COMMIT;\n")
            giver.stdout.close()
        if taker.returncode:
            raise BackupFailed(f"psql failed: {named_error(errors)}")
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


FORMAT: Final = 1
MANIFEST, COPY = "manifest.json", "database"
LARGEST_MANIFEST: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds. `secrets` maps each setting that is needed beside it to a fingerprint of its value."""

    program: str
    revision: str
    database: str
    created_at: str
    sha256: str
    size: int
    secrets: Mapping[str, str]
    format: int = FORMAT


def write_backup(target: Path, copy: Path, manifest: Manifest) -> None:
    """Write a backup beside its copy, for its owner alone to read; a file of this name is there whole or not at all."""
    arriving = copy.with_name("arriving")
    described = json.dumps(asdict(manifest), indent=2).encode()
    try:
        descriptor = os.open(arriving, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file, tarfile.open(fileobj=file, mode="w") as archive:
            head = tarfile.TarInfo(MANIFEST)
            head.size = len(described)
            archive.addfile(head, io.BytesIO(described))
            archive.add(copy, COPY, filter=anonymous)
            archive.close()
            file.flush()
            os.fsync(file.fileno())
        arriving.replace(target)
    except OSError as error:
        raise BackupFailed(f"{target} cannot be written: {error.strerror}") from error
    finally:
        arriving.unlink(missing_ok=True)


def anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Return a member without the names of who made it."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


@contextmanager
def open_backup(source: Path, folder: Path) -> Generator[tuple[Manifest, Path]]:
    """Lend a backup's manifest and its unpacked copy, whose digest is right. Raises BackupFailed."""
    try:
        with tarfile.open(source, "r:") as archive, working_folder(folder) as unpacked:
            manifest = read_manifest(source, archive)
            copy = unpacked / COPY
            member = archive.extractfile(COPY)
            if member is None:
                raise BackupFailed(f"{source.name} holds no copy of a database")
            with copy.open("wb", buffering=0) as file:
                while piece := member.read(1 << 20):
                    write_whole(file, piece)
            if digest_of(copy) != manifest.sha256:
                raise BackupFailed(f"{source.name} is damaged: its content is not what was written")
            yield manifest, copy
    except (tarfile.TarError, KeyError, EOFError) as error:
        raise BackupFailed(f"{source.name} is no backup of seenby, or is cut off") from error
    except OSError as error:
        raise BackupFailed(f"{source.name} cannot be read: {error.strerror}") from error


def write_whole(file: IO[bytes], piece: bytes) -> None:
    """Write to the unpacked copy. Raises BackupFailed, which names the full folder, since the backup is fine."""
    try:
        while piece:
            piece = piece[file.write(piece) :]
    except OSError as error:
        folder = Path(file.name).parent.parent
        raise BackupFailed(f"the copy cannot be unpacked in {folder}: {error.strerror}") from error


def read_manifest(source: Path, archive: tarfile.TarFile) -> Manifest:
    """Return the manifest of an open backup. Raises BackupFailed."""
    member = archive.extractfile(MANIFEST)
    try:
        fields = cast("dict[str, Any]", json.loads(member.read(LARGEST_MANIFEST) if member else b""))
        if fields["format"] != FORMAT:
            raise BackupFailed(f"{source.name} has format {fields['format']}: use a newer version of seenby")
        return Manifest(**fields)
    except (ValueError, TypeError, KeyError) as error:
        raise BackupFailed(f"{source.name} is no backup of seenby") from error


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

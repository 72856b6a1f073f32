"""`seenby migrate` beside another one, beside a server that starts, and killed in its middle: one schema, whole."""

import json
import signal
import sqlite3
import subprocess
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from storage.ids import new_id
from storage.migrations.upgrade import LOCK, newest_revision
from tests.conftest import POSTGRES
from tests.server.application.conftest import PATIENCE_SECONDS, SEENBY, ServeProcess, Workspace, environment

KILLS = 4


class Place:
    """An empty database and the processes that bring a schema into it."""

    def __init__(self, folder: Path, name: str | None) -> None:
        self.folder = folder
        self.name = name
        url = {"SEENBY_DATABASE_URL": f"postgresql+asyncpg{POSTGRES[10:]}/{name}"} if name else {}
        self.environ = environment(folder, **url)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [SEENBY, *arguments],
            cwd=self.folder,
            env=self.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def ask(self, statement: str) -> str:
        """Ask PostgreSQL in a connection of its own."""
        asked = subprocess.run(
            ["psql", f"{POSTGRES}/{self.name}", "-Atc", statement], capture_output=True, text=True, check=True
        )
        return asked.stdout.strip()

    def migrates(self) -> bool:
        """Tell whether somebody is in the middle of a migration."""
        if self.name is not None:
            return self.ask(f"SELECT count(*) FROM pg_locks WHERE objid = {LOCK} AND granted") == "1"
        file = self.folder / "seenby.db"
        if not file.exists():
            return False
        try:
            with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as connection:
                connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return True
        return False

    def waits(self, process: subprocess.Popen[str]) -> bool:
        """Tell whether a process has come as far as the database."""
        if self.name is not None:
            return self.ask(f"SELECT count(*) FROM pg_locks WHERE objid = {LOCK} AND NOT granted") == "1"
        return any(one.path.endswith("seenby.db") for one in psutil.Process(process.pid).open_files())

    def revision(self) -> str:
        """Return the revision of the schema; empty for none."""
        if self.name is not None:
            known = self.ask("SELECT to_regclass('alembic_version') IS NOT NULL") == "t"
            return self.ask("SELECT version_num FROM alembic_version") if known else ""
        with closing(sqlite3.connect(self.folder / "seenby.db")) as connection:
            known = connection.execute(
                "SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'"
            ).fetchone()
            return (
                connection.execute("SELECT version_num FROM alembic_version").fetchone()[0] if known else ""
            )


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Place]:
    if request.param == "sqlite":
        yield Place(tmp_path, None)
        return
    request.getfixturevalue("postgres")
    name = f"migrating_{new_id().replace('-', '')}"
    server = ["psql", f"{POSTGRES}/postgres", "-qc"]
    subprocess.run([*server, f"CREATE DATABASE {name}"], check=True)
    yield Place(tmp_path, name)
    subprocess.run([*server, f"DROP DATABASE {name} WITH (FORCE)"], check=True)


def test_a_migration_that_is_killed_in_its_middle_leaves_none_or_all_of_it(place: Place) -> None:
    killed_within = 0
    for _ in range(KILLS):
        process = place.start("migrate")
        while process.poll() is None and not place.migrates():
            pass
        process.kill()
        process.communicate()
        killed_within += place.revision() == ""
        assert place.revision() in ("", newest_revision())
        if place.revision():
            break
    assert killed_within, "no kill was early enough to say anything"
    process = place.start("migrate", "--json")
    told, complaints = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0, complaints
    assert json.loads(told) == {"schema": "up to date"}
    assert place.revision() == newest_revision()


def test_a_second_migration_and_a_server_that_starts_wait_for_the_first(
    place: Place, serve: ServeProcess
) -> None:
    first = place.start("migrate")
    while not place.migrates():
        assert first.poll() is None, first.communicate()
    first.send_signal(signal.SIGSTOP)
    second = place.start("migrate")
    try:
        while not place.waits(second):
            assert second.poll() is None, second.communicate()
    finally:
        first.send_signal(signal.SIGCONT)
    with serve(Workspace(place.environ, place.folder, ())) as server:
        assert server.process.poll() is None
    for process in (first, second):
        _, complaints = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == 0, complaints
    assert place.revision() == newest_revision()

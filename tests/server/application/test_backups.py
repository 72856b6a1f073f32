"""Backups: made while the service writes, restored elsewhere, with every receipt verified there."""

import asyncio
import json
import secrets
import shutil
import sqlite3
import subprocess
import tarfile
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Self

import httpx2
import pytest
from sqlalchemy import text

from server.backups import NightlyBackup
from server.database import open_database
from server.settings import Settings
from storage.backup import open_backup
from storage.database import Database
from storage.presence import ENGINE_MIGRATION
from storage.repositories.notifications import NotificationDraft
from tests.server.application.conftest import (
    SEENBY,
    ServeProcess,
    Workspace,
    environment,
    fork_seenby,
    make_workspace,
)
from tests.webhook_receiver import open_receiver

WRITES_A_SECOND = 20
WRITERS = 4
"""Threads that share the rate: one that waits for an answer does not hold the others."""


@dataclass(frozen=True)
class Databases:
    """Where a drill backs up from, and how it gets further empty places to restore to."""

    source: Workspace
    make_empty: Callable[[], Workspace]


def elsewhere(workspace: Workspace, folder: Path, **variables: str) -> Workspace:
    """The same settings over another, empty data folder; secrets come along, as an operator keeps them apart."""
    folder.mkdir()
    for secret in workspace.folder.rglob("*.key"):
        (folder / secret.name).write_bytes(secret.read_bytes())
    environ = {**workspace.environ, "SEENBY_DATA_DIR": str(folder), **variables}
    return Workspace(environ, folder, workspace.keys)


@pytest.fixture(params=["sqlite", "postgresql"])
def databases(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Databases]:
    """A workspace with numbers on each kind of database."""
    numbers = count()
    if request.param == "sqlite":
        source: Workspace = request.getfixturevalue("workspace")
        yield Databases(source, lambda: elsewhere(source, tmp_path / f"elsewhere{next(numbers)}"))
        return
    url: str = request.getfixturevalue("empty_postgres")
    if shutil.which("pg_dump") is None:
        pytest.skip("pg_dump is not installed")
    names = [f"seenby_restored_{secrets.token_hex(4)}" for _ in range(2)]
    plain = url.replace("+asyncpg", "")
    other_urls = [f"{plain.rpartition('/')[0]}/{name}" for name in names]
    execute(plain, *(f"CREATE DATABASE {name}" for name in names))
    try:
        folder = tmp_path / "own"
        environ = environment(folder / "data", SEENBY_DATABASE_URL=plain)
        made = make_workspace(environ, folder)
        remaining = iter(other_urls)
        yield Databases(
            made,
            lambda: elsewhere(
                made, tmp_path / f"elsewhere{next(numbers)}", SEENBY_DATABASE_URL=next(remaining)
            ),
        )
    finally:
        execute(plain, *(f"DROP DATABASE {name} WITH (FORCE)" for name in names))


def execute(url: str, *statements: str) -> None:
    """Run statements on a PostgreSQL database, each on its own."""
    asyncpg = pytest.importorskip("asyncpg")

    async def run() -> None:
        connection = await asyncpg.connect(url, timeout=10)
        for statement in statements:
            await connection.execute(statement)
        await connection.close()

    asyncio.run(run())


def exported(place: Workspace) -> set[str]:
    """Everything of a company but when monitors look next, line by line; the first line says when it was exported."""
    done = place.seenby("export", "everything")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()[1:]
    return {line for line in lines if json.loads(line).get("table") != "monitor_schedules"}


@pytest.mark.parametrize("databases", ["postgresql"], indirect=True)
async def test_a_backup_waits_for_migrations_of_the_run_engine(databases: Databases, tmp_path: Path) -> None:
    source, file = databases.source, tmp_path / "one.backup"
    holds = "SELECT pid FROM pg_locks JOIN pg_database ON oid = database WHERE datname = current_database() AND locktype = 'advisory'"
    asks = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> :own AND query LIKE 'SELECT pg_try_advisory_lock(%'"
    async with open_database(Settings.from_environ(source.environ)) as database:

        async def found(statement: str, **values: object) -> object:
            async with database.writing() as connection:  # one transaction would be told the same each time
                return await connection.scalar(text(statement), values)

        async with database.presence.alone(ENGINE_MIGRATION):
            own = await found(holds)
            making = asyncio.create_task(asyncio.to_thread(source.seenby, "backup", str(file)))
            while not await found(asks, own=own):
                assert not making.done(), making.result()
                await asyncio.sleep(0.05)
        made = await making
    assert made.returncode == 0, made.stderr
    assert file.exists()


async def test_nightly_backups_can_be_restored_and_only_the_newest_are_kept(
    database: Database, tmp_path: Path
) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    variables = {"SEENBY_BACKUP_FOLDER": str(folder), "SEENBY_BACKUPS_KEPT": "2"}
    settings = Settings.from_environ({"SEENBY_DATA_DIR": str(tmp_path), **variables})
    other = folder / "seenby-today.backup"
    other.write_bytes(b"made by hand")
    nights = [datetime(2026, 3, day, 2, 23, tzinfo=UTC) for day in (1, 2, 3)]
    for night in nights:
        await NightlyBackup(settings, database, folder, lambda night=night: night).back_up()
    kept = sorted(folder.iterdir())
    assert [file.name for file in kept] == [
        "seenby-2026-03-02-022300.backup",
        "seenby-2026-03-03-022300.backup",
        other.name,
    ]
    with open_backup(kept[1], tmp_path) as (manifest, copy):
        assert copy.stat().st_size == manifest.size


WRITTEN_BY_MONITORS = ("monitor_results", "issues", "company_notifications")
"""What a service writes by the clock while it serves."""


class Writer:
    """Makes prompt sets at a steady rate until it is stopped, each over REST with a key of its own."""

    def __init__(self, url: str, keys: Sequence[str]) -> None:
        self.statuses = list[int]()
        self._url, self._keys = url, keys
        self._stopping = threading.Event()
        self._threads = [threading.Thread(target=self._write, args=(number,)) for number in range(WRITERS)]

    def _write(self, first: int) -> None:
        with httpx2.Client(base_url=self._url) as client:
            for number in count(first, WRITERS):
                due = self.started + number / WRITES_A_SECOND
                if self._stopping.wait(max(0.0, due - time.monotonic())):
                    return
                body = {"brandId": "Toyota", "name": f"Set {number}", "prompts": [{"text": "Which car?"}]}
                headers = {"Authorization": f"Bearer {self._keys[number % len(self._keys)]}"}
                url = "/api/mcp-app/rest/create_prompt_set"
                self.statuses.append(client.post(url, json=body, headers=headers, timeout=30).status_code)

    def __enter__(self) -> Self:
        self.started = time.monotonic()
        for thread in self._threads:
            thread.start()
        self.wait_for_second()
        return self

    def wait_for_second(self) -> None:
        """Return when as many writes as are due in one second were answered, however slow the machine is."""
        enough = len(self.statuses) + WRITES_A_SECOND
        while len(self.statuses) < enough and any(thread.is_alive() for thread in self._threads):
            self._stopping.wait(0.05)

    def __exit__(self, *failure: object) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join()


def test_a_backup_under_load_restores_without_a_difference(
    databases: Databases, serve: ServeProcess, tmp_path: Path
) -> None:
    file, source = tmp_path / "one.backup", databases.source
    # Raw answers of the sample are old enough for the sweeper, which would make the source the poorer one.
    with serve(source, SEENBY_RAW_ANSWER_DAYS="0") as server:
        with Writer(server.url, source.keys) as writer:
            before = len(writer.statuses)
            made = source.seenby("backup", str(file))
            during = len(writer.statuses) - before
            writer.wait_for_second()
        assert made.returncode == 0, made.stderr
        assert "Store SEENBY_SECRET_KEY separately" in made.stderr
        assert set(writer.statuses) == {200}
        assert during > 0
        everything = exported(source)
    other = databases.make_empty()
    restored = other.seenby("restore", str(file))
    assert restored.returncode == 0, restored.stderr
    assert "differs from the backup's" not in restored.stderr
    for place in (source, other):
        verified = place.seenby("replay", "--verify", "--brand", "Toyota", "--json")
        assert verified.returncode == 0, verified.stdout
    copy = exported(other)
    assert copy <= everything, sorted(copy - everything)[:3]
    later = {json.loads(line)["table"] for line in everything - copy}
    assert {"prompt_sets", "prompts"} <= later <= {"prompt_sets", "prompts", *WRITTEN_BY_MONITORS}
    again = databases.make_empty()
    assert again.seenby("restore", str(file)).returncode == 0
    assert exported(again) == copy
    deep = json.loads(other.seenby("doctor", "--deep", "--json").stdout)
    assert deep["deep"]["damage"] == []
    assert deep["deep"]["brandsThatDoNotHold"] == 0
    assert deep["workPausedSince"] is not None


def test_a_restored_copy_does_no_work_until_it_is_resumed(
    workspace: Workspace, serve: ServeProcess, tmp_path: Path
) -> None:
    with open_receiver() as receiver:
        private = {"SEENBY_ALLOW_PRIVATE_SITES": "on"}
        added = workspace.seenby("webhooks", "add", receiver.url, **private)
        assert added.returncode == 0, added.stderr
        asyncio.run(raise_notification(workspace))
        file = tmp_path / "one.backup"
        assert workspace.seenby("backup", str(file)).returncode == 0
        other = elsewhere(workspace, tmp_path / "elsewhere")
        restored = other.seenby("restore", str(file), "--json")
        assert json.loads(restored.stdout)["paused"] is True
        assert "seenby resume" in restored.stderr
        with serve(other, **private) as server:
            while "work is paused since" not in server.log.read_text(encoding="utf-8"):
                assert server.process.poll() is None
            listed = other.seenby("webhooks", "deliveries", "--json")
            assert [one["state"] for one in json.loads(listed.stdout)["deliveries"]] == ["queued"]
            assert "paused" in other.seenby("doctor").stdout
            assert receiver.requests == []
            assert json.loads(other.seenby("resume", "--json").stdout) == {"resumed": True}
            assert receiver.arrived.wait(60)
        assert json.loads(other.seenby("resume", "--json").stdout) == {"resumed": False}
        moved = elsewhere(workspace, tmp_path / "moved")
        assert json.loads(moved.seenby("restore", str(file), "--resume", "--json").stdout)["paused"] is False
        assert "paused" not in moved.seenby("doctor").stdout


def test_a_restored_copy_is_paused_even_when_the_restore_is_killed(
    databases: Databases, tmp_path: Path
) -> None:
    file = tmp_path / "one.backup"
    assert databases.source.seenby("backup", str(file)).returncode == 0
    other = databases.make_empty()
    killed = fork_seenby(["restore", str(file)], other.environ, other.folder, tmp_path / "told")
    deadline = time.monotonic() + 60
    while not is_there(other) and time.monotonic() < deadline:
        assert killed.poll() is None
    killed.kill()
    killed.wait()
    assert is_there(other)
    shown = other.seenby("doctor", "--json")
    assert json.loads(shown.stdout)["workPausedSince"] is not None, shown.stderr
    assert exported(other)


def is_there(place: Workspace) -> bool:
    """Tell whether a database has arrived, without opening it as the program does."""
    named = "companies"
    url = place.environ.get("SEENBY_DATABASE_URL")
    if url is None:
        with closing(sqlite3.connect(place.folder / "seenby.db", timeout=60)) as connection:
            query = "SELECT 1 FROM sqlite_master WHERE name = ?"
            return connection.execute(query, (named,)).fetchone() is not None
    command = ["psql", url, "-Atc", f"SELECT to_regclass('{named}')"]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip() == named


async def raise_notification(workspace: Workspace) -> None:
    """Tell the company something, as a run or a monitor does."""
    settings = Settings.from_environ(workspace.environ)
    async with open_database(settings) as database:
        [company] = await database.operators.companies.all()
        async with database.transaction(company.id) as writing:
            draft = NotificationDraft("system_alert", "info", "Title", "Message.", "told:1")
            await writing.notifications.add(draft, datetime.now(UTC))


def test_a_restore_overwrites_nothing_and_says_where_to_restore(workspace: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "one.backup"
    assert workspace.seenby("backup", str(file)).returncode == 0
    refused = workspace.seenby("restore", str(file))
    assert refused.returncode == 1
    assert "overwrites nothing" in refused.stderr
    assert "SEENBY_DATABASE_URL" in refused.stderr


def test_other_secrets_are_named_with_what_they_are_needed_for(workspace: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "one.backup"
    assert workspace.seenby("backup", str(file)).returncode == 0
    other = elsewhere(workspace, tmp_path / "elsewhere")
    (other.folder / "secret.key").unlink()
    restored = other.seenby("restore", str(file))
    assert restored.returncode == 0
    assert "SEENBY_SECRET_KEY differs from the backup's" in restored.stderr
    assert "engine keys" in restored.stderr


def test_a_backup_is_private_and_replaces_no_file(workspace: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "one.backup"
    assert workspace.seenby("backup", str(file)).returncode == 0
    assert file.stat().st_mode & 0o077 == 0
    before = file.read_bytes()
    assert "exists already" in workspace.seenby("backup", str(file)).stderr
    assert file.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {file.name, workspace.folder.name}


def test_leftovers_of_killed_backups_are_removed_by_the_next_one(
    databases: Databases, tmp_path: Path
) -> None:
    source, folder = databases.source, tmp_path / "backups"
    folder.mkdir()
    killed = killed_once_it_wrote(source, folder, "backup", str(folder / "one.backup"))
    assert not (folder / "one.backup").exists(), killed
    assert list(folder.glob("*.backup")) == []
    left = list(folder.iterdir())
    assert all(path.name.startswith(".seenby-backup-") for path in left), left
    assert source.seenby("backup", str(folder / "two.backup")).returncode == 0
    assert [path.name for path in folder.iterdir()] == ["two.backup"]
    other = databases.make_empty()
    killed_once_it_wrote(other, other.folder, "restore", str(folder / "two.backup"))
    again = other.seenby("restore", str(folder / "two.backup"))
    assert (again.returncode == 0) or "is in use" in again.stderr, again.stderr
    if again.returncode == 0:
        assert list(other.folder.glob(".seenby-backup-*")) == []


def killed_once_it_wrote(place: Workspace, folder: Path, *command: str) -> list[Path]:
    """Start a command and kill it as soon as it has a folder to work in; return what it left."""
    started = fork_seenby(command, place.environ, place.folder, place.folder / "told")
    while started.poll() is None and not list(folder.glob(".seenby-backup-*/*")):
        pass
    started.kill()
    started.wait()
    left = list(folder.glob(".seenby-backup-*"))
    assert left, "it had ended before it was killed"
    return left


@pytest.mark.parametrize("harm", ["cut", "changed", "foreign"])
def test_a_damaged_backup_is_refused_and_leaves_nothing(
    workspace: Workspace, tmp_path: Path, harm: str
) -> None:
    file = tmp_path / "one.backup"
    assert workspace.seenby("backup", str(file)).returncode == 0
    content = bytearray(file.read_bytes())
    if harm == "cut":
        content = content[: len(content) // 2]
    elif harm == "changed":
        content[len(content) // 2] ^= 1
    else:
        content = bytearray(b"not a backup")
    file.write_bytes(content)
    other = elsewhere(workspace, tmp_path / "elsewhere")
    refused = other.seenby("restore", str(file))
    assert (refused.returncode, "Traceback" in refused.stderr) == (1, False)
    assert "Nothing was restored." in refused.stderr
    assert json.loads(other.seenby("company", "list", "--json").stdout) == []


def test_a_restore_that_finds_no_room_names_the_folder_and_not_the_backup(
    workspace: Workspace, tmp_path: Path
) -> None:
    file = tmp_path / "one.backup"
    assert workspace.seenby("backup", str(file)).returncode == 0
    other = elsewhere(workspace, tmp_path / "elsewhere")
    command = ["bash", "-c", 'ulimit -f 200; exec "$@"', "limited", SEENBY, "restore", str(file)]
    refused = subprocess.run(
        command, cwd=other.folder, env=other.environ, capture_output=True, text=True, timeout=60
    )
    assert refused.returncode == 1
    assert f"cannot be unpacked in {other.folder}: File too large" in refused.stderr
    assert [path.name for path in other.folder.iterdir() if path.is_dir()] == []


def test_a_backup_of_a_newer_program_says_which_to_install(workspace: Workspace, tmp_path: Path) -> None:
    file, changed = tmp_path / "one.backup", tmp_path / "newer.backup"
    assert workspace.seenby("backup", str(file)).returncode == 0
    with tarfile.open(file) as source, tarfile.open(changed, "w:") as target:
        for member in source.getmembers():
            body = source.extractfile(member)
            assert body is not None
            content = body.read()
            if member.name == "manifest.json":
                content = json.dumps({**json.loads(content), "revision": "9999", "program": "7.0.0"}).encode()
            (tmp_path / member.name).write_bytes(content)
            target.add(tmp_path / member.name, member.name)
    refused = elsewhere(workspace, tmp_path / "elsewhere").seenby("restore", str(changed))
    assert refused.returncode == 1
    assert "Install seenby 7.0.0" in refused.stderr


def test_a_downgrade_is_refused_and_says_what_to_do(workspace: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "one.backup"
    assert workspace.seenby("backup", str(file)).returncode == 0
    other = elsewhere(workspace, tmp_path / "elsewhere")
    assert other.seenby("restore", str(file)).returncode == 0
    with sqlite3.connect(other.folder / "seenby.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    refused = other.seenby("company", "list")
    assert refused.returncode == 1
    assert "schema 9999" in refused.stderr
    assert "restore a backup" in refused.stderr

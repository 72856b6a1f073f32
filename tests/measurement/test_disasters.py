"""What a command says when the database is locked, full, read-only or no database at all."""

import random
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from tests.measurement.conftest import Acme, Asked, Peer, Reply, Seenby


def expect_a_sentence(done: Any, words: str) -> None:
    assert done.code == 1, done
    assert "Traceback" not in done.err
    assert words in done.err, done.err
    assert done.err.splitlines()[-1].startswith("error: ")


def file_of(seenby: Seenby) -> Path:
    return Path(seenby.environment["SEENBY_DATABASE_URL"].partition("///")[2])


def test_a_database_that_another_process_keeps_locked_is_reported_and_can_still_be_read(
    acme: Acme, peer: Peer
) -> None:
    url = acme.seenby.environment["SEENBY_DATABASE_URL"] + "?timeout=0.3"
    writer = sqlite3.connect(file_of(acme.seenby), isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    try:
        expect_a_sentence(
            acme.seenby("probe", "--brand", "Acme", SEENBY_DATABASE_URL=url), "it stayed locked"
        )
        assert acme.seenby("brand", "list", SEENBY_DATABASE_URL=url).code == 0
    finally:
        writer.close()
    assert peer.asked == []


def test_a_disk_that_fills_up_during_a_probe_ends_it_and_what_was_stored_is_kept(
    acme: Acme, peer: Peer, saying: Callable[..., Reply], rows: Callable[[str], int]
) -> None:
    noise = random.Random(3)
    reply = saying("Acme leads. " + "".join(noise.choices("abcdefghijklmnop ", k=40_000)))

    def script(_: Asked) -> Any:
        return reply

    peer.script = script
    sizes = [path.stat().st_size for path in file_of(acme.seenby).parent.glob("seenby.db*") if path.is_file()]
    done = acme.seenby("probe", "--brand", "Acme", "--repeats", "8", largest_file=max(sizes))
    expect_a_sentence(done, "the disk is full or cannot be written")
    stored, asked = rows("answers"), len(peer.asked)
    assert 0 < stored < 48
    report = acme.measured("--repeats", "8")
    assert (report["resumed"], report["stored"]) == (True, 48)
    assert len(peer.asked) - asked == 48 - stored


@pytest.fixture
def small_disk(tmp_path: Path) -> Generator[Path]:
    """A disk of its own, that can be taken away from writers."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder], capture_output=True)
    if made.returncode:
        pytest.skip("a file system cannot be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_read_only_database_is_reported(acme: Acme, small_disk: Path) -> None:
    source = file_of(acme.seenby)
    with sqlite3.connect(source) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    shutil.copy(source, small_disk / "seenby.db")
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    url = f"sqlite+aiosqlite:///{small_disk}/seenby.db"
    done = acme.seenby("probe", "--brand", "Acme", SEENBY_DATABASE_URL=url)
    assert done.code == 1
    assert "Traceback" not in done.err
    assert "read-only" in done.err or "cannot be opened" in done.err


def test_a_file_that_is_no_database_is_reported(seenby: Seenby, tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("This is no database. " * 500)
    url = f"sqlite+aiosqlite:///{tmp_path}/text.db"
    expect_a_sentence(seenby("company", "list", SEENBY_DATABASE_URL=url), "damaged or is not a database")


def test_a_server_that_does_not_answer_is_reported(seenby: Seenby) -> None:
    url = "postgresql://postgres@127.0.0.1:9/none"
    expect_a_sentence(seenby("company", "list", SEENBY_DATABASE_URL=url), "the server does not answer")


def test_a_database_that_the_server_has_not_is_reported(seenby: Seenby, postgres: str) -> None:
    url = postgres.rpartition("/")[0] + "/seenby_nowhere"
    expect_a_sentence(seenby("company", "list", SEENBY_DATABASE_URL=url), "there is no such database")

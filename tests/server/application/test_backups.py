"""Backups: made while the service writes, restored elsewhere, with every receipt verified there."""

import json
import sqlite3
import tarfile
import threading
from pathlib import Path

import httpx2
import pytest

from tests.server.application.conftest import ServeProcess, Workspace

WRITES_A_SECOND = 20


def elsewhere(workspace: Workspace, folder: Path) -> Workspace:
    """The same settings over another, empty data folder; secrets come along, as an operator keeps them apart."""
    folder.mkdir()
    for secret in workspace.folder.rglob("*.key"):
        (folder / secret.name).write_bytes(secret.read_bytes())
    return Workspace({**workspace.environ, "SEENBY_DATA_DIR": str(folder)}, folder, workspace.keys)


def test_a_backup_under_load_restores_without_a_difference(
    workspace: Workspace, serve: ServeProcess, tmp_path: Path
) -> None:
    file, stopping, written = tmp_path / "one.backup", threading.Event(), list[int]()
    with serve(workspace) as server:

        def write() -> None:
            with httpx2.Client(base_url=server.url) as client:
                while not stopping.wait(1 / WRITES_A_SECOND):
                    body = {
                        "brandId": "Toyota",
                        "name": f"Set {len(written)}",
                        "prompts": [{"text": "Which car?"}],
                    }
                    number = len(written) % len(workspace.keys)
                    headers = {"Authorization": f"Bearer {workspace.keys[number]}"}
                    url = "/api/mcp-app/rest/create_prompt_set"
                    written.append(client.post(url, json=body, headers=headers, timeout=30).status_code)

        writer = threading.Thread(target=write)
        writer.start()
        try:
            made = workspace.seenby("backup", str(file))
        finally:
            stopping.set()
            writer.join()
    assert made.returncode == 0, made.stderr
    assert set(written) == {200}
    assert len(written) > 5
    assert "keep SEENBY_SECRET_KEY apart" in made.stderr
    other = elsewhere(workspace, tmp_path / "elsewhere")
    restored = other.seenby("restore", str(file))
    assert restored.returncode == 0, restored.stderr
    assert "is another one" not in restored.stderr
    for place in (workspace, other):
        verified = place.seenby("replay", "--verify", "--brand", "Toyota", "--json")
        assert verified.returncode == 0, verified.stdout
    scores = [
        place.seenby("export", "everything").stdout.splitlines()
        for place in (other, elsewhere_again(workspace, tmp_path, file))
    ]
    assert scores[0][1:] == scores[1][1:]
    deep = other.seenby("doctor", "--deep", "--json")
    checks = json.loads(deep.stdout)["deep"]
    assert checks["damage"] == []
    assert checks["brandsThatDoNotHold"] == 0


def elsewhere_again(workspace: Workspace, tmp_path: Path, file: Path) -> Workspace:
    """A second restore of the same file."""
    other = elsewhere(workspace, tmp_path / "again")
    assert other.seenby("restore", str(file)).returncode == 0
    return other


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
    assert "SEENBY_SECRET_KEY is another one" in restored.stderr
    assert "engine keys" in restored.stderr


def test_a_backup_is_private_and_replaces_no_file(workspace: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "one.backup"
    assert workspace.seenby("backup", str(file)).returncode == 0
    assert file.stat().st_mode & 0o077 == 0
    before = file.read_bytes()
    assert "exists already" in workspace.seenby("backup", str(file)).stderr
    assert file.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {file.name, workspace.folder.name}


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

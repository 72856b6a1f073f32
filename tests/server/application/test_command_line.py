"""The command line itself: its list, its version, its JSON, the company it acts for, and what a start costs."""

import json
import re
import socket
import sqlite3
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from server.cli.main import COMMANDS, load_command
from tests.server.application.conftest import Workspace

MOST_MODULES_OF_HELP = 220
SEENBY = str(Path(sys.executable).with_name("seenby"))
HEAVY = (
    "dbos",
    "mcp",
    "readiness",
    "tools",
    "web",
    "engines.registry",
    "workflows.engine",
    "starlette",
    "lxml",
)
READS = (
    ("company", "list"),
    ("keys", "list"),
    ("clients", "list"),
    ("brand", "list"),
    ("batches", "list"),
    ("budget", "show"),
    ("credits", "statement"),
)
PROGRAM = """
import sys
sys.argv = ["seenby", *sys.argv[2:]]
heavy = sys.stdin.read().split()
from server.cli.main import main
try:
    main()
except SystemExit as ending:
    assert not ending.code, ending.code
names = " ".join(name for name in heavy if name in sys.modules)
sys.stderr.write(f"loaded: {names} {len(sys.modules)}")
"""


def loaded(prepared: Workspace, heavy: tuple[str, ...], *command: str) -> tuple[str, int]:
    """Return which of the heavy modules a command loads, and how many modules in all."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "-", *command],
        input=" ".join(heavy),
        env=prepared.environ,
        capture_output=True,
        text=True,
        timeout=60,
    )
    names, _, count = done.stderr.splitlines()[-1].removeprefix("loaded:").rpartition(" ")
    return names.strip(), int(count)


@pytest.mark.parametrize("command", READS, ids=" ".join)
def test_reading_commands_load_no_engine_scanner_or_server(
    command: tuple[str, ...], prepared: Workspace
) -> None:
    assert loaded(prepared, HEAVY, *command)[0] == ""


def test_help_loads_no_more_than_the_list_of_commands(prepared: Workspace) -> None:
    names, count = loaded(prepared, ("rich", "pydantic", "asyncio", "storage", "sqlalchemy"), "--help")
    assert names == ""
    assert count <= MOST_MODULES_OF_HELP


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_repeats_what_each_says_of_itself(name: str) -> None:
    assert load_command(name).help.splitlines()[0] == COMMANDS[name].summary


def test_version_is_the_packages() -> None:
    done = subprocess.run([SEENBY, "--version"], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == f"seenby {version('seenby')}\n"


def test_a_misspelled_command_is_refused_with_the_nearest_one() -> None:
    done = subprocess.run([SEENBY, "keyz", "list"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "'keys'" in done.stderr


def test_json_has_the_wires_names_and_times(workspace: Workspace) -> None:
    key = printed(workspace, "keys", "create", "--expires", "2099-01-31T01:00:00+01:00")
    assert key["expiresAt"] == "2099-01-31T00:00:00Z"
    assert key.keys() >= {"companyId", "lastUsedAt", "createdAt", "last4"}
    assert "digest" not in key
    printed(workspace, "credits", "grant", "5")
    records = [
        *printed(workspace, "company", "list"),
        *printed(workspace, "keys", "list")[:3],
        *printed(workspace, "credits", "statement"),
    ]
    for record in records:
        assert not [name for name in record if not re.fullmatch(r"[a-z][a-zA-Z0-9]*", name)]
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", record["createdAt"])


def test_several_companies_are_listed_and_the_environment_chooses(workspace: Workspace) -> None:
    assert [brand["name"] for brand in printed(workspace, "brand", "list")][:1] == ["Toyota"]
    printed(workspace, "company", "create", "Mall", "--email", "owner@mall.example")
    refused = workspace.seenby("brand", "list")
    assert refused.returncode == 1
    assert "Acme Cars, Mall" in refused.stderr
    assert "SEENBY_COMPANY" in refused.stderr
    chosen = workspace.seenby("brand", "list", "--json", SEENBY_COMPANY="Mall")
    assert json.loads(chosen.stdout) == []


WITHOUT = """
import sys
missing = sys.argv[1]
sys.modules[missing] = None
sys.argv = ["seenby", *sys.argv[2:]]
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == missing else find(name, *rest)
from server.cli.main import main
main()
"""
EXTRAS = {
    "asyncpg": ("SEENBY_DATABASE_URL", "postgresql://127.0.0.1:9/none", "pip install 'seenby[postgres]'"),
    "redis": ("SEENBY_REDIS_URL", "redis://127.0.0.1:9/0", "pip install 'seenby[redis]'"),
}


@pytest.mark.parametrize("missing", EXTRAS)
def test_a_missing_extra_is_named_with_the_command_that_installs_it(
    missing: str, prepared: Workspace
) -> None:
    variable, value, install = EXTRAS[missing]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, missing, "doctor"],
        env={**prepared.environ, variable: value},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert install in done.stderr
    assert "Traceback" not in done.stderr


def test_a_new_database_is_readable_for_its_owner_alone(workspace: Workspace, tmp_path: Path) -> None:
    done = workspace.seenby("migrate", SEENBY_DATA_DIR=str(tmp_path / "new"))
    assert done.returncode == 0, done.stderr
    files = [
        path for path in (tmp_path / "new").iterdir() if path.name.startswith("seenby.db") and path.is_file()
    ]
    assert {path.name: oct(path.stat().st_mode & 0o077) for path in files} == {
        path.name: "0o0" for path in files
    }
    assert (tmp_path / "new" / "seenby.db") in files


def test_a_schema_with_a_column_missing_is_told_by_migrate_and_doctor(
    workspace: Workspace, tmp_path: Path
) -> None:
    folder = tmp_path / "broken"
    assert workspace.seenby("migrate", SEENBY_DATA_DIR=str(folder)).returncode == 0
    with sqlite3.connect(folder / "seenby.db") as connection:
        connection.execute("ALTER TABLE score_calculations DROP COLUMN signature")
    connection.close()
    for command in ("migrate", "doctor"):
        done = workspace.seenby(command, SEENBY_DATA_DIR=str(folder))
        assert done.returncode == 1
        joined = " ".join(done.stdout.split())
        assert "score_calculations.signature is missing" in joined, done
    done = workspace.seenby("migrate", "--json", SEENBY_DATA_DIR=str(folder))
    assert json.loads(done.stdout)["differences"] == ["column score_calculations.signature is missing"]


def test_serving_at_a_used_port_is_refused_before_it_is_announced(workspace: Workspace) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = workspace.seenby("serve", "--port", port)
    assert done.returncode == 1
    assert f"port {port} of 127.0.0.1 is in use" in done.stderr
    assert "serving on" not in done.stderr


def test_wrong_server_options_and_settings_are_all_named_at_once(
    workspace: Workspace,
) -> None:
    done = workspace.seenby("serve", "--host", "http://x", "--port", "99999", SEENBY_METRICS="yes")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "error: --port must be a whole number from 1 to 65535, not 99999",
        "error: --host must be an address or a host name without scheme and port, such as 127.0.0.1",
        "error: SEENBY_METRICS must be one of on, any-host, off",
    ]


def test_production_without_secrets_says_how_one_is_made(workspace: Workspace) -> None:
    production = {"SEENBY_ENV": "production", "SEENBY_BASE_URL": "https://seenby.example"}
    done = workspace.seenby("serve", SEENBY_DATABASE_URL="sqlite:////srv/seenby.db", **production)
    assert done.returncode == 1
    assert [line for line in done.stderr.splitlines() if line.startswith("error: ")] == [
        "error: SEENBY_SECRET_KEY is missing",
        "error: SEENBY_RECEIPT_KEY is missing",
        "error: SEENBY_OAUTH_SECRET is missing",
    ]
    assert "secrets.token_urlsafe(48)" in done.stderr.splitlines()[-1]


def test_an_engine_that_is_down_is_reported_in_one_line(workspace: Workspace) -> None:
    engine = {"platform": "gone", "baseUrl": "http://127.0.0.1:9", "model": "none"}
    arguments = ("--brand", "Toyota", "--platform", "gone", "--repeats", "1", "--yes")
    done = workspace.seenby("probe", *arguments, SEENBY_ENGINE_COMPATIBLE=json.dumps([engine]))
    assert done.returncode == 1
    lines = [line for line in done.stderr.splitlines() if line.startswith("gone:")]
    assert len(lines) == len(set(lines)) <= 2, lines


def printed(workspace: Workspace, *arguments: str) -> Any:
    """Return the JSON that a command prints, which must succeed."""
    done = workspace.seenby(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)

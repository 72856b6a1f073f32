"""`seenby doctor --deep` over installations of which one part each is broken: it names the part and exits with 1."""

import json
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.held_ports import held_port
from tests.server.application.conftest import Workspace

NOTHING: Mapping[str, str] = {}


def change(workspace: Workspace, statement: str) -> None:
    """Change the stored rows as no program of ours would."""
    with sqlite3.connect(Path(workspace.environ["SEENBY_DATA_DIR"]) / "seenby.db") as connection:
        assert connection.execute(statement).rowcount > 0
    connection.close()


def without_redis(_: Workspace, port: int) -> Mapping[str, str]:
    return {"SEENBY_REDIS_URL": f"redis://127.0.0.1:{port}/0"}


def without_mail(_: Workspace, port: int) -> Mapping[str, str]:
    return {
        "SEENBY_SMTP_HOST": "127.0.0.1",
        "SEENBY_SMTP_PORT": str(port),
        "SEENBY_SMTP_FROM": "seenby@zentrix.example",
        "SEENBY_SMTP_SECURITY": "none",
    }


def with_another_secret(workspace: Workspace, port: int) -> Mapping[str, str]:
    private = {"SEENBY_ALLOW_PRIVATE_SITES": "on"}
    added = workspace.seenby("webhooks", "add", f"http://127.0.0.1:{port}/hook", **private)
    assert added.returncode == 0, added.stderr
    return {"SEENBY_SECRET_KEY": "another-secret-that-is-long-enough-to-be-taken-0123456789"}


def with_another_number(workspace: Workspace, _: int) -> Mapping[str, str]:
    change(workspace, "UPDATE mentions SET occurrences = occurrences + 1")
    return NOTHING


def with_an_orphan(workspace: Workspace, _: int) -> Mapping[str, str]:
    change(workspace, "UPDATE prompts SET prompt_set_key = 4711 WHERE key = (SELECT min(key) FROM prompts)")
    return NOTHING


@pytest.mark.parametrize(
    ("broken", "finding", "words"),
    [
        (without_redis, "redis", "is SEENBY_REDIS_URL right, and is it running?"),
        (without_mail, "mail", "check SEENBY_SMTP_HOST"),
        (with_another_secret, "webhooksThatDoNotOpen", "1"),
        (with_another_number, "brandsThatDoNotHold", "1"),
        (with_an_orphan, "damage", "a row of prompts refers to no row of prompt_sets"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_broken_is_named_and_the_command_exits_with_1(
    workspace: Workspace, broken: Callable[[Workspace, int], Mapping[str, str]], finding: str, words: str
) -> None:
    with held_port() as unused:
        variables = broken(workspace, unused)
        done = workspace.seenby("doctor", "--deep", "--json", **variables)
    assert done.returncode == 1, done.stdout
    found = json.loads(done.stdout)["deep"]
    assert words in str(found[finding])
    sound: dict[str, object] = {"redis": "not set", "mail": "not set", "damage": []}
    others = ("redis", "mail", "damage", "brandsThatDoNotHold", "webhooksThatDoNotOpen")
    assert {name: found[name] for name in others if name != finding} == {
        name: sound.get(name, 0) for name in others if name != finding
    }


def test_a_sound_installation_is_told_in_words_and_exits_with_0(workspace: Workspace) -> None:
    done = workspace.seenby("doctor", "--deep")
    assert done.returncode == 0, done.stderr
    told = [line.split("  ")[0] for line in done.stdout.splitlines()]
    assert {"brands that do not hold", "disk nearly full", "WordPress sites that do not open"} <= set(told)
    assert not [line for line in told if line.isidentifier() and line != line.lower()]

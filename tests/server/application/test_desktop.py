"""`seenby stdio` as a desktop client uses it."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SEENBY = str(Path(sys.executable).with_name("seenby"))
INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "t", "version": "1"},
}


def request(identifier: int, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}


def piped(
    environ: dict[str, str], *messages: dict[str, Any], command: Sequence[str] = (SEENBY, "stdio")
) -> tuple[int, dict[int, Any], str]:
    """Send everything at once and close; return exit code, answers by id, and what was said to the person."""
    done = subprocess.run(
        command,
        input="".join(json.dumps(message) + "\n" for message in messages),
        env={"PATH": os.environ["PATH"], **environ},
        capture_output=True,
        text=True,
        timeout=90,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return done.returncode, {answer["id"]: answer for answer in answers}, done.stderr


def test_every_request_of_a_pipe_that_closed_is_answered(
    tmp_path: Path,
) -> None:
    code, answers, _ = piped(
        {"SEENBY_DATA_DIR": str(tmp_path)},
        request(1, "initialize", **INITIALIZE),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        request(2, "tools/list"),
        request(3, "tools/call", name="get_agentic_readiness_methodology", arguments={}),
        request(4, "resources/list"),
    )
    assert code == 0
    assert answers.keys() == {1, 2, 3, 4}
    assert answers[1]["result"]["serverInfo"]["name"] == "seenby"
    assert answers[3].get("result", answers[3]).get("isError") is False, answers[3]
    assert answers[4]["result"]["resources"]


def test_a_rejected_key_is_reported_on_standard_error_and_by_the_exit_code(tmp_path: Path) -> None:
    code, answers, output = piped(
        {"SEENBY_DATA_DIR": str(tmp_path), "SEENBY_API_KEY": "sk_live_unknown"},
        request(1, "initialize", **INITIALIZE),
        request(2, "tools/list"),
    )
    assert (code, answers) == (1, {})
    assert "SEENBY_API_KEY: Invalid API key" in output
    assert "Traceback" not in output
    assert output.endswith("hint: Make one with: seenby keys create\n")


def test_a_database_that_does_not_answer_is_reported_the_same_way(tmp_path: Path) -> None:
    code, answers, output = piped(
        {"SEENBY_DATA_DIR": str(tmp_path), "SEENBY_DATABASE_URL": "postgresql://127.0.0.1:9/none"},
        request(1, "initialize", **INITIALIZE),
    )
    assert (code, answers) == (1, {})
    assert "the server does not answer" in output


WITHOUT_POSIX = """
import builtins, sys
POSIX = {"fcntl", "grp", "pwd", "resource", "termios", "uvloop"}
ASK_FOR_THE_PLATFORM = {"mcp"} | sys.stdlib_module_names
original = builtins.__import__

def refusing(name, globals=None, *others, **named):
    importer = (globals or {}).get("__name__", "").partition(".")[0]
    if name in POSIX and importer not in ASK_FOR_THE_PLATFORM:
        raise ImportError(f"{importer} needs {name}")
    return original(name, globals, *others, **named)

builtins.__import__ = refusing
sys.argv = ["seenby", "stdio"]
from server.cli.main import main
main()
"""


def test_stdio_serves_where_posix_modules_are_missing(tmp_path: Path) -> None:
    code, answers, output = piped(
        {"SEENBY_DATA_DIR": str(tmp_path)},
        request(1, "initialize", **INITIALIZE),
        request(2, "tools/call", name="get_agentic_readiness_methodology", arguments={}),
        command=(sys.executable, "-c", WITHOUT_POSIX),
    )
    assert (code, answers.keys()) == (0, {1, 2}), output
    assert answers[2]["result"]["isError"] is False


def test_a_session_with_a_key_sees_later_changes(
    tmp_path: Path,
) -> None:
    environ = {"PATH": os.environ["PATH"], "SEENBY_DATA_DIR": str(tmp_path)}

    def seenby(*words: str) -> str:
        return subprocess.run(
            [SEENBY, *words], env=environ, capture_output=True, text=True, check=True, timeout=60
        ).stdout

    seenby("company", "create", "Acme", "--email", "owner@acme.example")
    key = json.loads(seenby("keys", "create", "--description", "desktop", "--json"))["key"]
    listed: dict[str, Any] = {"name": "list_brand_profiles", "arguments": {}}
    with subprocess.Popen(
        [SEENBY, "stdio"],
        env={**environ, "SEENBY_API_KEY": key},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as session:
        assert session.stdin is not None
        assert session.stdout is not None

        def ask(number: int, method: str, **params: Any) -> Any:
            assert session.stdin is not None
            assert session.stdout is not None
            session.stdin.write(json.dumps(request(number, method, **params)) + "\n")
            session.stdin.flush()
            return json.loads(session.stdout.readline())["result"]

        ask(1, "initialize", **INITIALIZE)
        totals: list[int] = []
        for number in range(2, 5):
            totals.append(ask(number, "tools/call", **listed)["structuredContent"]["total"])
            seenby("call", "create_brand_profile", "--name", f"Brand {number}")
        totals.append(ask(9, "tools/call", **listed)["structuredContent"]["total"])
        session.stdin.close()
        session.wait(60)
    assert totals == [0, 1, 2, 3]

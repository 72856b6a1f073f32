"""Commands where modules and signals of POSIX are missing, as on Windows; the real systems run in the workflows."""

import json
import subprocess
import sys

import pytest

from tests.server.application.conftest import Workspace
from tests.test_packaging import PACKAGES

WINDOWS = """
import asyncio
import builtins
import sys
import_module = builtins.__import__
def import_as_there(name, globals=None, locals=None, fromlist=(), level=0):
    ours = str((globals or {}).get("__name__")).partition(".")[0] in PACKAGES
    if ours and name in ("fcntl", "grp", "pwd", "resource", "termios", "tty", "uvloop"):
        raise ModuleNotFoundError(name)
    return import_module(name, globals, locals, fromlist, level)
PACKAGES = sys.argv.pop(1).split(",")
builtins.__import__ = import_as_there
def refuse(*arguments):
    raise NotImplementedError
asyncio.unix_events._UnixSelectorEventLoop.add_signal_handler = refuse
sys.argv = ["seenby", *sys.argv[1:]]
from server.cli.main import main
main()
"""
GREETING = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "desktop", "version": "1"},
}
MESSAGES = (
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": GREETING},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
)


@pytest.mark.skipif(sys.platform == "win32", reason="the real thing needs no imitation")
def test_stdio_and_commands_need_no_module_or_signal_of_posix(prepared: Workspace) -> None:
    command = [sys.executable, "-c", WINDOWS, ",".join(PACKAGES)]
    with subprocess.Popen(
        [*command, "stdio"], env=prepared.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write("".join(json.dumps(message) + "\n" for message in MESSAGES))
        server.stdin.flush()
        replies = (json.loads(line) for line in server.stdout)
        listed = next(reply["result"]["tools"] for reply in replies if reply.get("id") == 2)
        server.stdin.close()
        assert server.wait(60) == 0
    assert {"get_ai_visibility_score", "list_brand_profiles"} <= {tool["name"] for tool in listed}
    done = subprocess.run(
        [*command, "brand", "list", "--json"],
        env=prepared.environ,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "Toyota" in [brand["name"] for brand in json.loads(done.stdout)], done.stderr

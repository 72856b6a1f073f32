"""Other people's suites: the public conformance suite and MCP Inspector, run with Node."""

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.conftest import NodeHome
from tests.server.conftest import Running

HERE = Path(__file__).parent
LONGEST_RUN_SECONDS = 240
Node = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def node(node_home: NodeHome) -> Node:
    """Run a suite's program by its path below node_modules."""

    def run(program: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            node_home.command(program, *arguments),
            cwd=cwd,
            env=node_home.environment,
            capture_output=True,
            text=True,
            timeout=LONGEST_RUN_SECONDS,
        )

    return run


CONFORMANCE = "@modelcontextprotocol/conformance/dist/index.js"


@pytest.fixture(scope="module")
def fixtures_url() -> Generator[str]:
    """The test-only application with the suite's fixtures, in a process of its own."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        descriptor = listener.fileno()
        command = [sys.executable, str(HERE / "conformance_app.py"), str(descriptor)]
        with subprocess.Popen(command, pass_fds=[descriptor], stderr=subprocess.DEVNULL) as process:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
            process.terminate()


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25", "2026-07-28"])
def test_the_conformance_suite_passes(node: Node, fixtures_url: str, tmp_path: Path, version: str) -> None:
    expected = HERE / "conformance" / f"{version}.yml"
    arguments = ("--suite", "all", "--spec-version", version, "--expected-failures", str(expected))
    ran = node(CONFORMANCE, "server", "--url", fixtures_url, *arguments, "-o", str(tmp_path), cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-1000:]
    assert "passed" in ran.stdout


@pytest.fixture(scope="module")
def signed_in(serve_all: Callable[[ASGIApp], Running], app_of: Callable[..., ASGIApp]) -> Running:
    """The service behind a hand that adds a key: one scenario calls the first tool, and can send none."""
    app = app_of()

    async def with_key(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope["headers"] = [*scope["headers"], (b"authorization", b"Bearer good")]
        await app(scope, receive, send)

    return serve_all(with_key)


REAL_SCENARIOS = [
    *(("2025-06-18", name) for name in ("server-initialize", "ping", "tools-list", "resources-list")),
    ("2025-11-25", "dns-rebinding-protection"),
    *(
        ("2026-07-28", name)
        for name in (
            "tools-list",
            "resources-list",
            "dns-rebinding-protection",
            "http-header-validation",
            "sep-2164-resource-not-found",
            "server-sse-multiple-streams",
        )
    ),
]


@pytest.mark.parametrize("path", ["/mcp", "/api/mcp-app"])
@pytest.mark.parametrize(("version", "scenario"), REAL_SCENARIOS)
def test_the_service_itself_passes_what_applies_to_it(
    node: Node, signed_in: Running, tmp_path: Path, version: str, scenario: str, path: str
) -> None:
    arguments = ("--url", signed_in.url + path, "--spec-version", version, "--scenario", scenario)
    ran = node(CONFORMANCE, "server", *arguments, "-o", str(tmp_path), cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-1000:]


INSPECTOR = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
KEY = ("--header", "Authorization: Bearer good")


def inspect(node: Node, tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return node(INSPECTOR, "--cli", *arguments, "--stored-auth-only", cwd=tmp_path)


@pytest.mark.parametrize("path", ["/mcp", "/api/mcp-app"])
@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_inspector_lists_and_calls_over_http(
    node: Node, service: Running, tmp_path: Path, era: str, path: str
) -> None:
    target = (service.url + path, "--transport", "http", "--protocol-era", era, *KEY)
    listed = inspect(node, tmp_path, *target, "--method", "tools/list", "--strict")
    assert listed.returncode == 0, listed.stderr
    assert "get_credits" in {tool["name"] for tool in json.loads(listed.stdout)["tools"]}
    called = inspect(node, tmp_path, *target, "--method", "tools/call", "--tool-name", "get_credits")
    assert called.returncode == 0, called.stderr
    assert json.loads(called.stdout)["structuredContent"]["available"] == 12.5


def test_inspector_lists_and_calls_over_stdio(node: Node, tmp_path: Path) -> None:
    target = (sys.executable, str(HERE / "stdio_process.py"), "company", "--stdio")
    listed = inspect(node, tmp_path, *target, "--method", "tools/list")
    assert listed.returncode == 0, listed.stderr
    assert len(json.loads(listed.stdout)["tools"]) == 2
    called = inspect(node, tmp_path, *target, "--method", "tools/call", "--tool-name", "get_credits")
    assert called.returncode == 0, called.stderr
    assert json.loads(called.stdout)["structuredContent"] == {"available": 12.5}

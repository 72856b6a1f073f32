"""The public conformance suite on the whole application, with its catalogue, prompts, resources and pages."""

import subprocess
from pathlib import Path

import pytest

from tests.conftest import NodeHome
from tests.server.application.conftest import Server

CONFORMANCE = "@modelcontextprotocol/conformance/dist/index.js"
EXPECTED = Path(__file__).parents[1] / "conformance" / "whole.yml"
LONGEST_RUN_SECONDS = 120


@pytest.mark.parametrize("path", ["/mcp", "/api/mcp-app"])
@pytest.mark.parametrize(
    ("scenario", "passed"), [("server-stateless", 21), ("caching", 8), ("prompts-list", 2)]
)
def test_the_whole_application_passes_what_the_newest_version_asks(
    application: Server, node_home: NodeHome, tmp_path: Path, scenario: str, passed: int, path: str
) -> None:
    command = node_home.command(
        CONFORMANCE, "server", "--url", f"{application.url}{path}", "--spec-version", "2026-07-28",
        "--scenario", scenario, "--expected-failures", str(EXPECTED), "-o", str(tmp_path),
    )  # fmt: skip
    ran = subprocess.run(
        command, env=node_home.environment, capture_output=True, text=True, timeout=LONGEST_RUN_SECONDS
    )
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-1000:]
    assert f"Passed: {passed}/" in ran.stdout, ran.stdout[-1000:]

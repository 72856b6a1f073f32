"""Schemathesis over the OpenAPI document that the real application serves."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from tests.server.application.conftest import ServeProcess, Workspace

HOOKS = Path(__file__).with_name("schemathesis_hooks.py")
SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")
EXAMPLES = int(os.environ.get("SCHEMATHESIS_EXAMPLES", "40"))
"""Examples an operation; 200 is the full size, which `SCHEMATHESIS_EXAMPLES=200` runs."""
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,"
    "response_headers_conformance,response_schema_conformance"
)
UNGUESSABLE = {
    "run_workflow",
    "run_prompt_set",
    "update_brand_profile",
    "get_answer",
    "update_action",
    "get_run_status",
    "cancel_workflow_run",
    "update_prompt_set",
    "update_reusable_agent",
    "run_reusable_agent",
}
"""Tools that answer with a result only for an identifier that nobody guesses."""

SUCCESS = re.compile(r'seenby_tool_calls_total\{outcome="success",tool="(\w+)"\} (\S+)')


def successes(url: str) -> dict[str, float]:
    """How often each tool has answered with a result."""
    return {name: float(count) for name, count in SUCCESS.findall(httpx2.get(f"{url}/metrics").text)}


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("known", [True, False], ids=["with a key", "without a credential"])
def test_no_request_makes_an_operation_break_its_description(
    workspace: Workspace, serve: ServeProcess, tmp_path: Path, known: bool
) -> None:
    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps(workspace.keys if known else []), encoding="utf-8")
    with serve(workspace, SEENBY_TRUSTED_PROXIES="127.0.0.1", SEENBY_METRICS="on") as server:
        listed = httpx2.post(
            f"{server.url}/api/mcp-app/rest/list_brand_profiles", json={}, headers=server.authorization
        )
        [brand] = listed.json()["brands"]
        before = successes(server.url)
        ran = subprocess.run(
            [
                SCHEMATHESIS, "run", f"{server.url}/api/mcp-app/openapi.json",
                "--checks", CHECKS, "--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES),
                "--seed", "1", "--continue-on-failure", "--no-color", "--warnings", "off",
            ],
            cwd=tmp_path,
            env={
                **os.environ,
                "SCHEMATHESIS_HOOKS": str(HOOKS),
                "KEYS_FILE": str(keys),
                "BRAND_ID": brand["id"],
            },
            capture_output=True,
            text=True,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
        described = httpx2.get(f"{server.url}/api/mcp-app/openapi.json").json()["paths"]
        after = successes(server.url)
    assert f"Operations:       {len(described)} selected" in ran.stdout, ran.stdout[:1500]
    # The run looked at results and not at refusals alone, or at refusals alone.
    reached = {name for name in after if after[name] > before.get(name, 0)}
    operations = {path.rpartition("/")[2]: item["post"] for path, item in described.items()}
    guarded = {name for name, operation in operations.items() if operation["security"]}
    assert not ((guarded - reached - UNGUESSABLE) if known else (guarded & reached))

"""Schemathesis over the OpenAPI document that the real application serves: every check it has, on the sample market."""

import asyncio
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.evals.questions import BRAND, PREVIEWED
from tests.evals.workspace import planning
from tests.server.application.conftest import ServeProcess, Server, Workspace, make_keys
from tools.calls.parameters import Examples

HOOKS = Path(__file__).with_name("schemathesis_hooks.py")
SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")
EXAMPLES = int(os.environ.get("SCHEMATHESIS_EXAMPLES", "12"))
"""Examples an operation; 200 is the full size, which `SCHEMATHESIS_EXAMPLES=200` runs."""
REFUSED_EXAMPLES = min(3, EXAMPLES)
"""Without a credential a request is refused before its arguments are read: more examples show nothing else."""
SUCCESS = re.compile(r'seenby_tool_calls_total\{outcome="success",tool="(\w+)"\} (\S+)')
TWO_SETS = {"name": "Changed by the suite", "prompts": [{"text": "Which machine is quiet?"}]}


def successes(url: str) -> dict[str, float]:
    """How often each tool has answered with a result."""
    return {name: float(count) for name, count in SUCCESS.findall(httpx2.get(f"{url}/metrics").text)}


def known_names(server: Server) -> dict[str, dict[str, list[Any]]]:
    """What the workspace has, by the field that names it; what the suite changes is made for it, and nobody reads it."""

    def call(tool: str, **arguments: Any) -> dict[str, Any]:
        answer = httpx2.post(
            f"{server.url}/api/mcp-app/rest/{tool}", json=arguments, headers=server.authorization, timeout=60
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    brand_id = call("get_brand_profile", brandId=BRAND)["id"]
    changed_brand = call("create_brand_profile", name="Changed by the suite")["profile"]["id"]
    changed_set = call("create_prompt_set", **TWO_SETS)["promptSetId"]
    return {
        "": {
            "brandId": [brand_id],
            "brandIds": [brand_id],
            "promptSetId": [Examples.PROMPT_SET_ID],
            "promptId": [Examples.PROMPT_ID],
            "answerId": [Examples.ANSWER_ID],
            "batchIds": [Examples.BATCH_ID],
            "runId": [Examples.RUN_ID],
            "agentInstanceId": [Examples.AGENT_INSTANCE_ID],
            "actionId": [Examples.ACTION_ID],
            "platform": [Examples.PLATFORM],
            "comparePlatform": [Examples.OTHER_PLATFORM],
            "mentionsPlatform": [Examples.PLATFORM],
            "platforms": [PREVIEWED],
            "country": [Examples.COUNTRY],
            "compareCountry": [Examples.OTHER_COUNTRY],
            "tag": [Examples.TAG],
            "intent": [Examples.INTENT],
            "competitor": [Examples.COMPETITOR],
            "metricName": ["mentionCount", "visibilityScore"],
            "workflowId": [workflow["id"] for workflow in call("list_workflows")["workflows"]],
        },
        "update_brand_profile": {"brandId": [changed_brand], "archived": [False]},
        "update_prompt_set": {"promptSetId": [changed_set], "brandId": [brand_id]},
        "update_reusable_agent": {"archived": [False]},
    }


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("known", [True, False], ids=["with a key", "without a credential"])
def test_no_request_makes_an_operation_break_its_description(
    own_history: Workspace, serve: ServeProcess, tmp_path: Path, known: bool
) -> None:
    raw = asyncio.run(make_keys(own_history.environ))
    workspace = replace(own_history, keys=raw, environ=planning(own_history.environ))
    keys, names = tmp_path / "keys.json", tmp_path / "names.json"
    keys.write_text(json.dumps(raw if known else []), encoding="utf-8")
    with serve(workspace, SEENBY_TRUSTED_PROXIES="127.0.0.1", SEENBY_METRICS="on") as server:
        names.write_text(json.dumps(known_names(server)), encoding="utf-8")
        before = successes(server.url)
        ran = subprocess.run(
            [
                SCHEMATHESIS, "run", f"{server.url}/api/mcp-app/openapi.json",
                "--checks", "all", "--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES if known else REFUSED_EXAMPLES),
                "--seed", "1", "--continue-on-failure", "--no-color", "--warnings", "off",
            ],
            cwd=tmp_path,
            env={
                **os.environ,
                "SCHEMATHESIS_HOOKS": str(HOOKS),
                "KEYS_FILE": str(keys),
                "KNOWN_FILE": str(names),
            },
            capture_output=True,
            text=True,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
        described = httpx2.get(f"{server.url}/api/mcp-app/openapi.json").json()["paths"]
        after = successes(server.url)
    assert f"Operations:       {len(described)} selected" in ran.stdout, ran.stdout[:1500]
    # The run looked at results of every tool, or at refusals alone.
    reached = {name for name in after if after[name] > before.get(name, 0)}
    operations = {path.rpartition("/")[2]: item["post"] for path, item in described.items()}
    guarded = {name for name, operation in operations.items() if operation["security"]}
    assert not ((guarded - reached) if known else (guarded & reached))

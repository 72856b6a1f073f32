"""The real application answers from the newest commit: in batches, and beside other processes."""

import json
from typing import Any

import httpx2

from tests.server.application.conftest import ServeProcess, Server, Workspace


def message(number: int, tool: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def read(server: Server, tool: str, key: str, **arguments: Any) -> httpx2.Response:
    headers = {"Authorization": f"Bearer {key}"}
    return httpx2.post(f"{server.url}/api/mcp-app/rest/{tool}", json=arguments, headers=headers, timeout=30)


def test_a_message_of_a_batch_reads_what_the_one_before_it_wrote(
    workspace: Workspace, serve: ServeProcess
) -> None:
    with serve(workspace) as server:
        profiles = "list_brand_profiles"
        batch = [message(1, profiles), message(2, "create_brand_profile", name="Comet"), message(3, profiles)]
        headers = {
            **server.authorization,
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2025-03-26",
        }
        answered = httpx2.post(f"{server.url}/mcp", json=batch, headers=headers, timeout=30).json()
        before, _, after = (json.loads(answer["result"]["content"][0]["text"]) for answer in answered)
        assert after["total"] == before["total"] + 1


def test_a_key_revoked_by_another_process_stops_working_at_once(
    workspace: Workspace, serve: ServeProcess
) -> None:
    with serve(workspace) as server:
        key = workspace.keys[1]
        assert [read(server, "get_credits", key).status_code for _ in range(3)] == [200, 200, 200]
        listed = json.loads(workspace.seenby("keys", "list", "--json").stdout)
        [ours] = [one["id"] for one in listed if one["last4"] == key[-4:]]
        assert workspace.seenby("keys", "revoke", ours).returncode == 0
        assert read(server, "get_credits", key).status_code == 401


def test_credits_that_another_process_grants_are_in_the_next_result(
    workspace: Workspace, serve: ServeProcess
) -> None:
    with serve(workspace) as server:
        before = read(server, "get_credits", workspace.key).json()["granted"]
        assert read(server, "get_credits", workspace.key).json()["granted"] == before
        granted = workspace.seenby("credits", "grant", "50")
        assert granted.returncode == 0, granted.stderr
        assert read(server, "get_credits", workspace.key).json()["granted"] == before + 50

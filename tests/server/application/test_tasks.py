"""Runs as tasks: a client of 2026-07-28 that supports the extension follows and cancels a run by its task."""

import asyncio
from collections.abc import Generator
from typing import Any

import httpx2
import pytest

from tests.server.application.conftest import ServeProcess, Workspace, make_keys

BRAND = "Zentrix (synthetic)"
TASKS = "io.modelcontextprotocol/tasks"
VERSION = "2026-07-28"


class TaskClient:
    """A client that declares the extension unless told otherwise."""

    def __init__(self, url: str, key: str) -> None:
        headers = {"Authorization": f"Bearer {key}", "MCP-Protocol-Version": VERSION}
        self.http = httpx2.Client(base_url=url, headers=headers, timeout=60)

    def ask(self, method: str, routed_to: str, params: dict[str, Any], *, declares: bool) -> dict[str, Any]:
        meta: dict[str, Any] = {
            "io.modelcontextprotocol/protocolVersion": VERSION,
            "io.modelcontextprotocol/clientCapabilities": {"extensions": {TASKS: {}}} if declares else {},
        }
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta, **params}}
        answer = self.http.post("/mcp", json=message, headers={"Mcp-Method": method, "Mcp-Name": routed_to})
        return {"status": answer.status_code, **answer.json()}

    def tool(self, tool: str, arguments: dict[str, Any], *, declares: bool = True) -> dict[str, Any]:
        return self.ask("tools/call", tool, {"name": tool, "arguments": arguments}, declares=declares)[
            "result"
        ]

    def task(
        self, method: str, task_id: str, *, declares: bool = True, routed_to: str = ""
    ) -> dict[str, Any]:
        params: dict[str, Any] = {"taskId": task_id, "inputResponses": {}}
        return self.ask(f"tasks/{method}", routed_to or task_id, params, declares=declares)


@pytest.fixture
def client(own_history: Workspace, serve: ServeProcess) -> Generator[TaskClient]:
    with serve(own_history) as server:
        client = TaskClient(server.url, asyncio.run(make_keys(own_history.environ))[0])
        yield client
        client.http.close()


def test_a_run_is_a_task_of_clients_that_support_tasks(client: TaskClient) -> None:
    start = {"workflowId": "competitive_scan", "configuration": {"brandId": BRAND}}
    task = client.tool("run_workflow", start)
    assert (task["resultType"], task["ttlMs"], task["pollIntervalMs"]) == ("task", None, 5000)
    assert "content" not in task
    known = client.task("get", task["taskId"])["result"]
    assert (known["resultType"], known["createdAt"]) == ("complete", task["createdAt"])
    for _ in range(2):
        acknowledged = client.task("cancel", task["taskId"])["result"]
        assert (acknowledged["resultType"], "taskId" in acknowledged) == ("complete", False)
    ended = client.tool("get_run_status", {"runId": task["taskId"]})["structuredContent"]["status"]
    states = {"cancelled": "cancelled", "completed": "completed", "partial_complete": "completed"}
    assert client.task("get", task["taskId"])["result"]["status"] == states[ended]

    [run] = client.tool("list_workflow_runs", {"status": "completed", "limit": 1})["structuredContent"][
        "runs"
    ]
    done = client.task("get", run["runId"])["result"]
    assert (done["status"], done["result"]["isError"]) == ("completed", False)
    assert done["result"]["structuredContent"]["runId"] == run["runId"]
    assert client.task("update", run["runId"])["result"]["resultType"] == "complete"

    unknown = client.task("get", "nobody's")
    assert (unknown["status"], unknown["error"]["code"], unknown["error"]["message"]) == (
        400,
        -32602,
        "Task not found",
    )
    assert client.task("get", run["runId"], declares=False)["error"]["code"] == -32021
    assert client.task("get", run["runId"], routed_to="another")["error"]["code"] == -32020
    plain = client.tool("run_workflow", start, declares=False)
    assert (plain["resultType"], bool(plain["structuredContent"]["runId"])) == ("complete", True)
    del client.http.headers["Authorization"]
    stranger = client.task("get", run["runId"])
    assert (stranger["status"], stranger["error"]["code"]) == (401, -32602)

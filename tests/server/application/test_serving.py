"""How the real process starts, refuses to start, shares limits, guards its address and stops."""

import re
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest
import redis

from tests.server.application.conftest import ServeProcess, Server, Workspace

REDIS = "redis://127.0.0.1:6379/9"
REST = "/api/mcp-app/rest/"
CALL = REST + "list_brand_profiles"
LATE: frozenset[str] = frozenset(("dbos._dbos", "workflows.agents.catalog"))
"""What a server loads when it is first needed."""


def test_production_names_every_fault_of_its_settings_at_once(workspace: Workspace) -> None:
    refused = workspace.seenby(
        "serve",
        SEENBY_ENV="production",
        SEENBY_SECRET_KEY="short",
        SEENBY_BASE_URL="http://seenby.example",
        SEENBY_DATABASE_URL="sqlite:////tmp/seenby.db",
        SEENBY_ALLOWED_ORIGINS="*",
        SEENBY_LOG_FORMAT="xml",
    )
    assert refused.returncode == 1
    written_lines = refused.stderr.splitlines()
    for name in ("SECRET_KEY", "BASE_URL", "DATABASE_URL", "ALLOWED_ORIGINS", "LOG_FORMAT"):
        assert any(line.startswith("error: ") and f"SEENBY_{name}" in line for line in written_lines), (
            name,
            written_lines,
        )
    assert "short" not in refused.stderr
    assert "Traceback" not in refused.stderr


def test_several_workers_without_redis_are_refused(workspace: Workspace) -> None:
    refused = workspace.seenby("serve", "--workers", "2")
    assert refused.returncode == 1
    assert "2 workers cannot share rate limits in memory" in refused.stderr
    assert "SEENBY_REDIS_URL" in refused.stderr


def test_two_workers_share_limits_and_counters(workspace: Workspace, start: ServeProcess) -> None:
    try:
        # Nothing is flushed: the key is new, so are its windows, and others may count in this Redis meanwhile.
        with redis.Redis(port=6379, db=9) as shared:
            shared.ping()  # pyright: ignore[reportUnknownMemberType]
    except redis.ConnectionError:
        pytest.skip("no Redis answers on 127.0.0.1:6379")
    made = workspace.seenby("keys", "create", "--rate-limit", "20")
    headers = {"Authorization": f"Bearer {made.stdout.strip()}"}
    with start(workspace, "--workers", "2", SEENBY_REDIS_URL=REDIS, SEENBY_METRICS="on") as server:

        def ask(_: int) -> int:
            # A connection each, so that both workers are asked.
            return httpx2.post(server.url + CALL, json={}, headers=headers, timeout=30).status_code

        with ThreadPoolExecutor(8) as crowd:
            answers = list(crowd.map(ask, range(60)))
        counted = [httpx2.get(server.url + "/metrics").text for _ in range(3)]
    assert (answers.count(200), answers.count(429)) == (20, 40)
    tool = 'tool="list_brand_profiles"'
    for metrics in counted:  # whichever worker answers
        assert f'seenby_tool_calls_total{{outcome="success",{tool}}} 20.0' in metrics
        assert f'seenby_tool_calls_total{{outcome="rate_limited",{tool}}} 40.0' in metrics
        assert 'seenby_database_connections_max{pool="read"} ' in metrics


def test_a_stop_finishes_the_call_in_flight(workspace: Workspace, start: ServeProcess) -> None:
    with start(workspace) as server:
        body = b'{"brandId": "Toyota"}'
        head = (
            f"POST /api/mcp-app/rest/get_brand_profile HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"Authorization: {server.authorization['Authorization']}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
            connection.sendall(head.encode() + body[:5])
            # The same connection is known to the server once a second one has been answered.
            assert httpx2.get(f"{server.url}/healthz").status_code == 200
            server.process.terminate()
            stopped = threading.Thread(target=server.process.wait)
            stopped.start()
            while accepts(server.port):
                pass
            connection.sendall(body[5:])
            answer = b""
            while part := connection.recv(65536):
                answer += part
        stopped.join(30)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b'"Toyota"' in answer
    assert not stopped.is_alive()


def accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except OSError:
        return False
    return True


def test_a_first_start_prints_its_address_and_no_engine_logs(
    workspace: Workspace, start: ServeProcess
) -> None:
    with start(workspace) as server:
        runs = httpx2.post(
            f"{server.url}/api/mcp-app/rest/list_workflow_runs", json={}, headers=server.authorization
        )
        assert runs.status_code == 200
        server.stop()
        told = server.log.read_text()
    assert f"serving on {server.url}" in told
    assert "dbos" not in told.lower()
    assert "\\x1b" not in told


def test_a_busy_port_is_told_in_words(application: Server, workspace: Workspace) -> None:
    refused = workspace.seenby("serve", "--port", str(application.port))
    output = refused.stdout + refused.stderr
    assert refused.returncode > 0
    assert "Traceback" not in output
    assert f"port {application.port} of 127.0.0.1 is in use" in output


@pytest.mark.parametrize("path", ["/mcp", CALL])
def test_a_host_or_an_origin_that_is_not_ours_is_refused(application: Server, path: str) -> None:
    for status, headers in ((421, {"Host": "evil.example"}), (403, {"Origin": "https://evil.example"})):
        request_headers = {**application.authorization, **headers}
        assert httpx2.post(application.url + path, json={}, headers=request_headers).status_code == status
    own = {"Origin": application.url}
    assert httpx2.get(f"{application.url}/mcp.json", headers=own).status_code == 200


def test_the_log_of_a_running_service_holds_no_key(application: Server) -> None:
    httpx2.post(application.url + CALL, json={}, headers=application.authorization)
    log = application.log.read_text(encoding="utf-8")
    assert application.workspace.key not in log


def test_a_server_loads_engine_and_agents_with_the_first_run(
    workspace: Workspace, start: ServeProcess
) -> None:
    with (
        start(workspace, PYTHONPROFILEIMPORTTIME="1") as server,
        httpx2.Client(base_url=server.url + REST, headers=server.authorization, timeout=60) as client,
    ):

        def loaded() -> frozenset[str]:
            lines = re.findall(r"\| +([\w.]+)$", server.log.read_text(encoding="utf-8"), re.MULTILINE)
            return LATE.intersection(lines)

        assert client.post("list_brand_profiles", json={}).status_code == 200
        assert loaded() == frozenset()
        run = {"runId": client.post("run_workflow", json={"workflowId": "content_refresh"}).json()["runId"]}
        while client.post("get_run_status", json=run).json()["status"] in ("pending", "running"):
            time.sleep(0.05)
        assert loaded() == LATE

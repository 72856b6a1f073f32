"""In JSON a process writes nothing but JSON, from its first line to its last."""

import json
import signal
import subprocess

import httpx2

from tests.held_ports import held_port
from tests.server.application.conftest import SEENBY, ServeProcess, Workspace


def test_a_server_that_logs_json_writes_nothing_else(workspace: Workspace, serve: ServeProcess) -> None:
    (workspace.folder / "data" / "receipts.key").unlink(missing_ok=True)  # a note of the settings is told
    with serve(workspace, SEENBY_LOG_FORMAT="json", SEENBY_METRICS="on") as server:
        assert httpx2.get(f"{server.url}/missing").status_code == 404
        ready = httpx2.get(f"{server.url}/readyz").json()
        metrics = httpx2.get(f"{server.url}/metrics").text
    lines = [json.loads(line) for line in server.log.read_text(encoding="utf-8").splitlines()]
    words = " ".join(line["event"] for line in lines)
    assert "serving on" in words
    assert "a secret for development was made" in words
    assert {"database", "schema", "executors"} == ready["checks"].keys()
    assert 'seenby_condition{condition="database_unavailable"} 0.0' in metrics


def test_a_worker_writes_only_json_and_serves_metrics_and_health(workspace: Workspace) -> None:
    with (
        held_port() as port,
        subprocess.Popen(
            [SEENBY, "worker"],
            env={
                **workspace.environ,
                "SEENBY_LOG_FORMAT": "json",
                "SEENBY_WORKER_ADDRESS": f"127.0.0.1:{port}",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as worker,
    ):
        assert worker.stdout is not None
        first = json.loads(worker.stdout.readline())
        while "executing workflow runs" not in first["event"]:
            first = json.loads(worker.stdout.readline())
        transport = httpx2.HTTPTransport(retries=5)
        with httpx2.Client(transport=transport) as client:
            metrics = client.get(f"http://127.0.0.1:{port}/metrics", timeout=30).text
            ready = client.get(f"http://127.0.0.1:{port}/readyz", headers={"Host": "10.1.2.3"}, timeout=30)
        worker.send_signal(signal.SIGTERM)
        rest, _ = worker.communicate(timeout=60)
    assert "seenby_workers" in metrics
    assert ready.json() == {"status": "ready", "checks": {"database": "ok", "schema": "ok"}}
    for line in rest.splitlines():
        json.loads(line)

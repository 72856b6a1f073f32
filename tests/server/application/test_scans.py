"""`seenby scan`, run as an operator would, against a synthetic site on loopback."""

import json
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.server.application.conftest import Workspace

PAGE = b"<!doctype html><html lang=en><title>Synthetic test site</title><h1>Tire shop</h1><p>Call us."


class Site(BaseHTTPRequestHandler):
    """One page at the root, nothing else."""

    def do_GET(self) -> None:
        body = PAGE if self.path == "/" else b""
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Generator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_scan_prints_its_report_and_without_one_exits_with_a_reason(
    workspace: Workspace, site: str
) -> None:
    done = workspace.seenby(
        "scan", f"http://{site}/", "--allow-host", site, "--type", "repair_shop", "--json"
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["status"], report["siteType"]["declared"]) == ("completed", "repair_shop")
    refused = workspace.seenby("scan", f"http://{site}/")
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert "error: Addresses of private networks are not visited" in refused.stderr

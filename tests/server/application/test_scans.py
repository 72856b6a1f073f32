"""`seenby scan`, run as an operator would, against a synthetic site on loopback."""

import json
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

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


def test_a_build_server_reads_scans_of_several_sites(workspace: Workspace, site: str, tmp_path: Path) -> None:
    url, private = f"http://{site}/", "http://10.0.0.1/"
    common = ("scan", url, "--allow-host", site, "--type", "repair_shop", "--fail-under", "100")
    below = workspace.seenby(*common, "--format", "junit")
    assert below.returncode == 3, below.stderr
    suite = ElementTree.fromstring(below.stdout).find("testsuite")
    assert suite is not None
    assert suite.get("name") == url
    failures = [case.get("classname") for case in suite if case.find("failure") is not None]
    assert {"technical.tech.sd.business", "score"} <= set(failures)
    assert (suite.get("failures"), suite.get("tests")) == (str(len(failures)), str(len(suite)))
    file = tmp_path / "seenby.sarif"
    some = workspace.seenby(*common, private, "--format", "sarif", "--out", str(file))
    assert some.returncode == 1
    assert f"error: {private}: Addresses of private networks are not visited" in some.stderr
    scanned, refused = json.loads(file.read_text(encoding="utf-8"))["runs"]
    rules = {rule["id"] for rule in scanned["tool"]["driver"]["rules"]}
    assert rules == {result["ruleId"] for result in scanned["results"]}
    assert scanned["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert [run["invocations"][0]["executionSuccessful"] for run in (scanned, refused)] == [True, False]

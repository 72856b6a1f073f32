"""What a newcomer does first, on any system: set up, serve, list tools over HTTP and over standard input and output."""

import json
import os
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

PORT = "8765"
INIT = ["seenby", "init", "--company", "Zentrix", "--email", "owner@zentrix.example", "--brand", "Zentrix"]
GREETING = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "first steps", "version": "1"},
}


def answers(url: str) -> bool:
    """Say whether the server can serve."""
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return response.status == 200
    except OSError:
        return False


def serve_and_read(folder: Path) -> None:
    """Start the server, wait for it, read its documents, end it."""
    with subprocess.Popen(["seenby", "serve", "--port", PORT], cwd=folder) as server:
        try:
            deadline = time.monotonic() + 120
            while not answers(f"http://127.0.0.1:{PORT}/readyz"):
                assert server.poll() is None, "the server ended"
                assert time.monotonic() < deadline, "the server does not answer"
                time.sleep(0.5)
            for path in ("/mcp.json", "/help", "/llms.txt"):
                assert answers(f"http://127.0.0.1:{PORT}{path}"), path
        finally:
            server.terminate()


def list_tools_over_stdio(folder: Path) -> None:
    """Greet the server as a desktop client does, and count its tools."""
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": GREETING},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    sent = "".join(json.dumps(message) + "\n" for message in messages)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "encoding": "utf-8"}
    with subprocess.Popen(["seenby", "stdio"], cwd=folder, **pipes) as server:
        server.stdin.write(sent)
        server.stdin.flush()
        replies = (json.loads(line) for line in server.stdout)
        tools = next(reply["result"]["tools"] for reply in replies if reply.get("id") == 2)
        assert len(tools) > 30, "tools are missing"
        server.stdin.close()
        assert server.wait(60) == 0, "it did not end as it should"


def main() -> None:
    """Do all of it in a fresh folder."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ["SEENBY_DATA_DIR"] = str(Path(folder) / "data")
        for _ in range(2):  # repeating it changes nothing
            subprocess.run(INIT, cwd=folder, check=True, stdin=subprocess.DEVNULL, timeout=120)
        serve_and_read(Path(folder))
        list_tools_over_stdio(Path(folder))


if __name__ == "__main__":
    main()

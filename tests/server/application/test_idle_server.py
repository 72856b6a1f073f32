"""What a server has loaded that nobody has asked anything: not what only some of its work needs."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import os, sys
import anyio
from server.cli import servers
from server.serving import Application
from server.settings import Settings

async def serve():
    application = Application(Settings.from_environ(os.environ))
    messages = iter(["lifespan.startup", "lifespan.shutdown"])

    async def receive():
        message = next(messages)
        if message == "lifespan.shutdown":
            await anyio.sleep(1.5)  # the work behind the answers has begun
            print(*(name for name in sys.argv[1:] if name in sys.modules))
        return {"type": message}

    async def send(message):
        assert message["type"].endswith("complete"), message

    await application({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, receive, send)

anyio.run(serve)
"""
SPARED = (
    "dbos",
    "phonenumbers",
    "rich",
    "selectolax",
    "readiness.checks.catalog",
    "readiness.reading.page",
    "readiness.survey.site",
    "web.routes",
    "web.overview.overview_page",
    "workflows.cited_pages.reader",
)


def test_a_server_at_rest_has_not_loaded_what_reads_sites_shows_pages_or_executes_runs(
    tmp_path: Path,
) -> None:
    environ = {**os.environ, "SEENBY_DATA_DIR": str(tmp_path), "SEENBY_BASE_URL": "http://127.0.0.1:8000"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *SPARED], env=environ, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "\n"), done.stderr

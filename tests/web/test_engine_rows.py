"""The rows of engines on the page of a running measurement."""

import json
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest

from tests.web.conftest import Meet, Run
from tests.web.test_live_progress import Stream, measuring


@pytest.fixture(scope="module")
def halting_engine() -> Generator[tuple[str, Event]]:
    """The setting of an engine that answers one prompt, and the other one only when it may."""
    may = Event()

    class Halting(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
            if "second" in asked:
                may.wait(600)
            message = {"role": "assistant", "content": "Acme is best."}
            choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
            body = json.dumps({"id": "1", "model": "m", "choices": choices}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *_: Any) -> None:
            """Say nothing."""

    provider = ThreadingHTTPServer(("127.0.0.1", 0), Halting)
    provider.daemon_threads = True
    Thread(target=provider.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{provider.server_port}/v1"
    yield json.dumps([{"platform": "slow", "baseUrl": address, "model": "m", "apiKey": "none"}]), may
    may.set()
    provider.shutdown()
    provider.server_close()


async def test_an_engines_row_counts_up_with_the_headline(
    run_service: Run, meet: Meet, halting_engine: tuple[str, Event]
) -> None:
    setting, may = halting_engine
    owner = meet(run_service(ENGINE_COMPATIBLE=setting).url)
    await owner.sign_up()
    page, _ = await measuring(owner, "Which first shop is best?", "Which second shop is best?")
    async with owner.http.stream("GET", f"{page}/events") as answer:
        stream = Stream(answer)
        progress: dict[str, Any] = {}
        while progress.get("settled") != 1:
            progress = json.loads((await stream.until("data:")).partition(": ")[2])
        assert (progress["state"], progress["planned"]) == ("running", 2)
        [engine] = progress["engines"]
        assert (engine["answered"], engine["failed"], engine["planned"]) == (1, 0, 2)
        may.set()
        while progress["settled"] != 2:
            progress = json.loads((await stream.until("data:")).partition(": ")[2])
        assert progress["engines"][0]["answered"] == 2

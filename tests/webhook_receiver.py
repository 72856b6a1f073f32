"""A real receiver of webhooks on loopback that keeps what it is sent and answers as it is told."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Delivered:
    """One request that arrived."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class WebhookReceiver:
    """Keeps every request; `status` and `location` are its answer, which it holds back while `let_go` is clear."""

    status: int = 204
    location: str | None = None
    requests: list[Delivered] = field(default_factory=list[Delivered])
    arrived: threading.Event = field(default_factory=threading.Event)
    let_go: threading.Event = field(default_factory=threading.Event)
    port: int = 0

    @property
    def host(self) -> str:
        """As a policy names it."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}/hook/secret-path"


@contextmanager
def open_receiver() -> Generator[WebhookReceiver]:
    """A receiver on a port of its own."""
    receiver = WebhookReceiver()
    receiver.let_go.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.requests.append(Delivered(self.path, headers, body))
            receiver.let_go.wait(30)
            self.send_response(receiver.status)
            if receiver.location:
                self.send_header("Location", receiver.location)
            self.send_header("Content-Length", "0")
            self.end_headers()
            receiver.arrived.set()

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver.port = server.server_address[1]
    serving = threading.Thread(target=server.serve_forever, daemon=True)
    serving.start()
    try:
        yield receiver
    finally:
        receiver.let_go.set()
        server.shutdown()
        server.server_close()
        serving.join()

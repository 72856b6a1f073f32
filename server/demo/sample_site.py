"""The site of the synthetic market's brand, served on this machine so that workflows have something to look at.

It is sound but for what many sites get wrong: robots.txt keeps search bots out, one page that is linked answers 404,
and there is no sitemap, no markup and no canonical address.
"""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Final
from urllib.parse import urlsplit

HOST: Final = "127.0.0.1"
FOLDER: Final = files("server") / "demo" / "sample_site"
PAGES: Final = {
    "/": "index.html",
    "/compact": "compact.html",
    "/about": "about.html",
    "/contact": "contact.html",
    "/privacy": "privacy.html",
    "/robots.txt": "robots.txt",
}
NOT_FOUND: Final = (
    b"<!doctype html><html lang=en><title>Not found</title><p>This page is not there.</p></html>"
)


class SampleSiteHandler(BaseHTTPRequestHandler):
    """Answers GET and HEAD with a page of the sample site, and nothing else."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Send a page, or say that it is not there."""
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        """Send the head of the same answer."""
        self._answer(with_body=False)

    def log_message(self, format: str, *args: object) -> None:
        """Write no line for a request."""

    def _answer(self, *, with_body: bool) -> None:
        name = PAGES.get(urlsplit(self.path).path)
        body = (FOLDER / name).read_bytes() if name else NOT_FOUND
        kind = "text/plain" if name == "robots.txt" else "text/html"
        self.send_response(200 if name else 404)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if with_body:
            self.wfile.write(body)


@contextmanager
def serve_sample_site(port: int) -> Generator[str]:
    """Serve the site at this port of loopback, or at a free one where it is taken, and yield its `host:port`."""
    with _listening(port) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, name="sample site", daemon=True)
        thread.start()
        try:
            yield f"{HOST}:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def _listening(port: int) -> ThreadingHTTPServer:
    try:
        return ThreadingHTTPServer((HOST, port), SampleSiteHandler)
    except (OSError, OverflowError):
        return ThreadingHTTPServer((HOST, 0), SampleSiteHandler)

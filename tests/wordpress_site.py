"""A WordPress site on loopback: answers its REST interface as WordPress documents it, and misbehaves when told to.

Statuses, codes and fields are those of WP_REST_Posts_Controller, WP_REST_Users_Controller and of application passwords.
"""

import base64
import json
import re
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

USER, PASSWORD = "editor", "abcd EFGH 1234 ijkl MNOP 6789"
STATUSES = {"publish", "future", "draft", "pending", "private"}


@dataclass
class WordPressSiteServer:
    """The posts of the site, and how it answers next.

    `fault` is one of: redirect, server_error, invalid (400, as a plug-in refuses a post), no_route (404, as a site
    answers whose interface is turned off), slow (it stores what it is sent and answers too late), lost (it stores it
    and answers 502, as a proxy does), late (it stores it only when `release` is set), no_json.
    """

    posts: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    fault: str = ""
    fault_methods: tuple[str, ...] = ("GET", "POST")
    location: str = ""
    may_edit: bool = True
    requests: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    authorizations: list[str] = field(default_factory=list[str])
    release: threading.Event = field(default_factory=threading.Event)
    stored: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    port: int = 0

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    def answer(self, method: str, target: str, authorization: str, body: bytes) -> tuple[int, Any]:
        """Return status and document of a request, as WordPress would."""
        parts = urlsplit(target)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        known = self._user(authorization)
        if parts.path == "/wp-json/wp/v2/users/me":
            if known is not None:
                return known
            if not authorization:
                return error(401, "rest_not_logged_in", "You are not currently logged in.")
            return 200, {"id": 1, "capabilities": {"edit_posts": self.may_edit, "read": True}}
        found = re.fullmatch(r"/wp-json/wp/v2/posts(?:/(\d+))?", parts.path)
        if found is None:
            return error(404, "rest_no_route", "No route was found matching the URL and request method.")
        if known is not None:
            return known
        if method == "GET":
            return self._one(int(found[1]), query) if found[1] else self._list(query)
        return self._write(int(found[1]) if found[1] else None, body)

    def _user(self, authorization: str) -> tuple[int, Any] | None:
        """Return the refusal of wrong credentials."""
        if not authorization:
            return None
        name, _, password = base64.b64decode(authorization.removeprefix("Basic ")).decode().partition(":")
        if name != USER:
            return error(401, "invalid_username", "<strong>Error:</strong> Unknown username.")
        if password.replace(" ", "") != PASSWORD.replace(" ", ""):
            return error(
                401, "incorrect_password", "The provided password is an invalid application password."
            )
        return None

    def _one(self, post_id: int, query: dict[str, str]) -> tuple[int, Any]:
        if post_id not in self.posts:
            return error(404, "rest_post_invalid_id", "Invalid post ID.")
        if query.get("context") == "edit" and not self.may_edit:
            return error(403, "rest_forbidden_context", "Sorry, you are not allowed to edit this post.")
        return 200, self.posts[post_id]

    def _list(self, query: dict[str, str]) -> tuple[int, Any]:
        if query.get("context") == "edit" and not self.may_edit:
            return error(
                403, "rest_forbidden_context", "Sorry, you are not allowed to edit posts in this post type."
            )
        if query.get("status") not in {None, "any", *STATUSES}:
            return error(400, "rest_invalid_param", "Invalid parameter(s): status")
        visible = [
            post
            for post in self.posts.values()
            if post["status"] in (STATUSES if query.get("status") == "any" else {"publish"})
            and query.get("slug") in (None, post["slug"])
        ]
        return 200, sorted(visible, key=lambda post: post["id"])

    def _write(self, post_id: int | None, body: bytes) -> tuple[int, Any]:
        if not self.may_edit:
            code = "rest_cannot_create" if post_id is None else "rest_cannot_edit"
            return error(403, code, "Sorry, you are not allowed to create posts as this user.")
        fields = json.loads(body)
        if fields.get("status", "draft") not in STATUSES:
            return error(400, "rest_invalid_param", "Invalid parameter(s): status")
        if post_id is not None and post_id not in self.posts:
            return error(404, "rest_post_invalid_id", "Invalid post ID.")
        with self.lock:
            if post_id is None:
                post_id = max(self.posts, default=40) + 1
                self.posts[post_id] = {
                    "id": post_id,
                    "slug": "",
                    "status": "draft",
                    "title": "",
                    "content": "",
                }
                status = 201
            else:
                status = 200
            self.posts[post_id] |= {
                name: fields[name] for name in ("slug", "status", "title", "content") if name in fields
            }
            return status, self.posts[post_id]


def error(status: int, code: str, message: str) -> tuple[int, Any]:
    """Return an error in the form of WP_Error."""
    return status, {"code": code, "message": message, "data": {"status": status}}


@contextmanager
def open_wordpress() -> Generator[WordPressSiteServer]:
    """A site on a port of its own."""
    site = WordPressSiteServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.respond(b"")

        def do_POST(self) -> None:
            self.respond(self.rfile.read(int(self.headers["Content-Length"])))

        def respond(self, body: bytes) -> None:
            authorization = self.headers.get("Authorization") or ""
            site.requests.append((self.command, self.path))
            site.authorizations.append(authorization)
            fault = site.fault if self.command in site.fault_methods else ""
            if fault == "redirect":
                self.send(307, {}, ("Location", site.location))
            elif fault == "server_error":
                self.send(
                    *error(500, "internal_server_error", "There has been a critical error on this website.")
                )
            elif fault == "invalid":
                self.send(*error(400, "rest_invalid_param", "Invalid parameter(s): content"))
            elif fault == "no_route":
                self.send(
                    *error(404, "rest_no_route", "No route was found matching the URL and request method.")
                )
            elif fault == "no_json":
                self.send(200, "<html>a page</html>")
            elif fault == "late":
                site.release.wait(30)
                site.answer(self.command, self.path, authorization, body)
                site.release.clear()
                site.fault = ""
                site.stored.set()
            else:
                status, document = site.answer(self.command, self.path, authorization, body)
                if fault == "slow":
                    site.release.wait(30)
                self.send(502 if fault == "lost" else status, document)

        def send(self, status: int, document: Any, *headers: tuple[str, str]) -> None:
            raw = document.encode() if isinstance(document, str) else json.dumps(document).encode()
            self.send_response(status)
            kind = "text/html" if isinstance(document, str) else "application/json; charset=UTF-8"
            for name, value in (*headers, ("Content-Type", kind), ("Content-Length", str(len(raw)))):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: object) -> None:
            return

        def handle(self) -> None:
            try:
                super().handle()
            except (BrokenPipeError, ConnectionResetError):
                return  # whoever asked did not wait

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.port = server.server_address[1]
    serving = threading.Thread(target=server.serve_forever, daemon=True)
    serving.start()
    try:
        yield site
    finally:
        site.release.set()
        server.shutdown()
        server.server_close()
        serving.join()

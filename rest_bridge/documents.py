"""A document that is computed once and served to everybody, with an ETag."""

from collections.abc import Callable
from hashlib import sha256

import anyio
import anyio.to_thread
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from rest_bridge.json_messages import error
from tools.calls.errors import Cause

FIVE_MINUTES = "public, max-age=300"


class CachedDocument:
    """Serves the same bytes at one path; the endpoint of a Route without methods.

    `document` may be what makes it, for one that few read: a thread makes it for the first of them, while others are
    answered.
    """

    def __init__(
        self, document: bytes | Callable[[], bytes], media_type: str, headers: dict[str, str] | None = None
    ) -> None:
        self._document = document
        self._made: tuple[bytes, str] | None = None
        self._making = anyio.Lock()
        self._media_type = media_type
        self._more_headers = headers or {}

    async def _body_and_tag(self) -> tuple[bytes, str]:
        async with self._making:
            if self._made is None:
                self._made = await anyio.to_thread.run_sync(self._make)
            return self._made

    def _make(self) -> tuple[bytes, str]:
        body = self._document if isinstance(self._document, bytes) else self._document()
        return body, f'"{sha256(body).hexdigest()[:32]}"'

    def _headers(self, tag: str) -> dict[str, str]:
        return {
            "etag": tag,
            "cache-control": FIVE_MINUTES,
            "x-content-type-options": "nosniff",
            **self._more_headers,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the document, or with 304 to a reader that has it (RFC 9110 section 13.1.2)."""
        if scope["method"] not in ("GET", "HEAD"):
            allowed = {"Allow": "GET, HEAD"}
            await error(Cause.METHOD_NOT_ALLOWED, allowed, method="GET", path=scope["path"]).send(send)
            return
        body, tag = await self._body_and_tag()
        headers = self._headers(tag)
        if self._is_known(tag, Headers(scope=scope).get("if-none-match", "")):
            await self._send(send, 304, headers, b"")
            return
        described = {**headers, "content-type": self._media_type, "content-length": str(len(body))}
        await self._send(send, 200, described, b"" if scope["method"] == "HEAD" else body)

    @staticmethod
    def _is_known(tag: str, condition: str) -> bool:
        tags = (known.strip().removeprefix("W/") for known in condition.split(","))
        return condition.strip() == "*" or tag in tags

    @staticmethod
    async def _send(send: Send, status: int, headers: dict[str, str], body: bytes) -> None:
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": raw})
        await send({"type": "http.response.body", "body": body})

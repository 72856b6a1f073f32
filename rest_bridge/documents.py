"""A document that is computed once and served to everybody, with an ETag."""

from collections.abc import Callable
from functools import cached_property
from hashlib import sha256

from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from rest_bridge.json_messages import error
from tools.calls.errors import Cause

FIVE_MINUTES = "public, max-age=300"


class CachedDocument:
    """Serves the same bytes at one path; the endpoint of a Route without methods.

    `document` may be what makes it, for one that few read: it is made for the first of them.
    """

    def __init__(
        self, document: bytes | Callable[[], bytes], media_type: str, headers: dict[str, str] | None = None
    ) -> None:
        self._document = document
        self._media_type = media_type
        self._more_headers = headers or {}

    @cached_property
    def _body(self) -> bytes:
        return self._document if isinstance(self._document, bytes) else self._document()

    @cached_property
    def _tag(self) -> str:
        return f'"{sha256(self._body).hexdigest()[:32]}"'

    @property
    def _headers(self) -> dict[str, str]:
        return {
            "etag": self._tag,
            "cache-control": FIVE_MINUTES,
            "x-content-type-options": "nosniff",
            **self._more_headers,
        }

    @property
    def _described(self) -> dict[str, str]:
        length = str(len(self._body))
        return {**self._headers, "content-type": self._media_type, "content-length": length}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the document, or with 304 to a reader that has it (RFC 9110 section 13.1.2)."""
        if scope["method"] not in ("GET", "HEAD"):
            allowed = {"Allow": "GET, HEAD"}
            await error(Cause.METHOD_NOT_ALLOWED, allowed, method="GET", path=scope["path"]).send(send)
        elif self._is_known(Headers(scope=scope).get("if-none-match", "")):
            await self._send(send, 304, self._headers, b"")
        else:
            body = b"" if scope["method"] == "HEAD" else self._body
            await self._send(send, 200, self._described, body)

    def _is_known(self, condition: str) -> bool:
        tags = (tag.strip().removeprefix("W/") for tag in condition.split(","))
        return condition.strip() == "*" or self._tag in tags

    @staticmethod
    async def _send(send: Send, status: int, headers: dict[str, str], body: bytes) -> None:
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": raw})
        await send({"type": "http.response.body", "body": body})

"""A document that is computed once and served to everybody, with an ETag."""

from hashlib import sha256

from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from rest_bridge.json_messages import error
from tools.calls.errors import Cause

FIVE_MINUTES = "public, max-age=300"


class CachedDocument:
    """Serves the same bytes at one path; the endpoint of a Route without methods."""

    def __init__(self, body: bytes, media_type: str, headers: dict[str, str] | None = None) -> None:
        self._body = body
        self._tag = f'"{sha256(body).hexdigest()[:32]}"'
        self._headers = {
            "etag": self._tag,
            "cache-control": FIVE_MINUTES,
            "x-content-type-options": "nosniff",
            **(headers or {}),
        }
        self._described = {**self._headers, "content-type": media_type, "content-length": str(len(body))}

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

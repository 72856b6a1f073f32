"""A JSON answer before it is sent, and the one shape of all errors."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic_core import to_json
from starlette.types import Send

from tools.errors import FORMS, Cause, words


@dataclass(frozen=True, slots=True)
class Answer:
    """A response; the media type is always JSON."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    async def send(self, send: Send) -> None:
        """Write the response."""
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(self.body)).encode()),
            *((name.lower().encode(), value.encode("latin-1")) for name, value in self.headers.items()),
        ]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body})


def error(cause: Cause, headers: Mapping[str, str] | None = None, **filling: object) -> Answer:
    """An error all of whose words stand in the table."""
    form = FORMS[cause]
    told = words(None, **filling)
    message, hint = (form.reason or "").format(**told), (form.hint or "").format(**told)
    return Answer(form.status, error_body(form.code, message, hint), headers or {})


def failed_tool(tool: str, cause: Cause, **filling: object) -> Answer:
    """The same for a tool whose call failed outside of dispatch."""
    form = FORMS[cause]
    message = f"Tool '{tool}' failed: {form.reason}"
    return Answer(form.status, error_body(form.code, message, (form.hint or "").format(**filling)))


def error_body(code: str, message: str, hint: str) -> bytes:
    """The specification's error object."""
    return to_json({"error": {"code": code, "message": message, "hint": hint}})

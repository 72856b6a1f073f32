"""Log lines: one event each, with the request's id, in text or JSON, without a secret in them."""

import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any, Final, Literal, TextIO, TypeAlias, cast

import structlog
from structlog.typing import EventDict, Processor

LogFormat: TypeAlias = Literal["text", "json"]

_SECRETS: Final = re.compile(
    r"sk_live_[0-9a-f]{8,}|\b[ar]t_[A-Za-z0-9_-]{20,}|Bearer\s+[^\s\"'\\]+"
    r"|(?<=/api/oauth/authorize\?)[^\s\"'\\]+",
    re.IGNORECASE,
)
# Nearly every line has none of these, and looking for them costs a tenth of the expression.
_SIGNS: Final = ("sk_live_", "at_", "rt_", "bearer", "authorize?")
_REDACTED: Final = "[redacted]"
_OF_EVERY_RECORD: Final = frozenset(vars(logging.LogRecord("", 0, "", 0, "", None, None))) | {
    "message",
    "asctime",
    "taskName",
    "color_message",  # the server's own line again, with escapes of a terminal
}


LONGEST_FIELD: Final = 4_000
LONGEST_TRACEBACK: Final = 40_000


def redacted(text: str) -> str:
    """Blot out API keys, tokens, Bearer credentials and the query of an authorization request."""
    lowered = text.lower()
    if any(sign in lowered for sign in _SIGNS):
        return _SECRETS.sub(_REDACTED, text)
    return text


def shorten(text: str, longest: int = LONGEST_FIELD) -> str:
    """Return a text, cut in the middle where it is too long for a line of a log."""
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]} [{len(text) - 2 * half} characters left out] {text[-half:]}"


class _Formatter(logging.Formatter):
    """Writes a record with its own fields and those of the request it belongs to.

    structlog's formatter for standard records does the same by copying each record and running it
    through a chain of processors, which costs as much as the tool call that the line tells of. The
    finished line is redacted, so that a traceback and a library's message are covered too.
    """

    def __init__(self, render: Processor) -> None:
        super().__init__()
        self._render = render

    def format(self, record: logging.LogRecord) -> str:
        """Render one record."""
        event: EventDict = {
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": shorten(record.getMessage()),
            **structlog.contextvars.get_contextvars(),
        }
        for name, value in record.__dict__.items():
            if name not in _OF_EVERY_RECORD:
                event[name] = shorten(value) if isinstance(value, str) else value
        if record.exc_info:
            event["exception"] = shorten(self.formatException(record.exc_info), LONGEST_TRACEBACK)
        return redacted(cast(str, self._render(None, "", event)))


def configure_logging(
    log_format: LogFormat, *, level: int = logging.INFO, stream: TextIO | None = None
) -> None:
    """Send every logger's lines to `stream` (stderr unless given), replacing the root's handlers."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(_Formatter(_renderer(log_format)))
    root = logging.getLogger()
    handler.setLevel(level)
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.captureWarnings(True)
    for name in ("uvicorn", "uvicorn.error"):
        server_log = logging.getLogger(name)
        server_log.handlers.clear()
        server_log.propagate = True


def _renderer(log_format: LogFormat) -> Processor:
    if log_format == "json":
        return structlog.processors.JSONRenderer()
    console: Any = structlog.dev.ConsoleRenderer(colors=False)
    return console

"""Log lines: one event per line, with the request id, as text or JSON, with secrets redacted."""

import asyncio
import contextlib
import json
import logging
import re
import sys
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final, Literal, TextIO, TypeAlias

from pydantic_core import to_json

from workflows.run_events import bound_fields

LogFormat: TypeAlias = Literal["text", "json"]
LineRenderer: TypeAlias = Callable[[dict[str, Any]], str]
"""Renders the fields of one event, including `timestamp`, `level`, `logger` and `event`, as a line."""

REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the current HTTP request, included in each of its log lines."""

_SECRETS: Final = re.compile(
    r"sk_live_[0-9a-f]{8,}|\b[ar]t_[A-Za-z0-9_-]{20,}|Bearer\s+[^\s\"'\\]+"
    r"|(?<=/api/oauth/authorize\?)[^\s\"'\\]+",
    re.IGNORECASE,
)
_REDACTED: Final = "[redacted]"
_OF_EVERY_RECORD: Final = frozenset(vars(logging.LogRecord("", 0, "", 0, "", None, None))) | {
    "message",
    "asctime",
    "taskName",
    "color_message",  # uvicorn's own message repeated with terminal escapes
}
_FIRST_OF_ITS_OWN: Final = len(vars(logging.LogRecord("", 0, "", 0, "", None, None)))
"""The place of a record's first field that not every record has."""


EVENT_WIDTH: Final = 30
"""Minimum width of an event in a text line, so that logger names line up."""
_NEEDS_QUOTES: Final = re.compile(r"[ \t=\r\n\"']")

LONGEST_FIELD: Final = 4_000
LONGEST_TRACEBACK: Final = 40_000

CALL_LOGGERS: Final = frozenset({"tools.calls.dispatch"})
"""Who writes a line for each call, which may wait for others to be written together."""
WAITING_SECONDS: Final = 0.05
MOST_WAITING: Final = 1_000


def redacted(text: str) -> str:
    """Blot out API keys, tokens, Bearer credentials and the query of an authorization request."""
    lowered = text.lower()
    # Nearly every line has none of these, and looking for them costs a tenth of the expression.
    if (
        "sk_live_" in lowered
        or "at_" in lowered
        or "rt_" in lowered
        or "bearer" in lowered
        or "authorize?" in lowered
    ):
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

    The finished line is redacted, so that a traceback and a library's message are covered too.
    """

    def __init__(self, render: LineRenderer) -> None:
        super().__init__()
        self._render = render
        self._newest_second = (0, "")

    def format(self, record: logging.LogRecord) -> str:
        """Render one record."""
        event: dict[str, Any] = {
            "timestamp": self._timestamp(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": shorten(record.getMessage()),
        }
        request_id = REQUEST_ID.get()
        if request_id is not None:
            event["request_id"] = request_id
        event.update(bound_fields())
        for name, value in islice(record.__dict__.items(), _FIRST_OF_ITS_OWN, None):
            if name not in _OF_EVERY_RECORD:
                event[name] = shorten(value) if isinstance(value, str) else value
        if record.exc_info:
            event["exception"] = shorten(self.formatException(record.exc_info), LONGEST_TRACEBACK)
        return redacted(self._render(event))

    def _timestamp(self, created: float) -> str:
        """Write a time in UTC, to the microsecond; thousands of lines share a second."""
        second, microsecond = divmod(int(created * 1_000_000), 1_000_000)
        known, written = self._newest_second
        if second != known:
            written = datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")
            self._newest_second = (second, written)
        return f"{written}.{microsecond:06d}+00:00"


class _BatchingHandler(logging.StreamHandler[TextIO]):
    """Writes call lines in batches after responses are sent. Any other line is written at once with pending lines.

    Writing each line separately costs more than formatting it. A killed process can lose the calls of its last 50 ms.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._waiting: list[str] = []
        self._written_by: asyncio.AbstractEventLoop | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Queue a line, and flush unless it may wait."""
        try:
            self._waiting.append(self.format(record))
            if not (record.name in CALL_LOGGERS and self._may_wait(record)):
                self.flush()
        except Exception:
            self.handleError(record)

    def flush(self) -> None:
        """Write all pending lines."""
        with self.lock or contextlib.nullcontext():
            self._written_by = None
            if self._waiting:
                lines, self._waiting = self._waiting, []
                self.stream.write("".join(line + self.terminator for line in lines))
            super().flush()

    def _may_wait(self, record: logging.LogRecord) -> bool:
        """Have the event loop write what waits; outside of one nothing waits."""
        if record.levelno >= logging.WARNING or len(self._waiting) > MOST_WAITING:
            return False
        # Asked first, as to find the running loop asks the system for the number of the process, each time.
        if self._written_by is not None and not self._written_by.is_closed():
            return True
        try:
            self._written_by = asyncio.get_running_loop()
        except RuntimeError:
            return False
        self._written_by.call_later(WAITING_SECONDS, self.flush)
        return True


def configure_logging(
    log_format: LogFormat, *, level: int = logging.INFO, stream: TextIO | None = None, batched: bool = False
) -> None:
    """Send every logger's lines to `stream` (stderr unless given), replacing the root's handlers.

    `batched` is for a server, which writes a line for each call.
    """
    kind = _BatchingHandler if batched else logging.StreamHandler[TextIO]
    handler = kind(stream or sys.stderr)
    handler.setFormatter(_Formatter(_renderer(log_format)))
    root = logging.getLogger()
    handler.setLevel(level)
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.captureWarnings(True)
    # Our lines never include these fields, and collecting them is a third of the cost of a record.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    setattr(logging, "_srcfile", None)  # noqa: B010 - documented: records do not look for the line that logs
    for name in ("uvicorn", "uvicorn.error"):
        server_log = logging.getLogger(name)
        server_log.handlers.clear()
        server_log.propagate = True


def _renderer(log_format: LogFormat) -> LineRenderer:
    return _json_line if log_format == "json" else _text_line


def _text_line(event: dict[str, Any]) -> str:
    """Format time, level, event and logger, then the other fields by name, with any traceback below."""
    traceback: str | None = event.pop("exception", None)
    time, level, words, logger = (event.pop(name) for name in ("timestamp", "level", "event", "logger"))
    head = f"{time} [{level:<9}] {words:<{EVENT_WIDTH}} [{logger}]"
    line = " ".join([head, *(f"{name}={_text_value(event[name])}" for name in sorted(event))])
    return line if traceback is None else f"{line}\n{traceback}"


def _text_value(value: object) -> str:
    return value if isinstance(value, str) and not _NEEDS_QUOTES.search(value) else repr(value)


def _json_line(event: dict[str, Any]) -> str:
    try:
        return to_json(event, fallback=repr).decode()
    except ValueError:  # half a surrogate pair, or bytes that are no text
        return json.dumps(event, default=repr)

"""Warnings of libraries and of our own packages as a command prints them: plain lines, each text once."""

import logging
import sys
from typing import Final

EVENTS: Final = "seenby.events"
REMEMBERED_LINES: Final = 1_000


class OncePerText(logging.Filter):
    """Lets each line through once, so that an engine that is down says so once and not for every question."""

    def __init__(self) -> None:
        super().__init__()
        self._printed: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether this is for people and its text is new; lines of events are for processes that run on."""
        if record.name == EVENTS:
            return False
        text = record.getMessage()
        if text in self._printed:
            return False
        if len(self._printed) < REMEMBERED_LINES:
            self._printed.add(text)
        return True


def print_warnings_once() -> None:
    """Print warnings of a command as plain lines on standard error, each text once."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.WARNING)
    handler.addFilter(OncePerText())
    logging.getLogger().handlers[:] = [handler]

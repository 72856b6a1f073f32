"""How far a command has come: a bar on a terminal, and a line now and then where standard error goes elsewhere."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Protocol

from server.cli.output import Output, format_rate

SECONDS_BETWEEN_LINES = 5.0


class ProgressReport(Protocol):
    """Is told how much is done, and of how much where that is known."""

    def __call__(self, done: int, total: int | None = None, /) -> None:
        """Take the news."""
        ...


@contextmanager
def show_progress(output: Output, doing: str, unit: str) -> Generator[ProgressReport]:
    """Show on standard error how far something has come, with its rate in units a second."""
    started = time.monotonic()

    def rate(done: int) -> str:
        return format_rate(done, time.monotonic() - started, unit)

    if not output.messages.is_terminal:
        yield PlainProgress(output, doing, unit)
        return
    with output.progress() as bar:
        task = bar.add_task(doing, total=None, rate="")

        def advanced(done: int, total: int | None = None) -> None:
            bar.update(task, completed=done, total=total, rate=rate(done))

        yield advanced


class PlainProgress:
    """Prints a line when something ends, and every few seconds until then."""

    def __init__(self, output: Output, doing: str, unit: str) -> None:
        self._output = output
        self._doing = doing
        self._unit = unit
        self._started = self._said = time.monotonic()

    def __call__(self, done: int, total: int | None = None, /) -> None:
        """Say how far it is, unless it was said a moment ago."""
        now = time.monotonic()
        if now - self._said < SECONDS_BETWEEN_LINES and done != total:
            return
        self._said = now
        of = f" of {total:,}" if total is not None else ""
        rate = format_rate(done, now - self._started, self._unit)
        self._output.say(f"{self._doing}: {done:,}{of} {self._unit}{f', {rate}' if rate else ''}")

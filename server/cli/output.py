"""What commands print: data on standard output, messages and progress on standard error."""

import json
import logging
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:  # loaded by commands that print for people; a server only says where it serves
    from rich.console import Console
    from rich.progress import Progress

READABLE = 12
"""Signs of a longer cell that stand side by side at least; columns that are narrower are no words any more."""
GAP = 2


class Output:
    """One command's output, as text for people or as JSON for scripts."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.logger: logging.Logger | None = None
        """Where messages go of a process whose log is read by machines."""

    @cached_property
    def people(self) -> "Console":
        """Standard output as people see it."""
        return plain_console(sys.stdout)

    @cached_property
    def messages(self) -> "Console":
        """Standard error as people see it."""
        return plain_console(sys.stderr)

    @property
    def draws(self) -> bool:
        """Whether people look at a terminal that shows bars and sparklines."""
        return self.people.is_terminal and self.people.encoding.startswith("utf")

    def say(self, message: str) -> None:
        """Print a message for people on standard error, or write it to the log."""
        if self.logger is not None:
            self.logger.info(message)
        else:
            sys.stderr.write(f"{message}\n")  # a bar that is drawn meanwhile stays below

    def data(self, value: Any, show: Callable[[], object]) -> None:
        """Print the result: as JSON, or as `show` prints it for people.

        Dataclasses become objects with camelCase names, times ISO 8601 with Z, decimals text.
        """
        if self.as_json:
            sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=to_json_value) + "\n")
        else:
            show()

    def result(self, result: dict[str, Any], show: Callable[[], object]) -> None:
        """Print a tool's result; for people its notice and where its next page begins stand below."""
        self.data(result, show)
        if self.as_json:
            return
        if result.get("notice"):
            self.say(result["notice"])
        if result.get("nextOffset") is not None:
            self.say(f"{result['total']} in all; the next ones: --offset {result['nextOffset']}")
        elif 0 < result.get("total", 0) <= result.get("offset", 0):
            self.say(f"{result['total']} in all: there is nothing so far back.")

    def line(self, value: dict[str, Any]) -> None:
        """Print one line of JSON, with values in the form that `data` gives them."""
        sys.stdout.write(json.dumps(value, ensure_ascii=False, default=to_json_value) + "\n")

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Print a table for people.

        Whatever reads a pipe gets one line a row, however long. A terminal that is too narrow for columns gets
        each row as lines of its own.
        """
        from rich.table import Table

        cells = [[cell_text(cell) for cell in row] for row in rows]
        if not self.people.is_terminal:
            cells = [[" ".join(cell.split()) for cell in row] for row in cells]
        elif self.people.width < least_width(columns, cells):
            self._records(columns, cells)
            return
        table = Table(box=None, pad_edge=False, header_style="bold")
        for column in columns:
            table.add_column(column, overflow="fold", no_wrap=column == "id")  # it is there to be copied
        for row in cells:
            table.add_row(*row)
        if self.people.is_terminal:
            self.people.print(table)
        else:
            plain_console(sys.stdout, line_width(columns, cells)).print(table)

    def _records(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Print each row as lines that begin with their column's name; what a row lacks is left out."""
        for number, row in enumerate(rows):
            if number:
                self.people.print()
            for column, cell in zip(columns, row, strict=True):
                if cell:
                    self.people.print(f"{column}: {cell}" if column else cell)

    def progress(self) -> "Progress":
        """Return a progress bar with counts, rate and the time that is left."""
        from rich.progress import (  # loaded for the commands that take long enough to need it
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        return Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=self.messages,
        )


def least_width(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Return how wide a terminal has to be for a table: no word of a heading is broken, and no id or short cell."""
    from rich.cells import cell_len

    widths = [0] * len(columns)
    for row in ([*columns], *rows):
        for place, cell in enumerate(row):
            needed = cell_len(cell) if columns[place] == "id" else min(cell_len(cell), READABLE)
            widths[place] = max(widths[place], needed)
    return sum(widths) + GAP * max(0, len(columns) - 1)


def line_width(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Return how wide a table is whose cells are all on one line."""
    from rich.cells import cell_len

    widths = [max(map(cell_len, cells)) for cells in zip(columns, *rows, strict=True)]
    return max(1, sum(widths) + GAP * len(widths))


def plain_console(file: TextIO, width: int | None = None) -> "Console":
    """Return a console that prints names and answers as they are: brackets are no markup, and colons no emoji."""
    from rich.console import Console

    return Console(file=file, width=width, soft_wrap=True, highlight=False, markup=False, emoji=False)


def to_json_value(value: Any) -> object:
    """Return a value that JSON lacks in the wire's form; anything unknown as its text."""
    if is_dataclass(value) and not isinstance(value, type):
        return wire_fields(value)
    if isinstance(value, datetime):
        return format_time(value, "auto")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return decimal_text(value)
    return str(value)


def wire_fields(value: Any) -> dict[str, Any]:
    """Return a dataclass's fields under their camelCase names."""
    return {camel_case(field.name): getattr(value, field.name) for field in fields(value)}


def camel_case(name: str) -> str:
    """Return a Python name as the wire writes it: `last_used_at` is `lastUsedAt`."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def format_time(moment: datetime, timespec: str = "seconds") -> str:
    """Return an aware time as ISO 8601 in UTC with Z."""
    return moment.astimezone(UTC).isoformat(timespec=timespec).replace("+00:00", "Z")


def decimal_text(amount: Decimal | None) -> str | None:
    """Return an amount as plain decimal digits."""
    return None if amount is None else f"{amount.normalize():f}"


def cell_text(cell: object) -> str:
    """Return a table's cell as text."""
    if cell is None:
        return ""
    return format_time(cell) if isinstance(cell, datetime) else str(cell)


def format_rate(done: int, seconds: float, unit: str) -> str:
    """Return how fast something goes, in words."""
    return f"{done / seconds:.1f} {unit}/s" if seconds > 0 and done else ""

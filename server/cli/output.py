"""What commands print: results on standard output, as tables or JSON; messages and progress on standard error."""

import json
import logging
import re
import sys
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeAlias, cast

if TYPE_CHECKING:  # loaded by commands that print for people
    from rich.console import Console

READABLE = 12
"""Characters of a long cell that fit beside each other at least; narrower columns cannot be read."""
GAP = 2
LONGEST_LINE = 120
"""Characters of an object that is printed on the line of its name; a longer one is a section."""
OMITTED = frozenset({"untrusted", "measurement", "spans"})
"""Fields for programs, which only JSON has."""
SHORTENED = {"receipt": "receiptId"}
"""Objects of which people need one field: the receipt id opens the receipt."""
SECONDS_BETWEEN_LINES = 5.0

Record: TypeAlias = Mapping[str, Any]
Advance: TypeAlias = Callable[..., None]
"""Takes what is done, the total where it is known, and a new description."""


class Output:
    """One command's output, as text for people or as JSON for scripts."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.logger: logging.Logger | None = None
        """Where messages of a process go whose log is read by machines."""

    @cached_property
    def people(self) -> "Console":
        """Standard output as people see it."""
        return plain_console(sys.stdout)

    @cached_property
    def messages(self) -> "Console":
        """Standard error as people see it."""
        return plain_console(sys.stderr)

    def say(self, message: str) -> None:
        """Print a message on standard error, or write it to the log."""
        if self.logger is not None:
            self.logger.info(message)
        else:
            sys.stderr.write(f"{message}\n")  # a progress bar stays below

    def show(self, value: Any, text: str | None = None, *, columns: str = "") -> None:
        """Print a result: as JSON, as `text`, or as tables made from its fields.

        Dataclasses become objects with camelCase names, times ISO 8601 with Z, decimals text. `columns` selects and
        orders the fields of a list's table, which is shown with its header even without rows.
        """
        if self.as_json:
            sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=to_json_value) + "\n")
        elif text is not None:
            self.people.print(text)
        else:
            self._show_value(json.loads(json.dumps(value, default=to_json_value)), columns.split())

    def page(self, name: str, rows: Sequence[object], total: int, columns: str) -> None:
        """Print one page of a record: in JSON an object with the rows and their total."""
        self.show({name: rows, "total": total} if self.as_json else rows, columns=columns)

    def _show_value(self, value: Any, columns: Sequence[str]) -> None:
        if isinstance(value, list):
            rows = [flat(row) for row in cast("list[Record]", value)]
            shown = columns or used_columns(rows)
            self.table(
                [words_of(name) for name in shown], [[row.get(name) for name in shown] for row in rows]
            )
            return
        self._show_record(value, "")

    def _show_record(self, record: Record, title: str) -> None:
        """Print scalars and short objects as lines, then lists of objects as tables and long objects as sections."""
        lines: dict[str, str] = {}
        sections: dict[str, Any] = {}
        for name, value in record.items():
            if name in OMITTED:
                continue
            text = value[SHORTENED[name]] if value and name in SHORTENED else inline_text(value)
            if text is None:
                sections[f"{title}{words_of(name)}"] = value
            elif text:
                lines[words_of(name)] = text
        if title and lines:
            self.people.print(f"\n{title.removesuffix(': ').capitalize()}", style="bold")
        width = max(map(len, lines), default=0)
        for name, text in lines.items():
            self.people.print(f"{name:<{width}}  {text}")
        for name, value in sections.items():
            if isinstance(value, list):
                self.people.print(f"\n{name.capitalize()}", style="bold")
                self._show_value(value, ())
            else:
                self._show_record(value, f"{name}: ")

    def write(self, text: str, file: Path | None) -> None:
        """Write a document to a file, or to standard output."""
        if file is None:
            sys.stdout.write(text)
            return
        file.write_text(text, encoding="utf-8")
        self.say(f"written: {file}")

    def line(self, value: Record) -> None:
        """Print one line of JSON, with values in the form that `show` gives them."""
        sys.stdout.write(json.dumps(value, ensure_ascii=False, default=to_json_value) + "\n")

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Print a table for people.

        A pipe gets one line for each row, however long. A terminal that is too narrow gets a block of lines for each.
        """
        from rich.table import Table

        cells = [[cell_text(cell) for cell in row] for row in rows]
        if not self.people.is_terminal:
            cells = [[" ".join(cell.split()) for cell in row] for row in cells]
        elif self.people.width < least_width(columns, cells):
            self._print_blocks(columns, cells)
            return
        table = Table(box=None, pad_edge=False, header_style="bold")
        for column in columns:
            table.add_column(column, overflow="fold", no_wrap=is_id(column))  # an id is there to be copied
        for row in cells:
            table.add_row(*row)
        if self.people.is_terminal:
            self.people.print(table)
            return
        whole = plain_console(sys.stdout, line_width(columns, cells))
        with whole.capture() as captured:
            whole.print(table)
        sys.stdout.writelines(f"{line.rstrip()}\n" for line in captured.get().splitlines())

    def _print_blocks(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        for number, row in enumerate(rows):
            if number:
                self.people.print()
            for column, cell in zip(columns, row, strict=True):
                if cell:
                    self.people.print(f"{column}: {cell}" if column else cell)

    @contextmanager
    def progress(self, doing: str, unit: str) -> Generator[Advance]:
        """Show progress on standard error: a bar on a terminal, a line every few seconds elsewhere."""
        started = said = time.monotonic()
        if not self.messages.is_terminal:

            def advance_lines(done: int, total: int | None = None, description: str = doing) -> None:
                nonlocal said
                now = time.monotonic()
                if now - said < SECONDS_BETWEEN_LINES and done != total:
                    return
                said = now
                of = f" of {total:,}" if total is not None else ""
                self.say(f"{description}: {done:,}{of} {unit}{format_rate(done, now - started, unit, ', ')}")

            yield advance_lines
            return
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        columns = (
            *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()),
            *(
                TextColumn("{task.fields[rate]}"),
                TimeElapsedColumn(),
                TextColumn("left"),
                TimeRemainingColumn(),
            ),
        )
        with Progress(*columns, console=self.messages) as bar:
            task = bar.add_task(doing, total=None, rate="")

            def advance_bar(done: int, total: int | None = None, description: str = doing) -> None:
                rate = format_rate(done, time.monotonic() - started, unit)
                bar.update(task, completed=done, total=total, rate=rate, description=description)

            yield advance_bar


async def confirm(question: str) -> bool:
    """Ask a yes-or-no question on the terminal."""
    import anyio.to_thread
    import typer

    return await anyio.to_thread.run_sync(typer.confirm, question, abandon_on_cancel=True)


def interval_text(value: Any) -> str | None:
    """Return an interval as `low to high`, or None for anything else."""
    if not isinstance(value, dict) or not {"low", "high"} <= cast("Record", value).keys():
        return None
    return f"{cell_text(value['low'])} to {cell_text(value['high'])}"


def flat(record: Record) -> dict[str, Any]:
    """Return a table's row: nested objects become fields `outerInner`, intervals one cell."""
    result: dict[str, Any] = {}
    for name, value in record.items():
        if name in OMITTED:
            continue
        if isinstance(value, dict) and interval_text(value) is None:
            inner = flat(cast("Record", value))
            result |= {f"{name}{field[:1].upper()}{field[1:]}": cell for field, cell in inner.items()}
        else:
            result[name] = interval_text(value) or value
    return result


def inline_text(value: Any) -> str | None:
    """Return a field's value as text for one line, or None for what needs a table or a section."""
    if isinstance(value, dict):
        record = cast("Record", value)
        parts = [(name, inline_text(part)) for name, part in record.items()]
        if (interval := interval_text(value)) is not None:
            return interval
        if any(text is None for _, text in parts):
            return None
        line = ", ".join(f"{words_of(name)} {text}" for name, text in parts if text)
        return line if len(line) <= LONGEST_LINE else None
    objects = isinstance(value, list) and any(isinstance(part, dict) for part in cast("list[Any]", value))
    return None if objects else cell_text(value)


def used_columns(rows: Sequence[Record]) -> list[str]:
    """Return the fields that any row fills."""
    names = dict.fromkeys(name for row in rows for name in row)
    return [name for name in names if any(cell_text(row.get(name)) for row in rows)]


def words_of(name: str) -> str:
    """Return a field's name in words: `nextRunAt` is `next run at`."""
    return re.sub(r"(?<=[a-z0-9])[A-Z]", lambda capital: f" {capital[0].lower()}", name)


def is_id(column: str) -> bool:
    """Return whether a column has identifiers."""
    return column == "id" or column.endswith(" id")


def least_width(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Return how wide a terminal must be for a table: no id, heading word or short cell is broken."""
    from rich.cells import cell_len

    widths = [0] * len(columns)
    for row in ([*columns], *rows):
        for place, cell in enumerate(row):
            needed = cell_len(cell) if is_id(columns[place]) else min(cell_len(cell), READABLE)
            widths[place] = max(widths[place], needed)
    return sum(widths) + GAP * max(0, len(columns) - 1)


def line_width(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Return how wide a table is whose cells are all on one line."""
    from rich.cells import cell_len

    widths = [max(map(cell_len, cells)) for cells in zip(columns, *rows, strict=True)]
    return max(1, sum(widths) + GAP * len(widths))


def plain_console(file: TextIO, width: int | None = None) -> "Console":
    """Return a console that prints names and answers as they are: brackets are no markup, colons no emoji."""
    from rich.console import Console

    return Console(file=file, width=width, soft_wrap=True, highlight=False, markup=False, emoji=False)


def to_json_value(value: Any) -> object:
    """Return the wire form of a value that JSON has no type for; anything unknown as text."""
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
    """Return a Python name as on the wire: `last_used_at` is `lastUsedAt`."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def format_time(moment: datetime, timespec: str = "seconds") -> str:
    """Return an aware time as ISO 8601 in UTC with Z."""
    return moment.astimezone(UTC).isoformat(timespec=timespec).replace("+00:00", "Z")


def decimal_text(amount: Decimal | None) -> str | None:
    """Return an amount as plain decimal digits."""
    return None if amount is None else f"{amount.normalize():f}"


def cell_text(cell: Any) -> str:
    """Return a table's cell as text; lists are joined, and objects in a list are named by their first text."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else ""
    if isinstance(cell, float):
        return f"{cell:.4g}"
    if isinstance(cell, datetime):
        return format_time(cell)
    if isinstance(cell, list):
        return ", ".join(filter(None, map(cell_text, cast("list[Any]", cell))))
    if isinstance(cell, dict):
        record = cast("dict[str, Any]", cell)
        named = next((record[name] for name in NAMES if record.get(name)), None)
        return cell_text(named if named is not None else next(iter(record.values()), None))
    return re.sub(r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$", r"\1Z", str(cell))


NAMES = ("name", "title", "brandName", "platform", "source", "url", "text", "code")
"""The fields that name an object, first come first served."""


def format_rate(done: int, seconds: float, unit: str, before: str = "") -> str:
    """Return the speed of something, in words."""
    return f"{before}{done / seconds:.1f} {unit}/s" if seconds > 0 and done else ""

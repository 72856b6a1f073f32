"""What commands print: data on standard output, messages and progress on standard error."""

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table


class Output:
    """One command's output, as text for people or as JSON for scripts."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.people = Console(file=sys.stdout, soft_wrap=True, highlight=False)
        self.messages = Console(file=sys.stderr, soft_wrap=True, highlight=False)

    def say(self, message: str) -> None:
        """Tell a person what happens."""
        self.messages.print(message, markup=False)

    def data(self, value: Any, show: Callable[[], object]) -> None:
        """Print the result: as JSON, or as `show` prints it for people."""
        if self.as_json:
            sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n")
        else:
            show()

    def line(self, value: dict[str, Any]) -> None:
        """Print one line of JSON."""
        sys.stdout.write(json.dumps(value, ensure_ascii=False, default=str) + "\n")

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Print a table for people."""
        table = Table(box=None, pad_edge=False, header_style="bold")
        for column in columns:
            table.add_column(column, overflow="fold")
        for row in rows:
            table.add_row(*("" if cell is None else str(cell) for cell in row))
        self.people.print(table)

    def progress(self) -> Progress:
        """Return a progress bar with counts, rate and the time that is left."""
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


def rate(done: int, seconds: float, unit: str) -> str:
    """Return how fast it goes, in words."""
    return f"{done / seconds:.1f} {unit}/s" if seconds > 0 and done else ""

"""The lines of a draft beside those of the text that it would replace: kept, added, removed."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

MOST_LINES = 1000
"""Lines of a text that are compared: comparing takes the square of them."""
Change: TypeAlias = Literal["kept", "added", "removed"]


@dataclass(frozen=True, slots=True)
class DraftLine:
    """One line of either text."""

    change: Change
    text: str


def compare_texts(before: str, after: str) -> list[DraftLine]:
    """Return the lines of both texts in order; of texts that are too long to compare, all of both."""
    old, new = read_lines(before), read_lines(after)
    if max(len(old), len(new)) > MOST_LINES:
        return [*lines_as("removed", old), *lines_as("added", new)]
    lines: list[DraftLine] = []
    matcher = SequenceMatcher(a=old, b=new, autojunk=False)
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            lines += lines_as("kept", old[old_start:old_end])
        else:
            lines += lines_as("removed", old[old_start:old_end])
            lines += lines_as("added", new[new_start:new_end])
    return lines


def read_lines(text: str) -> list[str]:
    """Return the lines of a text that hold anything."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def lines_as(change: Change, lines: Sequence[str]) -> list[DraftLine]:
    """Return lines that all have one fate."""
    return [DraftLine(change, line) for line in lines]

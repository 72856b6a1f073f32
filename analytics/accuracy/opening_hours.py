"""Reads on which days and at which hours somebody is open."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from analytics.text.folding import without_case

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY = r"(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?s?"
_SPAN = re.compile(
    rf"\b(?P<first>{_DAY})\b\.?(?:\s{{0,3}}(?:-|–|to|through|thru|until)\s{{0,3}}(?P<last>{_DAY})\b)?",
    re.IGNORECASE,
)
_GROUPS = {
    re.compile(r"\bweekdays\b", re.IGNORECASE): frozenset(range(5)),
    re.compile(r"\bweekends\b", re.IGNORECASE): frozenset((5, 6)),
    re.compile(r"\b(?:daily|every day|(?:7|seven) days a week|24/7)(?!\w)", re.IGNORECASE): frozenset(
        range(7)
    ),
}
_HOUR = r"(\d{1,2})(?:[:.](\d\d))?\s{0,3}([ap])?\.?(?:m\b\.?)?"
_TIMES = re.compile(
    rf"(?<![\d$€£]){_HOUR}\s{{0,3}}(?:-|–|to|until|till)\s{{0,3}}{_HOUR}(?!\d)", re.IGNORECASE
)
_CUE = re.compile(r"\b(?:open|opens|opening|hours|closed|closes)\b", re.IGNORECASE)
CUES = ("open", "hours", "close")
DAY_CUES = (*_DAYS, "week", "daily", "every day", "24/7")
"""Without one of each of these, in lower case, a text speaks of no opening hours."""
_CLOSED = re.compile(r"\b(?:closed|not open)\b", re.IGNORECASE)
_PART = re.compile(r"[^,;]+")
_SENTENCE = re.compile(r"[^\n]+?(?:[.!?](?=\s|\Z)|\n|\Z)")
_NOON = 12

Times: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Opening:
    """Days (0 is Monday) that are open, closed, or open between two minutes of the day."""

    days: frozenset[int]
    open: bool
    times: Times | None = None


def openings(text: str, *, cued: bool = False) -> Iterator[tuple[int, int, Opening]]:
    """Yield (start, end, opening) for each part of a sentence that names days and speaks of being open.

    `cued` says that the whole text is known to be about opening hours.
    """
    for sentence in _SENTENCE.finditer(text):
        if not cued and _CUE.search(sentence[0]) is None:
            continue
        for part in _PART.finditer(sentence[0]):
            days = days_of(part[0])
            if not days:
                continue
            closed = _CLOSED.search(part[0]) is not None
            start = sentence.start() + part.start()
            times = None if closed else times_of(part[0])
            yield start, start + len(part[0]), Opening(days, not closed, times)


def days_of(text: str) -> frozenset[int]:
    """Return the days that a text names, ranges filled."""
    weekdays: set[int] = set()
    for group, days in _GROUPS.items():
        if group.search(text):
            weekdays |= days
    for span in _SPAN.finditer(text):
        first = day(span["first"])
        last = day(span["last"]) if span["last"] else first
        weekdays |= {(first + step) % 7 for step in range((last - first) % 7 + 1)}
    return frozenset(weekdays)


def day(name: str) -> int:
    """Return the number of a day, 0 for Monday."""
    return _DAYS.index(without_case(name)[:3])


def times_of(text: str) -> Times | None:
    """Return the minutes of the day between which somebody is open, None when the text does not say."""
    times = _TIMES.search(text)
    if times is None:
        return None
    open_hour, open_minute, open_half, close_hour, close_minute, close_half = times.groups()
    start = minutes(
        open_hour, open_minute, open_half or (close_half if late(open_hour, close_hour) else None)
    )
    end = minutes(close_hour, close_minute, close_half)
    return (start, end) if start < 24 * 60 and end <= 24 * 60 else None


def late(first: str, last: str) -> bool:
    """Tell whether `1 to 5 pm` means the same half of the day for both, as `9 to 5 pm` does not."""
    return int(first) < int(last)


def minutes(hour: str, minute: str | None, half: str | None) -> int:
    """Return the minute of the day."""
    whole = int(hour)
    if half is not None:
        whole = whole % _NOON + (_NOON if half.casefold() == "p" else 0)
    return whole * 60 + int(minute or 0)

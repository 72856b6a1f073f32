"""Periods that pages look at, and those that they are compared with."""

from collections.abc import Mapping
from datetime import date

PERIODS: Mapping[str, str] = {"7": "7 days", "28": "28 days", "90": "90 days", "all": "all time"}
DEFAULT_PERIOD = "28"
COMPARISONS: Mapping[str, str] = {
    "before": "the period before",
    "year": "the same days a year before",
    "none": "nothing",
}
DEFAULT_COMPARISON = "before"
FIRST_DAY = date(2000, 1, 1)
"""Where all time begins: before anybody could ask an engine."""


def year_before(day: date) -> date:
    """Return the same day of the year before; 29 February becomes the 28th."""
    return (
        day.replace(year=day.year - 1, day=28)
        if (day.month, day.day) == (2, 29)
        else day.replace(year=day.year - 1)
    )

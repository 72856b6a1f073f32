"""UTC days as they are stored: as their number since 1970-01-01."""

from datetime import date, datetime

from sqlalchemy import ColumnElement, Integer, bindparam

from storage.repositories.answers.answer_filters import DAY
from storage.tables.columns import EPOCH

FIRST_DAY, LAST_DAY = -(1 << 30), 1 << 30
"""What no day of an answer is before or after."""
FIRST, LAST = bindparam("first", type_=Integer), bindparam("last", type_=Integer)


def number_of(day: date) -> int:
    """Return a day as it is stored."""
    return (day - EPOCH.date()) // DAY


def midnight(day: date) -> datetime:
    """Return the instant at which a day begins."""
    return EPOCH + number_of(day) * DAY


def day_bounds(first: date | None, last: date | None) -> dict[str, int]:
    """Return the parameters of `is_within`; None is an open end."""
    return {
        "first": FIRST_DAY if first is None else number_of(first),
        "last": LAST_DAY if last is None else number_of(last),
    }


def is_within(day: ColumnElement[int]) -> ColumnElement[bool]:
    """Return whether a day is in the period."""
    return day.between(FIRST, LAST)

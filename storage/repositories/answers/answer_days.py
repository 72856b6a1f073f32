"""The UTC day of an answer in a statement, and what a row of it says."""

from datetime import date, timedelta

from sqlalchemy import BigInteger, type_coerce

from storage.tables.answers import answers
from storage.tables.columns import EPOCH, MICROSECOND

DAY = timedelta(days=1)
DAYS_SINCE_1970 = type_coerce(answers.c.captured_at, BigInteger) // (DAY // MICROSECOND)
"""The UTC day of an answer; instants are stored as microseconds since 1970."""


def day_of(days_since_1970: int) -> date:
    """Return the day that a row tells."""
    return EPOCH.date() + days_since_1970 * DAY

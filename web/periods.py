"""Periods that pages look at."""

from collections.abc import Mapping
from datetime import date

PERIODS: Mapping[str, str] = {"7": "7 days", "28": "28 days", "90": "90 days", "all": "all time"}
DEFAULT_PERIOD = "28"
FIRST_DAY = date(2000, 1, 1)
"""Where all time begins: before anybody could ask an engine."""

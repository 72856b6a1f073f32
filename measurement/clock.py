"""The clock that is passed to whatever needs the time."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

Clock = Callable[[], datetime]

utc_now: Clock = partial(datetime.now, UTC)
"""The time, aware, in UTC."""

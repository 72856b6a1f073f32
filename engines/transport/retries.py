"""Retries: when to send a request again, by the provider's own headers or exponential backoff with full jitter.

The circuit breaker, which gives a platform up for a batch, is in `measurement.asking.probe`.
"""

import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import anyio

MAX_ATTEMPTS = 3
LONGEST_BACKOFF = 20.0
LONGEST_WAIT = 60.0
"""Seconds; a provider that asks for more is reported with `retry_at` instead of waited for."""
FURTHEST = 366 * 86_400.0


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Timing:
    """Clock, sleep and chance, so that tests can own them."""

    now: Callable[[], datetime] = _utc_now
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    uniform: Callable[[float, float], float] = random.uniform


def forbidden(headers: Mapping[str, str]) -> bool:
    """Whether the provider says that asking again is pointless (`x-should-retry: false`)."""
    return headers.get("x-should-retry", "").strip().lower() == "false"


def stated_wait(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds the provider asks us to wait, or None; `headers` has lowercase names.

    `retry-after-ms` wins over `Retry-After`, which is seconds or an HTTP date
    (RFC 9110, section 10.2.3). An unreadable value counts as absent.
    """
    milliseconds = _seconds(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after", "")
    seconds = _seconds(value)
    return seconds if seconds is not None else _until(value, now)


def backoff(attempt: int, uniform: Callable[[float, float], float]) -> float:
    """Seconds to wait after the failed attempt number `attempt`, counted from 1 (full jitter).

    Source: M. Brooker, Exponential Backoff And Jitter, AWS Architecture Blog (2015).
    """
    return uniform(0, min(LONGEST_BACKOFF, 2.0**attempt))


def moment(now: datetime, seconds: float) -> datetime:
    """The time `seconds` from now."""
    return now + timedelta(seconds=seconds)


def _seconds(value: str) -> float | None:
    try:
        seconds = float(value)
    except ValueError:
        return None
    return min(seconds, FURTHEST) if seconds >= 0 else None  # false for NaN as well


def _until(value: str, now: datetime) -> float | None:
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    aware = date if date.tzinfo is not None else date.replace(tzinfo=UTC)
    return min(max(0.0, (aware - now).total_seconds()), FURTHEST)

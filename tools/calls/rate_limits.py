"""Rate limits per API key and other callers: sliding windows, exact under concurrency.

A call is counted in all of its windows or in none, so that a rejected call costs
nothing. Generic limiters count one window at a time, which leaves a call that
the second window rejects counted in the first.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Protocol

from oauth.principal import Caller, Principal
from oauth.throttle import network_of
from tools.calls.table import ToolRow

WINDOW_SECONDS = 60
WRITES_A_MINUTE = 10
PUBLIC_CALLS_A_MINUTE = 30


@dataclass(slots=True)  # not frozen, like the next three: a frozen class is slow, and calls create many
class RateLimitWindow:
    """At most `limit` calls within any `seconds` under one key."""

    key: str
    limit: int
    seconds: int = WINDOW_SECONDS


@dataclass(slots=True)
class Use:
    """Usage of a window: the calls counted in it, and the seconds until the next of them expires.

    For a full window, the seconds until a slot is free.
    """

    count: int
    frees_in: float


@dataclass(slots=True)
class RateLimitHit:
    """Whether a call was counted, and the resulting usage of each of its windows."""

    counted: bool
    uses: Sequence[Use]

    def wait(self, windows: Sequence[RateLimitWindow]) -> int | None:
        """Return the whole seconds until every hit window has a free slot, or None for a counted call."""
        if self.counted:
            return None
        full = [use for window, use in zip(windows, self.uses, strict=True) if use.count >= window.limit]
        return _whole_seconds(max(use.frees_in for use in full))


class Windows(Protocol):
    """Store of recent calls."""

    async def hit(self, windows: Sequence[RateLimitWindow]) -> RateLimitHit:
        """Count a call in all of these windows if each has a free slot, otherwise in none."""
        ...


@dataclass(slots=True)
class RateLimitStatus:
    """The caller's status in the most restrictive window: limit, remaining calls, seconds to the next free slot.

    `retry_after` is set for a call that was rejected.
    """

    limit: int
    remaining: int
    reset: int
    retry_after: int | None = None


class MemoryWindows:
    """The windows of one process. `clock` returns seconds and is monotonic."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._calls: dict[tuple[str, int], deque[float]] = {}
        self._sweep_at = clock() + WINDOW_SECONDS

    async def hit(self, windows: Sequence[RateLimitWindow]) -> RateLimitHit:
        """Count a call. Nothing is awaited between check and count, so no other call can interleave."""
        now = self._clock()
        if now >= self._sweep_at:
            self._sweep(now)
        counted = True
        kept: list[tuple[deque[float], RateLimitWindow]] = []
        for window in windows:
            calls = self._kept(window, now)
            kept.append((calls, window))
            counted = counted and len(calls) < window.limit
        if counted:
            for calls, _ in kept:
                calls.append(now)
        return RateLimitHit(counted, [_use(calls, window, now, counted) for calls, window in kept])

    def __len__(self) -> int:
        """Return the number of stored windows."""
        return len(self._calls)

    def _kept(self, window: RateLimitWindow, now: float) -> deque[float]:
        name = (window.key, window.seconds)
        calls = self._calls.get(name)
        if calls is None:
            calls = self._calls[name] = deque()
        expired = now - window.seconds
        while calls and calls[0] <= expired:
            calls.popleft()
        return calls

    def _sweep(self, now: float) -> None:
        """Drop windows that are empty. Runs once a minute to spread the cost."""
        self._calls = {
            (key, seconds): calls
            for (key, seconds), calls in self._calls.items()
            if calls and calls[-1] > now - seconds
        }
        self._sweep_at = now + WINDOW_SECONDS


def _use(calls: deque[float], window: RateLimitWindow, now: float, counted: bool) -> Use:
    full = len(calls) >= window.limit and not counted
    leaving = calls[len(calls) - window.limit if full else 0] if calls else now - window.seconds
    return Use(len(calls), leaving + window.seconds - now)


class RateLimits:
    """The rate limits of the interface over any store of windows."""

    def __init__(self, windows: Windows) -> None:
        self._store = windows

    async def count(self, row: ToolRow, caller: Caller) -> RateLimitStatus:
        """Count one call of a tool, unless one of the caller's windows is full."""
        windows = _windows_of(row, caller)
        hit = await self._store.hit(windows)
        if hit.counted and len(windows) == 1:  # nearly every call
            return _left(windows[0], hit.uses[0])
        used = list(zip(windows, hit.uses, strict=True))
        if hit.counted:
            return _left(*min(used, key=lambda pair: (pair[0].limit - pair[1].count, -pair[1].frees_in)))
        full = [pair for pair in used if pair[1].count >= pair[0].limit]
        window, use = max(full, key=lambda pair: pair[1].frees_in)
        wait = _whole_seconds(use.frees_in)
        return RateLimitStatus(window.limit, 0, wait, retry_after=wait)


def _left(window: RateLimitWindow, use: Use) -> RateLimitStatus:
    return RateLimitStatus(window.limit, max(0, window.limit - use.count), _whole_seconds(use.frees_in))


def _windows_of(row: ToolRow, caller: Caller) -> list[RateLimitWindow]:
    """Return the windows that count a call: per address for public tools, per credential for all others."""
    if row.access == "public":
        return [public_window(caller.address)]
    principal = _known(caller)
    windows = [RateLimitWindow(principal.subject, principal.rate_limit)]
    if row.access == "write" and not principal.is_person:
        windows.append(RateLimitWindow(f"{principal.subject}:writes", WRITES_A_MINUTE))
    return windows


def public_window(address: str) -> RateLimitWindow:
    """Return the window that counts all public reads of a client address."""
    return RateLimitWindow(f"public:{network_of(address)}", PUBLIC_CALLS_A_MINUTE)


def _known(caller: Caller) -> Principal:
    if caller.principal is None:
        raise ValueError("a call of a protected tool is counted per credential, and there is none")
    return caller.principal


def _whole_seconds(seconds: float) -> int:
    return max(1, ceil(seconds))

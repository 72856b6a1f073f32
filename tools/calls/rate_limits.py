"""How often a caller may call: moving windows, exact under concurrency.

A call is counted in all of its windows or in none, so that a refused call costs
nothing. Generic limiters count one window at a time, which leaves a call that
the second window refuses counted in the first.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Protocol

from oauth.principal import Caller, Principal
from oauth.rate_limits import network_of
from tools.calls.table import ToolRow

WINDOW_SECONDS = 60
WRITES_A_MINUTE = 10
PUBLIC_CALLS_A_MINUTE = 30


@dataclass(slots=True)  # not frozen, as the next three: several are made for each call, and freezing is slow
class RateLimitWindow:
    """At most `limit` calls within any `seconds` under one key."""

    key: str
    limit: int
    seconds: int = WINDOW_SECONDS


@dataclass(slots=True)
class Use:
    """How full a window is: calls counted in it, and seconds until the next of them leaves it.

    For a window that has no place, the seconds are until it has one.
    """

    count: int
    frees_in: float


@dataclass(slots=True)
class RateLimitHit:
    """Whether a call was counted, and how full each of its windows is after that."""

    counted: bool
    uses: Sequence[Use]

    def wait(self, windows: Sequence[RateLimitWindow]) -> int | None:
        """Return the whole seconds until all the windows that were hit have a place; None for a counted call."""
        if self.counted:
            return None
        full = [use for window, use in zip(windows, self.uses, strict=True) if use.count >= window.limit]
        return _whole_seconds(max(use.frees_in for use in full))


class Windows(Protocol):
    """Where the calls of the last while are kept."""

    async def hit(self, windows: Sequence[RateLimitWindow]) -> RateLimitHit:
        """Count a call in all these windows if each has a place, else in none."""
        ...


@dataclass(slots=True)
class RateLimitStatus:
    """Where a caller stands in the window that binds first: limit, places left, seconds to the next place.

    `retry_after` is set for a call that was refused.
    """

    limit: int
    remaining: int
    reset: int
    retry_after: int | None = None


class MemoryWindows:
    """The windows of one process. `clock` counts seconds and never goes back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._calls: dict[tuple[str, int], deque[float]] = {}
        self._sweep_at = clock() + WINDOW_SECONDS

    async def hit(self, windows: Sequence[RateLimitWindow]) -> RateLimitHit:
        """Count a call; nothing is awaited between looking and counting, so no other call comes between."""
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
        """How many windows are kept."""
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
        """Forget windows that are empty by now; once a minute, so that the cost is spread thin."""
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
    """The limits of the interface over any store of windows."""

    def __init__(self, windows: Windows) -> None:
        self._store = windows

    async def count(self, row: ToolRow, caller: Caller) -> RateLimitStatus:
        """Count one call of a tool, unless a window of the caller is full."""
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
    """The windows that one call is counted in: a public tool's per address, all others per credential."""
    if row.access == "public":
        return [public_window(caller.address)]
    principal = _known(caller)
    windows = [RateLimitWindow(principal.subject, principal.rate_limit)]
    if row.access == "write":
        windows.append(RateLimitWindow(f"{principal.subject}:writes", WRITES_A_MINUTE))
    return windows


def public_window(address: str) -> RateLimitWindow:
    """The window in which everything public that a client address reads is counted."""
    return RateLimitWindow(f"public:{network_of(address)}", PUBLIC_CALLS_A_MINUTE)


def _known(caller: Caller) -> Principal:
    if caller.principal is None:
        raise ValueError("a call of a protected tool is counted per credential, and there is none")
    return caller.principal


def _whole_seconds(seconds: float) -> int:
    return max(1, ceil(seconds))

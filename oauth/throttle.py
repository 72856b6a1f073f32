"""How often an address may ask the authorization server, within this process."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

MOST_KEYS = 10_000


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `count` requests within any `seconds`, of one kind."""

    kind: str
    count: int
    seconds: int


class Throttle:
    """Moving windows in memory. `clock` counts seconds and never goes back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._uses: dict[tuple[Limit, str], deque[float]] = {}

    def wait(self, limit: Limit, who: str) -> int | None:
        """Count a request; or return, uncounted, the whole seconds until there is a place for it."""
        now = self._clock()
        uses = self._uses.setdefault((limit, who), deque())
        while uses and uses[0] <= now - limit.seconds:
            uses.popleft()
        if len(uses) >= limit.count:
            return max(1, ceil(uses[0] + limit.seconds - now))
        uses.append(now)
        if len(self._uses) > MOST_KEYS:
            self._forget(now)
        return None

    def _forget(self, now: float) -> None:
        """Drop windows that are empty by now; under a flood of addresses the oldest go too."""
        kept = {key: uses for key, uses in self._uses.items() if uses and uses[-1] > now - key[0].seconds}
        newest = sorted(kept.items(), key=lambda pair: pair[1][-1])[-MOST_KEYS // 2 :]
        self._uses = dict(newest)

"""Limits the concurrent requests per credential and platform, spaces them, and reduces a limit when throttled."""

import hashlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio

from engines.engine import Credential
from engines.transport.retries import Timing

PER_CREDENTIAL = 4
PER_PLATFORM = 16
SUCCESSES_TO_WIDEN = 20


class Pace:
    """Spaces the requests of one credential evenly, so that no minute exceeds the allowed number."""

    def __init__(self, per_minute: int | None) -> None:
        self._gap = 60 / per_minute if per_minute else 0.0
        self._next = float("-inf")

    @property
    def free(self) -> bool:
        """Whether requests never have to wait."""
        return not self._gap

    def rest(self, timing: Timing, seconds: float) -> None:
        """Delay all turns for a while."""
        if seconds:
            self._next = max(self._next, timing.monotonic() + seconds)

    async def turn(self, timing: Timing) -> None:
        """Wait for the next free slot and take it."""
        if self.free:
            return
        now = timing.monotonic()
        turn = max(now, self._next)
        self._next = turn + self._gap
        if turn > now:
            await timing.sleep(turn - now)


class CredentialLimit:
    """The concurrent requests of one credential: halved by a 429, increased after 20 successes, up to its ceiling."""

    def __init__(self, ceiling: int, per_minute: int | None = None) -> None:
        self._ceiling = ceiling
        self.pace = Pace(per_minute)
        self._successes = 0
        self._epoch = 0
        self.limiter = anyio.CapacityLimiter(ceiling)

    @property
    def width(self) -> int:
        """How many requests may be open now."""
        return int(self.limiter.total_tokens)

    @property
    def epoch(self) -> int:
        """Increases with every halving; a request remembers the epoch in which it was sent."""
        return self._epoch

    @property
    def forgettable(self) -> bool:
        """Whether a new limit would behave the same."""
        idle = self.limiter.borrowed_tokens == 0 and self.limiter.statistics().tasks_waiting == 0
        return idle and self.width == self._ceiling and self.pace.free

    def throttled(self, epoch: int) -> None:
        """Halve once per burst: requests sent before the last halving say nothing about the new width."""
        if epoch != self._epoch:
            return
        self._epoch += 1
        self._successes = 0
        self.limiter.total_tokens = max(1, self.width // 2)

    def succeeded(self) -> None:
        """Count a success towards the next increase."""
        if self.width == self._ceiling:
            return
        self._successes += 1
        if self._successes == SUCCESSES_TO_WIDEN:
            self._successes = 0
            self.limiter.total_tokens = self.width + 1


class ConcurrencyLimits:
    """The limits of all credentials of one platform, and the limit that they share."""

    def __init__(self, per_credential: int = PER_CREDENTIAL, per_minute: int | None = None) -> None:
        self._per_credential = per_credential
        self._per_minute = per_minute
        self._by_credential: dict[bytes, CredentialLimit] = {}
        self.platform = anyio.CapacityLimiter(max(PER_PLATFORM, per_credential))

    @asynccontextmanager
    async def of(self, credential: Credential | None) -> AsyncGenerator[CredentialLimit]:
        """Wait for a slot in the credential's limit and hold it for the whole request, including pauses."""
        key = _fingerprint(credential)
        limit = self._by_credential.setdefault(key, CredentialLimit(self._per_credential, self._per_minute))
        try:
            async with limit.limiter:
                yield limit
        finally:
            if limit.forgettable:
                self._by_credential.pop(key, None)


def _fingerprint(credential: Credential | None) -> bytes:
    return hashlib.sha256(credential.secret.encode()).digest() if credential is not None else b""

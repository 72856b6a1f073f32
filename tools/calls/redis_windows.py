"""The moving windows of several processes, in one Redis."""

import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from tools.calls.rate_limits import MemoryWindows, RateLimitHit, RateLimitWindow, Use

# Redis runs a script alone, and the time is its own, so that neither two
# processes nor two clocks can disagree. Each window is a list of the times of
# its calls in microseconds, oldest first. KEYS are the windows, ARGV[2i - 1] is the
# limit of window i, ARGV[2i] its length in microseconds. Answers 1 or 0 for
# counted, then for each window its calls and the microseconds until one leaves.
_HIT = """
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local counted = 1
for i, key in ipairs(KEYS) do
    local limit = tonumber(ARGV[2 * i - 1])
    local length = tonumber(ARGV[2 * i])
    local oldest = redis.call('LINDEX', key, 0)
    while oldest and tonumber(oldest) <= now - length do
        redis.call('LPOP', key)
        oldest = redis.call('LINDEX', key, 0)
    end
    if redis.call('LLEN', key) >= limit then counted = 0 end
end
local answer = {counted}
for i, key in ipairs(KEYS) do
    local limit = tonumber(ARGV[2 * i - 1])
    local length = tonumber(ARGV[2 * i])
    if counted == 1 then
        redis.call('RPUSH', key, string.format('%.0f', now))
        redis.call('PEXPIRE', key, math.ceil(length / 1000))
    end
    local count = redis.call('LLEN', key)
    local leaving = 0
    if counted == 0 and count >= limit then leaving = count - limit end
    local at = redis.call('LINDEX', key, leaving)
    answer[#answer + 1] = count
    answer[#answer + 1] = (at and tonumber(at) or now - length) + length - now
end
return answer
"""
# A script's keys must be on one node of a cluster, and what stands in the braces chooses it. Naming one
# of a call's windows there would count the others once for each of its values.
_PREFIX = "{seenby:calls}"
_CONNECTIONS = 8
_ANSWER_WITHIN_SECONDS = 1.0
_ASK_AGAIN_AFTER_SECONDS = 2.0

log = logging.getLogger(__name__)


class RedisWindows:
    """Windows shared through Redis.

    While Redis does not answer, calls are counted in this process alone, reads
    and writes alike: nobody is shut out by a cache that is down, and nobody gets
    more than the limit times the number of processes. The outage is logged once
    when it begins and once when it ends. `clock` counts seconds, for the pause
    between two attempts; `answer_within` is how many seconds Redis may take.
    """

    def __init__(
        self,
        url: str,
        clock: Callable[[], float] = time.monotonic,
        answer_within: float = _ANSWER_WITHIN_SECONDS,
    ) -> None:
        # Few connections: a burst of calls must queue, not open a connection for each.
        pool = BlockingConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType] - redis types no options
            url,
            max_connections=_CONNECTIONS,
            timeout=answer_within,
            socket_connect_timeout=answer_within,
            socket_timeout=answer_within,
            retry=Retry(NoBackoff(), 0),
        )
        self._redis = Redis.from_pool(pool)
        self._hit = self._redis.register_script(_HIT)
        self._clock = clock
        self._meanwhile = MemoryWindows(clock)
        self._ask_again_at: float | None = None

    async def hit(self, windows: Sequence[RateLimitWindow]) -> RateLimitHit:
        """Count a call in all these windows if each has a place, else in none."""
        if self._ask_again_at is not None and self._clock() < self._ask_again_at:
            return await self._meanwhile.hit(windows)
        try:
            answer = await self._ask(windows)
        except (RedisError, OSError) as error:
            self._lost(error)
            return await self._meanwhile.hit(windows)
        self._found()
        return answer

    async def ping(self) -> None:
        """Ask Redis whether it is there. Raises RedisError or OSError when it is not."""
        await cast("Awaitable[object]", self._redis.ping())  # pyright: ignore[reportUnknownMemberType]

    async def close(self) -> None:
        """Give the connections back."""
        await self._redis.aclose()

    async def _ask(self, windows: Sequence[RateLimitWindow]) -> RateLimitHit:
        keys = [f"{_PREFIX}:{window.seconds}:{window.key}" for window in windows]
        counted, *counts_and_waits = cast(list[int], await self._hit(keys=keys, args=_arguments(windows)))
        uses = [
            Use(count, wait / 1_000_000)
            for count, wait in zip(counts_and_waits[::2], counts_and_waits[1::2], strict=True)
        ]
        return RateLimitHit(bool(counted), uses)

    def _lost(self, error: Exception) -> None:
        if self._ask_again_at is None:
            log.error("rate limits are counted per process: Redis does not answer (%s)", type(error).__name__)
        self._ask_again_at = self._clock() + _ASK_AGAIN_AFTER_SECONDS

    def _found(self) -> None:
        if self._ask_again_at is not None:
            log.warning("rate limits are shared again: Redis answers")
            self._ask_again_at = None


def _arguments(windows: Sequence[RateLimitWindow]) -> list[Any]:
    return [number for window in windows for number in (window.limit, window.seconds * 1_000_000)]

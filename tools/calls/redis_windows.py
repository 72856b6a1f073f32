"""Sliding windows shared by several processes in one Redis."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from hashlib import sha1
from typing import Any, cast

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, RedisError

from tools.calls.rate_limits import MemoryWindows, RateLimitHit, RateLimitWindow, Use

# Redis runs a script atomically with its own clock, so that neither two
# processes nor two clocks can disagree. Each window is a list of the times of
# its calls in microseconds, oldest first. A script counts several calls, one after
# the other: ARGV has for each call the number of its windows, then the limit of each
# and its length in microseconds. KEYS has the windows of all calls in that order.
# It returns for each call 1 if counted or else 0, then for each window its number of
# calls and the microseconds until one expires.
_HIT = """
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local answer = {}
local before, read = 0, 1
while read <= #ARGV do
    local windows = tonumber(ARGV[read])
    local counted = 1
    for i = 1, windows do
        local key = KEYS[before + i]
        local length = tonumber(ARGV[read + 2 * i])
        local oldest = redis.call('LINDEX', key, 0)
        while oldest and tonumber(oldest) <= now - length do
            redis.call('LPOP', key)
            oldest = redis.call('LINDEX', key, 0)
        end
        if redis.call('LLEN', key) >= tonumber(ARGV[read + 2 * i - 1]) then counted = 0 end
    end
    answer[#answer + 1] = counted
    for i = 1, windows do
        local key = KEYS[before + i]
        local limit = tonumber(ARGV[read + 2 * i - 1])
        local length = tonumber(ARGV[read + 2 * i])
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
    before, read = before + windows, read + 1 + 2 * windows
end
return answer
"""
_NAME_OF_HIT = sha1(_HIT.encode(), usedforsecurity=False).hexdigest()
"""The name of the script in Redis once it has run."""
# A script's keys must be on one node of a cluster, and the text in braces selects the node. With a window's
# name in the braces, the other windows of a call would be split by its values.
_PREFIX = "{seenby:calls}"
_CONNECTIONS = 2
"""One connection counts calls, the other serves health checks."""
_MOST_TOGETHER = 100
"""Calls that one script counts. Redis serves no other client meanwhile."""
_ANSWER_WITHIN_SECONDS = 1.0
_ASK_AGAIN_AFTER_SECONDS = 2.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _WaitingCall:
    """A call to be counted, and the future of its result."""

    windows: Sequence[RateLimitWindow]
    answer: "asyncio.Future[RateLimitHit]"


class RedisWindows:
    """Sliding windows shared through Redis.

    Calls that arrive during a request to Redis wait and are counted together by the next request, because a request
    costs a process more than the counting costs Redis. Each call is still counted separately, in order of arrival.

    While Redis does not answer, calls are counted in this process alone, reads
    and writes alike. An outage of the cache blocks no one, and no one gets more
    than the limit times the number of processes. The outage is logged once when
    it begins and once when it ends. `clock` returns seconds, for the pause between
    two attempts. `answer_within` is how many seconds Redis may take.
    """

    def __init__(
        self,
        url: str,
        clock: Callable[[], float] = time.monotonic,
        answer_within: float = _ANSWER_WITHIN_SECONDS,
    ) -> None:
        # The client would time each step with its own task or timer; one timeout covers a whole request here.
        self._pool = BlockingConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType] - redis types no options
            url,
            max_connections=_CONNECTIONS,
            timeout=answer_within,
            socket_timeout=None,
            retry=Retry(NoBackoff(), 0),
        )
        self._redis = Redis.from_pool(self._pool)
        self._counting_connection: AbstractConnection | None = None
        self._answer_within = answer_within
        self._clock = clock
        self._meanwhile = MemoryWindows(clock)
        self._ask_again_at: float | None = None
        self._waiting: list[_WaitingCall] = []
        self._asking: asyncio.Task[None] | None = None

    async def hit(self, windows: Sequence[RateLimitWindow]) -> RateLimitHit:
        """Count a call in all of these windows if each has a free slot, otherwise in none."""
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
        """Ping Redis. Raises RedisError or OSError when it does not answer."""
        async with asyncio.timeout(self._answer_within):
            await cast("Awaitable[object]", self._redis.ping())  # pyright: ignore[reportUnknownMemberType]

    async def close(self) -> None:
        """Close the connections."""
        await self._redis.aclose()

    async def _ask(self, windows: Sequence[RateLimitWindow]) -> RateLimitHit:
        call = _WaitingCall(windows, asyncio.get_running_loop().create_future())
        self._waiting.append(call)
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask_for_all())
        return await call.answer

    async def _ask_for_all(self) -> None:
        """Count all waiting calls, including those that arrive meanwhile, until none is left."""
        asked: list[_WaitingCall] = []
        try:
            while self._waiting:
                asked, self._waiting = self._waiting[:_MOST_TOGETHER], self._waiting[_MOST_TOGETHER:]
                await self._ask_together(asked)
        finally:
            self._asking = None
            for call in (*asked, *self._waiting):  # only left when the event loop itself is shutting down
                call.answer.cancel()
            self._waiting = []

    async def _ask_together(self, calls: Sequence[_WaitingCall]) -> None:
        keys = [f"{_PREFIX}:{window.seconds}:{window.key}" for call in calls for window in call.windows]
        arguments = [number for call in calls for number in _arguments(call.windows)]
        try:
            numbers = iter(await self._run_script(len(keys), *keys, *arguments))
        except Exception as error:
            # Calls that arrived meanwhile would wait just as long for the same timeout.
            late, self._waiting = self._waiting, []
            for call in (*calls, *late):
                if not call.answer.done():
                    call.answer.set_exception(error)
            return
        for call in calls:
            counted = bool(next(numbers))
            uses = [Use(next(numbers), next(numbers) / 1_000_000) for _ in call.windows]
            if not call.answer.done():
                call.answer.set_result(RateLimitHit(counted, uses))

    async def _run_script(self, *arguments: object) -> list[int]:
        """Run the script in Redis on a dedicated connection: checking one out costs more than the request."""
        async with asyncio.timeout(self._answer_within):
            if self._counting_connection is None:
                self._counting_connection = await self._pool.get_connection()  # pyright: ignore[reportUnknownMemberType] - untyped
            try:
                return await _ask_redis(self._counting_connection, "EVALSHA", _NAME_OF_HIT, *arguments)
            except NoScriptError:
                return await _ask_redis(self._counting_connection, "EVAL", _HIT, *arguments)

    def _lost(self, error: Exception) -> None:
        if self._ask_again_at is None:
            log.error("rate limits are counted per process: Redis does not answer (%s)", type(error).__name__)
        self._ask_again_at = self._clock() + _ASK_AGAIN_AFTER_SECONDS

    def _found(self) -> None:
        if self._ask_again_at is not None:
            log.warning("rate limits are shared again: Redis answers")
            self._ask_again_at = None


async def _ask_redis(connection: AbstractConnection, *command: object) -> list[int]:
    """Send a command on a connection and return the response from Redis.

    Reconnects after a lost connection and closes after a timeout, so that a late response is never taken for another.
    """
    if connection.is_connected and await connection.can_read():
        await connection.disconnect(nowait=True)  # connection closed, or unrequested data
    await connection.send_command(*command)
    return cast(list[int], await connection.read_response())  # pyright: ignore[reportUnknownMemberType]


def _arguments(windows: Sequence[RateLimitWindow]) -> list[Any]:
    """Return the script's arguments for one call."""
    limits = (number for window in windows for number in (window.limit, window.seconds * 1_000_000))
    return [len(windows), *limits]

"""The moving windows of several processes, in one Redis."""

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

# Redis runs a script alone, and the time is its own, so that neither two
# processes nor two clocks can disagree. Each window is a list of the times of
# its calls in microseconds, oldest first. A script counts several calls, one after
# the other: ARGV has for each call the number of its windows, then the limit of each
# and its length in microseconds; KEYS has the windows of all calls in that order.
# Answers for each call 1 or 0 for counted, then for each of its windows its calls and
# the microseconds until one leaves.
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
"""How Redis names the script once it has run it."""
# A script's keys must be on one node of a cluster, and what stands in the braces chooses it. Naming one
# of a call's windows there would count the others once for each of its values.
_PREFIX = "{seenby:calls}"
_CONNECTIONS = 2
"""One counts calls, the other one serves health checks."""
_MOST_TOGETHER = 100
"""Calls that one script counts: Redis serves no other client meanwhile."""
_ANSWER_WITHIN_SECONDS = 1.0
_ASK_AGAIN_AFTER_SECONDS = 2.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _WaitingCall:
    """A call that is to be counted, and where its answer goes."""

    windows: Sequence[RateLimitWindow]
    answer: "asyncio.Future[RateLimitHit]"


class RedisWindows:
    """Windows shared through Redis.

    Calls that come while Redis is asked wait, and are counted together by the next question: asking costs a process
    more than counting costs Redis. Each is counted by itself, in the order in which they came.

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
        # The client would watch the time of each step, with a task or a timer for each; a question has one for all.
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
        async with asyncio.timeout(self._answer_within):
            await cast("Awaitable[object]", self._redis.ping())  # pyright: ignore[reportUnknownMemberType]

    async def close(self) -> None:
        """Give the connections back."""
        await self._redis.aclose()

    async def _ask(self, windows: Sequence[RateLimitWindow]) -> RateLimitHit:
        call = _WaitingCall(windows, asyncio.get_running_loop().create_future())
        self._waiting.append(call)
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask_for_all())
        return await call.answer

    async def _ask_for_all(self) -> None:
        """Ask for all calls that wait, and for those that came meanwhile, until none is left."""
        asked: list[_WaitingCall] = []
        try:
            while self._waiting:
                asked, self._waiting = self._waiting[:_MOST_TOGETHER], self._waiting[_MOST_TOGETHER:]
                await self._ask_together(asked)
        finally:
            self._asking = None
            for call in (*asked, *self._waiting):  # left only where the loop itself ends
                call.answer.cancel()
            self._waiting = []

    async def _ask_together(self, calls: Sequence[_WaitingCall]) -> None:
        keys = [f"{_PREFIX}:{window.seconds}:{window.key}" for call in calls for window in call.windows]
        arguments = [number for call in calls for number in _arguments(call.windows)]
        try:
            numbers = iter(await self._run_script(len(keys), *keys, *arguments))
        except Exception as error:
            # Who came meanwhile would wait as long again for the same silence.
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
        """Have Redis run the script, on a connection that is kept for it: lending one costs more than the question."""
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
    """Ask on a connection, and have Redis' answer.

    It reconnects after a loss, and closes after a timeout, so that a late response is never taken for another one.
    """
    if connection.is_connected and await connection.can_read():
        await connection.disconnect(nowait=True)  # its end, or unrequested data
    await connection.send_command(*command)
    return cast(list[int], await connection.read_response())  # pyright: ignore[reportUnknownMemberType]


def _arguments(windows: Sequence[RateLimitWindow]) -> list[Any]:
    """Return what the script reads of one call."""
    limits = (number for window in windows for number in (window.limit, window.seconds * 1_000_000))
    return [len(windows), *limits]

"""Rate limits: exact under concurrency, in one process and through Redis, and what happens without Redis."""

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio import Redis
from redis.exceptions import RedisError

from oauth.principal import Caller, Principal
from oauth.throttle import network_of
from tests.conftest import Clock
from tools.calls.rate_limits import MemoryWindows, RateLimits, RateLimitStatus, RateLimitWindow, Windows
from tools.calls.redis_windows import RedisWindows
from tools.calls.table import ToolTable

REDIS = "redis://127.0.0.1:6379/0"
NOBODY_LISTENS = "redis://127.0.0.1:1/0"


@pytest.fixture
async def shared() -> AsyncGenerator[tuple[RedisWindows, RedisWindows]]:
    """Two processes' windows in one Redis."""
    probe = Redis.from_url(REDIS)  # pyright: ignore[reportUnknownMemberType] - redis types no options
    try:
        await probe.execute_command("PING")  # pyright: ignore[reportUnknownMemberType] - redis types no answers
    except (RedisError, OSError):
        pytest.skip("no Redis answers on 127.0.0.1:6379")
    finally:
        await probe.aclose()
    # A busy machine takes its time, and what is tested here is not what happens when Redis does not answer.
    first, second = RedisWindows(REDIS, answer_within=30), RedisWindows(REDIS, answer_within=30)
    yield first, second
    await first.close()
    await second.close()


@pytest.fixture
def subject() -> str:
    """A name that no other run has counted under."""
    return f"key:{secrets.token_hex(8)}"


def as_subject(caller: Caller, subject: str, rate_limit: int = 60) -> Caller:
    assert caller.principal is not None
    principal: Principal = replace(caller.principal, subject=subject, rate_limit=rate_limit)
    return replace(caller, principal=principal)


async def counted(limits: RateLimits, table: ToolTable, tool: str, caller: Caller) -> bool:
    return (await limits.count(table[tool], caller)).retry_after is None


@pytest.mark.requirement("LIM-01")
async def test_of_a_hundred_calls_at_once_exactly_sixty_are_counted(table: ToolTable, reader: Caller) -> None:
    limits = RateLimits(MemoryWindows())
    taken = await asyncio.gather(*(counted(limits, table, "get_thing", reader) for _ in range(100)))
    assert taken.count(True) == 60


@pytest.mark.requirement("LIM-01")
async def test_two_processes_share_one_limit_exactly(
    shared: tuple[RedisWindows, RedisWindows], table: ToolTable, reader: Caller, subject: str
) -> None:
    processes = [RateLimits(windows) for windows in shared]
    caller = as_subject(reader, subject)
    calls = (counted(processes[n % 2], table, "get_thing", caller) for n in range(150))
    assert (await asyncio.gather(*calls)).count(True) == 60


async def test_calls_counted_together_get_the_same_result_as_alone(
    shared: tuple[RedisWindows, RedisWindows], subject: str
) -> None:
    reads, writes = RateLimitWindow(subject, 90), RateLimitWindow(f"{subject}:writes", 20)
    other = RateLimitWindow(f"{subject}:other", 1000)
    calls = [([reads, writes], [reads], [other])[number % 3] for number in range(300)]
    memory = MemoryWindows()
    alone = [await memory.hit(windows) for windows in calls]
    together = await asyncio.gather(*(shared[0].hit(windows) for windows in calls))
    assert [hit.counted for hit in together] == [hit.counted for hit in alone]
    counts = [[use.count for use in hit.uses] for hit in together]
    assert counts == [[use.count for use in hit.uses] for hit in alone]


async def test_a_cancelled_call_does_not_affect_calls_counted_with_it(
    shared: tuple[RedisWindows, RedisWindows], subject: str
) -> None:
    windows = [RateLimitWindow(subject, 1000)]
    calls = [asyncio.create_task(shared[0].hit(windows)) for _ in range(150)]
    await asyncio.sleep(0)
    for call in calls[::2]:
        call.cancel()
    ended = await asyncio.gather(*calls, return_exceptions=True)
    assert [isinstance(hit, asyncio.CancelledError) for hit in ended] == [True, False] * 75
    assert (await shared[0].hit(windows)).counted


async def test_a_second_caller_does_not_wait_for_a_silent_redis(subject: str) -> None:
    asked = asyncio.Event()
    writers: list[asyncio.StreamWriter] = []

    async def keep_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        asked.set()

    server = await asyncio.start_server(keep_silent, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    windows = RedisWindows(f"redis://127.0.0.1:{port}/0", answer_within=1)
    limit = [RateLimitWindow(subject, 60)]
    try:
        first = asyncio.create_task(windows.hit(limit))
        await asked.wait()
        hits = await asyncio.gather(first, *(windows.hit(limit) for _ in range(5)))
    finally:
        await windows.close()
        for writer in writers:
            writer.close()
        server.close()
    assert sorted(hit.uses[0].count for hit in hits) == [1, 2, 3, 4, 5, 6]
    assert len(writers) == 1, "Redis was asked once"


class Link:
    """A way to Redis that can be cut, and that can keep answers back."""

    def __init__(self) -> None:
        self.passing = asyncio.Event()
        self.passing.set()
        self._writers: list[asyncio.StreamWriter] = []

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[str]:
        """Lend the address of the near end."""
        async with await asyncio.start_server(self._connect, "127.0.0.1", 0) as server:
            try:
                yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0"
            finally:
                self.passing.set()
                await self.cut()

    async def cut(self) -> None:
        """End every connection."""
        writers, self._writers = self._writers, []
        for writer in writers:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for writer in writers), return_exceptions=True)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", 6379)
        self._writers += writer, far_writer
        await asyncio.gather(
            self._pass_on(reader, far_writer), self._pass_on(far_reader, writer, self.passing)
        )

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, passing: asyncio.Event | None = None
    ) -> None:
        while data := await reader.read(65_536):
            if passing is not None:
                await passing.wait()
            writer.write(data)


async def test_rate_limits_stay_shared_after_redis_closes_a_connection(
    shared: tuple[RedisWindows, RedisWindows], subject: str, caplog: pytest.LogCaptureFixture
) -> None:
    link, limit = Link(), [RateLimitWindow(subject, 60)]
    async with link.open() as url:
        windows = RedisWindows(url, answer_within=30)
        await windows.hit(limit)
        await link.cut()
        connection = windows._counting_connection  # pyright: ignore[reportPrivateUsage] # when it has seen its end
        assert connection is not None
        async with asyncio.timeout(10):
            while not await connection.can_read():
                await asyncio.sleep(0)
        await windows.hit(limit)
        await windows.close()
    assert (await shared[0].hit(limit)).uses[0].count == 3
    assert not caplog.records


async def test_an_answer_of_redis_that_comes_too_late_is_nobody_elses(
    shared: tuple[RedisWindows, RedisWindows], subject: str, clock: Clock
) -> None:
    link, limit = Link(), [RateLimitWindow(subject, 60)]
    async with link.open() as url:
        windows = RedisWindows(url, clock, answer_within=0.5)
        await windows.ping()
        assert (await windows.hit(limit)).uses[0].count == 1
        link.passing.clear()
        assert (await windows.hit(limit)).uses[0].count == 1, "counted in this process alone"
        link.passing.set()
        clock.seconds += 3
        assert (await windows.hit(limit)).uses[0].count == 3
        await windows.close()
    assert (await shared[0].hit(limit)).uses[0].count == 4


@pytest.mark.requirement("LIM-02")
async def test_ten_writes_a_minute_and_a_rejected_write_costs_no_read(
    table: ToolTable, writer: Caller
) -> None:
    assert await writes_then_reads(MemoryWindows(), table, writer) == (10, 50)


@pytest.mark.requirement("LIM-02")
async def test_the_same_holds_through_redis(
    shared: tuple[RedisWindows, RedisWindows], table: ToolTable, writer: Caller, subject: str
) -> None:
    assert await writes_then_reads(shared[0], table, as_subject(writer, subject)) == (10, 50)


async def writes_then_reads(windows: Windows, table: ToolTable, caller: Caller) -> tuple[int, int]:
    """How many of 30 writes at once are counted, and how many of 100 reads at once after that."""
    limits = RateLimits(windows)
    writes = await asyncio.gather(*(counted(limits, table, "start_run", caller) for _ in range(30)))
    reads = await asyncio.gather(*(counted(limits, table, "get_thing", caller) for _ in range(100)))
    return writes.count(True), reads.count(True)


@pytest.mark.requirement("LIM-03")
@pytest.mark.parametrize("rate", [1, 7, 600])
async def test_a_key_has_the_limit_that_it_was_given(table: ToolTable, reader: Caller, rate: int) -> None:
    limits, caller = RateLimits(MemoryWindows()), as_subject(reader, "key:x", rate)
    taken = [await counted(limits, table, "get_thing", caller) for _ in range(rate + 5)]
    assert taken.count(True) == rate


async def test_a_limit_below_ten_holds_for_writes_too(table: ToolTable, writer: Caller) -> None:
    limits, caller = RateLimits(MemoryWindows()), as_subject(writer, "key:x", 3)
    assert [await counted(limits, table, "start_run", caller) for _ in range(5)].count(True) == 3


@pytest.mark.requirement("LIM-10")
async def test_public_calls_are_counted_per_address_whoever_calls(
    table: ToolTable, nobody: Caller, writer: Caller
) -> None:
    limits = RateLimits(MemoryWindows())
    counts = [await counted(limits, table, "get_public_thing", c) for c in (nobody, writer) * 20]
    assert counts.count(True) == 30
    assert await counted(limits, table, "get_public_thing", replace(nobody, address="192.0.2.2"))


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("not an address", "not an address"),
        ("", ""),
    ],
)
def test_an_ipv6_subscriber_is_a_64_bit_network(address: str, network: str) -> None:
    assert network_of(address) == network


@pytest.mark.requirement("LIM-04")
async def test_the_standing_names_the_window_that_binds_first(
    table: ToolTable, writer: Caller, clock: Clock
) -> None:
    limits = RateLimits(MemoryWindows(clock))
    assert await limits.count(table["get_thing"], writer) == RateLimitStatus(60, 59, 60)
    clock.seconds += 10.5
    assert await limits.count(table["start_run"], writer) == RateLimitStatus(10, 9, 60)
    for _ in range(9):
        await limits.count(table["start_run"], writer)
    clock.seconds += 59.0
    assert await limits.count(table["start_run"], writer) == RateLimitStatus(10, 0, 1, retry_after=1)
    clock.seconds += 1.0
    assert await limits.count(table["start_run"], writer) == RateLimitStatus(10, 9, 60)


async def test_a_lowered_limit_waits_until_enough_calls_have_left(clock: Clock) -> None:
    windows = MemoryWindows(clock)
    for _ in range(6):
        await windows.hit([RateLimitWindow("k", 6)])
        clock.seconds += 1.0
    hit = await windows.hit([RateLimitWindow("k", 2)])
    assert not hit.counted
    # Calls stand at 0..5 s and it is 6 s: the fifth, of 4 s, has to leave.
    assert hit.uses[0].frees_in == pytest.approx(58.0)  # pyright: ignore[reportUnknownMemberType] - untyped


@given(
    st.lists(st.tuples(st.floats(0, 40), st.sampled_from(["a", "b"]), st.booleans()), max_size=60),
    st.integers(1, 5),
)
def test_memory_agrees_with_counting_by_hand(steps: list[tuple[float, str, bool]], limit: int) -> None:
    now = 1000.0
    windows = MemoryWindows(lambda: now)
    log: list[tuple[float, str]] = []

    async def walk() -> None:
        nonlocal now
        for wait, key, both in steps:
            now += wait
            keys = [key, f"{key}2"] if both else [key]
            places = [sum(k == name and now - at < 60 for at, k in log) < limit for name in keys]
            hit = await windows.hit([RateLimitWindow(name, limit) for name in keys])
            assert hit.counted == all(places)
            if hit.counted:
                log.extend((now, name) for name in keys)

    asyncio.run(walk())


async def test_callers_of_an_hour_ago_are_forgotten(clock: Clock) -> None:
    windows = MemoryWindows(clock)
    for n in range(1000):
        await windows.hit([RateLimitWindow(f"k{n}", 5)])
    clock.seconds += 3600.0
    await windows.hit([RateLimitWindow("k", 5)])
    assert len(windows) == 1


async def test_without_redis_each_process_counts_for_itself_and_says_so_once(
    table: ToolTable, reader: Caller, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    windows = RedisWindows(NOBODY_LISTENS, clock)
    limits = RateLimits(windows)
    taken = [await counted(limits, table, "get_thing", reader) for _ in range(70)]
    clock.seconds += 3.0
    taken.append(await counted(limits, table, "get_thing", reader))
    assert taken.count(True) == 60
    assert [r.levelno for r in caplog.records] == [logging.ERROR]
    await windows.close()


async def test_windows_of_other_lengths_free_their_places_when_they_end(clock: Clock) -> None:
    windows, hour = MemoryWindows(clock), [RateLimitWindow("k", 1, seconds=3600)]
    assert (await windows.hit(hour)).wait(hour) is None
    clock.seconds += 3599.5
    assert (await windows.hit(hour)).wait(hour) == 1
    assert (await windows.hit([RateLimitWindow("k", 1)])).counted, "another length is another window"
    clock.seconds += 0.5
    assert (await windows.hit(hour)).counted


async def test_a_window_that_calls_of_different_kinds_share_is_one_in_redis_too(
    shared: tuple[RedisWindows, RedisWindows], subject: str
) -> None:
    """One address that tries many accounts is counted once per try, whichever account it is."""
    address = RateLimitWindow(f"{subject}:address", 3, seconds=3600)
    tries = [[RateLimitWindow(f"{subject}:{number}", 5), address] for number in range(5)]
    counted = [(await shared[n % 2].hit(windows)).counted for n, windows in enumerate(tries)]
    assert counted == [True, True, True, False, False]
    waits = (await shared[0].hit(tries[0])).wait(tries[0])
    assert waits is not None
    assert 3590 < waits <= 3600


async def test_redis_keeps_nothing_of_a_caller_longer_than_a_minute(
    shared: tuple[RedisWindows, RedisWindows], subject: str
) -> None:
    await shared[0].hit([RateLimitWindow(subject, 5)])
    reader = Redis.from_url(REDIS)  # pyright: ignore[reportUnknownMemberType] - redis types no options
    keys = [key async for key in reader.scan_iter(f"*{subject}*")]  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - untyped
    left = [await reader.pttl(key) for key in keys]  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType, reportUnknownArgumentType] - untyped
    await reader.aclose()
    assert len(keys) == 1  # pyright: ignore[reportUnknownArgumentType] - untyped
    assert 0 < left[0] <= 60_000


async def test_many_may_ask_at_once_whether_redis_answers(
    shared: tuple[RedisWindows, RedisWindows], subject: str
) -> None:
    await shared[0].hit([RateLimitWindow(subject, 60)])
    await asyncio.gather(*(shared[0].ping() for _ in range(20)))

"""Values that are told again: only while nothing was committed, by whichever connection or process."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

import storage.readers
from storage.database import Database
from storage.errors import DatabaseBusy, StorageError
from storage.unchanged_reads import MOST_LOOKS, UnchangedReads
from tests.storage.test_change_counts import company, save
from tests.workflows.fault_proxy import FaultProxy

POSTGRES = 5432

NOON = datetime(2026, 3, 31, 12, tzinfo=UTC)


async def commit(database: Database, name: str) -> None:
    async with database.operation() as operators:
        await operators.companies.create(name, f"{name}@example.com", "growth", NOON)


async def holds_undisturbed(holds: Callable[[], Awaitable[bool]]) -> bool:
    """Whether something holds while nothing is committed; a server's other databases change its version as well."""
    for _ in range(50):
        if await holds():
            return True
    return False


async def test_a_version_stays_while_nothing_is_committed(either: Database) -> None:
    async def stays() -> bool:
        first = await either.version()
        await either.operators.api_keys.all()
        return await either.version() == first

    assert await holds_undisturbed(stays)


async def test_a_commit_of_this_process_changes_the_version(either: Database) -> None:
    first = await either.version()
    await commit(either, "ours")
    assert await either.version() != first


async def test_a_commit_of_another_process_changes_the_version(url: str, either: Database) -> None:
    other = await Database.open(url)
    try:
        first = await either.version()
        await commit(other, "ours")
        second = await either.version()
        assert second != first
        await commit(other, "theirs")
        assert await either.version() not in (first, second)
    finally:
        await other.close()


async def test_cached_values_become_stale_at_the_commit_not_before(
    either: Database,
) -> None:
    kept = UnchangedReads[str](either, 100)

    async def told_again() -> bool:
        _, version = await kept.find("companies")
        await kept.keep("companies", "none", 4, version)
        return (await kept.find("companies"))[0] == "none"

    async with either.operation() as operators:
        await operators.companies.create("ours", "ours@example.com", "growth", NOON)
        assert await holds_undisturbed(told_again)
    assert (await kept.find("companies"))[0] is None


async def test_a_value_is_not_cached_when_a_commit_came_while_it_was_read(either: Database) -> None:
    kept = UnchangedReads[str](either, 100)
    _, version = await kept.find("companies")
    await commit(either, "ours")
    await kept.keep("companies", "none", 4, version)
    assert (await kept.find("companies"))[0] is None


async def test_callers_at_once_each_see_a_commit_that_came_before_them(either: Database) -> None:
    """Callers share looks at the database; none may be given one that began before it asked."""
    seen = {await either.version()}
    for number in range(20):
        early = [asyncio.ensure_future(either.version()) for _ in range(5)]
        await commit(either, f"company-{number}")
        late = await asyncio.gather(*(either.version() for _ in range(5)))
        assert not seen & set(late)
        seen |= {*late, *(await asyncio.gather(*early))}


async def test_an_unanswered_version_query_ends_and_its_connection_too(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if url.startswith("sqlite"):
        return  # a file has no connection that could be forgotten on the way
    monkeypatch.setattr(storage.readers, "VERSION_SECONDS", 0.3)
    proxy = FaultProxy(POSTGRES)
    await proxy.start()
    opened = await Database.open(url.replace(f":{POSTGRES}/", f":{proxy.port}/"))
    try:
        await opened.version()
        proxy.stalled = True
        with pytest.raises(DatabaseBusy):
            await opened.version()
        proxy.stalled = False
        assert await opened.version() is not None
    finally:
        await opened.close()
        await proxy.stop()


async def test_a_caller_who_gives_up_takes_the_look_from_nobody(either: Database) -> None:
    async def told_alike() -> bool:
        first = await either.version()
        callers = [asyncio.ensure_future(either.version()) for _ in range(4)]
        await asyncio.sleep(0)
        callers[0].cancel()
        told = await asyncio.gather(*callers, return_exceptions=True)
        assert not any(isinstance(one, BaseException) for one in told[1:])
        return set(told[1:]) == {first}

    assert await holds_undisturbed(told_alike)


async def test_a_look_whose_connection_was_cut_is_made_on_another_one(either: Database) -> None:
    if either.synchronous_url.startswith("sqlite"):
        return  # a file has no connection that could be cut
    await either.version()
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_current_snapshot%' "
        "AND pid <> pg_backend_pid() AND datname = current_database()"
    )
    with either.synchronous_engine.begin() as connection:
        assert connection.execute(text(cut)).all() == [(True,)]
    with suppress(StorageError):  # the cut may be noticed by the look itself
        await either.version()

    async def stays() -> bool:
        return await either.version() == await either.version()

    assert await holds_undisturbed(stays)


class Counted:
    """A database of which only version and changes are known; every look at the changes is counted."""

    def __init__(self) -> None:
        self.commits = 0
        self.changed: dict[str, int] = {}
        self.looks = 0

    async def version(self) -> Hashable:
        return self.commits

    async def changes(self, company_id: str) -> Hashable:
        self.looks += 1
        return self.changed.get(company_id, 0)

    def commit(self, company_id: str) -> None:
        self.commits += 1
        self.changed[company_id] = self.changed.get(company_id, 0) + 1

    def reads(self, most_bytes: int = 100) -> UnchangedReads[str]:
        return UnchangedReads(self, most_bytes)


async def put(reads: UnchangedReads[str], company_id: str, key: str, value: str, size: int = 10) -> None:
    _, look = await reads.find(key, company_id)
    await reads.keep(key, value, size, look, company_id)


async def test_a_value_outlives_the_commits_of_others_and_not_one_of_its_own(either: Database) -> None:
    ours, theirs = await company(either, "ours"), await company(either, "theirs")
    reads = UnchangedReads[str](either, 100)
    await put(reads, ours, "brands", "none")
    await save(either, theirs, "Other")
    assert (await reads.find("brands", ours))[0] == "none"
    await save(either, ours, "Acme")
    assert (await reads.find("brands", ours))[0] is None


async def test_a_value_is_not_cached_when_the_company_changed_meanwhile(either: Database) -> None:
    ours = await company(either, "ours")
    reads = UnchangedReads[str](either, 100)
    _, look = await reads.find("brands", ours)
    await save(either, ours, "Acme")
    await reads.keep("brands", "none", 4, look, ours)
    assert (await reads.find("brands", ours))[0] is None


async def test_a_value_is_kept_when_only_others_changed_while_it_was_read() -> None:
    database = Counted()
    reads = database.reads()
    _, look = await reads.find("brands", "ours")
    database.commit("theirs")
    await reads.keep("brands", "none", 4, look, "ours")
    assert (await reads.find("brands", "ours"))[0] == "none"


async def test_while_nothing_is_committed_nobody_asks_for_changes() -> None:
    database = Counted()
    reads = database.reads()
    await put(reads, "ours", "brands", "none")
    for _ in range(5):
        assert (await reads.find("brands", "ours"))[0] == "none"
    assert database.looks == 1
    database.commit("theirs")
    assert (await reads.find("brands", "ours"))[0] == "none"
    assert database.looks == 2


async def test_a_caller_with_the_current_version_causes_no_query() -> None:
    database = Counted()
    reads = database.reads()
    await put(reads, "ours", "brands", "none")
    seen = database.commits
    database.commit("ours")
    assert (await reads.find("brands", "ours", seen))[0] == "none"
    assert (await reads.find("brands", "ours", database.commits))[0] is None


async def test_the_cache_is_bounded_and_evicts_the_oldest_first() -> None:
    reads = Counted().reads(most_bytes=100)
    for key in ("a", "b", "c"):
        await put(reads, "ours", key, key, 40)
        await reads.find("a", "ours")
    await put(reads, "ours", "d", "d", 101)
    told = {key: (await reads.find(key, "ours"))[0] for key in ("a", "b", "c", "d")}
    assert told == {"a": "a", "b": None, "c": "c", "d": None}


async def test_looks_of_many_companies_are_not_kept_for_ever() -> None:
    database = Counted()
    reads = database.reads()
    for number in range(MOST_LOOKS + 1):
        await reads.find("brands", f"company {number}")
    looks = database.looks
    await reads.find("brands", f"company {MOST_LOOKS}")
    assert database.looks == looks
    await reads.find("brands", "company 0")
    assert database.looks == looks + 1

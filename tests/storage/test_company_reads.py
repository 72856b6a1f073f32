"""Values read of a company's rows that are told again: only while none of them changed, by whichever process."""

from collections.abc import Hashable

from storage.company_reads import MOST_LOOKS, CompanyReads
from storage.database import Database
from tests.storage.test_change_counts import company, save


class Counted:
    """A database of which only version and changes are known; every look at the changes is counted."""

    def __init__(self) -> None:
        self.version = 0
        self.changes: dict[str, int] = {}
        self.looks = 0

    async def version_now(self) -> Hashable:
        return self.version

    async def changes_now(self, company_id: str) -> Hashable:
        self.looks += 1
        return self.changes.get(company_id, 0)

    def commit(self, company_id: str) -> None:
        self.version += 1
        self.changes[company_id] = self.changes.get(company_id, 0) + 1

    def reads(self, most_bytes: int = 100) -> CompanyReads[str]:
        return CompanyReads(self.version_now, self.changes_now, most_bytes)


async def put(reads: CompanyReads[str], company_id: str, key: str, value: str, size: int = 10) -> None:
    _, look = await reads.find(company_id, key)
    await reads.keep(company_id, key, value, size, look)


async def test_a_value_outlives_the_commits_of_others_and_not_one_of_its_own(either: Database) -> None:
    ours, theirs = await company(either, "ours"), await company(either, "theirs")
    reads = CompanyReads[str](either.version, either.changes, 100)
    await put(reads, ours, "brands", "none")
    await save(either, theirs, "Other")
    assert (await reads.find(ours, "brands"))[0] == "none"
    await save(either, ours, "Acme")
    assert (await reads.find(ours, "brands"))[0] is None


async def test_a_value_is_not_kept_when_the_company_changed_while_it_was_read(either: Database) -> None:
    ours = await company(either, "ours")
    reads = CompanyReads[str](either.version, either.changes, 100)
    _, look = await reads.find(ours, "brands")
    await save(either, ours, "Acme")
    await reads.keep(ours, "brands", "none", 4, look)
    assert (await reads.find(ours, "brands"))[0] is None


async def test_a_value_is_kept_when_only_others_changed_while_it_was_read() -> None:
    database = Counted()
    reads = database.reads()
    _, look = await reads.find("ours", "brands")
    database.commit("theirs")
    await reads.keep("ours", "brands", "none", 4, look)
    assert (await reads.find("ours", "brands"))[0] == "none"


async def test_while_nothing_is_committed_nobody_asks_for_changes() -> None:
    database = Counted()
    reads = database.reads()
    await put(reads, "ours", "brands", "none")
    for _ in range(5):
        assert (await reads.find("ours", "brands"))[0] == "none"
    assert database.looks == 1
    database.commit("theirs")
    assert (await reads.find("ours", "brands"))[0] == "none"
    assert database.looks == 2


async def test_a_caller_who_has_seen_the_version_is_told_without_another_look() -> None:
    database = Counted()
    reads = database.reads()
    await put(reads, "ours", "brands", "none")
    seen = database.version
    database.commit("ours")
    assert (await reads.find("ours", "brands", seen))[0] == "none"
    assert (await reads.find("ours", "brands", database.version))[0] is None


async def test_values_take_no_more_memory_than_they_may_and_the_oldest_leave_first() -> None:
    reads = Counted().reads(most_bytes=100)
    for key in ("a", "b", "c"):
        await put(reads, "ours", key, key, 40)
        await reads.find("ours", "a")
    await put(reads, "ours", "d", "d", 101)
    told = {key: (await reads.find("ours", key))[0] for key in ("a", "b", "c", "d")}
    assert told == {"a": "a", "b": None, "c": "c", "d": None}


async def test_looks_of_many_companies_are_not_kept_for_ever() -> None:
    database = Counted()
    reads = database.reads()
    for number in range(MOST_LOOKS + 1):
        await reads.find(f"company {number}", "brands")
    looks = database.looks
    await reads.find(f"company {MOST_LOOKS}", "brands")
    assert database.looks == looks
    await reads.find("company 0", "brands")
    assert database.looks == looks + 1

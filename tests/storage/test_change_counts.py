"""Changes of companies' rows are counted by the doors that they go through, in the transaction that makes them."""

import asyncio
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import text
from sqlalchemy.dialects import sqlite

from storage.change_counts import CREDENTIALS
from storage.database import Database
from storage.ids import new_id
from storage.repositories.accounts import SessionRow
from storage.repositories.api_keys import BY_DIGEST, ApiKey
from storage.repositories.brands import BrandDraft
from storage.repositories.oauth_grants import ACCESS
from storage.tables import metadata
from storage.tables.columns import OF_CREDENTIALS

NOON = datetime(2026, 3, 31, 12, tzinfo=UTC)
PROFILE: dict[str, Any] = {
    "industry": None, "website": None, "voice": None, "keywords": [], "target_audience": None,
}  # fmt: skip


async def company(database: Database, name: str) -> str:
    async with database.operation() as operators:
        made = await operators.companies.create(name, f"{name}@example.com", "growth", NOON)
    return made.id


async def save(database: Database, company_id: str, name: str) -> None:
    async with database.transaction(company_id) as workspace:
        await workspace.brands.save(BrandDraft(name), [], PROFILE, NOON)


async def test_a_change_counts_for_its_company_and_for_no_other(either: Database, url: str) -> None:
    ours, theirs = await company(either, "ours"), await company(either, "theirs")
    before = [await either.changes(ours), await either.changes(theirs)]
    other = await Database.open(url)
    try:
        await save(other, ours, "Acme")
    finally:
        await other.close()
    assert await either.changes(ours) != before[0]
    assert await either.changes(theirs) == before[1]


async def test_what_an_operator_changes_counts_for_everybody(either: Database) -> None:
    ours = await company(either, "ours")
    before = await either.changes(ours)
    await company(either, "theirs")
    assert await either.changes(ours) != before


async def test_transactions_that_read_or_fail_change_no_count(either: Database) -> None:
    ours = await company(either, "ours")
    await save(either, ours, "Acme")
    before = await either.changes(ours)
    async with either.transaction(ours) as workspace:
        assert await workspace.brands.find("Acme")
    async with either.operation() as operators:
        assert not await operators.oauth_requests.take("nobody's")

    async def fail() -> None:
        async with either.transaction(ours) as workspace:
            await workspace.brands.save(BrandDraft("Bolt"), [], PROFILE, NOON)
            raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        await fail()
    assert await either.changes(ours) == before


async def test_the_last_use_of_a_session_is_no_change_of_what_results_tell(either: Database) -> None:
    ours = await company(either, "ours")
    async with either.operation() as operators:
        person = await operators.users.add(ours, "a@example.com", "A", "owner", "digest", NOON)
    before = await either.changes(ours)
    async with either.operation() as operators:
        await operators.sessions.add(SessionRow("digest", ours, person, NOON, NOON))
    async with either.operation() as operators:
        await operators.sessions.seen("digest", NOON)
    assert await either.changes(ours) == before


async def test_what_a_credential_stands_for_counts_and_its_last_use_does_not(either: Database) -> None:
    ours = await company(either, "ours")
    key = ApiKey(
        id=new_id(), company_id=ours, digest="digest", prefix="sk_live_", last4="last", description=None,
        status="active", scopes={}, created_at=NOON, expires_at=None, last_used_at=None,
    )  # fmt: skip
    seen = [await either.changes(CREDENTIALS)]
    async with either.operation() as operators:
        await operators.api_keys.add(key)
    seen.append(await either.changes(CREDENTIALS))
    async with either.operation() as operators:
        await operators.api_keys.used({key.id: NOON})
    await save(either, ours, "Acme")
    assert await either.changes(CREDENTIALS) == seen[-1]
    async with either.transaction(ours) as workspace:
        await workspace.api_keys.revoke(key.id)
    seen.append(await either.changes(CREDENTIALS))
    async with either.operation() as operators:
        person = await operators.users.add(ours, "a@example.com", "A", "owner", "digest", NOON)
        await operators.users.add(ours, "b@example.com", "B", "owner", "digest", NOON)
    seen.append(await either.changes(CREDENTIALS))
    async with either.transaction(ours) as workspace:
        await workspace.colleagues.set_role(person, "viewer")
    seen.append(await either.changes(CREDENTIALS))
    async with either.transaction(ours) as workspace:
        await workspace.company_deletion.plan(NOON)
        await workspace.company_deletion.delete()
    seen.append(await either.changes(CREDENTIALS))
    assert len(set(seen)) == len(seen)


def test_tables_of_credentials_and_their_owners_are_marked() -> None:
    marked = {table for table in metadata.sorted_tables if table.info.items() >= OF_CREDENTIALS.items()}
    read = {
        table
        for query in (BY_DIGEST, ACCESS)
        for table in metadata.sorted_tables
        if re.search(rf"\b{table.name}\b", query.compiled(sqlite.dialect()).sql)
    }
    assert {table.name for table in read} == {"api_keys", "oauth_tokens", "oauth_grants", "users"}
    taking = {key.column.table for table in marked for key in table.foreign_keys if key.ondelete == "CASCADE"}
    assert read | taking <= marked


async def test_rows_that_are_written_by_words_alone_count(either: Database) -> None:
    ours = await company(either, "ours")
    await save(either, ours, "Acme")
    before = await either.changes(ours)
    async with either.transaction(ours) as workspace:
        await cast(Any, workspace.session).connection.execute(
            text("WITH named AS (SELECT 'Acme 2' AS name) UPDATE brands SET name = (SELECT name FROM named)")
        )
    after = await either.changes(ours)
    assert after != before
    if either.synchronous_url.startswith("postgresql"):
        inner = "WITH moved AS (UPDATE brands SET industry = 'cars' RETURNING key) SELECT key FROM moved WHERE false"
        async with either.transaction(ours) as workspace:
            await cast(Any, workspace.session).connection.execute(text(inner))
        assert await either.changes(ours) != after


async def test_a_deleted_company_has_other_counts_ever_after(
    either: Database,
) -> None:
    ours = await company(either, "ours")
    async with either.transaction(ours) as workspace:
        await workspace.company_deletion.plan(NOON)
    before = await either.changes(ours)
    async with either.transaction(ours) as workspace:
        await workspace.company_deletion.delete()
    seen = [await either.changes(ours)]
    for number in range(3):
        await company(either, f"other {number}")
        seen.append(await either.changes(ours))
    assert before not in seen


async def test_deleting_a_company_and_writing_to_it_lock_in_one_order(url: str, database: Database) -> None:
    ours = await company(database, "ours")
    await save(database, ours, "Acme")
    other = await Database.open(url)
    wrote, deleting = asyncio.Event(), asyncio.Event()

    async def write() -> None:
        async with database.transaction(ours) as workspace:
            await workspace.brands.save(BrandDraft("Bolt"), [], PROFILE, NOON)
            wrote.set()
            await deleting.wait()
            if url.startswith("postgresql"):
                await until_somebody_waits(database)

    async def delete() -> None:
        await wrote.wait()
        async with other.transaction(ours) as workspace:
            deleting.set()
            await workspace.company_deletion.delete()

    try:
        await asyncio.gather(write(), delete())
        assert (await other.changes(ours)) == (await other.changes("nobody's"))
    finally:
        await other.close()


async def until_somebody_waits(database: Database) -> None:
    """Look in a transaction of its own each time: one sees the same activity to its end."""
    waiting = text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    async with asyncio.timeout(10):
        while True:
            async with database.writing() as connection:
                if (await connection.execute(waiting)).scalar_one():
                    return


async def test_of_many_transactions_at_once_each_is_counted(either: Database) -> None:
    ours = await company(either, "ours")
    before = cast(tuple[int, int], await either.changes(ours))
    await asyncio.gather(*(save(either, ours, f"Brand {number}") for number in range(24)))
    assert await either.changes(ours) == (before[0], before[1] + 24)


def test_only_the_doors_write() -> None:
    """What is changed through another connection is counted as nobody's, and would be told as it was before."""
    root = Path(__file__).parents[2]
    folders = ("analytics", "engines", "measurement", "oauth", "readiness", "rest_bridge", "server", "storage", "tools", "web", "workflows")  # fmt: skip
    writing = {
        path.relative_to(root).as_posix()
        for folder in folders
        for path in (root / folder).rglob("*.py")
        if re.search(r"\.writing\(\)|synchronous_engine\.(begin|connect)\(", path.read_text(encoding="utf-8"))
    }
    assert writing == {"storage/database.py"}

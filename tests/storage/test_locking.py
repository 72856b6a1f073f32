"""Transactions of one company that take the same locks on PostgreSQL, and never wait for each other in a circle."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from storage.database import Database
from storage.ids import new_id
from storage.repositories.brands import BrandDraft
from storage.repositories.notifications import NotificationDraft
from storage.repositories.runs.runs import RunDraft

NOON = datetime(2026, 3, 31, 12, tzinfo=UTC)
PROFILE: dict[str, Any] = {
    "industry": None,
    "website": None,
    "voice": None,
    "keywords": [],
    "target_audience": None,
}
BATCH: dict[str, Any] = {"source": "probe", "plan_sha256": "0" * 64, "prompt_set": None, "now": NOON}


@dataclass(frozen=True)
class Shop:
    """A company with one brand, in a database that two transactions can write at once."""

    database: Database
    company_id: str
    brand_key: int

    def run(self) -> RunDraft:
        return RunDraft(
            id=new_id(),
            brand_key=self.brand_key,
            workflow="competitive_scan",
            priority="normal",
            context=None,
            configuration={},
            period="2026-03",
            agents=(("answer_prober", 1),),
        )

    def notification(self) -> NotificationDraft:
        return NotificationDraft(
            kind="system_alert",
            severity="info",
            title="It happened",
            message="It did.",
            dedup_key=new_id(),
            brand_key=self.brand_key,
        )


@pytest.fixture
async def shop(empty_postgres: str) -> AsyncGenerator[Shop]:
    database = await Database.open(empty_postgres)
    async with database.operation() as operators:
        company = await operators.companies.create("ours", "ours@example.com", "scale", NOON)
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.save(BrandDraft("Acme"), [], PROFILE, NOON)
    yield Shop(database, company.id, brand.key)
    await database.close()


async def test_a_run_starts_while_the_same_brand_is_published(shop: Shop) -> None:
    async with (
        asyncio.timeout(10),
        shop.database.transaction(shop.company_id) as starting,
        shop.database.transaction(shop.company_id) as publishing,
    ):
        await starting.credits.lock()
        await publishing.batches.lock(shop.brand_key)
        await publishing.notifications.add(shop.notification(), NOON)
        await starting.runs.open(shop.run(), NOON)


async def test_a_run_is_cancelled_while_its_batch_is_published(shop: Shop) -> None:
    draft = shop.run()
    async with shop.database.transaction(shop.company_id) as writing:
        await writing.runs.open(draft, NOON)
        await writing.runs.begin(draft.id, NOON)
        run = await writing.runs.find(draft.id)
        assert run is not None
        batch = await writing.batches.open(new_id(), shop.brand_key, [], run_key=run.key, **BATCH)
    cancelling = asyncio.Event()

    async def cancel() -> None:
        async with shop.database.transaction(shop.company_id) as writing:
            cancelling.set()
            await writing.runs.close(draft.id, "failed", NOON, charged=False)
            await writing.notifications.add(shop.notification(), NOON)

    async with (
        asyncio.timeout(20),
        asyncio.TaskGroup() as group,
        shop.database.transaction(shop.company_id) as publishing,
    ):
        await publishing.batches.lock(shop.brand_key)
        group.create_task(cancel())
        await cancelling.wait()
        for _ in range(20):  # the cancel gets as far as it can
            await shop.database.operators.companies.all()
        assert await publishing.batches.close(batch.key, "success", [], NOON)
        await publishing.notifications.add(shop.notification(), NOON)
    closed = await shop.database.workspace(shop.company_id).runs.find(draft.id)
    assert closed is not None
    assert closed.status == "failed"

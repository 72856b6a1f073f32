"""Runs and credits: whatever order things happen in, the books add up and a finished run never changes."""

import asyncio
from datetime import UTC, datetime
from typing import Any

from storage.database import Database
from storage.ids import new_id
from storage.repositories.brands import BrandDraft
from storage.repositories.runs.runs import RunDraft
from storage.workspace import Workspace

NOON = datetime(2026, 3, 31, 12, tzinfo=UTC)
PERIOD = "2026-03"
PROFILE: dict[str, Any] = {
    "industry": None,
    "website": None,
    "voice": None,
    "keywords": [],
    "target_audience": None,
}


async def company_with_brand(database: Database, name: str = "ours") -> tuple[str, int]:
    async with database.operation() as operators:
        company = await operators.companies.create(name, f"{name}@example.com", "growth", NOON)
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.save(BrandDraft("Acme"), [], PROFILE, NOON)
    return company.id, brand.key


def draft(brand_key: int) -> RunDraft:
    agents = (("reader", 1), ("asker", 4), ("writer", 2))
    return RunDraft(new_id(), brand_key, "competitive_scan", "normal", None, {}, PERIOD, agents)


async def opened(database: Database, company: str, brand_key: int) -> str:
    one = draft(brand_key)
    async with database.transaction(company) as workspace:
        await workspace.credits.lock()
        await workspace.runs.open(one, NOON)
    return one.id


async def complete(workspace: Workspace, run_id: str, agent: str) -> bool:
    run = await workspace.runs.hold(run_id)
    assert run is not None
    if run.status != "running":
        return False
    await workspace.run_agents.begin(run.key, agent, NOON)
    return await workspace.run_agents.end(run.key, agent, "completed", NOON, output={"n": 1})


async def test_a_run_that_ends_settles_completed_agents_and_refunds_others(either: Database) -> None:
    company, brand = await company_with_brand(either)
    run_id = await opened(either, company, brand)
    async with either.transaction(company) as workspace:
        assert await workspace.runs.begin(run_id, NOON)
        assert await complete(workspace, run_id, "asker")
        assert await workspace.runs.close(run_id, "partial_complete", NOON, charged=True)
    entries = await either.workspace(company).credits.entries(PERIOD)
    assert [(entry.run_id, entry.kind, entry.amount) for entry in entries] == [
        (run_id, "reserve", 7),
        (run_id, "settle", 4),
        (run_id, "refund", 3),
    ]
    run = await either.workspace(company).runs.find(run_id)
    assert run is not None
    states = {one.agent: one.status for one in await either.workspace(company).run_agents.all(run.key)}
    assert states == {"reader": "cancelled", "asker": "completed", "writer": "cancelled"}


async def test_a_cancelled_run_costs_nothing_and_keeps_nothing_written_later(either: Database) -> None:
    company, brand = await company_with_brand(either)
    run_id = await opened(either, company, brand)
    async with either.transaction(company) as workspace:
        await workspace.runs.begin(run_id, NOON)
        await complete(workspace, run_id, "reader")
        assert await workspace.runs.close(run_id, "cancelled", NOON, charged=False)
    async with either.transaction(company) as workspace:
        assert not await complete(workspace, run_id, "asker")
        run = await workspace.runs.find(run_id)
        assert run is not None
        assert await workspace.run_agents.begin(run.key, "writer", NOON) == "cancelled"
        assert not await workspace.run_agents.end(run.key, "writer", "completed", NOON)
        assert not await workspace.runs.close(run_id, "completed", NOON, charged=True)
        assert not await workspace.runs.begin(run_id, NOON)
    _, sums = await either.workspace(company).credits.account(PERIOD)
    assert (sums.reserve, sums.settle, sums.refund) == (7, 0, 7)
    assert await either.workspace(company).findings.all(run.key) == []


async def test_a_cancel_and_an_end_at_once_have_one_winner(either: Database) -> None:
    company, brand = await company_with_brand(either)
    for _ in range(12):
        run_id = await opened(either, company, brand)
        async with either.transaction(company) as workspace:
            await workspace.runs.begin(run_id, NOON)
            for agent in ("reader", "asker", "writer"):
                await complete(workspace, run_id, agent)

        async def close(status: str, charged: bool, run_id: str = run_id) -> bool:
            async with either.transaction(company) as workspace:
                return await workspace.runs.close(run_id, status, NOON, charged=charged)

        won = await asyncio.gather(close("cancelled", False), close("completed", True))
        assert sorted(won) == [False, True]
        run = await either.workspace(company).runs.find(run_id)
        assert run is not None
        mine = [
            entry
            for entry in await either.workspace(company).credits.entries(PERIOD)
            if entry.run_id == run_id
        ]
        settled = 7 if run.status == "completed" else 0
        assert [(one.kind, one.amount) for one in mine] == [
            ("reserve", 7),
            ("settle", settled),
            ("refund", 7 - settled),
        ]


async def test_another_company_sees_and_moves_nothing(either: Database) -> None:
    company, brand = await company_with_brand(either)
    stranger, _ = await company_with_brand(either, "theirs")
    run_id = await opened(either, company, brand)
    async with either.transaction(stranger) as workspace:
        assert await workspace.runs.find(run_id) is None
        assert not await workspace.runs.begin(run_id, NOON)
        assert not await workspace.runs.close(run_id, "cancelled", NOON, charged=False)
        assert await workspace.runs.page(None, None, 10, 0) == ([], 0)
        assert await workspace.runs.live() == 0
    assert await either.workspace(stranger).credits.entries(PERIOD) == []
    rows, total = await either.workspace(company).runs.page("pending", "competitive_scan", 10, 0)
    assert ([row.id for row, _ in rows], total) == ([run_id], 1)

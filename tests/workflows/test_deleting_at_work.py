"""A brand or a workspace whose deletion is planned while it works: its runs end, are refunded, and none begins."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest
from sqlalchemy import text

from storage.database import Database
from storage.repositories.brands import BrandDraft
from storage.workspace import Workspace
from tests.workflows.conftest import PROFILE, House, now
from workflows.agents.agent import Result, Work
from workflows.brand_deletion import plan_deletion
from workflows.company_deletion import plan_company_deletion
from workflows.configurations import NO_CONFIGURATION
from workflows.definitions import WORKFLOWS
from workflows.errors import RunRefused
from workflows.runs import SingleAgentRun

AGENTS = [agent for stage in WORKFLOWS["content_refresh"].stages for agent in stage]


async def delete_brand(writing: Workspace) -> None:
    brand = await writing.brands.find("Acme")
    assert brand is not None
    await plan_deletion(writing, brand, "Acme", now())


async def delete_workspace(writing: Workspace) -> None:
    await plan_company_deletion(writing, "ours", "ours", now())


@pytest.mark.parametrize("plan", [delete_brand, delete_workspace])
async def test_runs_of_what_is_to_be_deleted_end_and_cost_nothing(
    house: House, plan: Callable[[Workspace], Awaitable[None]]
) -> None:
    at_work, stopped = asyncio.Event(), asyncio.Event()

    async def work(_: Work) -> Result:
        at_work.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        raise AssertionError

    async with house.database.transaction(house.company_id) as writing:
        await writing.brands.save(BrandDraft("Other"), [], PROFILE, now())
    other = await house.call("run_workflow", workflowId="content_refresh", configuration={"brandId": "Other"})
    async with house.working(dict.fromkeys(AGENTS, work)):
        runs = [
            (
                await house.call(
                    "run_workflow", workflowId="content_refresh", configuration={"brandId": "Acme"}
                )
            )["runId"]
            for _ in range(2)
        ]
        async with asyncio.timeout(20):
            await at_work.wait()
        async with house.database.transaction(house.company_id) as writing:
            await plan(writing)
        async with asyncio.timeout(20):
            await stopped.wait()
    for run in runs:
        status = await house.call("get_run_status", runId=run)
        assert (status["status"], status["credits"]["charged"]) == ("cancelled", 0)
    left = (await house.call("get_run_status", runId=other["runId"]))["status"]
    assert (left == "cancelled") is (plan is delete_workspace)
    refused = await house.call(
        "run_workflow", workflowId="content_refresh", configuration={"brandId": "Acme"}
    )
    assert "is archived" in refused.reason


async def waits_for_a_lock(database: Database) -> None:
    """Return when somebody waits for a row that another transaction holds."""
    query = text(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    )
    async with asyncio.timeout(20):
        while True:
            async with database.writing() as connection:
                if (await connection.execute(query)).scalar_one():
                    return
            await asyncio.sleep(0.01)


async def start_workflow(house: House) -> str:
    refused = await house.call(
        "run_workflow", workflowId="content_refresh", configuration={"brandId": "Acme"}
    )
    return refused.reason


async def start_agent(house: House) -> str:
    """Start one agent as a schedule does; the brand is known before the company is held."""
    try:
        async with house.database.transaction(house.company_id) as writing:
            brand = await writing.brands.find("Acme")
            assert brand is not None
            task = SingleAgentRun("repository_auditor", "content_refresh", brand, NO_CONFIGURATION)
            await house.desk.start_alone(writing, task, now())
    except RunRefused as refused:
        return str(refused)
    return "it was started"


@pytest.mark.parametrize("address", ["postgresql"], indirect=True)
@pytest.mark.parametrize("start", [start_workflow, start_agent])
async def test_a_start_that_waited_behind_the_deletion_is_refused(
    house: House, start: Callable[[House], Coroutine[Any, Any, str]]
) -> None:
    async with house.database.transaction(house.company_id) as writing:
        await writing.credits.lock()
        starting = asyncio.create_task(start(house))
        await waits_for_a_lock(house.database)
        await delete_brand(writing)
    assert "is archived" in await starting
    workspace = house.database.workspace(house.company_id)
    brand = await workspace.brands.find("Acme")
    assert brand is not None
    assert await workspace.runs.live_of_brand(brand.key) == []

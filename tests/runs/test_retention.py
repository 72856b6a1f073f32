"""What nobody needs any more goes by itself; what people look at stays."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from storage.database import Database
from storage.repositories.runs import Run
from workflows.agents.agent import Agent
from workflows.engine import RunEngine
from workflows.retention import Reports, RunRecords, Sweeper


class House(Protocol):
    database: Database
    engine: RunEngine

    async def call(self, tool: str, key: str | None = None, **arguments: Any) -> Any: ...
    def working(
        self, agents: Mapping[str, Agent] | None = None, **options: Any
    ) -> AbstractAsyncContextManager[None]: ...
    async def ended(self, run_id: str) -> Run: ...


class Broken:
    async def sweep(self, now: datetime) -> int:
        raise ValueError("secret words of a driver")


async def test_the_engine_forgets_ended_runs_after_a_week_and_the_books_never(house: House) -> None:
    cancelled = await house.call("run_workflow", workflowId="content_refresh")
    await house.call("cancel_workflow_run", runId=cancelled["runId"])
    done = await house.call("run_workflow", workflowId="content_refresh")
    async with house.working():
        await house.ended(done["runId"])
    waiting = await house.call("run_workflow", workflowId="content_refresh")
    before = await house.call("list_workflow_runs")
    at = datetime.now(UTC)

    async def swept(now: datetime) -> int:
        sweeps = (Broken(), RunRecords(house.engine), Reports(house.database))
        return await Sweeper(sweeps, lambda: now).sweep()

    assert await swept(at + timedelta(days=7)) == 0
    assert await swept(at + timedelta(days=9)) == 2
    assert await swept(at + timedelta(days=9)) == 0
    assert await house.call("list_workflow_runs") == before
    async with house.working():
        assert (await house.ended(waiting["runId"])).status == "completed"

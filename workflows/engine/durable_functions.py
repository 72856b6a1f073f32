"""The durable workflow functions: a run, stage after stage, and one monitor check."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any, NoReturn, Protocol, TypeVar

import anyio

from storage.database import Database
from storage.errors import SchemaTooNew
from storage.failures import retry_while_busy
from storage.pools import background_work

Stages = list[dict[str, list[str]]]
Value = TypeVar("Value")


class RunStepper(Protocol):
    """What a run does; every step may be repeated."""

    async def begin(self, company_id: str, run_id: str) -> bool:
        """Start the run; False when it has ended."""
        ...

    async def perform(self, company_id: str, run_id: str, agent: str) -> str:
        """Let one agent work; return how it ended."""
        ...

    async def finish(self, company_id: str, run_id: str, outcomes: Mapping[str, str]) -> str:
        """Close the run."""
        ...


class MonitorRunner(Protocol):
    """What a monitor does; it may be repeated."""

    async def look(self, company_id: str, brand_id: str, script: str, slot: datetime) -> object:
        """Check a brand once for each slot."""
        ...


class SchemaGuard:
    """Keeps this process from working on a schema that a newer version has migrated."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.found_newer = asyncio.Event()

    async def run(self, work: Callable[[], Awaitable[Value]]) -> Value:
        """Do the work. Where the schema is newer, or is found to be when the work fails, wait to be cancelled instead.

        Neither success nor failure is then recorded, so a process of the newer version does the work again.
        """
        try:
            await self.check()
            return await work()
        except SchemaTooNew:
            return await self._wait_to_be_cancelled()
        except Exception:
            try:
                await self.check()
            except SchemaTooNew:
                return await self._wait_to_be_cancelled()
            raise

    async def check(self) -> None:
        """Raise SchemaTooNew where the schema is newer."""
        await retry_while_busy(self._database.check_schema)

    async def _wait_to_be_cancelled(self) -> NoReturn:
        self.found_newer.set()
        await anyio.sleep_forever()
        raise AssertionError("sleeping forever ended")


def look_flow(looks: MonitorRunner, guard: SchemaGuard) -> Any:
    """Return the workflow function of one monitor check."""
    from dbos import DBOS  # loaded by now

    async def look(company_id: str, brand_id: str, script: str, slot: str) -> None:
        with background_work():
            when = datetime.fromisoformat(slot)
            await guard.run(lambda: looks.look(company_id, brand_id, script, when))

    async def monitor(company_id: str, brand_id: str, script: str, slot: str) -> None:
        await DBOS.run_step_async({"name": "look"}, look, company_id, brand_id, script, slot)

    return monitor


def flow(steps: RunStepper, guard: SchemaGuard, executing: "set[asyncio.Task[Any]]") -> Any:
    """Return the one workflow function: stage after stage, the agents of a stage in parallel.

    `executing` holds the tasks that are inside of it.
    """
    from dbos import DBOS  # loaded by now

    async def run(run_id: str, company_id: str, stages: Stages) -> str:
        task = asyncio.current_task()
        assert task is not None
        executing.add(task)
        try:
            with background_work():
                return await staged(run_id, company_id, stages)
        finally:
            executing.discard(task)

    async def perform(company_id: str, run_id: str, agent: str) -> str:
        return await guard.run(lambda: steps.perform(company_id, run_id, agent))

    async def staged(run_id: str, company_id: str, stages: Stages) -> str:
        # Begin and end are no steps of the engine: the books know of them, and tell a replay the same.
        if not await guard.run(lambda: steps.begin(company_id, run_id)):
            return "cancelled"
        outcomes: dict[str, str] = {}
        for stage in stages:
            ready = [
                agent
                for agent, needs in stage.items()
                if all(outcomes[need] == "completed" for need in needs)
            ]
            outcomes |= {agent: "skipped" for agent in stage if agent not in ready}
            # Numbers are drawn before the first wait, so that a replay finds every step under its own.
            numbered = [(agent, DBOS.reserve_step()) for agent in ready]
            ended = await asyncio.gather(
                *(
                    step.run_async({"name": agent}, perform, company_id, run_id, agent)
                    for agent, step in numbered
                ),
                return_exceptions=True,
            )
            for agent, outcome in zip(ready, ended, strict=True):
                if isinstance(outcome, BaseException):
                    raise outcome
                outcomes[agent] = outcome
        return await guard.run(lambda: steps.finish(company_id, run_id, outcomes))

    return run

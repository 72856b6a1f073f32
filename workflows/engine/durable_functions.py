"""The durable workflow functions: a run, stage after stage, and one monitor check."""

import asyncio
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol

from storage.pools import background_work

Stages = list[dict[str, list[str]]]


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


def look_flow(looks: MonitorRunner) -> Any:
    """Return the workflow function of one monitor check."""
    from dbos import DBOS  # loaded by now

    async def look(company_id: str, brand_id: str, script: str, slot: str) -> None:
        with background_work():
            await looks.look(company_id, brand_id, script, datetime.fromisoformat(slot))

    async def monitor(company_id: str, brand_id: str, script: str, slot: str) -> None:
        await DBOS.run_step_async({"name": "look"}, look, company_id, brand_id, script, slot)

    return monitor


def flow(steps: RunStepper, executing: set[str]) -> Any:
    """Return the one workflow function: stage after stage, the agents of a stage in parallel.

    `executing` holds the runs that are inside of it.
    """
    from dbos import DBOS  # loaded by now

    async def run(run_id: str, company_id: str, stages: Stages) -> str:
        executing.add(run_id)
        try:
            with background_work():
                return await staged(run_id, company_id, stages)
        finally:
            executing.discard(run_id)

    async def staged(run_id: str, company_id: str, stages: Stages) -> str:
        # Begin and end are no steps of the engine: the books know of them, and tell a replay the same.
        if not await steps.begin(company_id, run_id):
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
                    step.run_async({"name": agent}, steps.perform, company_id, run_id, agent)
                    for agent, step in numbered
                ),
                return_exceptions=True,
            )
            for agent, outcome in zip(ready, ended, strict=True):
                if isinstance(outcome, BaseException):
                    raise outcome
                outcomes[agent] = outcome
        return await steps.finish(company_id, run_id, outcomes)

    return run

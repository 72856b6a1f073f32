"""Executes the agents of runs and writes what becomes of them, each step safe to repeat."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from engines.registry import Registry
from storage.database import Database
from workflows.agents.agent import Agent, Result, Work
from workflows.alerts import tell_of_end
from workflows.catalog import ALONE
from workflows.errors import AgentFailed
from workflows.publishing import Clock

log = logging.getLogger(__name__)

AGENT_SECONDS = 600.0


class EarlierOutputs(dict[str, Any]):
    """What agents gave in the brand's latest runs; to need one that is not there is to have no input."""

    def __missing__(self, agent: str) -> Any:
        raise AgentFailed("no_input")


class Executor:
    """The steps of a run. What a step wrote is found again when it is repeated, and is not done twice."""

    def __init__(
        self,
        database: Database,
        agents: Mapping[str, Agent],
        engines: Registry,
        now: Clock,
        agent_seconds: float = AGENT_SECONDS,
    ) -> None:
        self._database = database
        self._agents = agents
        self._engines = engines
        self._now = now
        self._agent_seconds = agent_seconds

    async def begin(self, company_id: str, run_id: str) -> bool:
        """Move the run to running; False when it has ended, and then nothing else may be done for it."""
        async with self._database.transaction(company_id) as writing:
            return await writing.runs.begin(run_id, self._now())

    async def perform(self, company_id: str, run_id: str, agent: str) -> str:
        """Let one agent work and store what it gave; return how it ended.

        An agent that ended before is not started again. Nothing is kept once the run has ended.
        """
        async with self._database.transaction(company_id) as writing:
            run = await writing.runs.hold(run_id)
            if run is None or run.status != "running":
                return "cancelled"
            state = await writing.runs.begin_agent(run.key, agent, self._now())
        if state != "running":
            return state
        try:
            async with asyncio.timeout(self._agent_seconds):
                result = await self._agents[agent](await self._work(company_id, run_id, agent))
        except AgentFailed as failed:
            return await self._end(company_id, run_id, agent, failed.code)
        except TimeoutError:
            return await self._end(company_id, run_id, agent, "agent_timeout")
        except Exception:
            log.exception("agent %s of run %s", agent, run_id)
            return await self._end(company_id, run_id, agent, "internal_error")
        return await self._end(company_id, run_id, agent, result)

    async def finish(self, company_id: str, run_id: str, outcomes: Mapping[str, str]) -> str:
        """Close the run by how its agents ended; return the state that it has then."""
        completed = sum(outcome == "completed" for outcome in outcomes.values())
        status = (
            "failed" if not completed else "completed" if completed == len(outcomes) else "partial_complete"
        )
        async with self._database.transaction(company_id) as writing:
            run = await writing.runs.hold(run_id)
            if run is None or not run.live:
                return run.status if run else "cancelled"
            for agent, outcome in outcomes.items():
                if outcome == "skipped":
                    await writing.runs.end_agent(run.key, agent, "skipped", self._now())
            if await writing.runs.close(run_id, status, self._now(), charged=status != "failed"):
                await tell_of_end(writing, run, status, self._now())
            return status

    async def _work(self, company_id: str, run_id: str, agent: str) -> Work:
        workspace = self._database.workspace(company_id)
        run = await workspace.runs.find(run_id)
        assert run is not None
        brand = await workspace.brands.find(run.brand_id)
        assert brand is not None

        async def report(done: int, total: int) -> None:
            async with self._database.transaction(company_id) as writing:
                await writing.runs.advance(run.key, agent, done, total)

        return Work(
            run_id=run_id,
            brand=brand,
            context=run.context,
            configuration=run.configuration,
            outputs=EarlierOutputs(await workspace.runs.latest_outputs(brand.key))
            if run.workflow in ALONE
            else await workspace.runs.outputs(run.key),
            workspace=workspace,
            engines=self._engines,
            now=self._now(),
            report=report,
        )

    async def _end(self, company_id: str, run_id: str, agent: str, ended: Result | str) -> str:
        """Write an agent's end in one transaction, while its run is running."""
        async with self._database.transaction(company_id) as writing:
            run = await writing.runs.hold(run_id)
            if run is None or run.status != "running":
                return "cancelled"
            if isinstance(ended, str):
                await writing.runs.end_agent(run.key, agent, "failed", self._now(), error_code=ended)
                return "failed"
            kept = await writing.runs.end_agent(
                run.key,
                agent,
                "completed",
                self._now(),
                summary=ended.summary,
                output=ended.output,
                found=ended.findings,
            )
            if kept and ended.drafts:
                brand = await writing.brands.find(run.brand_id)
                assert brand is not None
                await writing.repository_items.save(brand.key, ended.drafts, self._now())
            return "completed"

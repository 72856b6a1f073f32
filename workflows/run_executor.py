"""Execute the agents of runs and record their outcomes. Every step is idempotent."""

import asyncio
import logging
import time
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import anyio

from engines.registry import Registry
from measurement.alerts import issues
from measurement.asking.probe import Prober
from measurement.asking.probe_progress import PARTIAL
from measurement.errors import BatchEnded
from measurement.planning.clock import Clock
from storage.database import Database
from storage.errors import DatabaseUnavailable
from storage.failures import is_database_failure, retry_while_busy
from storage.repositories.brands import Brand
from storage.repositories.findings import FindingDraft
from storage.repositories.runs.runs import Run
from storage.workspace import Workspace
from workflows.agents.agent import Agent, Keep, Result, SiteAccess, Work
from workflows.agents.outputs.measurement import AskedBatch
from workflows.configurations import AgentConfiguration, load_configuration, load_step_configuration
from workflows.definitions import configuration_kind, offered
from workflows.errors import AgentFailed
from workflows.run_events import binding, log_agent_ended, log_run_ended
from workflows.system_alerts import notify_run_ended
from workflows.workflow_definitions import ALONE

log = logging.getLogger(__name__)

AGENT_SECONDS = 600.0
LOOK_SECONDS = 0.25


class Executor:
    """The steps of a run. A repeated step finds what it wrote before and does not do it twice."""

    def __init__(
        self,
        database: Database,
        agents: Mapping[str, Agent],
        engines: Registry,
        prober: Prober,
        now: Clock,
        agent_seconds: float = AGENT_SECONDS,
        site_access: SiteAccess | None = None,
    ) -> None:
        self._database = database
        self._agents = agents
        self._engines = engines
        self._prober = prober
        self._now = now
        self._agent_seconds = agent_seconds
        self._site_access = site_access

    async def begin(self, company_id: str, run_id: str) -> bool:
        """Set the run to running. Returns False when it has ended; do nothing more for it then."""
        return await retry_while_busy(lambda: self._begin(company_id, run_id))

    async def _begin(self, company_id: str, run_id: str) -> bool:
        async with self._database.transaction(company_id) as writing:
            return await writing.runs.begin(run_id, self._now())

    async def perform(self, company_id: str, run_id: str, agent: str) -> str:
        """Run one agent, store its output, and return how it ended.

        An agent that already ended is not started again. Nothing is stored once the run has ended. Log lines meanwhile
        include the run and the agent.
        """
        with binding(run_id=run_id, agent=agent):
            return await self._perform(company_id, run_id, agent)

    async def _perform(self, company_id: str, run_id: str, agent: str) -> str:
        run = await retry_while_busy(lambda: self._database.workspace(company_id).runs.find(run_id))
        if run is None or run.status != "running":
            return "cancelled"
        state = await retry_while_busy(lambda: self._begin_agent(company_id, run, agent))
        if state != "running":
            return state
        started = time.perf_counter()
        try:
            async with asyncio.timeout(self._agent_seconds):
                result = await retry_while_busy(lambda: self._let_work(company_id, run, agent))
        except AgentFailed as failed:
            return await self._end(company_id, run_id, agent, failed, started)
        except BatchEnded:
            return "cancelled"
        except TimeoutError:
            return await self._end(company_id, run_id, agent, "agent_timeout", started)
        except Exception as error:
            with suppress(DatabaseUnavailable):
                await self._database.check_schema()  # a newer version may have removed what this agent reads
            log.exception("agent %s of run %s", agent, run_id)
            code = "database_busy" if is_database_failure(error) else "internal_error"
            return await self._end(company_id, run_id, agent, code, started)
        if result is None:
            return "cancelled"
        return await self._end(company_id, run_id, agent, result, started)

    async def _begin_agent(self, company_id: str, run: Run, agent: str) -> str:
        async with self._database.transaction(company_id) as writing:
            return await writing.run_agents.begin(run.key, agent, self._now())

    async def _let_work(self, company_id: str, run: Run, agent: str) -> Result | None:
        """Run an agent. When it is repeated because the database was busy, it finds what it wrote before."""
        working = self._agents[agent](await self._work(company_id, run, agent))
        return await self._while_running(company_id, run.id, working)

    async def _while_running(
        self, company_id: str, run_id: str, working: Coroutine[Any, Any, Result]
    ) -> Result | None:
        """Run an agent until it ends, or until its run was closed (None).

        The work is cancelled through a scope and never by cancelling its task, which would cut short shielded cleanup
        such as cancelling tasks at data providers.
        """
        runs, scope = self._database.workspace(company_id).runs, anyio.CancelScope()

        async def work() -> Result | None:
            with scope:
                return await working
            return None

        task = asyncio.create_task(work())
        try:
            while True:
                ended, _ = await asyncio.wait({task}, timeout=LOOK_SECONDS)
                if ended:
                    return task.result()
                with suppress(DatabaseUnavailable):  # the agent continues without this check
                    run = await runs.find(run_id)
                    if run is None or run.status != "running":
                        return None
        finally:
            scope.cancel()
            await asyncio.wait({task})
            if not task.cancelled():
                task.exception()  # retrieve the exception of a closed run, so that asyncio does not log it

    async def finish(self, company_id: str, run_id: str, outcomes: Mapping[str, str]) -> str:
        """Close the run according to how its agents ended, and return its final status."""
        return await retry_while_busy(lambda: self._finish(company_id, run_id, outcomes))

    async def _finish(self, company_id: str, run_id: str, outcomes: Mapping[str, str]) -> str:
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
                    await writing.run_agents.end(run.key, agent, "skipped", self._now())
            if status == "completed" and await lacks_answers(writing, run):
                status = "partial_complete"
            closed = await writing.runs.close(run_id, status, self._now(), charged=status != "failed")
            if closed:
                await notify_run_ended(writing, run, status, self._now())
        if closed:
            log_run_ended(run, company_id, run.workflow, status, self._now())
        return status

    async def _work(self, company_id: str, run: Run, agent: str) -> Work:
        workspace = self._database.workspace(company_id)
        brand = await workspace.brands.find(run.brand_id)
        assert brand is not None

        async def report(done: int, total: int) -> None:
            with suppress(DatabaseUnavailable):  # the next report includes it
                async with self._database.transaction(company_id) as writing:
                    await writing.run_agents.advance(run.key, agent, done, total)

        async def store(keep: Keep) -> None:
            async def write() -> None:
                async with self._database.transaction(company_id) as writing:
                    await keep(writing)

            await retry_while_busy(write)

        return Work(
            run_id=run.id,
            run_key=run.key,
            brand=brand,
            context=run.context,
            configuration=configuration_in(run, agent),
            outputs=await read_outputs(workspace, run, brand, agent),
            workspace=workspace,
            engines=self._engines,
            prober=self._prober,
            now=self._now(),
            report=report,
            site_access=self._site_access,
            began=await workspace.run_agents.began(run.key, agent),
            agent=agent,
            store=store,
        )

    async def _end(
        self, company_id: str, run_id: str, agent: str, ended: Result | AgentFailed | str, started: float
    ) -> str:
        """Store how an agent ended in one transaction, while its run is running. Returns the stored status.

        When the step was delivered twice at once and the other delivery finished first, its status is returned.
        """
        status = await retry_while_busy(lambda: self._write_end(company_id, run_id, agent, ended))
        duration = round((time.perf_counter() - started) * 1000, 3)
        code = ended.code if isinstance(ended, AgentFailed) else ended if isinstance(ended, str) else None
        log_agent_ended(company_id, run_id, agent, status, duration, code)
        return status

    async def _write_end(
        self, company_id: str, run_id: str, agent: str, ended: Result | AgentFailed | str
    ) -> str:
        async with self._database.transaction(company_id) as writing:
            run = await writing.runs.hold(run_id)
            if run is None or run.status != "running":
                return "cancelled"
            if isinstance(ended, str | AgentFailed):
                code = ended if isinstance(ended, str) else ended.code
                values: dict[str, Any] = {"status": "failed", "error_code": code}
            else:
                output = ended.output.to_json() if ended.output else None
                values = {"status": "completed", "summary": ended.summary, "output": output}
            if not await writing.run_agents.end(run.key, agent, now=self._now(), **values):
                return await writing.run_agents.status(run.key, agent)
            if isinstance(ended, Result):
                await self._keep(writing, run, agent, ended)
            elif isinstance(ended, AgentFailed):
                await writing.findings.add(run.key, agent, ended.findings)
            return values["status"]

    async def _keep(self, writing: Workspace, run: Run, agent: str, ended: Result) -> None:
        """Store the other results of a completed agent besides its output."""
        if ended.raised or ended.drafts or ended.findings:
            brand = await writing.brands.find(run.brand_id)
            assert brand is not None
            findings = await self._raise(writing, brand, ended, run.id)
            await writing.findings.add(run.key, agent, findings)
            await writing.repository_items.save(brand.key, ended.drafts, self._now())
        if ended.keep is not None:
            await ended.keep(writing)

    async def _raise(
        self, writing: Workspace, brand: Brand, ended: Result, run_id: str
    ) -> Sequence[FindingDraft]:
        """Update the issues that an agent observed, and return its findings linked to their issues."""
        seen = [observation for observation, _ in ended.raised]
        ids = await issues.record(writing, brand, seen, self._now(), run_id)
        findings = list(ended.findings)
        for observation, number in ended.raised:
            if number is not None:
                issue_id = ids.get((observation.check_id, observation.subject))
                findings[number] = replace(findings[number], issue_id=issue_id)
        return findings


def configuration_in(run: Run, agent: str) -> AgentConfiguration:
    """Return the configuration of a run's agent as of the start of the run."""
    kind = configuration_kind(agent)
    if run.workflow_version is None:
        return load_configuration(kind, run.configuration)
    return load_step_configuration(kind, agent, run.configuration)


async def read_outputs(workspace: Workspace, run: Run, brand: Brand, agent: str) -> Mapping[str, Any]:
    """Return the outputs that an agent may read: those of other agents in its run.

    An agent that can work alone also reads the brand's latest outputs of agents outside the run, when it works alone
    or in a custom workflow.
    """
    if run.workflow in ALONE:
        return await workspace.run_agents.latest_outputs(brand.key)
    given = await workspace.run_agents.outputs(run.key)
    if run.workflow_version is None or agent not in offered():
        return given
    latest = await workspace.run_agents.latest_outputs(brand.key)
    inside = {known.agent for known in await workspace.run_agents.all(run.key)}
    return {name: output for name, output in latest.items() if name not in inside} | given


async def lacks_answers(workspace: Workspace, run: Run) -> bool:
    """Return whether a run is missing more answers than a comparison tolerates."""
    outputs = await workspace.run_agents.outputs(run.key)
    return any(
        dict(outputs[agent] or {}).get("status") == PARTIAL for agent in AskedBatch.agents if agent in outputs
    )

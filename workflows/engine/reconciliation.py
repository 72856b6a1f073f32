"""Reconcile run records with executions: take over from dead processes, adopt, close and stop runs."""

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import anyio.to_thread

if TYPE_CHECKING:
    from dbos import WorkflowStatus

from measurement.planning.clock import Clock, SteadyClock
from storage.database import Database
from storage.errors import SchemaTooNew
from storage.failures import LONG_PAUSES
from workflows.engine.engine_process import resume
from workflows.engine.executions import ENDED, LOOKS, QUEUE, UNFINISHED, Executions
from workflows.run_events import log_run_ended
from workflows.system_alerts import notify_run_ended

log = logging.getLogger(__name__)
TEND_SECONDS = 2.0
LOST_AFTER = timedelta(seconds=sum(LONG_PAUSES))
"""How long a live process retries after losing the database. By then it has succeeded or given up."""
LONGEST_RUN = timedelta(minutes=30)
"""Maximum duration of a run, tracked in the memory of one process. A restart starts over."""
LONGEST_WAIT = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class RunEngineHealth:
    """The queue at one moment, across all companies. `lost` are live runs that nothing executes or will execute."""

    workers: int
    waiting: int
    executing: int
    lost: int
    oldest_wait: timedelta | None


class Reconciliation:
    """Reconciles the live runs of all companies with their executions."""

    def __init__(
        self,
        database: Database,
        executions: Executions,
        now: Clock,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._executions = executions
        self._now = now
        self._monotonic = monotonic
        self._age_clock = SteadyClock(now, LONGEST_RUN, monotonic)
        self._watched_since: dict[str, float] = {}

    async def tend(self, executor: str) -> None:
        """Take over and reconcile as `executor` periodically, until cancelled."""
        while True:
            try:
                await self._database.check_schema()
                await self.reconcile(await self.take_over(executor))
            except SchemaTooNew:
                return
            except Exception:
                log.exception("tending runs")
            await asyncio.sleep(TEND_SECONDS)

    async def take_over(self, executor: str) -> list[str]:
        """Resume the work of dead executors and return them. Safe to run in two processes at once."""
        flows = [
            flow
            for queue in (QUEUE, LOOKS)
            for flow in await self._executions.listed(status="PENDING", queue_name=queue)
        ]
        others = {flow.executor_id for flow in flows if flow.executor_id} - {executor}
        dead = await self._database.presence.find_orphaned_executors(sorted(others))
        if dead:
            await anyio.to_thread.run_sync(resume, dead)
        # Runs of another version under this process's executor name belonged to its predecessor, so no one has them.
        return [*dead, executor]

    async def reconcile(self, dead: Collection[str] = ()) -> None:
        """Reconcile run records with executions: close runs whose execution is over, and stop closed runs.

        Runs that another version of the service queued or began are adopted when none of its processes will continue
        them. `dead` are dead executors.
        """
        now = self._age_clock()
        live = await self._database.operators.runs.live()
        flows = await self._executions.of_runs([run.id for run in live])
        overdue = self._watch([run.id for run in live if run.started_at])
        gone = await self._versions_without_workers(flows.values())
        for run in live:
            flow = flows.get(run.id)
            if flow is None:
                if now - run.created_at > LOST_AFTER:
                    await self._close(run.company_id, run.id, "failed", "engine_failure")
            elif flow.app_version != self._executions.version and is_orphaned(flow, gone, dead):
                await self._adopt(run.id, dead)
            elif flow.status in ENDED:
                await self._close(run.company_id, run.id, ENDED[flow.status], "engine_failure")
            elif run.id in overdue or (run.started_at is None and now - run.created_at > LONGEST_WAIT):
                await self._close(run.company_id, run.id, "failed", "run_timeout")
                await self._executions.stop([run.id])
        closed = await self._database.operators.runs.cancelled(now - timedelta(hours=1))
        executing = [
            run for run, flow in (await self._executions.of_runs(closed)).items() if flow.status in UNFINISHED
        ]
        if executing:
            await self._executions.stop(executing)

    async def _versions_without_workers(self, flows: "Iterable[WorkflowStatus]") -> set[str | None]:
        """Return the other versions in executions of which no process executes runs any more."""
        others = {flow.app_version for flow in flows} - {self._executions.version}
        return {version for version in others if not await self._database.presence.workers(version or "")}

    def _watch(self, begun: Collection[str]) -> set[str]:
        """Return the started runs that this process has watched for longer than any run may take.

        Start times are not used, because a process with a wrong clock may have written them.
        """
        at = self._monotonic()
        self._watched_since = {run_id: self._watched_since.get(run_id, at) for run_id in begun}
        longest = LONGEST_RUN.total_seconds()
        return {run_id for run_id, since in self._watched_since.items() if at - since > longest}

    async def health(self) -> RunEngineHealth:
        """Return the health of the queue for operators."""
        live = await self._database.operators.runs.live()
        flows = await self._executions.of_runs([run.id for run in live])
        waiting = [run.created_at for run in live if run.status == "pending"]
        lost = sum(run.id not in flows or flows[run.id].status in ENDED for run in live)
        return RunEngineHealth(
            workers=await self._database.presence.workers(),
            waiting=len(waiting),
            executing=len(await self._executions.listed(status="PENDING", queue_name=QUEUE)),
            lost=lost,
            oldest_wait=self._now() - min(waiting) if waiting else None,
        )

    async def _adopt(self, run_id: str, dead: Collection[str]) -> None:
        """Requeue a run of another version. Finished agents are not repeated, since our tables record them.

        One process at a time adopts, and checks again first: stopping a run that another process has just adopted would
        cancel it permanently.
        """
        async with self._database.presence.alone("adoption"):
            flow = (await self._executions.of_runs([run_id])).get(run_id)
            if flow is None or flow.app_version == self._executions.version:
                return
            if not is_orphaned(flow, await self._versions_without_workers([flow]), dead):
                return
            await self._executions.stop([run_id])
            await self._executions.rewind(flow)

    async def _close(self, company_id: str, run_id: str, status: str, code: str) -> None:
        async with self._database.transaction(company_id) as writing:
            error = code if status == "failed" else None
            if not await writing.runs.close(run_id, status, self._now(), charged=False, error_code=error):
                return
            run = await writing.runs.find(run_id)
            assert run is not None
            await notify_run_ended(writing, run, status, self._now())
        log_run_ended(run, company_id, run.workflow, status, self._now(), error)


def is_orphaned(flow: "WorkflowStatus", gone: Collection[str | None], dead: Collection[str]) -> bool:
    """Return whether an execution of another version waits for a process that no longer exists."""
    if flow.status == "ENQUEUED":
        return flow.app_version in gone
    # An interrupted adoption leaves the execution cancelled.
    return flow.status == "CANCELLED" or (flow.status == "PENDING" and flow.executor_id in dead)

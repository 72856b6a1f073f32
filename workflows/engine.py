"""Queues, executes, cancels and repairs runs on the durable engine; nothing else knows which engine that is."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

import anyio
import anyio.to_thread

if TYPE_CHECKING:
    # The engine takes half a second to load, which a command that starts no run should not pay.
    from dbos import DBOSClient, EnqueueOptions, WorkflowStatus

from storage.database import Database
from storage.workspace import Workspace
from workflows.alerts import tell_of_end
from workflows.publishing import Clock

log = logging.getLogger(__name__)

QUEUE, APP, VERSION = "runs", "seenby", "runs-1"
LOOKS = "monitors"
LOOKS_AT_ONCE = 2
RANKS = {"high": 1, "normal": 5, "low": 9}
"""The smaller number is served first."""
ENDED = {
    "ERROR": "failed",
    "SUCCESS": "failed",
    "MAX_RECOVERY_ATTEMPTS_EXCEEDED": "failed",
    "CANCELLED": "cancelled",
}
"""What a run becomes that is live in our books when its execution has ended in this way."""
TEND_SECONDS = 2.0
LOST_AFTER = timedelta(seconds=60)
LONGEST_RUN = timedelta(minutes=30)
LONGEST_WAIT = timedelta(hours=24)
COMPANY_AT_ONCE = 3
PROCESS_AT_ONCE = 12
GRACE_SECONDS = 20

Stages = list[dict[str, list[str]]]


class Steps(Protocol):
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


class Looks(Protocol):
    """What a monitor does; it may be repeated."""

    async def look(self, company_id: str, brand_id: str, script: str, slot: datetime) -> object:
        """Look at a brand once for each slot."""
        ...


class RunEngine:
    """The queues of runs and of monitors in one database, as every process may use it."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now
        self._opening = anyio.Lock()
        self._client: DBOSClient | None = None

    async def open(self) -> None:
        """Bring the engine's own tables up to date and connect, once; processes that start together wait.

        Not inside of a transaction, which would keep the engine from its tables.
        """
        async with self._opening:
            if self._client is not None:
                return
            dbos: Any = await anyio.to_thread.run_sync(import_module, "dbos")
            url = self._database.synchronous_url
            async with self._database.presence.alone("engine-migration"):
                await anyio.to_thread.run_sync(dbos.DBOS.migrate, url)
            self._client = dbos.DBOSClient(
                system_database_engine=self._database.synchronous_engine,
                application_name=APP,
                serializer=dbos.DBOSPortableJSONSerializer(),
                lazy=True,
            )

    async def close(self) -> None:
        """Let go of the connections."""
        if self._client is not None:
            await anyio.to_thread.run_sync(self._client.destroy)

    @property
    def client(self) -> "DBOSClient":
        """The connected client."""
        assert self._client is not None, "open the engine first"
        return self._client

    async def enqueue(self, writing: Workspace, run_id: str, stages: Stages, priority: str) -> None:
        """Queue a run within the caller's transaction: it is queued when that commits, or not at all."""
        options: EnqueueOptions = {
            "workflow_name": "run",
            "queue_name": QUEUE,
            "workflow_id": run_id,
            "app_version": VERSION,
            "priority": RANKS[priority],
            "queue_partition_key": writing.company_id,
        }
        enqueue: Any = self.client.enqueue_in_transaction

        def alongside(connection: object) -> None:
            enqueue(connection, options, run_id, writing.company_id, stages)

        await writing.runs.alongside(alongside)

    async def enqueue_look(self, writing: Workspace, brand_id: str, script: str, slot: datetime) -> None:
        """Queue a look of a monitor within the caller's transaction."""
        when = slot.isoformat()
        options: EnqueueOptions = {
            "workflow_name": "monitor",
            "queue_name": LOOKS,
            "workflow_id": f"monitor:{script}:{brand_id}:{when}",
            "app_version": VERSION,
        }
        enqueue: Any = self.client.enqueue_in_transaction

        def alongside(connection: object) -> None:
            enqueue(connection, options, writing.company_id, brand_id, script, when)

        await writing.runs.alongside(alongside)

    async def stop(self, run_ids: Sequence[str]) -> None:
        """End the execution of runs that the books have closed."""
        await self.open()
        await anyio.to_thread.run_sync(self.client.cancel_workflows, list(run_ids))

    @asynccontextmanager
    async def working(self, steps: Steps, looks: Looks | None = None) -> AsyncGenerator[None]:
        """Execute runs, and monitors with `looks`, in this process until the block ends.

        What dead processes left is taken over.

        On SQLite it waits until no other process executes. At the end running steps get a grace, then what is left
        resumes in another process, or in this one's successor.
        """
        await self.open()
        from dbos import DBOS, DBOSPortableJSONSerializer  # loaded by now

        async with self._database.presence.worker() as executor:
            DBOS(
                config={
                    "name": APP,
                    "application_version": VERSION,
                    "executor_id": executor,
                    "serializer": DBOSPortableJSONSerializer(),
                    "log_level": "ERROR",
                    "system_database_engine": self._database.synchronous_engine,
                    "enable_otlp": False,
                }
            )
            try:
                DBOS.workflow(name="run", max_recovery_attempts=20)(flow(steps))
                if looks is not None:
                    DBOS.workflow(name="monitor", max_recovery_attempts=20)(look_flow(looks))
                DBOS.launch()
                await DBOS.register_queue_async(
                    QUEUE,
                    polling_interval_sec=0.2,
                    worker_concurrency=PROCESS_AT_ONCE,
                    partition_concurrency=COMPANY_AT_ONCE,
                )
                if looks is not None:
                    await DBOS.register_queue_async(
                        LOOKS, polling_interval_sec=1.0, worker_concurrency=LOOKS_AT_ONCE
                    )
                tending = asyncio.create_task(self._tend(executor))
                try:
                    yield
                finally:
                    tending.cancel()
                    with anyio.CancelScope(shield=True):
                        await asyncio.gather(tending, return_exceptions=True)
            finally:
                with anyio.CancelScope(shield=True):
                    await anyio.to_thread.run_sync(destroy)
                # The engine's threads had become the loop's own, and ended with it.
                asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())

    async def _tend(self, executor: str) -> None:
        while True:
            try:
                await self.take_over(executor)
                await self.reconcile()
            except Exception:
                log.exception("tending runs")
            await asyncio.sleep(TEND_SECONDS)

    async def take_over(self, executor: str) -> None:
        """Resume what executors left behind that are gone; two rescuers at once do no harm."""
        flows = [
            flow for queue in (QUEUE, LOOKS) for flow in await self._list(status="PENDING", queue_name=queue)
        ]
        others = {flow.executor_id for flow in flows if flow.executor_id} - {executor}
        gone = await self._database.presence.gone(sorted(others))
        if gone:
            from dbos import DBOS  # loaded by now

            # The pin on the engine's version and a test hold this private name.
            recover: Any = DBOS._recover_pending_workflows  # pyright: ignore[reportPrivateUsage]
            await anyio.to_thread.run_sync(recover, gone)

    async def reconcile(self) -> None:
        """Bring books and executions together: close runs whose execution is over, stop closed runs."""
        now = self._now()
        live = await self._database.operators.runs.live()
        states = await self._states([run.id for run in live])
        for run in live:
            state = states.get(run.id)
            started = run.started_at
            if state in ENDED:
                await self._close(run.company_id, run.id, ENDED[state], "engine_failure")
            elif state is None and now - run.created_at > LOST_AFTER:
                await self._close(run.company_id, run.id, "failed", "engine_failure")
            elif now - (started or run.created_at) > (LONGEST_RUN if started else LONGEST_WAIT):
                await self._close(run.company_id, run.id, "failed", "run_timeout")
                await self.stop([run.id])
        closed = await self._database.operators.runs.cancelled(now - timedelta(hours=1))
        executing = [
            run for run, state in (await self._states(closed)).items() if state in ("ENQUEUED", "PENDING")
        ]
        if executing:
            await self.stop(executing)

    async def _states(self, run_ids: Sequence[str]) -> dict[str, str]:
        if not run_ids:
            return {}
        flows = await self._list(workflow_ids=list(run_ids))
        return {flow.workflow_id: str(flow.status) for flow in flows}

    async def _list(self, **conditions: Any) -> "list[WorkflowStatus]":
        await self.open()
        listing = partial(self.client.list_workflows, load_input=False, load_output=False, **conditions)
        return await anyio.to_thread.run_sync(listing)

    async def _close(self, company_id: str, run_id: str, status: str, code: str) -> None:
        async with self._database.transaction(company_id) as writing:
            error = code if status == "failed" else None
            if not await writing.runs.close(run_id, status, self._now(), charged=False, error_code=error):
                return
            run = await writing.runs.find(run_id)
            assert run is not None
            await tell_of_end(writing, run, status, self._now())


def destroy() -> None:
    """End the engine in this process; steps that run get a grace."""
    from dbos import DBOS  # loaded by now

    DBOS.destroy(workflow_completion_timeout_sec=GRACE_SECONDS, destroy_registry=True)


def look_flow(looks: Looks) -> Any:
    """Return the workflow function of one look."""
    from dbos import DBOS  # loaded by now

    async def look(company_id: str, brand_id: str, script: str, slot: str) -> None:
        await looks.look(company_id, brand_id, script, datetime.fromisoformat(slot))

    async def monitor(company_id: str, brand_id: str, script: str, slot: str) -> None:
        await DBOS.run_step_async({"name": "look"}, look, company_id, brand_id, script, slot)

    return monitor


def flow(steps: Steps) -> Any:
    """Return the one workflow function: stage after stage, the agents of a stage in parallel."""
    from dbos import DBOS  # loaded by now

    async def run(run_id: str, company_id: str, stages: Stages) -> str:
        if not await DBOS.run_step_async({"name": "begin"}, steps.begin, company_id, run_id):
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
                    step.run_async(
                        {"name": agent, "preemptible": True}, steps.perform, company_id, run_id, agent
                    )
                    for agent, step in numbered
                ),
                return_exceptions=True,
            )
            for agent, outcome in zip(ready, ended, strict=True):
                if isinstance(outcome, BaseException):
                    raise outcome
                outcomes[agent] = outcome
        return await DBOS.run_step_async({"name": "finish"}, steps.finish, company_id, run_id, outcomes)

    return run

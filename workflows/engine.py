"""Queues, executes, cancels and repairs runs on the durable engine; nothing else knows which engine that is."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

import anyio
import anyio.to_thread

if TYPE_CHECKING:
    # The engine takes half a second to load, which a command that starts no run should not pay.
    from dbos import DBOSClient, EnqueueOptions, WorkflowStatus

from measurement.clock import Clock
from storage.database import Database
from storage.workspace import Workspace
from workflows.system_alerts import notify_run_ended

log = logging.getLogger(__name__)
LEVEL = "ERROR"
# Its hundred migrations push what a newcomer was just told off the screen, and say nothing of ours.
logging.getLogger("dbos").setLevel(LEVEL)

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
UNFINISHED = ("ENQUEUED", "PENDING")
POLL_SECONDS = 0.2
TEND_SECONDS = 2.0
LOST_AFTER = timedelta(seconds=60)
FORGOTTEN_AT_ONCE = 500
LONGEST_RUN = timedelta(minutes=30)
LONGEST_WAIT = timedelta(hours=24)
COMPANY_AT_ONCE = 3
PROCESS_AT_ONCE = 12
MOST_RECOVERIES = 20
MOST_REWINDS = 10
GRACE_SECONDS = 20

Stages = list[dict[str, list[str]]]


@dataclass(frozen=True, slots=True)
class RunEngineHealth:
    """The queue at one moment, over all companies; `lost` are live runs that nothing executes or will."""

    workers: int
    waiting: int
    executing: int
    lost: int
    oldest_wait: timedelta | None


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

    def __init__(self, database: Database, now: Clock, version: str = VERSION) -> None:
        self._database = database
        self._now = now
        self._version = version
        self._opening = anyio.Lock()
        self._client: DBOSClient | None = None
        self._executing: set[str] = set()

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
            "app_version": self._version,
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
            "app_version": self._version,
        }
        enqueue: Any = self.client.enqueue_in_transaction

        def alongside(connection: object) -> None:
            enqueue(connection, options, writing.company_id, brand_id, script, when)

        await writing.runs.alongside(alongside)

    async def stop(self, run_ids: Sequence[str]) -> None:
        """End the execution of runs that the books have closed."""
        await self.open()
        await anyio.to_thread.run_sync(self.client.cancel_workflows, list(run_ids))

    async def forget(self, before: datetime) -> int:
        """Delete the engine's records of what ended before an instant; return how many went. The books stay."""
        await self.open()
        # What was made that long before has ended by then, as the limits of a run's life go.
        made_before = (before - LONGEST_WAIT - LONGEST_RUN).isoformat()
        gone = 0
        while flows := await self._list(status=list(ENDED), end_time=made_before, limit=FORGOTTEN_AT_ONCE):
            ended = [flow.workflow_id for flow in flows]
            await anyio.to_thread.run_sync(self.client.delete_workflows, ended)
            gone += len(ended)
        return gone

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
                    "application_version": self._version,
                    "executor_id": executor,
                    "serializer": DBOSPortableJSONSerializer(),
                    "log_level": LEVEL,
                    "system_database_engine": self._database.synchronous_engine,
                    "enable_otlp": False,
                    # Nothing listens; what the listener sleeps between two looks delays the end of the process.
                    "notification_listener_polling_interval_sec": 0.1,
                }
            )
            logging.getLogger("dbos").addFilter(is_notable)
            try:
                DBOS.workflow(name="run", max_recovery_attempts=MOST_RECOVERIES)(flow(steps, self._executing))
                if looks is not None:
                    DBOS.workflow(name="monitor", max_recovery_attempts=MOST_RECOVERIES)(look_flow(looks))
                await anyio.to_thread.run_sync(self._register, looks is not None)
                await anyio.to_thread.run_sync(launch, asyncio.get_running_loop())
                tending = asyncio.create_task(self._tend(executor))
                try:
                    yield
                finally:
                    tending.cancel()
                    with anyio.CancelScope(shield=True):
                        await asyncio.gather(tending, return_exceptions=True)
            finally:
                with anyio.CancelScope(shield=True):
                    await anyio.to_thread.run_sync(destroy, GRACE_SECONDS if self._executing else 0)
                # The engine's threads had become the loop's own, and ended with it.
                asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())

    def _register(self, looking: bool) -> None:
        """Write how the queues are served, before this process begins to look at them."""
        self.client.register_queue(
            QUEUE,
            polling_interval_sec=POLL_SECONDS,
            worker_concurrency=PROCESS_AT_ONCE,
            partition_concurrency=COMPANY_AT_ONCE,
        )
        if looking:
            self.client.register_queue(LOOKS, polling_interval_sec=1.0, worker_concurrency=LOOKS_AT_ONCE)

    async def _tend(self, executor: str) -> None:
        while True:
            try:
                await self.reconcile(await self.take_over(executor))
            except Exception:
                log.exception("tending runs")
            await asyncio.sleep(TEND_SECONDS)

    async def take_over(self, executor: str) -> list[str]:
        """Resume what executors left behind that are gone, and return those; two rescuers at once do no harm."""
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
        # Of another version's runs, nobody has those that bear this process's own name: its predecessor had them.
        return [*gone, executor]

    async def reconcile(self, gone: Collection[str] = ()) -> None:
        """Bring books and executions together: close runs whose execution is over, stop closed runs.

        Runs that another version of the service queued or began are adopted when none of its processes will go on
        with them; `gone` are executors that are dead.
        """
        now = self._now()
        live = await self._database.operators.runs.live()
        flows = await self._flows([run.id for run in live])
        for run in live:
            flow = flows.get(run.id)
            started = run.started_at
            if flow is None:
                if now - run.created_at > LOST_AFTER:
                    await self._close(run.company_id, run.id, "failed", "engine_failure")
            elif flow.app_version != self._version and is_orphaned(flow, gone, now):
                await self._adopt(run.id, gone)
            elif flow.status in ENDED:
                await self._close(run.company_id, run.id, ENDED[flow.status], "engine_failure")
            elif now - (started or run.created_at) > (LONGEST_RUN if started else LONGEST_WAIT):
                await self._close(run.company_id, run.id, "failed", "run_timeout")
                await self.stop([run.id])
        closed = await self._database.operators.runs.cancelled(now - timedelta(hours=1))
        executing = [run for run, flow in (await self._flows(closed)).items() if flow.status in UNFINISHED]
        if executing:
            await self.stop(executing)

    async def health(self) -> RunEngineHealth:
        """Return what an operator wants to know of the queue."""
        live = await self._database.operators.runs.live()
        flows = await self._flows([run.id for run in live])
        waiting = [run.created_at for run in live if run.status == "pending"]
        lost = sum(run.id not in flows or flows[run.id].status in ENDED for run in live)
        return RunEngineHealth(
            workers=await self._database.presence.workers(),
            waiting=len(waiting),
            executing=len(await self._list(status="PENDING", queue_name=QUEUE)),
            lost=lost,
            oldest_wait=self._now() - min(waiting) if waiting else None,
        )

    async def _adopt(self, run_id: str, gone: Collection[str]) -> None:
        """Queue a run of another version anew; what its agents did stays, since the books know it.

        One process at a time adopts, and looks again first: to stop a run that another has just adopted would
        cancel it for good.
        """
        async with self._database.presence.alone("adoption"):
            flow = (await self._flows([run_id])).get(run_id)
            if flow is None or flow.app_version == self._version or not is_orphaned(flow, gone, self._now()):
                return
            await self.stop([run_id])
            await self._rewind(flow)

    async def _rewind(self, flow: "WorkflowStatus") -> None:
        """Queue a stopped run under this version, also when its last process still writes how it ended."""
        again = partial(
            self.client.rewind_workflow,
            flow.workflow_id,
            application_version=self._version,
            queue_name=QUEUE,
            queue_partition_key=flow.queue_partition_key,
        )
        from dbos import error as engine_errors  # loaded by now

        for _ in range(MOST_REWINDS):
            try:
                await anyio.to_thread.run_sync(again)
            except engine_errors.DBOSException:
                changed = (await self._flows([flow.workflow_id])).get(flow.workflow_id)
                if changed is None or changed.app_version == self._version:
                    return  # it was deleted, or it is queued already
                await anyio.sleep(POLL_SECONDS)
            else:
                return
        log.warning("run %s kept changing while it was adopted; the next round tries again", flow.workflow_id)

    async def _flows(self, run_ids: Sequence[str]) -> "dict[str, WorkflowStatus]":
        if not run_ids:
            return {}
        return {flow.workflow_id: flow for flow in await self._list(workflow_ids=list(run_ids))}

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
            await notify_run_ended(writing, run, status, self._now())


def is_notable(record: logging.LogRecord) -> bool:
    """Keep the engine from reporting each cancelled run as an error."""
    error = record.exc_info[1] if record.exc_info else None
    return "cancelled" not in str(error)


def is_orphaned(flow: "WorkflowStatus", gone: Collection[str], now: datetime) -> bool:
    """Tell whether an execution of another version waits for a process that will not come."""
    if flow.status == "ENQUEUED":
        assert flow.updated_at is not None
        return now - datetime.fromtimestamp(flow.updated_at / 1000, UTC) > LOST_AFTER
    # An adoption that was cut short in its middle has left it cancelled.
    return flow.status == "CANCELLED" or (flow.status == "PENDING" and flow.executor_id in gone)


def launch(loop: asyncio.AbstractEventLoop) -> None:
    """Start the engine from a thread, as if it were started on the loop, whose coroutines it is to run there.

    It writes before it returns. On the loop itself it would wait for the lock of a transaction that only the
    loop can end.
    """
    from dbos import DBOS  # loaded by now

    asyncio._set_running_loop(loop)  # of this thread only; it is how loops announce themselves
    try:
        DBOS.launch()
    finally:
        asyncio._set_running_loop(None)


def destroy(grace: int) -> None:
    """End the engine in this process; runs that execute have `grace` seconds to end, in steps of one second."""
    from dbos import DBOS  # loaded by now

    DBOS.destroy(workflow_completion_timeout_sec=grace, destroy_registry=True)


def look_flow(looks: Looks) -> Any:
    """Return the workflow function of one look."""
    from dbos import DBOS  # loaded by now

    async def look(company_id: str, brand_id: str, script: str, slot: str) -> None:
        await looks.look(company_id, brand_id, script, datetime.fromisoformat(slot))

    async def monitor(company_id: str, brand_id: str, script: str, slot: str) -> None:
        await DBOS.run_step_async({"name": "look"}, look, company_id, brand_id, script, slot)

    return monitor


def flow(steps: Steps, executing: set[str]) -> Any:
    """Return the one workflow function: stage after stage, the agents of a stage in parallel.

    `executing` holds the runs that are inside of it.
    """
    from dbos import DBOS  # loaded by now

    async def run(run_id: str, company_id: str, stages: Stages) -> str:
        executing.add(run_id)
        try:
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

"""Queue and execute runs and monitor checks on the durable engine."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup

if TYPE_CHECKING:
    # The engine takes half a second to load, which commands that start no run should not pay for.
    from dbos import EnqueueOptions

from measurement.planning.clock import Clock
from storage.database import Database
from storage.errors import DatabaseUnavailable
from storage.workspace import Workspace
from workflows.engine.durable_functions import (
    MonitorRunner,
    RunStepper,
    SchemaGuard,
    Stages,
    flow,
    look_flow,
)
from workflows.engine.engine_process import destroy, is_notable, launch
from workflows.engine.executions import (
    APP,
    LEVEL,
    LOOK_SECONDS,
    LOOKS,
    POLL_SECONDS,
    QUEUE,
    Executions,
)
from workflows.engine.reconciliation import LONGEST_RUN, LONGEST_WAIT, Reconciliation, RunEngineHealth

log = logging.getLogger(__name__)
LOOKS_AT_ONCE = 2
RANKS = {"high": 1, "normal": 5, "low": 9}
"""Lower numbers are served first."""
COMPANY_AT_ONCE = 3
PROCESS_AT_ONCE = 12
MOST_RECOVERIES = 20
GRACE_SECONDS = 20
SCHEMA_SECONDS = 2.0
"""How often a process that executes runs checks whether a newer version has migrated the database."""


class RunEngine:
    """The queues of runs and of monitors in one database, for use by any process."""

    def __init__(
        self,
        database: Database,
        now: Clock,
        version: str | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._executions = Executions(database, version)
        self._reconciliation = Reconciliation(database, self._executions, now, monotonic)
        self._guard = SchemaGuard(database)
        self._executing: set[asyncio.Task[Any]] = set()

    async def open(self) -> None:
        """Migrate the engine's own tables and connect, once. See `Executions.open`."""
        await self._executions.open()

    async def close(self) -> None:
        """Close the connections."""
        await self._executions.close()

    async def enqueue(self, writing: Workspace, run_id: str, stages: Stages, priority: str) -> None:
        """Queue a run within the caller's transaction. It is queued only if the transaction commits."""
        options: EnqueueOptions = {
            "workflow_name": "run",
            "queue_name": QUEUE,
            "workflow_id": run_id,
            "app_version": self._executions.version,
            "priority": RANKS[priority],
            "queue_partition_key": writing.company_id,
        }
        enqueue: Any = self._executions.client.enqueue_in_transaction

        def alongside(connection: object) -> None:
            enqueue(connection, options, run_id, writing.company_id, stages)

        await writing.runs.alongside(alongside)

    async def enqueue_look(self, writing: Workspace, brand_id: str, script: str, slot: datetime) -> None:
        """Queue a monitor check within the caller's transaction."""
        when = slot.isoformat()
        options: EnqueueOptions = {
            "workflow_name": "monitor",
            "queue_name": LOOKS,
            "workflow_id": f"monitor:{script}:{brand_id}:{when}",
            "app_version": self._executions.version,
        }
        enqueue: Any = self._executions.client.enqueue_in_transaction

        def alongside(connection: object) -> None:
            enqueue(connection, options, writing.company_id, brand_id, script, when)

        await writing.runs.alongside(alongside)

    async def stop(self, run_ids: Sequence[str]) -> None:
        """Stop the execution of runs that are closed in our tables."""
        await self._executions.stop(run_ids)

    async def forget(self, before: datetime) -> int:
        """Delete the engine's records that ended before an instant, and return how many. Our run records stay."""
        # Executions created that long before have ended by then, given the limits of a run.
        return await self._executions.forget(before - LONGEST_WAIT - LONGEST_RUN)

    async def reconcile(self) -> None:
        """Reconcile run records with executions once. See `Reconciliation.reconcile`."""
        await self._reconciliation.reconcile()

    async def health(self) -> RunEngineHealth:
        """Return the health of the queue for operators."""
        return await self._reconciliation.health()

    @asynccontextmanager
    async def working(self, steps: RunStepper, looks: MonitorRunner | None = None) -> AsyncGenerator[None]:
        """Execute runs, and monitors with `looks`, in this process until the block ends.

        Work of dead processes is taken over.

        On SQLite it waits until no other process executes. At the end, running steps get a grace period. Remaining work
        resumes in another process, or in the successor of this one. Raises SchemaTooNew, in a group, once a newer
        version has migrated the database.
        """
        await self.open()
        async with (
            self._database.presence.worker(self._executions.version) as executor,
            self._ending_with_the_schema(),
            self._executing_as(executor, steps, looks),
        ):
            yield

    @asynccontextmanager
    async def standing_by(
        self, steps: Callable[[], RunStepper], looks: MonitorRunner | None = None
    ) -> AsyncGenerator[None]:
        """Like `working`, but load the engine and create `steps` only when the first run or check is due."""

        async def execute(executor: str) -> None:
            await self._executions.wait_until_needed()
            await self.open()
            made = await anyio.to_thread.run_sync(steps)  # loading takes a while
            async with self._executing_as(executor, made, looks):
                await anyio.sleep_forever()

        async def keep_executing(executor: str) -> None:
            while True:
                try:
                    await execute(executor)
                except (
                    Exception
                ):  # for example, the database is down: a serving process stays up and tries again
                    log.exception("beginning to execute runs")
                    await anyio.sleep(LOOK_SECONDS)

        async with (
            self._database.presence.worker(self._executions.version) as executor,
            self._ending_with_the_schema() as group,
        ):
            group.start_soon(keep_executing, executor)
            yield

    @asynccontextmanager
    async def _ending_with_the_schema(self) -> AsyncGenerator[TaskGroup]:
        """Provide a task group; SchemaTooNew ends its block once a newer version has migrated the database."""

        async def watch() -> None:
            while True:
                with suppress(DatabaseUnavailable):
                    await self._database.check_schema()
                with anyio.move_on_after(SCHEMA_SECONDS):
                    await self._guard.found_newer.wait()

        async with anyio.create_task_group() as group:
            group.start_soon(watch)
            try:
                yield group
            finally:
                group.cancel_scope.cancel()

    @asynccontextmanager
    async def _executing_as(
        self, executor: str, steps: RunStepper, looks: MonitorRunner | None
    ) -> AsyncGenerator[None]:
        from dbos import DBOS, DBOSPortableJSONSerializer  # already loaded

        DBOS(
            config={
                "name": APP,
                "application_version": self._executions.version,
                "executor_id": executor,
                "serializer": DBOSPortableJSONSerializer(),
                "log_level": LEVEL,
                "system_database_engine": self._database.synchronous_engine,
                "enable_otlp": False,
                # Nothing listens, but the listener's polling interval delays the end of the process.
                "notification_listener_polling_interval_sec": 0.1,
            }
        )
        logging.getLogger("dbos").addFilter(is_notable)
        try:
            DBOS.workflow(name="run", max_recovery_attempts=MOST_RECOVERIES)(
                flow(steps, self._guard, self._executing)
            )
            if looks is not None:
                DBOS.workflow(name="monitor", max_recovery_attempts=MOST_RECOVERIES)(
                    look_flow(looks, self._guard)
                )
            await anyio.to_thread.run_sync(self._register, looks is not None)
            await anyio.to_thread.run_sync(launch, asyncio.get_running_loop())
            tending = asyncio.create_task(self._reconciliation.tend(executor))
            try:
                yield
            finally:
                tending.cancel()
                with anyio.CancelScope(shield=True):
                    await asyncio.gather(tending, return_exceptions=True)
        finally:
            with anyio.CancelScope(shield=True):
                idle = self._guard.found_newer.is_set() or not self._executing
                await anyio.to_thread.run_sync(destroy, 0 if idle else GRACE_SECONDS)
                for task in list(self._executing):
                    task.cancel()
            # The engine's threads had become the loop's default executor, which has shut down with the engine.
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())

    def _register(self, looking: bool) -> None:
        """Configure the queues before this process starts to poll them."""
        self._executions.client.register_queue(
            QUEUE,
            polling_interval_sec=POLL_SECONDS,
            worker_concurrency=PROCESS_AT_ONCE,
            partition_concurrency=COMPANY_AT_ONCE,
        )
        if looking:
            self._executions.client.register_queue(
                LOOKS, polling_interval_sec=1.0, worker_concurrency=LOOKS_AT_ONCE
            )

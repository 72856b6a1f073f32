"""The durable engine's execution records: list, stop, requeue, delete."""

import logging
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

if TYPE_CHECKING:
    # The engine takes half a second to load, which a command that starts no run should not pay.
    from dbos import DBOSClient, WorkflowStatus

from storage.database import Database
from storage.presence import ENGINE_MIGRATION

log = logging.getLogger(__name__)
LEVEL = "ERROR"
# Its hundred migrations push what a newcomer was just told off the screen, and say nothing of ours.
logging.getLogger("dbos").setLevel(LEVEL)

QUEUE, APP, VERSION = "runs", "seenby", "runs-1"
LOOKS = "monitors"
ENDED = {
    "ERROR": "failed",
    "SUCCESS": "failed",
    "MAX_RECOVERY_ATTEMPTS_EXCEEDED": "failed",
    "CANCELLED": "cancelled",
}
"""What a run becomes that is live in our books when its execution has ended in this way."""
UNFINISHED = ("ENQUEUED", "PENDING")
POLL_SECONDS = 0.2
LOOK_SECONDS = 1.0
"""How often a process that has not loaded the engine polls for queued work."""
FORGOTTEN_AT_ONCE = 500
MOST_REWINDS = 10


class Executions:
    """Executions of runs and monitor checks in one database, of this `version` and of others."""

    def __init__(self, database: Database, version: str) -> None:
        self._database = database
        self.version = version
        self._opening = anyio.Lock()
        self._client: DBOSClient | None = None
        self._opened = anyio.Event()

    async def open(self) -> None:
        """Bring the engine's own tables up to date and connect, once; processes that start together wait.

        Not inside of a transaction, which would keep the engine from its tables.
        """
        async with self._opening:
            if self._client is not None:
                return
            dbos: Any = await anyio.to_thread.run_sync(import_module, "dbos")
            url = self._database.synchronous_url
            async with self._database.presence.alone(ENGINE_MIGRATION):
                await anyio.to_thread.run_sync(dbos.DBOS.migrate, url)
            self._client = dbos.DBOSClient(
                system_database_engine=self._database.synchronous_engine,
                application_name=APP,
                serializer=dbos.DBOSPortableJSONSerializer(),
                lazy=True,
            )
            self._opened.set()

    async def wait_until_needed(self) -> None:
        """Return when there is something to execute: this process connects to queue it, or the database has it.

        The engine takes 16 MB and a second to load, which a server that executes nothing spares.
        """
        while not (self._opened.is_set() or await self._database.operators.runs.is_engine_needed()):
            with anyio.move_on_after(LOOK_SECONDS):
                await self._opened.wait()

    async def close(self) -> None:
        """Let go of the connections."""
        if self._client is not None:
            await anyio.to_thread.run_sync(self._client.destroy)

    @property
    def client(self) -> "DBOSClient":
        """The connected client."""
        assert self._client is not None, "open the engine first"
        return self._client

    async def stop(self, run_ids: Sequence[str]) -> None:
        """End the execution of runs that the books have closed."""
        await self.open()
        await anyio.to_thread.run_sync(self.client.cancel_workflows, list(run_ids))

    async def forget(self, made_before: datetime) -> int:
        """Delete the records of what was made before an instant and has ended; return how many went."""
        if not await self._database.operators.runs.has_executions_before(made_before):
            return 0  # and the engine need not be loaded
        deleted = 0
        while flows := await self.listed(
            status=list(ENDED), end_time=made_before.isoformat(), limit=FORGOTTEN_AT_ONCE
        ):
            ended = [flow.workflow_id for flow in flows]
            await anyio.to_thread.run_sync(self.client.delete_workflows, ended)
            deleted += len(ended)
        return deleted

    async def of_runs(self, run_ids: Sequence[str]) -> "dict[str, WorkflowStatus]":
        """The executions of these runs by run; a run without one is left out."""
        if not run_ids:
            return {}
        return {flow.workflow_id: flow for flow in await self.listed(workflow_ids=list(run_ids))}

    async def listed(self, **conditions: Any) -> "list[WorkflowStatus]":
        """The executions that meet the engine's `conditions`, without what went in and came out."""
        await self.open()
        listing = partial(self.client.list_workflows, load_input=False, load_output=False, **conditions)
        return await anyio.to_thread.run_sync(listing)

    async def rewind(self, flow: "WorkflowStatus") -> None:
        """Queue a stopped run under this version, also when its last process still writes how it ended."""
        again = partial(
            self.client.rewind_workflow,
            flow.workflow_id,
            application_version=self.version,
            queue_name=QUEUE,
            queue_partition_key=flow.queue_partition_key,
        )
        from dbos import error as engine_errors  # loaded by now

        for _ in range(MOST_REWINDS):
            try:
                await anyio.to_thread.run_sync(again)
            except engine_errors.DBOSException:
                changed = (await self.of_runs([flow.workflow_id])).get(flow.workflow_id)
                if changed is None or changed.app_version == self.version:
                    return  # it was deleted, or it is queued already
                await anyio.sleep(POLL_SECONDS)
            else:
                return
        log.warning("run %s kept changing while it was adopted; the next round tries again", flow.workflow_id)

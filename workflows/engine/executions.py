"""Execution records of the durable engine: list, stop, requeue and delete."""

import logging
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

if TYPE_CHECKING:
    # The engine takes half a second to load, which commands that start no run should not pay for.
    from dbos import DBOSClient, WorkflowStatus

from storage.database import Database
from storage.presence import ENGINE_MIGRATION

log = logging.getLogger(__name__)
LEVEL = "ERROR"
# DBOS logs a hundred migrations, which push setup output off a new user's screen.
logging.getLogger("dbos").setLevel(LEVEL)

QUEUE, APP = "runs", "seenby"
LOOKS = "monitors"
ENDED = {
    "ERROR": "failed",
    "SUCCESS": "failed",
    "MAX_RECOVERY_ATTEMPTS_EXCEEDED": "failed",
    "CANCELLED": "cancelled",
}
"""Status of a live run in our tables after its execution has ended with this engine status."""
UNFINISHED = ("ENQUEUED", "PENDING")
POLL_SECONDS = 0.2
LOOK_SECONDS = 1.0
"""How often a process that has not loaded the engine polls for queued work."""
FORGOTTEN_AT_ONCE = 500
MOST_REWINDS = 10


class Executions:
    """Executions of runs and monitor checks in one database, of this `version` and of others."""

    def __init__(self, database: Database, version: str | None = None) -> None:
        """`version` is the installed release unless said otherwise."""
        self._database = database
        self._version = version
        self._opening = anyio.Lock()
        self._client: DBOSClient | None = None
        self._opened = anyio.Event()

    @property
    def version(self) -> str:
        """The application version of the durable engine: processes claim runs of their own version alone."""
        if self._version is None:
            from importlib.metadata import version  # loads a parser of e-mail

            self._version = version(APP)
        return self._version

    async def open(self) -> None:
        """Migrate the engine's own tables and connect, once. Processes that start together wait for each other.

        Do not call it inside a transaction, which would block the engine's access to its tables.
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
        """Wait until there is something to execute: this process connects to queue work, or the database has some.

        The engine takes 16 MB and a second to load, which a server that executes nothing saves.
        """
        while not (self._opened.is_set() or await self._database.operators.runs.is_engine_needed()):
            with anyio.move_on_after(LOOK_SECONDS):
                await self._opened.wait()

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await anyio.to_thread.run_sync(self._client.destroy)

    @property
    def client(self) -> "DBOSClient":
        """The connected client."""
        assert self._client is not None, "open the engine first"
        return self._client

    async def stop(self, run_ids: Sequence[str]) -> None:
        """Stop the execution of runs that are closed in our tables."""
        await self.open()
        await anyio.to_thread.run_sync(self.client.cancel_workflows, list(run_ids))

    async def forget(self, made_before: datetime) -> int:
        """Delete the records of ended executions created before an instant, and return how many were deleted."""
        if not await self._database.operators.runs.has_executions_before(made_before):
            return 0  # without loading the engine
        deleted = 0
        while flows := await self.listed(
            status=list(ENDED), end_time=made_before.isoformat(), limit=FORGOTTEN_AT_ONCE
        ):
            ended = [flow.workflow_id for flow in flows]
            await anyio.to_thread.run_sync(self.client.delete_workflows, ended)
            deleted += len(ended)
        return deleted

    async def of_runs(self, run_ids: Sequence[str]) -> "dict[str, WorkflowStatus]":
        """Return the executions of these runs by run id. Runs without one are left out."""
        if not run_ids:
            return {}
        return {flow.workflow_id: flow for flow in await self.listed(workflow_ids=list(run_ids))}

    async def listed(self, **conditions: Any) -> "list[WorkflowStatus]":
        """Return the executions that match the engine's `conditions`, without input and output."""
        await self.open()
        listing = partial(self.client.list_workflows, load_input=False, load_output=False, **conditions)
        return await anyio.to_thread.run_sync(listing)

    async def rewind(self, flow: "WorkflowStatus") -> None:
        """Requeue a stopped run under this version, even while its last process is still recording its end."""
        again = partial(
            self.client.rewind_workflow,
            flow.workflow_id,
            application_version=self.version,
            queue_name=QUEUE,
            queue_partition_key=flow.queue_partition_key,
        )
        from dbos import error as engine_errors  # already loaded

        for _ in range(MOST_REWINDS):
            try:
                await anyio.to_thread.run_sync(again)
            except engine_errors.DBOSException:
                changed = (await self.of_runs([flow.workflow_id])).get(flow.workflow_id)
                if changed is None or changed.app_version == self.version:
                    return  # it was deleted, or is already queued
                await anyio.sleep(POLL_SECONDS)
            else:
                return
        log.warning("run %s kept changing while it was adopted; the next round tries again", flow.workflow_id)

"""The tasks extension: a started run is a task of clients that support it; the task's id is the run's.

A run is durable before its id is returned, so a task is never unknown to the client that created it. Clients without
the extension, and all handshake versions, poll get_run_status instead.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias, cast

from mcp import MCPError
from mcp_types import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
)
from pydantic_core import from_json
from starlette.requests import HTTPConnection

from oauth.principal import Caller
from server.mcp.results import result_model
from server.mcp.server import Context, TaskParams
from server.mcp.versions import TASKS_EXTENSION, is_handshake_version
from tools.calls.dispatch import Dispatcher, Refusal, Success
from tools.calls.errors import Cause

TASK_TOOLS: Final = frozenset({"run_workflow", "run_prompt_set", "run_reusable_agent"})
POLL_MILLISECONDS: Final = 5_000
_ACKNOWLEDGED: Final = {"resultType": "complete"}
_STATUS: Final[Mapping[str, str]] = {
    "pending": "working",
    "running": "working",
    "completed": "completed",
    "partial_complete": "completed",
    "failed": "completed",
    "cancelled": "cancelled",
}
"""A run that failed is a completed task whose result is an error: `failed` is for errors of the protocol."""


TaskMethod: TypeAlias = Callable[[TaskParams, Caller, Context], Awaitable[dict[str, Any]]]


class TaskRefused(MCPError):
    """The error outcome of a tool call behind a method of the extension."""

    def __init__(self, refusal: Refusal) -> None:
        unknown = refusal.cause is Cause.NOT_FOUND
        super().__init__(INVALID_PARAMS, "Task not found" if unknown else refusal.message)
        self.refusal = refusal


class RunTasks:
    """Runs as tasks."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher

    async def created(self, outcome: Success, caller: Caller, ctx: Context) -> dict[str, Any] | None:
        """Return the task that a call started, or None for a client that takes the result itself."""
        if outcome.tool not in TASK_TOOLS or not _declares_tasks(ctx):
            return None
        run = from_json(outcome.body)
        if run["runId"] is None or _STATUS[run["status"]] != "working":
            return None
        try:
            read = await self._read(run["runId"], caller)
        except TaskRefused:
            return None  # the run has started, and its id must reach the client
        return {**_task(from_json(read.body)), "resultType": "task"}

    async def get(self, params: TaskParams, caller: Caller, ctx: Context) -> dict[str, Any]:
        """Return the state of a task, with the result of get_run_status once it has ended."""
        _check(params, ctx)
        read = await self._read(params.task_id, caller)
        run = from_json(read.body)
        task = {**_task(run), **_ACKNOWLEDGED}
        if task["status"] != "completed":
            return task
        result = result_model(read, None, ctx.protocol_version)
        result = result.model_copy(update={"is_error": run["status"] == "failed"})
        return {**task, "result": result.model_dump(by_alias=True, exclude_none=True, mode="json")}

    async def cancel(self, params: TaskParams, caller: Caller, ctx: Context) -> dict[str, Any]:
        """Cancel a task; one that has ended stays as it is."""
        _check(params, ctx)
        outcome = await self._dispatcher.call("cancel_workflow_run", {"runId": params.task_id}, caller)
        if isinstance(outcome, Refusal) and outcome.cause is not Cause.REFUSED:
            raise TaskRefused(outcome)
        return _ACKNOWLEDGED

    async def update(self, params: TaskParams, caller: Caller, ctx: Context) -> dict[str, Any]:
        """Acknowledge answers; no task asks a question."""
        _check(params, ctx)
        await self._read(params.task_id, caller)
        return _ACKNOWLEDGED

    async def _read(self, run_id: str, caller: Caller) -> Success:
        outcome = await self._dispatcher.call("get_run_status", {"runId": run_id}, caller)
        if isinstance(outcome, Refusal):
            raise TaskRefused(outcome)
        return outcome


def _task(run: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "taskId": run["runId"],
        "status": _STATUS[run["status"]],
        "createdAt": run["createdAt"],
        "lastUpdatedAt": run["finishedAt"] or run["startedAt"] or run["createdAt"],
        "ttlMs": None,
        "pollIntervalMs": POLL_MILLISECONDS,
    }


def _declares_tasks(ctx: Context) -> bool:
    capabilities = ctx.session.client_capabilities
    return (
        not is_handshake_version(ctx.protocol_version)
        and capabilities is not None
        and TASKS_EXTENSION in (capabilities.extensions or {})
    )


def _check(params: TaskParams, ctx: Context) -> None:
    """Check version, extension and routing header of a request about a task. Raises MCPError."""
    if is_handshake_version(ctx.protocol_version):
        raise MCPError(METHOD_NOT_FOUND, "Method not found", ctx.method)
    if not _declares_tasks(ctx):
        required: dict[str, Any] = {"requiredCapabilities": {"extensions": {TASKS_EXTENSION: {}}}}
        raise MCPError(
            MISSING_REQUIRED_CLIENT_CAPABILITY, f"Declare the extension {TASKS_EXTENSION}", required
        )
    request = cast(object, ctx.request)
    if isinstance(request, HTTPConnection) and request.headers.get("mcp-name") != params.task_id:
        raise MCPError(HEADER_MISMATCH, "The header Mcp-Name must be the taskId")

"""What the methods of MCP do when the service is open: the tools' list, calls through dispatch, documents."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict, cast

from mcp import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    TextResourceContents,
)
from starlette.requests import HTTPConnection

from oauth.challenges import Challenges
from oauth.principal import Caller
from server.mcp.arguments import normalized
from server.mcp.chart_views import ChartViews, chart_uri
from server.mcp.measurement_method import measurement_method
from server.mcp.prompts import filled_prompt, listed_prompts
from server.mcp.resources import ResourceContent, ResourceLibrary, ResourceProvider, tools_guide
from server.mcp.results import result_challenge, result_model
from server.mcp.server import Context, TaskParams
from server.mcp.tasks import RunTasks, TaskMethod, TaskRefused
from server.mcp.versions import is_handshake_version
from server.mcp.workspace_resources import MOST_SUGGESTIONS, TEMPLATES, WorkspaceResources, may_read
from tools.calls.dispatch import Dispatcher, Refusal, Success
from tools.calls.errors import Cause, UnknownTool
from tools.calls.table import ToolTable


class EdgeState(TypedDict):
    """What the edge hands to a handler through `scope["state"]`, and what it finds there afterwards."""

    caller: Caller
    endpoint: str
    refusal: Refusal | None


SET_THE_KEY = (
    "Set SEENBY_API_KEY in the client's configuration of this server to a key of `seenby keys create`."
)
"""What helps a client over stdio, which can neither sign in nor send a header."""
IDEMPOTENCY_KEY = "seenby/idempotencyKey"
IDEMPOTENCY_HEADER = "Idempotency-Key"
LONGEST_IDEMPOTENCY_KEY = 200
RESOURCE_NOT_FOUND = -32002
"""The code of the handshake versions, which 2026-07-28 replaced."""


def _idempotency_key(ctx: Context, params: CallToolRequestParams) -> str | None:
    """The key under which a client may repeat a write: of the call, or else the header of its request."""
    place, key = f"_meta[{IDEMPOTENCY_KEY}]", (params.meta or {}).get(IDEMPOTENCY_KEY)
    request = cast(object, ctx.request)
    if key is None and isinstance(request, HTTPConnection):
        place, key = IDEMPOTENCY_HEADER, request.headers.get(IDEMPOTENCY_HEADER)
    if key is None:
        return None
    if not isinstance(key, str) or not 1 <= len(key) <= LONGEST_IDEMPOTENCY_KEY:
        bounds = f"a string of 1 to {LONGEST_IDEMPOTENCY_KEY} characters"
        raise MCPError(INVALID_PARAMS, f"{place} must be {bounds}")
    return key


class ServiceHandlers:
    """The handlers of a service that is open; `local_caller` is who calls when there is no HTTP request."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        library: ResourceLibrary,
        challenges: Challenges,
        local_caller: Caller | None = None,
    ) -> None:
        self._dispatcher = dispatcher
        self._tools = [
            row.wire_tool(oauth=challenges.oauth, chart=chart_uri()) for row in dispatcher.table.values()
        ]
        self._library = library
        self._challenges = challenges
        self._local_caller = local_caller
        self._workspace = WorkspaceResources(dispatcher)
        self._tasks = RunTasks(dispatcher)

    def input_schema(self, tool: str) -> dict[str, Any] | None:
        """Return the JSON Schema of a tool's arguments, if there is such a tool."""
        row = self._dispatcher.table.get(tool)
        return None if row is None else row.input_schema

    async def list_tools(self, ctx: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        """Answer tools/list."""
        _refuse_cursor(params)
        return ListToolsResult(tools=self._tools)

    async def call_tool(self, ctx: Context, params: CallToolRequestParams) -> CallToolResult | dict[str, Any]:
        """Answer tools/call."""
        state, caller = _edge_state(ctx), self._caller(ctx)
        try:
            arguments = normalized(self._dispatcher.table, params.name, params.arguments)
            outcome = await self._dispatcher.call(
                params.name, arguments, caller, idempotency_key=_idempotency_key(ctx, params), brief=True
            )
        except UnknownTool as unknown:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {unknown.name}") from None
        if state is None and isinstance(outcome, Refusal) and outcome.cause is Cause.AUTHENTICATION_REQUIRED:
            outcome = replace(outcome, hint=SET_THE_KEY)
        if isinstance(outcome, Success) and (task := await self._tasks.created(outcome, caller, ctx)):
            return task
        challenge = None
        if state is not None and isinstance(outcome, Refusal):
            state["refusal"] = outcome
            challenge = result_challenge(outcome, self._challenges, state["endpoint"])
        return result_model(outcome, challenge, ctx.protocol_version)

    def task_methods(self) -> Mapping[str, Callable[[Context, TaskParams], Awaitable[dict[str, Any]]]]:
        """Return what answers each method of the tasks extension."""
        tasks = self._tasks
        methods = {"tasks/get": tasks.get, "tasks/cancel": tasks.cancel, "tasks/update": tasks.update}
        return {method: self._about_a_task(answer) for method, answer in methods.items()}

    def _about_a_task(self, answer: TaskMethod) -> Callable[[Context, TaskParams], Awaitable[dict[str, Any]]]:
        async def answered(ctx: Context, params: TaskParams) -> dict[str, Any]:
            try:
                return await answer(params, self._caller(ctx), ctx)
            except TaskRefused as refused:
                if (state := _edge_state(ctx)) is not None:
                    state["refusal"] = refused.refusal
                raise

        return answered

    async def list_prompts(self, ctx: Context, params: PaginatedRequestParams | None) -> ListPromptsResult:
        """Answer prompts/list."""
        _refuse_cursor(params)
        return ListPromptsResult(prompts=listed_prompts())

    async def get_prompt(self, ctx: Context, params: GetPromptRequestParams) -> GetPromptResult:
        """Answer prompts/get."""
        return filled_prompt(params.name, params.arguments or {})

    async def complete(self, ctx: Context, params: CompleteRequestParams) -> CompleteResult:
        """Answer completion/complete; who sees no workspace is suggested nothing."""
        suggestions = await self._workspace.suggestions(
            params.argument.name, params.argument.value, self._caller(ctx)
        )
        shown = suggestions[:MOST_SUGGESTIONS]
        return CompleteResult(
            completion=Completion(
                values=shown, total=len(suggestions), has_more=len(suggestions) > len(shown)
            )
        )

    async def list_resource_templates(
        self, ctx: Context, params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        """Answer resources/templates/list: those of a workspace, for who sees one."""
        _refuse_cursor(params)
        templates = TEMPLATES if may_read(self._caller(ctx)) else ()
        return ListResourceTemplatesResult(resource_templates=list(templates))

    def _caller(self, ctx: Context) -> Caller:
        """Who sent the request that is being answered."""
        state = _edge_state(ctx)
        caller = state["caller"] if state else self._local_caller
        if caller is None:
            raise RuntimeError("a request without HTTP needs a local caller")
        return caller

    async def list_resources(
        self, ctx: Context, params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        """Answer resources/list."""
        _refuse_cursor(params)
        entries = [*await self._library.entries(), *await self._workspace.entries(self._caller(ctx))]
        return ListResourcesResult(
            resources=[
                Resource(
                    uri=entry.uri,
                    name=entry.name,
                    title=entry.title,
                    description=entry.description,
                    mime_type=entry.mime_type,
                    _meta=entry.meta,
                )
                for entry in entries
            ]
        )

    async def read_resource(self, ctx: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """Answer resources/read."""
        uri = str(params.uri)
        document = await self._library.read(uri)
        if document is None:
            document = await self._workspace.read(uri, self._caller(ctx))
        if document is None:
            handshake = is_handshake_version(ctx.protocol_version)
            code = RESOURCE_NOT_FOUND if handshake else INVALID_PARAMS
            raise MCPError(code, "Resource not found", {"uri": uri})
        content = document if isinstance(document, ResourceContent) else ResourceContent(document)
        return ReadResourceResult(
            contents=[
                TextResourceContents(
                    uri=uri, mime_type=content.mime_type, text=content.text, _meta=content.meta
                )
            ]
        )


def local_handlers(
    dispatcher: Dispatcher, caller: Caller, resources: Sequence[ResourceProvider] = ()
) -> ServiceHandlers:
    """Return the handlers for one local client, in whose name every call is made."""
    return ServiceHandlers(
        dispatcher, library(dispatcher.table, resources), Challenges("", oauth=False), caller
    )


def library(table: ToolTable, resources: Sequence[ResourceProvider]) -> ResourceLibrary:
    """Return the measurement method and the guide to the tools, then what other parts declare."""
    return ResourceLibrary([measurement_method(), tools_guide(table), ChartViews(), *resources])


def _refuse_cursor(params: PaginatedRequestParams | None) -> None:
    if params is not None and params.cursor is not None:
        raise MCPError(INVALID_PARAMS, "Invalid cursor")


def _edge_state(ctx: Context) -> EdgeState | None:
    request = cast(object, ctx.request)
    return cast(EdgeState, request.scope["state"]) if isinstance(request, HTTPConnection) else None

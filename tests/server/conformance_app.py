"""The fixture tools, resources and prompts that the public conformance suite calls, served by our own factory.

Started as `python conformance_app.py <file descriptor of a listening socket>`.
"""

import hashlib
import hmac
import json
import re
import socket
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from mcp import MCPError
from mcp.server import ServerRequestContext
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    CompleteRequestParams,
    CompleteResult,
    EmptyResult,
    GetPromptRequestParams,
    GetPromptResult,
    InputRequiredResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    RequestParams,
    SubscribeRequestParams,
    UnsubscribeRequestParams,
)

from oauth.principal import Principal
from server.app import Public, create_app
from server.serving import OPTIONS
from storage.workspace import Workspace
from tools.calls.dispatch import Dispatcher
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.calls.table import ToolTable

Context = ServerRequestContext[Any, Any]
ToolOutcome = CallToolResult | InputRequiredResult
ToolFunction = Callable[[Context, CallToolRequestParams], Awaitable[ToolOutcome]]

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SIGNING_KEY = b"only for these tests"
TOOLS: dict[str, tuple[dict[str, Any], ToolFunction]] = {}

IMAGE = {"type": "image", "data": PNG, "mimeType": "image/png"}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def embedded(uri: str, mime_type: str, words: str) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime_type, "text": words}}


def complete(*content: dict[str, Any], is_error: bool = False) -> CallToolResult:
    return CallToolResult.model_validate({"content": content, "isError": is_error}, by_name=False)


def tool(**schema: Any) -> Callable[[ToolFunction], ToolFunction]:
    def register(function: ToolFunction) -> ToolFunction:
        TOOLS[function.__name__] = ({"type": "object", "properties": {}, **schema}, function)
        return function

    return register


def static(name: str, *content: dict[str, Any], is_error: bool = False) -> None:
    async def answer(ctx: Context, params: CallToolRequestParams) -> CallToolResult:
        return complete(*content, is_error=is_error)

    TOOLS[name] = ({"type": "object", "properties": {}}, answer)


static("test_simple_text", text("This is a simple text response for testing."))
static("test_image_content", IMAGE)
static("test_audio_content", {"type": "audio", "data": WAV, "mimeType": "audio/wav"})
static(
    "test_embedded_resource",
    embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
)
static(
    "test_multiple_content_types",
    text("Multiple content types test:"),
    IMAGE,
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
)
static("test_error_handling", text("This tool intentionally returns an error for testing"), is_error=True)
static("test_logging_tool", text("Nothing was logged."))
static("test_streaming_elicitation", text("Nothing was streamed."))
static("json_schema_2020_12_tool", text("ok"))
TOOLS["json_schema_2020_12_tool"] = (
    {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": False,
    },
    TOOLS["json_schema_2020_12_tool"][1],
)


@tool(properties={"region": {"type": "string", "x-mcp-header": "Region"}})
async def test_x_mcp_header(ctx: Context, params: CallToolRequestParams) -> ToolOutcome:
    return complete(text(json.dumps(params.arguments)))


@tool()
async def test_tool_with_logging(ctx: Context, params: CallToolRequestParams) -> ToolOutcome:
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.session.send_log_message(  # pyright: ignore[reportDeprecated] - the suite asks for it
            "info", words, related_request_id=ctx.request_id
        )
    return complete(text("Logged three times."))


@tool()
async def test_tool_with_progress(ctx: Context, params: CallToolRequestParams) -> ToolOutcome:
    for progress in (0, 50, 100):
        await ctx.session.report_progress(progress, 100)
    return complete(text("Reported three times."))


def asks_the_client(name: str) -> None:
    """A tool that needs a way back to the client, which a stateless JSON endpoint has not."""

    async def answer(ctx: Context, params: CallToolRequestParams) -> CallToolResult:
        words = "The client cannot be asked: this endpoint offers no stream back to it."
        return complete(text(words), is_error=True)

    TOOLS[name] = ({"type": "object", "properties": {}}, answer)


for asking in (
    "test_sampling",
    "test_elicitation",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
):
    asks_the_client(asking)


def object_of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def elicit(message: str, **properties: Any) -> dict[str, Any]:
    asked = {"mode": "form", "message": message, "requestedSchema": object_of(**properties)}
    return {"method": "elicitation/create", "params": asked}


def sample(question: str, tokens: int) -> dict[str, Any]:
    asked = {"messages": [{"role": "user", "content": text(question)}], "maxTokens": tokens}
    return {"method": "sampling/createMessage", "params": asked}


ROOTS: dict[str, Any] = {"method": "roots/list", "params": {}}
NAME = elicit("What is your name?", name={"type": "string"})


def ask(requests: dict[str, Any], state: str | None = None) -> InputRequiredResult:
    asked: dict[str, Any] = {"inputRequests": requests}
    if state is not None:
        asked["requestState"] = signed(state)
    return InputRequiredResult.model_validate(asked, by_name=False)


def signed(state: str) -> str:
    return f"{state}.{hmac.new(SIGNING_KEY, state.encode(), hashlib.sha256).hexdigest()}"


def opened(state: str | None) -> str:
    """The state of ours that a client returns. Raises MCPError for one that we did not sign."""
    plain = (state or "").rpartition(".")[0]
    if state is None or not hmac.compare_digest(signed(plain), state):
        raise MCPError(-32602, "Invalid request state")
    return plain


def responses_of(params: CallToolRequestParams | GetPromptRequestParams) -> dict[str, Any]:
    dumped = params.model_dump(by_alias=True, mode="json", exclude_none=True)
    return dumped.get("inputResponses", {})


def rounds(name: str, requests: dict[str, Any], *, state: str | None = None, done: str = "Done.") -> None:
    """A tool that asks once, and asks again until everything it asked for is there."""

    async def answer(ctx: Context, params: CallToolRequestParams) -> ToolOutcome:
        responses = responses_of(params)
        if state is not None and params.request_state is not None:
            opened(params.request_state)
        if not requests.keys() <= responses.keys():
            return ask(requests, state)
        return complete(text(f"{done} {json.dumps(responses)}"))

    TOOLS[name] = ({"type": "object", "properties": {}}, answer)


OK = {"ok": {"type": "boolean"}}
rounds("test_input_required_result_elicitation", {"user_name": NAME}, done="Hello,")
rounds(
    "test_input_required_result_sampling", {"capital_question": sample("What is the capital of France?", 100)}
)
rounds("test_input_required_result_list_roots", {"client_roots": ROOTS})
rounds(
    "test_input_required_result_request_state",
    {"confirm": elicit("Please confirm", **OK)},
    state="confirming",
    done="state-ok",
)
rounds(
    "test_input_required_result_multiple_inputs",
    {"user_name": NAME, "greeting": sample("Generate a greeting", 50), "client_roots": ROOTS},
    state="several",
)
rounds(
    "test_input_required_result_tampered_state", {"confirm": elicit("Please confirm", **OK)}, state="guarded"
)


@tool()
async def test_input_required_result_multi_round(ctx: Context, params: CallToolRequestParams) -> ToolOutcome:
    if params.request_state is None:
        return ask({"step1": elicit("Step 1: What is your name?", name={"type": "string"})}, "round-1")
    if opened(params.request_state) == "round-1":
        return ask(
            {"step2": elicit("Step 2: What is your favorite color?", color={"type": "string"})}, "round-2"
        )
    return complete(text("All rounds done."))


@tool()
async def test_input_required_result_capabilities(ctx: Context, params: CallToolRequestParams) -> ToolOutcome:
    declared: Any = dict(ctx.meta or {}).get(CAPABILITIES) or {}
    possible = {"sampling": sample("Say hello", 20), "elicitation": NAME, "roots": ROOTS}
    return ask({key: request for key, request in possible.items() if key in declared})


@tool()
async def test_missing_capability(ctx: Context, params: CallToolRequestParams) -> ToolOutcome:
    required: dict[str, Any] = {"requiredCapabilities": {"sampling": {}}}
    raise MCPError(-32021, "Missing required client capability", required)


def input_schema(name: str) -> dict[str, Any] | None:
    return TOOLS[name][0] if name in TOOLS else None


async def list_tools(ctx: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
    listed = [
        {"name": name, "description": f"Fixture {name}.", "inputSchema": schema}
        for name, (schema, _) in TOOLS.items()
    ]
    return ListToolsResult.model_validate({"tools": listed}, by_name=False)


async def call_tool(ctx: Context, params: CallToolRequestParams) -> ToolOutcome:
    if params.name not in TOOLS:
        raise MCPError(-32602, f"Unknown tool: {params.name}")
    return await TOOLS[params.name][1](ctx, params)


RESOURCES = {
    "test://static-text": ("text/plain", "text", "This is the content of the static text resource."),
    "test://static-binary": ("image/png", "blob", PNG),
    "test://watched-resource": ("text/plain", "text", "Watched."),
}


async def list_resources(ctx: Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
    listed = [
        {"uri": uri, "name": uri, "description": "A fixture.", "mimeType": kind}
        for uri, (kind, _, _) in RESOURCES.items()
    ]
    return ListResourcesResult.model_validate({"resources": listed}, by_name=False)


async def list_templates(ctx: Context, params: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
    template = {
        "uriTemplate": "test://template/{id}/data",
        "name": "template",
        "mimeType": "application/json",
    }
    return ListResourceTemplatesResult.model_validate({"resourceTemplates": [template]}, by_name=False)


async def read_resource(ctx: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
    uri = str(params.uri)
    filled = re.fullmatch(r"test://template/([^/]+)/data", uri)
    if filled:
        data = {"id": filled[1], "templateTest": True, "data": f"Data for ID: {filled[1]}"}
        kind, member, content = "application/json", "text", json.dumps(data)
    elif uri in RESOURCES:
        kind, member, content = RESOURCES[uri]
    else:
        raise MCPError(-32602, "Resource not found", {"uri": uri})
    contents = [{"uri": uri, "mimeType": kind, member: content}]
    return ReadResourceResult.model_validate({"contents": contents}, by_name=False)


async def subscribe(ctx: Context, params: SubscribeRequestParams) -> EmptyResult:
    return EmptyResult()


async def unsubscribe(ctx: Context, params: UnsubscribeRequestParams) -> EmptyResult:
    return EmptyResult()


PROMPTS: dict[str, tuple[str, ...]] = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
    "test_input_required_result_prompt": (),
}


async def list_prompts(ctx: Context, params: PaginatedRequestParams | None) -> ListPromptsResult:
    listed = [
        {
            "name": name,
            "description": f"Fixture {name}.",
            "arguments": [{"name": argument, "required": True} for argument in arguments],
        }
        for name, arguments in PROMPTS.items()
    ]
    return ListPromptsResult.model_validate({"prompts": listed}, by_name=False)


async def get_prompt(ctx: Context, params: GetPromptRequestParams) -> GetPromptResult | InputRequiredResult:
    arguments = params.arguments or {}
    if params.name == "test_input_required_result_prompt" and "user_context" not in responses_of(params):
        return ask(
            {"user_context": elicit("What context should the prompt use?", context={"type": "string"})}
        )
    contents = {
        "test_simple_prompt": [text("This is a simple prompt for testing.")],
        "test_prompt_with_arguments": [
            text(f"Prompt with arguments: arg1='{arguments.get('arg1')}', arg2='{arguments.get('arg2')}'")
        ],
        "test_prompt_with_embedded_resource": [
            embedded(
                arguments.get("resourceUri", ""), "text/plain", "Embedded resource content for testing."
            ),
            text("Please process the embedded resource above."),
        ],
        "test_prompt_with_image": [IMAGE, text("Please analyze the image above.")],
        "test_input_required_result_prompt": [text("With your context.")],
    }
    messages = [{"role": "user", "content": content} for content in contents[params.name]]
    return GetPromptResult.model_validate({"messages": messages}, by_name=False)


async def finish_words(ctx: Context, params: CompleteRequestParams) -> CompleteResult:
    completion = {"values": ["paris", "park", "party"], "total": 3, "hasMore": False}
    return CompleteResult.model_validate({"completion": completion}, by_name=False)


async def set_level(ctx: Context, params: RequestParams) -> EmptyResult:
    return EmptyResult()


class Nobody:
    async def authenticate(self, authorization: str | None) -> Principal | None:
        return None


@asynccontextmanager
async def open_nothing(principal: Principal, writing: bool) -> AsyncGenerator[Workspace]:
    raise AssertionError("these tools look nothing up")
    yield


def main() -> None:
    listener = socket.socket(fileno=int(sys.argv[1]))
    app = create_app(
        Public("http://seenby.test"),
        dispatcher=Dispatcher(ToolTable([]), RateLimits(MemoryWindows()), open_nothing),
        authenticator=Nobody(),
        extra_handlers={
            "get_tool_input_schema": input_schema,
            "on_list_tools": list_tools,
            "on_call_tool": call_tool,
            "on_list_resources": list_resources,
            "on_list_resource_templates": list_templates,
            "on_read_resource": read_resource,
            "on_subscribe_resource": subscribe,
            "on_unsubscribe_resource": unsubscribe,
            "on_list_prompts": list_prompts,
            "on_get_prompt": get_prompt,
            "on_completion": finish_words,
            "on_set_logging_level": set_level,
        },
    )
    uvicorn.Server(uvicorn.Config(app, **OPTIONS)).run(sockets=[listener])


if __name__ == "__main__":
    main()

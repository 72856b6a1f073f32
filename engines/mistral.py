"""Queries Mistral's models through the Conversations API, whose web search is a tool of the service.

Source: types of the official Python SDK 3.7; Mistral documentation, Conversations and web search.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engines.citations import CitedSource, numbered, status_of
from engines.engine import EngineAnswer, Exchange, Mode, Question, Retrieval, Usage
from engines.transport import body
from engines.transport.body import JsonObject
from engines.transport.exchanges import elapsed_ms
from engines.transport.http import Adapter, HttpConfig, Request
from engines.transport.refusals import reported

PARSER = "mistral-conversations/1"
SEARCH_TOOL = "web_search"
PATH = "/v1/conversations"


def adapter(search_tool: str = SEARCH_TOOL) -> Adapter:
    """Return the adapter for one of the two search tools."""

    def build(question: Question, config: HttpConfig) -> Request:
        return Request(PATH, request_body(question, config.model, search_tool))

    return Adapter(build=build, parse=parse)


def request_body(question: Question, model: str, search_tool: str) -> JsonObject:
    """Return the request body. A search cannot be forced, and there is no location field."""
    options: dict[str, object] = {"max_tokens": question.max_output_tokens}
    if question.temperature is not None:
        options["temperature"] = question.temperature
    sent: dict[str, object] = {
        "model": model,
        "inputs": question.text,
        "stream": False,
        "store": False,
        "completion_args": options,
    }
    if question.mode is Mode.READINESS:
        sent["tools"] = [{"type": search_tool}]
    return sent


@dataclass(frozen=True, slots=True)
class _Reply:
    text: str
    cited: tuple[CitedSource, ...]
    resolved: bool
    """False if a reference does not name its page."""
    model: str | None


def parse(question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
    """Return the answer in a conversation. Raises EngineError for a failure inside it or an unknown shape.

    References are inline in the text and have no offsets; the position of a reference is its place.
    """
    document = body.decode(exchanges[-1].body)
    if document.get("object") == "error":
        raise reported(body.string(document, "message"))
    if not isinstance(document.get("outputs"), list):
        raise body.malformed("outputs is missing")
    outputs = body.children(document, "outputs")
    reply = _reply(outputs)
    retrieval = _retrieval(question, outputs, bool(reply.cited))
    usage = body.child(document, "usage") or {}
    return EngineAnswer(
        status=status_of(question.mode, reply.text, retrieval, refused=False),
        text=reply.text,
        truncated=False,
        citations=numbered(reply.cited),
        retrieval=retrieval,
        requested_model=body.string(body.decode(exchanges[-1].request_body), "model") or "",
        served_model=reply.model,
        usage=Usage(
            body.whole(usage, "prompt_tokens"),
            body.whole(usage, "completion_tokens"),
            retrieval.searches,
        ),
        latency_ms=elapsed_ms(exchanges),
        attempts=len(exchanges),
        exchanges=tuple(exchanges),
        parser=PARSER,
        citations_resolved=reply.resolved,
    )


def _reply(outputs: Sequence[JsonObject]) -> _Reply:
    text, cited, resolved, model = "", list[CitedSource](), True, None
    for output in outputs:
        if output.get("type") != "message.output":
            continue
        model = body.string(output, "model") or model
        if isinstance(output.get("content"), str):
            text += body.required(output, "content")
            continue
        for part in body.children(output, "content"):
            if part.get("type") == "text":
                text += body.required(part, "text")
            elif part.get("type") == "tool_reference":
                url = body.string(part, "url")
                resolved = resolved and bool(url)
                cited += [CitedSource(url, body.string(part, "title"))] if url else []
    return _Reply(text, tuple(cited), resolved, model)


def _retrieval(question: Question, outputs: Sequence[JsonObject], cites: bool) -> Retrieval:
    if question.mode is Mode.VISIBILITY:
        return Retrieval("not_requested")
    calls = [output for output in outputs if output.get("type") == "tool.execution"]
    searches = [call for call in calls if str(call.get("name")).startswith("web_search")]
    queries = tuple(query for call in searches if (query := _query(call)) is not None)
    return Retrieval("searched" if searches or cites else "not_searched", queries, len(searches))


def _query(call: JsonObject) -> str | None:
    """Return the search query. The arguments are JSON inside a string; malformed ones never fail the answer."""
    arguments = body.string(call, "arguments") or ""
    try:
        return body.string(body.decode(arguments.encode()), "query")
    except body.EngineError:
        return None

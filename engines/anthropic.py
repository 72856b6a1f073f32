"""Queries Claude through the Anthropic Messages API.

Source: Anthropic API reference, Messages and the web search tool; types of the official Python SDK 2.11.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engines.citations import CitedSource, numbered, status_of
from engines.engine import EngineAnswer, Exchange, Mode, Question, Retrieval, Usage
from engines.errors import EngineErrorCode
from engines.locale import PLACE_OF_SEARCH, place
from engines.transport import body
from engines.transport.body import JsonObject
from engines.transport.exchanges import elapsed_ms
from engines.transport.http import Adapter, HttpConfig, Request
from engines.transport.refusals import reported

PARSER = "anthropic-messages/1"
SEARCH_TOOL = "web_search_20250305"
CALLS_DIRECTLY_UNTIL = "web_search_20260209"
"""From this version on, results would arrive inside code execution unless direct calls are requested."""
SEARCHES = frozenset({"web_search", "deepseek_web_search"})
"""Names of the search tool: Anthropic's, and that of DeepSeek, which answers in the same format."""
RESULTS = frozenset({"web_search_tool_result", "deepseek_web_search_tool_result"})
MAX_SEARCHES = 5
MAX_TURNS = 3
PATH = "/v1/messages"
HEADERS = {"anthropic-version": "2026-10-21"}
FAILURES = {
    "rate_limit_error": EngineErrorCode.RATE_LIMITED,
    "overloaded_error": EngineErrorCode.PROVIDER_UNAVAILABLE,
    "api_error": EngineErrorCode.PROVIDER_UNAVAILABLE,
}


def adapter(search_tool: str = SEARCH_TOOL) -> Adapter:
    """Return the adapter for one version of the web search tool, such as `web_search_20250305`."""

    def build(question: Question, config: HttpConfig) -> Request:
        return Request(PATH, request_body(question, config.model, search_tool), HEADERS)

    return Adapter(
        build=build,
        parse=parse,
        follow_up=follow_up,
        key_header="x-api-key",
        key_prefix="",
        locale=PLACE_OF_SEARCH,
    )


def request_body(question: Question, model: str, search_tool: str) -> JsonObject:
    """Return the body of the first request; a grounded one forces a search. This API version takes no temperature."""
    sent: dict[str, object] = {
        "model": model,
        "max_tokens": question.max_output_tokens,
        "messages": [{"role": "user", "content": question.text}],
    }
    if question.mode is Mode.READINESS:
        tool: dict[str, object] = {"type": search_tool, "name": "web_search", "max_uses": MAX_SEARCHES}
        if question.country:
            tool["user_location"] = {"type": "approximate"} | place(question)
        if search_tool >= CALLS_DIRECTLY_UNTIL:
            tool["allowed_callers"] = ["direct"]
        sent["tools"] = [tool]
        sent["tool_choice"] = {"type": "tool", "name": "web_search"}
    return sent


def follow_up(_question: Question, exchanges: Sequence[Exchange]) -> Request | None:
    """Return the request that resumes a paused turn, at most two of them; None when the turn is done.

    It does not force a second search, because the first turn was already forced to search.
    """
    exchange = exchanges[-1]
    document = body.decode(exchange.body)
    if document.get("stop_reason") != "pause_turn" or len(exchanges) >= MAX_TURNS:
        return None
    sent = dict(body.decode(exchange.request_body))
    sent.pop("tool_choice", None)
    spoken = {"role": "assistant", "content": body.children(document, "content")}
    sent["messages"] = [*body.items(sent, "messages"), spoken]
    return Request(PATH, sent, HEADERS)


def parse(question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
    """Return the answer over all turns. Raises EngineError for an error inside it or a turn that is still paused."""
    documents = [_message(exchange) for exchange in exchanges]
    last = documents[-1]
    stop = body.string(last, "stop_reason")
    if stop == "pause_turn":
        raise reported("stop_reason pause_turn after the last turn")
    blocks = [block for document in documents for block in body.children(document, "content")]
    text, cited = _text(blocks)
    searches = _searched(blocks)
    usages = [body.child(document, "usage") or {} for document in documents]
    tools = [body.child(usage, "server_tool_use") or {} for usage in usages]
    retrieval = _retrieval(question, searches)
    return EngineAnswer(
        status=status_of(question.mode, text, retrieval, refused=stop == "refusal"),
        text=text,
        truncated=stop in ("max_tokens", "model_context_window_exceeded"),
        citations=numbered(cited, searches.sources),
        retrieval=retrieval,
        requested_model=body.string(body.decode(exchanges[0].request_body), "model") or "",
        served_model=body.string(last, "model"),
        usage=Usage(
            _total(usages, "input_tokens"),
            _total(usages, "output_tokens"),
            _total(tools, "web_search_requests"),
        ),
        latency_ms=elapsed_ms(exchanges),
        attempts=len(exchanges),
        exchanges=tuple(exchanges),
        parser=PARSER,
    )


@dataclass(frozen=True, slots=True)
class _Searched:
    queries: tuple[str, ...]
    results: int
    failed: int
    sources: tuple[CitedSource, ...]


def _message(exchange: Exchange) -> JsonObject:
    document = body.decode(exchange.body)
    if document.get("type") == "error":
        error = body.child(document, "error") or {}
        code = FAILURES.get(str(error.get("type")), EngineErrorCode.PROVIDER_ERROR)
        raise reported(body.string(error, "message"), code)
    if not isinstance(document.get("content"), list):
        raise body.malformed("content is missing")
    return document


def _text(blocks: Sequence[JsonObject]) -> tuple[str, list[CitedSource]]:
    """Return the joined text blocks and their sources; a citation supports the whole block that contains it."""
    text, cited = "", list[CitedSource]()
    for block in blocks:
        if block.get("type") != "text":
            continue
        piece = body.required(block, "text")
        place = (len(text), len(text) + len(piece)) if piece else None
        for citation in body.children(block, "citations"):
            if citation.get("type") == "web_search_result_location":
                url = body.required(citation, "url")
                cited.append(CitedSource(url, body.string(citation, "title"), place, "segment"))
        text += piece
    return text, cited


def _searched(blocks: Sequence[JsonObject]) -> _Searched:
    queries: list[str] = []
    results = failed = 0
    sources: list[CitedSource] = []
    for block in blocks:
        if block.get("type") == "server_tool_use" and block.get("name") in SEARCHES:
            query = body.string(body.child(block, "input") or {}, "query")
            queries += [query] if query else []
        elif block.get("type") in RESULTS:
            results += 1
            if isinstance(block.get("content"), Mapping):  # an object is an error, a list holds the results
                failed += 1
                continue
            listed = body.children(block, "content")
            sources += [
                CitedSource(body.required(page, "url"), body.string(page, "title")) for page in listed
            ]
    return _Searched(tuple(queries), results, failed, tuple(sources))


def _retrieval(question: Question, searches: _Searched) -> Retrieval:
    if question.mode is Mode.VISIBILITY:
        return Retrieval("not_requested")
    if searches.results == 0:
        return Retrieval("not_searched", searches.queries)
    status = "failed" if searches.failed == searches.results else "searched"
    return Retrieval(status, searches.queries, searches.results)


def _total(parents: Sequence[JsonObject], key: str) -> int | None:
    counts = [count for parent in parents if (count := body.whole(parent, key)) is not None]
    return sum(counts) if counts else None

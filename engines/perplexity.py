"""Queries Perplexity through its Agent API, which answers in the Responses format.

Source: types of the official Python SDK 0.46; Perplexity documentation, Agent API, web search.
"""

from collections.abc import Mapping, Sequence

from engines import responses
from engines.citations import CitedSource, numbered, resolve_marks, status_of
from engines.engine import EngineAnswer, Exchange, LocaleField, Mode, Question, Retrieval, Usage
from engines.locale import place
from engines.transport import body
from engines.transport.body import JsonObject
from engines.transport.exchanges import elapsed_ms
from engines.transport.http import Adapter, HttpConfig, Request

PARSER = "perplexity-agent/2"
PATH = "/v1/responses"
LOCALE: Mapping[Mode, frozenset[LocaleField]] = {
    Mode.VISIBILITY: frozenset({"language"}),
    Mode.READINESS: frozenset({"country", "city", "region", "language"}),
}


def adapter(path: str = PATH) -> Adapter:
    """Return the adapter for a path; the documentation names a second one for the same API."""

    def build(question: Question, config: HttpConfig) -> Request:
        return Request(path, request_body(question, config))

    return Adapter(build=build, parse=parse, locale=LOCALE)


def request_body(question: Question, config: HttpConfig) -> JsonObject:
    """Return the request body. The API can neither force a search nor set a temperature, and rejects unknown fields."""
    sent: dict[str, object] = {
        "model": config.model,
        "input": question.text,
        "max_output_tokens": question.max_output_tokens,
        "store": False,
    }
    if question.mode is Mode.READINESS:
        location = {"user_location": place(question, "country", "city", "region")} if question.country else {}
        sent["tools"] = [{"type": "web_search"} | location]
    if question.language is not None:
        sent["language_preference"] = question.language
    return sent


def parse(question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
    """Return the answer in a response; `[n]` in its text is the search result with id n.

    Every search may number its results from 1 again. An id shared by two URLs resolves no mark, and the
    answer's citations are then reported as unknown.
    """
    exchange = exchanges[-1]
    document = body.decode(exchange.body)
    message = responses.message(document)
    searches = [item for item in body.children(document, "output") if item.get("type") == "search_results"]
    results = [result for item in searches for result in body.children(item, "results")]
    sources = [CitedSource(body.required(result, "url"), body.string(result, "title")) for result in results]
    numbers = [body.whole(result, "id") for result in results]
    in_text = resolve_marks(
        message.text,
        zip(numbers, sources, strict=True),
        {source.place[0] for source in message.cited if source.place},
    )
    usage, invocations = _usage(document)
    queries = tuple(query for item in searches for query in body.strings(item, "queries"))
    retrieval = _retrieval(question, queries, max(len(searches), invocations or 0))
    return EngineAnswer(
        status=status_of(question.mode, message.text, retrieval, refused=message.refused),
        text=message.text,
        truncated=message.truncated,
        citations=numbered(responses.merged(message.cited, in_text.sources), sources),
        retrieval=retrieval,
        requested_model=body.string(body.decode(exchange.request_body), "model") or "",
        served_model=body.string(document, "model"),
        usage=usage,
        latency_ms=elapsed_ms(exchanges),
        attempts=len(exchanges),
        exchanges=tuple(exchanges),
        parser=PARSER,
        citations_resolved=message.resolved and in_text.resolved,
    )


def _retrieval(question: Question, queries: tuple[str, ...], searches: int) -> Retrieval:
    if question.mode is Mode.VISIBILITY:
        return Retrieval("not_requested")
    return Retrieval("searched" if searches else "not_searched", queries, searches)


def _usage(document: JsonObject) -> tuple[Usage, int | None]:
    usage = body.child(document, "usage") or {}
    details = body.child(usage, "tool_calls_details") or {}
    counts = [body.whole(body.child(details, tool) or {}, "invocation") or 0 for tool in details]
    invocations = sum(counts) if details else None
    cost = body.amount(body.child(usage, "cost") or {}, "total_cost")
    tokens = body.whole(usage, "input_tokens"), body.whole(usage, "output_tokens")
    return Usage(*tokens, invocations, cost), invocations

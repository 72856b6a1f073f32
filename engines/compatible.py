"""Asks any OpenAI-compatible chat completions endpoint: Ollama, vLLM, llama.cpp's server, OpenRouter.

Source: OpenAI API reference, chat completions; OpenRouter documentation, web search.
"""

from collections.abc import Sequence

from engines.citations import CitedSource, MarkedSources, numbered, resolve_marks, status_of
from engines.engine import EngineAnswer, Exchange, Mode, Question, Retrieval, Usage
from engines.offsets import locate, marks
from engines.transport import body
from engines.transport.body import JsonObject
from engines.transport.exchanges import elapsed_ms
from engines.transport.http import Adapter, HttpConfig, Request
from engines.transport.refusals import reported, status_code

PARSER = "openai-chat/2"


def build(question: Question, config: HttpConfig) -> Request:
    """The request for one question; grounded asks carry the configured search tool."""
    sent: dict[str, object] = {
        "model": config.model,
        "messages": [{"role": "user", "content": question.text}],
        "max_tokens": question.max_output_tokens,
    }
    if question.temperature is not None:
        sent["temperature"] = question.temperature
    if question.mode is Mode.READINESS and config.search_tool is not None:
        sent["tools"] = [config.search_tool]
    return Request("/chat/completions", {**sent, **config.extra_body})


def parse(question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
    """The answer in a chat completion. Raises EngineError for an error inside it or an unknown shape."""
    exchange = exchanges[-1]
    document = body.decode(exchange.body)
    choice = _choice(document)
    message = body.child(choice, "message")
    if message is None:
        raise body.malformed("message is missing")
    text = _text(message)
    cited, retrieved = _sources(document, message, text)
    retrieval = _retrieval(question, sources=bool(cited.sources or retrieved))
    finish = body.string(choice, "finish_reason")
    refused = finish == "content_filter" or bool(body.string(message, "refusal"))
    return EngineAnswer(
        status=status_of(question.mode, text, retrieval, refused=refused),
        text=text,
        truncated=finish == "length",
        citations=numbered(cited.sources, retrieved),
        retrieval=retrieval,
        requested_model=body.string(body.decode(exchange.request_body), "model") or "",
        served_model=body.string(document, "model"),
        usage=_usage(document),
        latency_ms=elapsed_ms(exchanges),
        attempts=len(exchanges),
        exchanges=tuple(exchanges),
        parser=PARSER,
        citations_resolved=cited.resolved,
    )


ADAPTER = Adapter(build=build, parse=parse)


def _choice(document: JsonObject) -> JsonObject:
    _raise_reported(document)
    choices = body.children(document, "choices")
    if not choices:
        raise body.malformed("choices is missing or empty")
    _raise_reported(choices[0])
    return choices[0]


def _raise_reported(parent: JsonObject) -> None:
    """Raise the error some servers put into a 200 body, as an object with code and message or as a string."""
    error = parent.get("error")
    if error is None:
        return
    if isinstance(error, str):
        raise reported(body.string(parent, "error"))
    inner = body.child(parent, "error") or {}
    status = body.whole(inner, "code")
    message = inner.get("message")
    words = body.storable(message) if isinstance(message, str) else None
    if status is None:
        raise reported(words)
    raise reported(words, status_code(status))


def _text(message: JsonObject) -> str:
    if isinstance(message.get("content"), list):
        parts = body.children(message, "content")
        return "".join(body.string(part, "text") or "" for part in parts if part.get("type") == "text")
    return body.string(message, "content") or ""


def _sources(document: JsonObject, message: JsonObject, text: str) -> tuple[MarkedSources, list[CitedSource]]:
    """Cited and retrieved sources, from whichever of the three known forms the endpoint uses."""
    annotations = [
        citation
        for annotation in body.children(message, "annotations")
        if (citation := body.child(annotation, "url_citation")) is not None
    ]
    if annotations:
        return MarkedSources([_annotated(citation, text) for citation in annotations], resolved=True), []
    listed = _listed(document)
    return resolve_marks(text, enumerate(listed, start=1)), listed


def _annotated(citation: JsonObject, text: str) -> CitedSource:
    url = body.required(citation, "url")
    start, end = body.whole(citation, "start_index"), body.whole(citation, "end_index")
    return CitedSource(
        url, body.string(citation, "title"), locate(text, start, end, "code_points", marks(url)), "marker"
    )


def _listed(document: JsonObject) -> list[CitedSource]:
    results = body.children(document, "search_results")
    if results:
        return [CitedSource(body.required(result, "url"), body.string(result, "title")) for result in results]
    return [CitedSource(url) for url in body.strings(document, "citations")]


def _retrieval(question: Question, *, sources: bool) -> Retrieval:
    """These endpoints do not say that they searched; only sources prove it."""
    if question.mode is Mode.VISIBILITY:
        return Retrieval("not_requested")
    return Retrieval("searched" if sources else "unknown")


def _usage(document: JsonObject) -> Usage:
    usage = body.child(document, "usage") or {}
    return Usage(
        input_tokens=body.whole(usage, "prompt_tokens"),
        output_tokens=body.whole(usage, "completion_tokens"),
        provider_cost_usd=body.amount(usage, "cost"),
    )

"""Asks Grok through the xAI Responses API, which answers as OpenAI's with its own way of listing sources.

Source: xAI API reference, Responses and web search.
"""

from collections.abc import Sequence
from dataclasses import replace

from engines import responses
from engines.citations import CitedSource, numbered, status_of
from engines.engine import EngineAnswer, Exchange, Mode, Question, Retrieval
from engines.transport import body
from engines.transport.http import Adapter, HttpConfig, Request

PARSER = "xai-responses/1"


def build(question: Question, config: HttpConfig) -> Request:
    """The request; a grounded ask forces a search.

    Its REST interface documents no field for a place, only the gRPC one does: none is sent.
    """
    sent: dict[str, object] = {
        "model": config.model,
        "input": [{"role": "user", "content": question.text}],
        "max_output_tokens": question.max_output_tokens,
        "store": False,
    }
    if question.temperature is not None:
        sent["temperature"] = question.temperature
    if question.mode is Mode.READINESS:
        sent["tools"] = [{"type": "web_search"}]
        sent["tool_choice"] = "required"
        sent["include"] = ["web_search_call.action.sources"]
    return Request("/responses", sent)


def parse(question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
    """The answer in a response; the top-level `citations` are what the engine saw, not what it cited."""
    answer = responses.parse(question, exchanges, PARSER)
    document = body.decode(exchanges[-1].body)
    seen = [CitedSource(url) for url in body.strings(document, "citations")]
    retrieved = [CitedSource(source.url) for source in answer.citations if source.kind == "retrieved"]
    annotated = [
        CitedSource(source.url, source.title, _place(source.start, source.end), source.span)
        for source in answer.citations
        if source.kind == "cited"
    ]
    cited = responses.merged(annotated, responses.linked(answer.text))
    retrieval = _proven(answer.retrieval, document, bool(seen))
    return replace(
        answer,
        status=status_of(question.mode, answer.text, retrieval, refused=answer.status == "refused"),
        citations=numbered(cited, [*seen, *retrieved]),
        retrieval=retrieval,
    )


ADAPTER = Adapter(build=build, parse=parse)


def _place(start: int | None, end: int | None) -> tuple[int, int] | None:
    return (start, end) if start is not None and end is not None else None


def _proven(retrieval: Retrieval, document: body.JsonObject, seen: bool) -> Retrieval:
    """Sources that were seen or counted prove a search, even when no search call is listed."""
    used = body.whole(body.child(document, "usage") or {}, "num_sources_used") or 0
    if retrieval.status == "not_searched" and (seen or used > 0):
        return replace(retrieval, status="searched")
    return retrieval

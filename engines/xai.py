"""Queries Grok through the xAI Responses API, which answers in OpenAI's format but lists sources differently.

Source: xAI API reference, Responses and web search.
"""

from collections.abc import Sequence
from dataclasses import replace

from engines import responses
from engines.citations import CitedSource, numbered, status_of
from engines.engine import EngineAnswer, Exchange, Mode, Question, Retrieval
from engines.locale import PLACE_OF_SEARCH, place
from engines.transport import body
from engines.transport.http import Adapter, HttpConfig, Request

PARSER = "xai-responses/1"


def adapter(location: str = "none") -> Adapter:
    """Return the adapter; `user_location` sends a location with a search, `none` omits it.

    The official client has the field only in its gRPC form, and its REST spelling is undocumented. An ignored
    field would assign an answer to a country that it does not come from, so it is only sent if the operator
    enables it.
    """
    told = location == "user_location"

    def build(question: Question, config: HttpConfig) -> Request:
        return Request("/responses", request_body(question, config.model, told))

    return Adapter(build=build, parse=parse, locale=PLACE_OF_SEARCH if told else {})


def request_body(question: Question, model: str, told: bool) -> body.JsonObject:
    """Return the request body. A grounded request forces a search, optionally with the question's location."""
    sent: dict[str, object] = {
        "model": model,
        "input": [{"role": "user", "content": question.text}],
        "max_output_tokens": question.max_output_tokens,
        "store": False,
    }
    if question.temperature is not None:
        sent["temperature"] = question.temperature
    if question.mode is Mode.READINESS:
        location = {"user_location": place(question)} if told and question.country else {}
        sent["tools"] = [{"type": "web_search"} | location]
        sent["tool_choice"] = "required"
        sent["include"] = ["web_search_call.action.sources"]
    return sent


def parse(question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
    """Return the answer in a response; the top-level `citations` are pages the engine saw, not pages it cited."""
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


def _place(start: int | None, end: int | None) -> tuple[int, int] | None:
    return (start, end) if start is not None and end is not None else None


def _proven(retrieval: Retrieval, document: body.JsonObject, seen: bool) -> Retrieval:
    """Return the retrieval; sources that were seen or counted prove a search, even without a listed search call."""
    used = body.whole(body.child(document, "usage") or {}, "num_sources_used") or 0
    if retrieval.status == "not_searched" and (seen or used > 0):
        return replace(retrieval, status="searched")
    return retrieval

"""Parses the Responses format, defined by OpenAI and also used by xAI, Perplexity and others.

Source: OpenAI API reference, Responses; types of the official Python SDK.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engines.citations import CitedSource, name_pages, numbered, status_of
from engines.engine import EngineAnswer, Exchange, Mode, Question, Retrieval, Usage
from engines.errors import EngineErrorCode
from engines.offsets import locate, marks
from engines.transport import body
from engines.transport.body import JsonObject
from engines.transport.exchanges import elapsed_ms
from engines.transport.refusals import reported

FAILURES = {
    "rate_limit_exceeded": EngineErrorCode.RATE_LIMITED,
    "server_error": EngineErrorCode.PROVIDER_UNAVAILABLE,
}
UNFINISHED = frozenset({"in_progress", "queued", "cancelled", "requires_action"})
LINKED_MARK = re.compile(r"\[\[\d{1,3}\]\]\((https?://(?:[^\s()]|\([^\s()]*\))+)\)")


@dataclass(frozen=True, slots=True)
class OutputMessage:
    """The text of all output messages, and its contents."""

    text: str
    cited: tuple[CitedSource, ...]
    refused: bool
    truncated: bool
    resolved: bool
    """False if a citation does not name its page."""


@dataclass(frozen=True, slots=True)
class Searches:
    """The web searches of a response; opening a page is not a search."""

    calls: int
    failed: int
    queries: tuple[str, ...]
    sources: tuple[CitedSource, ...]


def parse(question: Question, exchanges: Sequence[Exchange], parser: str) -> EngineAnswer:
    """Return the answer in a response, for `parser`. Raises EngineError for a failure inside it or an unknown shape."""
    document = body.decode(exchanges[-1].body)
    reply = message(document)
    reported_searches = searches(document)
    searched = retrieval(question, reported_searches)
    usage = body.child(document, "usage") or {}
    return EngineAnswer(
        status=status_of(question.mode, reply.text, searched, refused=reply.refused),
        text=reply.text,
        truncated=reply.truncated,
        citations=numbered(reply.cited, reported_searches.sources),
        retrieval=searched,
        requested_model=body.string(body.decode(exchanges[-1].request_body), "model") or "",
        served_model=body.string(document, "model"),
        usage=Usage(
            body.whole(usage, "input_tokens"), body.whole(usage, "output_tokens"), reported_searches.calls
        ),
        latency_ms=elapsed_ms(exchanges),
        attempts=len(exchanges),
        exchanges=tuple(exchanges),
        parser=parser,
        citations_resolved=reply.resolved,
    )


def message(document: JsonObject) -> OutputMessage:
    """Return the message in a response. Raises EngineError if the body reports a failure or has no output."""
    _raise_failure(document)
    if not isinstance(document.get("output"), list):
        raise body.malformed("output is missing")
    incomplete = body.child(document, "incomplete_details") or {}
    text, cited, refused = "", list[CitedSource](), incomplete.get("reason") == "content_filter"
    resolved = True
    for part in _parts(document):
        if part.get("type") == "refusal":
            refused = True
        elif part.get("type") == "output_text":
            piece = body.required(part, "text")
            cited += _annotated(part, piece, before=len(text))
            resolved = resolved and name_pages(body.children(part, "annotations"))
            text += piece
    return OutputMessage(
        text,
        tuple(cited),
        refused,
        truncated=incomplete.get("reason") == "max_output_tokens",
        resolved=resolved,
    )


def searches(document: JsonObject) -> Searches:
    """Return the searches in the `web_search_call` items of a response."""
    calls = failed = 0
    queries: list[str] = []
    sources: list[CitedSource] = []
    for item in body.children(document, "output"):
        action = body.child(item, "action") or {}
        if item.get("type") != "web_search_call" or action.get("type", "search") != "search":
            continue
        calls += 1
        failed += item.get("status") == "failed"
        query = body.string(action, "query")
        queries += body.strings(action, "queries") or ([query] if query else [])
        urls = (body.string(source, "url") for source in body.children(action, "sources"))
        sources += [CitedSource(url) for url in urls if url is not None]
    return Searches(calls, failed, tuple(queries), tuple(sources))


def retrieval(question: Question, reported_searches: Searches) -> Retrieval:
    """Return whether the engine searched, based on its search calls."""
    if question.mode is Mode.VISIBILITY:
        return Retrieval("not_requested")
    if reported_searches.calls == 0:
        return Retrieval("not_searched")
    status = "failed" if reported_searches.failed == reported_searches.calls else "searched"
    return Retrieval(status, reported_searches.queries, reported_searches.calls)


def linked(text: str) -> list[CitedSource]:
    """Return the sources of marks `[[n]](url)`."""
    return [CitedSource(mark[1], None, mark.span(), "marker") for mark in LINKED_MARK.finditer(text)]


def merged(annotated: Iterable[CitedSource], in_text: Iterable[CitedSource]) -> list[CitedSource]:
    """Merge annotations and marks in text order; a mark that an annotation already covers counts once."""
    annotations, marked = list(annotated), list(in_text)
    placed = {(source.url, source.place[0]) for source in annotations if source.place}
    urls = {source.url for source in marked}
    kept = [source for source in annotations if source.place or source.url not in urls]
    kept += [source for source in marked if source.place and (source.url, source.place[0]) not in placed]
    return sorted(kept, key=lambda source: (source.place is None, source.place or (0, 0)))


def _raise_failure(document: JsonObject) -> None:
    status = document.get("status")
    error = body.child(document, "error")
    if error is None and status != "failed":
        if status in UNFINISHED:
            raise reported(f"status {status}")
        return
    words = body.string(error or {}, "message")
    raise reported(words, FAILURES.get(str((error or {}).get("code")), EngineErrorCode.PROVIDER_ERROR))


def _parts(document: JsonObject) -> list[JsonObject]:
    messages = (item for item in body.children(document, "output") if item.get("type") == "message")
    return [part for item in messages for part in body.children(item, "content")]


def _annotated(part: JsonObject, piece: str, before: int) -> list[CitedSource]:
    """Return the cited sources of one part, placed in the whole text; their offsets are relative to the part."""
    sources: list[CitedSource] = []
    for annotation in body.children(part, "annotations"):
        url = body.string(annotation, "url")
        if annotation.get("type") != "url_citation" or not url:
            continue
        start, end = body.whole(annotation, "start_index"), body.whole(annotation, "end_index")
        span = locate(piece, start, end, "code_points", marks(url))
        place = (before + span[0], before + span[1]) if span is not None else None
        sources.append(CitedSource(url, body.string(annotation, "title"), place, "marker"))
    return sources

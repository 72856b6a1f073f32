"""Queries Gemini through the Interactions API, or through the older generateContent.

Neither can be forced to search: a grounded request without a search is `not_grounded`. Source: Gemini API
reference; types of the official Python SDK 3.4.
"""

from collections.abc import Sequence
from urllib.parse import quote, unquote

from engines.citations import CitedSource, name_pages, numbered, status_of
from engines.engine import EngineAnswer, Exchange, Mode, Question, Retrieval, Usage
from engines.errors import EngineErrorCode
from engines.offsets import equals, inside, locate
from engines.transport import body
from engines.transport.body import JsonObject
from engines.transport.exchanges import elapsed_ms
from engines.transport.http import Adapter, HttpConfig, Request
from engines.transport.refusals import reported

INTERACTIONS, GENERATE_CONTENT = "interactions", "generate_content"
INTERACTIONS_PARSER = "gemini-interactions/1"
GENERATE_PARSER = "gemini-generate-content/2"
VERSION = "/v1"
KEY_HEADER = "x-goog-api-key"
FAILED = frozenset({"failed", "cancelled", "budget_exceeded", "in_progress", "queued", "requires_action"})
CUT_SHORT = frozenset({"incomplete", "requires_continuation"})
REFUSALS = frozenset({"SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "RECITATION", "SPII", "MODEL_ARMOR"})
# Numbers of google.rpc.Code.
FAILURES = {
    7: EngineErrorCode.PROVIDER_AUTH,
    8: EngineErrorCode.RATE_LIMITED,
    13: EngineErrorCode.PROVIDER_UNAVAILABLE,
    14: EngineErrorCode.PROVIDER_UNAVAILABLE,
    16: EngineErrorCode.PROVIDER_AUTH,
}


def adapter(api: str = INTERACTIONS) -> Adapter:
    """Return the adapter for `interactions` or `generate_content`."""
    if api == GENERATE_CONTENT:
        return Adapter(
            build_generate,
            parse_generated,
            key_header=KEY_HEADER,
            key_prefix="",
            locale={Mode.READINESS: frozenset({"language"})},
        )
    return Adapter(build_interaction, parse_interaction, key_header=KEY_HEADER, key_prefix="")


def build_interaction(question: Question, config: HttpConfig) -> Request:
    """Return the request to the Interactions API. It takes no location; a limit would also count thoughts."""
    sent: dict[str, object] = {"model": config.model, "input": question.text, "store": False}
    if question.temperature is not None:
        sent["generation_config"] = {"temperature": question.temperature}
    if question.mode is Mode.READINESS:
        sent["tools"] = [{"type": "google_search"}]
    return Request(f"{VERSION}/interactions", sent)


def build_generate(question: Question, config: HttpConfig) -> Request:
    """Return the request to generateContent. With a search it takes a language, and coordinates but no country."""
    sent: dict[str, object] = {"contents": [{"role": "user", "parts": [{"text": question.text}]}]}
    if question.temperature is not None:
        sent["generationConfig"] = {"temperature": question.temperature}
    if question.mode is Mode.READINESS:
        sent["tools"] = [{"google_search": {}}]
        if question.language is not None:
            sent["toolConfig"] = {"retrievalConfig": {"languageCode": question.language}}
    return Request(f"{VERSION}/models/{quote(config.model, safe='')}:generateContent", sent)


def parse_interaction(question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
    """Return the answer in an interaction. Raises EngineError for a failure inside it or an unknown shape."""
    exchange = exchanges[-1]
    document = body.decode(exchange.body)
    steps = _steps(document)
    text, cited, resolved = _interaction_text(steps)
    calls = [step for step in steps if step.get("type") == "google_search_call"]
    retrieval = _interaction_retrieval(question, steps, calls)
    usage = body.child(document, "usage") or {}
    return EngineAnswer(
        status=status_of(question.mode, text, retrieval, refused=False),
        text=text,
        truncated=document.get("status") in CUT_SHORT,
        citations=numbered(cited),
        retrieval=retrieval,
        requested_model=body.string(body.decode(exchange.request_body), "model") or "",
        served_model=body.string(document, "model"),
        usage=Usage(
            body.whole(usage, "total_input_tokens"),
            _sum(usage, "total_output_tokens", "total_thought_tokens"),
            len(calls),
        ),
        latency_ms=elapsed_ms(exchanges),
        attempts=len(exchanges),
        exchanges=tuple(exchanges),
        parser=INTERACTIONS_PARSER,
        citations_resolved=resolved,
    )


def parse_generated(question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
    """Return the answer in a generateContent response. Raises EngineError for an error in it or an unknown shape."""
    exchange = exchanges[-1]
    document = body.decode(exchange.body)
    candidate = _candidate(document)
    parts = body.children(body.child(candidate, "content") or {}, "parts")
    text = "".join(_spoken(part) for part in parts)
    grounding = body.child(candidate, "groundingMetadata") or {}
    cited, unused, resolved = _grounded(grounding, parts)
    queries = body.strings(grounding, "webSearchQueries")
    retrieval = _generated_retrieval(question, queries, searched=bool(queries or cited or unused))
    finish = body.string(candidate, "finishReason")
    usage = body.child(document, "usageMetadata") or {}
    return EngineAnswer(
        status=status_of(question.mode, text, retrieval, refused=not candidate or finish in REFUSALS),
        text=text,
        truncated=finish == "MAX_TOKENS",
        citations=numbered(cited, unused),
        retrieval=retrieval,
        requested_model=unquote(exchange.url.rsplit("/", 1)[-1].removesuffix(":generateContent")),
        served_model=body.string(document, "modelVersion"),
        usage=Usage(
            body.whole(usage, "promptTokenCount"),
            _sum(usage, "candidatesTokenCount", "thoughtsTokenCount"),
            len(queries),
        ),
        latency_ms=elapsed_ms(exchanges),
        attempts=len(exchanges),
        exchanges=tuple(exchanges),
        parser=GENERATE_PARSER,
        citations_resolved=resolved,
    )


def _steps(document: JsonObject) -> list[JsonObject]:
    _raise_error(body.child(document, "error"))
    status = document.get("status")
    if status in FAILED:
        errors = body.children(document, "errors")
        words = body.string(errors[0], "message") if errors else None
        raise reported(words or f"status {status}")
    if not isinstance(document.get("steps"), list):
        raise body.malformed("steps is missing")
    steps = body.children(document, "steps")
    for step in steps:
        if step.get("type") == "model_output":
            _raise_error(body.child(step, "error"))
    return steps


def _interaction_text(steps: Sequence[JsonObject]) -> tuple[str, list[CitedSource], bool]:
    """Return the text, its sources, and whether all sources name their page. A line break separates steps."""
    text, cited, resolved = "", list[CitedSource](), True
    for step in steps:
        if step.get("type") != "model_output":
            continue
        blocks = [block for block in body.children(step, "content") if block.get("type") == "text"]
        pieces = [body.required(block, "text") for block in blocks]
        if text and any(pieces):
            text += "\n"
        for block, piece in zip(blocks, pieces, strict=True):
            cited += _annotated(block, piece, before=len(text))
            resolved = resolved and name_pages(body.children(block, "annotations"))
            text += piece
    return text, cited, resolved


def _annotated(block: JsonObject, piece: str, before: int) -> list[CitedSource]:
    """Return the block's sources. Offsets are UTF-8 bytes of the block, end exclusive; a missing start is 0."""
    sources: list[CitedSource] = []
    for annotation in body.children(block, "annotations"):
        url = body.string(annotation, "url")
        if annotation.get("type") != "url_citation" or not url:
            continue
        span = inside(
            piece, body.whole(annotation, "start_index") or 0, body.whole(annotation, "end_index"), "utf8"
        )
        place = (before + span[0], before + span[1]) if span is not None else None
        sources.append(CitedSource(url, body.string(annotation, "title"), place, "segment"))
    return sources


def _interaction_retrieval(
    question: Question, steps: Sequence[JsonObject], calls: Sequence[JsonObject]
) -> Retrieval:
    if question.mode is Mode.VISIBILITY:
        return Retrieval("not_requested")
    if not calls:
        return Retrieval("not_searched")
    results = [step for step in steps if step.get("type") == "google_search_result"]
    failed = bool(results) and all(result.get("is_error") is True for result in results)
    arguments = [body.child(call, "arguments") or {} for call in calls]
    queries = tuple(query for argument in arguments for query in body.strings(argument, "queries"))
    return Retrieval("failed" if failed else "searched", queries, len(calls))


def _candidate(document: JsonObject) -> JsonObject:
    """Return the first candidate, or an empty one if the prompt itself was blocked."""
    _raise_error(body.child(document, "error"))
    candidates = body.children(document, "candidates")
    if not candidates and body.child(document, "promptFeedback") is None:
        raise body.malformed("candidates is missing")
    return candidates[0] if candidates else {}


def _spoken(part: JsonObject) -> str:
    return "" if part.get("thought") is True else body.string(part, "text") or ""


def _grounded(
    grounding: JsonObject, parts: Sequence[JsonObject]
) -> tuple[list[CitedSource], list[CitedSource], bool]:
    """Return sources of supports at their segments, unsupported ones, and whether every supporting page is known."""
    chunks = [_page(chunk) for chunk in body.children(grounding, "groundingChunks")]
    cited: list[CitedSource] = []
    used: set[int] = set()
    resolved = True
    for support in body.children(grounding, "groundingSupports"):
        place = _segment(body.child(support, "segment") or {}, parts)
        for index in body.items(support, "groundingChunkIndices"):
            web = chunks[index] if isinstance(index, int) and 0 <= index < len(chunks) else None
            if isinstance(index, int) and web is not None:
                used.add(index)
                cited.append(_web_source(web, place))
            else:
                resolved = False
    unused = [
        _web_source(web, None) for index, web in enumerate(chunks) if web is not None and index not in used
    ]
    return cited, unused, resolved


def _page(chunk: JsonObject) -> JsonObject | None:
    """Return the page of a grounding chunk; None if the chunk has no URL."""
    web = body.child(chunk, "web")
    return web if web is not None and body.string(web, "uri") else None


def _web_source(web: JsonObject, place: tuple[int, int] | None) -> CitedSource:
    """Return a source of the search; on APIs that set it, `domain` is the destination of its redirect URL."""
    site = body.string(web, "domain")
    return CitedSource(body.required(web, "uri"), body.string(web, "title"), place, "segment", site)


def _segment(segment: JsonObject, parts: Sequence[JsonObject]) -> tuple[int, int] | None:
    """Return a segment's position in the whole text; JSON omits a part or start that is 0."""
    index = body.whole(segment, "partIndex") or 0
    if index >= len(parts) or parts[index].get("thought") is True:
        return None
    piece, before = _spoken(parts[index]), sum(len(_spoken(part)) for part in parts[:index])
    start, end = body.whole(segment, "startIndex") or 0, body.whole(segment, "endIndex")
    quoted = body.string(segment, "text")
    matches = None if quoted is None else equals(quoted)
    span = locate(piece, start, end, "utf8", matches) if matches else inside(piece, start, end, "utf8")
    return (before + span[0], before + span[1]) if span is not None else None


def _generated_retrieval(question: Question, queries: tuple[str, ...], *, searched: bool) -> Retrieval:
    if question.mode is Mode.VISIBILITY:
        return Retrieval("not_requested")
    return Retrieval("searched" if searched else "not_searched", queries, len(queries))


def _raise_error(error: JsonObject | None) -> None:
    if error is not None:
        code = FAILURES.get(body.whole(error, "code") or 0, EngineErrorCode.PROVIDER_ERROR)
        raise reported(body.string(error, "message"), code)


def _sum(parent: JsonObject, *keys: str) -> int | None:
    counts = [count for key in keys if (count := body.whole(parent, key)) is not None]
    return sum(counts) if counts else None

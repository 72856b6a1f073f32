"""Reads what Bright Data saw: records of its collectors, and the AI Overview of its results pages.

Source: Bright Data documentation, AI scrapers; collectors' ids as `brightdata-sdk` 2.5.2 and public code have them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

from engines.engine import EngineAnswer, Exchange, Question
from engines.suppliers.sighting import (
    Sighting,
    absent_by,
    answer_of,
    not_loaded,
    placeholder,
    sources,
    union,
    utc_time,
    without_placeholders,
)
from engines.transport import body
from engines.transport.body import JsonObject
from engines.transport.refusals import reported

PARSER = "brightdata/1"
SUPPLIER = "brightdata"
HOSTS: Mapping[str, str] = {
    "chatgpt.com": "chatgpt_app",
    "www.perplexity.ai": "perplexity_app",
    "perplexity.ai": "perplexity_app",
    "copilot.microsoft.com": "copilot",
    "gemini.google.com": "gemini_app",
    "google.com": "google_ai_mode",
    "www.google.com": "google_ai_mode",
}
TEXT_FIELDS = ("answer_text_markdown", "answer_text")


def parse(_question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
    """The answer in the last exchange, whose body is a record or a list that holds it."""
    document = body.decode_any(exchanges[-1].body)
    records = document if isinstance(document, list) else [document]  # pyright: ignore[reportUnknownVariableType]
    if not records or not isinstance(records[0], dict):
        raise body.malformed("the body holds no record")
    sent = body.decode_any(exchanges[0].request_body or b"{}")
    first = sent[0] if isinstance(sent, list) and sent else sent  # pyright: ignore[reportUnknownVariableType]
    request: JsonObject = first if isinstance(first, dict) else {}  # pyright: ignore[reportUnknownVariableType]
    return answer_of(read(records[0], request), exchanges, PARSER)  # pyright: ignore[reportUnknownArgumentType]


def bodies(document: JsonObject) -> list[JsonObject]:
    """A body that is an object holds one record."""
    return [document]


def read(record: JsonObject, request: JsonObject) -> Sighting:
    """What one record saw; it repeats its input, else `request` does. Raises EngineError for one that failed."""
    if "ai_overview" in record or "general" in record:
        return _overview(record, request)
    given = body.child(record, "input") or record
    url = body.string(given, "url") or body.string(request, "url") or ""
    surface = HOSTS.get(urlsplit(url).hostname or "")
    if surface is None:
        raise body.malformed("url names no surface that is known")
    about = Sighting(
        surface,
        SUPPLIER,
        prompt=body.string(given, "prompt") or body.string(request, "prompt"),
        observed_at=utc_time(body.string(record, "timestamp") or body.string(record, "prompt_sent_at")),
        locale_sent=_country(body.string(given, "country") or body.string(request, "country")),
    )
    if body.string(record, "error_code") or body.string(record, "error"):
        raise reported(f"{body.string(record, 'error_code')}: {body.string(record, 'error')}")
    return _answered(about, record)


def _country(country: str | None) -> Mapping[str, str]:
    return {"country": country.upper()} if country else {}


def _answered(about: Sighting, record: JsonObject) -> Sighting:
    text = next((text for name in TEXT_FIELDS if (text := body.string(record, name))), "")
    if about.surface.startswith("google_"):
        if reason := absent_by(text):
            return replace(about, absent_reason=reason)
        text = without_placeholders(text)
    return replace(
        about,
        text=text,
        cited=union(
            sources(body.children(record, "citations")), sources(body.children(record, "links_attached"))
        ),
        retrieved=union(sources(body.children(record, "search_sources"))),
        queries=_queries(record),
        model=body.string(record, "model"),
    )


def _queries(record: JsonObject) -> tuple[str, ...]:
    listed = record.get("web_search_query")
    if not isinstance(listed, list):
        return ()
    return tuple(dict.fromkeys(body.strings(record, "web_search_query")))


def _overview(page: JsonObject, request: JsonObject) -> Sighting:
    """The overview on a results page; a page without one shows that there was none."""
    general = body.child(page, "general") or {}
    address = (
        body.string(request, "url") or body.string(body.child(page, "input") or {}, "original_url") or ""
    )
    asked = parse_qs(urlsplit(address).query)
    about = Sighting(
        "google_ai_overview",
        SUPPLIER,
        prompt=body.string(general, "query") or next(iter(asked.get("q", [])), None),
        observed_at=utc_time(body.string(general, "timestamp")),
        locale_sent={
            **_country(body.string(general, "country_code") or next(iter(asked.get("gl", [])), None)),
            **({"language": asked["hl"][0]} if "hl" in asked else {}),
        },
    )
    if page.get("ai_overview") is None:
        return replace(about, absent_reason="none")
    overview = body.child(page, "ai_overview") or {}
    pieces = [piece for piece in _snippets(body.children(overview, "texts")) if placeholder(piece) is None]
    text = "\n\n".join(pieces)
    if not text.strip():
        raise not_loaded()
    if reason := absent_by(text):
        return replace(about, absent_reason=reason)
    return replace(about, text=text, cited=union(sources(body.children(overview, "references"), "href")))


def _snippets(blocks: Iterable[JsonObject]) -> Iterator[str]:
    """The words of a tree of blocks, in the order of the page."""
    for block in blocks:
        if words := body.string(block, "snippet") or body.string(block, "text"):
            yield words
        yield from _snippets(body.children(block, "list"))

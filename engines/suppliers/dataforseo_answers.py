"""Parses DataForSEO's answers: Google's AI Overview and AI Mode, ChatGPT, Gemini and Copilot Search.

Source: models of the official client `dataforseo-client` 2.1.10; DataForSEO documentation, appendix on
errors.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import cast

from engines.engine import Card, CardKind, EngineAnswer, Exchange, Question, SupplierCost
from engines.errors import EngineError, EngineErrorCode
from engines.suppliers.locations import COUNTRIES, place_of
from engines.suppliers.placeholders import absent_by, not_loaded, without_placeholders
from engines.suppliers.sighting import (
    Sighting,
    answer_of,
    have_addresses,
    readings,
    sources,
    union,
    utc_time,
)
from engines.transport import body
from engines.transport.body import JsonObject
from engines.transport.refusals import reported

PARSER = "dataforseo/3"
SUPPLIER = "dataforseo"
SURFACES_BY_PATH: Mapping[tuple[str, str], str] = {
    ("google", "organic"): "google_ai_overview",
    ("google", "ai_mode"): "google_ai_mode",
    ("chat_gpt", "llm_scraper"): "chatgpt_app",
    ("gemini", "llm_scraper"): "gemini_app",
    ("bing", "organic"): "bing_copilot",
}
DONE = 20000
NO_RESULTS = 40102
SEARCH_ENGINE_ERROR = 40101
FAILURES: Mapping[int, EngineErrorCode] = {
    40100: EngineErrorCode.PROVIDER_AUTH,
    40200: EngineErrorCode.PROVIDER_QUOTA,
    40202: EngineErrorCode.RATE_LIMITED,
    40203: EngineErrorCode.PROVIDER_QUOTA,
    40210: EngineErrorCode.PROVIDER_QUOTA,
    SEARCH_ENGINE_ERROR: EngineErrorCode.PROVIDER_UNAVAILABLE,
}


def parse(_question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
    """Return the answer in the last exchange. Raises EngineError for a failure inside it or an unknown shape."""
    seen = read(body.decode(exchanges[-1].body), {})
    return answer_of(replace(seen, cost=charge(exchanges)), exchanges, PARSER)


def charge(exchanges: Sequence[Exchange]) -> SupplierCost | None:
    """Return the total cost of all tasks of a request.

    A task is charged when it is opened. The responses that fetch it repeat the charge or omit it, and add
    none.
    """
    dearest: dict[str | None, Decimal] = {}
    for task in readings(exchanges, about_task):
        if task is not None and task.cost is not None:
            dearest[task.task_id] = max(dearest.get(task.task_id, Decimal(0)), task.cost.amount)
    return SupplierCost(sum(dearest.values(), Decimal(0)), "usd") if dearest else None


def about_task(document: JsonObject) -> Sighting | None:
    """Return the details of a task in the response to its submission, above all the charge."""
    tasks = body.children(document, "tasks")
    return _about(tasks[0], "") if tasks else None


def bodies(document: JsonObject) -> list[JsonObject]:
    """Return each task of a body as a separate body."""
    return [{"status_code": DONE, "tasks": [task]} for task in tasks_of(document)]


def read(document: JsonObject, _request: JsonObject) -> Sighting:
    """Parse the first task of a body, which repeats its request. Raises EngineError as `parse` does."""
    tasks = tasks_of(document)
    if not tasks:
        raise body.malformed("tasks is missing or empty")
    return sighting_of(tasks[0])


def tasks_of(document: JsonObject) -> list[JsonObject]:
    """Return the tasks of a body. Raises EngineError if the whole call failed."""
    status = body.whole(document, "status_code")
    if status is not None and status != DONE and not document.get("tasks"):
        raise failure(status, body.string(document, "status_message"))
    return body.children(document, "tasks")


def sighting_of(task: JsonObject) -> Sighting:
    """Parse one task. Raises EngineError if it failed, is still waiting or did not load."""
    surface = surface_of(task)
    status = body.whole(task, "status_code")
    about = _about(task, surface)
    if status == NO_RESULTS:
        return replace(about, absent_reason="no_results")
    if status != DONE:
        raise failure(status, body.string(task, "status_message"))
    results = body.children(task, "result")
    if not results:
        raise body.malformed("result is missing or empty")
    result = results[0]
    looked = replace(
        about,
        prompt=about.prompt or body.string(result, "keyword"),
        observed_at=utc_time(body.string(result, "datetime")),
        proof_url=body.string(result, "check_url"),
    )
    if surface in ("chatgpt_app", "gemini_app"):
        return _chat(looked, result)
    return _overview(looked, result, body.child(task, "data") or {})


def surface_of(task: JsonObject) -> str:
    """Return the AI surface of a task, by the path it was posted to."""
    path = body.strings(task, "path")
    pairs = pairwise(path)
    surface = next((SURFACES_BY_PATH[pair] for pair in pairs if pair in SURFACES_BY_PATH), None)
    if surface is None:
        raise body.malformed("path names no surface that is known")
    return surface


def failure(status: int | None, words: str | None) -> EngineError:
    """Return the error for a status code; errors that may be billed say so."""
    if status is None:
        return body.malformed("status_code is missing")
    server = EngineErrorCode.PROVIDER_UNAVAILABLE if status >= 50000 else EngineErrorCode.PROVIDER_ERROR
    code = FAILURES.get(status, server)
    error = reported(f"{status}: {words or ''}", code)
    error.possibly_billed = status == SEARCH_ENGINE_ERROR
    if code is EngineErrorCode.PROVIDER_ERROR and status == 40501 and "location" in (words or "").lower():
        return EngineError(
            EngineErrorCode.UNSUPPORTED_LOCALE, "The supplier does not serve this place.", detail=words
        )
    return error


def _about(task: JsonObject, surface: str) -> Sighting:
    """Return the common fields of every observation, from the request that the body repeats."""
    request = body.child(task, "data") or {}
    place: dict[str, str] = {}
    if country := COUNTRIES.get(body.whole(request, "location_code") or 0):
        place["country"] = country
    place |= place_of(body.string(request, "location_name") or "")
    if language := body.string(request, "language_code"):
        place["language"] = language
    if device := body.string(request, "device"):
        place["device"] = device
    amount = body.amount(task, "cost")
    return Sighting(
        surface,
        SUPPLIER,
        prompt=body.string(request, "keyword"),
        locale_sent=place,
        cost=SupplierCost(amount, "usd") if amount is not None else None,
        task_id=body.string(task, "id"),
    )


def _overview(looked: Sighting, result: JsonObject, request: JsonObject) -> Sighting:
    """Parse an overview or AI Mode answer. A missing AI Overview only counts as absent if the request loaded it."""
    items = body.children(result, "items")
    overview = next((item for item in items if item.get("type") == "ai_overview"), None)
    if overview is None:
        if looked.surface == "google_ai_overview" and request.get("load_async_ai_overview") is not True:
            raise not_loaded()
        return replace(looked, absent_reason="none")
    pieces = _pieces(overview)
    if not pieces:
        raise not_loaded()
    if reason := absent_by("\n".join(pieces)):
        return replace(looked, absent_reason=reason)
    text = without_placeholders("\n\n".join(pieces))
    elements = list(_elements(overview))
    linked = (link for element in elements for link in body.children(element, "links"))
    return replace(
        looked,
        text=text,
        cited=union(
            sources(body.children(overview, "references"), "panel"),
            *(sources(body.children(element, "references"), "inline") for element in elements),
            sources(linked, "inline"),
        ),
        resolved=have_addresses(body.children(overview, "references")),
        cards=tuple(_overview_cards(elements)),
    )


def _elements(overview: JsonObject) -> Iterator[JsonObject]:
    """Yield the elements of an overview, including those inside expanded elements."""
    for element in body.children(overview, "items"):
        yield element
        yield from body.children(element, "components")


def _pieces(overview: JsonObject) -> list[str]:
    """Return the words of an overview, whole or by element, including hidden sentences."""
    whole = body.string(overview, "markdown")
    if whole and whole.strip():
        return [whole]
    return [piece for element in body.children(overview, "items") if (piece := _piece(element))]


def _piece(element: JsonObject) -> str:
    """Return the words of one element: Markdown, plain text, or its table's rows; advertisements have none."""
    if element.get("type") in ("ai_overview_shopping", "ai_overview_paid"):
        return ""
    inner = [body.string(part, "text") or "" for part in body.children(element, "components")]
    piece = body.string(element, "markdown") or body.string(element, "text") or "\n".join(filter(None, inner))
    if not piece and (table := body.child(element, "table")) is not None:
        piece = _table(table)
    return piece


def _table(table: JsonObject) -> str:
    rows = [table.get("table_header"), *body.items(table, "table_content")]
    cells = (cast(list[object], row) for row in rows if isinstance(row, list))
    return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in cells)


def _overview_cards(elements: Iterable[JsonObject]) -> Iterator[Card]:
    groups: Mapping[object, CardKind] = {
        "ai_overview_shopping": "product",
        "ai_overview_paid": "ad",
    }
    entries: list[tuple[CardKind, JsonObject]] = [
        (kind, entry)
        for element in elements
        if (kind := groups.get(element.get("type"))) is not None
        for entry in body.children(element, "items")
    ]
    for position, (kind, entry) in enumerate(entries, start=1):
        price = body.child(entry, "price") or {}
        amount = body.amount(price, "current")
        yield Card(
            kind,
            body.string(entry, "title") or "",
            position,
            seller=body.string(entry, "seller") or body.string(entry, "website_name"),
            price=str(amount) if amount is not None else body.string(price, "displayed_price"),
            currency=body.string(price, "currency"),
            url=body.string(entry, "url"),
        )


def _chat(looked: Sighting, result: JsonObject) -> Sighting:
    """Parse an answer of ChatGPT or Gemini; search results that the answer did not use are retrieved sources."""
    items = body.children(result, "items")
    parts = [body.string(item, "markdown") or body.string(item, "text") or "" for item in items]
    text = body.string(result, "markdown") or "\n\n".join(filter(None, parts))
    inline = (source for item in items for source in body.children(item, "sources"))
    return replace(
        looked,
        text=text,
        cited=union(sources(body.children(result, "sources"), "panel"), sources(inline, "inline")),
        retrieved=union(sources(body.children(result, "search_results"), "search_result")),
        resolved=have_addresses(body.children(result, "sources")),
        queries=tuple(dict.fromkeys(body.strings(result, "fan_out_queries"))),
        cards=tuple(_chat_cards(items)),
        model=body.string(result, "model"),
    )


def _chat_cards(items: Iterable[JsonObject]) -> Iterator[Card]:
    kinds: Mapping[object, CardKind] = {
        "chat_gpt_ad": "ad",
        "chat_gpt_products": "product",
        "chat_gpt_local_businesses": "place",
    }
    position = 0
    for item in items:
        is_ad = item.get("type") == "chat_gpt_ad"
        entries = [item] if is_ad else body.children(item, "items") if item.get("type") in kinds else []
        for entry in entries:
            position += 1
            price = body.amount(entry, "price")
            rendered = entry.get("is_rendered")
            yield Card(
                kinds[item.get("type")],
                body.string(entry, "title") or "",
                position,
                seller=body.string(body.child(entry, "advertiser") or {}, "name")
                or body.string(entry, "merchants"),
                price=str(price) if price is not None else None,
                currency=body.string(entry, "currency"),
                url=body.string(entry, "url"),
                rendered=rendered if isinstance(rendered, bool) else None,
            )

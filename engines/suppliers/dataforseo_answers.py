"""Parses DataForSEO's answers: Google's AI Overview and AI Mode, ChatGPT, Gemini and Copilot Search.

Source: models of the official client `dataforseo-client` 2.1.10; DataForSEO documentation, appendix on
errors.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import cast

from engines.engine import Card, CardKind, EngineAnswer, Exchange, Question, SupplierCost
from engines.errors import EngineError, EngineErrorCode
from engines.suppliers.blocks import table, titled, without_chips
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

PARSER = "dataforseo/4"
SUPPLIER = "dataforseo"
SURFACES_BY_PATH: Mapping[tuple[str, str], str] = {
    ("google", "organic"): "google_ai_overview",
    ("google", "ai_mode"): "google_ai_mode",
    ("chat_gpt", "llm_scraper"): "chatgpt_app",
    ("gemini", "llm_scraper"): "gemini_app",
    ("bing", "organic"): "bing_copilot",
}
MODELS_BY_PATH: Mapping[str, str] = {
    "chat_gpt": "chatgpt",
    "claude": "claude",
    "gemini": "gemini",
    "perplexity": "perplexity",
}
"""Platform of the models whose APIs are forwarded as `llm_responses`."""
CARD_KINDS: Mapping[object, CardKind] = {
    "ai_overview_shopping": "product",
    "ai_overview_paid": "ad",
    "chat_gpt_ad": "ad",
    "chat_gpt_products": "product",
    "chat_gpt_local_businesses": "place",
}
"""Elements that are cards; their words are no part of the answer, even inside its whole Markdown."""
AD = re.compile(
    r"\]\(https?://(?:www\.)?google\.[a-z.]{2,6}/aclk\?"
    r"|^[ *_#]{0,8}Sponsored[ *_:]{0,8}$|^ {0,8}\*\*Sponsored\*\*",
    re.MULTILINE,
)
"""A line of advertising: a link that Google bills for, or its label on the English page."""
NO_WORDS = frozenset({*CARD_KINDS, "ai_overview_video_element"})
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
    if not looked.is_observed:
        return _forwarded(looked, result)
    if surface in ("chatgpt_app", "gemini_app"):
        return _chat(looked, result)
    return _overview(looked, result, body.child(task, "data") or {})


def surface_of(task: JsonObject) -> str:
    """Return the AI surface of a task, by the path it was posted to."""
    path = body.strings(task, "path")
    known = {**SURFACES_BY_PATH} | {(name, "llm_responses"): model for name, model in MODELS_BY_PATH.items()}
    surface = next((known[pair] for pair in pairwise(path) if pair in known), None)
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
        prompt=body.string(request, "user_prompt") or body.string(request, "keyword"),
        locale_sent=place,
        cost=SupplierCost(amount, "usd") if amount is not None else None,
        task_id=body.string(task, "id"),
    )


def _overview(looked: Sighting, result: JsonObject, request: JsonObject) -> Sighting:
    """Parse an overview or AI Mode answer. A missing AI Overview only counts as absent if the request loaded it."""
    items = body.children(result, "items")
    overviews = [item for item in items if item.get("type") == "ai_overview"]
    if not overviews:
        if looked.surface == "google_ai_overview" and request.get("load_async_ai_overview") is not True:
            raise not_loaded()
        return replace(looked, absent_reason="none")
    # A page may hold an overview that did not load next to one that did.
    overview = next((item for item in overviews if _text(item)), overviews[0])
    text = _text(overview)
    if not text:
        raise not_loaded()
    if reason := absent_by(text):
        return replace(looked, absent_reason=reason)
    listed = body.children(overview, "references")
    text = without_chips(without_placeholders(text), listed)
    elements = list(_elements(overview))
    linked = (link for element in elements for link in body.children(element, "links"))
    return replace(
        looked,
        text=text,
        cited=union(
            sources(listed, "panel"),
            *(sources(body.children(element, "references"), "inline") for element in elements),
            sources(linked, "inline"),
        ),
        resolved=have_addresses(listed),
        cards=tuple(_overview_cards(elements)),
    )


def _elements(overview: JsonObject) -> Iterator[JsonObject]:
    """Yield the elements of an overview, including those inside expanded elements."""
    for element in body.children(overview, "items"):
        yield element
        yield from body.children(element, "components")


def _text(answer: JsonObject) -> str:
    """Return the words of an answer, whole or by element, including hidden sentences and without cards."""
    elements = body.children(answer, "items")
    cards = [element for element in elements if element.get("type") in CARD_KINDS]
    words = "\n\n".join(filter(None, map(_piece, elements)))
    whole = (body.string(answer, "markdown") or "").strip()
    if not whole:
        return words
    rest = _without_cards(whole, cards) if cards or AD.search(whole) else whole
    return words if rest is None and words else rest or ""


def _without_cards(whole: str, cards: Sequence[JsonObject]) -> str | None:
    """Return Markdown without the words of cards and without advertising links; None if a card is still in it."""
    shown: set[str] = set()
    for part in (
        part for card in cards for name in ("markdown", "text") if (part := body.string(card, name))
    ):
        if part.strip() in whole:
            whole = whole.replace(part.strip(), "")
        else:
            shown |= {_folded(line) for line in part.split("\n")}
    lines = (
        line
        for line in whole.split("\n")
        if not (AD.search(line) or (line.strip() and _folded(line) in shown))
    )
    rest = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    titles = (
        body.string(entry, "title") for card in cards for entry in (card, *body.children(card, "items"))
    )
    return None if any(title and f"[{title}]" in rest for title in titles) else rest


def _folded(line: str) -> str:
    return " ".join(line.replace("*", "").split()).casefold()


def _piece(element: JsonObject) -> str:
    """Return the title and words of one element, with its table and its collapsed parts; cards have none."""
    if element.get("type") in NO_WORDS:
        return ""
    words = body.string(element, "markdown") or body.string(element, "text") or ""
    if not words and (held := body.child(element, "table")) is not None:
        words = table(
            body.items(held, "table_header"),
            (cast(list[object], row) for row in body.items(held, "table_content") if isinstance(row, list)),
        )
    inner = (_piece(part) for part in body.children(element, "components"))
    return "\n".join(filter(None, (titled(body.string(element, "title"), words, "\n"), *inner)))


def _overview_cards(elements: Iterable[JsonObject]) -> Iterator[Card]:
    entries: list[tuple[CardKind, JsonObject]] = [
        (kind, entry)
        for element in elements
        if (kind := CARD_KINDS.get(element.get("type"))) is not None
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
    text = without_chips(_text(result), body.children(result, "sources"))
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


def _forwarded(looked: Sighting, result: JsonObject) -> Sighting:
    """Parse the answer of a model's API; its reasoning is no part of the answer."""
    messages = [item for item in body.children(result, "items") if item.get("type") == "message"]
    sections = [section for message in messages for section in body.children(message, "sections")]
    cited = [note for section in sections for note in body.children(section, "annotations")]
    searched = result.get("web_search")
    return replace(
        looked,
        text="\n\n".join(text for section in sections if (text := body.string(section, "text"))),
        cited=union(sources(cited, "inline")),
        resolved=have_addresses(cited),
        queries=tuple(dict.fromkeys(body.strings(result, "fan_out_queries"))),
        searched=searched if isinstance(searched, bool) else None,
        model=body.string(result, "model_name"),
    )


def _chat_cards(items: Iterable[JsonObject]) -> Iterator[Card]:
    position = 0
    for item in items:
        is_ad = item.get("type") == "chat_gpt_ad"
        entries = [item] if is_ad else body.children(item, "items") if item.get("type") in CARD_KINDS else []
        for entry in entries:
            position += 1
            price = body.amount(entry, "price")
            rendered = entry.get("is_rendered")
            yield Card(
                CARD_KINDS[item.get("type")],
                body.string(entry, "title") or "",
                position,
                seller=body.string(body.child(entry, "advertiser") or {}, "name")
                or body.string(entry, "merchants"),
                price=str(price) if price is not None else None,
                currency=body.string(entry, "currency"),
                url=body.string(entry, "url"),
                rendered=rendered if isinstance(rendered, bool) else None,
            )

"""Queries Cloro for AI surfaces: Google's AI Overview and AI Mode, ChatGPT, Gemini, Copilot, Perplexity and Grok.

Source: Cloro documentation, asynchronous tasks and one page for each surface. The official client `cloro`
0.2.0 types requests and tasks, and returns answers unchanged.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast
from urllib.parse import quote

from engines.citations import CitedSource
from engines.engine import Card, EngineAnswer, Exchange, LocaleField, Question, SupplierCost
from engines.errors import EngineError, EngineErrorCode
from engines.suppliers.blocks import without_chips
from engines.suppliers.locations import place_name, place_of
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
from engines.suppliers.supplier_api import (
    SupplierApi,
    SupplierCall,
    TaskState,
    questioned,
    without_empty,
)
from engines.transport import body
from engines.transport.body import JsonObject
from engines.transport.refusals import reported

PARSER = "cloro/4"
SUPPLIER = "cloro"
TASKS: Mapping[str, str] = {
    "google_ai_overview": "GOOGLE",
    "google_ai_mode": "AIMODE",
    "chatgpt_app": "CHATGPT",
    "gemini_app": "GEMINI",
    "copilot": "COPILOT",
    "perplexity_app": "PERPLEXITY",
    "grok_app": "GROK",
}
SURFACES_BY_TASK: Mapping[str, str] = {task: surface for surface, task in TASKS.items()}
QUEUED = frozenset({"QUEUED", "PENDING", "CREATED", "SCHEDULED"})
QUERY_FIELDS = ("searchQueries", "search_model_queries", "mapSearchQueries")
CARD_FIELDS = ("shoppingCards", "shopping_cards")
REGION_REFUSED = "UnsupportedInputError"


def parse(_question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
    """Return the answer in the last exchange; the question is in the first one, because no body repeats it."""
    sent = body.decode(exchanges[0].request_body or b"{}")
    return answer_of(read(body.decode(exchanges[-1].body), sent), exchanges, PARSER)


def bodies(document: JsonObject) -> list[JsonObject]:
    """Return the body as the only task."""
    return [document]


def read(document: JsonObject, request: JsonObject) -> Sighting:
    """Parse a finished task; `request` is the submission that opened it.

    Raises EngineError for a task that failed or did not finish, and for an answer that did not load.
    """
    task = body.child(document, "task") or {}
    about = _about(document, task, request)
    state = (body.string(task, "status") or "COMPLETED").upper()
    if state != "COMPLETED" or document.get("success") is False:
        raise failure(document, task)
    response = body.child(document, "response") or body.child(document, "result")
    if response is None:
        raise body.malformed("response is missing")
    if about.surface != "google_ai_overview":
        return _answered(about, response)
    if "aioverview" not in response:
        raise body.malformed("aioverview is missing")
    overview = body.child(response, "aioverview") if response["aioverview"] is not None else None
    return replace(about, absent_reason="none") if overview is None else _answered(about, overview)


def failure(document: JsonObject, task: JsonObject) -> EngineError:
    """Return the error that a task ended with."""
    error = task.get("error", document.get("error"))
    words = body.storable(error if isinstance(error, str) else body.encode(error).decode())
    if REGION_REFUSED in words:
        return EngineError(
            EngineErrorCode.UNSUPPORTED_LOCALE,
            "The supplier does not serve this surface in this place.",
            detail=words,
        )
    refused = reported(words)
    refused.possibly_billed = False
    return refused


def _about(document: JsonObject, task: JsonObject, request: JsonObject) -> Sighting:
    kind = body.string(request, "taskType") or body.string(task, "taskType") or ""
    surface = SURFACES_BY_TASK.get(kind.upper())
    if surface is None:
        raise body.malformed("taskType names no surface that is known; put the request beside the body")
    payload = body.child(request, "payload") or body.child(task, "payload") or {}
    place: dict[str, str] = {}
    for name in ("country", "device"):
        if value := body.string(payload, name):
            place[name] = value
    if state := body.string(payload, "state"):
        place["region"] = state
    place |= place_of(body.string(payload, "location") or "")
    moment = body.string(task, "completedAt") or body.string(task, "createdAt")
    return Sighting(
        surface,
        SUPPLIER,
        prompt=body.string(payload, "prompt") or body.string(payload, "query"),
        observed_at=utc_time(moment),
        locale_sent=place,
        cost=_credits(document, task),
        task_id=body.string(task, "id"),
    )


def _answered(about: Sighting, answer: JsonObject) -> Sighting:
    text = body.string(answer, "markdown") or body.string(answer, "text") or ""
    if about.surface.startswith("google_"):
        if not text.strip():
            raise not_loaded()
        if reason := absent_by(text):
            return replace(about, absent_reason=reason)
        text = without_placeholders(text)
    return replace(
        about,
        text=without_chips(text, body.children(answer, "sources")),
        cited=union(
            sources(body.children(answer, "sources"), "panel", title="label"),
            _pills(answer),
        ),
        resolved=have_addresses(body.children(answer, "sources")),
        queries=_queries(answer, about.prompt),
        cards=tuple(_cards(answer)),
        model=body.string(answer, "model"),
    )


def _pills(answer: JsonObject) -> list[CitedSource]:
    """Return the sources of the marks in the text; a mark may cover several, and gives their list positions."""
    return [
        CitedSource(
            address,
            body.string(pill, "label"),
            placement="inline",
            group=body.whole(pill, "citationPillId"),
            position=body.whole(pill, "position"),
        )
        for pill in body.children(answer, "citationPills")
        if (address := body.string(pill, "url"))
    ]


def _queries(answer: JsonObject, prompt: str | None) -> tuple[str, ...]:
    """Return the search queries. Perplexity's list repeats the question itself, which is not a search."""
    listed = (query for name in QUERY_FIELDS for query in body.strings(answer, name))
    return tuple(dict.fromkeys(query for query in listed if query != prompt))


def _cards(answer: JsonObject) -> Iterator[Card]:
    entries = (entry for name in CARD_FIELDS for entry in body.children(answer, name))
    for position, entry in enumerate(entries, start=1):
        price = entry.get("price")
        yield Card(
            "product",
            body.string(entry, "title") or body.string(entry, "name") or "",
            position,
            brand=brand if isinstance(brand := entry.get("brand"), str) else None,
            seller=body.string(entry, "merchant") or body.string(entry, "seller"),
            price=str(price) if isinstance(price, (str, int, float)) else None,
            currency=body.string(entry, "currency"),
            url=body.string(entry, "url") or body.string(entry, "link"),
        )


LONGEST_QUESTION = 10_000
UNITED_STATES = frozenset({"US"})
OF_A_STATE = 2
"""Additional credits of an app that is queried from a state."""
OF_GOOGLE: frozenset[LocaleField] = frozenset({"country", "region", "city", "device"})
PATH = "/v1/async/task"


def submission(question: Question, surface: str) -> SupplierCall:
    """Return the task for one question; the ask key makes repeated submissions a single task."""
    text = questioned(question, LONGEST_QUESTION)
    is_search = surface == "google_ai_overview"
    payload = {
        "query" if is_search else "prompt": text,
        "country": question.country,
        "location": place_name(question) if surface.startswith("google_") else None,
        "state": question.region if question.country in states_of(surface) else None,
        "device": question.device if surface.startswith("google_") else None,
        "include": {"aioverview": {"markdown": True}}
        if is_search
        else {"searchQueries": True}
        if surface == "chatgpt_app"
        else None,
    }
    return SupplierCall(
        PATH,
        {"taskType": TASKS[surface], "idempotencyKey": question.ask_key, "payload": without_empty(payload)},
    )


def states_of(surface: str) -> frozenset[str]:
    """Return countries with observations by state; Google surfaces take a location name instead."""
    return frozenset() if surface.startswith("google_") else UNITED_STATES


def credits_of(surface: str) -> tuple[int, int]:
    """Return the typical and the maximum credits of an observation."""
    return CREDITS[surface], CREDITS[surface] + (OF_A_STATE if states_of(surface) else 0)


def notified(call: SupplierCall, address: str) -> SupplierCall:
    """Return the submission with the callback URL for when its task has ended."""
    return replace(call, body={**cast(dict[str, object], call.body), "webhook": {"url": address}})


def ticket(document: JsonObject) -> str:
    """Return the id of the task that was opened, now or by an identical submission before."""
    task = body.child(document, "task")
    if task is None:
        raise body.malformed("task is missing")
    return body.required(task, "id")


def state(document: JsonObject) -> TaskState:
    """Return the progress of a task; undocumented states mean work. Raises EngineError if it failed."""
    task = body.child(document, "task") or {}
    said = (body.string(task, "status") or "").upper()
    if said == "FAILED":
        raise failure(document, task)
    if said == "COMPLETED":
        return "done"
    return "queued" if said in QUEUED else "working"


def charge(exchanges: Sequence[Exchange]) -> SupplierCost | None:
    """Return the charged credits, from the last body that states any."""
    stated = readings(
        reversed(exchanges), lambda document: _credits(document, body.child(document, "task") or {})
    )
    return next((credits for credits in stated if credits is not None), None)


def _credits(document: JsonObject, task: JsonObject) -> SupplierCost | None:
    stated = body.child(document, "credits") or body.child(task, "credits") or {}
    amount = body.amount(stated, "creditsCharged")
    return SupplierCost(amount, "credits") if amount is not None else None


CREDITS: Mapping[str, int] = {
    "google_ai_overview": 5,
    "google_ai_mode": 4,
    "chatgpt_app": 7,
    "gemini_app": 4,
    "copilot": 5,
    "perplexity_app": 3,
    "grok_app": 4,
}
"""From the documentation of asynchronous tasks; ChatGPT includes the queries that are requested."""


API = SupplierApi(
    name=SUPPLIER,
    base_url="https://api.cloro.dev",
    surfaces=frozenset(TASKS),
    locale=lambda surface: OF_GOOGLE if surface.startswith("google_") else frozenset({"country"}),
    authorization=lambda secret: f"Bearer {secret}",
    submit=submission,
    ticket=ticket,
    fetch=lambda _surface, task_id: SupplierCall(f"{PATH}/{quote(task_id)}"),
    state=state,
    parse=parse,
    charge=charge,
    notified=notified,
    credits=credits_of,
    region_of=states_of,
    repeatable=True,
)

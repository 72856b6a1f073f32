"""Queries SerpApi for AI surfaces: Google's AI Overview and AI Mode, and Copilot Search. Searches are synchronous.

Source: SerpApi documentation, AI Overview results and error statuses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from urllib.parse import quote, urlencode

from engines.engine import EngineAnswer, Exchange, LocaleField, Question, SupplierCost
from engines.suppliers.blocks import blocks_in, cards_of, links_of, texts, without_chips
from engines.suppliers.locations import place_name, place_of
from engines.suppliers.placeholders import absent_by, is_placeholder, not_loaded, without_placeholders
from engines.suppliers.sighting import (
    Sighting,
    answer_of,
    have_addresses,
    readings,
    sources,
    union,
    utc_time,
)
from engines.suppliers.supplier_api import SupplierApi, SupplierCall, questioned, without_empty
from engines.transport import body
from engines.transport.body import JsonObject
from engines.transport.refusals import reported

PARSER = "serpapi/4"
SUPPLIER = "serpapi"
SURFACES_BY_ENGINE: Mapping[str, str] = {
    "google": "google_ai_overview",
    "google_ai_overview": "google_ai_overview",
    "google_ai_mode": "google_ai_mode",
    "bing_copilot": "bing_copilot",
}
IMPORTED = "import:"
NO_RESULTS = "hasn't returned any results"


def parse(_question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
    """Return the answer in the last exchange; a deferred overview needs a second search, which omits the question."""
    first, last = body.decode(exchanges[0].body), body.decode(exchanges[-1].body)
    request = body.child(first, "search_parameters") or body.decode(exchanges[0].request_body or b"{}")
    seen = read(last, request)
    return answer_of(replace(seen, cost=charge(exchanges)), exchanges, PARSER)


def charge(exchanges: Sequence[Exchange]) -> SupplierCost | None:
    """Return the searches charged: one that succeeded counts, and no body has further details."""
    made = [exchange for exchange in exchanges if not exchange.url.startswith(IMPORTED)]
    return SupplierCost(Decimal(sum(readings(made, _succeeded))), "credits") if made else None


def _succeeded(document: JsonObject) -> bool:
    metadata = body.child(document, "search_metadata") or {}
    return body.string(metadata, "status") == "Success"


def bodies(document: JsonObject) -> list[JsonObject]:
    """Return the body as the only search."""
    return [document]


def deferred(document: JsonObject) -> str | None:
    """Return the token of an overview that a second search must fetch immediately, or None."""
    overview = body.child(document, "ai_overview") or {}
    return None if overview.get("text_blocks") else body.string(overview, "page_token")


def read(document: JsonObject, request: JsonObject) -> Sighting:
    """Parse a search. Raises EngineError for one that failed and for an overview that did not load."""
    sent = body.child(document, "search_parameters") or request
    engine = body.string(sent, "engine") or "google"
    surface = SURFACES_BY_ENGINE.get(engine)
    if surface is None:
        raise body.malformed("search_parameters.engine names no surface that is known")
    metadata = body.child(document, "search_metadata") or {}
    moment = body.string(metadata, "processed_at") or body.string(metadata, "created_at")
    about = Sighting(
        surface,
        SUPPLIER,
        prompt=body.string(sent, "q") or body.string(request, "q"),
        observed_at=utc_time(moment),
        locale_sent=_place({**request, **sent}),
        task_id=body.string(metadata, "id"),
    )
    error = body.string(document, "error")
    if error is not None:
        if NO_RESULTS in error:
            return replace(about, absent_reason="no_results")
        if is_placeholder(error):
            return replace(about, absent_reason=absent_by(error))
        raise reported(error)
    if (body.string(metadata, "status") or "Success") != "Success":
        raise reported(f"status {body.string(metadata, 'status')}")
    if surface != "google_ai_overview":
        return _answered(about, document)
    if "ai_overview" not in document:
        return replace(about, absent_reason="none")
    return _answered(about, body.child(document, "ai_overview") or {})


def _place(sent: JsonObject) -> Mapping[str, str]:
    place: dict[str, str] = {}
    place |= place_of(body.string(sent, "location") or "")
    if country := body.string(sent, "gl"):
        place["country"] = country.upper()
    if language := body.string(sent, "hl"):
        place["language"] = language
    if device := body.string(sent, "device"):
        place["device"] = device
    return place


def _answered(about: Sighting, answer: JsonObject) -> Sighting:
    error = body.string(answer, "error")
    if error is not None:
        if is_placeholder(error):
            return replace(about, absent_reason=absent_by(error))
        raise reported(error)
    pieces = texts(body.items(answer, "text_blocks"))
    if reason := absent_by("\n".join(pieces)):
        return replace(about, absent_reason=reason)
    listed = body.children(answer, "references")
    text = without_chips(without_placeholders("\n\n".join(pieces)), listed)
    if not text.strip():
        raise not_loaded()
    blocks = list(blocks_in(body.items(answer, "text_blocks")))
    marked = {index for block in blocks for index in body.items(block, "reference_indexes")}
    in_text = [reference for place, reference in enumerate(listed) if _index(reference, place) in marked]
    return replace(
        about,
        text=text,
        cited=union(
            sources(listed, "panel", "link"),
            sources(in_text, "inline", "link"),
            sources(links_of(blocks), "inline"),
        ),
        # A missing list is not an empty one: the sources of such an answer are unknown.
        resolved=answer.get("references") is not None and have_addresses(listed, "link"),
        cards=cards_of(answer, blocks),
    )


def _index(reference: JsonObject, place: int) -> int:
    """Return the number by which blocks refer to a source: its own, else its position in the list."""
    index = body.whole(reference, "index")
    return place if index is None else index


ENGINES_BY_SURFACE: Mapping[str, str] = {
    "google_ai_overview": "google",
    "google_ai_mode": "google_ai_mode",
    "bing_copilot": "bing_copilot",
}
LONGEST_QUESTION = 1500
"""Characters that fit in a URL."""
OF_GOOGLE: frozenset[LocaleField] = frozenset({"country", "language", "region", "city", "device"})


def submission(question: Question, surface: str) -> SupplierCall:
    """Return the search for one question, bypassing the provider's cache so that repeats are independent."""
    asked: dict[str, object] = {
        "engine": ENGINES_BY_SURFACE[surface],
        "q": questioned(question, LONGEST_QUESTION),
        "no_cache": "true",
    }
    if surface.startswith("google_"):
        asked |= without_empty(
            {
                "gl": question.country.lower() if question.country else None,
                "hl": question.language.partition("-")[0] if question.language else None,
                "location": place_name(question),
                "device": question.device,
            }
        )
    return SupplierCall(f"/search.json?{urlencode(asked)}")


def further(document: JsonObject) -> SupplierCall | None:
    """Return the second search for a deferred overview; its token expires within minutes."""
    token = deferred(document)
    if token is None:
        return None
    return SupplierCall("/search.json?" + urlencode({"engine": "google_ai_overview", "page_token": token}))


def _no_task(_document: JsonObject) -> str:
    raise body.malformed("a search opens no task")


API = SupplierApi(
    name=SUPPLIER,
    base_url="https://serpapi.com",
    surfaces=frozenset(ENGINES_BY_SURFACE),
    locale=lambda surface: OF_GOOGLE if surface.startswith("google_") else frozenset(),
    authorization=lambda _secret: "",
    submit=submission,
    ticket=_no_task,
    fetch=lambda _surface, task_id: SupplierCall(f"/searches/{quote(task_id)}.json"),
    state=lambda _document: "done",
    parse=parse,
    charge=charge,
    credits=lambda surface: (1, 2 if surface == "google_ai_overview" else 1),
    at_once=frozenset(ENGINES_BY_SURFACE),
    further=further,
    key_field="api_key",
)

"""Queries Bright Data for AI surfaces: its collectors for apps and AI Mode, Google's results page for the overview.

Source: Bright Data documentation, AI scrapers; collectors' ids as `brightdata-sdk` 2.5.2 and public code have
them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import SplitResult, parse_qs, quote, urlencode, urlsplit

from engines.engine import EngineAnswer, Exchange, LocaleField, Question
from engines.suppliers.blocks import blocks_in, cards_of, links_of, texts, without_chips
from engines.suppliers.placeholders import absent_by, not_loaded, without_placeholders
from engines.suppliers.sighting import (
    Sighting,
    answer_of,
    have_addresses,
    sources,
    union,
    utc_time,
)
from engines.suppliers.supplier_api import SupplierApi, SupplierCall, TaskState, questioned, without_empty
from engines.transport import body
from engines.transport.body import JsonObject
from engines.transport.refusals import reported

PARSER = "brightdata/4"
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
COLLECTORS: Mapping[str, tuple[str, str]] = {
    "chatgpt_app": ("gd_m7aof0k82r803d5bjm", "https://chatgpt.com/"),
    "perplexity_app": ("gd_m7dhdot1vw9a7gc1n", "https://www.perplexity.ai/"),
    "copilot": ("gd_m7di5jy6s9geokz8w", "https://copilot.microsoft.com/"),
    "gemini_app": ("gd_mbz66arm2mf9cu856y", "https://gemini.google.com/"),
    "google_ai_mode": ("gd_mcswdt6z2elth3zqr2", "https://www.google.com/"),
}
"""The collector of each AI surface, and the URL that it receives."""
TEXT_FIELDS = ("answer_text_markdown", "answer_text")


def parse(_question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
    """Return the answer in the last exchange, whose body is a record or a list that contains it."""
    document = body.decode_any(exchanges[-1].body)
    records = document if isinstance(document, list) else [document]  # pyright: ignore[reportUnknownVariableType]
    if not records or not isinstance(records[0], dict):
        raise body.malformed("the body holds no record")
    sent = body.decode_any(exchanges[0].request_body or b"{}")
    first = sent[0] if isinstance(sent, list) and sent else sent  # pyright: ignore[reportUnknownVariableType]
    request: JsonObject = first if isinstance(first, dict) else {}  # pyright: ignore[reportUnknownVariableType]
    return answer_of(read(records[0], request), exchanges, PARSER)  # pyright: ignore[reportUnknownArgumentType]


def bodies(document: JsonObject) -> list[JsonObject]:
    """Return the body as the only record."""
    return [document]


def read(record: JsonObject, request: JsonObject) -> Sighting:
    """Parse one record; its input comes from the record, else from `request`. Raises EngineError if it failed."""
    if "ai_overview" in record or "general" in record:
        return _overview(record, request)
    if "aio_text" in record:
        return _collected_overview(record, request)
    given = body.child(record, "input") or record
    url = body.string(given, "url") or body.string(request, "url") or ""
    surface = HOSTS.get(_parts(url).hostname or "")
    if surface is None:
        raise body.malformed("url names no surface that is known")
    about = Sighting(
        surface,
        SUPPLIER,
        prompt=body.string(given, "prompt") or body.string(request, "prompt"),
        observed_at=utc_time(body.string(record, "timestamp") or body.string(record, "prompt_sent_at")),
        locale_sent=_country(body.string(given, "country") or body.string(request, "country")),
    )
    _raise_failure(record)
    return _answered(about, record)


def _raise_failure(record: JsonObject) -> None:
    """Raise EngineError if a record or a results page reports a failure, or was served as an error page."""
    said = [record.get(name) for name in ("error_code", "error", "errors")]
    statuses = (body.whole(record, name) for name in ("status_code", "http_status", "status"))
    status = next((status for status in statuses if status and status >= 400), None)
    if status or any(said):
        raise reported(": ".join(str(words) for words in (status, *said) if words))


def _parts(url: str) -> SplitResult:
    """Return the parts of a URL. Raises EngineError if it is invalid."""
    try:
        return urlsplit(url)
    except ValueError:
        raise body.malformed("url is no address") from None


def _country(country: str | None) -> Mapping[str, str]:
    return {"country": country.upper()} if country else {}


def _language(language: str | None) -> Mapping[str, str]:
    return {"language": language} if language else {}


def _answered(about: Sighting, record: JsonObject) -> Sighting:
    text = next((text for name in TEXT_FIELDS if (text := body.string(record, name))), "")
    if about.surface.startswith("google_"):
        if reason := absent_by(text):
            return replace(about, absent_reason=reason)
        text = without_placeholders(text)
    text = without_chips(text, body.children(record, "citations"))
    return replace(
        about,
        text=text,
        cited=union(
            sources(body.children(record, "citations"), "panel"),
            sources(body.children(record, "links_attached"), "inline"),
        ),
        retrieved=union(sources(body.children(record, "search_sources"), "search_result")),
        resolved=have_addresses(body.children(record, "citations")),
        queries=_queries(record),
        model=body.string(record, "model"),
    )


def _queries(record: JsonObject) -> tuple[str, ...]:
    listed = record.get("web_search_query")
    if not isinstance(listed, list):
        return ()
    return tuple(dict.fromkeys(body.strings(record, "web_search_query")))


def _overview(page: JsonObject, request: JsonObject) -> Sighting:
    """Parse the overview on a results page; a page without one shows that there was none."""
    general = body.child(page, "general") or {}
    address = (
        body.string(request, "url") or body.string(body.child(page, "input") or {}, "original_url") or ""
    )
    asked = parse_qs(_parts(address).query)
    about = Sighting(
        "google_ai_overview",
        SUPPLIER,
        prompt=body.string(general, "query") or next(iter(asked.get("q", [])), None),
        observed_at=utc_time(body.string(general, "timestamp")),
        locale_sent={
            **_country(body.string(general, "country_code") or next(iter(asked.get("gl", [])), None)),
            **_language(next(iter(asked.get("hl", [])), None) or body.string(general, "language")),
        },
    )
    for part in (page, general, body.child(page, "input") or {}):
        _raise_failure(part)
    if page.get("ai_overview") is None:
        return replace(about, absent_reason="none")
    overview = body.child(page, "ai_overview") or {}
    _raise_failure(overview)
    blocks = list(blocks_in(body.items(overview, "texts")))
    shown = _shown(about, "\n\n".join(texts(body.items(overview, "texts"))), overview, "references", "href")
    marked = {index for block in blocks for index in body.items(block, "reference_indexes")}
    in_text = [
        reference
        for place, reference in enumerate(body.children(overview, "references"))
        if reference.get("index", place) in marked
    ]
    return replace(
        shown,
        cited=union(shown.cited, sources(in_text, "inline", "href"), sources(links_of(blocks), "inline")),
        cards=cards_of(overview, blocks),
    )


def _shown(about: Sighting, text: str, owner: JsonObject, field: str, url: str) -> Sighting:
    """Return the observation of an overview with this text, whose sources are in a field of `owner`."""
    if reason := absent_by(text):
        return replace(about, absent_reason=reason)
    listed = body.children(owner, field)
    text = without_chips(without_placeholders(text), listed)
    if not text.strip():
        raise not_loaded()
    return replace(
        about,
        text=text,
        cited=union(sources(listed, "panel", url)),
        # A missing list is not an empty one: the sources of such an answer are unknown.
        resolved=owner.get(field) is not None and have_addresses(listed, url),
    )


def _collected_overview(record: JsonObject, request: JsonObject) -> Sighting:
    """Parse a row of the data set of results pages, whose `aio_text` is null if no overview was shown."""
    about = Sighting(
        "google_ai_overview",
        SUPPLIER,
        prompt=body.string(record, "keyword") or body.string(request, "keyword"),
        observed_at=utc_time(body.string(record, "timestamp")),
        locale_sent={
            **_country(body.string(record, "country")),
            **_language(body.string(record, "language")),
        },
    )
    _raise_failure(record)
    text = body.string(record, "aio_text")
    if text is None:
        return replace(about, absent_reason="none")
    field = next((name for name in ("aio_citations", "aio_references") if name in record), "citations")
    return _shown(about, text, record, field, "url")


LONGEST_QUESTION = 4000
"""Characters. A results page is requested by its URL, which has room for fewer."""
LONGEST_SEARCH = 1500
DATASETS = "/datasets/v3"
ENDED = frozenset({"failed", "error", "canceled", "cancelled"})
OF_PAGES: frozenset[LocaleField] = frozenset({"country", "language"})
OF_COLLECTORS: frozenset[LocaleField] = frozenset({"country"})


def submission(question: Question, surface: str, zone: str) -> SupplierCall:
    """Return the task for one question: a record to collect, or the URL of a results page."""
    if surface in COLLECTORS:
        dataset, address = COLLECTORS[surface]
        given = {
            "url": address,
            "prompt": questioned(question, LONGEST_QUESTION),
            "country": question.country,
            "index": 1,
            "web_search": True if surface == "chatgpt_app" else None,
        }
        options = urlencode({"dataset_id": dataset, "include_errors": "true", "format": "json"})
        return SupplierCall(f"{DATASETS}/trigger?{options}", [without_empty(given)])
    place = {"gl": question.country, "hl": question.language and question.language.partition("-")[0]}
    asked = without_empty({"q": questioned(question, LONGEST_SEARCH), **place})
    address = "https://www.google.com/search?" + urlencode({**asked, "brd_json": "1", "brd_ai_overview": "2"})
    return SupplierCall("/request", {"zone": zone, "url": address, "format": "raw"})


def notified(call: SupplierCall, address: str) -> SupplierCall:
    """Return the submission with the callback URL for when its snapshot is ready."""
    return replace(call, path=f"{call.path}&{urlencode({'notify': address})}")


def state(document: JsonObject) -> TaskState:
    """Return the progress of a snapshot; undocumented states mean work. Raises EngineError if it failed."""
    said = (body.string(document, "status") or "").lower()
    if said in ENDED:
        raise reported(f"status {said}")
    return "done" if said == "ready" else "working"


def api(zone: str) -> SupplierApi:
    """Return the data provider's API; `zone` is the account's own name for its access to results pages."""
    return SupplierApi(
        name=SUPPLIER,
        base_url="https://api.brightdata.com",
        surfaces=frozenset({"google_ai_overview", *COLLECTORS}),
        locale=lambda surface: OF_COLLECTORS if surface in COLLECTORS else OF_PAGES,
        authorization=lambda secret: f"Bearer {secret}",
        submit=lambda question, surface: submission(question, surface, zone),
        ticket=lambda document: body.required(document, "snapshot_id"),
        fetch=lambda _surface, task_id: SupplierCall(f"{DATASETS}/progress/{quote(task_id)}"),
        state=state,
        result=lambda _surface, task_id: SupplierCall(f"{DATASETS}/snapshot/{quote(task_id)}?format=json"),
        cancel=lambda _surface, task_id: SupplierCall(f"{DATASETS}/snapshot/{quote(task_id)}/cancel", {}),
        parse=parse,
        notified=notified,
        at_once=frozenset({"google_ai_overview"}),
        per_minute=120,
        # After 25 rejected requests in five minutes, the data provider imposes a block that only its staff can lift.
        rest_seconds=60.0,
    )

"""DataForSEO: opens a task for each question, and queries those that are done.

Source: models of the official client `dataforseo-client` 2.1.10; DataForSEO documentation, appendix on
errors.
"""

import base64
from collections.abc import Mapping
from dataclasses import replace
from typing import cast
from urllib.parse import quote

from engines.engine import LocaleField, Question
from engines.errors import EngineErrorCode
from engines.suppliers.dataforseo_answers import DONE, NO_RESULTS, SUPPLIER, charge, failure, parse, tasks_of
from engines.suppliers.locations import location_code, place_name
from engines.suppliers.supplier_api import (
    SupplierApi,
    SupplierCall,
    TaskState,
    questioned,
    unsupported,
    without_empty,
)
from engines.transport import body
from engines.transport.body import JsonObject

PENDING = frozenset({20100, 40601, 40602})
"""Created, forwarded, queued."""


TASK_PATHS: Mapping[str, str] = {
    "google_ai_overview": "/v3/serp/google/organic",
    "google_ai_mode": "/v3/serp/google/ai_mode",
    "chatgpt_app": "/v3/ai_optimization/chat_gpt/llm_scraper",
    "gemini_app": "/v3/ai_optimization/gemini/llm_scraper",
    "bing_copilot": "/v3/serp/bing/organic",
}
SEARCHES = frozenset({"google_ai_overview", "google_ai_mode", "bing_copilot"})
"""AI surfaces on a page of results; the others are chats."""
OF_CHATS: frozenset[LocaleField] = frozenset({"country", "language", "region", "city"})
OF_SEARCHES: frozenset[LocaleField] = frozenset({*OF_CHATS, "device"})
LONGEST_SEARCH, LONGEST_QUESTION = 700, 2000


def submission(question: Question, surface: str) -> SupplierCall:
    """Return the task for one question. Country and language are required; a keyword is URL-decoded once.

    A city is sent by its name within its country; the data provider rejects unknown ones.
    """
    is_search = surface in SEARCHES
    text = questioned(question, LONGEST_SEARCH if is_search else LONGEST_QUESTION)
    place = location_code(question.country) if question.country else None
    if place is None or question.language is None:
        raise unsupported(
            EngineErrorCode.UNSUPPORTED_LOCALE,
            "DataForSEO asks from a country and in a language: give the prompt set both.",
        )
    city = place_name(question)
    task = {
        "keyword": text.replace("%", "%25").replace("+", "%2B"),
        "location_code": place if city is None else None,
        "location_name": city,
        "language_code": question.language.partition("-")[0],
        "tag": question.ask_key,
        "device": question.device if is_search else None,
        "load_async_ai_overview": True if surface == "google_ai_overview" else None,
        "force_web_search": True if surface == "chatgpt_app" else None,
    }
    return SupplierCall(f"{TASK_PATHS[surface]}/task_post", [without_empty(task)])


def notified(call: SupplierCall, address: str) -> SupplierCall:
    """Return the submission with the callback URL for when its task is done.

    A pingback is used because it carries no answer: a task whose answer was posted back is no longer in any
    list of finished tasks.
    """
    tasks = cast(list[dict[str, object]], call.body)
    return replace(call, body=[{**task, "pingback_url": address} for task in tasks])


def ticket(document: JsonObject) -> str:
    """Return the id of the task that was opened. Raises EngineError if it was rejected."""
    tasks = tasks_of(document)
    if not tasks:
        raise body.malformed("tasks is missing or empty")
    status = body.whole(tasks[0], "status_code")
    if status not in PENDING and status != DONE:
        raise failure(status, body.string(tasks[0], "status_message"))
    return body.required(tasks[0], "id")


def state(document: JsonObject) -> TaskState:
    """Return the progress of a task. Raises EngineError for a permanent failure."""
    tasks = tasks_of(document)
    status = body.whole(tasks[0], "status_code") if tasks else None
    if status in PENDING:
        return "queued"
    if status in (DONE, NO_RESULTS):
        return "done"
    raise failure(status, body.string(tasks[0], "status_message") if tasks else None)


def found(document: JsonObject, ask_key: str) -> str | None:
    """Return the id of the task whose tag is an ask key, from the list of finished tasks."""
    ready = (entry for task in tasks_of(document) for entry in body.children(task, "result"))
    return next((body.string(entry, "id") for entry in ready if entry.get("tag") == ask_key), None)


API = SupplierApi(
    name=SUPPLIER,
    base_url="https://api.dataforseo.com",
    surfaces=frozenset(TASK_PATHS),
    locale=lambda surface: OF_SEARCHES if surface in SEARCHES else OF_CHATS,
    authorization=lambda secret: "Basic " + base64.b64encode(secret.encode()).decode(),
    submit=submission,
    ticket=ticket,
    fetch=lambda surface, task_id: SupplierCall(f"{TASK_PATHS[surface]}/task_get/advanced/{quote(task_id)}"),
    state=state,
    parse=parse,
    charge=charge,
    find=lambda surface: SupplierCall(f"{TASK_PATHS[surface]}/tasks_ready"),
    found=found,
    notified=notified,
    per_minute=1500,
    # The list may be requested 20 times a minute; half of that leaves room for a second process.
    find_seconds=6.0,
)

"""The page that finds pages, brands and questions by their words; Ctrl-K shows the same over any page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from web.request import MOST_SETS, PageRequest

LONGEST_QUERY = 100
MOST_FOUND = 12
"""Questions that are listed; the page of prompts has all."""
OF_BRAND = (
    ("", "Overview"),
    ("/score", "Score"),
    ("/prompts", "Prompts"),
    ("/answers", "Answers"),
    ("/sources", "Sources"),
    ("/crawlers", "Crawlers"),
    ("/competitors", "Competitors"),
    ("/suggestions", "Names to track"),
    ("/actions", "Actions"),
    ("/content", "Content"),
    ("/report", "Report"),
    ("/monitors", "Monitors"),
    ("/audit", "Matching audit"),
    ("/readiness", "Readiness side by side"),
)
OF_COMPANY = (
    ("/", "Brands"),
    ("/automation", "Automation"),
    ("/readiness", "Readiness"),
    ("/notifications", "Notifications"),
    ("/issues", "Issues"),
    ("/settings/keys", "API keys"),
    ("/settings/apps", "Connected apps"),
    ("/settings/engines", "Engine keys"),
    ("/settings/budget", "Credits and budget"),
    ("/settings/data", "Data: export, delete a brand"),
    ("/settings/shared", "Shared reports"),
    ("/settings/notifications", "Choice of notifications"),
    ("/settings/webhooks", "Webhooks"),
    ("/settings/people", "People"),
    ("/settings/profile", "Profile and password"),
    ("/connect", "Connect"),
    ("/help", "Guide"),
)

SHORTCUTS = (
    ("Ctrl K", "Find a page, a brand or a prompt"),
    ("?", "Show these shortcuts"),
    ("J", "Next answer, while reading answers"),
    ("K", "Previous answer"),
    ("← →", "Day before or after, in a chart"),
    ("Esc", "Close a dialog or the values of a chart"),
)


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """A place that can be opened, and what kind of thing it is."""

    address: str
    name: str
    kind: str


async def show_find(request: PageRequest) -> Response:
    """List the places that hold all words of the query; without words, the pages and the brands."""
    words = request.http.query_params.get("q", "").strip()[:LONGEST_QUERY]
    navigation = request.navigation
    brand = navigation.brand if navigation else None
    places = [
        *(FoundPlace(f"/brands/{brand.id}{path}", name, brand.name) for path, name in OF_BRAND if brand),
        *(FoundPlace(path, name, "Page") for path, name in OF_COMPANY),
        *(
            FoundPlace(f"/brands/{other.id}", other.name, "Brand")
            for other in (navigation.brands if navigation else ())
        ),
    ]
    if words and brand:
        places += await _find_questions(request, brand.id, words)
    found = [place for place in places if holds(place.name, words)]
    return request.render("find/find.html", words=words, found=found, brand=brand, shortcuts=SHORTCUTS)


async def _find_questions(request: PageRequest, brand_id: str, words: str) -> Sequence[FoundPlace]:
    """Return questions of the brand's sets that hold the words."""
    listed = await request.call_tool(
        "list_prompt_sets", brandId=brand_id, includePrompts=True, limit=MOST_SETS
    )
    sets: list[dict[str, Any]] = listed["promptSets"] if listed else []
    questions = {
        prompt["promptId"]: prompt["text"]
        for prompt_set in sets
        for prompt in prompt_set["prompts"] or ()
        if holds(prompt["text"], words)
    }
    return [
        FoundPlace(f"/brands/{brand_id}/prompts/{prompt_id}?period=all", text, "Question")
        for prompt_id, text in list(questions.items())[:MOST_FOUND]
    ]


def holds(text: str, words: str) -> bool:
    """Return whether a text holds all words of a query, ignoring case."""
    folded = text.casefold()
    return all(word in folded for word in words.casefold().split())

"""The page of a brand's monitors: the last result of each, its next run, and what it found."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from web.errors import PageNotFound
from web.request import PageRequest

QUESTIONS = {
    "crawler_check": "Can the pages of the site be read?",
    "content_gap_monitor": "Is there a text for what buyers ask?",
    "bot_access_monitor": "May AI engines read the site?",
}
STATUSES = {
    "ok": ("nothing found", "good"),
    "issues": ("something found", "warn"),
    "error": ("check failed", "bad"),
    "skipped": ("nothing to check", ""),
    "pending": ("not checked yet", ""),
}
"""A monitor's state in words, with the style of its mark."""
TIERS = {
    "search": "Engines that answer with web search",
    "user": "Agents that fetch a page for a person",
    "training": "Collectors of training data",
}


async def render_monitors(
    request: PageRequest, profile: Mapping[str, Any], status: int, **rules: object
) -> Response:
    """Render the latest result of each monitor of a brand, and its alert rules."""
    seen = await request.call_tool("get_monitoring_results", brandId=profile["id"])
    if seen is None:
        raise PageNotFound
    return request.render(
        "automation/monitors.html",
        status,
        brand=profile,
        monitors=seen["results"],
        questions=QUESTIONS,
        statuses=STATUSES,
        tiers=TIERS,
        **rules,
    )

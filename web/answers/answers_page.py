"""The page of a brand's answers, filtered by what they say; the address holds the filters."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from web.errors import PageNotFound
from web.request import PageRequest
from web.table_export import list_response
from web.view_filters import ViewFilters, count_pages, parse_page_number

PAGE_SIZE = 20
LONGEST_VALUE = 2000
LONGEST_SEARCH = 200
OUTCOMES = {
    "": "All",
    "names_us": "Mentions us",
    "rival_instead": "Competitor only",
    "nobody": "No tracked brand",
    "cites_us": "Cites our site",
}
MORE_OUTCOMES = {
    "recommended": "Recommends us",
    "warned_against": "Warns against us",
    "positive": "Positive tone",
    "neutral": "Neutral tone",
    "negative": "Negative tone",
    "contradicts": "Contradicts a fact",
    "truncated": "Cut off",
    "left_out": "Not counted",
}
BEHIND_FIGURES = {"judged": "judged", "anybody": "mentions a tracked brand"}
"""Outcomes that figures of other pages open, with their labels here."""
NARROWING = ("outcome", "promptId", "competitor", "source", "counted", "known", "calculation", "contains")
"""Fields of the URL that narrow the list, in addition to the filters that all pages share."""


@dataclass(frozen=True, slots=True)
class NarrowedAnswers:
    """What narrows the list: arguments of the tool, and the label of each with the field that removes it."""

    arguments: Mapping[str, Any]
    words: Mapping[str, str]
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerList:
    """One page of a brand's answers with the filters that it was read with."""

    view: ViewFilters
    narrowed: NarrowedAnswers
    result: Mapping[str, Any]
    number: int

    @property
    def pages(self) -> int:
        """Number of pages."""
        return count_pages(self.result["total"], PAGE_SIZE)

    def opened(self, answer_id: str) -> str:
        """Return the address of one answer with this list beside it."""
        page = self.number if self.number > 1 else ""
        return self.view.address(f"/answers/{answer_id}", **self.view.kept, page=page)


async def load_list(request: PageRequest, brand_id: str, query: Mapping[str, str]) -> AnswerList:
    """Load the page of answers that a query describes, newest first. Raises PageNotFound."""
    path = f"/brands/{brand_id}/answers"
    view = await request.read_view(brand_id, kept=NARROWING, default_period="all", path=path, query=query)
    narrowed = await _read_narrowing(request, brand_id, view)
    number = parse_page_number(query.get("page"))
    listed = await request.call_tool(
        "list_answers",
        brandId=brand_id,
        limit=PAGE_SIZE,
        offset=(number - 1) * PAGE_SIZE,
        **view.arguments,
        **narrowed.arguments,
    )
    if listed is None:
        raise PageNotFound
    return AnswerList(view, narrowed, listed, number)


async def show_answers(request: PageRequest) -> Response:
    """List answers, newest first."""
    profile = await request.load_brand()
    listed = await load_list(request, profile["id"], request.http.query_params)
    return request.render(
        "answers/answers.html",
        brand=profile,
        listed=listed,
        view=listed.view,
        narrowed=listed.narrowed,
        answers=listed.result["answers"],
        total=listed.result["total"],
        prompts=listed.result["prompts"],
        mentions=await _count_mentions(request, profile["id"], listed.view, listed.narrowed),
        outcomes=OUTCOMES,
        more_outcomes=MORE_OUTCOMES,
        outcome=listed.narrowed.arguments.get("outcome", ""),
    )


async def _count_mentions(
    request: PageRequest, brand_id: str, view: ViewFilters, narrowed: NarrowedAnswers
) -> int | None:
    """Return how many mentions the share of voice of these days counts in its answers; None of any other list."""
    if narrowed.arguments != {"outcome": "anybody", "counted": True}:
        return None
    if view.since != view.until:
        compared = await request.call_tool("compare_periods", brandId=brand_id, limit=1, **view.arguments)
        ratios: list[dict[str, Any]] = compared["ratios"] if compared else []
        return next((row["after"]["units"] for row in ratios if row["metric"] == "shareOfVoice"), None)
    day = await request.call_tool(
        "get_metric_trend", brandId=brand_id, metricName="shareOfVoice", **view.arguments
    )
    return sum(point["answers"] for point in day["points"]) if day else None


async def export_answers(request: PageRequest) -> Response:
    """Give the answers of the view as CSV or JSON."""
    profile = await request.load_brand()
    view = await request.read_view(profile["id"], kept=NARROWING, default_period="all")
    narrowed = await _read_narrowing(request, profile["id"], view)

    async def load(limit: int, offset: int) -> dict[str, Any] | None:
        return await request.call_for_file(
            "list_answers",
            brandId=profile["id"],
            limit=limit,
            offset=offset,
            **view.arguments,
            **narrowed.arguments,
        )

    columns = ("captured_at", "engine", "model", "mode", "prompt", "names", "quote", "not_counted", "answer")

    def row_of(answer: dict[str, Any]) -> tuple[object, ...]:
        return (
            answer["capturedAt"],
            answer["platform"],
            answer["servedModel"],
            answer["mode"],
            answer["prompt"],
            "; ".join(named["name"] for named in answer["names"]),
            answer["quote"] or answer["excerpt"],
            "; ".join(answer["leftOut"]),
            f"{request.services.base_url}/answers/{answer['answerId']}",
        )

    return await list_response(request.http.url.path, "answers", columns, load, "answers", row_of)


async def _read_narrowing(request: PageRequest, brand_id: str, view: ViewFilters) -> NarrowedAnswers:
    """Read what the address narrows the list to."""
    typed = {name: value[:LONGEST_VALUE] for name, value in view.kept.items()}
    arguments: dict[str, Any] = {}
    words: dict[str, str] = {}
    faults: list[str] = []
    outcome = typed.get("outcome", "")
    if outcome and outcome in {**OUTCOMES, **MORE_OUTCOMES, **BEHIND_FIGURES}:
        arguments["outcome"] = outcome
    if outcome in BEHIND_FIGURES:
        words["outcome"] = BEHIND_FIGURES[outcome]
    if typed.get("promptId"):
        arguments["promptId"] = typed["promptId"]
        words["promptId"] = "one prompt"
    if typed.get("competitor"):
        arguments["competitor"] = typed["competitor"]
        words["competitor"] = f"mentions {typed['competitor']}"
    if typed.get("source"):
        arguments["source"] = typed["source"]
        words["source"] = f"cites {typed['source']}"
    if typed.get("counted") == "1":
        arguments["counted"] = True
        words["counted"] = "counted"
    if typed.get("known") == "1":
        arguments["citationsKnown"] = True
        words["known"] = "sources known"
    if typed.get("contains", "").strip():
        arguments["contains"] = typed["contains"].strip()[:LONGEST_SEARCH]
        words["contains"] = f"contains “{arguments['contains']}”"
    if typed.get("calculation"):
        country = {"country": view.values["country"]} if "country" in view.values else {}
        score = await request.call_tool("get_ai_visibility_score", brandId=brand_id, **country)
        if score is not None and score["measurement"]["receiptId"] == typed["calculation"]:
            arguments["batchIds"] = score["measurement"]["batchIds"]
            words["calculation"] = "behind the newest score"
        else:
            faults.append(
                "This score has been recalculated since. The list shows all answers, not only the ones behind it."
            )
    return NarrowedAnswers(arguments, words, tuple(faults))

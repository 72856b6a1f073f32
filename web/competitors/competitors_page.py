"""Competitor comparison: a brand head to head with each competitor on the same answers, and names to track."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from measurement.planning.competitor_suggestions import suggested
from web.overview.figures import METRICS
from web.overview.overview_page import MOST_LINES, load_annotations, load_measured_trend
from web.overview.trend_chart import chart_events, draw_trend
from web.request import PageRequest
from web.table_export import table_response
from web.view_filters import ViewFilters, count_pages, parse_page_number

PAGE_SIZE = 12
"""Competitors per page and export; each one takes separate tool calls."""
CHANGED = "changed"
POINTS = 100
OUTCOMES = {
    "win": "won",
    "tie": "tied",
    "loss": "lost",
    "absent": "neither",
    "not_measured": "not measured",
}
PAIR_COLUMNS = (
    "competitor",
    *(label.replace(" ", "_") for label in OUTCOMES.values()),
    "mentions",
    "with_us",
    "without_us",
)
SHARE_COLUMNS = (
    "brand",
    "named",
    "answers",
    "share",
    "share_low",
    "share_high",
    "change",
    "difference",
    "difference_low",
    "difference_high",
)
RANKING_COLUMNS = (
    "brand",
    "rank",
    "tied_with_above",
    "score",
    "score_low",
    "score_high",
    "all_prompts_low",
    "all_prompts_high",
    "named_share",
    "rank_before",
)


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """One competitor: prompts by outcome against it, and the answers that name it with or without the brand."""

    name: str
    outcomes: dict[str, int]
    named: int
    instead: int

    @property
    def together(self) -> int:
        """Number of answers that name both the competitor and the brand."""
        return max(0, self.named - self.instead)


async def show_competitors(request: PageRequest) -> Response:
    """Show shares over time, the ranking, the head-to-head pairs, and the number of suggested names to review."""
    profile = await request.load_brand()
    view = await request.read_view(profile["id"], kept=("page",))
    annotations, trend, ranking, shares, own_change, pairs = await asyncio.gather(
        load_annotations(request, profile["id"]),
        load_measured_trend(request, profile["id"], view, METRICS["shareOfVoice"], with_rivals=True),
        _load_ranking(request, profile["id"], view),
        _load_shares(request, profile["id"], view),
        _load_own_change(request, profile["id"], view),
        _load_pairs(request, profile, view),
    )
    lines = dict(list(trend.competitors.items())[:MOST_LINES])
    several = len(trend.points) > 1
    events = chart_events(trend.model_changes, (), trend.question_changes, annotations)
    return request.render(
        "competitors/competitors.html",
        view=view,
        brand=profile,
        chart=draw_trend(trend.metric, trend.view, profile["name"], trend.points, lines, events)
        if several
        else "",
        own_change=own_change,
        rankings=ranking["rankings"] if ranking else [],
        receipt=ranking["measurement"]["receiptId"] if ranking and ranking["measurement"] else None,
        overall=shares["overall"] if shares else None,
        pairs=pairs,
        outcomes=OUTCOMES,
        number=_page_number(profile, view),
        pages=count_pages(len(profile["competitors"]), PAGE_SIZE),
        rereading=await request.is_read_anew(profile["id"]),
        waiting=await _count_suggestions(request, profile),
    )


async def export_pairs(request: PageRequest) -> Response:
    """Export the head-to-head results of the view as CSV or JSON, for the competitors on the page."""
    profile = await request.load_brand()
    view = await request.read_view(profile["id"], kept=("page",))
    rows = [
        (
            pair.name,
            *(pair.outcomes.get(outcome, 0) for outcome in OUTCOMES),
            pair.named,
            pair.together,
            pair.instead,
        )
        for pair in await _load_pairs(request, profile, view)
    ]
    return table_response(request.http.url.path, "competitors", PAIR_COLUMNS, rows)


async def export_ranking(request: PageRequest) -> Response:
    """Export the ranking by score as CSV or JSON, for the chosen engine and country as on the page."""
    profile = await request.load_brand()
    ranking = await _load_ranking(request, profile["id"], await request.read_view(profile["id"]))
    ranked: list[dict[str, Any]] = ranking["rankings"] if ranking else []
    rows = [
        (
            row["name"],
            row["rank"],
            "yes" if row["tiedWithAbove"] else "no",
            row["rankingScore"],
            *_bounds(row["intervals"], "thesePrompts"),
            *_bounds(row["intervals"], "allQuestions"),
            row["presence"],
            row["previousRank"],
        )
        for row in ranked
    ]
    return table_response(request.http.url.path, "ranking", RANKING_COLUMNS, rows)


async def export_shares(request: PageRequest) -> Response:
    """Export the share of answers that name the brand and each competitor, with the changes of competitors."""
    profile = await request.load_brand()
    view = await request.read_view(profile["id"])
    shares, own_change = await asyncio.gather(
        _load_shares(request, profile["id"], view), _load_own_change(request, profile["id"], view)
    )
    overall: dict[str, Any] | None = shares["overall"] if shares else None
    own = {"name": profile["name"], "change": own_change}
    named = [{**own, **overall["own"]}, *overall["rivals"]] if overall else []
    rows = [
        (
            row["name"],
            row["named"],
            overall["answers"] if overall else None,
            row["rate"],
            *_ends(row["interval"]),
            *_change_cells(row.get("change") if view.compares else None),
        )
        for row in named
    ]
    return table_response(request.http.url.path, "shares", SHARE_COLUMNS, rows)


def _change_cells(change: Mapping[str, Any] | None) -> tuple[object, ...]:
    """Return verdict, difference and interval as cells; empty when nothing is compared."""
    if change is None:
        return (None, None, None, None)
    return (change["verdict"], change["difference"], *_ends(change["interval"]))


def _ends(interval: Mapping[str, float] | None) -> tuple[float | None, float | None]:
    return (interval["low"], interval["high"]) if interval else (None, None)


async def _load_shares(request: PageRequest, brand_id: str, view: ViewFilters) -> dict[str, Any] | None:
    """Return how many answers of the view name the brand and each competitor, compared with the earlier period."""
    return await request.call_tool(
        "get_prompt_results", brandId=brand_id, limit=1, **view.arguments, **view.comparison_arguments
    )


async def _load_own_change(request: PageRequest, brand_id: str, view: ViewFilters) -> dict[str, Any] | None:
    """Return how the brand's own mention rate changed, in the form of its competitors' changes."""
    if not view.compares:
        return None
    compared = await request.call_tool(
        "compare_periods",
        brandId=brand_id,
        metric="presence",
        limit=1,
        **view.arguments,
        **view.comparison_arguments,
    )
    if compared is None:
        return None
    interval: dict[str, float] | None = compared["interval"]
    verdict = compared["verdict"]
    return {
        "verdict": ("rose" if compared["difference"] > 0 else "fell") if verdict == CHANGED else verdict,
        "difference": None if compared["difference"] is None else compared["difference"] / POINTS,
        "interval": {end: interval[end] / POINTS for end in ("low", "high")} if interval else None,
    }


async def _load_ranking(request: PageRequest, brand_id: str, view: ViewFilters) -> dict[str, Any] | None:
    """Return the ranking of the newest measurement for the view's engine and country, which is stored."""
    stored = {name: view.values[name] for name in ("platform", "country") if name in view.values}
    return await request.call_tool("get_competitor_rankings", brandId=brand_id, **stored)


def _bounds(intervals: Mapping[str, Any] | None, name: str) -> tuple[float | None, float | None]:
    return _ends(intervals[name] if intervals else None)


async def _load_pairs(
    request: PageRequest, profile: Mapping[str, Any], view: ViewFilters
) -> list[HeadToHead]:
    """Return the competitors on the view's page, in profile order."""
    first = (_page_number(profile, view) - 1) * PAGE_SIZE
    rivals = [rival["name"] for rival in profile["competitors"]][first : first + PAGE_SIZE]
    return await asyncio.gather(*(_load_pair(request, profile["id"], rival, view) for rival in rivals))


def _page_number(profile: Mapping[str, Any], view: ViewFilters) -> int:
    """Return the requested page number, limited to the last page."""
    return min(parse_page_number(view.kept.get("page")), count_pages(len(profile["competitors"]), PAGE_SIZE))


async def _load_pair(request: PageRequest, brand_id: str, rival: str, view: ViewFilters) -> HeadToHead:
    """Return the outcomes against one competitor, and how many answers name it with or without the brand."""
    results, instead = await asyncio.gather(
        request.call_tool(
            "get_prompt_results", brandId=brand_id, competitor=rival, limit=1, **view.arguments
        ),
        request.call_tool(
            "list_answers",
            brandId=brand_id,
            competitor=rival,
            counted=True,
            outcome="rival_instead",
            limit=1,
            **view.arguments,
        ),
    )
    named: list[dict[str, Any]] = results["overall"]["rivals"] if results else []
    return HeadToHead(
        rival,
        results["outcomes"] if results else {},
        next((row["named"] for row in named if row["name"] == rival), 0),
        instead["total"] if instead else 0,
    )


async def _count_suggestions(request: PageRequest, profile: dict[str, Any]) -> int:
    """Return the number of suggested names that wait to be tracked or dismissed."""
    services, company = request.services, request.signed_in.company_id
    brand = await services.database.workspace(company).brands.find(profile["id"])
    if brand is None:
        return 0
    return len((await suggested(services.database, company, brand, services.now())).of("suggested"))

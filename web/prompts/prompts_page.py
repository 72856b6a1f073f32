"""The matrix of prompts and engines: who is named where, with filters and sorts."""

import asyncio
from typing import Any
from urllib.parse import urlencode

from starlette.responses import Response

from web.errors import PageNotFound
from web.request import PageRequest, ToolFault
from web.table_export import list_response
from web.view_filters import ViewFilters, count_pages, parse_page_number

PAGE_SIZE = 20
"""With eight engines, a page of so many prompts stays below 120 KB."""
SORTS = ("gap", "rate", "change")
SAVED = {"archive": "Prompts archived.", "tag": "Tags added.", "tags": "Tags saved."}
"""Messages after a change, by what was done."""
CSV_COLUMNS = (
    "prompt",
    "outcome",
    "answers",
    "named",
    "rate",
    "rate_low",
    "rate_high",
    "average_rank",
    "top_competitor",
    "competitor_named",
    "change",
    "difference",
)
OUTCOMES = ("win", "tie", "loss", "absent", "not_measured")
GROUPINGS = {"tag": "tag", "intent": "intent"}
"""Fields of the filter bar by which prompts are grouped."""
MOST_GROUPS = 20


async def show_prompts(request: PageRequest) -> Response:
    """Show the result of each prompt on each engine."""
    return await render_prompts(request, await request.load_brand())


async def render_prompts(
    request: PageRequest, profile: dict[str, Any], fault: ToolFault | None = None
) -> Response:
    """Render the prompts of the URL's view, with the reason why a change was rejected."""
    view = await request.read_view(profile["id"], kept=("outcome", "sort", "rival", "group"))
    if view.kept.get("group") in GROUPINGS:
        return await _render_groups(request, profile, view, view.kept["group"])
    number = parse_page_number(request.http.query_params.get("page"))
    rivals = [rival["name"] for rival in profile["competitors"]]
    chosen = _read_choice(view, rivals)
    results = await request.call_tool(
        "get_prompt_results",
        brandId=profile["id"],
        byPlatform=True,
        limit=PAGE_SIZE,
        offset=(number - 1) * PAGE_SIZE,
        **view.arguments,
        **view.comparison_arguments,
        **chosen,
    )
    if results is None:
        raise PageNotFound
    return request.render(
        "prompts/prompts.html",
        422 if fault else 200,
        view=view,
        brand=profile,
        prompts=results["prompts"],
        outcomes={outcome: results["outcomes"].get(outcome, 0) for outcome in OUTCOMES},
        total=results["total"],
        notice=results["notice"],
        platforms=_platforms_of(results["prompts"]),
        chosen=chosen,
        rivals=rivals,
        back=urlencode([pair for pair in request.http.query_params.multi_items() if pair[0] != "saved"]),
        saved=SAVED.get(request.http.query_params.get("saved", "")),
        fault=fault,
        edited_set=request.prompt_sets[0]["promptSetId"] if request.prompt_sets else None,
        number=number,
        pages=count_pages(results["total"], PAGE_SIZE),
    )


async def _render_groups(
    request: PageRequest, profile: dict[str, Any], view: ViewFilters, grouping: str
) -> Response:
    """Show the results of each tag or intent together."""
    options = {choice.name: list(choice.options) for choice in view.choices}
    values = [view.values[grouping]] if grouping in view.values else options.get(grouping, [])
    results = await asyncio.gather(
        *(
            request.call_tool(
                "get_prompt_results",
                brandId=profile["id"],
                limit=1,
                **{**view.arguments, grouping: value},
            )
            for value in values[:MOST_GROUPS]
        )
    )
    return request.render(
        "prompts/prompt_groups.html",
        view=view,
        brand=profile,
        grouping=grouping,
        groups=[(value, result) for value, result in zip(values, results, strict=False) if result],
        left_out=max(0, len(values) - MOST_GROUPS),
    )


async def export_prompts(request: PageRequest) -> Response:
    """Export the prompts of the view as CSV or JSON."""
    profile = await request.load_brand()
    view = await request.read_view(profile["id"], kept=("outcome", "sort", "rival"))
    chosen = _read_choice(view, [rival["name"] for rival in profile["competitors"]])

    async def load(limit: int, offset: int) -> dict[str, Any] | None:
        return await request.call_for_file(
            "get_prompt_results",
            brandId=profile["id"],
            limit=limit,
            offset=offset,
            **view.arguments,
            **view.comparison_arguments,
            **chosen,
        )

    def row_of(prompt: dict[str, Any]) -> tuple[object, ...]:
        return (
            prompt["prompt"],
            prompt["outcome"],
            prompt["answers"],
            prompt["own"]["named"],
            prompt["own"]["rate"],
            *_bounds(prompt["own"]["interval"]),
            prompt["own"]["averageRank"],
            prompt["rivals"][0]["name"] if prompt["rivals"] else None,
            prompt["rivals"][0]["named"] if prompt["rivals"] else None,
            *(
                (prompt["change"]["verdict"], prompt["change"]["difference"])
                if view.compares
                else (None, None)
            ),
        )

    return await list_response(request.http.url.path, "prompts", CSV_COLUMNS, load, "prompts", row_of)


def _bounds(interval: dict[str, float] | None) -> tuple[float | None, float | None]:
    return (interval["low"], interval["high"]) if interval else (None, None)


def _read_choice(view: ViewFilters, rivals: list[str]) -> dict[str, str]:
    """Return sort, outcome and competitor of the address as the tool takes them."""
    sort = view.kept.get("sort", "gap")
    known = sort in SORTS and (sort != "change" or view.compares)
    chosen = {"sort": sort if known else "gap"}
    if view.kept.get("outcome") in OUTCOMES:
        chosen["outcome"] = view.kept["outcome"]
    if view.kept.get("rival") in rivals:
        chosen["competitor"] = view.kept["rival"]
    return chosen


def _platforms_of(prompts: list[dict[str, Any]]) -> list[str]:
    """Return the engines that answered any of these prompts: the columns of the matrix."""
    return sorted({cell["platform"] for prompt in prompts for cell in prompt["platforms"] or ()})

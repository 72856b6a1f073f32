"""The overview of a brand: figures with intervals and verdicts, the trend, rivals, engines, changes, next steps."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from starlette.responses import Response

from web.charts.time_chart import Axis, ChartEvent, time_chart
from web.errors import PageNotFound
from web.overview.figures import Figure, make_figures
from web.overview.metrics import METRICS, MetricWords
from web.periods import FIRST_DAY
from web.request import PageRequest
from web.templates import format_day
from web.view_filters import ViewFilters

LONGEST_TREND_DAYS = 3650
MOST_CHANGES = 5
MOST_ACTIONS = 5
MOST_SETS = 20


async def show_overview(request: PageRequest) -> Response:
    """Show how a brand stands; nothing measured leads to its set-up."""
    brand_id = request.http.path_params["brand_id"]
    profile, score = await asyncio.gather(
        request.call_tool("get_brand_profile", brandId=brand_id),
        request.call_tool("get_ai_visibility_score", brandId=brand_id),
    )
    if profile is None or score is None:
        raise PageNotFound
    view = await request.read_view(profile["id"], kept=("metric",))
    metric = METRICS.get(request.http.query_params.get("metric", ""), METRICS["visibilityScore"])
    trends, view_of_trend = await _load_trends(request, profile["id"], view)
    rankings, metrics, compared, actions, done, sets = await asyncio.gather(
        request.call_tool("get_competitor_rankings", brandId=profile["id"]),
        request.call_tool("get_platform_metrics", brandId=profile["id"]),
        request.call_tool("compare_periods", brandId=profile["id"], limit=MOST_CHANGES, **view.arguments),
        request.call_tool("list_actions", brandId=profile["id"], state="open", limit=MOST_ACTIONS),
        request.call_tool("list_actions", brandId=profile["id"], state="done", limit=MOST_ACTIONS),
        request.call_tool("list_prompt_sets", brandId=profile["id"], limit=MOST_SETS),
    )
    calculation = _calculation_address(profile["id"], score)
    points = trends[metric.name]
    platforms: list[dict[str, Any]] = metrics["platforms"] if metrics else []
    return request.render(
        "overview/overview.html",
        view=view,
        profile=profile,
        score=score,
        calculation=calculation,
        figures=await _load_figures(request, profile["id"], score, trends, calculation),
        metric=metric,
        metric_choices=list(METRICS.values()),
        points=points,
        trend_period=_period_words(view, view_of_trend),
        chart=_draw(points, view_of_trend, metric, profile["name"], done["actions"] if done else []),
        rankings=rankings["rankings"] if rankings else [],
        platforms=[row for row in platforms if row["status"] != "not_measured"],
        unasked=[row for row in platforms if row["status"] == "not_measured"],
        compared=compared,
        actions=actions["actions"] if actions else [],
        actions_total=actions["total"] if actions else 0,
        next_run=_next_run(sets["promptSets"] if sets else []),
    )


async def _load_trends(
    request: PageRequest, brand_id: str, view: ViewFilters
) -> tuple[dict[str, list[Any]], ViewFilters]:
    """Return the points of every metric, oldest first, and the period that they are of.

    A period that ends today and in which nothing was measured gives way to as many days up to the newest measurement.
    """
    score = await _load_trend(request, brand_id, "visibilityScore", view)
    newest = score["newestDay"]
    if not score["points"] and newest is not None and not view.own_days and view.since != FIRST_DAY:
        until = date.fromisoformat(newest)
        view = replace(view, since=until - timedelta(days=view.days - 1), until=until, own_days=True)
    trends = await asyncio.gather(*(_load_trend(request, brand_id, name, view) for name in METRICS))
    until_day = view.until.isoformat()
    points = {
        name: [point for point in trend["points"] if point["day"] <= until_day]
        for name, trend in zip(METRICS, trends, strict=True)
    }
    return points, view


async def _load_trend(request: PageRequest, brand_id: str, name: str, view: ViewFilters) -> dict[str, Any]:
    """Return the trend of one metric from the first day of the period to today."""
    days = min((request.services.now().date() - view.since).days + 1, LONGEST_TREND_DAYS)
    trend = await request.call_tool("get_metric_trend", brandId=brand_id, metricName=name, days=days)
    return trend or {"points": [], "newestDay": None}


async def _load_figures(
    request: PageRequest,
    brand_id: str,
    score: dict[str, Any],
    trends: dict[str, list[Any]],
    calculation: str,
) -> list[Figure]:
    """Return the figures at the top, with how many answers name the brand."""
    if score["receipt"] is None:
        return []
    naming = await request.call_tool(
        "list_answers",
        brandId=brand_id,
        counted=True,
        outcome="names_us",
        batchIds=score["measurement"]["batchIds"],
        limit=1,
    )
    return make_figures(brand_id, score, trends, calculation, naming["total"] if naming else None)


def _calculation_address(brand_id: str, score: dict[str, Any]) -> str:
    """Return where the answers that the score counts are listed."""
    receipt = score["receipt"]
    if receipt is None:
        return f"/brands/{brand_id}/answers"
    return f"/brands/{brand_id}/answers?calculation={receipt['receiptId']}&counted=1"


def _draw(
    points: Sequence[dict[str, Any]],
    view: ViewFilters,
    metric: MetricWords,
    name: str,
    done: Sequence[dict[str, Any]],
) -> str:
    """Draw the trend from the first measured day, or the period's first day, to the period's last day."""
    if not points:
        return ""
    measured = date.fromisoformat(points[0]["day"])
    first = measured if view.since == FIRST_DAY else view.since
    events = [ChartEvent(date.fromisoformat(action["doneOn"]), f"Done: {action['title']}") for action in done]
    highest = max(float(point["value"]) for point in points)
    axis = Axis(metric.highest(highest), metric.words)
    return time_chart(points, min(first, measured), view.until, f"{metric.title} of {name}", axis, events)


def _period_words(view: ViewFilters, shown: ViewFilters) -> str:
    """Return the period of the trend: the page's, or as many days up to the newest measurement."""
    return (
        view.period_words if shown is view else f"{view.days} days to {format_day(shown.until.isoformat())}"
    )


def _next_run(prompt_sets: Sequence[dict[str, Any]]) -> str | None:
    """Return when the brand is measured next by a schedule."""
    times: list[str] = [prompt_set["nextRunAt"] for prompt_set in prompt_sets if prompt_set["nextRunAt"]]
    return min(times, default=None)

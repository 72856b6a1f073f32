"""The overview of a brand: figures with intervals and verdicts, the trend, rivals, engines, changes, next steps."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from starlette.responses import Response

from web.charts.time_chart import Axis, ChartEvent, time_chart
from web.errors import PageNotFound
from web.overview.figures import FigureSources, make_figures
from web.overview.metrics import METRICS, MetricWords
from web.overview.rivals import RankedRival, rank_rivals
from web.periods import FIRST_DAY
from web.request import PageRequest
from web.templates import format_day
from web.view_filters import ViewFilters

LONGEST_TREND_DAYS = 3650
MOST_CHANGES = 5
MOST_ACTIONS = 5
Result = dict[str, Any]


@dataclass(frozen=True, slots=True)
class OverviewResults:
    """What the tools say of a brand under the filters of a view; None where one gave nothing."""

    profile: Result
    score: Result | None
    compared: Result | None
    prompts: Result | None
    rankings: Result | None
    engines: Result | None
    open_actions: Result | None
    done_actions: Result | None
    trends: Mapping[str, Sequence[Result]]

    @property
    def overall(self) -> Result | None:
        """Who is named in how many of the view's answers."""
        return self.prompts["overall"] if self.prompts else None


async def show_overview(request: PageRequest) -> Response:
    """Show how a brand stands; nothing measured leads to its set-up."""
    brand_id = request.http.path_params["brand_id"]
    profile = await request.call_tool("get_brand_profile", brandId=brand_id)
    if profile is None:
        raise PageNotFound
    asked = await request.read_view(profile["id"], kept=("metric",))
    view, first_trend = await measured_view(request, profile["id"], asked)
    results = await load_overview(request, profile, view, first_trend)
    return request.render("overview/overview.html", **overview_context(request, view, results), asked=asked)


def overview_context(request: PageRequest, view: ViewFilters, results: OverviewResults) -> dict[str, Any]:
    """Return what the templates of the overview and of the report show."""
    profile = results.profile
    engines: list[Result] = results.engines["platforms"] if results.engines else []
    metric = METRICS.get(request.http.query_params.get("metric", ""), METRICS["visibilityScore"])
    points = results.trends[metric.name]
    done: list[Result] = results.done_actions["actions"] if results.done_actions else []
    ever_measured = results.score is None or results.score["reason"] != "never_measured"
    return {
        "view": view,
        "profile": profile,
        "score": results.score,
        "ever_measured": ever_measured,
        "figures": make_figures(
            FigureSources(profile["id"], view, results.compared, results.overall, results.trends)
        )
        if ever_measured
        else [],
        "metric": metric,
        "metric_choices": list(METRICS.values()),
        "points": points,
        "trend_follows": view.values.keys() <= {"country"},
        "chart": draw_trend(points, view, metric, profile["name"], done),
        "rivals": load_rivals(results),
        "overall": results.overall,
        "engines": results.compared["platforms"] if results.compared else [],
        "degraded": [row for row in engines if row["status"] == "degraded"],
        "unasked": [row for row in engines if row["status"] == "not_measured"],
        "compared": results.compared,
        "actions": results.open_actions["actions"] if results.open_actions else [],
        "actions_total": results.open_actions["total"] if results.open_actions else 0,
        "next_run": _next_run(request.prompt_sets),
    }


async def load_overview(
    request: PageRequest, profile: Result, view: ViewFilters, first_trend: Result | None
) -> OverviewResults:
    """Ask the tools for everything that the overview shows; each is asked once."""
    brand_id = profile["id"]
    country = {"country": view.values["country"]} if "country" in view.values else {}
    engine = {"platform": view.values["platform"]} if "platform" in view.values else {}
    later = [name for name in METRICS if name != "visibilityScore"]
    (score, compared, prompts, rankings, engines, open_actions, done_actions), others = await asyncio.gather(
        asyncio.gather(
            request.call_tool("get_ai_visibility_score", brandId=brand_id, **country),
            request.call_tool(
                "compare_periods",
                brandId=brand_id,
                limit=MOST_CHANGES,
                **view.arguments,
                **view.comparison_arguments,
            ),
            request.call_tool("get_prompt_results", brandId=brand_id, limit=1, **view.arguments),
            request.call_tool("get_competitor_rankings", brandId=brand_id, **country, **engine),
            request.call_tool("get_platform_metrics", brandId=brand_id, **country),
            request.call_tool("list_actions", brandId=brand_id, state="open", limit=MOST_ACTIONS),
            request.call_tool("list_actions", brandId=brand_id, state="done", limit=MOST_ACTIONS),
        ),
        asyncio.gather(*(_load_trend(request, brand_id, name, view) for name in later)),
    )
    trends = {"visibilityScore": first_trend, **dict(zip(later, others, strict=True))}
    return OverviewResults(
        profile=profile,
        score=score,
        compared=compared,
        prompts=prompts,
        rankings=rankings,
        engines=engines,
        open_actions=open_actions,
        done_actions=done_actions,
        trends={name: points_of(trend, view) for name, trend in trends.items()},
    )


async def measured_view(
    request: PageRequest, brand_id: str, view: ViewFilters
) -> tuple[ViewFilters, Result | None]:
    """Return the view and its trend of the score.

    A period up to today in which nothing was measured gives way to as many days up to the newest measurement.
    """
    trend = await _load_trend(request, brand_id, "visibilityScore", view)
    newest = trend["newestDay"] if trend else None
    if trend is None or trend["points"] or newest is None or view.own_days or view.since == FIRST_DAY:
        return view, trend
    until = date.fromisoformat(newest)
    earlier = replace(
        view,
        since=until - timedelta(days=view.days - 1),
        until=until,
        own_days=True,
        own_words=f"{view.days} days to {format_day(newest)}",
    )
    return earlier, await _load_trend(request, brand_id, "visibilityScore", earlier)


async def _load_trend(request: PageRequest, brand_id: str, name: str, view: ViewFilters) -> Result | None:
    """Return the trend of one metric from the first day of the period to today."""
    days = min((request.services.now().date() - view.since).days + 1, LONGEST_TREND_DAYS)
    country = {"country": view.values["country"]} if "country" in view.values else {}
    return await request.call_tool(
        "get_metric_trend", brandId=brand_id, metricName=name, days=max(1, days), **country
    )


def points_of(trend: Result | None, view: ViewFilters) -> list[Result]:
    """Return the points of a trend that lie in the period, oldest first."""
    until = view.until.isoformat()
    return [point for point in trend["points"] if point["day"] <= until] if trend else []


def load_rivals(results: OverviewResults) -> list[RankedRival]:
    """Return the brand and its rivals by rank, with the answers of the view that name each."""
    ranked: list[Result] = results.rankings["rankings"] if results.rankings else []
    return rank_rivals(results.profile, ranked, results.overall)


def draw_trend(
    points: Sequence[Result], view: ViewFilters, metric: MetricWords, name: str, done: Sequence[Result]
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


def _next_run(prompt_sets: Sequence[Result]) -> str | None:
    """Return when the brand is measured next by a schedule."""
    times: list[str] = [prompt_set["nextRunAt"] for prompt_set in prompt_sets if prompt_set["nextRunAt"]]
    return min(times, default=None)

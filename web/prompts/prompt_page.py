"""The page of one prompt: who is named by which engine, what changed, what is read, and the answers."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from markupsafe import Markup
from starlette.responses import Response

from web.charts.time_chart import ChartLine, fit_axis, time_chart
from web.errors import PageNotFound
from web.request import PageRequest
from web.view_filters import ViewFilters

MOST_ANSWERS = 10
MOST_SOURCES = 10
MOST_LINES = 3
"""Competitors drawn beside the brand."""
FIELDS = ("platform", "country", "mode")


def _name_rivals(
    prompt: Mapping[str, Any] | None, trend: Mapping[str, Any] | None
) -> dict[str, Sequence[Mapping[str, Any]]]:
    """Return the days of the competitors that this prompt's answers name most often."""
    lines = {line["name"]: line["points"] for line in trend["competitors"]} if trend else {}
    most = [rival["name"] for rival in prompt["rivals"]] if prompt else []
    return {name: lines[name] for name in most[:MOST_LINES] if name in lines}


def _draw_namings(
    view: ViewFilters,
    name: str,
    points: Sequence[Mapping[str, Any]],
    rivals: Mapping[str, Sequence[Mapping[str, Any]]],
) -> Markup:
    if len(points) < 2:
        return Markup("")
    values = [float(point["value"]) for line in (points, *rivals.values()) for point in line]
    first = date.fromisoformat(points[0]["day"])
    return time_chart(
        points,
        max(view.since, first - timedelta(days=1)),
        view.until,
        f"Answers that name {name}",
        fit_axis(values, _whole, _whole),
        lines=[ChartLine(rival, line) for rival, line in rivals.items()],
        own_name=name,
    )


def _whole(value: float) -> str:
    return f"{value:.0f}"


async def show_prompt(request: PageRequest) -> Response:
    """Show how a brand fares on one prompt."""
    profile = await request.load_brand()
    view = await request.read_view(profile["id"], fields=FIELDS)
    prompt_id = request.http.path_params["prompt_id"]
    asked = {"brandId": profile["id"], "promptId": prompt_id, **view.arguments}
    results, answers, sources, trend = await asyncio.gather(
        request.call_tool("get_prompt_results", byPlatform=True, **asked, **view.comparison_arguments),
        request.call_tool("list_answers", limit=MOST_ANSWERS, **asked),
        request.call_tool("get_citations", limit=MOST_SOURCES, **asked),
        request.call_tool("get_metric_trend", metricName="mentionCount", competitors=True, **asked),
    )
    if results is None or answers is None or sources is None:
        raise PageNotFound
    prompt = results["prompts"][0] if results["prompts"] else None
    if prompt is None and not answers["answers"]:
        raise PageNotFound
    points: list[dict[str, Any]] = trend["points"] if trend else []
    rivals = _name_rivals(prompt, trend)
    return request.render(
        "prompts/prompt.html",
        points=points,
        rival_days={name: {point["day"]: point["value"] for point in line} for name, line in rivals.items()},
        chart=_draw_namings(view, profile["name"], points, rivals),
        view=view,
        brand=profile,
        prompt_id=prompt_id,
        text=prompt["prompt"] if prompt else answers["answers"][0]["prompt"],
        prompt=prompt,
        answers=answers,
        sources=sources,
    )

"""The page of one prompt: who is named by which engine, what changed, what is read, and the answers."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from starlette.responses import Response

from web.errors import PageNotFound
from web.overview.metrics import METRICS
from web.overview.trend_chart import draw_trend
from web.request import PageRequest

MOST_ANSWERS = 10
MOST_SOURCES = 10
MOST_LINES = 3
"""Rivals that are drawn beside the brand."""
NAMINGS = replace(METRICS["mentionCount"], title="Answers that name us")
FIELDS = ("platform", "country", "mode")


def _name_rivals(
    prompt: Mapping[str, Any] | None, trend: Mapping[str, Any] | None
) -> dict[str, Sequence[Mapping[str, Any]]]:
    """Return the days of the rivals that this question's answers name most often."""
    lines = {line["name"]: line["points"] for line in trend["competitors"]} if trend else {}
    most = [rival["name"] for rival in prompt["rivals"]] if prompt else []
    return {name: lines[name] for name in most[:MOST_LINES] if name in lines}


async def show_prompt(request: PageRequest) -> Response:
    """Show how a brand fares on one prompt."""
    profile = await request.call_tool("get_brand_profile", brandId=request.http.path_params["brand_id"])
    if profile is None:
        raise PageNotFound
    view = await request.read_view(profile["id"], fields=FIELDS)
    prompt_id = request.http.path_params["prompt_id"]
    asked = {"brandId": profile["id"], "promptId": prompt_id, **view.arguments}
    results, answers, sources, trend = await asyncio.gather(
        request.call_tool("get_prompt_results", byPlatform=True, **asked, **view.comparison_arguments),
        request.call_tool("list_answers", limit=MOST_ANSWERS, **asked),
        request.call_tool("get_citations", limit=MOST_SOURCES, **asked),
        request.call_tool("get_metric_trend", metricName=NAMINGS.name, competitors=True, **asked),
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
        chart=draw_trend(NAMINGS, view, profile["name"], points, rivals, ()) if len(points) > 1 else "",
        namings=NAMINGS,
        view=view,
        brand=profile,
        prompt_id=prompt_id,
        text=prompt["prompt"] if prompt else answers["answers"][0]["prompt"],
        prompt=prompt,
        answers=answers,
        sources=sources,
    )

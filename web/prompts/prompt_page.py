"""The page of one prompt: who is named by which engine, what changed, what is read, and the answers."""

import asyncio

from starlette.responses import Response

from web.errors import PageNotFound
from web.request import PageRequest

MOST_ANSWERS = 10
MOST_SOURCES = 10
FIELDS = ("platform", "country", "mode")


async def show_prompt(request: PageRequest) -> Response:
    """Show how a brand fares on one prompt."""
    profile = await request.call_tool("get_brand_profile", brandId=request.http.path_params["brand_id"])
    if profile is None:
        raise PageNotFound
    view = await request.read_view(profile["id"], fields=FIELDS)
    prompt_id = request.http.path_params["prompt_id"]
    asked = {"brandId": profile["id"], "promptId": prompt_id, **view.arguments}
    results, answers, sources = await asyncio.gather(
        request.call_tool("get_prompt_results", byPlatform=True, **asked, **view.comparison_arguments),
        request.call_tool("list_answers", limit=MOST_ANSWERS, **asked),
        request.call_tool("get_citations", limit=MOST_SOURCES, **asked),
    )
    if results is None or answers is None or sources is None:
        raise PageNotFound
    prompt = results["prompts"][0] if results["prompts"] else None
    if prompt is None and not answers["answers"]:
        raise PageNotFound
    return request.render(
        "prompts/prompt.html",
        view=view,
        brand=profile,
        prompt_id=prompt_id,
        text=prompt["prompt"] if prompt else answers["answers"][0]["prompt"],
        prompt=prompt,
        answers=answers,
        sources=sources,
    )

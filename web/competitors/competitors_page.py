"""Head to head: how a brand stands against each competitor on the same answers, and names to track."""

import asyncio
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from measurement.competitor_suggestions import suggested
from web.errors import PageNotFound
from web.request import PageRequest
from web.view_filters import ViewFilters

MOST_RIVALS = 12
LISTED_PROMPTS = 100


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """One competitor: prompts by outcome against it, and answers that name it, both and neither counted once."""

    name: str
    outcomes: dict[str, int]
    named: int
    instead: int

    @property
    def together(self) -> int:
        """Answers that name the competitor and us."""
        return max(0, self.named - self.instead)


async def show_competitors(request: PageRequest) -> Response:
    """Show the ranking, each pair head to head, and how many names wait to be decided."""
    profile = await request.call_tool("get_brand_profile", brandId=request.http.path_params["brand_id"])
    if profile is None:
        raise PageNotFound
    view = await request.read_view(profile["id"])
    rivals = [rival["name"] for rival in profile["competitors"]][:MOST_RIVALS]
    pairs = await asyncio.gather(*(_load_pair(request, profile["id"], rival, view) for rival in rivals))
    ranking = await request.call_tool("get_competitor_rankings", brandId=profile["id"])
    return request.render(
        "competitors/competitors.html",
        view=view,
        brand=profile,
        rankings=ranking["rankings"] if ranking else [],
        receipt=ranking["measurement"]["receiptId"] if ranking and ranking["measurement"] else None,
        pairs=pairs,
        untold=len(profile["competitors"]) - len(rivals),
        waiting=await _count_suggestions(request, profile),
    )


async def _load_pair(request: PageRequest, brand_id: str, rival: str, view: ViewFilters) -> HeadToHead:
    """Return the outcomes against one rival, and how many answers name it, with us or instead of us."""
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
    """Return how many names of answers wait to be tracked or dismissed."""
    services, company = request.services, request.signed_in.company_id
    brand = await services.database.workspace(company).brands.find(profile["id"])
    if brand is None:
        return 0
    return len((await suggested(services.database, company, brand, services.now())).of("suggested"))

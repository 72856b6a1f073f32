"""How a score was made: factors, change, engines, ranking, mentions, sessions, receipt."""

from starlette.responses import Response

from tools.rankings import compared_by
from web.brands.score_history import load_rankings
from web.errors import PageNotFound
from web.request import PageRequest

MOST_MENTIONS = 12
MOST_SESSIONS = 10


async def show_score(request: PageRequest) -> Response:
    """Show what the score of one brand rests on."""
    brand_id = request.http.path_params["brand_id"]
    profile = await request.call_tool("get_brand_profile", brandId=brand_id)
    score = await request.call_tool("get_ai_visibility_score", brandId=brand_id)
    if profile is None or score is None:
        raise PageNotFound
    ranked = await load_rankings(request, brand_id)
    measured = [factor["part"] for factor in score["factors"] if factor["value"] is not None]
    return request.render(
        "brands/score.html",
        profile=profile,
        score=score,
        metrics=await request.call_tool("get_platform_metrics", brandId=brand_id),
        rankings=ranked,
        compared=compared_by(score["score"], measured, ranked),
        mentions=await request.call_tool("get_brand_mentions", brandId=brand_id, limit=MOST_MENTIONS),
        sessions=await request.call_tool("list_simulations", brandId=brand_id, limit=MOST_SESSIONS),
    )

"""The page of one brand: score, factors, change, engines, ranking, mentions, sessions, receipt."""

from starlette.responses import Response

from tools.rankings import compared_by
from web.brands.score_history import TREND_DAYS, load_rankings, load_score_history
from web.errors import PageNotFound
from web.request import PageRequest

MOST_MENTIONS = 12
MOST_SESSIONS = 10


async def show_brand(request: PageRequest) -> Response:
    """Show one brand: score, factors, change, engines, ranking, mentions, sessions, receipt."""
    brand_id = request.http.path_params["brand_id"]
    profile = await request.call_tool("get_brand_profile", brandId=brand_id)
    score = await request.call_tool("get_ai_visibility_score", brandId=brand_id)
    if profile is None or score is None:
        raise PageNotFound
    ranked = await load_rankings(request, brand_id)
    measured = [factor["part"] for factor in score["factors"] if factor["value"] is not None]
    return request.render(
        "brands/brand.html",
        profile=profile,
        score=score,
        metrics=await request.call_tool("get_platform_metrics", brandId=brand_id),
        trend=await load_score_history(request, brand_id),
        rankings=ranked,
        compared=compared_by(score["score"], measured, ranked),
        mentions=await request.call_tool("get_brand_mentions", brandId=brand_id, limit=MOST_MENTIONS),
        sessions=await request.call_tool("list_simulations", brandId=brand_id, limit=MOST_SESSIONS),
        days=TREND_DAYS,
    )

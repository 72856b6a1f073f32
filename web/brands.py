"""The pages of numbers: every brand at a glance, and one brand opened up. The tools give every number."""

from typing import Any

from starlette.responses import Response

from web.errors import NotHere
from web.visit import Visit

TREND_DAYS = 30
MOST_MENTIONS = 12
MOST_SESSIONS = 10
BRANDS_A_PAGE = 12


async def start(visit: Visit) -> Response:
    """Show the company's brands, or, to strangers, what this is."""
    if visit.person is None:
        return visit.page("welcome.html")
    found = await visit.ask("list_brand_profiles")
    brands: list[dict[str, Any]] = found["brands"] if found else []
    pages = max(1, -(-len(brands) // BRANDS_A_PAGE))
    page = min(page_number(visit.request.query_params.get("page")), pages)
    shown = brands[(page - 1) * BRANDS_A_PAGE : page * BRANDS_A_PAGE]
    cards = [await card(visit, brand) for brand in shown]
    return visit.page("start.html", cards=cards, total=len(brands), number=page, pages=pages, days=TREND_DAYS)


def page_number(text: str | None) -> int:
    """Read the number of a page; anything else is the first."""
    return max(1, int(text)) if text and text.isdecimal() and len(text) < 6 else 1


async def card(visit: Visit, brand: dict[str, Any]) -> dict[str, Any]:
    """Return what one card of the start page shows."""
    return {
        "brand": brand,
        "score": await visit.ask("get_ai_visibility_score", brandId=brand["id"]),
        "trend": await trend(visit, brand["id"]),
        "rankings": await rankings(visit, brand["id"]),
    }


async def trend(visit: Visit, brand_id: str) -> list[Any]:
    """Return the score's daily points."""
    found = await visit.ask(
        "get_metric_trend", brandId=brand_id, metricName="visibilityScore", days=TREND_DAYS
    )
    return found["points"] if found else []


async def rankings(visit: Visit, brand_id: str) -> list[Any]:
    """Return the ranking of the brand among its competitors; empty where nothing was ranked."""
    found = await visit.ask("get_competitor_rankings", brandId=brand_id)
    return found["rankings"] if found else []


async def brand(visit: Visit) -> Response:
    """Show one brand: score, factors, change, engines, ranking, mentions, sessions, receipt."""
    brand_id = visit.request.path_params["brand_id"]
    profile = await visit.ask("get_brand_profile", brandId=brand_id)
    if profile is None:
        raise NotHere
    return visit.page(
        "brand.html",
        profile=profile,
        score=await visit.ask("get_ai_visibility_score", brandId=brand_id),
        metrics=await visit.ask("get_platform_metrics", brandId=brand_id),
        trend=await trend(visit, brand_id),
        rankings=await rankings(visit, brand_id),
        mentions=await visit.ask("get_brand_mentions", brandId=brand_id, limit=MOST_MENTIONS),
        sessions=await visit.ask("list_simulations", brandId=brand_id, limit=MOST_SESSIONS),
        days=TREND_DAYS,
    )

"""The pages of numbers: every brand at a glance, and one brand opened up. The tools give every number."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from starlette.responses import Response

from tools.rankings import compared_by
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


@dataclass(frozen=True, slots=True)
class Trend:
    """The score's daily points, and the day they end on when nothing was measured since."""

    points: list[Any]
    until: str | None = None


async def trend(visit: Visit, brand_id: str) -> Trend:
    """Return the score of the last days, or of the days up to the newest measurement when that is older."""
    asked = {"brandId": brand_id, "metricName": "visibilityScore"}
    found = await visit.ask("get_metric_trend", **asked, days=TREND_DAYS)
    if not found or found["points"] or found["newestDay"] is None:
        return Trend(found["points"] if found else [])
    until: str = found["newestDay"]
    ago = (visit.site.now().date() - date.fromisoformat(until)).days
    earlier = await visit.ask("get_metric_trend", **asked, days=ago + TREND_DAYS)
    return Trend(earlier["points"], until) if earlier else Trend([])


async def rankings(visit: Visit, brand_id: str) -> list[Any]:
    """Return the ranking of the brand among its competitors; empty where nothing was ranked."""
    found = await visit.ask("get_competitor_rankings", brandId=brand_id)
    return found["rankings"] if found else []


async def brand(visit: Visit) -> Response:
    """Show one brand: score, factors, change, engines, ranking, mentions, sessions, receipt."""
    brand_id = visit.request.path_params["brand_id"]
    profile = await visit.ask("get_brand_profile", brandId=brand_id)
    score = await visit.ask("get_ai_visibility_score", brandId=brand_id)
    if profile is None or score is None:
        raise NotHere
    ranked = await rankings(visit, brand_id)
    measured = [factor["part"] for factor in score["factors"] if factor["value"] is not None]
    return visit.page(
        "brand.html",
        profile=profile,
        score=score,
        metrics=await visit.ask("get_platform_metrics", brandId=brand_id),
        trend=await trend(visit, brand_id),
        rankings=ranked,
        compared=compared_by(measured, ranked),
        mentions=await visit.ask("get_brand_mentions", brandId=brand_id, limit=MOST_MENTIONS),
        sessions=await visit.ask("list_simulations", brandId=brand_id, limit=MOST_SESSIONS),
        days=TREND_DAYS,
    )

"""What pages of brands share: the daily scores of a brand, and its rank among competitors."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from web.request import PageRequest

TREND_DAYS = 30


@dataclass(frozen=True, slots=True)
class ScoreHistory:
    """The score's daily points, and the day they end on when nothing was measured since."""

    points: list[Any]
    until: str | None = None


async def load_score_history(request: PageRequest, brand_id: str) -> ScoreHistory:
    """Return the scores of the last days, or of the days up to the newest measurement when that is older."""
    arguments = {"brandId": brand_id, "metricName": "visibilityScore"}
    trend = await request.call_tool("get_metric_trend", **arguments, days=TREND_DAYS)
    if not trend or trend["points"] or trend["newestDay"] is None:
        return ScoreHistory(trend["points"] if trend else [])
    until: str = trend["newestDay"]
    days_ago = (request.services.now().date() - date.fromisoformat(until)).days
    earlier = await request.call_tool("get_metric_trend", **arguments, days=days_ago + TREND_DAYS)
    return ScoreHistory(earlier["points"], until) if earlier else ScoreHistory([])


async def load_rankings(request: PageRequest, brand_id: str) -> list[Any]:
    """Return the ranking of the brand among its competitors; empty where nothing was ranked."""
    ranking = await request.call_tool("get_competitor_rankings", brandId=brand_id)
    return ranking["rankings"] if ranking else []

"""The trend of the overview as a file: one row a day, with the intervals, every competitor and every engine."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from web.overview.figures import METRICS
from web.overview.overview_page import load_measured_trend
from web.request import PageRequest
from web.table_export import table_response

COLUMNS = (
    "day",
    "brand",
    "metric",
    "value",
    "answers",
    "low",
    "high",
    "allLow",
    "allHigh",
    "engine",
    "mode",
    "country",
)


async def export_trend(request: PageRequest) -> Response:
    """Send the days of the brand, of each competitor and of each engine under the filters of the address.

    What counts all engines together names none.
    """
    profile = await request.load_brand()
    metric = METRICS.get(request.http.query_params.get("metric", ""), METRICS["visibilityScore"])
    view = await request.read_view(profile["id"], kept=("metric",))
    trend = await load_measured_trend(request, profile["id"], view, metric, with_rivals=True)
    lines = {profile["name"]: trend.points, **trend.competitors}
    rows = [
        (*row_of(point, name, metric.name), None, None, None)
        for name, points in lines.items()
        for point in points
    ]
    rows += [
        (*row_of(point, profile["name"], metric.name), line["platform"], line["mode"], line["country"])
        for line in trend.engines
        for point in line["points"]
    ]
    return table_response(request.http.url.path, f"trend-{metric.name}", COLUMNS, rows)


def row_of(point: Mapping[str, Any], brand: str, metric: str) -> tuple[Any, ...]:
    """Return the row of one day, whichever engine answered."""
    return point["day"], brand, metric, point["value"], point["answers"], *_interval_ends(point)


def _interval_ends(point: Mapping[str, Any]) -> list[float | None]:
    """Return both ends of both intervals of a day; None where it has none."""
    intervals: dict[str, dict[str, float] | None] = point.get("intervals") or {}
    ends: list[float | None] = []
    for kind in ("thesePrompts", "allQuestions"):
        interval = intervals.get(kind)
        ends += [interval["low"], interval["high"]] if interval else [None, None]
    return ends

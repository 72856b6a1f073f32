"""The page of AI crawlers' visits: who comes, for what, what they get, and who follows an answer to the site."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from markupsafe import Markup
from starlette.responses import Response

from measurement.imports.access_logs.crawler_report import CrawlerReport, crawler_report
from web.charts.time_chart import ChartLine, fit_axis, time_chart
from web.errors import PageNotFound
from web.request import PageRequest
from web.table_export import table_response
from web.view_filters import ViewFilters

PURPOSES = {
    "search": "for search",
    "user_request": "for a person who asked",
    "training": "for training",
    "ads": "for ads",
}
STATUSES = {
    1: "informational (1xx)",
    2: "got the page (2xx)",
    3: "redirected (3xx)",
    4: "denied or not found (4xx)",
    5: "your server failed (5xx)",
}
WAYS = {"file": "files", "endpoint": "the address for log shippers"}
MOST_LINES = 3
ALL_BOTS = "all crawlers"


async def show_crawlers(request: PageRequest) -> Response:
    """Show visits of AI crawlers and referrals from AI products in the period."""
    profile, view, report = await _read(request)
    return request.render(
        "sources/crawlers.html",
        brand=profile,
        view=view,
        report=report,
        chart=_draw_visits(report),
        purposes=PURPOSES,
        statuses=STATUSES,
        ways=WAYS,
    )


async def export_crawlers(request: PageRequest) -> Response:
    """Give the crawlers of the period as CSV or JSON."""
    _, _, report = await _read(request)
    columns = (
        *("bot", "operator", "purpose", "visits", "verified", "notVerified"),
        *("failed", "notThisBot", "lastDay"),
    )
    rows = [
        (
            *(bot.bot, bot.operator, bot.purpose, bot.visits, bot.verified, bot.not_verified),
            *(bot.failed, bot.not_this_bot, bot.last_day.isoformat()),
        )
        for bot in report.bots
    ]
    return table_response(request.http.url.path, "crawlers", columns, rows)


async def _read(request: PageRequest) -> tuple[dict[str, object], ViewFilters, CrawlerReport]:
    profile = await request.load_brand()
    view = await request.read_view(profile["id"], fields=())
    database = request.services.database
    workspace = database.workspace(request.signed_in.company_id)
    brand = await workspace.brands.find(profile["id"])
    if brand is None:
        raise PageNotFound
    lists = {known.bot: known.fetched_at for known in await database.operators.bot_addresses.all()}
    return profile, view, await crawler_report(workspace, brand.key, view.since, view.until, lists)


def _draw_visits(report: CrawlerReport) -> Markup:
    visited = [day for day in report.days if day.visits]
    if not visited:
        return Markup("")
    points = [{"day": day.day.isoformat(), "value": float(day.visits)} for day in visited]
    names = [bot.bot for bot in report.bots if bot.visits][:MOST_LINES]
    lines = [ChartLine(name, _points_of(report, name)) for name in names] if len(report.bots) > 1 else []
    values = [float(point["value"]) for line in (points, *(line.points for line in lines)) for point in line]
    axis = fit_axis(values, lambda value: f"{value:.0f} visits", lambda value: f"{value:.0f}")
    first = max(report.first_day, visited[0].day)
    name = "Visits of AI crawlers by day"
    return time_chart(points, first, report.last_day, name, axis, lines=lines, own_name=ALL_BOTS)


def _points_of(report: CrawlerReport, bot: str) -> Sequence[dict[str, Any]]:
    days: list[tuple[date, int]] = [(day.day, day.bots[bot]) for day in report.days if bot in day.bots]
    return [{"day": day.isoformat(), "value": float(visits)} for day, visits in days]

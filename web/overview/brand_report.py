"""The report of a brand as a document of plain values: what is printed, and what a share link keeps."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any

from markupsafe import Markup

from engines.engine import SYNTHETIC
from web.charts.time_chart import ChartLine, time_chart
from web.glossary import period_change_words
from web.overview.figures import METRICS
from web.overview.overview_page import load_measured_trend, load_overview, overview_context
from web.overview.trend_chart import drawn_values
from web.request import PageRequest
from web.view_filters import FIRST_DAY, ViewFilters

MOST_PROMPTS = 5
MOST_SOURCES = 10
SOURCE_FIELDS = ("source", "owner", "kind", "answers", "share")
POINT_FIELDS = ("day", "value", "intervals", "answers")
Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LoadedReport:
    """The brand's profile, the report, and where its figures open, by title.

    `asked` is the view of the address; `view` is what is looked at, older where nothing was measured lately.
    """

    profile: Document
    asked: ViewFilters
    view: ViewFilters
    report: Document
    addresses: Mapping[str, str]


async def load_report(request: PageRequest) -> LoadedReport:
    """Return the report of the brand and the filters of the address. Raises PageNotFound."""
    profile = await request.load_brand()
    asked = await request.read_view(profile["id"])
    trend = await load_measured_trend(
        request, profile["id"], asked, METRICS["visibilityScore"], with_rivals=True
    )
    view = trend.view
    arguments = {"brandId": profile["id"], "limit": MOST_PROMPTS, **view.arguments}
    results, won, lost, cited = await asyncio.gather(
        load_overview(request, profile, trend),
        request.call_tool("get_prompt_results", outcome="win", **arguments),
        request.call_tool("get_prompt_results", outcome="loss", sort="gap", **arguments),
        request.call_tool("get_citations", **{**arguments, "limit": MOST_SOURCES}),
    )
    shown = overview_context(request, view, results)
    report = _make_report(view, shown, request.services.now())
    report["wins"] = prompt_rows(won)
    report["losses"] = prompt_rows(lost)
    citations: list[Document] = cited["citations"] if cited else []
    report["sources"] = [{name: row[name] for name in SOURCE_FIELDS} for row in citations]
    report["synthetic"] = any(engine["name"].startswith(SYNTHETIC) for engine in report["engines"])
    report["missing"] = [part.words for part in request.missing_parts.values()]
    addresses = {figure.title: figure.address for figure in shown["figures"]}
    if results.compared is not None:
        earlier = {"from": results.compared["before"]["since"][:10], "to": shown["last_day_before"]}
        addresses["before"] = view.answers(profile["id"], **earlier)
    return LoadedReport(profile, asked, view, report, addresses)


def _make_report(view: ViewFilters, shown: Mapping[str, Any], now: datetime) -> Document:
    """Return what the overview shows, as values that JSON has."""
    compared: Document | None = shown["compared"]
    after = compared["after"] if compared else None
    chosen = {choice.name: choice for choice in view.choices}
    return {
        "brand": shown["profile"]["name"],
        "website": shown["profile"]["website"],
        "period": view.period_words,
        "since": view.since.isoformat(),
        "until": view.until.isoformat(),
        "filters": [
            f"{chosen[name].label}: {chosen[name].options[value]}" for name, value in view.values.items()
        ],
        "comparison": view.comparison_words if view.compares else None,
        "madeAt": now.isoformat(timespec="seconds"),
        "answers": after["answers"] if after else 0,
        "prompts": after["prompts"] if after else 0,
        "figures": [
            {
                "title": figure.title,
                "value": figure.value,
                "restsOn": figure.rests_on,
                "notes": [f"95% CI {figure.bounds}"] if figure.bounds else [],
                "change": asdict(figure.change),
            }
            for figure in shown["figures"]
        ],
        "trend": [{name: point[name] for name in POINT_FIELDS} for point in shown["points"]],
        "lines": {
            name: [{"day": point["day"], "value": point["value"]} for point in points]
            for name, points in shown["rival_lines"].items()
        },
        "change": change_of(compared) if compared and view.compares else None,
        "rivals": [
            {
                "name": rival.name,
                "isBrand": rival.is_brand,
                "named": rival.named,
                "rank": rival.ranking["rank"] if rival.ranking else None,
                "tied": bool(rival.ranking and rival.ranking["tiedWithAbove"]),
                "score": rival.ranking["rankingScore"] if rival.ranking else None,
            }
            for rival in shown["rivals"]
        ],
        "engines": [
            {name: engine[name] for name in ("name", "score", "answers", "intervals")}
            for engine in shown["engines"]
        ],
        "actions": [
            {name: action[name] for name in ("title", "kind", "severity")} for action in shown["actions"]
        ],
    }


def change_of(compared: Mapping[str, Any]) -> Document:
    """Return the change between the periods: its verdict in words, and what each question brought to it."""
    return {
        **asdict(period_change_words(compared)),
        "statement": compared["statement"],
        "questionChanges": compared["questionChanges"],
        "before": {name: compared["before"][name] for name in ("score", "answers")},
        "after": {name: compared["after"][name] for name in ("score", "answers")},
        "prompts": [
            {"promptId": row["promptId"], "prompt": row["prompt"], "points": row["contribution"]}
            for row in compared["prompts"]
        ],
    }


def prompt_rows(results: Mapping[str, Any] | None) -> list[Document]:
    """Return questions with who is named how often."""
    prompts: Sequence[Mapping[str, Any]] = results["prompts"] if results else []
    return [
        {
            "promptId": row["promptId"],
            "prompt": row["prompt"],
            "answers": row["answers"],
            "named": row["own"]["named"],
            "rival": row["rivals"][0]["name"] if row["rivals"] else None,
            "rivalNamed": row["rivals"][0]["named"] if row["rivals"] else None,
        }
        for row in prompts
    ]


def draw_report_trend(report: Mapping[str, Any]) -> Markup:
    """Draw the score of a report over its period; empty where nothing was measured."""
    points: list[Document] = report["trend"]
    rivals: Mapping[str, list[Document]] = (
        report.get("lines") or {}
    )  # absent in reports shared by earlier releases
    if not points:
        return Markup("")
    metric, since = METRICS["visibilityScore"], date.fromisoformat(report["since"])
    measured = date.fromisoformat(points[0]["day"])
    first = measured if since == FIRST_DAY else min(since, measured)
    name = f"{metric.title} of {report['brand']}"
    return time_chart(
        points,
        first,
        date.fromisoformat(report["until"]),
        name,
        metric.axis(drawn_values(points, rivals)),
        lines=[ChartLine(rival, days) for rival, days in rivals.items()],
        own_name=report["brand"],
    )

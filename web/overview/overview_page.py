"""The overview of a brand: metrics with intervals and verdicts, trend, competitors, engines, changes, actions."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from starlette.responses import Response

from storage.repositories.annotations import Annotation
from web.errors import PageNotFound
from web.glossary import period_change_words
from web.overview.figures import METRICS, FigureSources, MetricWords, make_figures
from web.overview.trend_chart import chart_events, draw_trend
from web.request import PageRequest
from web.templates import format_day
from web.view_filters import FIRST_DAY, ViewFilters


@dataclass(frozen=True, slots=True)
class RankedRival:
    """The brand or one competitor. `ranking` is its row in the ranking, or None when it is not ranked.

    `named` is the number of the view's answers that name it, or None when they were not counted.
    """

    name: str
    is_brand: bool
    ranking: Mapping[str, Any] | None
    named: int | None


def _rank_rivals(
    profile: Mapping[str, Any], ranked: Sequence[Mapping[str, Any]], overall: Mapping[str, Any] | None
) -> list[RankedRival]:
    """Return the ranked entries by rank, followed by the unranked competitors of the profile."""
    named: dict[str, int] = {}
    if overall is not None:
        named = {rival["name"]: rival["named"] for rival in overall["rivals"]}
    rows = [
        RankedRival(
            row["name"],
            row["isBrand"],
            row,
            None if overall is None else _named(row["name"], row["isBrand"], overall, named),
        )
        for row in ranked
    ]
    listed = {row["name"] for row in ranked}
    rows += [
        RankedRival(rival["name"], False, None, None if overall is None else named.get(rival["name"], 0))
        for rival in profile["competitors"]
        if rival["name"] not in listed
    ]
    return rows


def _named(name: str, is_brand: bool, overall: Mapping[str, Any], named: Mapping[str, int]) -> int:
    return overall["own"]["named"] if is_brand else named.get(name, 0)


LONGEST_TREND_DAYS = 3650
MOST_CHANGES = 5
MOST_ACTIONS = 3
MOST_LINES = 4
"""Maximum number of competitors in the chart."""
MOST_RIVALS = 10
"""Maximum number of ranked entries on the overview. The competitors page has all of them."""
WITHOUT_RIVALS = "no"
"""Query value that hides competitors in the chart."""
MOST_DAYS = 31
"""Days in the table below the chart: 90 days with four competitors took 200 KB of links. The export has all."""
BUILT_IN = "local"
NOT_COMPARABLE = "not_comparable"
Result = dict[str, Any]


@dataclass(frozen=True, slots=True)
class MeasuredTrend:
    """The trend of one metric over a view's period, with related changes. `result` is None when it is unavailable."""

    metric: MetricWords
    view: ViewFilters
    result: Result | None
    with_rivals: bool = False

    @property
    def points(self) -> list[Result]:
        """The daily points of the metric, oldest first."""
        return self._within(self.result["points"]) if self.result else []

    @property
    def competitors(self) -> dict[str, list[Result]]:
        """The daily points of each competitor by name, highest newest value first."""
        lines: list[Result] = self.result["competitors"] if self.result else []
        shown = {line["name"]: self._within(line["points"]) for line in lines}
        measured = {name: points for name, points in shown.items() if points}
        return dict(sorted(measured.items(), key=lambda line: -float(line[1][-1]["value"])))

    @property
    def engines(self) -> list[Result]:
        """The daily points per engine, mode and country."""
        lines: list[Result] = self.result["engines"] if self.result else []
        shown = [{**line, "points": self._within(line["points"])} for line in lines]
        return [line for line in shown if line["points"]]

    @property
    def model_changes(self) -> list[Result]:
        """Dates within the period when engines changed models."""
        return self._within(self.result["modelChanges"]) if self.result else []

    @property
    def question_changes(self) -> list[Result]:
        """Dates within the period when the prompts changed."""
        return self._within(self.result["questionChanges"]) if self.result else []

    @property
    def by_metric(self) -> dict[str, Sequence[Result]]:
        """The daily points of every metric for the same answers, with those of the period compared with."""
        if self.result is None:
            return dict.fromkeys(METRICS, ())
        lines: list[Result] = [*self.result["related"], {**self.result, "metricName": self.metric.name}]
        until = self.view.until.isoformat()
        named = {line["metricName"]: [day for day in line["points"] if day["day"] <= until] for line in lines}
        return {**dict.fromkeys(METRICS, ()), **named}

    def _within(self, days: Sequence[Result]) -> list[Result]:
        since, until = self.view.since.isoformat(), self.view.until.isoformat()
        return [day for day in days if since <= day["day"] <= until]


@dataclass(frozen=True, slots=True)
class OverviewResults:
    """Tool results about a brand under the filters of a view. A part is None when its tool returned nothing."""

    profile: Result
    score: Result | None
    compared: Result | None
    prompts: Result | None
    rankings: Result | None
    engines: Result | None
    open_actions: Result | None
    done_actions: Result | None
    trend: "MeasuredTrend"
    annotations: Sequence[Annotation]

    @property
    def overall(self) -> Result | None:
        """Who is named in how many of the view's answers."""
        return self.prompts["overall"] if self.prompts else None


async def show_overview(request: PageRequest) -> Response:
    """Show the overview of a brand, which links to setup when nothing was measured."""
    return await render_overview(request)


async def render_overview(request: PageRequest, typed: Mapping[str, str] | None = None) -> Response:
    """Render the overview; `typed` is an annotation that was rejected, with its `fault`."""
    brand_id = request.http.path_params["brand_id"]
    profile = await request.call_tool("get_brand_profile", brandId=brand_id)
    if profile is None:
        raise PageNotFound
    own_path = f"/brands/{profile['id']}"
    asked = await request.read_view(profile["id"], kept=("metric", "rivals"), path=own_path)
    metric = METRICS.get(request.http.query_params.get("metric", ""), METRICS["visibilityScore"])
    with_rivals = request.http.query_params.get("rivals") != WITHOUT_RIVALS
    trend = await load_measured_trend(request, profile["id"], asked, metric, with_rivals=with_rivals)
    results = await load_overview(request, profile, trend)
    return request.render(
        "overview/overview.html",
        422 if typed else 200,
        typed={"day": trend.view.until, "text": "", "fault": "", **(typed or {})},
        **overview_context(request, trend.view, results),
        asked=asked,
        delete_at=await _find_deletion(request, profile),
        names=await _name_assignees(request, results.open_actions),
    )


async def _name_assignees(request: PageRequest, listed: Result | None) -> dict[str, str]:
    """Return colleagues' names by email address, if any listed action is assigned."""
    if listed is None or not any(action["assignee"] for action in listed["actions"]):
        return {}
    return {colleague.email: colleague.name for colleague in (await request.load_colleagues()).values()}


async def _find_deletion(request: PageRequest, profile: Result) -> datetime | None:
    """Return when the brand is scheduled for deletion, or None. Only an archived brand can be."""
    if not profile["archived"]:
        return None
    brand = await request.workspace.brands.find(profile["id"])
    return brand.delete_at if brand else None


def overview_context(request: PageRequest, view: ViewFilters, results: OverviewResults) -> dict[str, Any]:
    """Return the template context that the overview and the report share."""
    profile = results.profile
    engines: list[Result] = results.engines["platforms"] if results.engines else []
    trend = results.trend
    rivals = dict(list(trend.competitors.items())[:MOST_LINES])
    done: list[Result] = results.done_actions["actions"] if results.done_actions else []
    ever_measured = results.score is None or results.score["reason"] != "never_measured"
    figures = make_figures(
        FigureSources(
            profile["id"],
            view,
            results.compared,
            results.overall,
            trend.by_metric,
            results.prompts["total"] if results.prompts else None,
        )
    )
    return {
        "view": view,
        "profile": profile,
        "score": results.score,
        "ever_measured": ever_measured,
        "rehearsal": _is_rehearsal(results.compared),
        "summary": summarize(view, profile, results.compared, results.overall),
        "figures": figures if ever_measured else [],
        "metric": trend.metric,
        "metric_segments": [
            {
                "label": choice.title,
                "href": f"{view.address(metric=choice.name)}#trend",
                "current": choice is trend.metric,
            }
            for choice in METRICS.values()
        ],
        "points": trend.points,
        "most_days": MOST_DAYS,
        "trend_notice": trend.result["notice"] if trend.result else None,
        "rival_lines": rivals,
        "with_rivals": trend.with_rivals,
        "model_changes": trend.model_changes,
        "question_changes": trend.question_changes,
        "annotations": [row for row in results.annotations if view.since <= row.day <= view.until],
        "done_in_view": [
            row for row in done if view.since.isoformat() <= (row["doneOn"] or "") <= view.until.isoformat()
        ],
        "chart": draw_trend(
            trend.metric,
            view,
            profile["name"],
            trend.points,
            rivals,
            chart_events(trend.model_changes, done, trend.question_changes, results.annotations),
        ),
        "rivals": _load_rivals(results),
        "most_rivals": MOST_RIVALS,
        "ranking_notice": results.rankings["notice"] if results.rankings else None,
        "overall": results.overall,
        "engines": results.compared["platforms"] if results.compared else [],
        "degraded": [row for row in engines if row["status"] == "degraded"],
        "unasked": [row for row in engines if row["status"] == "not_measured"],
        "compared": results.compared,
        "most_changes": MOST_CHANGES,
        "actions": results.open_actions["actions"] if results.open_actions else [],
        "actions_total": results.open_actions["total"] if results.open_actions else 0,
        "next_run": _next_run(request.prompt_sets),
        "last_day_before": _last_day_before(results.compared),
    }


async def load_overview(request: PageRequest, profile: Result, trend: MeasuredTrend) -> OverviewResults:
    """Load everything else on the overview, with one call per tool and arguments."""
    brand_id, view = profile["id"], trend.view
    country = {"country": view.values["country"]} if "country" in view.values else {}
    engine = {"platform": view.values["platform"]} if "platform" in view.values else {}
    score, compared, prompts, rankings, engines, open_actions, done_actions = await asyncio.gather(
        request.call_tool("get_ai_visibility_score", brandId=brand_id, **country),
        request.call_tool(
            "compare_periods",
            brandId=brand_id,
            limit=MOST_CHANGES,
            **view.arguments,
            **view.comparison_arguments,
        ),
        request.call_tool("get_prompt_results", brandId=brand_id, limit=1, **view.arguments),
        request.call_tool("get_competitor_rankings", brandId=brand_id, **country, **engine),
        request.call_tool("get_platform_metrics", brandId=brand_id, **country),
        request.call_tool("list_actions", brandId=brand_id, state="open", limit=MOST_ACTIONS),
        request.call_tool("list_actions", brandId=brand_id, state="done", limit=MOST_ACTIONS),
    )
    return OverviewResults(
        profile=profile,
        score=score,
        compared=compared,
        prompts=prompts,
        rankings=rankings,
        engines=engines,
        open_actions=open_actions,
        done_actions=done_actions,
        trend=trend,
        annotations=await load_annotations(request, brand_id),
    )


async def load_annotations(request: PageRequest, brand_id: str) -> Sequence[Annotation]:
    """Return what people wrote about days of a brand, oldest day first."""
    workspace = request.workspace
    brand = await workspace.brands.find(brand_id)
    return await workspace.annotations.of_brand(brand.key) if brand else ()


async def load_measured_trend(
    request: PageRequest, brand_id: str, view: ViewFilters, metric: MetricWords, *, with_rivals: bool = False
) -> MeasuredTrend:
    """Return the trend of a metric under all filters with its view. `with_rivals` includes competitors.

    A period up to today without any measurement is replaced by the same number of days up to the newest measurement.
    """
    trend = await _load_trend(request, brand_id, metric, view, with_rivals)
    measured = MeasuredTrend(metric, view, trend, with_rivals)
    newest = trend["newestDay"] if trend else None
    if measured.points or newest is None or view.own_days or view.since == FIRST_DAY:
        return measured
    until = date.fromisoformat(newest)
    earlier = replace(
        view,
        since=until - timedelta(days=view.days - 1),
        until=until,
        own_days=True,
        own_words=f"{view.days} days to {format_day(newest)}",
    )
    trend = await _load_trend(request, brand_id, metric, earlier, with_rivals)
    return MeasuredTrend(metric, earlier, trend, with_rivals)


async def _load_trend(
    request: PageRequest, brand_id: str, metric: MetricWords, view: ViewFilters, with_rivals: bool
) -> Result | None:
    """Return the trend up to today with the context that the chart shows.

    It begins with the earlier period, if the view compares with it, so that a line beside a change shows both sides.
    """
    before = view.days if view.compares and view.comparison == "before" else 0
    days = min((request.services.now().date() - view.since).days + 1 + before, LONGEST_TREND_DAYS)
    return await request.call_tool(
        "get_metric_trend",
        brandId=brand_id,
        metricName=metric.name,
        days=max(1, days),
        context=True,
        competitors=with_rivals,
        **view.filter_arguments,
    )


def _is_rehearsal(compared: Result | None) -> bool:
    """Whether the built-in model gave every answer."""
    return compared is not None and [row["name"] for row in compared["platforms"]] == [BUILT_IN]


def summarize(
    view: ViewFilters, profile: Result, compared: Result | None, overall: Result | None
) -> list[dict[str, Any]]:
    """Return what was found and what changed in a sentence or two, as parts with links."""
    parts: list[dict[str, Any]] = []
    if compared is not None and view.compares:
        moved = period_change_words(compared)
        if moved.tone:
            parts.append({"words": f"The score {moved.words} compared with {view.comparison_words}. "})
            leading = max(compared["prompts"], key=lambda row: abs(row["contribution"]), default=None)
            if leading:
                address = view.address(f"/brands/{profile['id']}/prompts/{leading['promptId']}")
                parts.append({"words": f"“{leading['prompt']}”", "href": address})
                parts.append({"words": f" contributed most ({leading['contribution']:+.1f} points). "})
        elif compared["verdict"] == NOT_COMPARABLE:
            parts.append({"words": f"There is no comparison with {view.comparison_words}: {moved.detail}. "})
        else:
            parts.append({"words": f"No detectable change compared with {view.comparison_words}. "})
    if overall is not None and overall["answers"]:
        named, answers = overall["own"]["named"], overall["answers"]
        parts.append({"words": "Engines named us in "})
        ours = view.answers(profile["id"], outcome="names_us")
        parts.append({"words": f"{named} of {answers} answers", "href": ours, "count": named})
        leader = max(overall["rivals"], key=lambda row: row["named"], default=None)
        if leader and leader["named"]:
            theirs = view.answers(profile["id"], competitor=leader["name"])
            parts.append({"words": f" and {leader['name']}, the most-named competitor, in "})
            parts.append({"words": str(leader["named"]), "href": theirs, "count": leader["named"]})
        parts.append({"words": "."})
    return parts


def _load_rivals(results: OverviewResults) -> list[RankedRival]:
    """Return the brand and its competitors by rank, with the number of the view's answers that name each."""
    ranked: list[Result] = results.rankings["rankings"] if results.rankings else []
    return _rank_rivals(results.profile, ranked, results.overall)


def _next_run(prompt_sets: Sequence[Result]) -> str | None:
    """Return the next scheduled measurement of the brand."""
    times: list[str] = [prompt_set["nextRunAt"] for prompt_set in prompt_sets if prompt_set["nextRunAt"]]
    return min(times, default=None)


def _last_day_before(compared: Result | None) -> str | None:
    """Return the last day of the earlier period, whose end is exclusive."""
    if compared is None:
        return None
    end = datetime.fromisoformat(compared["before"]["until"]) - timedelta(seconds=1)
    return end.date().isoformat()

"""Charts of the overview: the metric trend with competitors and events, and one small chart per engine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from markupsafe import Markup

from measurement.planning.engine_names import asking_words, platform_name
from web.charts.time_chart import PANEL, Axis, ChartEvent, ChartLine, time_chart
from web.glossary import question_change_words
from web.overview.figures import MetricWords
from web.view_filters import FIRST_DAY, ViewFilters

Day = Mapping[str, Any]
MARGIN = 8
"""What part of the measured days is left empty before the first of them."""
INTERVALS = ("thesePrompts", "allQuestions")


def draw_trend(
    metric: MetricWords,
    view: ViewFilters,
    name: str,
    points: Sequence[Day],
    rivals: Mapping[str, Sequence[Day]],
    events: Sequence[ChartEvent],
) -> Markup:
    """Draw the trend to the period's last day, from its first day or a little before the first measured one.

    What lies before the first measurement would be an empty half of the chart.
    """
    if not points:
        return Markup("")
    measured = date.fromisoformat(points[0]["day"])
    margin = timedelta(days=max(1, (view.until - measured).days // MARGIN))
    first = measured if view.since == FIRST_DAY else max(view.since, measured - margin)
    axis = Axis(metric.highest(largest_value(points, rivals)), metric.words, metric.axis_words)
    return time_chart(
        points,
        min(first, measured),
        view.until,
        f"{metric.title} of {name}",
        axis,
        events,
        [ChartLine(rival, rival_points) for rival, rival_points in rivals.items()],
        name,
    )


def largest_value(points: Sequence[Day], rivals: Mapping[str, Sequence[Day]] | None = None) -> float:
    """Return the largest value that is drawn: of a line or of the end of an interval."""
    values = [float(point["value"]) for line in (points, *(rivals or {}).values()) for point in line]
    intervals: list[Day] = [point["intervals"] for point in points if point.get("intervals")]
    ends = [pair[kind]["high"] for pair in intervals for kind in INTERVALS if pair.get(kind)]
    return max(values + ends)


def _model_verb(change: Day) -> str:
    """Say what a platform does with a model from a day on."""
    return "is asked for" if change["requested"] else "serves"


def chart_events(
    model_changes: Sequence[Day], done: Sequence[Mapping[str, Any]], question_changes: Sequence[Day] = ()
) -> list[ChartEvent]:
    """Return what happened, oldest first: other models that engines served, other questions, and done actions."""
    changed: dict[str, list[str]] = {}
    for change in model_changes:
        changed.setdefault(change["day"], []).append(
            f"{platform_name(change['platform'])} {_model_verb(change)} {change['model']}"
        )
    events = [
        ChartEvent(date.fromisoformat(day), f"New model: {', '.join(words)}", "New model")
        for day, words in changed.items()
    ]
    asked: dict[str, list[str]] = {}
    for change in question_changes:
        asked.setdefault(change["day"], []).append(question_change_words(change))
    events += [
        ChartEvent(date.fromisoformat(day), "; ".join(words), "Other questions")
        for day, words in asked.items()
    ]
    events += [
        ChartEvent(date.fromisoformat(action["doneOn"]), f"Done: {action['title']}", "Action done")
        for action in done
    ]
    return sorted(events, key=lambda event: (event.day, event.words))


Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class EngineChart:
    """One engine in one mode from one place: in words, how its answers are found, its days and their drawing."""

    way: str
    narrowing: Mapping[str, str]
    points: Sequence[Row]
    chart: Markup

    def answers(self, view: ViewFilters, brand_id: str, day: str) -> str:
        """Return the address of the answers of one day."""
        return view.answers(brand_id, **self.narrowing, **{"from": day, "to": day})


@dataclass(frozen=True, slots=True)
class EnginePanel:
    """One engine: its score in the period, None where nothing of it counts, and its lines."""

    name: str
    score: Row | None
    lines: Sequence[EngineChart]


def make_panels(
    metric: MetricWords, view: ViewFilters, scores: Sequence[Row], lines: Sequence[Row]
) -> list[EnginePanel]:
    """Return the engines by name; all of their charts have the same days and the same scale.

    Where no engine has a second day there is no line to draw.
    """
    lines = lines if any(len(line["points"]) > 1 for line in lines) else ()
    names = sorted({row["name"] for row in scores} | {line["platform"] for line in lines})
    by_name = {row["name"]: row for row in scores}
    shown = [point for line in lines for point in line["points"]]
    highest = metric.highest(largest_value(shown)) if shown else 1.0
    days = [date.fromisoformat(point["day"]) for point in shown]
    axis = Axis(highest, metric.words, metric.axis_words)
    panels: list[EnginePanel] = []
    for name in names:
        own = [
            EngineChart(
                asking_words(name, line["mode"], line["country"], line["source"]),
                _narrowing(line),
                line["points"],
                time_chart(
                    line["points"],
                    min(days),
                    max(days),
                    f"{metric.title} through {platform_name(name)}, "
                    f"{asking_words(name, line['mode'], line['country'], line['source'])}",
                    axis,
                    forms=PANEL,
                ),
            )
            for line in lines
            if line["platform"] == name
        ]
        panels.append(EnginePanel(name, by_name.get(name), own))
    return panels


def _narrowing(line: Row) -> dict[str, str]:
    """Return the filters that leave the answers of a line."""
    chosen = {"platform": line["platform"], "mode": line["mode"], "country": line["country"]}
    return {name: value for name, value in chosen.items() if value}

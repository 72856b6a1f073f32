"""The chart of the overview: the metric trend with competitors and events."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from markupsafe import Markup

from measurement.planning.engine_names import platform_name
from storage.repositories.annotations import Annotation
from web.charts.time_chart import ChartEvent, ChartLine, time_chart
from web.glossary import question_change_words
from web.overview.figures import MetricWords
from web.view_filters import FIRST_DAY, ViewFilters

Day = Mapping[str, Any]
LONGEST_LABEL = 24
"""Letters of an annotation above its line; its title has all."""
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
    axis = metric.axis(drawn_values(points, rivals))
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


def drawn_values(points: Sequence[Day], rivals: Mapping[str, Sequence[Day]] | None = None) -> list[float]:
    """Return every value that is drawn: of a line or of the end of an interval."""
    values = [float(point["value"]) for line in (points, *(rivals or {}).values()) for point in line]
    intervals: list[Day] = [point["intervals"] for point in points if point.get("intervals")]
    ends = [
        pair[kind][end]
        for pair in intervals
        for kind in INTERVALS
        if pair.get(kind)
        for end in ("low", "high")
    ]
    return values + ends


def _first_letters(text: str) -> str:
    return text if len(text) <= LONGEST_LABEL else f"{text[: LONGEST_LABEL - 1].rstrip()}…"


def _model_verb(change: Day) -> str:
    """Say what a platform does with a model from a day on."""
    return "is asked for" if change["requested"] else "serves"


def chart_events(
    model_changes: Sequence[Day],
    done: Sequence[Mapping[str, Any]],
    question_changes: Sequence[Day] = (),
    annotations: Sequence[Annotation] = (),
) -> list[ChartEvent]:
    """Return what happened, oldest first: other models and prompts, done actions, and what people wrote."""
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
        ChartEvent(date.fromisoformat(day), "; ".join(words), "Prompts changed")
        for day, words in asked.items()
    ]
    events += [
        ChartEvent(date.fromisoformat(action["doneOn"]), f"Done: {action['title']}", "Action done")
        for action in done
    ]
    events += [ChartEvent(row.day, row.text, _first_letters(row.text)) for row in annotations]
    return sorted(events, key=lambda event: (event.day, event.words))

"""The engines of the overview as small charts of one scale: a metric through each, day by day, as it was published."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from markupsafe import Markup

from measurement.planning.engine_names import asking_words, platform_name
from web.charts.time_chart import PANEL, Axis, time_chart
from web.overview.metrics import MetricWords
from web.overview.trend_chart import largest_value
from web.view_filters import ViewFilters

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

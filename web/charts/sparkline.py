"""A sparkline as inline SVG: the course of a value without axis, for a place beside the value itself."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from markupsafe import Markup

from web.charts.coordinates import format_coordinate
from web.charts.measured_days import split_at_gaps

WIDTH, HEIGHT, MARGIN = 100.0, 24.0, 3.0


def sparkline(points: Sequence[Mapping[str, Any]]) -> Markup:
    """Draw values over their days, stretched over their own range; nothing for fewer than two.

    It says nothing to a reader of words alone: the value, its verdict and its history stand beside it as text.
    """
    if len(points) < 2:
        return Markup("")
    days = [date.fromisoformat(point["day"]) for point in points]
    values = [float(point["value"]) for point in points]
    low, high = min(values), max(values)
    first, length = days[0], max(1, (days[-1] - days[0]).days)

    def place(index: int) -> tuple[float, float]:
        x = MARGIN + (WIDTH - 2 * MARGIN) * (days[index] - first).days / length
        share = (values[index] - low) / (high - low) if high > low else 0.5
        return x, HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * share

    drawn: list[Markup] = []
    for run in split_at_gaps(days):
        places = [place(index) for index in run]
        drawn.append(
            Markup('<path class="line" d="M{}"/>').format(
                "L".join(f"{format_coordinate(x)} {format_coordinate(y)}" for x, y in places)
            )
        )
    x, y = place(len(points) - 1)
    drawn.append(
        Markup('<path class="dot" d="M{} {}h0"/>').format(format_coordinate(x), format_coordinate(y))
    )
    return Markup(
        '<svg class="spark" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">{}</svg>'
    ).format(Markup("").join(drawn))

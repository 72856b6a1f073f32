"""Small charts as inline SVG: spark line and interval bar, and the drawing helpers all charts share."""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise
from statistics import median
from typing import Any

from markupsafe import Markup

HIGHEST_SCORE = 100.0


def format_coordinate(value: float) -> str:
    """Return a coordinate without needless digits."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


LONGER_THAN_USUAL = 1.5
"""A pause this many times as long as the usual one is a gap."""


def split_at_gaps(days: Sequence[date]) -> list[list[int]]:
    """Return runs of the indexes of days that follow each other in the usual rhythm; between runs is a gap."""
    if not days:
        return []
    pauses = [(later - earlier).days for earlier, later in pairwise(days)]
    usual = median(pauses) if pauses else 1
    runs = [[0]]
    for index, pause in enumerate(pauses, start=1):
        if pause <= max(1.0, usual * LONGER_THAN_USUAL):
            runs[-1].append(index)
        else:
            runs.append([index])
    return runs


def interval_bar(
    value: float | None,
    interval: Mapping[str, float] | None,
    most: float = HIGHEST_SCORE,
    outer: Mapping[str, float] | None = None,
) -> Markup:
    """Draw a dot and whiskers on a scale from 0 to `most`: the interval thick, the outer one thin.

    Nothing is drawn without a value. The intervals stand beside it as text, in a popover or a table.
    """
    if value is None:
        return Markup("")

    def bar(bounds: Mapping[str, float], style: str, y: float, height: float) -> Markup:
        left, right = (100 * min(max(bounds[end], 0.0), most) / most for end in ("low", "high"))
        places = map(format_coordinate, (left, y, max(right - left, 0.5), height))
        return Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>').format(style, *places)

    parts = [bar({"low": 0, "high": most}, "scale", 5.5, 1)]
    parts += [bar(outer, "outer", 4.5, 3)] if outer else []
    parts += [bar(interval, "span", 3, 6)] if interval else []
    at = min(100 * min(max(value, 0.0), most) / most, 99.0)
    parts.append(bar({"low": at * most / 100, "high": (at + 1) * most / 100}, "mark", 0, 12))
    return Markup(
        '<svg class="interval" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">{}</svg>'
    ).format(Markup("").join(parts))


def change_bar(before: float, after: float, most: float = HIGHEST_SCORE) -> Markup:
    """Draw how far a value moved on a scale from 0 to `most`: a span between both values, and a mark at the later.

    Both values stand beside it as text.
    """
    low, high = sorted((before, after))
    return interval_bar(after, {"low": low, "high": high}, most)


SPARK_WIDTH, SPARK_HEIGHT, SPARK_MARGIN = 100.0, 24.0, 3.0


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
        x = SPARK_MARGIN + (SPARK_WIDTH - 2 * SPARK_MARGIN) * (days[index] - first).days / length
        share = (values[index] - low) / (high - low) if high > low else 0.5
        return x, SPARK_HEIGHT - SPARK_MARGIN - (SPARK_HEIGHT - 2 * SPARK_MARGIN) * share

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

"""Small charts as inline SVG: sparkline, trend line and interval bar, and the drawing helpers all charts share."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from statistics import median
from typing import Any

from markupsafe import Markup, escape

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
    value: float | None, interval: Mapping[str, float] | None, most: float = HIGHEST_SCORE
) -> Markup:
    """Draw an interval on a scale from 0 to `most`, with a mark at the value; nothing without a value."""
    if value is None:
        return Markup("")
    low, high = (interval["low"], interval["high"]) if interval else (value, value)
    left, right, at = (100 * min(max(place, 0.0), most) / most for place in (low, high, value))
    return Markup(
        '<svg class="interval" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="scale" x="0" y="3" width="100" height="2"/>'
        '<rect class="span" x="{}" y="1" width="{}" height="6"/>'
        '<rect class="mark" x="{}" y="0" width="1" height="8"/></svg>'
    ).format(
        format_coordinate(left), format_coordinate(max(right - left, 0.5)), format_coordinate(min(at, 99.0))
    )


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


WIDTH, HEIGHT = 320, 72
MARGIN = 6


def trend_line(points: Sequence[Mapping[str, Any]], days: int, name: str) -> Markup:
    """Draw daily values from 0 to 100, the last day at the right; a day without a value stays empty.

    Days that follow each other in the usual rhythm are joined; a longer pause stays a gap, since nothing was measured.
    """
    if not points:
        return Markup("")
    dated = [(date.fromisoformat(point["day"]), float(point["value"])) for point in points]
    first = dated[-1][0] - timedelta(days=max(1, days - 1))
    step = (WIDTH - 2 * MARGIN) / max(1, days - 1)
    points_at = [
        ((day - first).days, MARGIN + (day - first).days * step, _height_of(value)) for day, value in dated
    ]
    lines = [
        Markup('<path class="line" d="M{} {}L{} {}"/>').format(
            *map(format_coordinate, (left[1], left[2], right[1], right[2]))
        )
        for run in split_at_gaps([day for day, _ in dated])
        for left, right in pairwise(points_at[index] for index in run)
    ]
    # A line of no length with round ends stays a circle when the drawing is stretched.
    dots = [
        Markup('<path class="dot" d="M{} {}h0"/>').format(format_coordinate(x), format_coordinate(y))
        for _, x, y in points_at
    ]
    days_words = f"{len(dated)} measured day{'s' if len(dated) > 1 else ''}"
    label = f"{name}: {days_words}, latest {dated[-1][1]:.1f} of 100 on {dated[-1][0]}"
    return Markup(
        '<svg class="trend" viewBox="0 0 {} {}" role="img" aria-label="{}" preserveAspectRatio="none">{}{}{}</svg>'
    ).format(WIDTH, HEIGHT, escape(label), grid(), Markup("").join(lines), Markup("").join(dots))


def grid() -> Markup:
    """Draw the lines of 0, 50 and 100."""
    line = Markup('<path class="grid" d="M0 {}H{}"/>')
    return Markup("").join(
        line.format(format_coordinate(_height_of(value)), WIDTH) for value in (0.0, 50.0, HIGHEST_SCORE)
    )


def _height_of(value: float) -> float:
    """Return the place of a value between 0 and 100, from the top."""
    return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * min(max(value, 0.0), HIGHEST_SCORE) / HIGHEST_SCORE

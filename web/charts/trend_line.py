"""The line of daily scores as inline SVG, with gaps where nothing was measured."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from markupsafe import Markup, escape

from web.charts.coordinates import HIGHEST_SCORE, format_coordinate
from web.charts.measured_days import split_at_gaps

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
        ((day - first).days, MARGIN + (day - first).days * step, height_of(value)) for day, value in dated
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
        line.format(format_coordinate(height_of(value)), WIDTH) for value in (0.0, 50.0, HIGHEST_SCORE)
    )


def height_of(value: float) -> float:
    """Return the place of a value between 0 and 100, from the top."""
    return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * min(max(value, 0.0), HIGHEST_SCORE) / HIGHEST_SCORE

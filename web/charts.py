"""Small drawings as inline SVG: where a score lies with its interval, and how it moved."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from markupsafe import Markup, escape

WIDTH, HEIGHT = 320, 72
MARGIN = 6
HIGHEST = 100.0


def trend_line(points: Sequence[Mapping[str, Any]], days: int, name: str) -> Markup:
    """Draw daily values from 0 to 100, the last day at the right; a day without a value stays empty.

    Neighbouring days are joined; over a gap nothing is drawn, since nothing was measured.
    """
    if not points:
        return Markup("")
    dated = [(date.fromisoformat(point["day"]), float(point["value"])) for point in points]
    first = dated[-1][0] - timedelta(days=max(1, days - 1))
    step = (WIDTH - 2 * MARGIN) / max(1, days - 1)
    spots = [
        ((day - first).days, MARGIN + (day - first).days * step, height_of(value)) for day, value in dated
    ]
    lines = [
        Markup('<path class="line" d="M{} {}L{} {}"/>').format(
            *map(figure, (left[1], left[2], right[1], right[2]))
        )
        for left, right in pairwise(spots)
        if right[0] - left[0] == 1
    ]
    # A line of no length with round ends stays a circle when the drawing is stretched.
    dots = [Markup('<path class="dot" d="M{} {}h0"/>').format(figure(x), figure(y)) for _, x, y in spots]
    label = f"{name}: {len(dated)} measured days, latest {dated[-1][1]:.1f} of 100 on {dated[-1][0]}"
    return Markup(
        '<svg class="trend" viewBox="0 0 {} {}" role="img" aria-label="{}" preserveAspectRatio="none">{}{}{}</svg>'
    ).format(WIDTH, HEIGHT, escape(label), grid(), Markup("").join(lines), Markup("").join(dots))


def grid() -> Markup:
    """Draw the lines of 0, 50 and 100."""
    line = Markup('<path class="grid" d="M0 {}H{}"/>')
    return Markup("").join(line.format(figure(height_of(value)), WIDTH) for value in (0.0, 50.0, HIGHEST))


def height_of(value: float) -> float:
    """Return the place of a value between 0 and 100, from the top."""
    return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * min(max(value, 0.0), HIGHEST) / HIGHEST


def interval_bar(value: float | None, interval: Mapping[str, float] | None, most: float = HIGHEST) -> Markup:
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
    ).format(figure(left), figure(max(right - left, 0.5)), figure(min(at, 99.0)))


def figure(value: float) -> str:
    """Return a coordinate without needless digits."""
    return f"{value:.2f}".rstrip("0").rstrip(".")

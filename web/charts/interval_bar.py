"""The bar of a value with its interval as inline SVG."""

from collections.abc import Mapping

from markupsafe import Markup

from web.charts.coordinates import HIGHEST_SCORE, format_coordinate


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

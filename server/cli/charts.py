"""Bars and sparklines of text, for terminals."""

from collections.abc import Mapping, Sequence

EIGHTHS = " ▏▎▍▌▋▊▉█"
LEVELS = "▁▂▃▄▅▆▇█"
WIDTH = 12


def bar(share: float, width: int = WIDTH) -> str:
    """Return a bar for a share from 0 to 1; more and less are drawn as these."""
    eighths = round(min(max(share, 0.0), 1.0) * width * 8)
    whole, rest = divmod(eighths, 8)
    return "█" * whole + (EIGHTHS[rest] if rest else "")


def sparkline(values: Sequence[float], low: float, high: float) -> str:
    """Return one sign a value, from `low` at the bottom to `high` at the top."""
    top = len(LEVELS) - 1
    span = (high - low) or 1.0
    return "".join(LEVELS[min(max(round((value - low) / span * top), 0), top)] for value in values)


def percent(share: float | None) -> str:
    """Return a share from 0 to 1 as percent."""
    return "" if share is None else f"{100 * share:.0f} %"


def signed(points: float | None) -> str:
    """Return points with their sign."""
    return "" if points is None else f"{points:+.1f}"


def bounds(interval: Mapping[str, float] | None, scale: float = 1.0) -> str:
    """Return an interval as `low to high`."""
    return "" if interval is None else f"{scale * interval['low']:.1f} to {scale * interval['high']:.1f}"

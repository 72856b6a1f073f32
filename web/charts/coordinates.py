"""Coordinates of SVG drawings: the scale of scores and how numbers are written."""

HIGHEST_SCORE = 100.0


def format_coordinate(value: float) -> str:
    """Return a coordinate without needless digits."""
    return f"{value:.2f}".rstrip("0").rstrip(".")

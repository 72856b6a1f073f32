"""The metrics that have a history, with their words and their scale."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MetricWords:
    """How a metric is called and written; `most` is the end of its scale, None for the largest value there is."""

    name: str
    title: str
    words: Callable[[float], str]
    most: float | None = None

    def highest(self, value: float) -> float:
        """Return the end of the axis: the scale's, or a round number above the largest value."""
        if self.most is not None:
            return self.most
        step = 1.0
        while step * 4 < value:
            step *= 2 if str(step)[0] in "15" else 2.5
        return step * 4


def decimal(value: float) -> str:
    """Write a number with one decimal."""
    return f"{value:.1f}"


def whole(value: float) -> str:
    """Write a number without decimals."""
    return f"{value:.0f}"


def share(value: float) -> str:
    """Write a share from 0 to 1 as a percentage."""
    return f"{100 * value:.0f} %"


METRICS: Mapping[str, MetricWords] = {
    metric.name: metric
    for metric in (
        MetricWords("visibilityScore", "Visibility score", decimal, 100.0),
        MetricWords("mentionCount", "Mentions", whole),
        MetricWords("shareOfVoice", "Share of voice", share, 1.0),
        MetricWords("averagePosition", "Average rank", decimal),
        MetricWords("citationRate", "Answers citing our site", share, 1.0),
        MetricWords("sentiment", "Tone", decimal),
    )
}

"""The metrics that have a history, with their words and their scale."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from web.glossary import percent

ROUND_STEPS = (0.01, 0.02, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25)


@dataclass(frozen=True, slots=True)
class MetricWords:
    """How a metric is called and written; `most` is the end of its scale, None where it has none."""

    name: str
    title: str
    words: Callable[[float], str]
    most: float | None = None

    def axis_words(self, value: float) -> str:
        """Write a place on the axis: a decimal only where the place is between two whole numbers."""
        return whole(value) if self.words is decimal and value == round(value) else self.words(value)

    def highest(self, value: float) -> float:
        """Return the end of the axis: four round steps that reach the largest value, within the scale."""
        scale = self.most or 1.0
        while self.most is None and ROUND_STEPS[-1] * 4 * scale < value:
            scale *= 10
        step = next((step for step in ROUND_STEPS if step * 4 * scale >= value), ROUND_STEPS[-1])
        smallest = 0.25 if self.most is None and scale == 1.0 else 0.05
        return max(step, smallest) * 4 * scale


def decimal(value: float) -> str:
    """Write a number with one decimal."""
    return f"{value:.1f}"


def whole(value: float) -> str:
    """Write a number without decimals."""
    return f"{value:.0f}"


def share(value: float) -> str:
    """Write a share from 0 to 1 as a percentage."""
    return percent(value)


METRICS: Mapping[str, MetricWords] = {
    metric.name: metric
    for metric in (
        MetricWords("visibilityScore", "Visibility score", decimal, 100.0),
        MetricWords("mentionCount", "Mentions", whole),
        MetricWords("shareOfVoice", "Share of voice", share, 1.0),
        MetricWords("averagePosition", "Average rank", decimal),
        MetricWords("citationRate", "Answers citing our site", share, 1.0),
        MetricWords("sentiment", "Tone", decimal, 100.0),
    )
}

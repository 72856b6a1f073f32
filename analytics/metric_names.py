"""The names of the metrics: those that are measured in every answer, and those that need a judge."""

from enum import StrEnum


class MetricName(StrEnum):
    """Metric names as the interface spells them."""

    VISIBILITY_SCORE = "visibilityScore"
    MENTION_COUNT = "mentionCount"
    SHARE_OF_VOICE = "shareOfVoice"
    AVERAGE_POSITION = "averagePosition"
    CITATION_RATE = "citationRate"
    SENTIMENT = "sentiment"
    RECOMMENDATION_RATE = "recommendationRate"


JUDGED = frozenset({MetricName.SENTIMENT, MetricName.RECOMMENDATION_RATE})
"""Metrics of mentions that an engine judged; they are counted when they are read, not when a batch is published."""
MEASURED = tuple(name for name in MetricName if name not in JUDGED)
"""Metrics of every measured batch, in display order."""

"""The names of the six metrics."""

from enum import StrEnum


class MetricName(StrEnum):
    """Metric names as the interface spells them."""

    VISIBILITY_SCORE = "visibilityScore"
    MENTION_COUNT = "mentionCount"
    SHARE_OF_VOICE = "shareOfVoice"
    AVERAGE_POSITION = "averagePosition"
    CITATION_RATE = "citationRate"
    SENTIMENT = "sentiment"

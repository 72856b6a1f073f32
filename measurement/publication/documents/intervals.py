"""Intervals as stored documents hold them."""

from analytics.intervals import Interval, IntervalPair, NoiseSource
from storage.documents import StoredDocument


class IntervalDocument(StoredDocument):
    """An interval in the unit of its value."""

    low: float
    high: float


class IntervalPairDocument(StoredDocument):
    """The two 95 % intervals of one value.

    `these_prompts`: where it would lie if the same prompts were asked again. `all_questions`: where it would lie
    with other questions of the same kind; null with fewer than two prompts. `noise_source` says how the noise of
    single answers was known; with "upper_bound" the first interval is at most this wide.
    """

    these_prompts: IntervalDocument
    all_questions: IntervalDocument | None
    noise_source: NoiseSource


def interval_document(interval: Interval) -> IntervalDocument:
    """Return one interval as it is stored."""
    return IntervalDocument(low=interval[0], high=interval[1])


def interval_pair_document(intervals: IntervalPair | None) -> IntervalPairDocument | None:
    """Return both intervals of a value as they are stored."""
    if intervals is None:
        return None
    return IntervalPairDocument(
        these_prompts=interval_document(intervals.these_prompts),
        all_questions=interval_document(intervals.all_questions) if intervals.all_questions else None,
        noise_source=intervals.noise_source,
    )

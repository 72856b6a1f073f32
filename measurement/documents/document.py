"""Base of every stored document: camel-case JSON, unknown fields refused, values that never change."""

from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from analytics.intervals import Interval, IntervalPair, NoiseSource


class StoredDocument(BaseModel):
    """A document or a part of one. A document that stands alone carries its `schema_version`."""

    model_config = ConfigDict(
        alias_generator=to_camel, validate_by_name=True, validate_by_alias=True, extra="forbid", frozen=True
    )

    def to_json(self) -> dict[str, Any]:
        """Return the document as JSON values under the names in which it is stored; floats stay exact."""
        return self.model_dump(mode="json", by_alias=True)


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

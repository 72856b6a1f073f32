"""Which answers are looked at: run batches from the newest backwards, without their degraded channels."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from analytics.observation import Channel, Observation
from analytics.prompt_means import CellKey

ENOUGH_ANSWERS = 30
ENOUGH_PROMPTS = 10
LOOK_BACK = timedelta(days=28)


@dataclass(frozen=True, slots=True)
class ChannelAsks:
    """How the planned asks of one channel of one batch ended; counts."""

    planned: int
    valid: int
    refused: int = 0
    empty: int = 0
    failed: int = 0
    not_grounded: int = 0
    truncated: int = 0

    @property
    def missing(self) -> int:
        """Planned asks that brought no answer that can be read to its end."""
        return self.failed + self.truncated

    @property
    def degraded(self) -> bool:
        """More than 20 % of the planned asks are missing; that is rarely random, so the rest misleads."""
        return self.missing * 5 > self.planned

    def __add__(self, other: "ChannelAsks") -> "ChannelAsks":
        """Counts of both together."""
        return ChannelAsks(
            self.planned + other.planned,
            self.valid + other.valid,
            self.refused + other.refused,
            self.empty + other.empty,
            self.failed + other.failed,
            self.not_grounded + other.not_grounded,
            self.truncated + other.truncated,
        )


@dataclass(frozen=True, slots=True)
class AnswerBatch:
    """One successful run batch: how each channel went, and its observations by entity id.

    Every entity has one observation per valid answer, in the same order. `captured_at` is aware.
    `missing` counts by prompt id and channel the planned asks to rated prompts whose answer failed or was cut off.
    """

    id: str
    captured_at: datetime
    asked: Mapping[Channel, ChannelAsks]
    observations: Mapping[str, Sequence[Observation]]
    missing: Mapping[CellKey, int] = field(default_factory=dict[CellKey, int])

    @property
    def degraded(self) -> tuple[Channel, ...]:
        """Channels of this batch that are left out of every score."""
        return tuple(sorted(channel for channel, asked in self.asked.items() if asked.degraded))

    def usable(self, entity: str) -> list[Observation]:
        """The entity's observations outside degraded channels."""
        seen_of_entity = self.observations.get(entity)
        if not seen_of_entity:  # as of most batches, where one holds the answers of many
            return []
        left_out = set(self.degraded)
        return [seen for seen in seen_of_entity if seen.channel not in left_out]


def usable(batches: Iterable[AnswerBatch], entity: str) -> list[Observation]:
    """The entity's observations in all these batches, without degraded channels."""
    return [seen for batch in batches for seen in batch.usable(entity)]


def missing_cells(batches: Iterable[AnswerBatch]) -> dict[tuple[str, Channel], int]:
    """Missing answers by prompt id and channel over all these batches, without degraded channels."""
    counts: Counter[tuple[str, Channel]] = Counter()
    for batch in batches:
        left_out = set(batch.degraded)
        counts.update({cell: count for cell, count in batch.missing.items() if cell[1] not in left_out})
    return dict(counts)


def enough(batches: Iterable[AnswerBatch], entity: str) -> bool:
    """Whether these batches hold 30 valid answers over 10 prompts that rate the entity."""
    return are_enough(rated_by_prompt(batches, entity))


def rated_by_prompt(batches: Iterable[AnswerBatch], entity: str) -> Counter[str]:
    """Count the answers that rate the entity by prompt id, without degraded channels."""
    counts: Counter[str] = Counter()
    for seen in usable(batches, entity):
        if seen.rated:
            counts[seen.prompt_id] += 1
    return counts


def are_enough(rated: Mapping[str, int]) -> bool:
    """Whether answers counted by prompt id are enough for a score."""
    return sum(rated.values()) >= ENOUGH_ANSWERS and len(rated) >= ENOUGH_PROMPTS


def looked_at(batches: Iterable[AnswerBatch], entity: str) -> tuple[AnswerBatch, ...]:
    """The newest batch, and those before it until there is enough or 28 days before the newest are reached.

    Takes any order, gives newest first.
    """
    taken: list[AnswerBatch] = []
    for batch in sorted(batches, key=lambda batch: (batch.captured_at, batch.id), reverse=True):
        if taken and (taken[0].captured_at - batch.captured_at > LOOK_BACK or enough(taken, entity)):
            break
        taken.append(batch)
    return tuple(taken)

"""Which answers are looked at: run batches from the newest backwards, without their degraded channels."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from analytics.observations import Channel, Observation

ENOUGH_ANSWERS = 30
ENOUGH_PROMPTS = 10
LOOK_BACK = timedelta(days=28)


@dataclass(frozen=True, slots=True)
class Asked:
    """How the planned asks of one channel of one batch ended; counts."""

    planned: int
    valid: int
    refused: int = 0
    empty: int = 0
    failed: int = 0
    not_grounded: int = 0

    @property
    def degraded(self) -> bool:
        """More than 20 % of the planned asks failed; failures are rarely random, so the rest misleads."""
        return self.failed * 5 > self.planned

    def __add__(self, other: "Asked") -> "Asked":
        """Counts of both together."""
        return Asked(
            self.planned + other.planned,
            self.valid + other.valid,
            self.refused + other.refused,
            self.empty + other.empty,
            self.failed + other.failed,
            self.not_grounded + other.not_grounded,
        )


@dataclass(frozen=True, slots=True)
class Batch:
    """One successful run batch: how each channel went, and its observations by entity id.

    Every entity has one observation per valid answer. `captured_at` is aware.
    """

    id: str
    captured_at: datetime
    asked: Mapping[Channel, Asked]
    observations: Mapping[str, Sequence[Observation]]

    @property
    def degraded(self) -> tuple[Channel, ...]:
        """Channels of this batch that are left out of every score."""
        return tuple(sorted(channel for channel, asked in self.asked.items() if asked.degraded))

    def usable(self, entity: str) -> list[Observation]:
        """The entity's observations outside degraded channels."""
        left_out = set(self.degraded)
        return [seen for seen in self.observations.get(entity, ()) if seen.channel not in left_out]


def usable(batches: Iterable[Batch], entity: str) -> list[Observation]:
    """The entity's observations in all these batches, without degraded channels."""
    return [seen for batch in batches for seen in batch.usable(entity)]


def enough(batches: Iterable[Batch], entity: str) -> bool:
    """Whether these batches hold 30 valid answers over 10 prompts that rate the entity."""
    rated = [seen for seen in usable(batches, entity) if seen.rated]
    return len(rated) >= ENOUGH_ANSWERS and len({seen.prompt_id for seen in rated}) >= ENOUGH_PROMPTS


def looked_at(batches: Iterable[Batch], entity: str) -> tuple[Batch, ...]:
    """The newest batch, and those before it until there is enough or 28 days before the newest are reached.

    Takes any order, gives newest first.
    """
    taken: list[Batch] = []
    for batch in sorted(batches, key=lambda batch: (batch.captured_at, batch.id), reverse=True):
        if taken and (taken[0].captured_at - batch.captured_at > LOOK_BACK or enough(taken, entity)):
            break
        taken.append(batch)
    return tuple(taken)

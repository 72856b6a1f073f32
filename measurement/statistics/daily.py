"""Daily observations from precomputed documents, for filters of whole days."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from analytics.observation import Observation
from measurement.publication.readings import AlikeReading, AlikeRows
from measurement.statistics.batches import LaidOutBatch, observe_counts
from measurement.statistics.choices import Choice
from storage.repositories.brands import EntityNames


@dataclass(frozen=True, slots=True)
class CountedDay:
    """One UTC day with answers: counts by extraction result, degraded channels apart, and the batches.

    Two days are equal if they have the same extraction results in the same order, which determine all their
    metrics.
    """

    day: date
    kept: tuple[tuple[AlikeReading, int], ...]
    lost: tuple[tuple[AlikeReading, int], ...]
    batch_keys: tuple[int, ...]

    @property
    def readings(self) -> int:
        """Number of distinct extraction results of the day's answers."""
        return len(self.kept) + len(self.lost)


@dataclass(frozen=True, slots=True)
class ObservedDay:
    """One UTC day with answers: observations of valid answers by entity ID, and the batches with answers.

    `observed` leaves out degraded channels, `own` are the brand's observations in it, and `every` adds those
    of the brand from degraded channels.
    """

    day: date
    observed: Mapping[str, Sequence[Observation]]
    own: Sequence[Observation]
    every: Sequence[Observation]
    batch_keys: tuple[int, ...]


def count_days(batches: Sequence[LaidOutBatch], choice: Choice) -> list[CountedDay]:
    """Return the days of batches that have a chosen answer, oldest first; pure.

    A channel of a batch is degraded or not according to its chosen answers of all these days together.
    """
    kept: dict[date, dict[AlikeReading, int]] = defaultdict(dict)
    lost: dict[date, dict[AlikeReading, int]] = defaultdict(dict)
    keys: dict[date, set[int]] = defaultdict(set)
    for batch in batches:
        counted = [(day.day, day.count(choice.cells(day), Counter())) for day in batch.days]
        left_out = batch.degraded_in([counts for _, counts in counted])
        for day, counts in counted:
            if counts:
                keys[day].add(batch.key)
            for reading, count in counts.items():
                of_day = (lost if reading.channel in left_out else kept)[day]
                of_day[reading] = of_day.get(reading, 0) + count
    return [
        CountedDay(day, tuple(kept[day].items()), tuple(lost[day].items()), tuple(sorted(of_batches)))
        for day, of_batches in sorted(keys.items())
    ]


def observe_day(
    day: CountedDay, entities: Sequence[EntityNames], is_custom: Callable[[AlikeReading], bool]
) -> ObservedDay:
    """Return the observations of a day; the brand is the first entity."""

    def observe(named: Sequence[EntityNames], origin: str, rows: AlikeRows) -> dict[str, list[Observation]]:
        return observe_counts(named, origin, dict(rows), is_custom, {})

    observed = observe(entities, "kept", day.kept)
    own = observed[entities[0].id]
    left = observe(entities[:1], "lost", day.lost)
    return ObservedDay(day.day, observed, own, [*own, *left[entities[0].id]], day.batch_keys)

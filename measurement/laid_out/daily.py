"""What laid out days show day by day: observations of whole days of a filter."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from analytics.observation import Observation
from measurement.laid_out.batches import LaidOutAnswers, LaidOutBatch, observe_counts
from measurement.laid_out.choices import Choice
from measurement.laid_out.readings import AlikeReading
from storage.repositories.brands import EntityNames


@dataclass(frozen=True, slots=True)
class ObservedDay:
    """One UTC day that has an answer: observations of valid answers by entity id, and the batches that have any.

    `observed` leaves degraded channels out, `own` are those of the brand among them, and `every` its own with them.
    """

    day: date
    observed: Mapping[str, Sequence[Observation]]
    own: Sequence[Observation]
    every: Sequence[Observation]
    batch_keys: tuple[int, ...]


def observe_days(
    entities: Sequence[EntityNames],
    batches: Sequence[LaidOutBatch],
    choice: Choice,
    answers: LaidOutAnswers,
) -> list[ObservedDay]:
    """Return the days of batches that have a chosen answer, the oldest first; the brand is the first entity; pure.

    Whether a channel of a batch is degraded its chosen answers of all these days tell together.
    """
    kept: dict[date, dict[AlikeReading, int]] = defaultdict(dict)
    lost: dict[date, dict[AlikeReading, int]] = defaultdict(dict)
    keys: dict[date, set[int]] = defaultdict(set)
    for batch in batches:
        counted = [(day.day, day.count(choice.cells(day), {})) for day in batch.days]
        left_out = batch.degraded_in([counts for _, counts in counted])
        for day, counts in counted:
            if counts:
                keys[day].add(batch.key)
            for reading, count in counts.items():
                of_day = (lost if reading.channel in left_out else kept)[day]
                of_day[reading] = of_day.get(reading, 0) + count
    days: list[ObservedDay] = []
    for day, of_batches in sorted(keys.items()):
        observed = observe_counts(entities, "kept", kept[day], answers, {})
        left = observe_counts(entities[:1], "lost", lost[day], answers, {})
        own = observed[entities[0].id]
        every = [*own, *left[entities[0].id]]
        days.append(ObservedDay(day, observed, own, every, tuple(sorted(of_batches))))
    return days

"""Sums of cells as the observations of batches give them: answer by answer, without the statements of storage."""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from analytics.cell_sums import CellSums, prominence_of
from measurement.extraction.channel_facts import is_cut_off, is_not_shown, is_rated_answer
from measurement.extraction.observations import channel_of, observation, observe
from measurement.planning.brand_identity import identify
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.answers.observed_answers import ObservedAnswer, ObservedMention
from storage.repositories.brands import Brand
from storage.repositories.running_totals import CellTotals
from storage.workspace import Workspace

Place = tuple[str, str, str, str, str, int]
"""Prompt, platform, mode, source and country of a cell, and an entity."""


@dataclass(frozen=True)
class SeenAnswer:
    """One published answer with its mentions, and whether its channel was degraded in its batch."""

    answer: ObservedAnswer
    mentions: dict[int, ObservedMention]
    degraded: bool

    @property
    def day(self) -> date:
        return self.answer.captured_at.astimezone(UTC).date()

    @property
    def entities(self) -> list[int]:
        """The entities that the answer has sums for."""
        told = [key for key, one in self.mentions.items() if key and (one.named or one.cites_own)]
        return [0, *told]

    def place(self, entity: int) -> Place:
        answer = self.answer
        return answer.prompt_id, answer.platform, answer.mode, answer.source, answer.country, entity

    def sums(self, entity: int) -> CellSums:
        """What this answer adds to the sums of an entity."""
        answer, mention = self.answer, self.mentions.get(entity)
        found: Counter[str] = Counter()
        if answer.valid:
            seen = observation(answer, mention, entity, has_site=True)
            found["named_in_all"] = seen.named
            if not (seen.branded or seen.custom or self.degraded):
                names = sum(one.named for one in self.mentions.values())
                found.update(answers=1, mentions=names, mentions_square=names**2, naming=names > 0)
                found["unknown"] = not seen.citation_measurable
                found["citing"] = seen.citation_measurable and bool(seen.cites_owned)
                if seen.named:
                    p = prominence_of(seen.rank, seen.position)
                    c, u, rank = found["citing"], found["unknown"], seen.rank or 0
                    found.update(
                        {
                            **{
                                "named": 1,
                                "own_mentions": names,
                                "prominence": p,
                                "prominence_square": p * p,
                            },
                            **{"cited": c, "prominence_cited": p * c, "named_unknown": u},
                            **{"prominence_unknown": p * u, "ranked": rank > 0},
                            **{"rank_sum": rank, "rank_square": rank * rank},
                        }
                    )
        if entity:
            for name in ("answers", "unknown", "mentions", "mentions_square", "naming"):
                del found[name]
            return CellSums(**{name: int(value) for name, value in found.items()})
        counts = is_rated_answer(answer) and not self.degraded
        found.update(
            valid=answer.valid,
            stored=1,
            searched=answer.retrieval == "searched",
            uncertain=mention.uncertain if mention else 0,
            absences=mention.absences if mention else 0,
            not_shown=is_not_shown(answer) and counts,
            cut_off=is_cut_off(answer) and counts,
        )
        return CellSums(**{name: int(value) for name, value in found.items()})


async def seen_answers(workspace: Workspace, brand: Brand) -> list[SeenAnswer]:
    """Every answer of the brand's successful batches, as its current revision reads it."""
    assert brand.revision_key is not None
    identity = await identify(workspace, brand)
    seen: list[SeenAnswer] = []
    for batch in await workspace.batches.successful(brand.key, datetime(2100, 1, 1, tzinfo=UTC), 10_000):
        answers: list[ObservedAnswer] = []
        told: dict[int, dict[int, ObservedMention]] = defaultdict(dict)

        def take(page: Sequence[ObservedAnswer], mentions: Sequence[ObservedMention]) -> None:
            answers.extend(page)  # noqa: B023 # called before the next batch
            for mention in mentions:
                told[mention.answer_key][mention.entity_key] = mention  # noqa: B023 # the same

        observed = await observe(workspace, identity, brand.revision_key, batch, take)
        degraded = set(observed.batch.degraded)
        seen += [SeenAnswer(one, told.get(one.key, {}), channel_of(one) in degraded) for one in answers]
    return seen


def sums_of(
    seen: Iterable[SeenAnswer],
    entities: Iterable[int],
    chosen: Callable[[SeenAnswer], bool] = lambda seen: True,
) -> dict[Place, CellSums]:
    """Add up the chosen answers, one by one."""
    wanted, found = set(entities), dict[Place, CellSums]()
    for one in filter(chosen, seen):
        for entity in wanted.intersection(one.entities):
            place = one.place(entity)
            found[place] = found.get(place, CellSums()).plus(one.sums(entity))
    return found


def keyed(totals: Iterable[CellTotals]) -> dict[Place, CellSums]:
    """Return stored sums in the same form."""
    rows = list(totals)
    found = {
        (one.prompt_id, one.platform, one.mode, one.source, one.country, one.entity_key): CellSums(*one.sums)
        for one in rows
    }
    assert len(found) == len(rows), "every cell and entity has one row"
    return found


def differing(stored: dict[Place, CellSums], counted: dict[Place, CellSums]) -> list[str]:
    """Name what differs, briefly."""
    return [
        f"{place}: {name} {old} instead of {new}"
        for place in sorted(stored.keys() | counted.keys())
        for name, old, new in zip(
            ("row", *CellSums._fields),
            (place in stored, *stored.get(place, CellSums())),
            (place in counted, *counted.get(place, CellSums())),
            strict=True,
        )
        if old != new
    ]


def some_filters(
    chance: random.Random, values: Mapping[str, Iterable[Any]], first: datetime, last: datetime, how_many: int
) -> list[AnswerFilter]:
    """Filters that name some of these values each, and whole days between two midnights or none."""
    filters: list[AnswerFilter] = []
    for _ in range(how_many):
        named = chance.sample(sorted(values), chance.randint(0, min(3, len(values))))
        days = (last - first).days
        begin = chance.randint(0, days - 1)
        end = chance.randint(begin + 1, days)
        period: dict[str, Any] = chance.choice(
            [
                {},
                {"since": first + timedelta(days=begin)},
                {"until": first + timedelta(days=end)},
                {"since": first + timedelta(days=begin), "until": first + timedelta(days=end)},
            ]
        )
        filters.append(AnswerFilter(**{name: chance.choice(list(values[name])) for name in named}, **period))
    return filters

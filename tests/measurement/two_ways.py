"""Results of chosen answers in both ways: as publishing laid them out, and answer by answer."""

import random
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from measurement.planning.brand_identity import identify
from measurement.statistics.filtered_documents import (
    DOCUMENTS,
    FilteredBatches,
    FilteredResults,
    calculate_results,
)
from measurement.statistics.filtered_results import Taken, is_period, take_answers, take_laid_out
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand
from storage.workspace import Workspace


async def in_two_ways(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter, now: datetime
) -> tuple[list[FilteredResults] | None, list[FilteredResults] | None]:
    """What publishing laid out shows, and what the answers themselves show."""
    identity = await identify(workspace, brand)
    ways: list[list[FilteredResults] | None] = []
    for take in (take_laid_out, take_answers):
        taken = Taken(brand.id, all_of_them=is_period(chosen))
        if await take(workspace, brand, identity, chosen, now, taken) is False:
            raise AssertionError(f"{chosen} is not read as it was laid out")
        filtered = FilteredBatches(identity, tuple(taken.batches), taken.cut)
        ways.append([calculate_results(filtered, part) for part in DOCUMENTS] if taken.batches else None)
    return ways[0], ways[1]


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

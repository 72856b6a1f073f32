"""Cached query results about published answers, valid until one of their days is recomputed."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import TypeAlias, TypeVar

from measurement.publication.kept_results import KeptResults
from measurement.statistics.batches import begin_of, days_of, is_laid_out
from measurement.statistics.periods import content_digest
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.batch_cells import LaidOutPlace
from storage.repositories.brands import Brand
from storage.workspace import Workspace

Result = TypeVar("Result")
ByPlace: TypeAlias = Mapping[tuple[int, date], Result]
"""Result by batch and day; places without a result may be missing."""


async def read_each_day(
    workspace: Workspace,
    brand: Brand,
    chosen: AnswerFilter,
    kept: KeptResults[Result],
    what: object,
    read: Callable[[Sequence[int], AnswerFilter], Awaitable[ByPlace[Result]]],
    nothing: Result,
) -> list[Result] | None:
    """Return a query's result for each batch and day of a filter, reading only those that are not cached.

    Returns None if changes cannot be detected: if a day is partial or not precomputed, if tags or intents of
    prompts decide, or if something is recomputed in between. `what` holds all inputs of the query other than
    the filter, its answers and the prompt sets of prompts; the extraction results of a revision never change.
    `read` receives batch keys, and the filter narrowed to the days that it must read.
    """
    key = await _key(workspace, brand, chosen, what)
    if key is None:
        return None
    places = await _places(workspace, brand, chosen)
    known = {place: value for place in places if (value := kept.find((key, place))) is not None}
    if missing := [place for place in places if place not in known]:
        found = await read(sorted({place.batch_key for place in missing}), _within(missing, chosen))
        if await _places(workspace, brand, chosen) != places:
            return None
        for place in missing:
            value = found.get((place.batch_key, place.day), nothing)
            known[place] = kept.keep((key, place), 1, value)
    return [known[place] for place in places]


async def read_days(
    workspace: Workspace,
    brand: Brand,
    chosen: AnswerFilter,
    kept: KeptResults[list[Result]],
    what: object,
    read: Callable[[], Awaitable[list[Result]]],
) -> list[Result]:
    """Return the rows of a query over all days of a filter, cached if changes can be detected."""
    key = await _key(workspace, brand, chosen, what)
    if key is None:
        return await read()
    places = await _places(workspace, brand, chosen)
    of_places = key, content_digest(places)
    rows = kept.find(of_places)
    if rows is None:
        rows = await read()
        if await _places(workspace, brand, chosen) == places:
            kept.keep(of_places, 1 + len(rows), rows)
    return rows


async def _key(workspace: Workspace, brand: Brand, chosen: AnswerFilter, what: object) -> str | None:
    """Return the cache key of a query without its days; None if changes cannot be detected."""
    if chosen.tag is not None or chosen.intent is not None:
        return None
    if brand.revision_key is None or not await is_laid_out(workspace, brand, chosen):
        return None
    whatever_time = replace(chosen, since=None, until=None)
    out_of_sets = await workspace.prompts.out_of_sets()
    return content_digest(brand.key, brand.revision_key, whatever_time, what, out_of_sets)


async def _places(workspace: Workspace, brand: Brand, chosen: AnswerFilter) -> list[LaidOutPlace]:
    assert brand.revision_key is not None
    return await workspace.batch_cells.places(brand.key, brand.revision_key, *days_of(chosen))


def _within(places: Sequence[LaidOutPlace], chosen: AnswerFilter) -> AnswerFilter:
    """Return a filter with the time from the first to the last of some places, at least one."""
    days = [place.day for place in places]
    return replace(chosen, since=begin_of(min(days)), until=begin_of(max(days) + timedelta(days=1)))

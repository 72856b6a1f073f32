"""Precomputed periods: the days of a brand by their digests, with their documents loaded when needed."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import anyio.to_thread

from measurement.publication.days import LaidOutDay
from measurement.publication.kept_results import KeptResults
from measurement.statistics.batches import LaidOutBatch, prompts_of
from measurement.statistics.kept_days import find_day, kept_day
from storage.repositories.batch_cells import LaidOutPlace, StoredCells
from storage.repositories.brands import Brand
from storage.repositories.prompt_results import AskedPrompt
from storage.workspace import Workspace

MOST_PROMPTS = 200_000
"""Size limit of the cache, in prompt IDs of all periods together."""
PROMPTS = KeptResults[tuple[str, ...]](MOST_PROMPTS)
"""Cache of the IDs of the prompts answered in a period, by the digest of its places."""


@dataclass(frozen=True, slots=True)
class LaidOutPeriod:
    """Some days of a brand: the precomputed batch days, newest first, and the prompts that were answered.

    `batches` are the documents; None if they have not been loaded yet.
    """

    places: tuple[LaidOutPlace, ...]
    asked: Mapping[str, AskedPrompt]
    batches: Sequence[LaidOutBatch] | None = None

    @property
    def digest(self) -> str:
        """Digest of all inputs of the period's results: its answers, and what filters use of prompts."""
        prompts = [(prompt.id, prompt.set_id, prompt.intent, *prompt.tags) for prompt in self.asked.values()]
        return content_digest(self.places, prompts)

    @property
    def batch_keys(self) -> list[int]:
        """The keys of its batches, in order."""
        return sorted({place.batch_key for place in self.places})


def content_digest(*values: object) -> str:
    """Return a digest of values from their `repr`, which includes every field; none of them may be a set."""
    return hashlib.sha256(repr(values).encode()).hexdigest()


async def find_period(workspace: Workspace, brand: Brand, days: tuple[date, date]) -> LaidOutPeriod:
    """Return the period between two days; its documents are read only if its prompts are not cached."""
    assert brand.revision_key is not None
    places = tuple(await workspace.batch_cells.places(brand.key, brand.revision_key, *days))
    batches: list[LaidOutBatch] | None = None
    ids = PROMPTS.find(content_digest(places))
    if ids is None:
        places, batches = await _read(workspace, brand, days)
        ids = tuple(sorted(prompts_of(batches)))
        PROMPTS.keep(content_digest(places), len(ids), ids)
    return LaidOutPeriod(places, await workspace.prompt_results.prompts(ids), batches)


async def read_period(
    workspace: Workspace, brand: Brand, days: tuple[date, date], period: LaidOutPeriod
) -> LaidOutPeriod:
    """Return the same period with its documents; if a day is recomputed meanwhile, return the newer period."""
    if period.batches is not None:
        return period
    places, batches = await _read(workspace, brand, days)
    if places == period.places:
        return replace(period, batches=batches)
    asked = await workspace.prompt_results.prompts(sorted(prompts_of(batches)))
    return LaidOutPeriod(places, asked, batches)


async def _read(
    workspace: Workspace, brand: Brand, days: tuple[date, date]
) -> tuple[tuple[LaidOutPlace, ...], list[LaidOutBatch]]:
    """Return the precomputed documents of some days, reading those that are not cached.

    If a day is recomputed between the two queries, its digest no longer matches, and both queries run again.
    """
    assert brand.revision_key is not None
    cells = workspace.batch_cells
    while True:
        places = tuple(await cells.places(brand.key, brand.revision_key, *days))
        read = {place: day for place in places if (day := find_day(place)) is not None}
        if missing := [place for place in places if place not in read]:
            stored = await cells.of_places(brand.key, brand.revision_key, missing)
            read |= await anyio.to_thread.run_sync(_read_days, stored, frozenset(missing))
        if len(read) == len(places):
            return places, _by_batch(places, read)


def _read_days(
    stored: Sequence[StoredCells], wanted: frozenset[LaidOutPlace]
) -> dict[LaidOutPlace, LaidOutDay]:
    return {cells.place: kept_day(cells) for cells in stored if cells.place in wanted}


def _by_batch(places: Sequence[LaidOutPlace], read: Mapping[LaidOutPlace, LaidOutDay]) -> list[LaidOutBatch]:
    """Return days grouped by batch, preserving the order of both."""
    batches: dict[int, tuple[str, list[LaidOutDay]]] = {}
    for place in places:
        batches.setdefault(place.batch_key, (place.batch_id, []))[1].append(read[place])
    return [LaidOutBatch(key, batch_id, of_batch) for key, (batch_id, of_batch) in batches.items()]

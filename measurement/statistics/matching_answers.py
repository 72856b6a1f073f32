"""Counts of stored answers that match an outcome and filters: cached for published days, else counted each time."""

from collections.abc import Sequence

from measurement.publication.kept_results import KeptResults
from measurement.statistics.daily_reads import ByPlace, read_each_day
from storage.repositories.answers.answer_filters import AnswerDetail, AnswerFilter
from storage.repositories.answers.answer_pages import SELECTIVE, names_of
from storage.repositories.brands import Brand
from storage.workspace import Workspace

MOST_COUNTS = 20_000
"""Size limit of the cache, in counts of single days."""
KEPT = KeptResults[int](MOST_COUNTS)


async def count_matching(
    workspace: Workspace, brand: Brand, outcome: str | None, detail: AnswerDetail, chosen: AnswerFilter
) -> int | None:
    """Return how many answers match; None if every answer must be examined to know."""
    revision_key = brand.revision_key
    if revision_key is None or not SELECTIVE.isdisjoint(names_of(outcome, detail, chosen)):
        return None
    answer_pages = workspace.answer_pages

    async def count(batch_keys: Sequence[int], within: AnswerFilter) -> ByPlace[int]:
        counts = await answer_pages.count_by_day(revision_key, outcome, within, detail, batch_keys)
        return {(of_day.batch_key, of_day.day): of_day.answers for of_day in counts}

    published = await read_each_day(workspace, brand, chosen, KEPT, ("count", outcome, detail), count, 0)
    if published is None:
        return None
    return sum(published) + await answer_pages.count_unpublished(
        brand.key, revision_key, outcome, chosen, detail
    )

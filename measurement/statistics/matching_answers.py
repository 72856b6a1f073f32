"""Counts of stored answers that match an outcome and filters, from running totals where these know it."""

from collections.abc import Callable, Mapping

from analytics.cell_sums import CellSums
from measurement.planning.brand_identity import BRAND_KEY
from measurement.statistics.period_sums import holds_whole_days, load_period
from storage.repositories.answers.answer_filters import ANY_ANSWER, AnswerDetail, AnswerFilter
from storage.repositories.brands import Brand
from storage.workspace import Workspace

OUTCOMES: Mapping[str | None, Callable[[CellSums], int]] = {
    None: lambda sums: sums.stored,
    "names_us": lambda sums: sums.named_in_all,
}
"""How many answers of a cell have an outcome."""


async def count_matching(
    workspace: Workspace, brand: Brand, outcome: str | None, detail: AnswerDetail, chosen: AnswerFilter
) -> int | None:
    """Return how many answers match; None if only the answers themselves tell."""
    if brand.revision_key is None or outcome not in OUTCOMES or detail != ANY_ANSWER:
        return None
    if not holds_whole_days(chosen):
        return None
    entities = [entity for entity in await workspace.brands.entities(brand) if entity.key == BRAND_KEY]
    period = await load_period(workspace, brand, chosen, entities)
    published = sum(map(OUTCOMES[outcome], period.market.entities[brand.id].cells.values()))
    return published + await workspace.answer_pages.count_unpublished(
        brand.key, brand.revision_key, outcome, chosen, detail
    )

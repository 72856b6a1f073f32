"""What the score would gain if prompts did as well as the best comparable ones, by the last four weeks of answers."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta

from analytics.change import Channel, common_answers, comparable_channels, endpoint_cells
from analytics.intervention import ExpectedGain, expected_gain
from measurement.brand_identity import identify
from measurement.period_comparison import newest_side
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand
from storage.workspace import Workspace

RECENT_DAYS = 28


async def expected_gains(
    workspace: Workspace, brand: Brand, prompt_ids: Collection[str], now: datetime
) -> dict[str, ExpectedGain]:
    """Return the gain of each prompt by its id, without those of which nothing measured says how much.

    Comparable are the prompts that share a tag with it, on the same engine. Source: statistics.md, section 3, for the
    values.
    """
    if not prompt_ids:
        return {}
    tags = {prompt.id: frozenset(prompt.tags) for prompt in await workspace.prompt_results.asked(brand.key)}
    values = await headline_values(workspace, brand, now)
    gains: dict[str, ExpectedGain] = {}
    for prompt_id in prompt_ids:
        own = tags.get(prompt_id, frozenset[str]())
        comparable = frozenset(other for other, others in tags.items() if own & others)
        gain = expected_gain(values, frozenset((prompt_id,)), comparable)
        if gain is not None:
            gains[prompt_id] = gain
    return gains


async def headline_values(
    workspace: Workspace, brand: Brand, now: datetime
) -> Mapping[tuple[str, Channel], float]:
    """Return the mean headline value (0 to 1) of each prompt on each channel; empty without answers."""
    chosen = AnswerFilter(since=now - timedelta(days=RECENT_DAYS), until=now)
    side = await newest_side(workspace, brand, await identify(workspace, brand), chosen)
    if side is None:
        return {}
    _, cells = endpoint_cells(common_answers(side, side, comparable_channels(side, side)))
    return {key: cell.mean for key, cell in cells.after.items()}

"""The actions of a brand as one list: what is critical, then by what it may gain, then what nobody can estimate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from analytics.intervention import ExpectedGain
from measurement.expected_gains import expected_gains
from measurement.interventions import treated_prompts
from storage.repositories.actions import Action, ActionOutline
from storage.repositories.brands import Brand
from storage.workspace import Workspace

MOST_RANKED = 1000
"""Actions that are ranked; further ones follow in the order of their severity."""
RANKED_STATES = ("open", "planned", None)
"""What is still to be done; what was decided has no gain to wait for."""


@dataclass(frozen=True, slots=True)
class RankedActions:
    """One page of a ranked list, the gains that are known by prompt, and how many actions there are."""

    actions: Sequence[Action]
    gains: Mapping[str, ExpectedGain]
    total: int


async def rank_actions(
    workspace: Workspace,
    brand: Brand,
    chosen: tuple[str | None, str | None],
    window: tuple[int, int],
    now: datetime,
) -> RankedActions:
    """Return a page of a brand's actions of a state and kind; `window` is its limit and offset.

    Decided ones, and lists that are longer than what is ranked, stand in the order of their severity.
    """
    (state, kind), (limit, offset) = chosen, window
    if state in RANKED_STATES:
        outlines = await workspace.actions.outlines(brand.key, state, kind, MOST_RANKED + 1)
        if len(outlines) <= MOST_RANKED:
            prompts = {prompt for outline in outlines for prompt in treated_prompts(outline)}
            gains = await expected_gains(workspace, brand, prompts, now)
            keys = [outline.issue_key for outline in rank_outlines(outlines, gains)[offset : offset + limit]]
            shown = await workspace.actions.of_issues(keys) if keys else []
            return RankedActions(shown, gains, len(outlines))
    listed, total = await workspace.actions.page(brand.key, state, kind, limit, offset)
    prompts = {prompt for action in listed for prompt in treated_prompts(action)}
    return RankedActions(listed, await expected_gains(workspace, brand, prompts, now), total)


def rank_outlines(
    outlines: Sequence[ActionOutline], gains: Mapping[str, ExpectedGain]
) -> list[ActionOutline]:
    """Return actions that come worst first in the order of the list; where nothing else decides, worst first."""

    def place(outline: ActionOutline) -> tuple[bool, bool, float]:
        known = [gains[prompt].points for prompt in treated_prompts(outline) if prompt in gains]
        points = max(known, default=0.0)
        return outline.severity != "critical", points <= 0, -max(points, 0.0)

    return sorted(outlines, key=place)

"""What prompts would gain the score at the level of the best comparable ones; actions, their effort and owner."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeAlias

import anyio

from analytics.change import Channel, common_answers, comparable_channels, endpoint_cells
from analytics.intervention import ExpectedGain, prompt_gains
from measurement.planning.brand_identity import identify
from measurement.statistics.batches import begin_of
from measurement.statistics.period_rows import newest_side
from storage.repositories.actions import Action, ActionChoice, ActionOutline
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand
from storage.workspace import Workspace

RECENT_DAYS = 28
MOST_RANKED = 1000
"""Actions that are ranked; further ones follow in the order of their severity."""
RANKED_STATES = ("open", "planned", None)
"""What is still to be done; what was decided has no gain to wait for."""
Effort: TypeAlias = Literal["hours", "days", "weeks"]
IssueKind: TypeAlias = Literal[
    "bot_access", "crawler_error", "content_gap", "readiness", "accuracy", "reputation"
]
"""What an action may be about."""
Owner: TypeAlias = Literal["website", "content", "communications"]
PROMPT_KINDS = ("content_gap",)
"""Kinds of actions that are about one prompt; others are about the whole site, which leaves no prompt untreated."""


async def expected_gains(
    workspace: Workspace, brand: Brand, prompt_ids: Collection[str], now: datetime
) -> dict[str, ExpectedGain]:
    """Return the gain of each prompt by its id, without those of which nothing measured says how much.

    Comparable are the prompts that share a tag with it, on the same engine. Source: statistics.md, section 3, for the
    values.
    """
    if not prompt_ids:
        return {}
    gains = await brand_gains(workspace, brand, now)
    return {prompt_id: gains[prompt_id] for prompt_id in prompt_ids if prompt_id in gains}


async def brand_gains(workspace: Workspace, brand: Brand, now: datetime) -> dict[str, ExpectedGain]:
    """Return the gain of every prompt that is asked about a brand, as `expected_gains` has it."""
    tags = {prompt.id: frozenset(prompt.tags) for prompt in await workspace.prompt_results.asked(brand.key)}
    values = await headline_values(workspace, brand, now)
    return await anyio.to_thread.run_sync(prompt_gains, values, tags)


async def headline_values(
    workspace: Workspace, brand: Brand, now: datetime
) -> Mapping[tuple[str, Channel], float]:
    """Return the mean headline value (0 to 1) of each prompt on each channel; empty without answers.

    The days are whole UTC days, today included, since those are read as publishing laid them out.
    """
    today = now.astimezone(UTC).date()
    since, until = (begin_of(today + timedelta(days=days)) for days in (-RECENT_DAYS, 1))
    chosen = AnswerFilter(since=since, until=until)
    side = await newest_side(workspace, brand, await identify(workspace, brand), chosen)
    if side is None:
        return {}
    _, cells = endpoint_cells(common_answers(side, side, comparable_channels(side, side)))
    return {key: cell.mean for key, cell in cells.after.items()}


@dataclass(frozen=True, slots=True)
class RankedActions:
    """One page of a ranked list, the gains that are known by prompt, and how many actions there are."""

    actions: Sequence[Action]
    gains: Mapping[str, ExpectedGain]
    total: int


async def rank_actions(
    workspace: Workspace,
    brand: Brand,
    choice: ActionChoice,
    window: tuple[int, int],
    gains: Mapping[str, ExpectedGain],
) -> RankedActions:
    """Return a page of the actions of a brand that are chosen; `window` is its limit and offset, `gains` are by prompt.

    Decided ones, and lists that are longer than what is ranked, stand in the order of their severity.
    """
    limit, offset = window
    if choice.state in RANKED_STATES:
        outlines = await workspace.actions.outlines(brand.key, choice, MOST_RANKED + 1)
        if len(outlines) <= MOST_RANKED:
            keys = [outline.issue_key for outline in rank_outlines(outlines, gains)[offset : offset + limit]]
            shown = await workspace.actions.of_issues(keys) if keys else []
            return RankedActions(shown, gains, len(outlines))
    listed, total = await workspace.actions.page(brand.key, choice, limit, offset)
    return RankedActions(listed, gains, total)


def rank_outlines(
    outlines: Sequence[ActionOutline], gains: Mapping[str, ExpectedGain]
) -> list[ActionOutline]:
    """Return actions that come worst first in the order of the list; where nothing else decides, worst first."""

    def place(outline: ActionOutline) -> tuple[bool, bool, float]:
        known = [gains[prompt].points for prompt in treated_prompts(outline) if prompt in gains]
        points = max(known, default=0.0)
        return outline.severity != "critical", points <= 0, -max(points, 0.0)

    return sorted(outlines, key=place)


@dataclass(frozen=True, slots=True)
class ActionWork:
    """How long an action usually takes somebody, and who usually does it in a company."""

    effort: Effort
    owner: Owner


WORK: Mapping[IssueKind, ActionWork] = {
    "bot_access": ActionWork("hours", "website"),
    "crawler_error": ActionWork("hours", "website"),
    "content_gap": ActionWork("days", "content"),
    "readiness": ActionWork("days", "website"),
    "accuracy": ActionWork("days", "content"),
    "reputation": ActionWork("weeks", "communications"),
}
"""By the kind of what was found; nothing of it was measured."""


def treated_prompts(action: Action | ActionOutline) -> frozenset[str]:
    """Return the ids of the prompts that an action is about; none for one about the whole site."""
    return frozenset((action.subject,)) if action.kind in PROMPT_KINDS else frozenset()

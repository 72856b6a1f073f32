"""Score gains if prompts reached the level of the best comparable ones; actions, their effort and owner."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeAlias

import anyio

from analytics.change import Channel, common_answers, comparable_channels, endpoint_cells
from analytics.intervention import ExpectedGain, prompt_gains
from measurement.planning.brand_identity import identify
from measurement.statistics.period_sides import load_side
from measurement.statistics.period_sums import begin_of
from storage.repositories.actions import Action, ActionChoice, ActionOutline
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand
from storage.workspace import Workspace

RECENT_DAYS = 28
MOST_RANKED = 1000
"""Number of actions that are ranked; beyond it, actions are in order of severity."""
RANKED_STATES = ("open", "planned", None)
"""States of actions that are still to be done; decided actions have no gain ahead of them."""
Effort: TypeAlias = Literal["hours", "days", "weeks"]
IssueKind: TypeAlias = Literal[
    "bot_access", "crawler_error", "content_gap", "readiness", "accuracy", "reputation"
]
"""The kinds of issues that an action may be about."""
Owner: TypeAlias = Literal["website", "content", "communications"]
PROMPT_KINDS = ("content_gap",)
"""Kinds of actions about one prompt; others concern the whole site, which leaves no prompt untreated."""


async def expected_gains(
    workspace: Workspace, brand: Brand, prompt_ids: Collection[str], now: datetime
) -> dict[str, ExpectedGain]:
    """Return the gain of each prompt by its ID, without prompts for which no measurement gives one.

    Prompts that share a tag on the same engine are comparable. Source: statistics.md, section 3, for the
    values.
    """
    if not prompt_ids:
        return {}
    gains = await brand_gains(workspace, brand, now)
    return {prompt_id: gains[prompt_id] for prompt_id in prompt_ids if prompt_id in gains}


async def brand_gains(workspace: Workspace, brand: Brand, now: datetime) -> dict[str, ExpectedGain]:
    """Return the gain of every prompt that is asked about a brand, as in `expected_gains`."""
    tags = {prompt.id: frozenset(prompt.tags) for prompt in await workspace.prompt_results.asked(brand.key)}
    values = await headline_values(workspace, brand, now)
    return await anyio.to_thread.run_sync(prompt_gains, values, tags)


async def headline_values(
    workspace: Workspace, brand: Brand, now: datetime
) -> Mapping[tuple[str, Channel], float]:
    """Return the mean headline value (0 to 1) of each prompt on each channel; empty without answers.

    The days are whole UTC days, including today, because these need no single answer.
    """
    today = now.astimezone(UTC).date()
    since, until = (begin_of(today + timedelta(days=days)) for days in (-RECENT_DAYS, 1))
    chosen = AnswerFilter(since=since, until=until)
    side = await load_side(workspace, brand, await identify(workspace, brand), chosen)
    if side is None:
        return {}
    _, cells = endpoint_cells(common_answers(side, side, comparable_channels(side, side)))
    return {key: cell.mean for key, cell in cells.after.items()}


@dataclass(frozen=True, slots=True)
class RankedActions:
    """One page of a ranked list, the known gains by prompt, and the total number of actions."""

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
    """Return a page of a brand's chosen actions.

    `window` is its limit and offset, and `gains` are by prompt. Decided actions, and lists longer than what
    is ranked, are in order of severity.
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
    """Rank actions that arrive in order of severity, which decides where nothing else does."""

    def place(outline: ActionOutline) -> tuple[bool, bool, float]:
        known = [gains[prompt].points for prompt in treated_prompts(outline) if prompt in gains]
        points = max(known, default=0.0)
        return outline.severity != "critical", points <= 0, -max(points, 0.0)

    return sorted(outlines, key=place)


@dataclass(frozen=True, slots=True)
class ActionWork:
    """How much time an action usually takes, and which role usually does it in a company."""

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
"""By the kind of issue; these are assumptions, not measurements."""


def treated_prompts(action: Action | ActionOutline) -> frozenset[str]:
    """Return the IDs of the prompts that an action is about; empty for an action about the whole site."""
    return frozenset((action.subject,)) if action.kind in PROMPT_KINDS else frozenset()

"""Effects of completed actions: treated prompts against untreated ones, after seven and after 28 days."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal, TypeAlias

import anyio.to_thread

from analytics.intervention import InterventionEffect, intervention_effect
from measurement.planning.brand_identity import identify
from measurement.statistics.expected_gains import treated_prompts
from measurement.statistics.period_rows import newest_side
from storage.repositories.actions import Action, ActionChoice
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand
from storage.workspace import Workspace

EARLY_DAYS, VERDICT_DAYS = 7, 28
BASELINE_DAYS = 28
MOST_ACTIONS = 100

Stage: TypeAlias = Literal["waiting", "early", "verdict"]


@dataclass(frozen=True, slots=True)
class InterventionReport:
    """The effect of a done action at its stage; `next_look` is the day of the next check, None after the verdict."""

    stage: Stage
    done_on: date
    next_look: date | None
    prompts: tuple[str, ...]
    effect: InterventionEffect | None


def stage_of(done_on: date, today: date) -> tuple[Stage, date | None]:
    """Return the stage of an action's check, and when the next check is due."""
    early, verdict = done_on + timedelta(days=EARLY_DAYS), done_on + timedelta(days=VERDICT_DAYS)
    if today < early:
        return "waiting", early
    return ("early", verdict) if today < verdict else ("verdict", None)


async def report_intervention(
    workspace: Workspace, brand: Brand, action: Action, now: datetime
) -> InterventionReport | None:
    """Return what a done action has changed so far; None for an action that is not done.

    Prompts of other actions that were done between the first answer and the last are in neither group.
    """
    if action.state != "done" or action.done_on is None:
        return None
    treated = treated_prompts(action)
    stage, next_look = stage_of(action.done_on, now.date())
    prompts = tuple(sorted(treated))
    if stage == "waiting":
        return InterventionReport(stage, action.done_on, next_look, prompts, None)
    days = EARLY_DAYS if stage == "early" else VERDICT_DAYS
    done, _ = await workspace.actions.page(brand.key, ActionChoice("done"), MOST_ACTIONS, 0)
    window = action.done_on - timedelta(days=BASELINE_DAYS), action.done_on + timedelta(days=days)
    left_out = frozenset[str]().union(
        *(
            treated_prompts(other)
            for other in done
            if other.id != action.id and other.done_on and window[0] <= other.done_on < window[1]
        )
    )
    effect = await measure_effect(workspace, brand, action.done_on, days, treated, left_out - treated)
    return InterventionReport(stage, action.done_on, next_look, prompts, effect)


async def measure_effect(
    workspace: Workspace,
    brand: Brand,
    done_on: date,
    days: int,
    treated: Collection[str],
    left_out: Collection[str] = (),
) -> InterventionEffect:
    """Compare the 28 days before an intervention with `days` days from its day on; that day counts as after."""
    start = datetime.combine(done_on, time(), UTC)
    identity = await identify(workspace, brand)
    before = await newest_side(
        workspace, brand, identity, AnswerFilter(since=start - timedelta(days=BASELINE_DAYS), until=start)
    )
    after = await newest_side(
        workspace, brand, identity, AnswerFilter(since=start, until=start + timedelta(days=days))
    )
    return await anyio.to_thread.run_sync(
        intervention_effect, before, after, frozenset(treated), frozenset(left_out)
    )

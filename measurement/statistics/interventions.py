"""Effects of completed actions: treated prompts against untreated ones, after seven and after 28 days."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal, TypeAlias

import anyio.to_thread

from analytics.change import Side
from analytics.intervention import InterventionEffect, intervention_effect
from measurement.planning.brand_identity import identify
from measurement.statistics.expected_gains import treated_prompts
from measurement.statistics.period_sides import load_side
from storage.repositories.actions import Action, ActionChoice
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand
from storage.workspace import Workspace

EARLY_DAYS, VERDICT_DAYS = 7, 28
BASELINE_DAYS = 28
MOST_ACTIONS = 100
NO_PROMPT = InterventionEffect("not_comparable", "no_treated_prompts")

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
    """Return what a done action has changed so far; None for an action that is not done."""
    return (await report_interventions(workspace, brand, [action], now)).get(action.id)


async def report_interventions(
    workspace: Workspace, brand: Brand, actions: Sequence[Action], now: datetime
) -> dict[str, InterventionReport]:
    """Return what done actions have changed so far, by the id of the action.

    Prompts of other actions that were done between the first answer and the last are in neither group. Actions that
    were done on the same day share the answers of both periods.
    """
    reports: dict[str, InterventionReport] = {}
    measured: list[tuple[Action, date, Stage, date | None]] = []
    for action in actions:
        if action.state != "done" or action.done_on is None:
            continue
        stage, next_look = stage_of(action.done_on, now.date())
        treated = treated_prompts(action)
        if stage == "waiting" or not treated:
            effect = None if stage == "waiting" else NO_PROMPT
            prompts = tuple(sorted(treated))
            reports[action.id] = InterventionReport(stage, action.done_on, next_look, prompts, effect)
        else:
            measured.append((action, action.done_on, stage, next_look))
    if not measured:
        return reports
    done, _ = await workspace.actions.page(brand.key, ActionChoice("done"), MOST_ACTIONS, 0)
    sides: dict[tuple[date, int], tuple[Side | None, Side | None]] = {}
    for action, done_on, stage, next_look in measured:
        days = EARLY_DAYS if stage == "early" else VERDICT_DAYS
        window = done_on - timedelta(days=BASELINE_DAYS), done_on + timedelta(days=days)
        left_out = frozenset[str]().union(
            *(
                treated_prompts(other)
                for other in done
                if other.id != action.id and other.done_on and window[0] <= other.done_on < window[1]
            )
        )
        if (done_on, days) not in sides:
            sides[done_on, days] = await _load_sides(workspace, brand, done_on, days)
        treated = treated_prompts(action)
        effect = await anyio.to_thread.run_sync(
            intervention_effect, *sides[done_on, days], treated, left_out - treated
        )
        reports[action.id] = InterventionReport(stage, done_on, next_look, tuple(sorted(treated)), effect)
    return reports


async def measure_effect(
    workspace: Workspace,
    brand: Brand,
    done_on: date,
    days: int,
    treated: Collection[str],
    left_out: Collection[str] = (),
) -> InterventionEffect:
    """Compare the 28 days before an intervention with `days` days from its day on; that day counts as after."""
    sides = await _load_sides(workspace, brand, done_on, days)
    return await anyio.to_thread.run_sync(
        intervention_effect, *sides, frozenset(treated), frozenset(left_out)
    )


async def _load_sides(
    workspace: Workspace, brand: Brand, done_on: date, days: int
) -> tuple[Side | None, Side | None]:
    """Return the 28 days before an intervention and `days` days from its day on."""
    start = datetime.combine(done_on, time(), UTC)
    identity = await identify(workspace, brand)
    before = await load_side(
        workspace, brand, identity, AnswerFilter(since=start - timedelta(days=BASELINE_DAYS), until=start)
    )
    after = await load_side(
        workspace, brand, identity, AnswerFilter(since=start, until=start + timedelta(days=days))
    )
    return before, after

"""What a plan could detect when it is repeated unchanged, by how much the brand's own answers vary."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from analytics.power import DEFAULT_ANSWER_VARIANCE, DEFAULT_PROMPT_WOBBLE, smallest_detectable_change
from measurement.planning.ask_plan import AskPlan
from measurement.planning.noise import ANSWERS, PROMPTS
from storage.repositories.brands import Brand
from storage.workspace import Workspace

LEARNED_WITHIN = timedelta(days=90)
FEWEST_ANSWERS, FEWEST_PROMPTS = 30, 9
"""Degrees of freedom below which a variance that was learned says less than the usual one."""


@dataclass(frozen=True, slots=True)
class PlanNoise:
    """Variance of answers within a cell, and of single prompts' changes beyond it; of fractions."""

    answers: float = DEFAULT_ANSWER_VARIANCE
    prompts: float = DEFAULT_PROMPT_WOBBLE


async def noise_of(workspace: Workspace, brand: Brand, now: datetime) -> PlanNoise:
    """Return the noise that the newest batches of a brand showed, or the usual one."""
    usual = PlanNoise()
    if not brand.revision_key:
        return usual
    since = (now - LEARNED_WITHIN).date()
    answers = await workspace.trend_points.newest_value(brand.revision_key, ANSWERS, since)
    prompts = await workspace.trend_points.newest_value(brand.revision_key, PROMPTS, since)
    return PlanNoise(
        answers[0] if answers and answers[1] >= FEWEST_ANSWERS else usual.answers,
        prompts[0] if prompts and prompts[1] >= FEWEST_PROMPTS else usual.prompts,
    )


def detectable_change(plan: AskPlan, headline_prompts: int, noise: PlanNoise) -> float | None:
    """Return the smallest change of the score, as a fraction, that a plan reveals four times out of five.

    Repeats, engines and countries each make an answer more of every prompt. None where it reveals nothing.
    """
    if not plan.prompts:
        return None
    answers_each = max(1, plan.asks // len(plan.prompts))
    return smallest_detectable_change(headline_prompts, answers_each, noise.answers, noise.prompts)

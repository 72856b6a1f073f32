"""The smallest change that a plan can detect, given how much answers and prompts of a brand vary."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from analytics.market_sums import EntitySums
from analytics.power import (
    DEFAULT_ANSWER_VARIANCE,
    DEFAULT_PROMPT_WOBBLE,
    LearnedNoise,
    learned_answer_variance,
    learned_prompt_wobble,
    smallest_detectable_change,
)
from measurement.planning.ask_plan import AskPlan
from storage.repositories.brands import Brand
from storage.repositories.trend_points import PointDraft
from storage.workspace import Workspace

LEARNED_WITHIN = timedelta(days=90)
FEWEST_ANSWERS, FEWEST_PROMPTS = 30, 9
"""Degrees of freedom below which a learned variance is less reliable than the default."""
ANSWERS, PROMPTS = "noise/answers", "noise/prompts"


@dataclass(frozen=True, slots=True)
class PlanNoise:
    """Variance of answers within a cell, and of the additional changes of single prompts, both of fractions."""

    answers: float = DEFAULT_ANSWER_VARIANCE
    prompts: float = DEFAULT_PROMPT_WOBBLE


async def noise_of(workspace: Workspace, brand: Brand, now: datetime) -> PlanNoise:
    """Return the noise learned from a brand's newest batches, or the default."""
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
    """Return the smallest change of the score, as a fraction, that a plan detects four times out of five.

    Repeats, engines and countries each add an answer to every prompt. Returns None if the plan detects
    nothing.
    """
    if not plan.prompts:
        return None
    answers_each = max(1, plan.asks // len(plan.prompts))
    return smallest_detectable_change(headline_prompts, answers_each, noise.answers, noise.prompts)


def noise_points(before: EntitySums | None, after: EntitySums, day: date) -> list[PointDraft]:
    """Return the variances of answers within cells and of prompts' changes, as points that no tool shows.

    The sample counts are degrees of freedom.
    """
    of_answers = learned_answer_variance(after)
    variance = of_answers.variance if of_answers else DEFAULT_ANSWER_VARIANCE
    of_prompts = learned_prompt_wobble(before, after, variance) if before else None
    return [
        point(name, noise, day)
        for name, noise in ((ANSWERS, of_answers), (PROMPTS, of_prompts))
        if noise is not None
    ]


def point(name: str, noise: LearnedNoise, day: date) -> PointDraft:
    """Return one variance as it is stored."""
    return PointDraft(name, 0, day, noise.variance, noise.degrees, None, None, None, None, None)

"""Noise: how much answers and prompts of a brand vary, learned from its batches, for what a plan could detect."""

from collections.abc import Sequence
from datetime import date

from analytics.observation import Observation
from analytics.power import (
    DEFAULT_ANSWER_VARIANCE,
    LearnedNoise,
    learned_answer_variance,
    learned_prompt_wobble,
)
from storage.repositories.trend_points import PointDraft

ANSWERS, PROMPTS = "noise/answers", "noise/prompts"


def noise_points(before: Sequence[Observation], after: Sequence[Observation], day: date) -> list[PointDraft]:
    """Return the variance of answers within cells, and that of prompts' changes, as points that no tool shows.

    Samples are degrees of freedom.
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

"""Whole answers for simulations: ranks, places and citations as the appendix of the method draws them."""

import random
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from math import exp, log2

from analytics.cell_sums import LOWEST_RANKED, MILLION
from analytics.observation import Channel, Observation
from analytics.score_inputs import Part

START = datetime(2026, 3, 1, tzinfo=UTC)
RANKED_SHARE = 0.6
LEAST_PROMINENCE = LOWEST_RANKED / MILLION
MEAN_UNRANKED = LEAST_PROMINENCE * 0.75
"""Of a mention at a place that is uniform over the text."""


@dataclass(frozen=True)
class PromptNature:
    """What one prompt brings about: how often the brand is named in each channel, how low it ranks, how often cited."""

    rates: tuple[float, ...]
    lowness: float
    citing: float

    def expected(self) -> dict[Part, float]:
        """Mean value of each part over the channels."""
        named = sum(self.rates) / len(self.rates)
        prominence = RANKED_SHARE * mean_ranked(self.lowness) + (1 - RANKED_SHARE) * MEAN_UNRANKED
        return {
            Part.PRESENCE: named,
            Part.PROMINENCE: named * prominence,
            Part.CITATION: named * self.citing,
        }


def draw_nature(rates: tuple[float, ...], rng: random.Random) -> PromptNature:
    """Draw what a prompt with these rates brings about."""
    return PromptNature(rates, round(rng.gammavariate(2, 1.5), 3), rng.betavariate(0.6, 1.4))


@cache
def mean_ranked(lowness: float) -> float:
    """Mean prominence of a rank of 1 + Poisson(lowness)."""
    weight, total = exp(-lowness), 0.0
    for below in range(60):
        total += weight * max(LEAST_PROMINENCE, 1 / log2(below + 2))
        weight *= lowness / (below + 1)
    return total


def answer_all(
    natures: list[PromptNature], channels: list[Channel], repeats: int, rng: random.Random
) -> list[Observation]:
    """Ask every prompt in every channel so many times."""
    return [
        draw_answer(f"p{number:03}", nature, nature.rates[at], channels[at], f"{number}-{at}-{repeat}", rng)
        for number, nature in enumerate(natures)
        for at in range(len(nature.rates))
        for repeat in range(repeats)
    ]


def draw_answer(
    prompt: str, nature: PromptNature, rate: float, channel: Channel, answer_id: str, rng: random.Random
) -> Observation:
    """Draw one answer."""
    silent = Observation(
        answer_id, prompt, channel, START, named=False, citation_measurable=True, cites_owned=False
    )
    if rng.random() >= rate:
        return silent
    ranked = rng.random() < RANKED_SHARE
    return replace(
        silent,
        named=True,
        rank=1 + poisson(nature.lowness, rng) if ranked else None,
        position=0.0 if ranked else rng.random(),
        cites_owned=rng.random() < nature.citing,
    )


def poisson(mean: float, rng: random.Random) -> int:
    """Draw a Poisson number by multiplying uniform ones (Knuth)."""
    limit, product, count = exp(-mean), rng.random(), 0
    while product > limit:
        product *= rng.random()
        count += 1
    return count

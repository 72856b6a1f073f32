"""Populations of prompts that simulations draw from, and engines that answer by their rates."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import exp, log

from analytics.observation import Channel
from analytics.prompt_means import Cell, CellKey

CHANNELS = [Channel(f"platform{n}", "visibility") for n in range(6)]
CHANNEL_NOISE = 0.5
LEAST_COVERAGE = 0.93

Rates = list[list[float]]
"""True rates, by prompt and channel."""


@dataclass(frozen=True)
class Design:
    """How often a brand is asked for."""

    prompts: int
    channels: int
    repeats: int

    def __str__(self) -> str:
        return f"{self.prompts}x{self.channels}x{self.repeats}"


POPULATIONS: Mapping[str, Callable[[random.Random], float]] = {
    "beta(1,2)": lambda rng: rng.betavariate(1, 2),
    "beta(.3,.7)": lambda rng: rng.betavariate(0.3, 0.7),
    "beta(.2,1.8)": lambda rng: rng.betavariate(0.2, 1.8),
    "10% at .67": lambda rng: 0.67 * (rng.random() < 0.1),
    "5% always": lambda rng: float(rng.random() < 0.05),
    "all at .33": lambda rng: 0.33,
}


def shifted(rate: float, logits: float) -> float:
    """A rate moved on the logit scale; 0 and 1 stay."""
    if rate <= 0 or rate >= 1:
        return rate
    return 1 / (1 + exp(-log(rate / (1 - rate)) - logits))


def draw_rates(population: str, design: Design, rng: random.Random) -> Rates:
    """True rates of new prompts; with several channels each has a taste of its own."""
    rates = [POPULATIONS[population](rng) for _ in range(design.prompts)]
    if design.channels == 1:
        return [[rate] for rate in rates]
    return [[shifted(rate, rng.gauss(0, CHANNEL_NOISE)) for _ in range(design.channels)] for rate in rates]


def ask(rates: Rates, repeats: int, rng: random.Random) -> dict[CellKey, Cell]:
    """The answers of an engine with these rates, as cells."""
    return {
        (f"p{prompt:03}", CHANNELS[channel]): counted(
            sum(rng.random() < rate for _ in range(repeats)), repeats
        )
        for prompt, row in enumerate(rates)
        for channel, rate in enumerate(row)
    }


def counted(named: int, answers: int) -> Cell:
    """A cell of yes and no."""
    return Cell(named / answers, answers, named * (answers - named) / answers)


def true_mean(rates: Rates) -> float:
    """Mean rate over prompts and channels."""
    return sum(map(sum, rates)) / sum(map(len, rates))

"""Cells (the answers to one prompt in one channel) averaged into an estimate with one value for each prompt."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TypeAlias

from analytics.observation import Channel

TOLERANCE = 1e-9
"""Values closer than this are equal in every comparison with 0 or 1, so that rounding decides nothing."""

CellKey: TypeAlias = tuple[str, Channel]
"""Prompt id and channel."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Answer values of one cell in short: their mean (0-1), their number, their squared deviations in all.

    `answers` is fractional where missing answers were filled in.
    """

    mean: float
    answers: float
    squares: float = 0.0


Cells: TypeAlias = Mapping[CellKey, Cell]


@dataclass(frozen=True, slots=True)
class Estimate:
    """Mean over channels of the mean over prompts, and what each prompt contributes.

    `values` are linearized prompt values, in the order of the sorted `prompts`; their mean is `mean`. With
    complete data a value is the plain mean over channels. `answers` counts those of all cells.
    """

    mean: float
    prompts: tuple[str, ...]
    values: tuple[float, ...]
    channels: int
    answers: float


def cell(values: Sequence[float]) -> Cell:
    """Summarize the values of one cell, of which there is at least one."""
    average = fsum(values) / len(values)
    return Cell(average, len(values), fsum((value - average) ** 2 for value in values))


def joined(first: Cell, second: Cell) -> Cell:
    """Return the cell of the values of both. Source: T. F. Chan, G. H. Golub and R. J. LeVeque, COMPSTAT 1982."""
    answers = first.answers + second.answers
    apart = second.mean - first.mean
    return Cell(
        (first.answers * first.mean + second.answers * second.mean) / answers,
        answers,
        first.squares + second.squares + apart * apart * first.answers * second.answers / answers,
    )


def estimate(cells: Cells) -> Estimate | None:
    """Average cells, each prompt of a channel with weight 1, then each channel; None without a cell.

    A prompt value is m + (1/C) * sum over its channels of (P/P_c) * (cell mean - channel mean), where P are the
    prompts seen anywhere and P_c those seen in the channel (Taylor linearization).
    """
    if not cells:
        return None
    by_channel: dict[Channel, dict[str, float]] = defaultdict(dict)
    for (prompt, channel), current in cells.items():
        by_channel[channel][prompt] = current.mean
    prompts = sorted({prompt for prompt, _ in cells})
    deviations: dict[str, list[float]] = {prompt: [] for prompt in prompts}
    means: list[float] = []
    for column in by_channel.values():
        average = fsum(column.values()) / len(column)
        means.append(average)
        share = len(prompts) / len(column)
        for prompt, value in column.items():
            deviations[prompt].append(share * (value - average))
    mean = fsum(means) / len(by_channel)
    return Estimate(
        mean=mean,
        prompts=tuple(prompts),
        values=tuple(mean + fsum(deviations[prompt]) / len(by_channel) for prompt in prompts),
        channels=len(by_channel),
        answers=fsum(current.answers for current in cells.values()),
    )


def is_positive(value: float) -> bool:
    """Whether a value differs from 0 upwards by more than rounding."""
    return value > TOLERANCE


def is_below_one(value: float) -> bool:
    """Whether a value differs from 1 downwards by more than rounding."""
    return value < 1 - TOLERANCE


def mixed(values: Iterable[float]) -> int:
    """Count the values that can tell how much values differ: the fewer of those above 0 and those below 1."""
    listed = list(values)
    return min(sum(map(is_positive, listed)), sum(map(is_below_one, listed)))

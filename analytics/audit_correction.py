"""Corrects a rate for the errors of the matcher that a person found in a labeled sample."""

from dataclasses import dataclass
from math import sqrt

from analytics.intervals import ROUNDED_Z, Interval, wilson


@dataclass(frozen=True, slots=True)
class LabeledSample:
    """What a person said of random answers: of those read as naming the brand and of those read as not naming it.

    `false_names` of the `named` do not name it; `misses` of the `not_named` do. Raises ValueError for counts that
    cannot be.
    """

    named: int
    false_names: int
    not_named: int
    misses: int

    def __post_init__(self) -> None:
        if not (0 <= self.false_names <= self.named and 0 <= self.misses <= self.not_named):
            raise ValueError("errors are counted among the labeled answers")
        if not (self.named and self.not_named):
            raise ValueError("both kinds of answers need labels")


@dataclass(frozen=True, slots=True)
class CorrectedRate:
    """A rate (0-1) without the matcher's errors, with its 95 % interval."""

    rate: float
    interval: Interval


def correct_rate(rate: float, interval: Interval, sample: LabeledSample) -> CorrectedRate:
    """Correct a raw rate (0-1) with its 95 % interval by predictive values that were seen directly.

    r = q * (1 - a) + (1 - q) * b, where a are the false names among the named and b the misses among the others.
    Sources: W. J. Rogan and B. Gladen 1978; A. N. Angelopoulos et al., Science 382 (2023); the interval by MOVER,
    G. Y. Zou and A. Donner 2008, cut to what a rate can be.
    """
    low, high = interval
    false_names = sample.false_names / sample.named
    misses = sample.misses / sample.not_named
    false_low, false_high = wilson(false_names, sample.named, ROUNDED_Z)
    miss_low, miss_high = wilson(misses, sample.not_named, ROUNDED_Z)
    corrected = rate * (1 - false_names) + (1 - rate) * misses
    below = sqrt(
        (rate - low) ** 2 + (rate * (false_high - false_names)) ** 2 + ((1 - rate) * (misses - miss_low)) ** 2
    )
    above = sqrt(
        (high - rate) ** 2
        + (rate * (false_names - false_low)) ** 2
        + ((1 - rate) * (miss_high - misses)) ** 2
    )
    return CorrectedRate(corrected, (max(0.0, corrected - below), min(1.0, corrected + above)))

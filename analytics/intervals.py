"""Intervals and exact tests for rates whose answers come in clusters, one cluster per prompt."""

import random
from collections.abc import Iterable, Sequence
from math import comb, fsum, sqrt
from statistics import NormalDist
from typing import TypeAlias

Interval: TypeAlias = tuple[float, float]

Z = 1.96
ALPHA = 0.05
REPLICATES = 2000

# Floats are added with fsum throughout this package: it is exactly rounded, so neither the order of the
# answers nor the Python version (sum() became compensated in 3.12) can move the last bit of a stored number.


def wilson(hits: float, trials: float, z: float = Z) -> Interval:
    """Score interval of a proportion, as (low, high) fractions between 0 and 1.

    `hits` may be fractional: a mean of values in [0, 1] never varies more than a proportion with the same
    mean, so the interval is safe for it. `z` is the normal quantile; 1.96 gives 95 %. Raises ValueError
    unless 0 <= hits <= trials and trials > 0. Source: E. B. Wilson, JASA 22 (1927).
    """
    if not 0 <= hits <= trials or trials <= 0:
        raise ValueError("wilson needs 0 <= hits <= trials and trials > 0")
    rate = hits / trials
    scale = 1 + z * z / trials
    centre = (rate + z * z / (2 * trials)) / scale
    half = z * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials)) / scale
    # At 0 and 1 the algebra gives exactly 0 and 1; floating point does not.
    low = 0.0 if hits == 0 else max(0.0, centre - half)
    high = 1.0 if hits == trials else min(1.0, centre + half)
    return low, high


def prompt_draws(prompts: int, seed: int, replicates: int = REPLICATES) -> list[list[int]]:
    """Bootstrap draws of whole prompts: `replicates` lists of `prompts` indices below `prompts`.

    Answers to one prompt move together, so prompts are drawn, not answers. The same seed gives the same
    draws on every Python version.
    """
    generator = random.Random(seed)
    indices = range(prompts)
    return [generator.choices(indices, k=prompts) for _ in range(replicates)]


def central(replicates: Iterable[float]) -> Interval:
    """Central 95 % of bootstrap replicates: the 51st lowest and the 51st highest of 2,000."""
    ordered = sorted(replicates)
    tail = len(ordered) * 25 // 1000
    return ordered[tail], ordered[-1 - tail]


def floored(replicates: Iterable[float], mean: float, trials: float) -> Interval:
    """Bootstrap interval of a mean in [0, 1], never narrower than Wilson over its `trials`."""
    low, high = wilson(min(mean * trials, trials), trials)
    below, above = central(replicates)
    return min(low, below), max(high, above)


def cluster_interval(
    groups: Sequence[tuple[int, int]], seed: int, replicates: int = REPLICATES
) -> Interval | None:
    """95 % interval of a pooled rate, from (hits, trials) per prompt in the order of prompt ids.

    Prompts without a trial are left out; None when nothing is left. Never narrower than Wilson over all
    trials, which a bootstrap on few prompts can be; with one prompt it is Wilson alone.
    """
    kept = [(hits, trials) for hits, trials in groups if trials]
    if not kept:
        return None
    hits = [group[0] for group in kept]
    trials = [group[1] for group in kept]
    rates = (
        sum(map(hits.__getitem__, draw)) / sum(map(trials.__getitem__, draw))
        for draw in prompt_draws(len(kept), seed, replicates)
    )
    return floored(rates, sum(hits) / sum(trials), sum(trials))


def mcnemar(gained: int, lost: int) -> float:
    """Two-sided p of McNemar's exact test: could a fair coin have split the pairs that moved like this?

    Source: Q. McNemar, Psychometrika 12 (1947), with the exact binomial tail.
    """
    moved = gained + lost
    if not moved:
        return 1.0
    tail = sum(comb(moved, i) for i in range(min(gained, lost) + 1))
    return min(1.0, 2 * tail / 2**moved)


def sign_flip(changes: Iterable[int]) -> float:
    """Two-sided p of the exact sign-flip test on the net change of each prompt.

    Without a change in the engine each prompt is as likely to move up as down; whole prompts flip, so
    repeats and channels of one prompt do not count as independent. Changes of -1, 0 and 1 only make it
    McNemar's test. Source: R. A. Fisher, The Design of Experiments (1935), section 21.
    """
    signed = [change for change in changes if change]
    sizes = [abs(change) for change in signed]
    total, observed = sum(sizes), abs(sum(signed))
    if not observed:
        return 1.0
    # Coefficient s of the product of (1 + x^size) counts the sign patterns whose positive sizes add up to s.
    # The polynomial is one integer with `width` bits per coefficient, so a factor is one shift and one
    # addition and the cost grows with the total, not with 2^prompts.
    width = len(sizes) + 2
    patterns = 1
    for size in sizes:
        patterns += patterns << size * width
    upper = patterns >> (total + observed) // 2 * width
    tail = upper % ((1 << width) - 1)  # casting out: the sum of the coefficients, which is below the modulus
    return min(1.0, 2 * tail / 2 ** len(sizes))


def newcombe_paired(both: int, lost: int, gained: int, neither: int) -> Interval:
    """95 % interval of the change in a rate over paired yes/no answers, between -1 and 1.

    Treats the pairs as independent. Raises ValueError without a pair. Source: R. G. Newcombe, Statistics in
    Medicine 17 (1998) 2635-2650, method 10.
    """
    pairs = both + lost + gained + neither
    before, after = both + lost, both + gained
    low_before, high_before = wilson(before, pairs)
    low_after, high_after = wilson(after, pairs)
    agreement = both * neither - lost * gained
    if agreement > 0:
        agreement = max(agreement - pairs / 2, 0.0)
    spread = sqrt(before * (pairs - before) * after * (pairs - after))
    phi = agreement / spread if spread else 0.0
    delta = (gained - lost) / pairs
    low = _joined(after / pairs - low_after, high_before - before / pairs, phi)
    high = _joined(before / pairs - low_before, high_after - after / pairs, phi)
    return max(-1.0, delta - low), min(1.0, delta + high)


def _joined(one: float, other: float, phi: float) -> float:
    return sqrt(max(0.0, one * one - 2 * phi * one * other + other * other))


def holm(ps: Sequence[float]) -> list[float]:
    """Holm's step-down adjusted p-values, in the order given. Source: S. Holm, Scand. J. Stat. 6 (1979)."""
    adjusted = [1.0] * len(ps)
    largest = 0.0
    for position, index in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        largest = max(largest, min(1.0, (len(ps) - position) * ps[index]))
        adjusted[index] = largest
    return adjusted


def can_reach_significance(prompts: int, family: int) -> bool:
    """Whether a test on this many prompts can be called a change in a family of this many rows.

    The smallest p of an exact paired test on k prompts is 2 / 2^k, all moving the same way; Holm's first
    step multiplies it by the family. Source: R. E. Tarone, Biometrics 46 (1990).
    """
    return family * 2 / 2**prompts < ALPHA


def fewest_prompts(family: int) -> int:
    """How many prompts must all move the same way before any of `family` rows can be called a change."""
    prompts = 1
    while not can_reach_significance(prompts, family):
        prompts += 1
    return prompts


def smallest_detectable_difference(answers: int, rate: float = 0.3, power: float = 0.8) -> float:
    """Difference, as a fraction, that two independent sets of `answers` each reveal with this power.

    Normal approximation, both sets with the variance of `rate`, two-sided at 5 %.
    """
    if answers < 1:
        raise ValueError("a set needs at least one answer")
    return min(1.0, (Z + NormalDist().inv_cdf(power)) * sqrt(2 * rate * (1 - rate) / answers))


def mean(values: Sequence[float]) -> float:
    """Exactly rounded arithmetic mean; the order of the values does not matter."""
    return fsum(values) / len(values)

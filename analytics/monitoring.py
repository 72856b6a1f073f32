"""Sequential monitoring of a series with an e-process, which is valid after every observation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import exp, fsum, inf, lgamma, log

EVIDENCE_NEEDED = 20.0
"""An e-value of this size means that a step is at least 20 times as likely as none: 5% by Ville's inequality."""

SMALLEST_STEP = 0.05
RARE_NAMES = 3.0
STEP_VARIANCE = 1.5**2


@dataclass(frozen=True, slots=True)
class Rhythm:
    """Schedule of a series: `horizon` observations a year, of which the first `first` cannot contain a step."""

    horizon: int
    first: int


DAILY = Rhythm(horizon=365, first=14)
WEEKLY = Rhythm(horizon=52, first=6)


@dataclass(frozen=True, slots=True)
class NamedCount:
    """The answers of one observation that name the brand, and the number of all its answers."""

    named: int
    answers: int


@dataclass(frozen=True, slots=True)
class StepEvidence:
    """Evidence after the last observation; `step` observations precede the likeliest step of `size` (-1 to 1)."""

    value: float
    step: int | None
    size: float

    def is_alarm(self, series: int = 1) -> bool:
        """Return whether there is a step of at least 5 points, given this many series in parallel."""
        return self.value >= EVIDENCE_NEEDED * series and abs(self.size) >= SMALLEST_STEP


def step_evidence(looks: Sequence[float], rhythm: Rhythm = DAILY) -> StepEvidence:
    """Return the evidence that the mean of a series of values (0-1) took a step at some observation.

    A right-Haar mixture for normal observations of unknown mean and spread, the size of a step over the
    spread normal with standard deviation 1.5. Sources: H. Wang and A. Ramdas (anytime-valid t-tests); M. F.
    Pérez-Ortiz et al. (group invariance and e-statistics).
    """
    look_count = len(looks)
    sums = [0.0, *accumulate(looks)]
    mean = fsum(looks) / look_count if look_count else 0.0
    spread = fsum((look - mean) ** 2 for look in looks)

    def log_factor(step: int) -> float:
        share = step * (look_count - step) / look_count
        size = _step_size(sums, step, look_count)
        explained = min(1.0, share * size * size / spread) if spread > 0 else 0.0
        gain = STEP_VARIANCE * share
        return -log(1 + gain) / 2 - (look_count - 1) / 2 * log(1 - explained * gain / (1 + gain))

    return _mixture(look_count, rhythm, log_factor, lambda step: _step_size(sums, step, look_count))


def rare_step_evidence(looks: Sequence[NamedCount], rhythm: Rhythm = DAILY) -> StepEvidence:
    """Return the evidence of a step in how often a rarely named brand is named, from exact binomial counts.

    Universal inference: L. Wasserman, A. Ramdas and S. Balakrishnan, PNAS 117 (2020).
    """
    look_count = len(looks)
    named = [0, *accumulate(look.named for look in looks)]
    answers = [0, *accumulate(look.answers for look in looks)]
    all_named, all_answers = named[-1], answers[-1]
    null = _binomial_likelihood(all_named, all_answers)

    def log_factor(step: int) -> float:
        before = _log_mixture(named[step], answers[step])
        return before + _log_mixture(all_named - named[step], all_answers - answers[step]) - null

    def size(step: int) -> float:
        before = named[step] / answers[step] if answers[step] else 0.0
        later = all_answers - answers[step]
        return (all_named - named[step]) / later - before if later else 0.0

    return _mixture(look_count, rhythm, log_factor, size)


def is_rarely_named(first_looks: Sequence[NamedCount]) -> bool:
    """Return whether the first observations have too few answers with or without a name for a normal model."""
    answers = sum(look.answers for look in first_looks)
    if not answers:
        return False
    rate = sum(look.named for look in first_looks) / answers
    return answers / len(first_looks) * min(rate, 1 - rate) < RARE_NAMES


def _mixture(
    look_count: int, rhythm: Rhythm, log_factor: Callable[[int], float], size: Callable[[int], float]
) -> StepEvidence:
    """Average the factors of all possible steps, each with 1/horizon, and 1 for the steps still to come."""
    total, best, likeliest = 0.0, -inf, None
    steps = range(rhythm.first, look_count)
    for step in steps:
        logarithm = log_factor(step)
        total += exp(min(logarithm, 700.0))
        if logarithm > best:
            best, likeliest = logarithm, step
    value = total / rhythm.horizon + 1 - len(steps) / rhythm.horizon
    return StepEvidence(value, likeliest, 0.0 if likeliest is None else size(likeliest))


def _step_size(sums: Sequence[float], step: int, look_count: int) -> float:
    return (sums[look_count] - sums[step]) / (look_count - step) - sums[step] / step


def _log_mixture(named: int, answers: int) -> float:
    """Return the log likelihood of a count averaged over rates with Jeffreys' prior, a beta(1/2, 1/2)."""
    return _log_beta(named + 0.5, answers - named + 0.5) - _log_beta(0.5, 0.5)


def _binomial_likelihood(named: int, answers: int) -> float:
    """Return the largest log likelihood of a count; 0 log 0 is 0."""
    first = named * log(named / answers) if named else 0.0
    others = answers - named
    return first + (others * log(others / answers) if others else 0.0)


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)

"""What a plan could detect: the power of a comparison before anybody is asked."""

from math import sqrt
from statistics import NormalDist

from analytics.intervals import CONFIDENCE_LEVEL
from analytics.student import quantile

DEFAULT_ANSWER_VARIANCE = 1 / 6
"""Mean variance of answers within a cell where no earlier run tells it."""

DEFAULT_PROMPT_WOBBLE = 0.01
"""Variance of single prompts' changes beyond the noise of answers where no earlier run tells it."""

POWER = 0.8
MOST_PROMPTS = 100_000


def standard_error(
    prompts: int,
    answers_each: int,
    answer_variance: float = DEFAULT_ANSWER_VARIANCE,
    prompt_wobble: float = DEFAULT_PROMPT_WOBBLE,
) -> float:
    """Standard error of a change over this many prompts with this many answers each (channels x repeats) a side."""
    if prompts < 1 or answers_each < 1:
        raise ValueError("a plan has at least one prompt and one answer to each")
    return sqrt((2 * answer_variance / answers_each + prompt_wobble) / prompts)


def power(
    change: float,
    prompts: int,
    answers_each: int,
    answer_variance: float = DEFAULT_ANSWER_VARIANCE,
    prompt_wobble: float = DEFAULT_PROMPT_WOBBLE,
) -> float:
    """Probability that a true change (a fraction) is called one; needs two prompts. An optimistic approximation."""
    error = standard_error(prompts, answers_each, answer_variance, prompt_wobble)
    return NormalDist().cdf(change / error - quantile(CONFIDENCE_LEVEL, prompts - 1))


def smallest_detectable_change(
    prompts: int,
    answers_each: int,
    answer_variance: float = DEFAULT_ANSWER_VARIANCE,
    prompt_wobble: float = DEFAULT_PROMPT_WOBBLE,
) -> float | None:
    """Change, as a fraction, that a plan reveals four times out of five; None if it cannot reveal any."""
    if prompts < 2:
        return None
    error = standard_error(prompts, answers_each, answer_variance, prompt_wobble)
    smallest = (quantile(CONFIDENCE_LEVEL, prompts - 1) + quantile(POWER, prompts - 1)) * error
    return smallest if smallest <= 1 else None


def prompts_needed(
    change: float,
    answers_each: int,
    answer_variance: float = DEFAULT_ANSWER_VARIANCE,
    prompt_wobble: float = DEFAULT_PROMPT_WOBBLE,
) -> int | None:
    """The fewest prompts that reveal a change of this size (a fraction) four times out of five; None beyond reason."""
    low, high = 1, 2
    while not _reveals(change, high, answers_each, answer_variance, prompt_wobble):
        low, high = high, 2 * high
        if low >= MOST_PROMPTS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        if _reveals(change, middle, answers_each, answer_variance, prompt_wobble):
            high = middle
        else:
            low = middle
    return high


def _reveals(
    change: float, prompts: int, answers_each: int, answer_variance: float, prompt_wobble: float
) -> bool:
    smallest = smallest_detectable_change(prompts, answers_each, answer_variance, prompt_wobble)
    return smallest is not None and smallest <= change

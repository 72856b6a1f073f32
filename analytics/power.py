"""Statistical power: the minimum detectable effect of a plan, before it runs."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import NormalDist

from analytics.intervals import CONFIDENCE_LEVEL
from analytics.market_sums import EntitySums
from analytics.prompt_means import Cells, estimate
from analytics.score_inputs import ScoreInputs, effective_weights
from analytics.student import quantile

DEFAULT_ANSWER_VARIANCE = 1 / 6
"""Mean variance of answers within a cell where no earlier run tells it."""

DEFAULT_PROMPT_WOBBLE = 0.01
"""Variance of single prompts' changes beyond the noise of answers where no earlier run tells it."""

POWER = 0.8


@dataclass(frozen=True, slots=True)
class LearnedNoise:
    """A variance that earlier runs show, and the degrees of freedom that it rests on."""

    variance: float
    degrees: int


def learned_answer_variance(sums: EntitySums) -> LearnedNoise | None:
    """Mean variance of the headline (0-1) among the answers of one cell; None where nothing was asked twice."""
    repeated = [cell for cell in headline_cells(sums).values() if cell.answers > 1]
    degrees = round(fsum(cell.answers - 1 for cell in repeated))
    return LearnedNoise(fsum(cell.squares for cell in repeated) / degrees, degrees) if degrees else None


def learned_prompt_wobble(
    before: EntitySums, after: EntitySums, answer_variance: float
) -> LearnedNoise | None:
    """Variance of single prompts' changes beyond the noise of their answers; None with fewer than two prompts."""
    sides = headline_cells(before), headline_cells(after)
    common = sides[0].keys() & sides[1].keys()
    earlier, later = (estimate({key: side[key] for key in common}) for side in sides)
    if earlier is None or later is None or len(earlier.prompts) < 2:
        return None
    changes = [now - then for then, now in zip(earlier.values, later.values, strict=True)]
    mean = fsum(changes) / len(changes)
    spread = fsum((change - mean) ** 2 for change in changes) / (len(changes) - 1)
    answers = [answers_by_prompt({key: side[key] for key in common}) for side in sides]
    noise = fsum(answer_variance / count for side in answers for count in side.values()) / len(changes)
    return LearnedNoise(max(0.0, spread - noise), len(changes) - 1)


def headline_cells(sums: EntitySums) -> Cells:
    """Cells of the headline over all that is measured."""
    inputs = ScoreInputs.of(sums)
    return inputs.headline_cells(effective_weights(inputs.measured))


def answers_by_prompt(cells: Cells) -> Mapping[str, float]:
    """How many answers each prompt has over all channels."""
    counts: dict[str, float] = defaultdict(float)
    for (prompt, _), cell in cells.items():
        counts[prompt] += cell.answers
    return counts


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

"""95% confidence intervals (Wilson) of a rate or score: for this prompt set, and for all similar prompts."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from types import MappingProxyType
from typing import Literal, TypeAlias

from analytics.cell_sums import CellSums
from analytics.observation import Channel
from analytics.prompt_means import CellKey, Cells, Estimate, is_below_one, is_positive, joined, mixed
from analytics.student import quantile

Interval: TypeAlias = tuple[float, float]
NoiseSource: TypeAlias = Literal["repeats", "earlier_answers", "channels", "upper_bound"]

Topics: TypeAlias = Mapping[str, str]
"""The topic of each prompt that shares one with others, by prompt id."""
NO_TOPICS: Topics = MappingProxyType({})

Z = 1.959964
"""Normal quantile of 95 %."""

ROUNDED_Z = 1.96
"""The same as the published method writes it where it is only a bound or a side condition."""

ALPHA = 0.05
CONFIDENCE_LEVEL = 1 - ALPHA / 2

# Floats are added with fsum throughout this package: it is exactly rounded, so neither the order of the
# answers nor the Python version (sum() became compensated in 3.12) can move the last bit of a stored number.


@dataclass(frozen=True, slots=True)
class IntervalPair:
    """Both 95 % intervals of one value, in its unit.

    `these_prompts`: where the value would lie if the same prompts were asked again and nothing had changed.
    `all_questions`: where it would lie with other questions of the same kind; None with fewer than two topics.
    `topics` is the number of independent topics that it rests on: prompts, where paraphrases of one count once.
    `noise_source` says how the noise of single answers was known; "upper_bound": the first interval is at most
    this wide, and repeats of the prompts would sharpen it.
    """

    these_prompts: Interval
    all_questions: Interval | None
    noise_source: NoiseSource
    topics: int = 0

    def scaled(self, factor: float) -> "IntervalPair":
        """Both intervals in another unit."""
        low, high = self.these_prompts
        others = self.all_questions
        return IntervalPair(
            (factor * low, factor * high),
            None if others is None else (factor * others[0], factor * others[1]),
            self.noise_source,
            self.topics,
        )


def wilson(mean: float, trials: float, z: float) -> Interval:
    """Score interval of a mean of values in [0, 1], as (low, high) fractions between 0 and 1.

    `trials` may be fractional, an effective sample size; `z` is the quantile. The lower end is exactly 0 at a
    mean of 0, the upper end exactly 1 at a mean of 1. Raises ValueError unless the mean is within [0, 1] (to
    rounding) and there is a trial. Source: E. B. Wilson, JASA 22 (1927).
    """
    if not -1e-9 <= mean <= 1 + 1e-9 or trials <= 0:
        raise ValueError("wilson needs a mean within [0, 1] and at least a fraction of a trial")
    rate = min(1.0, max(0.0, mean))
    square = z * z
    scale = 1 + square / trials
    center = rate + square / (2 * trials)
    half = z * sqrt(rate * (1 - rate) / trials + square / (4 * trials * trials))
    low = max(0.0, (center - half) / scale) if is_positive(rate) else 0.0
    high = min(1.0, (center + half) / scale) if is_below_one(rate) else 1.0
    return low, high


def interval_pair(
    cells: Cells,
    value: Estimate,
    *,
    yes_or_no: bool = False,
    earlier: Cells | None = None,
    topics: Topics = NO_TOPICS,
) -> IntervalPair:
    """Both intervals of an estimate over these cells.

    `topics` are those of prompts that share one.

    `yes_or_no`: every answer value is 0 or 1, so there is no more information than answers. `earlier` holds the
    cells of former batches of the same prompts in which nothing changed; they count as repeats where every cell
    has one answer.
    """
    these_prompts, source = these_prompts_interval(cells, value, earlier)
    groups = by_topic(value, topics)
    others = all_questions_interval(value, groups, yes_or_no=yes_or_no)
    return IntervalPair(these_prompts, others, source, len(groups))


def by_topic(value: Estimate, topics: Topics) -> list[list[float]]:
    """Return the prompt values of each topic; a prompt without one is a topic of its own."""
    groups: dict[str, list[float]] = defaultdict(list)
    for prompt, of_prompt in zip(value.prompts, value.values, strict=True):
        groups[topics.get(prompt, prompt)].append(of_prompt)
    return list(groups.values())


def all_questions_interval(
    value: Estimate, groups: Sequence[Sequence[float]], *, yes_or_no: bool = False
) -> Interval | None:
    """Where the value would lie with other questions of the same kind; None with fewer than two topics.

    Wilson's interval on an effective sample size: the spread of topic totals, with one pseudo-topic of "each topic
    always or never". `groups` are the prompt values of each topic. Sources: E. L. Korn and B. I. Graubard, Survey
    Methodology 24 (1998); P. S. Kott and D. A. Carr, JOS 13 (1997); for totals of clusters, W. G. Cochran, Sampling
    Techniques (1977), chapter 9A.
    """
    count = len(groups)
    if count < 2:
        return None
    trials = float(count)
    if is_positive(value.mean) and is_below_one(value.mean):
        between = value.mean * (1 - value.mean)
        size = len(value.values) / count
        spread = fsum((fsum(y - value.mean for y in group) / size) ** 2 for group in groups) / (count - 1)
        telling = mixed(mean(group) for group in groups)
        trials = max(1.0, between * count * (telling + 1) / (telling * spread + between))
        if yes_or_no:
            trials = min(trials, value.answers)
    return wilson(value.mean, trials, quantile(CONFIDENCE_LEVEL, count - 1))


def these_prompts_interval(
    cells: Cells, value: Estimate, earlier: Cells | None = None
) -> tuple[Interval, NoiseSource]:
    """Where the value would lie if the same prompts were asked again, and how its noise was known.

    The variance of single answers within cells, with one pseudo-cell of "every answer the same coin". With one
    answer to each cell the noise comes from `earlier` answers, else from the prompt x channel table, else it is
    only bounded. Source: stratified variance, W. G. Cochran, Sampling Techniques (1977).
    """
    sizes = Counter(channel for _, channel in cells)
    weight_of = {channel: 1 / (value.channels * size) ** 2 for channel, size in sizes.items()}
    weights = {key: weight_of[key[1]] for key in cells}
    repeated = any(cell.answers > 1 for cell in cells.values())
    source: NoiseSource = "repeats"
    telling = mixed(cell.mean for cell in cells.values())
    noise: float | None
    if repeated:
        noise = _noise(weights, {key: (cell.squares, cell.answers) for key, cell in cells.items()}, cells)
    elif earlier and any(key in earlier for key in cells):
        source = "earlier_answers"
        noise = _noise(weights, _with_earlier(cells, earlier), cells)
    else:
        source = "channels"
        noise = _residual_noise(cells, value)
        telling = mixed(value.values)
    if noise is None:
        return wilson(value.mean, value.answers, ROUNDED_Z), "upper_bound"
    if not (is_positive(value.mean) and is_below_one(value.mean)):
        return wilson(value.mean, value.answers, Z), source
    between = value.mean * (1 - value.mean)
    coin = fsum(weights[key] * between / cells[key].answers for key in weights)
    variance = (telling * min(noise, coin) + coin) / (telling + 1)
    return wilson(value.mean, between / variance, Z), source


def _noise(
    weights: Mapping[CellKey, float], spreads: Mapping[CellKey, tuple[float, float]], cells: Cells
) -> float:
    """Variance of the estimate from answers within cells; `spreads` are squared deviations and answers.

    A cell with a single answer takes the pooled variance of the others.
    """
    repeated = [spread for spread in spreads.values() if spread[1] > 1]
    pooled = fsum(squares for squares, _ in repeated) / fsum(answers - 1 for _, answers in repeated)
    return fsum(
        weight * (squares / (answers - 1) if answers > 1 else pooled) / cells[key].answers
        for key, weight in weights.items()
        for squares, answers in (spreads[key],)
    )


def _with_earlier(cells: Cells, earlier: Cells) -> dict[CellKey, tuple[float, float]]:
    """Squared deviations and number of each cell's single answer together with the earlier ones."""
    spreads: dict[CellKey, tuple[float, float]] = {}
    for key, current in cells.items():
        together = joined(current, earlier[key]) if key in earlier else current
        spreads[key] = together.squares, together.answers
    return spreads


def _residual_noise(cells: Cells, value: Estimate) -> float | None:
    """Residual variance of a prompt x channel table of single answers; None unless the table is complete."""
    prompts, channels = len(value.prompts), value.channels
    if prompts < 2 or channels < 2 or len(cells) < prompts * channels:
        return None
    rows: dict[str, list[float]] = defaultdict(list)
    columns: dict[Channel, list[float]] = defaultdict(list)
    for (prompt, channel), current in cells.items():
        rows[prompt].append(current.mean)
        columns[channel].append(current.mean)
    row_means = {prompt: fsum(values) / channels for prompt, values in rows.items()}
    column_means = {channel: fsum(values) / prompts for channel, values in columns.items()}
    residual = fsum(
        (current.mean - row_means[prompt] - column_means[channel] + value.mean) ** 2
        for (prompt, channel), current in cells.items()
    ) / ((prompts - 1) * (channels - 1))
    return residual / value.answers


@dataclass(frozen=True, slots=True)
class RatioSums:
    """Sums of one cell for a pooled rate: its answers, their hits and trials, and the products of these."""

    answers: int
    hits: int
    trials: int
    hit_trials: int
    trial_squares: int

    def spread(self, rate: float) -> float:
        """Return the squared deviations of `hits - rate * trials` in all; every answer has at most one hit."""
        total = self.hits - rate * self.trials
        squares = self.hits - 2 * rate * self.hit_trials + rate * rate * self.trial_squares
        return max(0.0, squares - total * total / self.answers)


def naming_sums(cells: Mapping[CellKey, CellSums]) -> dict[CellKey, RatioSums]:
    """Return the sums of a share of voice: hits are answers that name the entity, trials all namings."""
    return {
        key: RatioSums(sums.answers, sums.named, sums.mentions, sums.own_mentions, sums.mentions_square)
        for key, sums in cells.items()
        if sums.answers
    }


def ratio_pair(
    cells: Mapping[CellKey, RatioSums], topics: Topics = NO_TOPICS
) -> tuple[float, IntervalPair] | None:
    """A pooled rate with both intervals; None without a trial.

    Its prompt values are linearized: r + P/T * (hits - r * trials) for T trials over P prompts.
    """
    trials = sum(sums.trials for sums in cells.values())
    if not trials:
        return None
    rate = sum(sums.hits for sums in cells.values()) / trials
    prompts: dict[str, float] = defaultdict(float)
    for (prompt, _), sums in sorted(cells.items()):
        prompts[prompt] += sums.hits - rate * sums.trials
    share = len(prompts) / trials
    value = Estimate(
        mean=rate,
        prompts=tuple(prompts),
        values=tuple(rate + share * extra for extra in prompts.values()),
        channels=1,
        answers=trials,
    )
    these_prompts, source = _ratio_these_prompts(cells, rate, trials)
    groups = by_topic(value, topics)
    others = all_questions_interval(value, groups, yes_or_no=True)
    return rate, IntervalPair(these_prompts, others, source, len(groups))


def _ratio_these_prompts(
    cells: Mapping[CellKey, RatioSums], rate: float, trials: int
) -> tuple[Interval, NoiseSource]:
    """The interval of a pooled rate for the same prompts, from the spread of answers within cells."""
    within = [sums for sums in cells.values() if sums.answers > 1]
    if not within:
        return wilson(rate, trials, ROUNDED_Z), "upper_bound"
    if not (is_positive(rate) and is_below_one(rate)):
        return wilson(rate, trials, Z), "repeats"
    pooled = fsum(sums.spread(rate) for sums in within) / sum(sums.answers - 1 for sums in within)
    noise = fsum(
        sums.answers * (sums.spread(rate) / (sums.answers - 1) if sums.answers > 1 else pooled)
        for sums in cells.values()
    ) / (trials * trials)
    coin = rate * (1 - rate) / trials
    telling = mixed(sums.hits / sums.trials for sums in cells.values() if sums.trials)
    variance = (telling * min(noise, coin) + coin) / (telling + 1)
    return wilson(rate, rate * (1 - rate) / variance, Z), "repeats"


def holm_levels(ps: Sequence[float]) -> list[int]:
    """Divisors j of the level for each p in the order given: a row is significant when p < ALPHA / j.

    Holm's step-down: the smallest p is held against ALPHA / m, the next against ALPHA / (m - 1); after the
    first that fails all others keep its divisor. Source: S. Holm, Scand. J. Stat. 6 (1979).
    """
    divisors = [1] * len(ps)
    failed = 0
    for position, index in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        divisors[index] = failed or len(ps) - position
        if not failed and ps[index] >= ALPHA / divisors[index]:
            failed = divisors[index]
    return divisors


def mean(values: Sequence[float]) -> float:
    """Exactly rounded arithmetic mean; the order of the values does not matter."""
    return fsum(values) / len(values)

"""A second implementation of both intervals, straight from the published formulas, from the values of all answers."""

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from statistics import fmean, variance

from analytics.prompt_means import CellKey
from analytics.student import quantile

Answers = Mapping[CellKey, Sequence[float]]
"""The value of each answer, by cell."""


def prompt_values(answers: Answers) -> tuple[float, list[float]]:
    """Return the estimate and the linearized value of each prompt."""
    prompts, channels = sorted({p for p, _ in answers}), sorted({c for _, c in answers})
    x = {key: fmean(values) for key, values in answers.items()}
    prompts_by_channel = {c: [p for p in prompts if (p, c) in x] for c in channels}
    m_c = {c: fmean(x[p, c] for p in prompts_by_channel[c]) for c in channels}
    m = fmean(m_c.values())
    values = [
        m
        + sum(len(prompts) / len(prompts_by_channel[c]) * (x[p, c] - m_c[c]) for c in channels if (p, c) in x)
        / len(channels)
        for p in prompts
    ]
    return m, values


def all_questions(answers: Answers, *, yes_or_no: bool = True) -> tuple[float, float] | None:
    m, values = prompt_values(answers)
    return spread_of_prompts(m, values, sum(map(len, answers.values())) if yes_or_no else None)


def spread_of_prompts(m: float, values: Sequence[float], most: int | None) -> tuple[float, float] | None:
    """Return the interval of a mean of these prompt values, which know no more than so many answers."""
    count, b = len(values), m * (1 - m)
    if count < 2:
        return None
    n = float(count)
    if 1e-9 < m < 1 - 1e-9:
        k = telling(values)
        s = (k * variance(values) + b) / (k + 1)
        n = max(1.0, b * count / s)
        n = n if most is None else min(n, float(most))
    return naive_wilson(m, n, quantile(0.975, count - 1))


def these_prompts(answers: Answers, earlier: Answers | None = None) -> tuple[tuple[float, float], str]:
    """Return the interval, and the source of the noise of single answers."""
    m, values = prompt_values(answers)
    size = sum(map(len, answers.values()))
    k = telling(fmean(cell) for cell in answers.values())
    if any(len(cell) > 1 for cell in answers.values()):
        source, noise = "repeats", noise_within(answers, answers)
    elif earlier and answers.keys() & earlier.keys():
        source = "earlier_answers"
        noise = noise_within(answers, {key: [*cell, *earlier.get(key, ())] for key, cell in answers.items()})
    elif is_complete_table(answers):
        source, noise, k = "channels", residual_noise(answers), telling(values)
    else:
        return naive_wilson(m, size, 1.96), "upper_bound"
    if not 1e-9 < m < 1 - 1e-9:
        return naive_wilson(m, size, 1.959964), source
    coin = sum(
        weight_of(answers, channel) * m * (1 - m) / len(cell) for (_, channel), cell in answers.items()
    )
    return naive_wilson(m, m * (1 - m) / ((k * min(noise, coin) + coin) / (k + 1)), 1.959964), source


Trials = Mapping[CellKey, Sequence[tuple[int, int]]]
"""The hit, 0 or 1, and the trials of each answer, by cell."""


def pooled_rate(answers: Trials) -> tuple[float, int]:
    """Return the rate, and the number of trials, of which there is one."""
    trials = sum(trial for cell in answers.values() for _, trial in cell)
    return sum(hit for cell in answers.values() for hit, _ in cell) / trials, trials


def ratio_these_prompts(answers: Trials) -> tuple[tuple[float, float], str]:
    """Return the interval of a pooled rate from the linearized values of answers, and the source of their noise."""
    rate, trials = pooled_rate(answers)
    extra = {key: [hit - rate * trial for hit, trial in cell] for key, cell in answers.items()}
    several = [values for values in extra.values() if len(values) > 1]
    if not several:
        return naive_wilson(rate, trials, 1.96), "upper_bound"
    if not 1e-9 < rate < 1 - 1e-9:
        return naive_wilson(rate, trials, 1.959964), "repeats"
    pooled = sum((len(v) - 1) * variance(v) for v in several) / sum(len(v) - 1 for v in several)
    spreads = [len(values) * (variance(values) if len(values) > 1 else pooled) for values in extra.values()]
    noise, coin = sum(spreads) / trials**2, rate * (1 - rate) / trials
    tried = [cell for cell in answers.values() if any(trial for _, trial in cell)]
    k = telling(sum(hit for hit, _ in cell) / sum(trial for _, trial in cell) for cell in tried)
    effective = rate * (1 - rate) * (k + 1) / (k * min(noise, coin) + coin)
    return naive_wilson(rate, effective, 1.959964), "repeats"


def ratio_all_questions(answers: Trials) -> tuple[float, float] | None:
    """Return the interval of a pooled rate from the linearized values of its prompts, P of them, over all trials."""
    rate, trials = pooled_rate(answers)
    prompts = sorted({prompt for prompt, _ in answers})
    values = [
        rate
        + len(prompts)
        / trials
        * sum(hit - rate * trial for key, cell in answers.items() if key[0] == prompt for hit, trial in cell)
        for prompt in prompts
    ]
    return spread_of_prompts(rate, values, trials)


def naive_wilson(m: float, n: float, q: float) -> tuple[float, float]:
    middle, half = m + q * q / 2 / n, q * sqrt(max(0.0, m * (1 - m)) / n + q * q / 4 / n / n)
    low, high = (middle - half) / (1 + q * q / n), (middle + half) / (1 + q * q / n)
    return (0.0 if m <= 1e-9 else low), (1.0 if m >= 1 - 1e-9 else high)


def telling(values: Iterable[float]) -> int:
    listed = list(values)
    return min(sum(value > 1e-9 for value in listed), sum(value < 1 - 1e-9 for value in listed))


def weight_of(answers: Answers, channel: object) -> float:
    size = sum(of_channel == channel for _, of_channel in answers)
    return 1 / (len({of_channel for _, of_channel in answers}) * size) ** 2


def noise_within(answers: Answers, repeated: Answers) -> float:
    """The variance of the estimate, from the variance of repeated answers in each cell."""
    several = [values for values in repeated.values() if len(values) > 1]
    pooled = sum((len(v) - 1) * variance(v) for v in several) / sum(len(v) - 1 for v in several)
    return sum(
        weight_of(answers, key[1]) * (variance(values) if len(values) > 1 else pooled) / len(answers[key])
        for key, values in repeated.items()
    )


def is_complete_table(answers: Answers) -> bool:
    prompts, channels = {p for p, _ in answers}, {c for _, c in answers}
    return len(prompts) > 1 and len(channels) > 1 and len(answers) == len(prompts) * len(channels)


def residual_noise(answers: Answers) -> float:
    """The residual mean square of a complete prompt x channel table of single answers, over their number."""
    x = {key: values[0] for key, values in answers.items()}
    prompts, channels = {p for p, _ in x}, {c for _, c in x}
    row = {p: fmean(x[p, c] for c in channels) for p in prompts}
    column = {c: fmean(x[p, c] for p in prompts) for c in channels}
    m = fmean(x.values())
    squares = sum((x[p, c] - row[p] - column[c] + m) ** 2 for p, c in x)
    return squares / ((len(prompts) - 1) * (len(channels) - 1)) / len(x)

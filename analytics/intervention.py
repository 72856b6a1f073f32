"""Effect size of an action: a difference in differences of treated and other prompts, and its expected gain."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from math import floor, fsum, inf, sqrt
from operator import neg
from typing import Literal, TypeAlias

from analytics.change import Reason, Side, common_answers, comparable_channels, compare, endpoint_cells
from analytics.intervals import ALPHA, Interval
from analytics.observation import Channel
from analytics.paired_change import PairedDifference, paired_difference
from analytics.prompt_means import Cells, estimate
from analytics.student import quantile, two_sided_p

FEWEST_UNTREATED = 3
FEWEST_COMPARABLE = 2
BEST_SHARE = 0.25
"""Of comparable prompts so many, the best ones, tell what can be reached."""

EffectVerdict: TypeAlias = Literal["rose", "fell", "no_effect_found", "not_comparable"]
_OTHER_QUESTION: frozenset[Reason] = frozenset(("too_few_prompts", "headline_unchanged", "insufficient_data"))
"""Reasons of a whole comparison that say nothing against comparing two groups of its prompts."""


@dataclass(frozen=True, slots=True)
class GroupChange:
    """The mean change of a group of prompts, -1 to 1, with its standard error; None for a single prompt."""

    prompts: int
    before: float
    after: float
    delta: float
    standard_error: float | None


@dataclass(frozen=True, slots=True)
class InterventionEffect:
    """Change of the treated prompts less that of the untreated ones, in points of the score (-100 to 100).

    `reason` says why there is no effect; then everything measured is None.
    """

    verdict: EffectVerdict
    reason: Reason | Literal["no_treated_prompts", "no_untreated_prompts"] | None = None
    effect: float | None = None
    interval: Interval | None = None
    p: float | None = None
    treated: GroupChange | None = None
    untreated: GroupChange | None = None


def intervention_effect(
    before: Side | None,
    after: Side | None,
    treated: AbstractSet[str],
    left_out: AbstractSet[str] = frozenset(),
) -> InterventionEffect:
    """Compare the change of treated prompts with that of the others; `left_out` belong to neither group.

    The variances of both means are added, with Welch's degrees of freedom, rounded down. A single treated prompt has no
    variance of its own: it is held against the spread of the untreated changes (Crawford and Howell, Clinical
    Neuropsychologist 12, 1998).
    """
    if before is None or after is None:
        return InterventionEffect("not_comparable", "insufficient_data")
    whole = compare(before, after)
    if whole.verdict == "not_comparable" and whole.reason not in _OTHER_QUESTION:
        return InterventionEffect("not_comparable", whole.reason)
    _, cells = endpoint_cells(common_answers(before, after, comparable_channels(before, after)))
    common = cells.before.keys() & cells.after.keys()
    sides = [
        {key: side[key] for key in common if key[0] not in left_out} for side in (cells.before, cells.after)
    ]
    ours = _changes(*(_chosen(side, treated, inside=True) for side in sides))
    others = paired_difference(*(_chosen(side, treated, inside=False) for side in sides))
    if not ours:
        return InterventionEffect("not_comparable", "no_treated_prompts")
    if others is None or others.prompts < FEWEST_UNTREATED:
        return InterventionEffect("not_comparable", "no_untreated_prompts")
    control = GroupChange(others.prompts, others.before, others.after, others.delta, others.standard_error)
    pair = paired_difference(*(_chosen(side, treated, inside=True) for side in sides))
    if pair is None:
        [(then, now)] = ours
        group = GroupChange(1, then, now, now - then, None)
        error, degrees = others.standard_error * sqrt(others.prompts + 1), others.prompts - 1
    else:
        group = GroupChange(pair.prompts, pair.before, pair.after, pair.delta, pair.standard_error)
        error, degrees = _welch(pair, others)
    return _conclude(group, control, error, degrees)


def _conclude(group: GroupChange, control: GroupChange, error: float, degrees: int) -> InterventionEffect:
    effect = group.delta - control.delta
    half = quantile(1 - ALPHA / 2, degrees) * error
    low, high = effect - half, effect + half
    p = two_sided_p(abs(effect) / error if error else inf, degrees)
    verdict: EffectVerdict = "rose" if low > 0 else "fell" if high < 0 else "no_effect_found"
    interval = max(-100.0, 100 * low), min(100.0, 100 * high)
    return InterventionEffect(verdict, None, 100 * effect, interval, p, group, control)


def _welch(treated: PairedDifference, untreated: PairedDifference) -> tuple[float, int]:
    """Return the standard error of the difference of two means and Welch's degrees of freedom, rounded down."""
    variances = [(group.standard_error**2, group.prompts - 1) for group in (treated, untreated)]
    total = fsum(variance for variance, _ in variances)
    spread = fsum(variance**2 / degrees for variance, degrees in variances)
    return sqrt(total), max(1, floor(total**2 / spread)) if spread else variances[0][1]


def _chosen(cells: Cells, treated: AbstractSet[str], *, inside: bool) -> Cells:
    return {key: cell for key, cell in cells.items() if (key[0] in treated) == inside}


def _changes(before: Cells, after: Cells) -> list[tuple[float, float]]:
    earlier, later = estimate(before), estimate(after)
    if earlier is None or later is None:
        return []
    return list(zip(earlier.values, later.values, strict=True))


@dataclass(frozen=True, slots=True)
class ExpectedGain:
    """Points that a headline would rise by if prompts reached what the best comparable ones have, with its interval."""

    points: float
    interval: Interval
    comparable: int


def expected_gain(
    values: Mapping[tuple[str, Channel], float], prompts: AbstractSet[str], comparable: AbstractSet[str]
) -> ExpectedGain | None:
    """Return what prompts could gain; None without enough comparable prompts on any of their channels.

    `values` are the headline values (0-1) of every prompt by channel. On each channel the best quarter of the
    comparable prompts is what can be reached; a prompt that is there already gains nothing. The interval is Student's
    for the mean of that quarter, and never below 0.
    """
    sides = [
        (
            [value for prompt, value in cells.items() if prompt in prompts],
            sorted(
                (value for prompt, value in cells.items() if prompt in comparable - prompts), reverse=True
            ),
        )
        for cells in _by_channel(values).values()
    ]
    return _gain_of(sides, len({prompt for prompt, _ in values}), _mean_and_error)


def prompt_gains(
    values: Mapping[tuple[str, Channel], float], tags: Mapping[str, AbstractSet[str]]
) -> dict[str, ExpectedGain]:
    """Return what `expected_gain` says of each prompt, beside those that share a tag with it, all prompts at once.

    What prompts of the same tags can reach is ranked once, and not for each of them.
    """
    channels = _by_channel(values)
    total = len({prompt for prompt, _ in values})
    ranked: dict[AbstractSet[str], list[list[float]]] = {}
    best_of = cache(_mean_and_error)
    gains: dict[str, ExpectedGain] = {}
    for prompt, own in tags.items():
        kind = frozenset(own)
        if kind not in ranked:
            alike = {other for other, others in tags.items() if kind & others}
            ranked[kind] = [
                sorted((value for other, value in cells.items() if other in alike), reverse=True)
                for cells in channels.values()
            ]
        gain = _gain_of(
            [
                ([cells[prompt]], _without(reached, cells[prompt])) if prompt in cells else ([], reached)
                for cells, reached in zip(channels.values(), ranked[kind], strict=True)
            ],
            total,
            best_of,
        )
        if gain is not None:
            gains[prompt] = gain
    return gains


def _by_channel(values: Mapping[tuple[str, Channel], float]) -> dict[Channel, dict[str, float]]:
    """Return the value of each prompt by channel, channels in their order."""
    channels: dict[Channel, dict[str, float]] = {
        channel: {} for channel in sorted({key[1] for key in values})
    }
    for (prompt, channel), value in values.items():
        channels[channel][prompt] = value
    return channels


def _without(reached: list[float], value: float) -> list[float]:
    """Return falling values without one of those that are equal to a value, which need not be among them."""
    at = bisect_left(reached, -value, key=neg)
    return [*reached[:at], *reached[at + 1 :]] if at < len(reached) and reached[at] == value else reached


def _gain_of(
    sides: Sequence[tuple[Sequence[float], Sequence[float]]],
    total: int,
    mean_and_error: Callable[[tuple[float, ...]], tuple[float, float]],
) -> ExpectedGain | None:
    """Return a gain from own values and falling ones of comparable prompts by channel, of so many prompts in all."""
    gain = variance = 0.0
    fewest, used = inf, 0
    for own, reached in sides:
        if len(reached) < FEWEST_COMPARABLE or not own:
            continue
        best = tuple(reached[: max(FEWEST_COMPARABLE, round(BEST_SHARE * len(reached)))])
        mean, spread = mean_and_error(best)
        lacking = [max(0.0, mean - value) for value in own]
        gain += fsum(lacking)
        variance += (sum(value > 0 for value in lacking) * spread) ** 2
        fewest, used = min(fewest, len(best)), max(used, len(reached))
    if fewest == inf or not total:
        return None
    scale = 100 / total / len(sides)
    half = quantile(1 - ALPHA / 2, max(1, int(fewest) - 1)) * sqrt(variance)
    return ExpectedGain(
        scale * gain, (max(0.0, scale * (gain - half)), min(100.0, scale * (gain + half))), used
    )


def _mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """Return mean and standard error; two pseudo-values, 0 and 1, keep the error of equal values above 0."""
    mean = fsum(values) / len(values)
    widened = [*values, 0.0, 1.0]
    centre = fsum(widened) / len(widened)
    variance = fsum((value - centre) ** 2 for value in widened) / (len(widened) - 1)
    return mean, sqrt(variance / len(widened))

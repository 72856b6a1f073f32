"""Tests a change in a ratio of two sums (share of voice, average rank) over the same prompts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, inf, sqrt
from typing import Literal, TypeAlias

from analytics.cell_sums import CellSums
from analytics.change import Reason, ScoreChange, Verdict
from analytics.intervals import (
    ALPHA,
    CONFIDENCE_LEVEL,
    NO_TOPICS,
    Interval,
    IntervalPair,
    Topics,
    Z,
    holm_levels,
    naming_sums,
    ratio_pair,
)
from analytics.market_sums import EntitySums, MarketSums
from analytics.paired_change import FEWEST_PAIRED_PROMPTS, PairedDifference, mean_change
from analytics.prompt_means import CellKey
from analytics.student import quantile

Ratio: TypeAlias = Literal["shareOfVoice", "averagePosition"]
RATIOS: tuple[Ratio, ...] = ("shareOfVoice", "averagePosition")
BEST_RANK = 1.0

_PSEUDO_VALUES = 4  # Agresti and Coull add two successes and two failures
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class RatioValue:
    """A ratio of one period with its 95% intervals; `units` are mentions, or answers with a rank."""

    value: float | None
    units: int
    intervals: IntervalPair | None = None


@dataclass(frozen=True, slots=True)
class RatioChange:
    """One ratio in two periods and the test over the prompts that both asked.

    A share is 0 to 1, a rank 1 or more. `interval` is the interval of `delta`, after minus before, at the
    level left by Holm's correction over these ratios.
    """

    ratio: Ratio
    before: RatioValue
    after: RatioValue
    delta: float | None
    interval: Interval | None
    p: float | None
    verdict: Verdict
    reason: Reason | None


@dataclass(frozen=True, slots=True)
class _PromptUnits:
    """The values of one prompt: their number, their sum and the sum of their squares."""

    units: int
    total: float
    squares: float


_Prompts: TypeAlias = Mapping[str, _PromptUnits]


def compare_ratios(
    brand: str,
    before: MarketSums,
    after: MarketSums,
    common: Iterable[CellKey],
    change: ScoreChange,
    ratios: Sequence[Ratio] = RATIOS,
) -> tuple[RatioChange, ...]:
    """Compare the ratios of two periods that are known, over the cells that both have in common.

    They form a separate family under Holm's correction, as channels do. They never affect the verdict of the
    headline, and whatever prevents the headline's test prevents theirs. Missing answers are not filled in: if
    planned answers are missing, a change refers to the answers received.
    """
    chosen = set(common)
    sides = [{ratio: _cells_of(brand, side, ratio) for ratio in ratios} for side in (before, after)]
    topics = [
        side.entities[brand].topics if brand in side.entities else NO_TOPICS for side in (before, after)
    ]
    tested: list[tuple[Ratio, PairedDifference | None]] = []
    for ratio in ratios:
        keys = sorted(chosen & sides[0][ratio].keys() & sides[1][ratio].keys())
        units = [_prompt_units(side[ratio], keys, ratio) for side in sides]
        tested.append((ratio, paired_ratio(units[0], units[1], ratio)))
    may_test = change.primary is not None and change.primary.delta is not None
    family = [difference for _, difference in tested if may_test and difference is not None]
    levels = iter(holm_levels([difference.p for difference in family]))
    missing = change.primary is not None and change.primary.missing > 0
    return tuple(
        _conclude(
            ratio,
            (ratio_value(sides[0][ratio], ratio, topics[0]), ratio_value(sides[1][ratio], ratio, topics[1])),
            difference if may_test else None,
            next(levels) if may_test and difference is not None else 1,
            change.reason if not may_test else None,
            missing=missing,
        )
        for ratio, difference in tested
    )


def _cells_of(brand: str, market: MarketSums, ratio: Ratio) -> Mapping[CellKey, CellSums]:
    """Return the brand's cells with rated answers; for a share of voice, those whose prompt names no competitor."""
    own = (market.neutral() if ratio == "shareOfVoice" else market).entities.get(brand, EntitySums({}))
    return {key: sums for key, sums in own.cells.items() if sums.answers}


def paired_ratio(before: _Prompts, after: _Prompts, ratio: Ratio) -> PairedDifference | None:
    """Test the change of a ratio over prompts that have a unit on either side; None if no test is possible.

    Values of prompts are linearized, r + P/T * (sum - r * units) for T units over P prompts, so that the mean
    of their changes is the change of the ratio. The rest is the paired test used for every other figure.
    """
    prompts = sorted(before.keys() | after.keys())
    earlier, later = _linearized(before, prompts), _linearized(after, prompts)
    if len(prompts) < FEWEST_PAIRED_PROMPTS or earlier is None or later is None:
        return None
    noise = [
        _unit_variance(side, linear.ratio, ratio) / linear.units
        for side, linear in ((before, earlier), (after, later))
    ]
    changes = [value - other for value, other in zip(later.values, earlier.values, strict=True)]
    delta, standard_error = mean_change(changes, len(prompts) * fsum(noise))
    return PairedDifference(
        before=earlier.ratio,
        after=later.ratio,
        delta=delta,
        standard_error=standard_error,
        prompts=len(prompts),
        answers_before=earlier.units,
        answers_after=later.units,
        most=1.0 if ratio == "shareOfVoice" else inf,
    )


@dataclass(frozen=True, slots=True)
class CountedShare:
    """Number of matching answers and of all answers for each prompt, both in the same order of prompts."""

    hits: Sequence[int]
    answers: Sequence[int]

    @property
    def share(self) -> float:
        """Matching answers as a share of all answers, 0 to 1; there is at least one answer."""
        return sum(self.hits) / sum(self.answers)

    @property
    def noise(self) -> float:
        """The variance of the share from single answers alone, never 0 (Agresti and Coull)."""
        answers = sum(self.answers)
        rate = (sum(self.hits) + _PSEUDO_VALUES * _HALF) / (answers + _PSEUDO_VALUES)
        return rate * (1 - rate) / answers


def paired_share(before: CountedShare, after: CountedShare) -> PairedDifference | None:
    """Test the change of a share of answers over prompts like any ratio, in one pass; None if no test is possible."""
    prompts = len(after.answers)
    if prompts < FEWEST_PAIRED_PROMPTS or not any(before.answers) or not any(after.answers):
        return None
    earlier, later = before.share, after.share
    weights = prompts / sum(before.answers), prompts / sum(after.answers)
    changes = [
        later - earlier + weights[1] * (hits - later * answers) - weights[0] * (known - earlier * told)
        for known, told, hits, answers in zip(
            before.hits, before.answers, after.hits, after.answers, strict=True
        )
    ]
    delta, standard_error = mean_change(changes, prompts * (before.noise + after.noise))
    return PairedDifference(
        before=earlier,
        after=later,
        delta=delta,
        standard_error=standard_error,
        prompts=prompts,
        answers_before=sum(before.answers),
        answers_after=sum(after.answers),
    )


def ratio_value(cells: Mapping[CellKey, CellSums], ratio: Ratio, topics: Topics = NO_TOPICS) -> RatioValue:
    """Return a ratio over all cells of one period, with its intervals."""
    if ratio == "averagePosition":
        return _average_rank(cells, topics)
    pooled = ratio_pair(naming_sums(cells), topics)
    units = sum(sums.mentions for sums in cells.values())
    return RatioValue(None, 0) if pooled is None else RatioValue(pooled[0], units, pooled[1])


def _average_rank(cells: Mapping[CellKey, CellSums], topics: Topics) -> RatioValue:
    """Return the mean rank with both intervals, computed as for a share but with the variance of ranks.

    Ranks have no upper bound, so the interval is Student's instead of Wilson's. It never extends below 1.
    """
    prompts = _prompt_units(cells, sorted(cells), "averagePosition")
    linear = _linearized(prompts, sorted(prompts))
    if linear is None:
        return RatioValue(None, 0)
    values, mean, units = linear.values, linear.ratio, linear.units
    coin = _unit_variance(prompts, mean, "averagePosition") / units
    spreads = [(_rank_spread(sums), sums.ranked) for sums in cells.values() if sums.ranked > 1]
    noise = coin
    if spreads:
        within = fsum(spread for spread, _ in spreads) / sum(ranked - 1 for _, ranked in spreads)
        telling = sum(spread > 0 for spread, _ in spreads)
        noise = (telling * min(within / units, coin) + coin) / (telling + 1)
    half = Z * sqrt(noise)
    others: Interval | None = None
    groups: dict[str, list[float]] = {}
    for prompt, value in zip(sorted(prompts), values, strict=True):
        groups.setdefault(topics.get(prompt, prompt), []).append(value - mean)
    count = len(groups)
    if count >= FEWEST_PAIRED_PROMPTS:
        size = len(values) / count
        apart = [fsum(group) / size for group in groups.values()]
        spread = fsum(distance**2 for distance in apart) / (count - 1)
        moved = sum(abs(distance) > 0 for distance in apart)
        variance = (moved * spread + count * coin) / (moved + 1) / count
        wide = quantile(CONFIDENCE_LEVEL, count - 1) * sqrt(variance)
        others = max(BEST_RANK, mean - wide), mean + wide
    bounds = max(BEST_RANK, mean - half), mean + half
    return RatioValue(
        mean, units, IntervalPair(bounds, others, "repeats" if spreads else "upper_bound", count)
    )


def _rank_spread(sums: CellSums) -> float:
    """Return the squared deviations of the ranks of a cell from their mean in all; exactly 0 where all are equal."""
    return (sums.ranked * sums.rank_square - sums.rank_sum * sums.rank_sum) / sums.ranked


def _prompt_units(cells: Mapping[CellKey, CellSums], keys: Iterable[CellKey], ratio: Ratio) -> _Prompts:
    """Add up the units of each prompt that has any in these cells."""
    units: dict[str, tuple[int, int, int]] = {}
    for key in keys:
        sums, (count, total, squares) = cells[key], units.get(key[0], (0, 0, 0))
        if ratio == "averagePosition":
            units[key[0]] = count + sums.ranked, total + sums.rank_sum, squares + sums.rank_square
        else:
            units[key[0]] = count + sums.mentions, total + sums.named, squares + sums.named
    return {
        prompt: _PromptUnits(count, total, squares)
        for prompt, (count, total, squares) in units.items()
        if count
    }


@dataclass(frozen=True, slots=True)
class _Linearized:
    """A ratio of one side, its units, and the linearized value of each prompt."""

    ratio: float
    units: int
    values: Sequence[float]


def _linearized(side: _Prompts, prompts: Sequence[str]) -> _Linearized | None:
    """Return the ratio of one side over these prompts; None without a unit."""
    units = sum(current.units for current in side.values())
    if not units:
        return None
    ratio = fsum(current.total for current in side.values()) / units
    share = len(prompts) / units
    nothing = _PromptUnits(0, 0.0, 0.0)
    values = [
        ratio + share * (current.total - ratio * current.units)
        for current in (side.get(prompt, nothing) for prompt in prompts)
    ]
    return _Linearized(ratio, units, values)


def _unit_variance(side: _Prompts, mean: float, ratio: Ratio) -> float:
    """Return the variance of single units, never 0: of these units and four more, two on each side.

    For a share, the additional units are two successes and two failures (Agresti and Coull). For ranks, two
    are half a rank better and two half a rank worse.
    """
    units = sum(current.units for current in side.values())
    added = units + _PSEUDO_VALUES
    if ratio == "shareOfVoice":
        rate = (mean * units + _PSEUDO_VALUES * _HALF) / added
        return rate * (1 - rate)
    squares = fsum(current.squares for current in side.values()) - units * mean * mean
    return (max(0.0, squares) + _PSEUDO_VALUES * _HALF**2) / added


def _conclude(
    ratio: Ratio,
    values: tuple[RatioValue, RatioValue],
    difference: PairedDifference | None,
    divisor: int,
    obstacle: Reason | None,
    *,
    missing: bool,
) -> RatioChange:
    """Return the verdict of one test at the level left by its family's correction."""
    if difference is None:
        reason: Reason = obstacle or (
            "too_few_prompts" if all(side.units for side in values) else "insufficient_data"
        )
        return RatioChange(ratio, *values, None, None, None, "not_comparable", reason)
    verdict: Verdict = "no_detectable_change"
    if difference.p < ALPHA / divisor:
        verdict = "changed_if_missing_are_alike" if missing else "changed"
    return RatioChange(
        ratio, *values, difference.delta, difference.interval(divisor), difference.p, verdict, None
    )

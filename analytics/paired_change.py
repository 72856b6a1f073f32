"""Paired t-test of a change over the same prompts, and bounds for missing answers."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, fsum, sqrt

from analytics.intervals import ALPHA, Interval
from analytics.observation import Channel
from analytics.prompt_means import TOLERANCE, Cell, CellKey, Cells, estimate
from analytics.student import quantile, two_sided_p

FEWEST_PAIRED_PROMPTS = 2
TOLERATED_MISSING = 0.03
"""Share of the planned answers that either side may miss before all missing ones are filled in."""

_PSEUDO_ANSWERS = 4  # Agresti and Coull: two successes and two failures, so that no variance is 0
_HALVINGS = 60


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """Mean change of the prompts both sides have, with its standard error; no change is larger than `most`.

    Values are 0-1 and changes -1 to 1 unless `most` says otherwise.
    """

    before: float
    after: float
    delta: float
    standard_error: float
    prompts: int
    answers_before: float
    answers_after: float
    most: float = 1.0

    @property
    def p(self) -> float:
        """Two-sided p of Student's test with one degree of freedom less than there are prompts."""
        return two_sided_p(abs(self.delta) / self.standard_error, self.prompts - 1)

    def interval(self, divisor: int = 1) -> Interval:
        """The interval that excludes 0 exactly when p < 0.05 / divisor, cut to the largest change there can be."""
        half = quantile(1 - ALPHA / 2 / divisor, self.prompts - 1) * self.standard_error
        return max(-self.most, self.delta - half), min(self.most, self.delta + half)


@dataclass(frozen=True, slots=True)
class PairedCells:
    """Cells of both sides and how many of the planned answers each cell misses."""

    before: Cells
    after: Cells
    missing_before: Mapping[CellKey, float]
    missing_after: Mapping[CellKey, float]

    def restricted(self, channels: Iterable[Channel]) -> "PairedCells":
        """The same for some of the channels."""
        kept = frozenset(channels)
        return PairedCells(
            {key: current for key, current in self.before.items() if key[1] in kept},
            {key: current for key, current in self.after.items() if key[1] in kept},
            {key: count for key, count in self.missing_before.items() if key[1] in kept},
            {key: count for key, count in self.missing_after.items() if key[1] in kept},
        )

    @property
    def planned_on_both(self) -> list[CellKey]:
        """Cells that both sides asked, whether answers came or not, in order."""
        asked_before = self.before.keys() | self.missing_before.keys()
        return sorted(asked_before & (self.after.keys() | self.missing_after.keys()))

    @property
    def missing(self) -> float:
        """Missing answers of both sides over the cells that both asked."""
        return fsum(
            self.missing_before.get(key, 0.0) + self.missing_after.get(key, 0.0)
            for key in self.planned_on_both
        )


@dataclass(frozen=True, slots=True)
class MissingCheck:
    """Whether a change survives missing answers filled against it.

    `interval` is the hull of the observed and the filled one. `tipping` of the missing answers, filled against the
    change, would undo it; None when it survives.
    """

    survives: bool
    interval: Interval
    tipping: int | None


def paired_difference(before: Cells, after: Cells) -> PairedDifference | None:
    """Test the change over the cells that both sides have; None with fewer than two such prompts.

    Student's paired t on prompt values, with one pseudo-prompt of pure answer noise.
    """
    common = before.keys() & after.keys()
    earlier = estimate({key: before[key] for key in common})
    later = estimate({key: after[key] for key in common})
    if earlier is None or later is None or len(earlier.prompts) < FEWEST_PAIRED_PROMPTS:
        return None
    changes = [now - then for then, now in zip(earlier.values, later.values, strict=True)]
    noise = len(changes) * (
        _answer_variance(earlier.mean, earlier.answers) / earlier.answers
        + _answer_variance(later.mean, later.answers) / later.answers
    )
    delta, standard_error = mean_change(changes, noise)
    return PairedDifference(
        before=earlier.mean,
        after=later.mean,
        delta=delta,
        standard_error=standard_error,
        prompts=len(changes),
        answers_before=earlier.answers,
        answers_after=later.answers,
    )


def mean_change(changes: Sequence[float], noise: float) -> tuple[float, float]:
    """Return the mean of the changes of prompts, of which there are at least two, and its standard error.

    `noise` is what their variance would be if nothing but single answers differed: that of one pseudo-prompt.
    """
    prompts = len(changes)
    delta = fsum(changes) / prompts
    variance = fsum((change - delta) ** 2 for change in changes) / (prompts - 1)
    moved = sum(abs(change) > TOLERANCE for change in changes)
    return delta, sqrt((moved * variance + noise) / (moved + 1) / prompts)


def check_missing(cells: PairedCells, observed: PairedDifference, divisor: int = 1) -> MissingCheck:
    """Fill missing answers against an observed change and test it again at 0.05 / divisor.

    When either side misses more than 3 % of its plan all missing answers are filled (Manski bounds), else in each
    channel only the excess of the side that misses more. Sources: ICH E9(R1), tipping point; C. F. Manski 1990.
    """
    rise = observed.delta > 0
    filled = _filled_difference(cells, *_fill_shares(cells), rise=rise)
    shown = observed.interval(divisor)
    if filled is None:
        return MissingCheck(True, shown, None)
    other = filled.interval(divisor)
    hull = min(shown[0], other[0]), max(shown[1], other[1])
    survives = _is_significant(filled, rise=rise, divisor=divisor)
    return MissingCheck(
        survives, hull, None if survives else _tipping_number(cells, rise=rise, divisor=divisor)
    )


def _answer_variance(mean: float, answers: float) -> float:
    rate = (answers * mean + 2) / (answers + _PSEUDO_ANSWERS)
    return rate * (1 - rate)


def _is_significant(difference: PairedDifference, *, rise: bool, divisor: int) -> bool:
    """Whether the same direction of change still holds."""
    return difference.p < ALPHA / divisor and (difference.delta > 0) == rise


def _fill_shares(cells: PairedCells) -> tuple[dict[Channel, float], dict[Channel, float]]:
    """Which share of its missing answers each side gets filled, by channel."""
    planned: dict[Channel, list[CellKey]] = defaultdict(list)
    for key in cells.planned_on_both:
        planned[key[1]].append(key)
    sides = ((cells.before, cells.missing_before), (cells.after, cells.missing_after))
    overall = [_missing_share(answers, missing, cells.planned_on_both) for answers, missing in sides]
    if max(overall) > TOLERATED_MISSING + TOLERANCE:
        return dict.fromkeys(planned, 1.0), dict.fromkeys(planned, 1.0)
    before: dict[Channel, float] = {}
    after: dict[Channel, float] = {}
    for channel, keys in planned.items():
        earlier, later = (_missing_share(answers, missing, keys) for answers, missing in sides)
        larger = max(earlier, later)
        excess = abs(earlier - later) / larger if larger else 0.0
        before[channel] = excess if earlier > later else 0.0
        after[channel] = excess if later > earlier else 0.0
    return before, after


def _missing_share(answers: Cells, missing: Mapping[CellKey, float], keys: Sequence[CellKey]) -> float:
    lacking = fsum(missing.get(key, 0.0) for key in keys)
    received = fsum(answers[key].answers for key in keys if key in answers)
    return lacking / (lacking + received) if lacking else 0.0


def _filled_difference(
    cells: PairedCells, before: Mapping[Channel, float], after: Mapping[Channel, float], *, rise: bool
) -> PairedDifference | None:
    """The test with shares of the missing answers filled: before 1 and after 0 against a rise, else reversed."""
    keys = cells.planned_on_both
    return paired_difference(
        _filled(cells.before, cells.missing_before, before, float(rise), keys),
        _filled(cells.after, cells.missing_after, after, float(not rise), keys),
    )


def _filled(
    answers: Cells,
    missing: Mapping[CellKey, float],
    shares: Mapping[Channel, float],
    value: float,
    keys: Sequence[CellKey],
) -> Cells:
    filled: dict[CellKey, Cell] = {}
    for key in keys:
        current = answers.get(key)
        added = shares[key[1]] * missing.get(key, 0.0)
        received = current.answers if current else 0.0
        if received + added > 0:
            total = current.mean * received if current else 0.0
            filled[key] = Cell((total + added * value) / (received + added), received + added)
    return filled


def _tipping_number(cells: PairedCells, *, rise: bool, divisor: int) -> int:
    """The fewest missing answers, the same share filled in every cell, that undo the change."""
    channels = {channel for _, channel in cells.planned_on_both}
    holds, undone = 0.0, 1.0
    for _ in range(_HALVINGS):
        share = (holds + undone) / 2
        shares = dict.fromkeys(channels, share)
        filled = _filled_difference(cells, shares, shares, rise=rise)
        if filled is not None and _is_significant(filled, rise=rise, divisor=divisor):
            holds = share
        else:
            undone = share
    return max(1, ceil(undone * cells.missing - TOLERANCE))

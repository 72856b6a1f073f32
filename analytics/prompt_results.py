"""Results of a brand on single prompts: rates with intervals, wins and losses against competitors, and changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal

from analytics.intervals import Interval, Z, wilson

FEWEST_TO_COMPARE = 3
"""Minimum number of answers on either side for judging the change of a prompt."""

Outcome = Literal["win", "tie", "loss", "absent", "not_measured"]
Verdict = Literal["rose", "fell", "no_detectable_change", "not_comparable"]
ChangeReason = Literal[
    "not_measured", "no_earlier_answers", "too_few_answers", "channels_changed", "too_few_prompts"
]
"""Why a change is not comparable: in this period or in the earlier one nothing or too little was answered, or the
answers of both came through other channels or to fewer than two common prompts."""


@dataclass(frozen=True, slots=True)
class PromptRate:
    """How many counted answers to one prompt name an entity; `rank_sum` adds the ranks of `ranked` answers."""

    answers: int
    named: int
    ranked: int = 0
    rank_sum: int = 0
    cited: int = 0

    @property
    def rate(self) -> float | None:
        """Share of the answers that name the entity, 0 to 1; None without an answer."""
        return self.named / self.answers if self.answers else None

    @property
    def interval(self) -> Interval | None:
        """Wilson's 95% interval for the rate if this prompt were asked again."""
        return wilson(self.named / self.answers, self.answers, Z) if self.answers else None

    @property
    def average_rank(self) -> float | None:
        """Mean rank in ranked lists; None if no answer ranks the entity."""
        return self.rank_sum / self.ranked if self.ranked else None


@dataclass(frozen=True, slots=True)
class PromptChange:
    """Change of a prompt's rate between two periods; difference and interval are shares, -1 to 1.

    `reason` says why it is not comparable; None with any other verdict.
    """

    verdict: Verdict
    before: PromptRate
    difference: float | None = None
    interval: Interval | None = None
    reason: ChangeReason | None = None


def outcome_of(own: PromptRate, rivals: Sequence[PromptRate]) -> Outcome:
    """Return whether the brand or a competitor is named more often on a prompt by more than chance, or neither."""
    if not own.answers:
        return "not_measured"
    best = max((rival.named for rival in rivals), default=0)
    if not own.named and not best:
        return "absent"
    if named_more_often(own.named, best, own.answers):
        return "win"
    return "loss" if named_more_often(best, own.named, own.answers) else "tie"


def named_more_often(more: int, less: int, answers: int, both: int | None = None) -> bool:
    """Return whether one entity is named more often than another in the same answers, with 95% confidence.

    `both` is how many answers name both. Where it is not known it is the smallest possible number, which gives the
    widest interval. Source: R. G. Newcombe, Statistics in Medicine 17 (1998), pp. 2635-2650, method 10.
    """
    if more <= less:
        return False
    if both is None:
        both = max(0, more + less - answers)
    neither = answers - more - less + both
    spread = sqrt(more * (answers - more) * less * (answers - less))
    correlation = (both * neither - (more - both) * (less - both)) / spread if spread else 0.0
    low_end = more / answers - wilson(more / answers, answers, Z)[0]
    high_end = wilson(less / answers, answers, Z)[1] - less / answers
    width = sqrt(low_end**2 - 2 * correlation * low_end * high_end + high_end**2)
    return (more - less) / answers > width


def change_of(now: PromptRate, before: PromptRate) -> PromptChange:
    """Compare two periods of one prompt with Newcombe's interval for a difference of independent proportions.

    Many single prompts are compared at once, so some of them "rose" or "fell" by chance. Only the headline's
    verdict is adjusted for that. Source: R. G. Newcombe, Statistics in Medicine 17 (1998), method 10.
    """
    if min(now.answers, before.answers) < FEWEST_TO_COMPARE:
        reason = "too_few_answers" if before.answers else "no_earlier_answers"
        return PromptChange("not_comparable", before, reason=reason if now.answers else "not_measured")
    after, earlier = now.named / now.answers, before.named / before.answers
    (after_low, after_high), (before_low, before_high) = now.interval or (0, 1), before.interval or (0, 1)
    difference = after - earlier
    low = difference - sqrt((after - after_low) ** 2 + (before_high - earlier) ** 2)
    high = difference + sqrt((after_high - after) ** 2 + (earlier - before_low) ** 2)
    verdict: Verdict = "rose" if low > 0 else "fell" if high < 0 else "no_detectable_change"
    return PromptChange(verdict, before, difference, (low, high))

"""How a brand fares on single prompts: rates with intervals, wins and losses against rivals, change since before."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal

from analytics.intervals import Interval, Z, wilson

FEWEST_TO_COMPARE = 3
"""Answers on either side under which a change of one prompt is not judged."""

Outcome = Literal["win", "tie", "loss", "absent", "not_measured"]
Verdict = Literal["rose", "fell", "no_detectable_change", "not_comparable"]


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
        """Share of the answers that name it, 0 to 1; None without an answer."""
        return self.named / self.answers if self.answers else None

    @property
    def interval(self) -> Interval | None:
        """Wilson's 95 % interval: where the rate would lie if this prompt were asked again and again."""
        return wilson(self.named / self.answers, self.answers, Z) if self.answers else None

    @property
    def average_rank(self) -> float | None:
        """Mean place in ranked lists; None where no answer ranks it."""
        return self.rank_sum / self.ranked if self.ranked else None


@dataclass(frozen=True, slots=True)
class PromptChange:
    """How a prompt's rate moved between two periods; difference and interval are shares, -1 to 1."""

    verdict: Verdict
    before: PromptRate
    difference: float | None
    interval: Interval | None


def outcome_of(own: PromptRate, rivals: Sequence[PromptRate]) -> Outcome:
    """Tell who is named more often on a prompt: the brand, a rival, both alike, or nobody at all."""
    if not own.answers:
        return "not_measured"
    best = max((rival.named for rival in rivals), default=0)
    if not own.named and not best:
        return "absent"
    return "win" if own.named > best else "loss" if own.named < best else "tie"


def change_of(now: PromptRate, before: PromptRate) -> PromptChange:
    """Compare two periods of one prompt by Newcombe's interval of a difference of independent proportions.

    Single prompts are looked at one by one and many at once, so that some "rose" and "fell" by chance: the
    headline's verdict alone is adjusted for that. Source: R. G. Newcombe, Statistics in Medicine 17 (1998),
    method 10.
    """
    if min(now.answers, before.answers) < FEWEST_TO_COMPARE:
        return PromptChange("not_comparable", before, None, None)
    after, earlier = now.named / now.answers, before.named / before.answers
    (after_low, after_high), (before_low, before_high) = now.interval or (0, 1), before.interval or (0, 1)
    difference = after - earlier
    low = difference - sqrt((after - after_low) ** 2 + (before_high - earlier) ** 2)
    high = difference + sqrt((after_high - after) ** 2 + (earlier - before_low) ** 2)
    verdict: Verdict = "rose" if low > 0 else "fell" if high < 0 else "no_detectable_change"
    return PromptChange(verdict, before, difference, (low, high))

"""Changes in how often competitors are named: shares of answers to the questions that both periods have."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from analytics.intervals import ALPHA, holm_levels
from analytics.observation import Channel
from analytics.paired_change import PairedDifference
from analytics.prompt_results import ChangeReason, PromptChange, PromptRate, Verdict
from analytics.ratio_change import CountedShare, paired_share
from measurement.planning.brand_identity import BRAND_KEY

EntityRates = dict[int, PromptRate]
PromptRates = dict[str, EntityRates]
"""The rates of all entities by prompt and key; the brand has one for every prompt with answers."""


@dataclass(frozen=True, slots=True)
class CountedPeriod:
    """The rates of one period, and the channels of its answers."""

    rates: PromptRates
    channels: frozenset[Channel]


def naming_changes(
    now: CountedPeriod, before: CountedPeriod, entities: Collection[int]
) -> dict[int, PromptChange]:
    """Compare how often entities are named in two periods, over the prompts that both answered, by key.

    The entities that are named now form a family for Holm's correction; others are left out. They are not
    comparable if the channels of the periods differ, or with fewer than two common prompts.
    """
    named = {key for rates in now.rates.values() for key, rate in rates.items() if rate.named}
    common = sorted(now.rates.keys() & before.rates.keys())
    alike = now.channels == before.channels
    counting = _SharesOf(before.rates, common), _SharesOf(now.rates, common)
    earlier = {key: counting[0].of(key) for key in entities if key in named}
    tested = {
        key: paired_share(share, counting[1].of(key)) if alike else None for key, share in earlier.items()
    }
    family = {key: difference for key, difference in tested.items() if difference is not None}
    levels = dict(zip(family, holm_levels([difference.p for difference in family.values()]), strict=True))
    obstacle: ChangeReason = "too_few_prompts" if alike else "channels_changed"
    if not before.rates:
        obstacle = "no_earlier_answers"
    return {
        key: PromptChange("not_comparable", _total(earlier[key]), reason=obstacle)
        if difference is None
        else _conclude(difference, levels[key], earlier[key])
        for key, difference in tested.items()
    }


class _SharesOf:
    """The shares of one period over some prompts; the numbers of answers are the same for all entities."""

    def __init__(self, rates: PromptRates, prompts: Sequence[str]) -> None:
        self._rates = [rates[prompt] for prompt in prompts]
        self._answers = [entities[BRAND_KEY].answers for entities in self._rates]

    def of(self, key: int) -> CountedShare:
        """Return the number of answers to each prompt that name an entity."""
        rates = (entities.get(key) for entities in self._rates)
        return CountedShare([rate.named if rate else 0 for rate in rates], self._answers)


def _total(share: CountedShare) -> PromptRate:
    return PromptRate(sum(share.answers), sum(share.hits))


def _conclude(difference: PairedDifference, divisor: int, earlier: CountedShare) -> PromptChange:
    verdict: Verdict = "no_detectable_change"
    if difference.p < ALPHA / divisor:
        verdict = "rose" if difference.delta > 0 else "fell"
    return PromptChange(verdict, _total(earlier), difference.delta, difference.interval(divisor))

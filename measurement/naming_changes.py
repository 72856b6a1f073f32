"""Whether competitors are named more or less often than before: shares of answers to the questions of both periods."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from analytics.intervals import ALPHA, holm_levels
from analytics.observation import Channel
from analytics.paired_change import PairedDifference
from analytics.prompt_results import PromptChange, PromptRate, Verdict
from analytics.ratio_change import paired_share
from measurement.brand_identity import BRAND_KEY

EntityRates = dict[int, PromptRate]
PromptRates = dict[str, EntityRates]
"""The rates of all entities by prompt, by key; those of the brand are there for every prompt that was answered."""


@dataclass(frozen=True, slots=True)
class CountedPeriod:
    """The rates of one period, and the channels that its answers came through; None where these were not counted."""

    rates: PromptRates
    channels: frozenset[Channel] | None


def naming_changes(
    now: CountedPeriod, before: CountedPeriod, entities: Collection[int]
) -> dict[int, PromptChange]:
    """Compare how often entities are named between two periods, over the prompts that both answered; by their keys.

    They are a family of their own under Holm's correction. Other channels in one of the periods, or fewer than two
    common prompts, make them not comparable.
    """
    common = sorted(now.rates.keys() & before.rates.keys())
    alike = now.channels is not None and now.channels == before.channels
    tested = {
        key: paired_share(_counts(before.rates, common, key), _counts(now.rates, common, key))
        if alike
        else None
        for key in entities
    }
    family = {key: difference for key, difference in tested.items() if difference is not None}
    levels = dict(zip(family, holm_levels([difference.p for difference in family.values()]), strict=True))
    return {
        key: _conclude(difference, levels.get(key, 1), _pooled(before.rates, common, key))
        for key, difference in tested.items()
    }


def _counts(rates: PromptRates, prompts: Collection[str], key: int) -> Mapping[str, tuple[int, int]]:
    """Return in how many of how many answers to each prompt an entity is named."""
    counted: dict[str, tuple[int, int]] = {}
    for prompt in prompts:
        named = rates[prompt].get(key)
        counted[prompt] = (named.named if named else 0, rates[prompt][BRAND_KEY].answers)
    return counted


def _pooled(rates: PromptRates, prompts: Collection[str], key: int) -> PromptRate:
    counts = _counts(rates, prompts, key).values()
    return PromptRate(sum(answers for _, answers in counts), sum(named for named, _ in counts))


def _conclude(difference: PairedDifference | None, divisor: int, before: PromptRate) -> PromptChange:
    if difference is None:
        return PromptChange("not_comparable", before, None, None)
    verdict: Verdict = "no_detectable_change"
    if difference.p < ALPHA / divisor:
        verdict = "rose" if difference.delta > 0 else "fell"
    return PromptChange(verdict, before, difference.delta, difference.interval(divisor))

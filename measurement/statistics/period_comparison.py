"""Comparison of two periods or channel selections of a brand: the verdict, its contributions, and what is missing."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import anyio.to_thread

from analytics.change import ScoreChange, Side, common_answers, comparable_channels, compare
from analytics.contributions import Contributions, contributions
from analytics.market_sums import MarketSums
from analytics.observation import Channel
from analytics.prompt_means import CellKey
from analytics.ratio_change import Ratio, RatioChange, compare_ratios
from analytics.score import Score, score
from analytics.score_inputs import Part
from measurement.planning.brand_identity import BrandIdentity, identify
from measurement.statistics.period_sides import (
    MoveChannel,
    Period,
    channel_differences,
    load_compared_period,
    moved_market,
    moved_side,
    period_side,
)
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand
from storage.workspace import Workspace

UNKNOWN = ScoreChange(None, "not_comparable", "insufficient_data")
POOLED = Channel("", "")
"""The channel of all answers of a side."""


@dataclass(frozen=True, slots=True)
class PeriodComparison:
    """Both periods, the verdict and its contributions; a period without a rated answer is None.

    `platforms` are the scores of the later period by platform, and `ratios` the metrics that are not part of
    the score. `pooled` says that no channel of one side pairs with one of the other, so that the answers of all were
    compared.
    """

    before: Side | None
    after: Side | None
    change: ScoreChange
    contributions: Contributions
    platforms: Mapping[str, Score]
    ratios: Sequence[RatioChange] = ()
    pooled: bool = False


async def compare_periods(
    workspace: Workspace, brand: Brand, before: AnswerFilter, after: AnswerFilter, part: Part | None
) -> PeriodComparison:
    """Compare the answers that two filters choose, as the revision in force read them.

    The filters differ in their periods, or name different platforms, modes or countries, whose answers to the same
    prompts are then paired. The failed requests of a batch that reaches into both periods count in the later one.
    """
    if brand.revision_key is None:
        return PeriodComparison(None, None, UNKNOWN, Contributions((), (), ()), {})
    identity = await identify(workspace, brand)
    others = channel_differences(before, after)
    later = await load_compared_period(workspace, identity, after)
    earlier = await load_compared_period(workspace, identity, before, () if others else later.batch_keys)
    return await anyio.to_thread.run_sync(compare_sums, identity, earlier, later, part, others)


def compare_sums(
    identity: BrandIdentity,
    before: Period,
    after: Period,
    part: Part | None,
    others: Mapping[str, str] = MappingProxyType({}),
) -> PeriodComparison:
    """Compare two periods; pure.

    `others` are the platform, mode and country of `after` where `before` has another one.
    """
    earlier, later = period_side(identity, before), period_side(identity, after)
    markets = before.sums.market, after.sums.market
    if earlier is None or later is None:
        return PeriodComparison(
            before=earlier,
            after=later,
            change=UNKNOWN,
            contributions=Contributions((), (), ()),
            platforms=platform_scores(later) if later else {},
            ratios=compare_namings(identity, markets, (), UNKNOWN),
        )
    paired_before, paired_after, pooled = earlier, later, False
    if others:
        moves = _pairing_moves(earlier, later, others)
        markets = moved_market(markets[0], moves[0]), moved_market(markets[1], moves[1])
        paired_before, paired_after = moved_side(earlier, moves[0]), moved_side(later, moves[1])
        pooled = moves[1] is _pooled
        paired_before = _other_selection(
            paired_before, paired_after, same_engine=set(others) == {"country"} and not pooled
        )
    common = common_answers(paired_before, paired_after, comparable_channels(paired_before, paired_after))
    change = compare(paired_before, paired_after, part, common)
    return PeriodComparison(
        before=earlier,
        after=later,
        change=change,
        contributions=contributions(common, part),
        platforms=platform_scores(later),
        ratios=compare_namings(identity, markets, common.before.sums.keys(), change),
        pooled=pooled,
    )


def _pairing_moves(before: Side, after: Side, others: Mapping[str, str]) -> tuple[MoveChannel, MoveChannel]:
    """Return for either side the channel under which the answers of each of its channels are paired.

    A channel pairs with the one that differs in nothing but `others`. Where no channel has such a partner, as with
    engines that only answer from memory and others that only search, all channels of a side are pooled.
    """

    def partner(channel: Channel) -> Channel:
        return channel._replace(**others)

    has_partner = not after.channels.isdisjoint(map(partner, before.channels))
    return (partner, _same) if has_partner else (_pooled, _pooled)


def _other_selection(before: Side, after: Side, *, same_engine: bool) -> Side:
    """Return a side with the place and language of the other, and its models unless they should be the same.

    Two selections are asked from different places, and two engines or modes have different models by nature.
    """
    alike = replace(before, country=after.country, language=after.language)
    return alike if same_engine else replace(alike, served=after.served)


def _same(channel: Channel) -> Channel:
    return channel


def _pooled(channel: Channel) -> Channel:
    return POOLED


def compare_namings(
    identity: BrandIdentity,
    markets: tuple[MarketSums, MarketSums],
    common: Collection[CellKey],
    change: ScoreChange,
) -> tuple[RatioChange, ...]:
    """Compare share of voice and average rank over the `common` cells of the score comparison.

    A brand without competitors has no share of voice.
    """
    ratios: list[Ratio] = ["shareOfVoice"] if len(identity.named) > 1 else []
    return compare_ratios(identity.brand.id, *markets, common, change, [*ratios, "averagePosition"])


def platform_scores(side: Side) -> dict[str, Score]:
    """Return the score of each platform, by the rule for the whole."""
    platforms = sorted({channel.platform for channel in side.channels})
    if len(platforms) == 1:
        return {platforms[0]: side.score}
    return {
        platform: score(
            side.score.entity,
            side.sums.restricted(lambda key, platform=platform: key[1].platform == platform),
            side.analysis,
            with_factors=False,
        )
        for platform in platforms
    }

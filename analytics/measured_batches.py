"""What some batches measured together: sums of their answers, how their asks ended, and the batches themselves."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from analytics.batches import AnswerBatch, ChannelAsks
from analytics.market_sums import EntitySums, MarketSums, joined_markets, market_of
from analytics.observation import Channel


@dataclass(frozen=True, slots=True)
class MeasuredBatches:
    """Sums of the answers of some batches, newest first, and the outcome of their asks by channel.

    `degraded` are the channels that were left out of a batch. `last_valid` is the time of the newest valid answer.
    """

    market: MarketSums
    asked: Mapping[Channel, ChannelAsks]
    batches: tuple[str, ...]
    degraded: tuple[tuple[str, Channel], ...] = ()
    last_valid: Mapping[Channel, datetime] | None = None

    def with_topics(self, topics: Mapping[str, str]) -> "MeasuredBatches":
        """Return the same with the topics of prompts that share one with others."""
        return replace(self, market=self.market.with_topics(topics))


def measured_batches(batches: Sequence[AnswerBatch]) -> MeasuredBatches:
    """Add up observed batches, at least one; all of them know the same entities."""
    asked: dict[Channel, ChannelAsks] = {}
    last_valid: dict[Channel, datetime] = {}
    for batch in batches:
        for channel, asks in batch.asked.items():
            asked[channel] = asked[channel] + asks if channel in asked else asks
        for seen in next(iter(batch.observations.values()), ()):
            last_valid[seen.channel] = max(last_valid.get(seen.channel, seen.captured_at), seen.captured_at)
    return MeasuredBatches(
        market=market_sums(batches),
        asked=asked,
        batches=tuple(batch.id for batch in batches),
        degraded=tuple((batch.id, channel) for batch in batches for channel in batch.degraded),
        last_valid=last_valid,
    )


def market_sums(batches: Iterable[AnswerBatch]) -> MarketSums:
    """Return the sums over the answers of some batches."""
    return joined_markets([market_of(batch.observations, batch.degraded) for batch in batches])


def asked_once(sums: EntitySums) -> frozenset[Channel]:
    """Return the channels with no more than one rated answer to any prompt, so that repeats add precision."""
    channels = {channel for (_, channel), of_cell in sums.cells.items() if of_cell.answers}
    return frozenset(channels) - {
        channel for (_, channel), of_cell in sums.cells.items() if of_cell.answers > 1
    }


def repeats_of(current: MeasuredBatches, earlier: MarketSums, brand: str) -> MarketSums | None:
    """Return the part of earlier answers that counts as repeats: in channels that ask every prompt once."""
    once = asked_once(current.market.entities[brand])
    return earlier.restricted(lambda key: key[1] in once) if once else None

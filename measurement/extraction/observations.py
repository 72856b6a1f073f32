"""Turn the extraction results of a batch into observations for the statistics."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import cached_property, lru_cache
from typing import TypeAlias

import anyio.to_thread

from analytics.batches import AnswerBatch as AskedBatch
from analytics.batches import ChannelAsks
from analytics.market_sums import MarketSums, market_of
from analytics.observation import Channel, Observation
from measurement.extraction.channel_facts import ChannelFacts, ChannelSummary, is_cut_off, is_rated_answer
from measurement.planning.brand_identity import BRAND_KEY, BrandIdentity
from storage.repositories.answers.answer_filters import UNFILTERED
from storage.repositories.answers.observed_answers import ObservedAnswer, ObservedMention
from storage.repositories.asks import FailedCell, Progress
from storage.repositories.batches import BatchRow
from storage.workspace import Workspace

TakePage: TypeAlias = Callable[[Sequence[ObservedAnswer], Sequence[ObservedMention]], None]
"""Receives the answers of a batch one page at a time, oldest first, with all their mentions of entities."""


@dataclass(frozen=True)
class BatchObservations:
    """One batch as one revision read it: the observations, and the rows they came from.

    An import may hold very many answers, and publishing does not keep their rows: `answers` and `mentions`
    are empty then.
    """

    batch: AskedBatch
    source: BatchRow
    channels: Mapping[Channel, ChannelSummary]
    """What the answers show beside their observations, by channel."""
    answers: tuple[ObservedAnswer, ...] = ()
    mentions: tuple[ObservedMention, ...] = ()
    """Mentions of the brand, and of competitors that are named or whose sites are cited."""

    @cached_property
    def days(self) -> Mapping[date, MarketSums]:
        """The sums of the answers of each UTC day, oldest first."""
        of_days: dict[date, dict[str, list[Observation]]] = {}
        for entity, seen_of_entity in self.batch.observations.items():
            for seen in seen_of_entity:
                of_day = of_days.setdefault(seen.captured_at.astimezone(UTC).date(), {})
                of_day.setdefault(entity, []).append(seen)
        return {day: market_of(of_days[day], self.batch.degraded) for day in sorted(of_days)}

    @cached_property
    def market(self) -> MarketSums:
        """The sums of all answers."""
        return market_of(self.batch.observations, self.batch.degraded)

    def in_country(self, country: str) -> "BatchObservations":
        """Return the part of the batch that was requested from a country."""
        return self._within(lambda channel: channel.country == country)

    def through(self, channel: Channel) -> "BatchObservations":
        """Return the part of the batch that was requested through one channel."""
        return self._within(lambda other: other == channel)

    def _within(self, chosen: Callable[[Channel], bool]) -> "BatchObservations":
        batch = self.batch
        answers = tuple(answer for answer in self.answers if chosen(channel_of(answer)))
        keys = {answer.key for answer in answers}
        return replace(
            self,
            batch=replace(
                batch,
                asked={channel: asks for channel, asks in batch.asked.items() if chosen(channel)},
                observations={
                    entity: [seen for seen in observed if chosen(seen.channel)]
                    for entity, observed in batch.observations.items()
                },
                missing={cell: count for cell, count in batch.missing.items() if chosen(cell[1])},
            ),
            channels={channel: summary for channel, summary in self.channels.items() if chosen(channel)},
            answers=answers,
            mentions=tuple(mention for mention in self.mentions if mention.answer_key in keys),
        )


async def observe(
    workspace: Workspace,
    identity: BrandIdentity,
    revision_key: int,
    batch: BatchRow,
    take: TakePage = lambda answers, mentions: None,
) -> BatchObservations:
    """Load a batch that this revision has read, to publish it; `take` is called in a thread for each page."""
    progress = await workspace.asks.progress(batch.key)
    failed = await workspace.asks.failed_cells(batch.key)
    reader = BatchReader(identity, batch, keeps_answers=batch.source != "import")

    def take_page(answers: Sequence[ObservedAnswer], mentions: Sequence[ObservedMention]) -> None:
        reader.add(answers, mentions)
        take(answers, mentions)

    async for answers, mentions in workspace.observed_answers.of_batch(revision_key, batch.key):
        await anyio.to_thread.run_sync(take_page, answers, mentions)
    return reader.observations(progress, failed)


async def observe_each(
    workspace: Workspace,
    identity: BrandIdentity,
    revision_key: int,
    batches: Sequence[BatchRow],
    progress: Mapping[int, Sequence[Progress]],
) -> list[BatchObservations]:
    """Load several batches with as many queries as one takes; `progress` of each is already known."""
    keys = [batch.key for batch in batches]
    answers: dict[int, list[ObservedAnswer]] = {key: [] for key in keys}
    mentions: dict[int, list[ObservedMention]] = {key: [] for key in keys}
    failed: dict[int, list[FailedCell]] = {key: [] for key in keys}
    read, read_mentions = await workspace.observed_answers.of_batches(revision_key, keys)
    batch_of = {answer.key: answer.batch_key for answer in read}
    for answer in read:
        answers[answer.batch_key].append(answer)
    for mention in read_mentions:
        mentions[batch_of[mention.answer_key]].append(mention)
    for failure in await workspace.period_readings.failed(keys, UNFILTERED):
        failed[failure.batch_key].append(failure.cell)
    return [
        observed(
            identity, batch, answers[batch.key], mentions[batch.key], progress[batch.key], failed[batch.key]
        )
        for batch in batches
    ]


def observed(
    identity: BrandIdentity,
    batch: BatchRow,
    answers: Sequence[ObservedAnswer],
    mentions: Sequence[ObservedMention],
    progress: Sequence[Progress],
    failed: Sequence[FailedCell],
) -> BatchObservations:
    """Build one batch: an observation for every valid answer and entity, and the request outcomes by channel."""
    reader = BatchReader(identity, batch, keeps_answers=True)
    reader.add(answers, mentions)
    return reader.observations(progress, failed)


class BatchReader:
    """Collects the answers of one batch a page at a time, oldest first, and builds its observations."""

    def __init__(self, identity: BrandIdentity, batch: BatchRow, *, keeps_answers: bool) -> None:
        self._identity = identity
        self._batch = batch
        self._keeps_answers = keeps_answers
        self._newest: datetime | None = None
        self._observations: dict[str, list[Observation]] = {entity.id: [] for entity in identity.named}
        self._channels: dict[Channel, ChannelSummary] = {}
        self._cut_off: Counter[tuple[str, Channel]] = Counter()
        self._answers: list[ObservedAnswer] = []
        self._mentions: list[ObservedMention] = []

    def add(self, answers: Sequence[ObservedAnswer], mentions: Sequence[ObservedMention]) -> None:
        """Add the next answers with all their mentions of entities."""
        for answer in answers:
            if self._newest is None or answer.captured_at > self._newest:
                self._newest = answer.captured_at
            if is_cut_off(answer) and is_rated_answer(answer):
                self._cut_off[answer.prompt_id, channel_of(answer)] += 1
        summarize(self._channels, answers, mentions)
        add_observations(self._identity, self._observations, answers, mentions)
        if self._keeps_answers:
            self._answers += answers
            self._mentions += (
                mention
                for mention in mentions
                if mention.entity_key == BRAND_KEY or mention.named or mention.cites_own
            )

    def observations(self, progress: Sequence[Progress], failed: Sequence[FailedCell]) -> BatchObservations:
        """Return the observations of all answers, with the request outcomes of the batch."""
        batch = self._batch
        return BatchObservations(
            batch=AskedBatch(
                id=batch.id,
                captured_at=self._newest or batch.created_at,
                asked=asked(batch, self._channels, progress),
                observations=self._observations,
                missing=missing(self._identity, batch, self._cut_off, failed),
            ),
            source=batch,
            channels=self._channels,
            answers=tuple(self._answers),
            mentions=tuple(self._mentions),
        )


def summarize(
    channels: dict[Channel, ChannelSummary],
    answers: Iterable[ObservedAnswer],
    mentions: Iterable[ObservedMention],
) -> dict[Channel, ChannelSummary]:
    """Count answers in the summaries of their channels, and return the summaries."""
    own = {mention.answer_key: mention for mention in mentions if mention.entity_key == BRAND_KEY}
    for answer in answers:
        channel = channel_of(answer)
        summary = channels.get(channel)
        if summary is None:
            summary = channels[channel] = ChannelSummary()
        summary.count(answer, own.get(answer.key))
    return channels


def add_observations(
    identity: BrandIdentity,
    observations: Mapping[str, list[Observation]],
    answers: Sequence[ObservedAnswer],
    mentions: Sequence[ObservedMention],
) -> None:
    """Add an observation for every valid answer to the list of each entity.

    An answer says nothing about most entities, so these share one observation object.
    """
    told: dict[int, list[ObservedMention]] = defaultdict(list)
    for mention in mentions:
        told[mention.answer_key].append(mention)
    entities = [(entity.key, bool(entity.sites), observations[entity.id]) for entity in identity.named]
    for answer in answers:
        if not answer.valid:
            continue
        of_entity = {mention.entity_key: mention for mention in told.pop(answer.key, ())}
        silent: dict[bool, Observation] = {}
        for entity_key, has_site, of_this_entity in entities:
            mention = of_entity.get(entity_key)
            if mention is not None or answer.named_in_prompt:
                seen = observation(answer, mention, entity_key, has_site)
            elif has_site in silent:
                seen = silent[has_site]
            else:
                seen = silent[has_site] = observation(answer, None, entity_key, has_site)
            of_this_entity.append(seen)


def observation(
    answer: ObservedAnswer, mention: ObservedMention | None, entity_key: int, has_site: bool
) -> Observation:
    """Return one valid answer as an observation of one entity."""
    named = mention is not None and mention.named
    return Observation(
        answer_id=answer.id,
        prompt_id=answer.prompt_id,
        channel=channel_of(answer),
        captured_at=answer.captured_at,
        named=named,
        rank=mention.rank if mention and named else None,
        position=mention.position if mention and named else 0.0,
        citation_measurable=answer.measurable,
        cites_owned=(mention is not None and mention.cites_own) if has_site else None,
        branded=answer.branded,
        echo=entity_key in answer.named_in_prompt and entity_key != 0,
        custom=not answer.from_set,
    )


def missing(
    identity: BrandIdentity,
    batch: BatchRow,
    cut_off: Mapping[tuple[str, Channel], int],
    failed: Sequence[FailedCell],
) -> dict[tuple[str, Channel], int]:
    """Count by prompt and channel the requests for rated prompts that failed or whose answer was cut off."""
    counts = Counter(cut_off)
    for cell in failed:
        if is_rated(identity, batch.source, cell):
            counts[cell.prompt_id, channel_of_cell(batch.source, cell)] += cell.failed
    return dict(counts)


def is_rated(identity: BrandIdentity, batch_source: str, cell: FailedCell) -> bool:
    """Return whether rates would count the answers that these requests failed to bring."""
    branded = cell.prompt_branded
    if branded is None:
        branded = identity.brand.id in identity.reader.matcher.named(cell.prompt)
    return not branded and (cell.from_set or batch_source == "import")


def channel_of_cell(batch_source: str, cell: FailedCell) -> Channel:
    """Return the channel of failed requests."""
    return Channel(cell.platform, cell.mode, source_of(batch_source), cell.country)


def channel_of(answer: ObservedAnswer) -> Channel:
    """Return the channel that an answer came through."""
    return shared_channel(answer.platform, answer.mode, source_of(answer.source), answer.country)


@lru_cache(maxsize=1 << 10)
def shared_channel(platform: str, mode: str, source: str, country: str) -> Channel:
    """Return a channel, sharing one object among all answers."""
    return Channel(platform, mode, source, country)


def source_of(batch_source: str) -> str:
    """Return the channel's source: imported answers never share a rate with those that we requested."""
    return "import" if batch_source == "import" else "api"


def asked(
    batch: BatchRow, channels: Mapping[Channel, ChannelSummary], progress: Sequence[Progress]
) -> dict[Channel, ChannelAsks]:
    """Count the outcomes of each channel's planned requests."""
    ends: dict[Channel, Counter[str]] = defaultdict(Counter)
    ends.update((channel, summary.ends) for channel, summary in channels.items())
    planned: Counter[Channel] = Counter()
    failed: Counter[Channel] = Counter()
    for simulation in progress:
        channel = Channel(simulation.platform, simulation.mode, source_of(batch.source), simulation.country)
        planned[channel] += simulation.total
        failed[channel] += simulation.failed
    return {
        channel: ChannelAsks(
            planned=planned[channel],
            valid=ends[channel]["valid"],
            refused=ends[channel]["refused"],
            empty=ends[channel]["empty"],
            failed=failed[channel],
            not_grounded=ends[channel]["not_grounded"],
            truncated=ends[channel]["truncated"],
        )
        for channel in planned
    }


def facts_of(batches: Iterable[BatchObservations]) -> dict[Channel, ChannelFacts]:
    """Return what the answers of some batches show beside their extraction results, by channel."""
    facts: dict[Channel, ChannelFacts] = {}
    for observed in batches:
        degraded = set(observed.batch.degraded)
        for channel, summary in observed.channels.items():
            of_channel = facts.setdefault(channel, ChannelFacts())
            of_channel.add(summary.facts)
            if channel not in degraded:
                of_channel.shown += summary.shown
                of_channel.not_shown += summary.not_shown
                of_channel.named += summary.named
    return facts

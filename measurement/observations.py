"""Turns stored readings of a batch into the observations that the arithmetic takes."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from analytics.batches import AnswerBatch as AskedBatch
from analytics.batches import ChannelAsks
from analytics.observation import Channel, Observation, Tone
from measurement.brand_identity import BRAND_KEY, BrandIdentity
from measurement.channel_facts import ChannelFacts
from storage.repositories.answers.answer_filters import UNFILTERED
from storage.repositories.answers.observed_answers import ObservedAnswer, ObservedMention
from storage.repositories.asks import FailedCell, Progress
from storage.repositories.batches import BatchRow
from storage.workspace import Workspace

TONES: Mapping[str, Tone] = {
    "positive": "positive",
    "neutral": "neutral",
    "negative": "negative",
    "not_judged": "unknown",
    "unknown": "unknown",
}


@dataclass(frozen=True, slots=True)
class BatchObservations:
    """One batch as one revision read it: for the arithmetic, and the rows it came from."""

    batch: AskedBatch
    source: BatchRow
    answers: tuple[ObservedAnswer, ...]
    mentions: tuple[ObservedMention, ...]
    """What the answers say of the brand, and of competitors that they name or whose sites they cite."""

    @property
    def own_mentions(self) -> tuple[ObservedMention, ...]:
        """What the answers say of the brand itself."""
        return tuple(mention for mention in self.mentions if mention.entity_key == BRAND_KEY)

    def in_country(self, country: str) -> "BatchObservations":
        """Return what of the batch was asked from a country."""
        return self._within(lambda channel: channel.country == country)

    def through(self, channel: Channel) -> "BatchObservations":
        """Return what of the batch was asked through one channel."""
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
            answers=answers,
            mentions=tuple(mention for mention in self.mentions if mention.answer_key in keys),
        )


async def observe(
    workspace: Workspace, identity: BrandIdentity, revision_key: int, batch: BatchRow
) -> BatchObservations:
    """Load a batch whose answers this revision has read."""
    answers, mentions = await workspace.observed_answers.of_batch(revision_key, batch.key)
    progress = await workspace.asks.progress(batch.key)
    failed = await workspace.asks.failed_cells(batch.key)
    return observed(identity, batch, answers, mentions, progress, failed)


async def observe_each(
    workspace: Workspace,
    identity: BrandIdentity,
    revision_key: int,
    batches: Sequence[BatchRow],
    progress: Mapping[int, Sequence[Progress]],
) -> list[BatchObservations]:
    """Load several batches in as many reads as one takes; `progress` of each is known."""
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
    """Lay out one batch: an observation for every valid answer and entity, and how each channel went."""
    return BatchObservations(
        batch=AskedBatch(
            id=batch.id,
            captured_at=max((answer.captured_at for answer in answers), default=batch.created_at),
            asked=asked(batch, answers, progress),
            observations=observations_of(identity, answers, mentions),
            missing=missing(identity, batch, answers, failed),
        ),
        source=batch,
        answers=tuple(answers),
        mentions=tuple(
            mention
            for mention in mentions
            if mention.entity_key == BRAND_KEY or mention.named or mention.cites_own
        ),
    )


def observations_of(
    identity: BrandIdentity, answers: Sequence[ObservedAnswer], mentions: Sequence[ObservedMention]
) -> dict[str, list[Observation]]:
    """Return an observation for every valid answer by the id of each entity.

    Most answers say the same of most entities, nothing: one observation stands for all of these.
    """
    told: dict[int, list[ObservedMention]] = defaultdict(list)
    for mention in mentions:
        told[mention.answer_key].append(mention)
    observations: dict[str, list[Observation]] = {entity.id: [] for entity in identity.named}
    for answer in answers:
        if not answer.valid:
            continue
        of_entity = {mention.entity_key: mention for mention in told.pop(answer.key, ())}
        silent: dict[bool, Observation] = {}
        for entity in identity.named:
            mention, has_site = of_entity.get(entity.key), bool(entity.sites)
            if mention is not None or answer.named_in_prompt:
                seen = observation(answer, mention, entity.key, has_site)
            elif has_site in silent:
                seen = silent[has_site]
            else:
                seen = silent[has_site] = observation(answer, None, entity.key, has_site)
            observations[entity.id].append(seen)
    return observations


def observation(
    answer: ObservedAnswer, mention: ObservedMention | None, entity_key: int, has_site: bool
) -> Observation:
    """Return one valid answer as it looks to one entity."""
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
        tone=TONES[mention.tone] if mention and named and mention.tone else None,
        branded=answer.branded,
        echo=entity_key in answer.named_in_prompt and entity_key != 0,
        custom=not answer.from_set,
    )


def missing(
    identity: BrandIdentity,
    batch: BatchRow,
    answers: Sequence[ObservedAnswer],
    failed: Sequence[FailedCell],
) -> dict[tuple[str, Channel], int]:
    """Count by prompt and channel the asks to rated prompts that failed or whose answer was cut off."""
    counts: Counter[tuple[str, Channel]] = Counter()
    for answer in answers:
        if is_cut_off(answer) and is_rated_answer(answer):
            counts[answer.prompt_id, channel_of(answer)] += 1
    for cell in failed:
        if is_rated(identity, batch.source, cell):
            counts[cell.prompt_id, channel_of_cell(batch.source, cell)] += cell.failed
    return dict(counts)


def is_rated(identity: BrandIdentity, batch_source: str, cell: FailedCell) -> bool:
    """Tell whether rates would count the answers that these asks did not bring."""
    branded = cell.prompt_branded
    if branded is None:
        branded = identity.brand.id in identity.reader.matcher.named(cell.prompt)
    return not branded and (cell.from_set or batch_source == "import")


def is_rated_answer(answer: ObservedAnswer) -> bool:
    """Tell whether rates count an answer to this question: one of a set, or imported, that does not name the brand."""
    return answer.from_set and not answer.branded


def channel_of_cell(batch_source: str, cell: FailedCell) -> Channel:
    """Return the channel through which asks failed."""
    return Channel(cell.platform, cell.mode, source_of(batch_source), cell.country)


def is_cut_off(answer: ObservedAnswer) -> bool:
    """Tell whether an answer would count if its engine had not stopped before its end."""
    return answer.truncated and answer.status == "answered" and not answer.valid


def place_of(answer: ObservedAnswer) -> str:
    """Name the place that an answer comes from, as far as its engine could be told one."""
    city = "" if "city" in answer.not_supported else answer.city or ""
    return "/".join(part for part in (answer.country, city) if part)


def language_of(answer: ObservedAnswer) -> str:
    """Name the language that an engine was told to answer in, or that an answer was captured in."""
    return "" if "language" in answer.not_supported else answer.language or ""


def channel_of(answer: ObservedAnswer) -> Channel:
    """Return the channel an answer came through."""
    return shared_channel(answer.platform, answer.mode, source_of(answer.source), answer.country)


@lru_cache(maxsize=1 << 10)
def shared_channel(platform: str, mode: str, source: str, country: str) -> Channel:
    """Return the one object that stands for a channel in all answers."""
    return Channel(platform, mode, source, country)


def source_of(batch_source: str) -> str:
    """Return the channel's source: answers captured elsewhere never share a rate with those we asked for."""
    return "import" if batch_source == "import" else "api"


def asked(
    batch: BatchRow, answers: Sequence[ObservedAnswer], progress: Sequence[Progress]
) -> dict[Channel, ChannelAsks]:
    """Count how the planned asks of each channel ended."""
    ends: dict[Channel, Counter[str]] = defaultdict(Counter)
    for answer in answers:
        ends[channel_of(answer)][end_of_answer(answer)] += 1
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


def end_of_answer(answer: ObservedAnswer) -> str:
    """Return how an ask ended that brought an answer: `valid`, `truncated` or the answer's status.

    A page without any result shows nothing of an engine: it counts as empty, and not as one that was not shown.
    """
    if answer.valid:
        return "valid"
    if answer.absent_reason == "no_results":
        return "empty"
    return "truncated" if is_cut_off(answer) else answer.status


def facts_of(batches: Iterable[BatchObservations]) -> dict[Channel, ChannelFacts]:
    """Return what the answers of some batches show beside their readings, by channel."""
    facts: dict[Channel, ChannelFacts] = {}
    for batch in batches:
        own = {mention.answer_key: mention for mention in batch.own_mentions}
        degraded = set(batch.batch.degraded)
        for answer in batch.answers:
            channel, mention = channel_of(answer), own.get(answer.key)
            of_channel = facts.setdefault(channel, ChannelFacts())
            of_channel.count(answer, mention)
            if is_rated_answer(answer) and channel not in degraded:
                of_channel.shown += answer.valid
                of_channel.not_shown += is_not_shown(answer)
                of_channel.named += answer.valid and mention is not None and mention.named
    return facts


def is_not_shown(answer: ObservedAnswer) -> bool:
    """Tell whether a look found that an engine shows no answer."""
    return end_of_answer(answer) == "not_shown"

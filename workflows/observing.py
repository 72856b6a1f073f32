"""Turns stored readings of a batch into the observations that the arithmetic takes."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analytics.batches import Asked
from analytics.batches import Batch as AskedBatch
from analytics.observations import Channel, Observation, Tone
from storage.repositories.asks import Progress
from storage.repositories.batches import Batch
from storage.repositories.readings import ObservedAnswer, ObservedMention
from storage.workspace import Workspace
from workflows.identity import Identity

TONES: Mapping[str, Tone] = {
    "positive": "positive",
    "neutral": "neutral",
    "negative": "negative",
    "unknown": "unknown",
}


@dataclass(frozen=True, slots=True)
class Observed:
    """One batch as one revision read it: for the arithmetic, and the rows it came from."""

    batch: AskedBatch
    source: Batch
    answers: tuple[ObservedAnswer, ...]
    mentions: tuple[ObservedMention, ...]


async def observe(workspace: Workspace, identity: Identity, revision_key: int, batch: Batch) -> Observed:
    """Load a batch whose answers this revision has read."""
    answers, mentions = await workspace.readings.observed(revision_key, batch.key)
    progress = await workspace.asks.progress(batch.key)
    return observed(identity, batch, answers, mentions, progress)


def observed(
    identity: Identity,
    batch: Batch,
    answers: Sequence[ObservedAnswer],
    mentions: Sequence[ObservedMention],
    progress: Sequence[Progress],
) -> Observed:
    """Lay out one batch: an observation for every valid answer and entity, and how each channel went."""
    told = {(one.answer_key, one.entity_key): one for one in mentions}
    valid = [answer for answer in answers if answer.valid]
    return Observed(
        batch=AskedBatch(
            id=batch.id,
            captured_at=max((answer.captured_at for answer in answers), default=batch.created_at),
            asked=asked(batch, answers, progress),
            observations={
                entity.id: [
                    observation(answer, told.get((answer.key, entity.key)), entity.key, bool(entity.sites))
                    for answer in valid
                ]
                for entity in identity.named
            },
        ),
        source=batch,
        answers=tuple(answers),
        mentions=tuple(mentions),
    )


def observation(
    answer: ObservedAnswer, told: ObservedMention | None, entity_key: int, has_site: bool
) -> Observation:
    """Return one valid answer as it looks to one entity."""
    named = told is not None and told.named
    return Observation(
        answer_id=answer.id,
        prompt_id=answer.prompt_id,
        channel=channel_of(answer),
        captured_at=answer.captured_at,
        named=named,
        rank=told.rank if told and named else None,
        first_third=bool(told and told.early),
        citation_measurable=answer.measurable,
        cites_owned=(told is not None and told.cites_own) if has_site else None,
        tone=TONES[told.tone] if told and named and told.tone else None,
        branded=answer.branded,
        echo=entity_key in answer.named_in_prompt and entity_key != 0,
        custom=not answer.from_set,
    )


def channel_of(answer: ObservedAnswer) -> Channel:
    """Return the channel an answer came through."""
    return Channel(answer.platform, answer.mode, source_of(answer.source))


def source_of(batch_source: str) -> str:
    """Return the channel's source: answers captured elsewhere never share a rate with those we asked for."""
    return "import" if batch_source == "import" else "api"


def asked(
    batch: Batch, answers: Sequence[ObservedAnswer], progress: Sequence[Progress]
) -> dict[Channel, Asked]:
    """Count how the planned asks of each channel ended."""
    ends: dict[Channel, Counter[str]] = defaultdict(Counter)
    for answer in answers:
        ends[channel_of(answer)]["valid" if answer.valid else answer.status] += 1
    planned: Counter[Channel] = Counter()
    failed: Counter[Channel] = Counter()
    for one in progress:
        channel = Channel(one.platform, one.mode, source_of(batch.source))
        planned[channel] += one.total
        failed[channel] += one.failed
    return {
        channel: Asked(
            planned=planned[channel],
            valid=ends[channel]["valid"],
            refused=ends[channel]["refused"],
            empty=ends[channel]["empty"],
            failed=failed[channel],
            not_grounded=ends[channel]["not_grounded"],
        )
        for channel in planned
    }

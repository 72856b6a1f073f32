"""What answers say alike, counted: how often a revision read the same in the answers to a prompt through a channel."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from analytics.observation import Channel, Observation
from measurement.brand_identity import BRAND_KEY
from measurement.laid_out_days import AlikeAnswers, SaidOfEntity
from measurement.observations import TONES, channel_of, is_cut_off, language_of, place_of
from storage.repositories.answers.observed_answers import ObservedAnswer, ObservedMention

NOT_SAID = SaidOfEntity(BRAND_KEY, False, None, 0.0, False, None)
AT_NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)


class AnswerReading(NamedTuple):
    """What was read in an answer, as far as it decides a comparison of the brand; `position` counts without a rank."""

    valid: bool
    cut_off: bool
    served_model: str
    place: str
    language: str
    measurable: bool
    branded: bool
    named: bool
    rank: int | None
    position: float
    cites_own: bool
    tone: str | None


class CellReading(NamedTuple):
    """One reading of answers to one prompt, in the words that its hash names, through one channel."""

    prompt_id: str
    prompt_sha256: str
    channel: Channel
    reading: AnswerReading


AnswerCounts = Mapping[CellReading, int]


class CellMentions(NamedTuple):
    """Answers to one prompt through one channel that name so many of the brand and its rivals, the brand or not."""

    prompt_id: str
    prompt_sha256: str
    channel: Channel
    own: bool
    mentions: int


MentionCounts = Mapping[CellMentions, int]


def count_answers(answers: Iterable[tuple[ObservedAnswer, ObservedMention | None]]) -> Counter[CellReading]:
    """Count answers, each with what it says of the brand itself."""
    return Counter(
        CellReading(answer.prompt_id, answer.prompt_sha256, channel_of(answer), read_alike(answer, mention))
        for answer, mention in answers
    )


def read_alike(answer: ObservedAnswer, mention: ObservedMention | None) -> AnswerReading:
    """Return what was read in an answer, in words that alike answers have in common."""
    named = mention is not None and mention.named
    rank = mention.rank if mention and named else None
    return AnswerReading(
        valid=answer.valid,
        cut_off=is_cut_off(answer),
        served_model=answer.served_model or "",
        place=place_of(answer),
        language=language_of(answer),
        measurable=answer.measurable,
        branded=answer.branded,
        named=named,
        rank=rank,
        position=mention.position if mention and named and rank is None else 0.0,
        cites_own=mention is not None and mention.cites_own,
        tone=mention.tone if mention and named else None,
    )


def make_observation(cell: CellReading, *, has_site: bool, custom: bool) -> Observation:
    """Return what each of these answers says of the brand; it stands for all of them and has the id of none."""
    reading = cell.reading
    return Observation(
        answer_id="",
        prompt_id=cell.prompt_id,
        channel=cell.channel,
        captured_at=AT_NO_TIME,
        named=reading.named,
        rank=reading.rank,
        position=reading.position,
        citation_measurable=reading.measurable,
        cites_owned=reading.cites_own if has_site else None,
        tone=TONES[reading.tone] if reading.tone else None,
        branded=reading.branded,
        custom=custom,
    )


def count_laid_out(answers: Iterable[AlikeAnswers]) -> Counter[CellReading]:
    """Count answers of a batch and day as publishing laid them out."""
    counts: Counter[CellReading] = Counter()
    for alike in answers:
        own = alike.said[0] if alike.said and alike.said[0].entity_key == BRAND_KEY else NOT_SAID
        words = alike.words
        reading = AnswerReading(
            valid=words.valid,
            cut_off=words.cut_off,
            served_model=words.served_model,
            place=words.place,
            language=words.language,
            measurable=words.measurable,
            branded=words.branded,
            named=own.named,
            rank=own.rank,
            position=own.position,
            cites_own=own.cites_own,
            tone=own.tone,
        )
        counts[CellReading(alike.prompt_id, alike.prompt_sha256, alike.channel, reading)] += alike.answers
    return counts


def count_mentions(answers: Iterable[AlikeAnswers]) -> Counter[CellMentions]:
    """Count the valid ones of these answers by whom they name, of prompts that name neither brand nor rival."""
    counts: Counter[CellMentions] = Counter()
    for alike in answers:
        words = alike.words
        if words.valid and not words.branded and not words.named_in_prompt:
            named = [said.entity_key for said in alike.said if said.named]
            place = alike.prompt_id, alike.prompt_sha256, alike.channel
            counts[CellMentions(*place, BRAND_KEY in named, len(named))] += alike.answers
    return counts

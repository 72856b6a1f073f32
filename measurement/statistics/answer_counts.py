"""Counts of answers with equal extraction results, by prompt and channel."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from analytics.observation import Channel, Observation
from measurement.extraction.channel_facts import is_cut_off, language_of, place_of
from measurement.extraction.observations import TONES, channel_of
from measurement.publication.readings import OwnReading
from storage.repositories.answers.observed_answers import ObservedAnswer, ObservedMention

AT_NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)


class AnswerReading(NamedTuple):
    """The part of an extraction result that affects comparisons of the brand; `position` counts without a rank."""

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
    """One extraction result of answers to one prompt, whose text the hash identifies, through one channel."""

    prompt_id: str
    prompt_sha256: str
    channel: Channel
    reading: AnswerReading


AnswerCounts = Mapping[CellReading, int]


class CellMentions(NamedTuple):
    """Answers to one prompt through one channel that name the same number of entities.

    `mentions` counts the brand and its competitors; `own` states whether the brand is among them.
    """

    prompt_id: str
    prompt_sha256: str
    channel: Channel
    own: bool
    mentions: int


MentionCounts = Mapping[CellMentions, int]


def count_answers(answers: Iterable[tuple[ObservedAnswer, ObservedMention | None]]) -> Counter[CellReading]:
    """Count answers, each with its mention of the brand."""
    return Counter(
        CellReading(answer.prompt_id, answer.prompt_sha256, channel_of(answer), read_alike(answer, mention))
        for answer, mention in answers
    )


def read_alike(answer: ObservedAnswer, mention: ObservedMention | None) -> AnswerReading:
    """Return the extraction result of an answer, in a form that equal answers share."""
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


def make_observation(cell: CellReading, count: int, *, has_site: bool, custom: bool) -> Observation:
    """Return one observation of the brand for `count` equal answers; it has no answer ID."""
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
        count=count,
    )


def cell_of(reading: OwnReading) -> CellReading:
    """Return the part of a precomputed extraction result that affects comparisons of the brand."""
    own, words = reading.own, reading.words
    return CellReading(
        reading.prompt_id,
        reading.prompt_sha256,
        reading.channel,
        AnswerReading(
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
        ),
    )


def mentions_of(reading: OwnReading) -> CellMentions | None:
    """Return the mentions in valid answers with this result; None for prompts that name the brand or a competitor."""
    words = reading.words
    if not words.valid or words.branded or words.named_in_prompt:
        return None
    place = reading.prompt_id, reading.prompt_sha256, reading.channel
    return CellMentions(*place, reading.own.named, reading.mentions)

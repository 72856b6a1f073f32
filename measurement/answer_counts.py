"""What answers say alike, counted: how often a revision read the same in the answers to a prompt through a channel."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from typing import NamedTuple

from analytics.observation import Channel, Observation
from measurement.brand_identity import BRAND_KEY
from measurement.observations import TONES, channel_of, is_cut_off, language_of, place_of
from storage.repositories.answers.observed_answers import ObservedAnswer, ObservedMention

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


def count_answers(answers: Iterable[tuple[ObservedAnswer, ObservedMention | None]]) -> Counter[CellReading]:
    """Count answers, each with what it says of the brand itself."""
    return Counter(
        CellReading(answer.prompt_id, answer.prompt_sha256, channel_of(answer), read_alike(answer, mention))
        for answer, mention in answers
    )


def count_days(
    answers: Iterable[ObservedAnswer], mentions: Iterable[ObservedMention]
) -> dict[date, Counter[CellReading]]:
    """Count the answers of a batch by UTC day."""
    own = {mention.answer_key: mention for mention in mentions if mention.entity_key == BRAND_KEY}
    by_day: dict[date, list[tuple[ObservedAnswer, ObservedMention | None]]] = {}
    for answer in answers:
        day = answer.captured_at.astimezone(UTC).date()
        by_day.setdefault(day, []).append((answer, own.get(answer.key)))
    return {day: count_answers(pairs) for day, pairs in by_day.items()}


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


def write_counts(counts: AnswerCounts) -> str:
    """Return counts as a document: its prompts, channels and readings, and by their places how often each came.

    Equal counts are equal documents.
    """
    ordered = sorted(counts.items(), key=repr)
    prompts = list(dict.fromkeys((cell.prompt_id, cell.prompt_sha256) for cell, _ in ordered))
    channels = list(dict.fromkeys(cell.channel for cell, _ in ordered))
    readings = list(dict.fromkeys(cell.reading for cell, _ in ordered))
    places = [
        {value: place for place, value in enumerate(values)} for values in (prompts, channels, readings)
    ]
    return json.dumps(
        {
            "prompts": prompts,
            "channels": channels,
            "readings": readings,
            "counts": [
                (
                    places[0][cell.prompt_id, cell.prompt_sha256],
                    places[1][cell.channel],
                    places[2][cell.reading],
                    count,
                )
                for cell, count in ordered
            ],
        },
        separators=(",", ":"),
    )


def write_days(answers: Iterable[ObservedAnswer], mentions: Iterable[ObservedMention]) -> dict[date, str]:
    """Return the documents of a batch by UTC day."""
    return {day: write_counts(counts) for day, counts in count_days(answers, mentions).items()}


def read_counts(text: str) -> Iterator[tuple[CellReading, int]]:
    """Return the counts of a document."""
    document = json.loads(text)
    prompts = document["prompts"]
    channels = [Channel(*channel) for channel in document["channels"]]
    readings = [AnswerReading(*reading) for reading in document["readings"]]
    for prompt, channel, reading, count in document["counts"]:
        prompt_id, prompt_sha256 = prompts[prompt]
        yield CellReading(prompt_id, prompt_sha256, channels[channel], readings[reading]), count

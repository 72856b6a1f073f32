"""The answers of one batch and day as publishing lays them out: what was read in each of the brand and its rivals."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from itertools import chain, repeat
from typing import Any, NamedTuple, TypeAlias

from analytics.batches import ChannelAsks
from analytics.observation import Channel
from measurement.brand_identity import BRAND_KEY
from measurement.channel_facts import ChannelFacts, Domain
from measurement.laid_out.readings import AlikeReading, AlikeRows, OwnReading, shared_reading
from measurement.laid_out.said import ReadWords, SaidOfEntity, said_of, written_mentions
from measurement.observations import (
    BatchObservations,
    channel_of,
    is_cut_off,
    is_not_shown,
    language_of,
    place_of,
    shared_channel,
)
from storage.errors import UnknownDocumentVersion
from storage.packing import unpacked
from storage.repositories.answers.observed_answers import ObservedAnswer, ObservedMention, cited_domain
from storage.statements.tables.columns import parse_json

SCHEMA_VERSION = 2
"""Version of the document; the first one told of the brand alone and carried no version."""
REST = ',"domains":['
"""Where the part begins that most readers do without; within a text a quotation mark has a backslash before it."""
MICROSECOND = timedelta(microseconds=1)


@dataclass(slots=True)
class DayCell:
    """The answers to one prompt through one channel together, whatever was read in them.

    `newest_valid` is None where none is valid.
    """

    newest: datetime
    newest_valid: datetime | None = None
    facts: ChannelFacts = field(default_factory=ChannelFacts)


class ReadCell(NamedTuple):
    """A cell as it was written: places of its prompt and channel, and microseconds of the day.

    `newest_valid` is None where no answer is valid, and `domains` are there as often as they are cited.
    """

    prompt: int
    channel: int
    newest: int
    newest_valid: int | None
    searched: int
    uncertain: int
    absences: int
    domains: tuple[Domain, ...]

    def add_to(self, facts: ChannelFacts) -> None:
        """Count what the cell tells beside its answers."""
        facts.searched += self.searched
        facts.uncertain += self.uncertain
        facts.absences += self.absences
        facts.domains.update(self.domains)


ChosenPlaces: TypeAlias = Sequence[Sequence[bool]]
"""Whether something is chosen, by the place of its prompt in a document and of its channel."""


@dataclass(slots=True)
class NamingCounts:
    """In how many answers an entity is named, ranked and, where that could be seen, cited; `rank_sum` adds ranks."""

    named: int = 0
    ranked: int = 0
    rank_sum: int = 0
    cited: int = 0


def _read_cell(row: Sequence[Any], domains: Sequence[Domain]) -> ReadCell:
    places: Sequence[int] = row[7::2]
    times: Sequence[int] = row[8::2]
    cited = map(domains.__getitem__, places)
    if times.count(1) != len(times):
        cited = chain.from_iterable(map(repeat, cited, times))
    return ReadCell(row[0], row[1], row[2], row[3], row[4], row[5], row[6], tuple(cited))


@dataclass(frozen=True)
class LaidOutDay:
    """The answers of one batch and UTC day; what nobody asks for is not read. Days are kept: nobody changes them.

    `asked` says how the asks of the whole batch ended. `prompts` are ids with the hashes of their words, and `rows`
    answers that read alike; `packed` is the document as it is stored.
    """

    day: date
    packed: bytes
    asked: Mapping[Channel, ChannelAsks]
    prompts: tuple[tuple[str, str], ...]
    channels: tuple[Channel, ...]
    rows: AlikeRows

    @cached_property
    def cells(self) -> list[ReadCell]:
        """What answers show beside their readings, by prompt and channel; most readers do without."""
        written = unpacked(self.packed)
        rest: dict[str, Any] = parse_json("{" + written[written.index(REST) + 1 :])
        domains = [cited_domain(domain, owner) for domain, owner in rest["domains"]]
        return [_read_cell(row, domains) for row in rest["cells"]]

    def instant(self, microseconds: int) -> datetime:
        """Return an instant of the day."""
        return datetime.combine(self.day, time(), UTC) + microseconds * MICROSECOND

    def count(self, chosen: ChosenPlaces, counts: dict[AlikeReading, int]) -> dict[AlikeReading, int]:
        """Add the chosen answers to `counts`, which has how many there are by what was read, and return it."""
        for prompt, channel, reading, alike in self.rows:
            if chosen[prompt][channel]:
                counts[reading] = counts.get(reading, 0) + alike
        return counts

    def count_own(self, chosen: ChosenPlaces, counts: dict[OwnReading, int]) -> int:
        """Add the chosen answers to `counts` by what was read of the brand; return how many they are."""
        answers = 0
        for prompt, channel, reading, alike in self.rows:
            if chosen[prompt][channel]:
                own = reading.own
                counts[own] = counts.get(own, 0) + alike
                answers += alike
        return answers


def count_namings(
    counts: Mapping[AlikeReading, int],
) -> tuple[Counter[str], dict[tuple[str, int], NamingCounts]]:
    """Return the valid answers by prompt, and by prompt and entity whom they name, without a brand's own questions."""
    answers: Counter[str] = Counter()
    namings: dict[tuple[str, int], NamingCounts] = {}
    for reading, alike in counts.items():
        words, written = reading.words, reading.written
        if not words.valid or words.branded:
            continue
        answers[reading.prompt_id] += alike
        for at in range(0, len(written), 3):
            place = reading.prompt_id, written[at]
            of_entity = namings.get(place) or namings.setdefault(place, NamingCounts())
            rank = written[at + 1]
            if rank is not None:
                of_entity.named += alike
                if type(rank) is int:  # and no position
                    of_entity.ranked += alike
                    of_entity.rank_sum += alike * rank
            if written[at + 2] & 1 and words.measurable:
                of_entity.cited += alike
    return answers, namings


def lay_out_days(observed: BatchObservations) -> dict[date, str]:
    """Return the documents of a batch by UTC day; equal readings are equal documents."""
    told: dict[int, list[ObservedMention]] = defaultdict(list)
    for mention in observed.mentions:
        told[mention.answer_key].append(mention)
    by_day: dict[date, list[ObservedAnswer]] = defaultdict(list)
    for answer in observed.answers:
        by_day[answer.captured_at.astimezone(UTC).date()].append(answer)
    return {
        day: _write_day(day, observed.batch.asked, answers, told) for day, answers in sorted(by_day.items())
    }


def read_words(answer: ObservedAnswer) -> ReadWords:
    """Return what was read in an answer, in words that alike answers have in common."""
    return ReadWords(
        valid=answer.valid,
        cut_off=is_cut_off(answer),
        not_shown=is_not_shown(answer),
        served_model=answer.served_model or "",
        place=place_of(answer),
        language=language_of(answer),
        measurable=answer.measurable,
        branded=answer.branded,
        named_in_prompt=tuple(sorted(answer.named_in_prompt)),
    )


def _write_day(
    day: date,
    asked: Mapping[Channel, ChannelAsks],
    answers: Sequence[ObservedAnswer],
    told: Mapping[int, Sequence[ObservedMention]],
) -> str:
    """Write dictionaries of what comes often, and by their places each answer and each cell."""
    prompts = sorted({(answer.prompt_id, answer.prompt_sha256) for answer in answers})
    channels = sorted({channel_of(answer) for answer in answers})
    words = sorted({read_words(answer) for answer in answers})
    domains = sorted({domain for answer in answers for domain in answer.domains})
    prompt_places, channel_places, word_places, domain_places = (
        {value: place for place, value in enumerate(values)} for values in (prompts, channels, words, domains)
    )
    counts: Counter[tuple[int, int, int, tuple[SaidOfEntity, ...]]] = Counter()
    cells: dict[tuple[int, int], DayCell] = {}
    for answer in answers:
        mentions = told.get(answer.key, ())
        prompt = prompt_places[answer.prompt_id, answer.prompt_sha256]
        channel = channel_places[channel_of(answer)]
        counts[prompt, channel, word_places[read_words(answer)], said_of(mentions)] += 1
        cell = cells.setdefault((prompt, channel), DayCell(answer.captured_at))
        cell.newest = max(cell.newest, answer.captured_at)
        if answer.valid:
            cell.newest_valid = max(cell.newest_valid or answer.captured_at, answer.captured_at)
        own = next((mention for mention in mentions if mention.entity_key == BRAND_KEY), None)
        cell.facts.count(answer, own)
    begin = datetime.combine(day, time(), UTC)
    document = {
        "schema_version": SCHEMA_VERSION,
        "asked": [(*channel, *_ends(asks)) for channel, asks in sorted(asked.items())],
        "prompts": prompts,
        "channels": channels,
        "words": words,
        "answers": [
            (*place, count, *written_mentions(said))
            for (*place, said), count in sorted(counts.items(), key=repr)
        ],
        "domains": domains,
        "cells": [
            (
                *place,
                (cell.newest - begin) // MICROSECOND,
                None if cell.newest_valid is None else (cell.newest_valid - begin) // MICROSECOND,
                cell.facts.searched,
                cell.facts.uncertain,
                cell.facts.absences,
                *(
                    number
                    for domain, count in sorted(cell.facts.domains.items())
                    for number in (domain_places[domain], count)
                ),
            )
            for place, cell in sorted(cells.items())
        ],
    }
    return json.dumps(document, separators=(",", ":"))


def _ends(asks: ChannelAsks) -> tuple[int, ...]:
    return (
        asks.planned,
        asks.valid,
        asks.refused,
        asks.empty,
        asks.failed,
        asks.not_grounded,
        asks.truncated,
    )


def read_day(day: date, packed: bytes) -> LaidOutDay:
    """Read a stored document. Raises UnknownDocumentVersion for one of another version, and DamagedData."""
    first, begin_of_rest, _ = unpacked(packed).partition(REST)
    head: dict[str, Any] = parse_json(first + "}" if begin_of_rest else first)
    version = head.get("schema_version")
    if version != SCHEMA_VERSION:
        raise UnknownDocumentVersion("batch_cells", version, SCHEMA_VERSION)
    prompts: tuple[tuple[str, str], ...] = tuple((prompt, sha256) for prompt, sha256 in head["prompts"])
    channels = tuple(shared_channel(*channel) for channel in head["channels"])
    words = [ReadWords._make((*row[:-1], tuple(row[-1]))) for row in head["words"]]
    answers: list[list[Any]] = head["answers"]
    return LaidOutDay(
        day=day,
        packed=packed,
        asked={shared_channel(*row[:4]): ChannelAsks(*row[4:]) for row in head["asked"]},
        prompts=prompts,
        channels=channels,
        rows=[_read_row(row, prompts, channels, words) for row in answers],
    )


def _read_row(
    row: Sequence[Any],
    prompts: Sequence[tuple[str, str]],
    channels: Sequence[Channel],
    words: Sequence[ReadWords],
) -> tuple[int, int, AlikeReading, int]:
    prompt: int = row[0]
    channel: int = row[1]
    of_words: int = row[2]
    reading = shared_reading(prompts[prompt], channels[channel], words[of_words], tuple(row[4:]))
    return prompt, channel, reading, row[3]

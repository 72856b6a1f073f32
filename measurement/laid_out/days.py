"""The answers of one batch and day as publishing lays them out: what was read in each of the brand and its rivals."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
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


class CellFacts(NamedTuple):
    """What the answers of a cell show beside their readings; times are microseconds of the day.

    `newest_valid` is None where no answer is valid, and `domains` come as often as they are cited.
    """

    newest: int
    newest_valid: int | None
    searched: int
    uncertain: int
    absences: int
    domains: Iterable[Domain]

    def add_to(self, facts: ChannelFacts) -> None:
        """Count what the cell tells beside its answers."""
        facts.searched += self.searched
        facts.uncertain += self.uncertain
        facts.absences += self.absences
        facts.domains.update(self.domains)


ChosenCells: TypeAlias = Sequence[int]
"""Numbers of cells: the place of the prompt in a document, times its channels, and the place of the channel."""


@dataclass(slots=True)
class NamingCounts:
    """In how many answers an entity is named, ranked and, where that could be seen, cited; `rank_sum` adds ranks."""

    named: int = 0
    ranked: int = 0
    rank_sum: int = 0
    cited: int = 0


def _read_facts(row: Sequence[Any], domains: Sequence[Domain]) -> CellFacts:
    places: Sequence[int] = row[7::2]
    times: Sequence[int] = row[8::2]
    cited = map(domains.__getitem__, places)
    if times.count(1) != len(times):
        cited = chain.from_iterable(map(repeat, cited, times))
    return CellFacts(row[2], row[3], row[4], row[5], row[6], cited)


class LaidOutDay:
    """The answers of one batch and UTC day; of cells that nobody asks for nothing is read.

    Days are kept by a process. `asked` says how the asks of the whole batch ended, `prompts` are ids with the hashes of
    their words, and `packed` is the document as it is stored.
    """

    def __init__(self, day: date, packed: bytes, head: Mapping[str, Any]) -> None:
        self.day = day
        self.packed = packed
        self.asked = {shared_channel(*row[:4]): ChannelAsks(*row[4:]) for row in head["asked"]}
        self.prompts: tuple[tuple[str, str], ...] = tuple((id, sha256) for id, sha256 in head["prompts"])
        self.channels = tuple(shared_channel(*channel) for channel in head["channels"])
        self._words: list[ReadWords] = [ReadWords._make((*row[:-1], tuple(row[-1]))) for row in head["words"]]
        self._rows: dict[int, AlikeRows] = {}
        self._written: dict[int, list[list[Any]]] = {}
        written, channels = self._written, len(self.channels)
        for row in head["answers"]:
            written.setdefault(row[0] * channels + row[1], []).append(row)

    def rows(self, cell: int) -> AlikeRows:
        """Return the answers of a cell that read alike."""
        rows = self._rows.get(cell)
        if rows is not None:
            return rows
        written = self._written.get(cell)
        if written is None:  # no answer, or another thread has just read it
            return self._rows.get(cell, ())
        prompt, channel = divmod(cell, len(self.channels))
        at = self.prompts[prompt], self.channels[channel]
        read: list[tuple[AlikeReading, int]] = []
        for row in written:
            of_words: int = row[2]
            read.append((shared_reading(*at, self._words[of_words], tuple(row[4:])), row[3]))
        self._rows[cell] = read
        self._written.pop(cell, None)
        return read

    @cached_property
    def _rest(self) -> tuple[Sequence[Domain], dict[int, list[Any]]]:
        """Domains, and what answers show beside their readings by cell; most readers do without."""
        written = unpacked(self.packed)
        rest: dict[str, Any] = parse_json("{" + written[written.index(REST) + 1 :])
        domains = [cited_domain(domain, owner) for domain, owner in rest["domains"]]
        return domains, {row[0] * len(self.channels) + row[1]: row for row in rest["cells"]}

    def facts(self, cell: int) -> CellFacts | None:
        """Return what the answers of a cell show beside their readings; None where there is no answer."""
        domains, written = self._rest
        row = written.get(cell)
        return None if row is None else _read_facts(row, domains)

    def instant(self, microseconds: int) -> datetime:
        """Return an instant of the day."""
        return datetime.combine(self.day, time(), UTC) + microseconds * MICROSECOND

    def count(self, chosen: ChosenCells, counts: dict[AlikeReading, int]) -> dict[AlikeReading, int]:
        """Add the chosen answers to `counts`, which has how many there are by what was read, and return it."""
        for cell in chosen:
            for reading, alike in self.rows(cell):
                counts[reading] = counts.get(reading, 0) + alike
        return counts

    def count_own(self, chosen: ChosenCells, counts: dict[OwnReading, int]) -> int:
        """Add the chosen answers to `counts` by what was read of the brand; return how many they are."""
        answers = 0
        for cell in chosen:
            for reading, alike in self.rows(cell):
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
    return LaidOutDay(day, packed, head)

"""Daily documents of published batches: the extraction results for the brand and its competitors."""

import json
from array import array
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain, product, repeat
from typing import Any, NamedTuple, TypeAlias, TypeVar

from analytics.batches import ChannelAsks
from analytics.observation import Channel
from measurement.extraction.channel_facts import (
    ChannelFacts,
    Domain,
    is_cut_off,
    is_not_shown,
    language_of,
    place_of,
)
from measurement.extraction.observations import BatchObservations, channel_of, shared_channel
from measurement.planning.brand_identity import BRAND_KEY
from measurement.publication.kept_results import KeptResults
from measurement.publication.readings import AlikeReading, OwnReading, count_readings, shared_reading
from measurement.publication.said import ReadWords, SaidOfEntity, said_of, written_mentions
from storage.encoding import unpacked
from storage.errors import UnknownDocumentVersion
from storage.repositories.answers.observed_answers import ObservedAnswer, ObservedMention, cited_domain
from storage.tables.columns import parse_json

SCHEMA_VERSION = 2
"""Version of the document. The first version covered only the brand and had no version field."""
REST = ',"domains":['
"""Start of the part that most readers skip. Inside a text, quotation marks are escaped, so it cannot match there."""
MICROSECOND = timedelta(microseconds=1)
Reading = TypeVar("Reading")


@dataclass(slots=True)
class DayCell:
    """All answers to one prompt through one channel, regardless of what they say.

    `newest_valid` is None if none is valid.
    """

    newest: datetime
    newest_valid: datetime | None = None
    facts: ChannelFacts = field(default_factory=ChannelFacts)


class CellFacts(NamedTuple):
    """Facts of a cell beside its extraction results; times are microseconds of the day.

    `newest_valid` is None if no answer is valid, and `domains` repeats a domain for each time it is cited.
    """

    newest: int
    newest_valid: int | None
    searched: int
    uncertain: int
    absences: int
    domains: Iterable[Domain]

    def add_to(self, facts: ChannelFacts) -> None:
        """Add these facts to those of a channel."""
        facts.searched += self.searched
        facts.uncertain += self.uncertain
        facts.absences += self.absences
        facts.domains.update(self.domains)


ChosenCells: TypeAlias = Sequence[int]
"""Cell numbers: the prompt's position in a document, times its number of channels, plus the channel's position."""


@dataclass(slots=True)
class NamingCounts:
    """Number of answers that name, rank and, if citations are known, cite an entity; `rank_sum` adds up ranks."""

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


RestOfDay: TypeAlias = tuple[Sequence[Domain], Mapping[int, Sequence[Any]]]
"""Domains, and the stored row of facts beside the extraction results for each cell."""
REST_TIMES = 9
"""Memory use of the rest of a day, as a multiple of its stored length."""
MOST_REST = 64_000_000
RESTS = KeptResults[RestOfDay](MOST_REST)
"""Cache of the facts beside the extraction results, by stored day; most readers do not need them."""
ROW_BYTES, READING_BYTES = 45, 300
"""Bytes of memory for a row of a cached day, and for each extraction result that no other day has."""


class LaidOutDay:
    """The answers of one batch and UTC day, compact enough for a process to cache many of them.

    `asked` holds the request outcomes of the whole batch, `prompts` are IDs with text hashes, and `packed` is
    the stored document. `size` is the approximate memory use in bytes.
    """

    def __init__(self, day: date, packed: bytes, head: Mapping[str, Any]) -> None:
        self.day = day
        self.packed = packed
        self.asked = {shared_channel(*row[:4]): ChannelAsks(*row[4:]) for row in head["asked"]}
        self.prompts: tuple[tuple[str, str], ...] = tuple((id, sha256) for id, sha256 in head["prompts"])
        self.channels = tuple(shared_channel(*channel) for channel in head["channels"])
        words = [ReadWords._make((*row[:-1], tuple(row[-1]))) for row in head["words"]]
        known = count_readings()
        self._readings: list[AlikeReading] = []
        self._times: list[int] | None = []
        self._begins = array("I", [0])
        self._own: list[OwnReading] | None = None
        self._take_rows(words, head["answers"])
        made = max(0, count_readings() - known)
        self.size = len(packed) + ROW_BYTES * len(self._readings) + READING_BYTES * made

    def _take_rows(self, words: Sequence[ReadWords], answers: Iterable[Sequence[Any]]) -> None:
        """Load the extraction results cell by cell, with their counts unless all counts are 1."""
        written: dict[int, list[Sequence[Any]]] = {}
        for row in answers:
            written.setdefault(row[0] * len(self.channels) + row[1], []).append(row)
        times: list[int] = []
        for cell, at in enumerate(product(self.prompts, self.channels)):
            for row in written.get(cell, ()):
                of_words: int = row[2]
                self._readings.append(shared_reading(*at, words[of_words], tuple(row[4:])))
                times.append(row[3])
            self._begins.append(len(self._readings))
        self._times = times if any(count != 1 for count in times) else None

    def facts(self, cell: int) -> CellFacts | None:
        """Return the facts of a cell beside its extraction results; None if it has no answers."""
        domains, written = RESTS.result_of(self.packed, REST_TIMES * len(self.packed), self._read_rest)
        row = written.get(cell)
        return None if row is None else _read_facts(row, domains)

    def _read_rest(self) -> RestOfDay:
        written = unpacked(self.packed)
        rest: dict[str, Any] = parse_json("{" + written[written.index(REST) + 1 :])
        domains = [cited_domain(domain, owner) for domain, owner in rest["domains"]]
        return domains, {row[0] * len(self.channels) + row[1]: row for row in rest["cells"]}

    def instant(self, microseconds: int) -> datetime:
        """Return the instant that is `microseconds` into the day."""
        return datetime.combine(self.day, time(), UTC) + microseconds * MICROSECOND

    def count(self, chosen: ChosenCells, counts: Counter[AlikeReading]) -> Counter[AlikeReading]:
        """Add the chosen answers to `counts`, which counts answers by extraction result, and return it."""
        self._add(self._readings, chosen, counts)
        return counts

    def count_own(self, chosen: ChosenCells, counts: Counter[OwnReading]) -> int:
        """Add the chosen answers to `counts` by what they say about the brand; return how many there are."""
        if self._own is None:
            self._own = [reading.own for reading in self._readings]
        return self._add(self._own, chosen, counts)

    def _add(self, readings: list[Reading], chosen: ChosenCells, counts: Counter[Reading]) -> int:
        """Count the rows in the chosen cells, and return how many answers they represent."""
        some = self._chosen(readings, chosen)
        if self._times is None:
            counts.update(some)  # one call instead of a Python loop
            return len(some)
        times = self._chosen(self._times, chosen)
        for reading, count in zip(some, times, strict=True):
            counts[reading] += count
        return sum(times)

    def _chosen(self, rows: list[Reading], chosen: ChosenCells) -> list[Reading]:
        begins = self._begins
        if len(chosen) == len(begins) - 1:
            return rows
        return [row for cell in chosen for row in rows[begins[cell] : begins[cell + 1]]]


def count_namings(
    counts: Mapping[AlikeReading, int],
) -> tuple[Counter[str], dict[tuple[str, int], NamingCounts]]:
    """Return the valid answers by prompt, and by prompt and named entity, without branded prompts."""
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
                if type(rank) is int:  # a rank, not a position
                    of_entity.ranked += alike
                    of_entity.rank_sum += alike * rank
            if written[at + 2] & 1 and words.measurable:
                of_entity.cited += alike
    return answers, namings


def lay_out_days(observed: BatchObservations) -> dict[date, str]:
    """Return the documents of a batch by UTC day; equal extraction results give equal documents."""
    layout = BatchLayout()
    layout.add(observed.answers, observed.mentions)
    return layout.documents(observed.batch.asked)


class BatchLayout:
    """Writes the document of each UTC day from a batch's answers, added one page at a time, oldest first."""

    def __init__(self) -> None:
        self._written: dict[date, str] = {}
        self._day = _DayLayout(date.min)

    def add(self, answers: Sequence[ObservedAnswer], mentions: Sequence[ObservedMention]) -> None:
        """Add the next answers with their mentions. Raises ValueError for an answer from an earlier day."""
        told: dict[int, list[ObservedMention]] = defaultdict(list)
        for mention in mentions:
            told[mention.answer_key].append(mention)
        for answer in answers:
            day = answer.captured_at.astimezone(UTC).date()
            if day != self._day.day:
                self._end_day()
                if day in self._written:
                    raise ValueError("the answers of a batch must be added oldest first")
                self._day = _DayLayout(day)
            self._day.add(answer, told.get(answer.key, ()))

    def documents(self, asked: Mapping[Channel, ChannelAsks]) -> dict[date, str]:
        """Return the documents by day; `asked` holds the request outcomes of the whole batch."""
        self._end_day()
        head = {
            "schema_version": SCHEMA_VERSION,
            "asked": [(*channel, *_ends(asks)) for channel, asks in sorted(asked.items())],
        }
        begin = json.dumps(head, separators=(",", ":"))[:-1]
        return {day: f"{begin},{rest[1:]}" for day, rest in self._written.items()}

    def _end_day(self) -> None:
        """Write the part of a document that does not depend on the request outcomes, which saves memory."""
        if self._day.cells:
            self._written[self._day.day] = self._day.write()
            self._day = _DayLayout(date.min)


def read_words(answer: ObservedAnswer) -> ReadWords:
    """Return the facts of an answer that do not depend on an entity, in a form that equal answers share."""
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


class _DayLayout:
    """Counts the answers of one day by extraction result, and by cell; frequent values are numbered."""

    def __init__(self, day: date) -> None:
        self.day = day
        self.cells: dict[tuple[int, int], DayCell] = {}
        self._prompts: dict[tuple[str, str], int] = {}
        self._channels: dict[Channel, int] = {}
        self._words: dict[ReadWords, int] = {}
        self._counts: Counter[tuple[int, int, int, tuple[SaidOfEntity, ...]]] = Counter()

    def add(self, answer: ObservedAnswer, mentions: Sequence[ObservedMention]) -> None:
        """Add one answer with its mentions of entities."""
        prompt = _number(self._prompts, (answer.prompt_id, answer.prompt_sha256))
        channel = _number(self._channels, channel_of(answer))
        self._counts[prompt, channel, _number(self._words, read_words(answer)), said_of(mentions)] += 1
        cell = self.cells.get((prompt, channel))
        if cell is None:
            cell = self.cells[prompt, channel] = DayCell(answer.captured_at)
        cell.newest = max(cell.newest, answer.captured_at)
        if answer.valid:
            cell.newest_valid = max(cell.newest_valid or answer.captured_at, answer.captured_at)
        own = next((mention for mention in mentions if mention.entity_key == BRAND_KEY), None)
        cell.facts.count(answer, own)

    def write(self) -> str:
        """Write lists of the frequent values, then each answer and cell by their positions in those lists."""
        prompts, prompt_places = _in_order(self._prompts)
        channels, channel_places = _in_order(self._channels)
        words, word_places = _in_order(self._words)
        domains = sorted({domain for cell in self.cells.values() for domain in cell.facts.domains})
        domain_places = {domain: place for place, domain in enumerate(domains)}
        counts = {
            (prompt_places[prompt], channel_places[channel], word_places[of_words], said): count
            for (prompt, channel, of_words, said), count in self._counts.items()
        }
        cells = {
            (prompt_places[prompt], channel_places[channel]): cell
            for (prompt, channel), cell in self.cells.items()
        }
        begin = datetime.combine(self.day, time(), UTC)
        document = {
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


Value = TypeVar("Value", bound=Hashable)


def _number(numbers: dict[Value, int], value: Value) -> int:
    """Return the number of a value; a new value gets the next number."""
    return numbers.setdefault(value, len(numbers))


def _in_order(numbers: Mapping[Any, int]) -> tuple[list[Any], dict[int, int]]:
    """Return the values in sorted order, and each one's position by its number."""
    values = sorted(numbers)
    return values, {numbers[value]: place for place, value in enumerate(values)}


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
    """Parse a stored document. Raises UnknownDocumentVersion for another version, and DamagedData."""
    first, begin_of_rest, _ = unpacked(packed).partition(REST)
    head: dict[str, Any] = parse_json(first + "}" if begin_of_rest else first)
    version = head.get("schema_version")
    if version != SCHEMA_VERSION:
        raise UnknownDocumentVersion("batch_cells", version, SCHEMA_VERSION)
    return LaidOutDay(day, packed, head)

"""The answers of one batch and day as publishing lays them out: what was read in each of the brand and its rivals."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from analytics.batches import ChannelAsks
from analytics.observation import Channel
from measurement.brand_identity import BRAND_KEY
from measurement.channel_facts import ChannelFacts, Domain
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
from storage.repositories.answers.observed_answers import ObservedAnswer, ObservedMention, cited_domain
from storage.statements.tables.columns import parse_json

SCHEMA_VERSION = 2
"""Version of the document; the first one told of the brand alone and carried no version."""
REST = ',"domains":['
"""Where the part begins that most readers do without; within a text a quotation mark has a backslash before it."""
TONES_BY_MARK = (None, "positive", "neutral", "negative", "not_judged", "unknown")
MARKS = {tone: mark for mark, tone in enumerate(TONES_BY_MARK)}
MICROSECOND = timedelta(microseconds=1)


class ReadWords(NamedTuple):
    """What was read in an answer whomever it names. `named_in_prompt` are keys of entities."""

    valid: bool
    cut_off: bool
    not_shown: bool
    served_model: str
    place: str
    language: str
    measurable: bool
    branded: bool
    named_in_prompt: tuple[int, ...]


class SaidOfEntity(NamedTuple):
    """What an answer says of an entity that it names or whose site it cites; `position` counts without a rank."""

    entity_key: int
    named: bool
    rank: int | None
    position: float
    cites_own: bool
    tone: str | None


@dataclass(slots=True)
class DayCell:
    """The answers to one prompt through one channel together, whatever was read in them.

    `newest_valid` is None where none is valid.
    """

    newest: datetime
    newest_valid: datetime | None = None
    facts: ChannelFacts = field(default_factory=ChannelFacts)


ChosenPlaces: TypeAlias = Sequence[Sequence[bool]]
"""Whether something is chosen, by the place of its prompt in a document and of its channel."""


@dataclass(slots=True)
class NamingCounts:
    """In how many answers an entity is named, ranked and, where that could be seen, cited; `rank_sum` adds ranks."""

    named: int = 0
    ranked: int = 0
    rank_sum: int = 0
    cited: int = 0


@dataclass(frozen=True)
class LaidOutDay:
    """The answers of one batch and UTC day; what nobody asks for is not read."""

    day: date
    head: Mapping[str, Any]
    """The document without what answers show beside their readings, which is the larger part of it."""
    written: str

    @cached_property
    def rest(self) -> Mapping[str, Any]:
        """The part that most readers do without."""
        return parse_json("{" + self.written[self.written.index(REST) + 1 :])

    @cached_property
    def asked(self) -> dict[Channel, ChannelAsks]:
        """How the asks of the whole batch ended."""
        return {shared_channel(*row[:4]): ChannelAsks(*row[4:]) for row in self.head["asked"]}

    @property
    def prompt_ids(self) -> set[str]:
        """The prompts that it has answers to."""
        return {prompt_id for prompt_id, _ in self.head["prompts"]}

    @cached_property
    def prompts(self) -> list[tuple[str, str]]:
        """Ids of prompts with the hashes of their words, by place."""
        return [(prompt_id, sha256) for prompt_id, sha256 in self.head["prompts"]]

    @cached_property
    def channels(self) -> list[Channel]:
        """Channels by place."""
        return [shared_channel(*channel) for channel in self.head["channels"]]

    @cached_property
    def words(self) -> list[ReadWords]:
        """What was read in answers whomever they name, by place."""
        return [ReadWords._make((*row[:-1], tuple(row[-1]))) for row in self.head["words"]]

    @property
    def answers(self) -> list[list[Any]]:
        """Rows of answers that read alike: places of prompt, channel and words, how many, and what they say."""
        return self.head["answers"]

    @property
    def cells(self) -> list[list[Any]]:
        """Rows of cells: places of prompt and channel, and what `add_cell` reads."""
        return self.rest["cells"]

    @cached_property
    def domains(self) -> list[Domain]:
        """Domains that answers cite, by place."""
        return [cited_domain(domain, owner) for domain, owner in self.rest["domains"]]

    def places(self, is_chosen: Callable[[str, Channel], bool]) -> ChosenPlaces:
        """Decide for each prompt of the document, and of it for each channel."""
        return [[is_chosen(prompt_id, channel) for channel in self.channels] for prompt_id, _ in self.prompts]

    def instant(self, microseconds: int) -> datetime:
        """Return an instant of the day."""
        return datetime.combine(self.day, time(), UTC) + microseconds * MICROSECOND

    def add_cell(self, row: Sequence[Any], facts: ChannelFacts) -> None:
        """Count what a row of a cell tells beside its answers."""
        facts.searched += row[4]
        facts.uncertain += row[5]
        facts.absences += row[6]
        domains = self.domains
        for at in range(7, len(row), 2):
            facts.domains[domains[row[at]]] += row[at + 1]

    def count_namings(
        self,
        is_chosen: Callable[[str, Channel], bool],
        answers: Counter[str],
        namings: dict[tuple[str, int], NamingCounts],
    ) -> None:
        """Add the valid answers by prompt, and by prompt and entity whom they name, without a brand's own questions.

        `is_chosen` decides by prompt and channel. Reads the rows as they are written: a page counts thousands.
        """
        places = self.places(is_chosen)
        for row in self.answers:
            prompt: int = row[0]
            channel: int = row[1]
            of_words: int = row[2]
            alike: int = row[3]
            words = self.words[of_words]
            if not words.valid or words.branded or not places[prompt][channel]:
                continue
            prompt_id = self.prompts[prompt][0]
            answers[prompt_id] += alike
            for at in range(4, len(row), 3):
                place = prompt_id, row[at]
                counts = namings.get(place) or namings.setdefault(place, NamingCounts())
                rank = row[at + 1]
                if rank is not None:
                    counts.named += alike
                    if type(rank) is int:  # and no position
                        counts.ranked += alike
                        counts.rank_sum += alike * rank
                if row[at + 2] & 1 and words.measurable:
                    counts.cited += alike


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


def said_of(mentions: Iterable[ObservedMention]) -> tuple[SaidOfEntity, ...]:
    """Return what an answer says of entities, by key; of those that it neither names nor cites it says nothing."""
    return tuple(
        SaidOfEntity(
            mention.entity_key,
            mention.named,
            mention.rank if mention.named else None,
            mention.position if mention.named and mention.rank is None else 0.0,
            mention.cites_own,
            mention.tone if mention.named else None,
        )
        for mention in sorted(mentions, key=lambda mention: mention.entity_key)
        if mention.named or mention.cites_own
    )


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
            (*place, count, *_written_mentions(said))
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


def _written_mentions(said: Iterable[SaidOfEntity]) -> Iterable[int | float | None]:
    """Write three values of each entity: its key, its rank or position, and its tone with whether it is cited.

    A rank is a whole number, a position is not; an entity that is only cited has neither.
    """
    for entity_key, named, rank, position, cites_own, tone in said:
        yield entity_key
        yield (position if rank is None else rank) if named else None
        yield 2 * MARKS[tone] + cites_own


def read_mentions(written: Sequence[Any]) -> tuple[SaidOfEntity, ...]:
    """Read what `_written_mentions` wrote."""
    return tuple(
        SaidOfEntity(
            entity_key,
            place is not None,
            place if isinstance(place, int) else None,
            place if isinstance(place, float) else 0.0,
            bool(mark & 1),
            TONES_BY_MARK[mark >> 1],
        )
        for entity_key, place, mark in zip(written[::3], written[1::3], written[2::3], strict=True)
    )


def read_day(day: date, text: str) -> LaidOutDay:
    """Read a document. Raises UnknownDocumentVersion for one of another version."""
    first, begin_of_rest, _ = text.partition(REST)
    head: dict[str, Any] = parse_json(first + "}" if begin_of_rest else text)
    version = head.get("schema_version")
    if version != SCHEMA_VERSION:
        raise UnknownDocumentVersion("batch_cells", version, SCHEMA_VERSION)
    return LaidOutDay(day, head, text)

"""Readings: what one analysis revision extracted from each answer, as it is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from operator import attrgetter
from typing import Any

from storage.repository import Repository
from storage.tables.answers import (
    answer_readings,
    mentions,
)


@dataclass(frozen=True, slots=True)
class ExtractedMentionRow:
    """What one answer says of one entity; key 0 is the brand itself."""

    entity_key: int
    named: bool
    rank: int | None
    position: float
    cites_own: bool
    occurrences: int
    absences: int
    uncertain: int
    spans: Sequence[Mapping[str, Any]]
    quote: str | None


@dataclass(frozen=True, slots=True)
class ExtractedAnswerRow:
    """The reading of one answer."""

    answer_key: int
    channel_key: int
    captured_at: datetime
    measurable: bool
    branded: bool
    named_in_prompt: tuple[int, ...]
    domains: Mapping[str, str]
    mentions: tuple[ExtractedMentionRow, ...]


MENTION_FIELDS = tuple(entry.name for entry in fields(ExtractedMentionRow))
MENTION_VALUES = attrgetter(*MENTION_FIELDS)


class ReadingRepository(Repository):
    """What the analysis revisions of one company read."""

    async def add(self, revision_key: int, extracted: Sequence[ExtractedAnswerRow]) -> None:
        """Store readings; what another process stored of the same revision stays as it is."""
        rows = [reading_row(revision_key, reading) for reading in extracted]
        await self._write_all(self._insert_or_ignore(answer_readings), rows)
        mention_rows = [
            mention_row(revision_key, reading, mention)
            for reading in extracted
            for mention in reading.mentions
        ]
        await self._write_all(self._insert_or_ignore(mentions), mention_rows)


def reading_row(revision_key: int, reading: ExtractedAnswerRow) -> dict[str, Any]:
    """Return the stored form of the reading of one answer."""
    return {
        "revision_key": revision_key,
        "answer_key": reading.answer_key,
        "measurable": reading.measurable,
        "branded": reading.branded,
        "named_in_prompt": list(reading.named_in_prompt),
        "domains": dict(reading.domains),
    }


def mention_row(
    revision_key: int, reading: ExtractedAnswerRow, mention: ExtractedMentionRow
) -> dict[str, Any]:
    """Return the stored form of one mention."""
    place = {"answer_key": reading.answer_key, "channel_key": reading.channel_key}
    fields = zip(MENTION_FIELDS, MENTION_VALUES(mention), strict=True)
    return {"revision_key": revision_key, **place, "captured_at": reading.captured_at, **dict(fields)}

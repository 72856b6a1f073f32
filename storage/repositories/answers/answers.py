"""Answers: stored raw and append-only, then opened again as evidence, for export and for reading."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from operator import attrgetter
from typing import Any

from sqlalchemy import and_, bindparam, func, insert, select

from storage.encoding import json_text, packed, packed_exchanges, sha256_of, unpacked
from storage.filters import MembershipFilter
from storage.ids import new_id
from storage.queries import Query, QuerySession, plain
from storage.repositories.answers.citations import CitationRepository, StoredCitation
from storage.repository import Repository
from storage.tables.answers import (
    answer_exchanges,
    answer_readings,
    answer_texts,
    answers,
    channels,
    reparsed_answers,
)
from storage.tables.prompts import asks, prompts, run_batches


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    """One answer as it is first stored; nothing of it is ever changed."""

    status: str
    valid: bool
    text: str
    retrieval: str
    citations_known: bool
    citations: tuple[StoredCitation, ...]
    truncated: bool
    requested_model: str
    served_model: str | None
    latency_ms: int
    attempts: int
    usage: Mapping[str, Any]
    parser: str
    raw_sha256: str
    exchanges: Sequence[Any]
    captured_at: datetime
    source_id: str | None = None
    clipped: bool = False
    """Whether `text` is only the beginning of a text that was too long to read; the exchanges hold all of it."""
    language: str | None = None
    city: str | None = None
    not_supported: tuple[str, ...] = ()
    """What of the question's place its engine has no field for."""
    absent_reason: str | None = None
    """Why nothing was shown, of an answer that is `not_shown`."""
    seen: Mapping[str, Any] | None = None
    """What was observed on a screen, of an answer of an AI surface."""


@dataclass(frozen=True, slots=True)
class AnswerPlace:
    """Keys of what an answer belongs to."""

    brand_key: int
    batch_key: int
    ask_key: int
    prompt_key: int
    channel_key: int


@dataclass(frozen=True, slots=True)
class AnswerText:
    """One answer with what reading it needs."""

    key: int
    text: str
    prompt: str
    prompt_branded: bool | None
    language: str | None
    citations_known: bool
    valid: bool
    channel_key: int
    captured_at: datetime


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """One answer with its whole story, as an export writes it."""

    text: str
    key: int
    id: str
    batch_id: str
    platform: str
    mode: str
    source: str
    country: str
    language: str | None
    city: str | None
    not_supported: Sequence[str]
    prompt_id: str
    prompt: str
    repeat: int
    status: str
    valid: bool
    retrieval: str
    citations_known: bool
    truncated: bool
    clipped: bool
    requested_model: str
    served_model: str | None
    parser: str
    raw_sha256: str
    text_sha256: str
    source_id: str | None
    captured_at: datetime
    absent_reason: str | None
    seen: Mapping[str, Any] | None


def answer_text(key: int, text: bytes, *rest: Any) -> AnswerText:
    """Build one answer to be read."""
    return AnswerText(key, unpacked(text), *rest)


def answer_record(text: bytes, *fields: Any) -> AnswerRecord:
    """Build one answer's whole story."""
    return AnswerRecord(unpacked(text), *fields)


REPARSED = and_(
    reparsed_answers.c.answer_key == answers.c.key,
    reparsed_answers.c.parsing == bindparam("parsing", type_=reparsed_answers.c.parsing.type),
)
TEXT, VALID = (
    func.coalesce(reparsed_answers.c.text, answer_texts.c.text),
    func.coalesce(reparsed_answers.c.valid, answers.c.valid),
)
CITATIONS_KNOWN = func.coalesce(reparsed_answers.c.citations_known, answers.c.citations_known)
OURS = and_(answers.c.company_id == bindparam("company_id"), answers.c.brand_key == bindparam("brand_key"))
IN_ORDER = (
    select(
        answers.c.key,
        TEXT,
        prompts.c.text,
        prompts.c.branded,
        prompts.c.language,
        CITATIONS_KNOWN,
        VALID,
        answers.c.channel_key,
        answers.c.captured_at,
    )
    .join(answer_texts, answer_texts.c.answer_key == answers.c.key)
    .outerjoin(reparsed_answers, REPARSED)
    .join(prompts, prompts.c.key == answers.c.prompt_key)
    .where(answers.c.key > bindparam("after"))
    .order_by(answers.c.key)
    .limit(bindparam("limit"))
)
READING = and_(
    answer_readings.c.answer_key == answers.c.key, answer_readings.c.revision_key == bindparam("revision_key")
)
IS_UNREAD = answer_readings.c.answer_key.is_(None)
UNREAD = Query(
    IN_ORDER.outerjoin(answer_readings, READING).where(
        IS_UNREAD,
        answers.c.company_id == bindparam("company_id"),
        # The sum keeps SQLite from sorting all answers of the brand that are left for each chunk of them.
        answers.c.brand_key + 0 == bindparam("brand_key", type_=answers.c.brand_key.type),
    ),
    answer_text,
)
UNREAD_OF_BATCH = Query(
    IN_ORDER.outerjoin(answer_readings, READING).where(
        IS_UNREAD,
        answers.c.company_id == bindparam("company_id"),
        answers.c.batch_key == bindparam("batch_key"),
    ),
    answer_text,
)
NOT_PUBLISHED = Query(
    select(run_batches.c.key).where(
        run_batches.c.company_id == bindparam("company_id"),
        run_batches.c.brand_key == bindparam("brand_key"),
        run_batches.c.status != "success",
    ),
    int,
)
TEXTS = Query(IN_ORDER.where(OURS), answer_text)
COUNT = Query(select(func.count()).select_from(answers).where(OURS), int)
UNREAD_COUNT = Query(
    select(func.count()).select_from(answers).outerjoin(answer_readings, READING).where(OURS, IS_UNREAD),
    int,
)
RECORDS = Query(
    select(
        TEXT,
        answers.c.key,
        answers.c.id,
        run_batches.c.id,
        channels.c.platform,
        channels.c.mode,
        channels.c.source,
        channels.c.country,
        answers.c.language,
        answers.c.city,
        answers.c.not_supported,
        prompts.c.id,
        prompts.c.text,
        asks.c.repeat,
        func.coalesce(reparsed_answers.c.status, answers.c.status),
        VALID,
        func.coalesce(reparsed_answers.c.retrieval, answers.c.retrieval),
        CITATIONS_KNOWN,
        func.coalesce(reparsed_answers.c.truncated, answers.c.truncated),
        answers.c.clipped,
        answers.c.requested_model,
        answers.c.served_model,
        func.coalesce(reparsed_answers.c.parser, answers.c.parser),
        answers.c.raw_sha256,
        func.coalesce(reparsed_answers.c.text_sha256, answers.c.text_sha256),
        answers.c.source_id,
        answers.c.captured_at,
        answers.c.absent_reason,
        answers.c.seen,
    )
    .select_from(answers)
    .join(answer_texts, answer_texts.c.answer_key == answers.c.key)
    .outerjoin(reparsed_answers, REPARSED)
    .join(run_batches, run_batches.c.key == answers.c.batch_key)
    .join(channels, channels.c.key == answers.c.channel_key)
    .join(prompts, prompts.c.key == answers.c.prompt_key)
    .join(asks, asks.c.key == answers.c.ask_key)
    .where(OURS, answers.c.key > bindparam("after"))
    .order_by(answers.c.key)
    .limit(bindparam("limit")),
    answer_record,
)


KEYS = Query(
    select(answers.c.ask_key, answers.c.key).where(
        answers.c.company_id == bindparam("company_id"), MembershipFilter(answers.c.ask_key, "asks")
    ),
    plain,
)
KNOWN = Query(
    select(asks.c.ask_key).where(
        asks.c.company_id == bindparam("company_id"), MembershipFilter(asks.c.ask_key, "ask_keys")
    ),
    str,
)
PLACE_FIELDS = tuple(entry.name for entry in fields(AnswerPlace))
DRAFT_FIELDS = (
    "status",
    "valid",
    "retrieval",
    "citations_known",
    "truncated",
    "clipped",
    "language",
    "city",
    "not_supported",
    "requested_model",
    "served_model",
    "latency_ms",
    "attempts",
    "usage",
    "parser",
    "raw_sha256",
    "source_id",
    "captured_at",
    "absent_reason",
    "seen",
)
"""What a draft and a row of `answers` call alike."""
PLACE_VALUES, DRAFT_VALUES = attrgetter(*PLACE_FIELDS), attrgetter(*DRAFT_FIELDS)


class AnswerRepository(Repository):
    """The answers of one company; added, read, never changed."""

    def __init__(self, session: QuerySession, company_id: str) -> None:
        super().__init__(session, company_id)
        self._citations = CitationRepository(session, company_id)

    async def add(
        self,
        draft: AnswerDraft,
        *,
        brand_key: int,
        batch_key: int,
        ask_key: int,
        prompt_key: int,
        channel_key: int,
    ) -> int:
        """Store one answer with its text, its raw exchanges and its citations; return its key."""
        place = AnswerPlace(brand_key, batch_key, ask_key, prompt_key, channel_key)
        return (await self.add_all([(place, draft)]))[ask_key]

    async def add_all(self, placed_drafts: Sequence[tuple[AnswerPlace, AnswerDraft]]) -> dict[int, int]:
        """Store answers with all that belongs to them; return their keys by the keys of their asks.

        The number of statements does not depend on the number of answers, up to a few hundred at once.
        """
        if not placed_drafts:
            return {}
        rows = [self._answer_row(place, draft) for place, draft in placed_drafts]
        await self._write_all(insert(answers), rows)
        asked = [place.ask_key for place, _ in placed_drafts]
        keys: dict[int, int] = dict(await self._all(KEYS, asks=asked))
        placed = [(keys[place.ask_key], draft) for place, draft in placed_drafts]
        texts = [{"answer_key": key, "text": packed(draft.text)} for key, draft in placed]
        await self._write_all(insert(answer_texts), texts)
        raw = [
            {"answer_key": key, "exchanges": packed_exchanges(json_text(draft.exchanges), draft.text)}
            for key, draft in placed
        ]
        await self._write_all(insert(answer_exchanges), raw)
        await self._citations.add([(key, draft.citations) for key, draft in placed])
        return keys

    def _answer_row(self, place: AnswerPlace, draft: AnswerDraft) -> dict[str, Any]:
        row: dict[str, Any] = dict(zip(DRAFT_FIELDS, DRAFT_VALUES(draft), strict=True))
        row.update(zip(PLACE_FIELDS, PLACE_VALUES(place), strict=True))
        row.update(id=new_id(), company_id=self.company_id, text_sha256=sha256_of(draft.text))
        return row

    async def known(self, ask_keys: Sequence[str]) -> set[str]:
        """Return those of these keys that an ask has already, as it does for an answer that was imported before."""
        return set(await self._all(KNOWN, ask_keys=list(ask_keys)))

    async def unread(
        self,
        brand_key: int,
        revision_key: int,
        parsing: int,
        after: int,
        limit: int,
        *,
        in_force: bool = False,
    ) -> list[AnswerText]:
        """Return the next answers that this revision has not read, by key, in the words of its parsing.

        The revision in force has read every published batch, so only the others are looked through: one after another,
        since the index of a batch gives its answers in their order, and nothing that is left is sorted for each chunk.
        """
        chosen = {"revision_key": revision_key, "parsing": parsing, "after": after, "limit": limit}
        if not in_force:
            return await self._all(UNREAD, brand_key=brand_key, **chosen)
        chunk: list[AnswerText] = []
        for batch_key in await self._all(NOT_PUBLISHED, brand_key=brand_key):
            chunk += await self._all(UNREAD_OF_BATCH, batch_key=batch_key, **chosen)
        chunk.sort(key=attrgetter("key"))
        return chunk[:limit]

    async def count(self, brand_key: int) -> int:
        """Return how many answers a brand has."""
        return await self._first(COUNT, brand_key=brand_key) or 0

    async def unread_count(self, brand_key: int, revision_key: int) -> int:
        """Return how many answers this revision has not read."""
        return await self._first(UNREAD_COUNT, brand_key=brand_key, revision_key=revision_key) or 0

    async def texts(self, brand_key: int, parsing: int, after: int, limit: int) -> list[AnswerText]:
        """Return the next answers in the words of a parsing, by key."""
        return await self._all(TEXTS, brand_key=brand_key, parsing=parsing, after=after, limit=limit)

    async def records(self, brand_key: int, parsing: int, after: int, limit: int) -> list[AnswerRecord]:
        """Return the next answers with their whole story in a parsing, in the order they were stored."""
        return await self._all(RECORDS, brand_key=brand_key, parsing=parsing, after=after, limit=limit)

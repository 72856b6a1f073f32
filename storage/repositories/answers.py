"""Answers: stored raw and append-only, then opened again as evidence, for export and for reading."""

import hashlib
import json
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, bindparam, func, insert, select

from storage.errors import Damaged
from storage.ids import new_id
from storage.queries import Query
from storage.repositories.repository import Repository
from storage.tables.answers import (
    answer_exchanges,
    answer_readings,
    answer_texts,
    answers,
    channels,
    citations,
    cited_urls,
    reparsed_answers,
)
from storage.tables.prompts import asks, prompts, run_batches

MOST_VALUES = 5000
"""How many values one statement lists; both databases take over thirty thousand."""


@dataclass(frozen=True, slots=True)
class StoredCitation:
    """One source as the engine gave it; offsets are code points of the text, or None."""

    url: str
    title: str | None
    kind: str
    start: int | None
    end: int | None
    span: str | None


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
    prompt_id: str
    prompt: str
    repeat: int
    status: str
    valid: bool
    retrieval: str
    citations_known: bool
    truncated: bool
    requested_model: str
    served_model: str | None
    parser: str
    raw_sha256: str
    text_sha256: str
    source_id: str | None
    captured_at: datetime


def sha256_of(text: str) -> str:
    """Return the digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def unpacked(stored: bytes) -> str:
    """Return text that was stored compressed. Raises Damaged when it is not what was written."""
    try:
        return zlib.decompress(stored).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise Damaged("the stored text of an answer is damaged; restore it from a backup") from error


def packed(text: str) -> bytes:
    """Compress text for storing."""
    return zlib.compress(text.encode(), 6)


def answer_text(key: int, text: bytes, *rest: Any) -> AnswerText:
    """Build one answer to be read."""
    return AnswerText(key, unpacked(text), *rest)


def hashed_text(sha256: str, *fields: Any) -> tuple[AnswerText, str]:
    """Build one answer to be read, with the digest of the text that was stored first."""
    return answer_text(*fields), sha256


def keyed_citation(key: int, *fields: Any) -> tuple[int, StoredCitation]:
    """Build one citation with the key of its answer."""
    return key, StoredCitation(*fields)


def recited(key: int, stored: bytes) -> tuple[int, list[StoredCitation]]:
    """Build the citations of an answer that was parsed anew."""
    return key, [StoredCitation(**one) for one in json.loads(unpacked(stored))]


def answer_record(text: bytes, *fields: Any) -> AnswerRecord:
    """Build one answer's whole story."""
    return AnswerRecord(unpacked(text), *fields)


A, X = answers.c, reparsed_answers.c
REPARSED = and_(X.answer_key == A.key, X.parsing == bindparam("parsing", type_=X.parsing.type))
TEXT, VALID = func.coalesce(X.text, answer_texts.c.text), func.coalesce(X.valid, A.valid)
OURS = and_(A.company_id == bindparam("company_id"), A.brand_key == bindparam("brand_key"))
UNREAD_ANSWERS = (
    select(
        A.key,
        TEXT,
        prompts.c.text,
        prompts.c.branded,
        prompts.c.language,
        A.citations_known,
        VALID,
        A.channel_key,
        A.captured_at,
    )
    .join(answer_texts, answer_texts.c.answer_key == A.key)
    .outerjoin(reparsed_answers, REPARSED)
    .join(prompts, prompts.c.key == A.prompt_key)
    .outerjoin(
        answer_readings,
        and_(
            answer_readings.c.answer_key == A.key,
            answer_readings.c.revision_key == bindparam("revision_key"),
        ),
    )
    .where(A.key > bindparam("after"), answer_readings.c.answer_key.is_(None))
    .order_by(A.key)
    .limit(bindparam("limit"))
)
UNREAD = Query(UNREAD_ANSWERS.where(OURS), answer_text)
NOT_PUBLISHED = (
    select(run_batches.c.key)
    .where(
        run_batches.c.company_id == bindparam("company_id"),
        run_batches.c.brand_key == bindparam("brand_key"),
        run_batches.c.status != "success",
    )
    .scalar_subquery()
)
NEWLY_UNREAD = Query(UNREAD_ANSWERS.where(A.batch_key.in_(NOT_PUBLISHED)), answer_text)
TEXTS = Query(
    select(
        func.coalesce(X.text_sha256, A.text_sha256),
        A.key,
        TEXT,
        prompts.c.text,
        prompts.c.branded,
        prompts.c.language,
        A.citations_known,
        VALID,
        A.channel_key,
        A.captured_at,
    )
    .join(answer_texts, answer_texts.c.answer_key == A.key)
    .outerjoin(reparsed_answers, REPARSED)
    .join(prompts, prompts.c.key == A.prompt_key)
    .where(OURS, A.key > bindparam("after"))
    .order_by(A.key)
    .limit(bindparam("limit")),
    hashed_text,
)
COUNT = Query(select(func.count()).select_from(answers).where(OURS), int)
UNREAD_COUNT = Query(
    select(func.count())
    .select_from(answers)
    .outerjoin(
        answer_readings,
        and_(
            answer_readings.c.answer_key == A.key,
            answer_readings.c.revision_key == bindparam("revision_key"),
        ),
    )
    .where(OURS, answer_readings.c.answer_key.is_(None)),
    int,
)
CITATIONS = Query(
    select(
        citations.c.answer_key,
        cited_urls.c.url,
        citations.c.title,
        citations.c.kind,
        citations.c.start,
        citations.c.end,
        citations.c.span,
    )
    .join(cited_urls, cited_urls.c.key == citations.c.url_key)
    .join(answers, A.key == citations.c.answer_key)
    .where(
        A.company_id == bindparam("company_id"),
        # The sum keeps SQLite from walking through all answers of the brand for those between two keys.
        A.brand_key + 0 == bindparam("brand_key", type_=A.brand_key.type),
        A.key.between(bindparam("low"), bindparam("high")),
    )
    .order_by(citations.c.answer_key, citations.c.ordinal),
    keyed_citation,
)
RECITED = Query(
    select(X.answer_key, X.citations)
    .join(answers, A.key == X.answer_key)
    .where(OURS, A.key.between(bindparam("low"), bindparam("high")), REPARSED),
    recited,
)
RECORDS = Query(
    select(
        TEXT,
        A.key,
        A.id,
        run_batches.c.id,
        channels.c.platform,
        channels.c.mode,
        channels.c.source,
        prompts.c.id,
        prompts.c.text,
        asks.c.repeat,
        func.coalesce(X.status, A.status),
        VALID,
        func.coalesce(X.retrieval, A.retrieval),
        A.citations_known,
        func.coalesce(X.truncated, A.truncated),
        A.requested_model,
        A.served_model,
        func.coalesce(X.parser, A.parser),
        A.raw_sha256,
        func.coalesce(X.text_sha256, A.text_sha256),
        A.source_id,
        A.captured_at,
    )
    .select_from(answers)
    .join(answer_texts, answer_texts.c.answer_key == A.key)
    .outerjoin(reparsed_answers, REPARSED)
    .join(run_batches, run_batches.c.key == A.batch_key)
    .join(channels, channels.c.key == A.channel_key)
    .join(prompts, prompts.c.key == A.prompt_key)
    .join(asks, asks.c.key == A.ask_key)
    .where(OURS, A.key > bindparam("after"))
    .order_by(A.key)
    .limit(bindparam("limit")),
    answer_record,
)


class Answers(Repository):
    """The answers of one company; added, read, never changed."""

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

    async def add_all(self, found: Sequence[tuple[AnswerPlace, AnswerDraft]]) -> dict[int, int]:
        """Store answers with all that belongs to them; return their keys by the keys of their asks.

        The number of statements does not depend on the number of answers, up to a few hundred at once.
        """
        if not found:
            return {}
        rows = [self._answer_row(place, draft) for place, draft in found]
        made = await self._write(insert(answers).returning(A.ask_key, A.key), rows)
        keys: dict[int, int] = {one.ask_key: one.key for one in made}
        placed = [(keys[place.ask_key], draft) for place, draft in found]
        texts = [{"answer_key": key, "text": packed(draft.text)} for key, draft in placed]
        await self._write(insert(answer_texts), texts)
        raw = [
            {"answer_key": key, "exchanges": packed(json.dumps(draft.exchanges, ensure_ascii=False))}
            for key, draft in placed
        ]
        await self._write(insert(answer_exchanges), raw)
        await self._add_citations([(key, draft.citations) for key, draft in placed])
        return keys

    def _answer_row(self, place: AnswerPlace, draft: AnswerDraft) -> dict[str, Any]:
        fields = (
            "status",
            "valid",
            "retrieval",
            "citations_known",
            "truncated",
            "requested_model",
            "served_model",
            "latency_ms",
            "attempts",
            "usage",
            "parser",
            "raw_sha256",
            "source_id",
            "captured_at",
        )
        own = {"id": new_id(), "company_id": self.company_id, "text_sha256": sha256_of(draft.text)}
        return {**own, **asdict(place), **{name: getattr(draft, name) for name in fields}}

    async def _add_citations(self, found: Sequence[tuple[int, Sequence[StoredCitation]]]) -> None:
        keys = await self.url_keys({citation.url for _, cited in found for citation in cited})
        rows = [
            {
                "answer_key": answer_key,
                "ordinal": ordinal,
                "kind": citation.kind,
                "url_key": keys[sha256_of(citation.url)],
                "title": citation.title,
                "start": citation.start,
                "end": citation.end,
                "span": citation.span,
            }
            for answer_key, cited in found
            for ordinal, citation in enumerate(cited)
        ]
        if rows:
            await self._write(insert(citations), rows)

    async def url_keys(self, urls: Collection[str]) -> dict[str, int]:
        """Return the keys of cited addresses by the SHA-256 of each, storing what is new."""
        # In one order everywhere, so that two that store the same new addresses never wait for each other.
        wanted = dict(sorted((sha256_of(url), url) for url in urls))
        known = await self._known_urls(list(wanted))
        new = [{"url_sha256": sha256, "url": url} for sha256, url in wanted.items() if sha256 not in known]
        if new:
            await self._write(self._insert_or_ignore(cited_urls), new)
            known |= await self._known_urls([one["url_sha256"] for one in new])
        return known

    async def _known_urls(self, digests: Sequence[str]) -> dict[str, int]:
        U = cited_urls.c
        known: dict[str, int] = {}
        for first in range(0, len(digests), MOST_VALUES):
            chosen = U.url_sha256.in_(digests[first : first + MOST_VALUES])
            found = await self._write(select(U.url_sha256, U.key).where(chosen))
            known.update({one.url_sha256: one.key for one in found})
        return known

    async def known(self, ask_keys: Sequence[str]) -> set[str]:
        """Return those of these keys that an ask has already, as it does for an answer that was imported before."""
        ours = (asks.c.company_id == self.company_id) & asks.c.ask_key.in_(ask_keys)
        return set((await self._write(select(asks.c.ask_key).where(ours))).scalars())

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

        The revision in force has read every published batch, so only the others are looked through.
        """
        query = NEWLY_UNREAD if in_force else UNREAD
        return await self._all(
            query, brand_key=brand_key, revision_key=revision_key, parsing=parsing, after=after, limit=limit
        )

    async def count(self, brand_key: int) -> int:
        """Return how many answers a brand has."""
        return await self._first(COUNT, brand_key=brand_key) or 0

    async def unread_count(self, brand_key: int, revision_key: int) -> int:
        """Return how many answers this revision has not read."""
        return await self._first(UNREAD_COUNT, brand_key=brand_key, revision_key=revision_key) or 0

    async def citations(
        self, brand_key: int, low: int, high: int, parsing: int
    ) -> dict[int, list[StoredCitation]]:
        """Return a parsing's citations of the answers whose keys lie between `low` and `high`, both included."""
        found: dict[int, list[StoredCitation]] = {}
        for key, citation in await self._all(CITATIONS, brand_key=brand_key, low=low, high=high):
            found.setdefault(key, []).append(citation)
        if parsing:
            found |= dict(await self._all(RECITED, brand_key=brand_key, low=low, high=high, parsing=parsing))
        return found

    async def texts(
        self, brand_key: int, parsing: int, after: int, limit: int
    ) -> list[tuple[AnswerText, str]]:
        """Return the next answers in the words of a parsing with the digests of these, by key."""
        return await self._all(TEXTS, brand_key=brand_key, parsing=parsing, after=after, limit=limit)

    async def records(self, brand_key: int, parsing: int, after: int, limit: int) -> list[AnswerRecord]:
        """Return the next answers with their whole story in a parsing, in the order they were stored."""
        return await self._all(RECORDS, brand_key=brand_key, parsing=parsing, after=after, limit=limit)

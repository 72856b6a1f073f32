"""Answers: stored raw and append-only, then opened again as evidence, for export and for reading."""

import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
)
from storage.tables.prompts import asks, prompts, run_batches


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


def answer_record(text: bytes, *fields: Any) -> AnswerRecord:
    """Build one answer's whole story."""
    return AnswerRecord(unpacked(text), *fields)


A = answers.c
OURS = and_(A.company_id == bindparam("company_id"), A.brand_key == bindparam("brand_key"))
UNREAD = Query(
    select(
        A.key,
        answer_texts.c.text,
        prompts.c.text,
        prompts.c.branded,
        prompts.c.language,
        A.citations_known,
        A.valid,
        A.channel_key,
        A.captured_at,
    )
    .join(answer_texts, answer_texts.c.answer_key == A.key)
    .join(prompts, prompts.c.key == A.prompt_key)
    .outerjoin(
        answer_readings,
        and_(
            answer_readings.c.answer_key == A.key,
            answer_readings.c.revision_key == bindparam("revision_key"),
        ),
    )
    .where(OURS, A.key > bindparam("after"), answer_readings.c.answer_key.is_(None))
    .order_by(A.key)
    .limit(bindparam("limit")),
    answer_text,
)
TEXTS = Query(
    select(
        A.text_sha256,
        A.key,
        answer_texts.c.text,
        prompts.c.text,
        prompts.c.branded,
        prompts.c.language,
        A.citations_known,
        A.valid,
        A.channel_key,
        A.captured_at,
    )
    .join(answer_texts, answer_texts.c.answer_key == A.key)
    .join(prompts, prompts.c.key == A.prompt_key)
    .where(OURS, A.key > bindparam("after"))
    .order_by(A.key)
    .limit(bindparam("limit")),
    hashed_text,
)
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
    .where(OURS, citations.c.answer_key >= bindparam("low"), citations.c.answer_key <= bindparam("high"))
    .order_by(citations.c.answer_key, citations.c.ordinal),
    keyed_citation,
)
RECORDS = Query(
    select(
        answer_texts.c.text,
        A.key,
        A.id,
        run_batches.c.id,
        channels.c.platform,
        channels.c.mode,
        channels.c.source,
        prompts.c.id,
        prompts.c.text,
        asks.c.repeat,
        A.status,
        A.valid,
        A.retrieval,
        A.citations_known,
        A.truncated,
        A.requested_model,
        A.served_model,
        A.parser,
        A.raw_sha256,
        A.text_sha256,
        A.source_id,
        A.captured_at,
    )
    .select_from(answers)
    .join(answer_texts, answer_texts.c.answer_key == A.key)
    .join(run_batches, run_batches.c.key == A.batch_key)
    .join(channels, channels.c.key == A.channel_key)
    .join(prompts, prompts.c.key == A.prompt_key)
    .join(asks, asks.c.key == A.ask_key)
    .where(OURS, A.key > bindparam("after"))
    .order_by(A.key)
    .limit(bindparam("limit")),
    answer_record,
)
KNOWN_ASK = Query(
    select(asks.c.key).where(
        asks.c.company_id == bindparam("company_id"), asks.c.ask_key == bindparam("ask_key")
    ),
    int,
)
URL_KEY = Query(select(cited_urls.c.key).where(cited_urls.c.url_sha256 == bindparam("sha256")), int)


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
        own = {"company_id": self.company_id, "brand_key": brand_key, "batch_key": batch_key}
        place = {"id": new_id(), "ask_key": ask_key, "prompt_key": prompt_key, "channel_key": channel_key}
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
        values = {name: getattr(draft, name) for name in fields}
        text_sha256 = hashlib.sha256(draft.text.encode()).hexdigest()
        key = await self._insert(insert(answers), {**own, **place, **values, "text_sha256": text_sha256})
        await self._write(insert(answer_texts), {"answer_key": key, "text": packed(draft.text)})
        raw = packed(json.dumps(draft.exchanges, ensure_ascii=False))
        await self._write(insert(answer_exchanges), {"answer_key": key, "exchanges": raw})
        await self._add_citations(key, draft.citations)
        return key

    async def _add_citations(self, answer_key: int, found: Sequence[StoredCitation]) -> None:
        rows = [
            {
                "answer_key": answer_key,
                "ordinal": ordinal,
                "kind": citation.kind,
                "url_key": await self.url_key(citation.url),
                "title": citation.title,
                "start": citation.start,
                "end": citation.end,
                "span": citation.span,
            }
            for ordinal, citation in enumerate(found)
        ]
        if rows:
            await self._write(insert(citations), rows)

    async def url_key(self, url: str) -> int:
        """Return the key of a cited address, making it when it is new."""
        sha256 = hashlib.sha256(url.encode()).hexdigest()
        found = await self._first(URL_KEY, sha256=sha256)
        if found is None:
            await self._write(self._insert_or_ignore(cited_urls), {"url_sha256": sha256, "url": url})
            found = await self._first(URL_KEY, sha256=sha256)
            assert found is not None
        return found

    async def is_known(self, ask_key: str) -> bool:
        """Tell whether an ask of this key exists, as it does for an answer that was imported before."""
        return await self._first(KNOWN_ASK, ask_key=ask_key) is not None

    async def unread(self, brand_key: int, revision_key: int, after: int, limit: int) -> list[AnswerText]:
        """Return the next answers that this revision has not read, by key."""
        return await self._all(
            UNREAD, brand_key=brand_key, revision_key=revision_key, after=after, limit=limit
        )

    async def unread_count(self, brand_key: int, revision_key: int) -> int:
        """Return how many answers this revision has not read."""
        return await self._first(UNREAD_COUNT, brand_key=brand_key, revision_key=revision_key) or 0

    async def citations(self, brand_key: int, low: int, high: int) -> dict[int, list[StoredCitation]]:
        """Return the citations of the answers whose keys lie between `low` and `high`, both included."""
        found: dict[int, list[StoredCitation]] = {}
        for key, citation in await self._all(CITATIONS, brand_key=brand_key, low=low, high=high):
            found.setdefault(key, []).append(citation)
        return found

    async def texts(self, brand_key: int, after: int, limit: int) -> list[tuple[AnswerText, str]]:
        """Return the next answers with the digests of their texts, by key."""
        return await self._all(TEXTS, brand_key=brand_key, after=after, limit=limit)

    async def records(self, brand_key: int, after: int, limit: int) -> list[AnswerRecord]:
        """Return the next answers with their whole story, in the order they were stored."""
        return await self._all(RECORDS, brand_key=brand_key, after=after, limit=limit)

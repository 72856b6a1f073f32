"""Raw exchanges of answers, and the results of later parsers; earlier parsings are kept."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Text, and_, bindparam, delete, func, insert, select, type_coerce, update

from storage.encoding import packed, sha256_of, unpacked, unpacked_exchanges
from storage.filters import MembershipFilter
from storage.ids import ids_in
from storage.queries import Query
from storage.repositories.answers.citations import StoredCitation
from storage.repository import Repository
from storage.tables.answers import (
    answer_exchanges,
    answer_texts,
    answers,
    channels,
    reparsed_answers,
)
from storage.tables.brands import analysis_revisions, brands
from storage.tables.issues import issues
from storage.tables.prompts import asks, prompts

STANDS = analysis_revisions.alias("stands")
PARSING = (
    select(STANDS.c.parsing)
    .where(STANDS.c.key == bindparam("revision_key"))
    .correlate(None)
    .scalar_subquery()
)
AS_READ = and_(reparsed_answers.c.answer_key == answers.c.key, reparsed_answers.c.parsing == PARSING)
"""Joins an answer to its result in the parsing used by a query's revision, if that differs."""
REVALUED = reparsed_answers.alias("revalued")
IS_VALID = func.coalesce(
    select(REVALUED.c.valid)
    .where(REVALUED.c.answer_key == answers.c.key, REVALUED.c.parsing == PARSING)
    .correlate(answers)
    .scalar_subquery(),
    answers.c.valid,
).is_(True)
"""Whether an answer counts in the parsing used by a query's revision."""


@dataclass(frozen=True, slots=True)
class ReparsedAnswerDraft:
    """One parser's result for the exchanges of an answer."""

    text: str
    citations: tuple[StoredCitation, ...]
    status: str
    retrieval: str
    valid: bool
    citations_known: bool
    truncated: bool
    parser: str

    def reads_the_same(self, other: "ReparsedAnswerDraft") -> bool:
        """Return whether two parsers have the same result, whatever their names."""
        return self._content == other._content

    @property
    def _content(self) -> tuple[object, ...]:
        ends = self.status, self.retrieval, self.valid, self.citations_known, self.truncated
        return *ends, self.text, self.citations


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """One answer with its exchanges, or None if they were deleted, and the details of its prompt."""

    exchanges: list[Any] | None
    text: str
    key: int
    ask_key: str
    prompt: str
    language: str | None
    mode: str
    status: str
    retrieval: str
    valid: bool
    citations_known: bool
    truncated: bool
    parser: str

    def parsed(self, citations: Sequence[StoredCitation]) -> ReparsedAnswerDraft:
        """Return the result that was stored first."""
        return ReparsedAnswerDraft(
            self.text,
            tuple(citations),
            self.status,
            self.retrieval,
            self.valid,
            self.citations_known,
            self.truncated,
            self.parser,
        )


def raw_answer(exchanges: bytes | None, text: bytes, *fields: Any) -> RawAnswer:
    """Build one answer with an engine's response."""
    words = unpacked(text)
    raw = None if exchanges is None else json.loads(unpacked_exchanges(exchanges, words))
    return RawAnswer(raw, words, *fields)


def keyed(key: int, text: bytes, citations: bytes, *fields: Any) -> tuple[int, ReparsedAnswerDraft]:
    """Build a parsing's result for one answer."""
    cited = tuple(StoredCitation(**citation) for citation in json.loads(unpacked(citations)))
    return key, ReparsedAnswerDraft(unpacked(text), cited, *fields)


OURS = and_(answers.c.company_id == bindparam("company_id"), answers.c.brand_key == bindparam("brand_key"))
RAW_COLUMNS = (
    answer_exchanges.c.exchanges,
    answer_texts.c.text,
    answers.c.key,
    asks.c.ask_key,
    prompts.c.text,
    prompts.c.language,
    channels.c.mode,
    answers.c.status,
    answers.c.retrieval,
    answers.c.valid,
    answers.c.citations_known,
    answers.c.truncated,
    answers.c.parser,
)
RAW_ANSWERS = (
    answers.join(answer_texts, answer_texts.c.answer_key == answers.c.key)
    .outerjoin(answer_exchanges, answer_exchanges.c.answer_key == answers.c.key)
    .join(asks, asks.c.key == answers.c.ask_key)
    .join(prompts, prompts.c.key == answers.c.prompt_key)
    .join(channels, channels.c.key == answers.c.channel_key)
)
OF_BRAND = answers.alias("of_brand").c
NEXT_KEYS = (
    select(OF_BRAND.key)
    .where(OF_BRAND.brand_key == bindparam("brand_key"), OF_BRAND.key > bindparam("after"))
    .order_by(OF_BRAND.key)
    .limit(bindparam("limit"))
    .subquery()
)
"""Resolved from an index alone: otherwise all later rows of the brand are read and sorted for a single page."""
RAW = Query(
    select(*RAW_COLUMNS)
    .select_from(RAW_ANSWERS.join(NEXT_KEYS, NEXT_KEYS.c.key == answers.c.key))
    .where(OURS)
    .order_by(answers.c.key),
    raw_answer,
)
RAW_ONE = Query(
    select(*RAW_COLUMNS)
    .select_from(RAW_ANSWERS)
    .where(answers.c.company_id == bindparam("company_id"), answers.c.key == bindparam("answer_key")),
    raw_answer,
    brief=True,
)
OF_PARSING = Query(
    select(
        reparsed_answers.c.answer_key,
        reparsed_answers.c.text,
        reparsed_answers.c.citations,
        reparsed_answers.c.status,
        reparsed_answers.c.retrieval,
        reparsed_answers.c.valid,
        reparsed_answers.c.citations_known,
        reparsed_answers.c.truncated,
        reparsed_answers.c.parser,
    )
    .join(answers, answers.c.key == reparsed_answers.c.answer_key)
    .where(
        OURS,
        reparsed_answers.c.parsing == bindparam("parsing", type_=reparsed_answers.c.parsing.type),
        reparsed_answers.c.answer_key.between(bindparam("low"), bindparam("high")),
    ),
    keyed,
)


class ReparsedAnswerRepository(Repository):
    """The parsings of one company's raw exchanges; a brand's newest adopted parsing is current."""

    async def raw(self, brand_key: int, after: int, limit: int) -> list[RawAnswer]:
        """Return the next answers of a brand with their exchanges and first results, by key."""
        return await self._all(RAW, brand_key=brand_key, after=after, limit=limit)

    async def one(self, answer_key: int) -> RawAnswer | None:
        """Return one answer with its raw exchanges."""
        return await self._first(RAW_ONE, answer_key=answer_key)

    async def of_parsing(
        self, brand_key: int, parsing: int, low: int, high: int
    ) -> dict[int, ReparsedAnswerDraft]:
        """Return a parsing's results that differ from the first ones, for answer keys in a range."""
        values = {"brand_key": brand_key, "parsing": parsing, "low": low, "high": high}
        return dict(await self._all(OF_PARSING, **values))

    async def add(
        self, parsing: int, reparsed: Sequence[tuple[int, ReparsedAnswerDraft]], now: datetime
    ) -> None:
        """Store a parsing's results for answers, by their keys."""
        rows = [
            {
                "answer_key": key,
                "parsing": parsing,
                "status": draft.status,
                "retrieval": draft.retrieval,
                "valid": draft.valid,
                "citations_known": draft.citations_known,
                "truncated": draft.truncated,
                "parser": draft.parser,
                "text_sha256": sha256_of(draft.text),
                "text": packed(draft.text),
                "citations": packed(json.dumps([asdict(cited) for cited in draft.citations])),
                "created_at": now,
            }
            for key, draft in reparsed
        ]
        if rows:
            await self._write(insert(reparsed_answers), rows)

    async def discard(self, brand_key: int, parsing: int) -> None:
        """Delete a parsing that was never adopted."""
        ours = select(answers.c.key).where(
            answers.c.company_id == self.company_id, answers.c.brand_key == brand_key
        )
        await self._write(
            delete(reparsed_answers).where(
                reparsed_answers.c.parsing == parsing, reparsed_answers.c.answer_key.in_(ours)
            )
        )

    async def adopt(self, brand_key: int, parsing: int, now: datetime) -> None:
        """Make a complete parsing the basis of a brand's extraction."""
        brand = (brands.c.key == brand_key) & (brands.c.company_id == self.company_id)
        await self._write(update(brands).where(brand).values(parsing=parsing, updated_at=now))


class OldAnswer(NamedTuple):
    """An old answer and its owner."""

    key: int
    id: str
    brand_key: int


PAGE = Query(
    select(answer_exchanges.c.answer_key)
    .where(answer_exchanges.c.answer_key > bindparam("after", type_=answer_exchanges.c.answer_key.type))
    .order_by(answer_exchanges.c.answer_key)
    .limit(bindparam("limit")),
    int,
)
OLD = Query(
    select(answers.c.key, answers.c.id, answers.c.brand_key)
    .where(
        MembershipFilter(answers.c.key, "keys"),
        answers.c.captured_at < bindparam("before", type_=answers.c.captured_at.type),
    )
    .order_by(answers.c.key),
    OldAnswer,
)
OPEN_EVIDENCE = Query(
    select(type_coerce(issues.c.evidence, Text)).where(
        MembershipFilter(issues.c.brand_key, "brand_keys"), issues.c.state == "open"
    ),
    str,
)


class RawAnswerRepository(Repository):
    """The raw exchanges of every company."""

    async def page(self, after: int, limit: int) -> list[int]:
        """Return the keys of the next answers that have raw exchanges, in order."""
        return await self._all(PAGE, after=after, limit=limit)

    async def captured_before(self, keys: Sequence[int], before: datetime) -> list[OldAnswer]:
        """Return the answers among these that were captured before an instant."""
        return await self._all(OLD, keys=list(keys), before=before)

    async def delete(self, old: Sequence[OldAnswer]) -> int:
        """Delete the raw exchanges of these answers and return how many were deleted.

        Exchanges of an answer that an open issue names are kept, because users may want to check it. The
        names in issues are read once for all of these answers: comparing each answer with them took seconds,
        during which writes were blocked.
        """
        brand_keys = sorted({answer.brand_key for answer in old})
        evidence = await self._all(OPEN_EVIDENCE, brand_keys=brand_keys)
        named = {id for text in evidence for id in ids_in(text)}
        keys = [answer.key for answer in old if answer.id not in named]
        deleted = await self._write(
            delete(answer_exchanges).where(MembershipFilter(answer_exchanges.c.answer_key, "keys")),
            {"keys": keys},
        )
        return deleted.rowcount

"""Pages of the answers that a filter and an outcome choose, and how many match."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, func, select

from storage.filters import optional
from storage.queries import Listing, Query, plain
from storage.repositories.answers.answer_filters import (
    ANY_ANSWER,
    CONDITIONS,
    DETAILS,
    JOINED,
    OUTCOMES,
    AnswerDetail,
    AnswerFilter,
    all_joined,
    joined_for,
)
from storage.repositories.answers.evidence import FIELDS, OURS, EvidenceAnswer
from storage.repositories.revisions import OWN_REVISION
from storage.repository import Repository
from storage.tables.answers import answer_readings, answers
from storage.tables.prompts import run_batches

ALWAYS = (OURS, answers.c.brand_key == bindparam("brand_key"), answer_readings.c.answer_key.is_not(None))
ASKED = {**OUTCOMES, **DETAILS, **CONDITIONS}
"""Conditions of an outcome, of details and of filters, each by its name, of which none is in two of them."""
COUNTED_ANSWERS = joined_for(ALWAYS, ASKED)
NEWEST_FIRST = (answers.c.captured_at.desc(), answers.c.key.desc())
IN_ORDER = (
    select(*FIELDS)
    .select_from(JOINED)
    .where(*ALWAYS, *optional(ASKED))
    .order_by(*NEWEST_FIRST)
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)
"""Walks through the newest answers until a page is full, which is soon where many match."""
LISTED = Listing(
    IN_ORDER,
    select(func.count()).select_from(COUNTED_ANSWERS).where(*ALWAYS, *optional(ASKED)),
    EvidenceAnswer,
)
LISTED_ROWS = Query(IN_ORDER, EvidenceAnswer)
"""The same page without its count."""


UNPUBLISHED = run_batches.alias("unpublished")
COUNTED_UNPUBLISHED = Query(
    select(func.count())
    .select_from(COUNTED_ANSWERS)
    .where(
        OURS,
        answers.c.batch_key.in_(
            select(UNPUBLISHED.c.key).where(
                UNPUBLISHED.c.company_id == bindparam("company_id"),
                UNPUBLISHED.c.brand_key == bindparam("brand_key"),
                UNPUBLISHED.c.status != "success",
            )
        ),
        answer_readings.c.answer_key.is_not(None),
        *optional(ASKED),
    ),
    int,
)
EVERY_ANSWER = Listing(
    IN_ORDER,
    select(func.count())
    .select_from(answer_readings)
    .where(OWN_REVISION, answer_readings.c.revision_key == bindparam("revision_key")),
    EvidenceAnswer,
)
"""All that a revision has read; they are counted in an index alone."""
MATCHING = (
    select(answers.c.key, answers.c.captured_at, answers.c.prompt_key)
    .select_from(COUNTED_ANSWERS)
    .where(*ALWAYS, *optional(ASKED))
    .cte("matching")
    .prefix_with("MATERIALIZED")
)
"""All answers that match, found once: for a page of them, for their number and for that of their prompts."""
COUNTS = (
    select(func.count()).select_from(MATCHING).scalar_subquery(),
    select(func.count(MATCHING.c.prompt_key.distinct())).scalar_subquery(),
)
PAGE = (
    select(MATCHING.c.key)
    .order_by(MATCHING.c.captured_at.desc(), MATCHING.c.key.desc())
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
    .subquery("page")
)


def counted_answer(*columns: Any) -> tuple[EvidenceAnswer, int, int]:
    """Build one answer of a page, with the number of all and that of their prompts."""
    return EvidenceAnswer(*columns[:-2]), columns[-2], columns[-1]


FEW = Query(
    select(*FIELDS, *COUNTS)
    .select_from(all_joined(PAGE.join(answers, answers.c.key == PAGE.c.key)))
    .order_by(*NEWEST_FIRST),
    counted_answer,
)
COUNTS_OF_FEW: Query[tuple[int, int]] = Query(select(*COUNTS), plain)
SELECTIVE = frozenset(
    {"domain", "urls", "batch_ids", "prompt_id", "contradicts", "truncated", "left_out", "nobody"}
)
"""Conditions that leave few of a brand's answers, as a rule."""


@dataclass(frozen=True, slots=True)
class AnswerPage:
    """One page of answers, how many match in all, and to how many prompts where a source is asked for."""

    answers: list[EvidenceAnswer]
    total: int
    prompts: int | None = None


def names_of(outcome: str | None, detail: AnswerDetail, chosen: AnswerFilter) -> tuple[str, ...]:
    """Return the names of the conditions that a choice of outcome, details and filters asks for."""
    return (*((outcome,) if outcome else ()), *detail.names, *chosen.names)


class AnswerPageRepository(Repository):
    """The answers of one company by pages."""

    async def page(
        self,
        brand_key: int,
        revision_key: int,
        outcome: str | None,
        chosen: AnswerFilter,
        limit: int,
        offset: int,
        detail: AnswerDetail = ANY_ANSWER,
        total: int | None = None,
    ) -> AnswerPage:
        """Return one page of the answers that an outcome and filters choose, newest first; count them unless known."""
        names = names_of(outcome, detail, chosen)
        values: dict[str, Any] = {"brand_key": brand_key, "revision_key": revision_key}
        values |= {**chosen.values, **detail.values}
        if total is not None:
            listed = LISTED_ROWS.of(names)
            return AnswerPage(await self._all(listed, **values, limit=limit, offset=offset), total)
        if SELECTIVE.isdisjoint(names):
            listing = (LISTED if names else EVERY_ANSWER).of(names)
            return AnswerPage(*await self._page(listing, **values, limit=limit, offset=offset))
        rows = await self._all(FEW.of(names), **values, limit=limit, offset=offset)
        if rows:
            _, total, prompts = rows[0]
            return AnswerPage([answer for answer, _, _ in rows], total, prompts)
        counts = await self._first(COUNTS_OF_FEW.of(names), **values) if offset else None
        return AnswerPage([], *(counts or (0, 0)))

    async def count_unpublished(
        self,
        brand_key: int,
        revision_key: int,
        outcome: str | None,
        chosen: AnswerFilter,
        detail: AnswerDetail,
    ) -> int:
        """Count what matches in batches that are not published, or never will be."""
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values, **detail.values}
        counted = COUNTED_UNPUBLISHED.of(names_of(outcome, detail, chosen))
        return await self._first(counted, **values) or 0

"""What was answered to each prompt: how often a brand and its competitors are named and cited, and in which words."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, bindparam, case, func, select

from storage.queries import Query
from storage.repositories.answers.reparsed_answers import IS_VALID
from storage.repository import Repository
from storage.tables.answers import answer_readings, answers, channels, mentions
from storage.tables.prompts import prompts, run_batches


@dataclass(frozen=True, slots=True)
class AnswerCount:
    """Valid answers to one unbranded prompt on one platform; `measurable` ones have known citations."""

    prompt_id: str
    platform: str
    valid: int
    measurable: int


@dataclass(frozen=True, slots=True)
class EntityCount:
    """In how many of those answers an entity is named and its own site cited; key 0 is the brand."""

    prompt_id: str
    platform: str
    entity_key: int
    named: int
    cited: int


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of one answer that name a competitor."""

    answer_id: str
    platform: str
    entity_key: int
    quote: str


A, R, M = answers.c, answer_readings.c, mentions.c
SINCE = bindparam("since", type_=A.captured_at.type)
LOOKED_AT = and_(
    A.company_id == bindparam("company_id"),
    A.brand_key == bindparam("brand_key"),
    IS_VALID,
    A.captured_at >= SINCE,
    R.branded.is_(False),
    prompts.c.prompt_set_key.is_not(None),
)
FROM_ANSWERS = (
    answers.join(answer_readings, and_(R.answer_key == A.key, R.revision_key == bindparam("revision_key")))
    .join(prompts, prompts.c.key == A.prompt_key)
    .join(channels, channels.c.key == A.channel_key)
    .join(run_batches, and_(run_batches.c.key == A.batch_key, run_batches.c.status == "success"))
)
FROM_MENTIONS = FROM_ANSWERS.join(mentions, and_(M.answer_key == A.key, M.revision_key == R.revision_key))
COUNTS = Query(
    select(
        prompts.c.id,
        channels.c.platform,
        func.count(),
        func.sum(case((R.measurable.is_(True), 1), else_=0)),
    )
    .select_from(FROM_ANSWERS)
    .where(LOOKED_AT)
    .group_by(prompts.c.id, channels.c.platform)
    .order_by(prompts.c.id, channels.c.platform),
    AnswerCount,
)
ENTITY_COUNTS = Query(
    select(
        prompts.c.id,
        channels.c.platform,
        M.entity_key,
        func.sum(case((M.named.is_(True), 1), else_=0)),
        func.sum(case(((R.measurable.is_(True)) & (M.cites_own.is_(True)), 1), else_=0)),
    )
    .select_from(FROM_MENTIONS)
    .where(LOOKED_AT)
    .group_by(prompts.c.id, channels.c.platform, M.entity_key)
    .order_by(prompts.c.id, channels.c.platform, M.entity_key),
    EntityCount,
)
QUOTES = Query(
    select(A.id, channels.c.platform, M.entity_key, M.quote)
    .select_from(FROM_MENTIONS)
    .where(
        LOOKED_AT,
        prompts.c.id == bindparam("prompt_id"),
        M.entity_key != 0,
        M.named.is_(True),
        M.quote.is_not(None),
    )
    .order_by(A.captured_at.desc(), A.key.desc(), M.entity_key)
    .limit(bindparam("limit")),
    Quote,
)


class PromptAnswerRepository(Repository):
    """Counts over one company's answers in successful batches, by prompt of a prompt set."""

    async def counts(
        self, brand_key: int, revision_key: int, since: datetime
    ) -> tuple[list[AnswerCount], list[EntityCount]]:
        """Return the counts of valid answers captured since an instant, as a revision reads them."""
        values = {"brand_key": brand_key, "revision_key": revision_key, "since": since}
        return await self._all(COUNTS, **values), await self._all(ENTITY_COUNTS, **values)

    async def quotes(
        self, brand_key: int, revision_key: int, since: datetime, prompt_id: str, limit: int
    ) -> list[Quote]:
        """Return the newest sentences that name competitors in answers to a prompt."""
        values = {"brand_key": brand_key, "revision_key": revision_key, "since": since}
        return await self._all(QUOTES, **values, prompt_id=prompt_id, limit=limit)

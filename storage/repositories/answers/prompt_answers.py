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


SINCE = bindparam("since", type_=answers.c.captured_at.type)
LOOKED_AT = and_(
    answers.c.company_id == bindparam("company_id"),
    answers.c.brand_key == bindparam("brand_key"),
    IS_VALID,
    answers.c.captured_at >= SINCE,
    answer_readings.c.branded.is_(False),
    prompts.c.prompt_set_key.is_not(None),
)
FROM_ANSWERS = (
    answers.join(
        answer_readings,
        and_(
            answer_readings.c.answer_key == answers.c.key,
            answer_readings.c.revision_key == bindparam("revision_key"),
        ),
    )
    .join(prompts, prompts.c.key == answers.c.prompt_key)
    .join(channels, channels.c.key == answers.c.channel_key)
    .join(run_batches, and_(run_batches.c.key == answers.c.batch_key, run_batches.c.status == "success"))
)
FROM_MENTIONS = FROM_ANSWERS.join(
    mentions,
    and_(mentions.c.answer_key == answers.c.key, mentions.c.revision_key == answer_readings.c.revision_key),
)
COUNTS = Query(
    select(
        prompts.c.id,
        channels.c.platform,
        func.count(),
        func.sum(case((answer_readings.c.measurable.is_(True), 1), else_=0)),
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
        mentions.c.entity_key,
        func.sum(case((mentions.c.named.is_(True), 1), else_=0)),
        func.sum(
            case(((answer_readings.c.measurable.is_(True)) & (mentions.c.cites_own.is_(True)), 1), else_=0)
        ),
    )
    .select_from(FROM_MENTIONS)
    .where(LOOKED_AT)
    .group_by(prompts.c.id, channels.c.platform, mentions.c.entity_key)
    .order_by(prompts.c.id, channels.c.platform, mentions.c.entity_key),
    EntityCount,
)
QUOTES = Query(
    select(answers.c.id, channels.c.platform, mentions.c.entity_key, mentions.c.quote)
    .select_from(FROM_MENTIONS)
    .where(
        LOOKED_AT,
        prompts.c.id == bindparam("prompt_id"),
        mentions.c.entity_key != 0,
        mentions.c.named.is_(True),
        mentions.c.quote.is_not(None),
    )
    .order_by(answers.c.captured_at.desc(), answers.c.key.desc(), mentions.c.entity_key)
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

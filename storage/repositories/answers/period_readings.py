"""What one revision read in a brand's answers of a period, and which asks of their batches brought none."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, case, func, select

from storage.filters import MembershipFilter
from storage.queries import Query
from storage.repositories.answers.answer_filters import (
    DAYS_SINCE_1970,
    OF_CHANNEL,
    AnswerFilter,
    conditions,
    day_of,
)
from storage.repositories.answers.observed_answers import (
    DOMAINS,
    OBSERVED_ANSWER,
    OBSERVED_MENTION,
    READ_ANSWERS,
    ObservedAnswer,
    ObservedMention,
    cited_domains,
)
from storage.repositories.answers.reparsed_answers import IS_VALID
from storage.repositories.asks import FailedCell
from storage.repositories.revisions import OWN_REVISION
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.answers import THE_BRAND, answers, channels, mentions
from storage.tables.prompts import asks, prompts, run_batches, simulations


@dataclass(frozen=True, slots=True)
class PeriodAnswer:
    """One answer with what it says of the brand itself; None when it says nothing of it."""

    answer: ObservedAnswer
    mention: ObservedMention | None


@dataclass(frozen=True, slots=True)
class BatchAsks:
    """How many asks of one channel of one batch were settled, and how many of them failed."""

    batch_key: int
    platform: str
    mode: str
    country: str
    settled: int
    failed: int


@dataclass(frozen=True, slots=True)
class BatchFailures:
    """Failed asks of one prompt in one channel of one batch."""

    batch_key: int
    source: str
    cell: FailedCell


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model that a platform served, None for one that it did not name, with its first answer of a period.

    `requested` is what it was asked for.
    """

    platform: str
    requested: str
    model: str | None
    first: datetime


ANSWER_COLUMNS = len(OBSERVED_ANSWER)
OF_PROMPTS = frozenset({"prompt_set_id", "prompt_id", "tag", "intent"})
"""Filters that a prompt decides; what else is asked for is seen on the row."""


def period_answer(*fields: Any) -> PeriodAnswer:
    """Build one answer from its columns and those of the brand's mention."""
    columns, mention = list(fields[:ANSWER_COLUMNS]), fields[ANSWER_COLUMNS:]
    columns[DOMAINS] = cited_domains(columns[DOMAINS])
    return PeriodAnswer(
        ObservedAnswer(*columns),
        None if mention[0] is None else ObservedMention(*mention),
    )


@cache
def answers_of(names: tuple[str, ...]) -> Query[PeriodAnswer]:
    """Return the query for the newest answers of successful batches under one choice of filters."""
    of_brand = and_(
        mentions.c.answer_key == answers.c.key,
        mentions.c.revision_key == bindparam("revision_key"),
        mentions.c.entity_key == THE_BRAND,
    )
    return Query(
        select(*OBSERVED_ANSWER, *OBSERVED_MENTION)
        .select_from(READ_ANSWERS.outerjoin(mentions, of_brand))
        .where(
            answers.c.company_id == bindparam("company_id"),
            answers.c.brand_key == bindparam("brand_key"),
            run_batches.c.status == "success",
            *conditions(names),
        )
        .order_by(answers.c.captured_at.desc(), answers.c.key.desc())
        .limit(bindparam("limit")),
        period_answer,
    )


MODEL = (channels.c.platform, answers.c.requested_model, answers.c.served_model)
"""What was asked for and what was served, by the first fields of `ServedModel`."""


def models_with(
    names: tuple[str, ...], *place: ColumnElement[Any], of: ColumnElement[bool]
) -> Select[*tuple[Any, ...]]:
    """Return the statement for the models of published answers, first by what says where they stand."""
    return (
        select(*place, *MODEL, func.min(answers.c.captured_at))
        .select_from(answers)
        .join(channels, channels.c.key == answers.c.channel_key)
        .join(prompts, prompts.c.key == answers.c.prompt_key)
        .join(run_batches, run_batches.c.key == answers.c.batch_key)
        .where(
            answers.c.company_id == bindparam("company_id"),
            of,
            run_batches.c.status == "success",
            IS_VALID,
            *conditions(names),
        )
        .group_by(*place, *MODEL)
        .order_by(*place, *MODEL)
    )


@cache
def models_of(names: tuple[str, ...]) -> Query[ServedModel]:
    """Return the query for the models that were asked for and served, under one choice of filters."""
    return Query(models_with(names, of=answers.c.brand_key == bindparam("brand_key")), ServedModel)


def model_of_day(batch_key: int, days_since_1970: int, *fields: Any) -> tuple[tuple[int, date], ServedModel]:
    """Build a model with the batch and the day that it was served in."""
    return (batch_key, day_of(days_since_1970)), ServedModel(*fields)


@cache
def daily_models_of(names: tuple[str, ...]) -> Query[tuple[tuple[int, date], ServedModel]]:
    """Return the query for the models of each batch and day."""
    of = MembershipFilter(answers.c.batch_key, "batch_keys")
    return Query(models_with(names, answers.c.batch_key, DAYS_SINCE_1970, of=of), model_of_day)


def named_batch(key: int, identifier: str) -> tuple[int, str]:
    """Build one batch's key with its identifier."""
    return key, identifier


OF_BATCHES = and_(
    simulations.c.company_id == bindparam("company_id"),
    MembershipFilter(simulations.c.batch_key, "batch_keys"),
)
SETTLED = Query(
    select(
        *row_columns(
            BatchAsks,
            simulations,
            settled=func.count(),
            failed=func.sum(case((asks.c.state == "failed", 1), else_=0)),
        )
    )
    .select_from(asks)
    .join(simulations, simulations.c.key == asks.c.simulation_key)
    .where(OF_BATCHES)
    .group_by(simulations.c.batch_key, simulations.c.platform, simulations.c.mode, simulations.c.country)
    .order_by(simulations.c.batch_key, simulations.c.platform, simulations.c.mode, simulations.c.country),
    BatchAsks,
)


COMPETITOR_MENTIONS = Query(
    select(*OBSERVED_MENTION)
    .select_from(mentions.join(answers, answers.c.key == mentions.c.answer_key))
    .where(
        answers.c.company_id == bindparam("company_id"),
        mentions.c.revision_key == bindparam("revision_key"),
        MembershipFilter(mentions.c.answer_key, "answer_keys"),
        mentions.c.entity_key > THE_BRAND,
    ),
    ObservedMention,
)
BATCH_IDS = Query(
    select(run_batches.c.key, run_batches.c.id).where(
        run_batches.c.company_id == bindparam("company_id"), MembershipFilter(run_batches.c.key, "batch_keys")
    ),
    named_batch,
)


def competitor_naming(answer_key: int, entity_key: int) -> ObservedMention:
    """Build a mention of which nothing counts but that it names a competitor."""
    return ObservedMention(answer_key, entity_key, True, None, 0.0, False, None, 1, 0, 0)


@cache
def namings_of(names: tuple[str, ...]) -> Query[ObservedMention]:
    """Return the query for answers that name competitors under one choice of filters on channels.

    It reads an index alone, however much else the mentions hold.
    """
    namings = select(mentions.c.answer_key, mentions.c.entity_key).where(
        OWN_REVISION,
        mentions.c.revision_key == bindparam("revision_key"),
        MembershipFilter(mentions.c.entity_key, "entity_keys"),
        mentions.c.named.is_(True),
        mentions.c.captured_at >= bindparam("first", type_=mentions.c.captured_at.type),
        mentions.c.captured_at <= bindparam("last", type_=mentions.c.captured_at.type),
    )
    if names:
        namings = namings.where(mentions.c.channel_key.in_(select(channels.c.key).where(*conditions(names))))
    return Query(namings, competitor_naming)


def batch_failures(batch_key: int, source: str, *fields: Any) -> BatchFailures:
    """Build the failures of one cell of one batch."""
    return BatchFailures(batch_key, source, FailedCell(*fields))


FAILED_CELL = (
    prompts.c.id,
    prompts.c.text,
    prompts.c.branded,
    prompts.c.prompt_set_key.is_not(None),
    simulations.c.platform,
    simulations.c.mode,
    simulations.c.country,
)


@cache
def failed_of(names: tuple[str, ...]) -> Query[BatchFailures]:
    """Return the query for the failed asks of some batches under one choice of filters on prompts."""
    return Query(
        select(simulations.c.batch_key, run_batches.c.source, *FAILED_CELL, func.count())
        .select_from(asks)
        .join(simulations, simulations.c.key == asks.c.simulation_key)
        .join(run_batches, run_batches.c.key == simulations.c.batch_key)
        .join(prompts, prompts.c.key == asks.c.prompt_key)
        .where(OF_BATCHES, asks.c.state == "failed", *conditions(names))
        .group_by(simulations.c.batch_key, run_batches.c.source, *FAILED_CELL)
        .order_by(
            simulations.c.batch_key,
            prompts.c.id,
            simulations.c.platform,
            simulations.c.mode,
            simulations.c.country,
        ),
        batch_failures,
    )


class PeriodReadingRepository(Repository):
    """The answers of one company by the time at which they were captured."""

    async def answers(
        self, brand_key: int, revision_key: int, chosen: AnswerFilter, limit: int
    ) -> list[PeriodAnswer]:
        """Return the newest answers that a filter chooses, as a revision read them, newest first."""
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        return await self._all(answers_of(chosen.names), **values, limit=limit)

    async def settled(self, batch_keys: Sequence[int]) -> list[BatchAsks]:
        """Return how the asks of some batches ended, by channel."""
        return await self._all(SETTLED, batch_keys=list(batch_keys))

    async def competitor_mentions(
        self, revision_key: int, answer_keys: Sequence[int]
    ) -> list[ObservedMention]:
        """Return what some answers say of the competitors, as a revision read them."""
        if not answer_keys:
            return []
        return await self._all(COMPETITOR_MENTIONS, revision_key=revision_key, answer_keys=list(answer_keys))

    async def competitor_namings(
        self,
        revision_key: int,
        entity_keys: Sequence[int],
        first: datetime,
        last: datetime,
        chosen: AnswerFilter,
    ) -> list[ObservedMention]:
        """Return which answers between two instants name which competitors, and nothing else of their mentions.

        Answers that a filter on anything but channels leaves out are among them.
        """
        names = tuple(name for name in chosen.names if name in OF_CHANNEL)
        values = {name: value for name, value in chosen.values.items() if name in names}
        values |= {"entity_keys": list(entity_keys), "first": first, "last": last}
        return await self._all(namings_of(names), revision_key=revision_key, **values)

    async def served_models(
        self, brand_key: int, revision_key: int, chosen: AnswerFilter
    ) -> list[ServedModel]:
        """Return each model that was asked for and each that answers named, in pairs, with the first answer of each."""
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        return await self._all(models_of(chosen.names), **values)

    async def served_models_by_day(
        self, revision_key: int, chosen: AnswerFilter, batch_keys: Sequence[int]
    ) -> list[tuple[tuple[int, date], ServedModel]]:
        """Return the same of each batch and UTC day of some batches, with the key of the batch and the day."""
        values = {"revision_key": revision_key, **chosen.values}
        return await self._all(daily_models_of(chosen.names), **values, batch_keys=list(batch_keys))

    async def batch_ids(self, batch_keys: Sequence[int]) -> dict[int, str]:
        """Return the identifiers of some batches by key."""
        return dict(await self._all(BATCH_IDS, batch_keys=list(batch_keys)))

    async def failed(self, batch_keys: Sequence[int], chosen: AnswerFilter) -> list[BatchFailures]:
        """Return the failed asks of some batches that a filter chooses; it cannot choose them by their time."""
        names = tuple(name for name in chosen.names if name in OF_PROMPTS)
        values = {name: value for name, value in chosen.values.items() if name in names}
        failures_by_cell = await self._all(failed_of(names), **values, batch_keys=list(batch_keys))
        return [failures for failures in failures_by_cell if is_chosen(failures.cell, chosen)]


def is_chosen(cell: FailedCell, chosen: AnswerFilter) -> bool:
    """Return whether a failed cell is of the platform, mode and country that a filter names."""
    return (
        chosen.platform in (None, cell.platform)
        and chosen.mode in (None, cell.mode)
        and chosen.country in (None, cell.country)
    )

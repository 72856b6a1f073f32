"""What one revision read in a brand's answers of a period, and which asks of their batches brought none."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import and_, bindparam, case, func, or_, select

from storage.filters import MembershipFilter
from storage.queries import Query
from storage.repositories.answers.answer_filters import AnswerFilter, conditions
from storage.repositories.answers.answer_sums import COUNTS, PUBLISHED
from storage.repositories.answers.reparsed_answers import AS_READ, IS_VALID
from storage.repositories.asks import FailedCell
from storage.repository import Repository
from storage.tables.answers import answers, channels, reparsed_answers
from storage.tables.prompts import asks, prompts, run_batches, simulations


@dataclass(frozen=True, slots=True)
class NewestAnswer:
    """The batch of an answer, and when it was captured."""

    batch_key: int
    captured_at: datetime


@dataclass(frozen=True, slots=True)
class BatchFailures:
    """Failed asks of one prompt in one channel of one batch."""

    batch_key: int
    source: str
    cell: FailedCell


OF_PROMPTS = frozenset({"prompt_set_id", "prompt_id", "tag", "intent"})
"""Filters that a prompt decides; what else is asked for is seen on the row."""


@cache
def newest_of(names: tuple[str, ...]) -> Query[NewestAnswer]:
    """Return the query for the newest published answer under one choice of filters."""
    return Query(
        select(answers.c.batch_key, answers.c.captured_at)
        .select_from(
            PUBLISHED.join(prompts, prompts.c.key == answers.c.prompt_key).join(
                channels, channels.c.key == answers.c.channel_key
            )
        )
        .where(
            answers.c.company_id == bindparam("company_id"),
            answers.c.brand_key == bindparam("brand_key"),
            *conditions(names),
        )
        .order_by(answers.c.captured_at.desc(), answers.c.key.desc())
        .limit(1),
        NewestAnswer,
    )


@cache
def batches_of(names: tuple[str, ...]) -> Query[int]:
    """Return the query for the batches with a published answer under one choice of filters."""
    return Query(
        select(answers.c.batch_key)
        .distinct()
        .select_from(
            PUBLISHED.join(prompts, prompts.c.key == answers.c.prompt_key).join(
                channels, channels.c.key == answers.c.channel_key
            )
        )
        .where(
            answers.c.company_id == bindparam("company_id"),
            answers.c.brand_key == bindparam("brand_key"),
            *conditions(names),
        ),
        int,
    )


OF_BATCHES = and_(
    simulations.c.company_id == bindparam("company_id"),
    MembershipFilter(simulations.c.batch_key, "batch_keys"),
)


@dataclass(frozen=True, slots=True)
class RatedAnswers:
    """How many answers of a batch to one prompt rates count, and how many were stored."""

    batch_key: int
    prompt_id: str
    rated: int
    stored: int


@cache
def rated_of(names: tuple[str, ...]) -> Query[RatedAnswers]:
    """Return the query that counts the answers of some batches by prompt under one choice of filters."""
    counts = and_(IS_VALID, COUNTS, or_(prompts.c.prompt_set_key.is_not(None), channels.c.source == "import"))
    return Query(
        select(answers.c.batch_key, prompts.c.id, func.sum(case((counts, 1), else_=0)), func.count())
        .select_from(
            PUBLISHED.outerjoin(reparsed_answers, AS_READ)
            .join(prompts, prompts.c.key == answers.c.prompt_key)
            .join(channels, channels.c.key == answers.c.channel_key)
        )
        .where(
            answers.c.company_id == bindparam("company_id"),
            MembershipFilter(answers.c.batch_key, "batch_keys"),
            *conditions(names),
        )
        .group_by(answers.c.batch_key, prompts.c.id),
        RatedAnswers,
    )


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

    async def newest(self, brand_key: int, revision_key: int, chosen: AnswerFilter) -> NewestAnswer | None:
        """Return the newest published answer that a filter chooses."""
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        return await self._first(newest_of(chosen.names), **values)

    async def batches(self, brand_key: int, revision_key: int, chosen: AnswerFilter) -> list[int]:
        """Return the keys of the batches with a published answer that a filter chooses."""
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        return await self._all(batches_of(chosen.names), **values)

    async def rated(
        self, revision_key: int, chosen: AnswerFilter, batch_keys: Sequence[int]
    ) -> list[RatedAnswers]:
        """Count the published answers of some batches that a filter chooses by batch and prompt."""
        values = {"revision_key": revision_key, "batch_keys": list(batch_keys), **chosen.values}
        return await self._all(rated_of(chosen.names), **values)

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

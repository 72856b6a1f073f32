"""Judgments: claims checked against facts, and how an engine judges what answers say of the brand."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Integer,
    and_,
    bindparam,
    case,
    cast,
    exists,
    func,
    select,
    tuple_,
    update,
)

from storage.filters import MembershipFilter
from storage.queries import Query
from storage.repositories.answers.answer_filters import DAYS_SINCE_1970, AnswerFilter, conditions, day_of
from storage.repositories.answers.answer_sums import PUBLISHED
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.answers import THE_BRAND, answers, channels, mentions
from storage.tables.judgements import answer_claims, tone_judgements
from storage.tables.prompts import asks, prompts, run_batches, simulations
from storage.tables.totals import channel_days


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of an answer about the brand, next to the fact it was checked against."""

    kind: str
    verdict: str
    method: str
    claim: str
    fact: str | None
    source: str | None


@dataclass(frozen=True, slots=True)
class StoredClaim:
    """A claim with the answer that contains it."""

    answer_id: str
    simulation_key: int
    platform: str
    mode: str
    prompt_id: str
    claim: Claim


@dataclass(frozen=True, slots=True)
class ToneJudgementRow:
    """An engine's judgment of what an answer says of the brand; the quote is part of the answer.

    Where the label is "unknown", the engine quoted nothing that the answer says, and there is no recommendation.
    """

    answer_key: int
    label: str
    recommendation: str | None
    quote: str | None


@dataclass(frozen=True, slots=True)
class JudgedCount:
    """How many mentions of the brand one method judged in one cell on one day, by tone and recommendation."""

    day: date
    batch_id: str
    method: str
    prompt_id: str
    platform: str
    mode: str
    source: str
    country: str
    sums: tuple[int, ...]
    """In the order of `analytics.metrics.JudgedSums`."""


def judged_count(day: int, *fields: Any) -> JudgedCount:
    """Build the counts of one cell and day."""
    return JudgedCount(day_of(day), *fields[:7], sums=tuple(map(int, fields[7:])))


def stored_claim(
    answer_id: str, simulation_key: int, platform: str, mode: str, prompt_id: str, *claim: str
) -> StoredClaim:
    """Build a claim with its location."""
    return StoredClaim(answer_id, simulation_key, platform, mode, prompt_id, Claim(*claim))


OF_BATCH = and_(
    answers.c.company_id == bindparam("company_id"), answers.c.batch_key == bindparam("batch_key")
)
CLAIMS = Query(
    select(
        answers.c.id,
        simulations.c.key,
        simulations.c.platform,
        simulations.c.mode,
        prompts.c.id,
        answer_claims.c.kind,
        answer_claims.c.verdict,
        answer_claims.c.method,
        answer_claims.c.claim,
        answer_claims.c.fact,
        answer_claims.c.source,
    )
    .join(answers, answers.c.key == answer_claims.c.answer_key)
    .join(asks, asks.c.key == answers.c.ask_key)
    .join(simulations, simulations.c.key == asks.c.simulation_key)
    .join(prompts, prompts.c.key == answers.c.prompt_key)
    .where(OF_BATCH)
    .order_by(answer_claims.c.answer_key, answer_claims.c.ordinal),
    stored_claim,
)
TONES = Query(
    select(*row_columns(ToneJudgementRow, tone_judgements))
    .join(answers, answers.c.key == tone_judgements.c.answer_key)
    .where(OF_BATCH, tone_judgements.c.method == bindparam("method"))
    .order_by(tone_judgements.c.answer_key),
    ToneJudgementRow,
)


JUDGEMENT = tuple(entry.name for entry in fields(ToneJudgementRow))
NEWER = tone_judgements.alias("newer")
IS_NEWEST = ~exists(
    select(NEWER.c.answer_key).where(
        NEWER.c.answer_key == tone_judgements.c.answer_key,
        NEWER.c.label != "unknown",
        tuple_(NEWER.c.created_at, NEWER.c.method)
        > tuple_(tone_judgements.c.created_at, tone_judgements.c.method),
    )
)
"""Whether no later judgment of the same answer holds; methods are never averaged over one answer."""


def number_of(*conditions: ColumnElement[bool]) -> ColumnElement[int]:
    """Return how many rows of a group meet the conditions."""
    return cast(func.sum(case((and_(*conditions), 1), else_=0)), Integer)


ANY_TONE = Query(
    select(tone_judgements.c.answer_key)
    .where(tone_judgements.c.company_id == bindparam("company_id"))
    .limit(1),
    int,
)
"""Asked first, because most companies have no judge: counting none among 188,541 answers took up to a second."""


@cache
def counts_of(names: tuple[str, ...], batches: bool) -> Query[JudgedCount]:
    """Return the query that counts judged mentions under one choice of filters; degraded channels do not count."""
    place = (
        DAYS_SINCE_1970,
        run_batches.c.id,
        tone_judgements.c.method,
        prompts.c.id,
        channels.c.platform,
        channels.c.mode,
        channels.c.source,
        channels.c.country,
    )
    own = and_(
        mentions.c.answer_key == answers.c.key,
        mentions.c.revision_key == bindparam("revision_key"),
        mentions.c.entity_key == THE_BRAND,
        mentions.c.named.is_(True),
    )
    return Query(
        select(
            *place,
            func.count(),
            number_of(tone_judgements.c.label == "positive"),
            number_of(tone_judgements.c.label == "negative"),
            number_of(tone_judgements.c.recommendation == "recommended"),
            number_of(tone_judgements.c.recommendation == "warned_against"),
        )
        .select_from(
            PUBLISHED.join(tone_judgements, tone_judgements.c.answer_key == answers.c.key)
            .join(mentions, own)
            .join(prompts, prompts.c.key == answers.c.prompt_key)
            .join(channels, channels.c.key == answers.c.channel_key)
            .join(run_batches, run_batches.c.key == answers.c.batch_key)
        )
        .where(
            answers.c.company_id == bindparam("company_id"),
            answers.c.brand_key == bindparam("brand_key"),
            channel_days.c.degraded.is_(False),
            tone_judgements.c.label != "unknown",
            IS_NEWEST,
            *conditions(names),
            *([MembershipFilter(run_batches.c.id, "batch_ids")] if batches else []),
        )
        .group_by(*place),
        judged_count,
    )


class JudgementRepository(Repository):
    """The judgments about one company's answers."""

    async def add_claims(
        self, claims_by_answer: Sequence[tuple[int, Sequence[Claim]]], first: int = 0
    ) -> None:
        """Store the claims of answers by their keys, numbered from `first`; existing numbers are not changed."""
        names = ("kind", "verdict", "method", "claim", "fact", "source")
        rows = [
            {
                "answer_key": answer_key,
                "ordinal": ordinal,
                "company_id": self.company_id,
                **{name: getattr(claim, name) for name in names},
            }
            for answer_key, claims in claims_by_answer
            for ordinal, claim in enumerate(claims, first)
        ]
        if rows:
            await self._write(self._insert_or_ignore(answer_claims), rows)

    async def claims(self, batch_key: int) -> list[StoredClaim]:
        """Return the claims of a batch in the order of its answers."""
        return await self._all(CLAIMS, batch_key=batch_key)

    async def rate_accuracy(self, simulation_key: int, score: int | None) -> None:
        """Store how accurate a simulation's claims were, 0 to 100."""
        ours = (simulations.c.key == simulation_key) & (simulations.c.company_id == self.company_id)
        await self._write(update(simulations).where(ours).values(accuracy_score=score))

    async def counts(
        self,
        brand_key: int,
        revision_key: int,
        chosen: AnswerFilter,
        batch_ids: Sequence[str] | None = None,
    ) -> list[JudgedCount]:
        """Count the judged mentions in published answers of a brand, or of some of its batches, by day and cell."""
        if await self._first(ANY_TONE) is None:
            return []
        values: dict[str, Any] = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        if batch_ids is not None:
            values["batch_ids"] = list(batch_ids)
        return await self._all(counts_of(chosen.names, batch_ids is not None), **values)

    async def add_tones(self, method: str, judged: Sequence[ToneJudgementRow], now: datetime) -> None:
        """Store a method's judgments of answers; existing judgments are not changed."""
        own = {"company_id": self.company_id, "method": method, "created_at": now}
        rows = [{**own, **{name: getattr(judgement, name) for name in JUDGEMENT}} for judgement in judged]
        if rows:
            await self._write(self._insert_or_ignore(tone_judgements), rows)

    async def tones(self, batch_key: int, method: str) -> list[ToneJudgementRow]:
        """Return a method's judgments of a batch."""
        return await self._all(TONES, batch_key=batch_key, method=method)

"""Judgments: claims checked against facts, and tones judged by an engine."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, bindparam, select, update

from storage.queries import Query
from storage.repository import Repository
from storage.tables.answers import answers
from storage.tables.judgements import answer_claims, tone_judgements
from storage.tables.prompts import asks, prompts, simulations


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
    """An engine's judgment of an answer's tone towards the brand; the quote is part of the answer."""

    answer_key: int
    label: str
    quote: str | None


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
    select(tone_judgements.c.answer_key, tone_judgements.c.label, tone_judgements.c.quote)
    .join(answers, answers.c.key == tone_judgements.c.answer_key)
    .where(OF_BATCH, tone_judgements.c.method == bindparam("method"))
    .order_by(tone_judgements.c.answer_key),
    ToneJudgementRow,
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

    async def add_tones(self, method: str, judged: Sequence[ToneJudgementRow], now: datetime) -> None:
        """Store a method's judgments of answers; existing judgments are not changed."""
        own = {"company_id": self.company_id, "method": method, "created_at": now}
        rows = [
            {**own, "answer_key": judgement.answer_key, "label": judgement.label, "quote": judgement.quote}
            for judgement in judged
        ]
        if rows:
            await self._write(self._insert_or_ignore(tone_judgements), rows)

    async def tones(self, batch_key: int, method: str) -> list[ToneJudgementRow]:
        """Return a method's judgments of a batch."""
        return await self._all(TONES, batch_key=batch_key, method=method)

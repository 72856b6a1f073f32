"""Judgements: claims held against facts, tones an engine judged, and names that nobody tracks yet."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, bindparam, insert, select, update

from storage.queries import Query, plain
from storage.repositories.repository import Repository
from storage.tables.answers import answers
from storage.tables.judgements import answer_claims, name_decisions, tone_judgements, unknown_names
from storage.tables.prompts import asks, prompts, run_batches, simulations


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of an answer about the brand, beside the fact it was held against."""

    kind: str
    verdict: str
    method: str
    claim: str
    fact: str | None
    source: str | None


@dataclass(frozen=True, slots=True)
class StoredClaim:
    """A claim with the answer it stands in."""

    answer_id: str
    simulation_key: int
    platform: str
    mode: str
    prompt_id: str
    claim: Claim


@dataclass(frozen=True, slots=True)
class ToneJudgement:
    """How an engine reads an answer's tone towards the brand; the quote stands in the answer."""

    answer_key: int
    label: str
    quote: str | None


@dataclass(frozen=True, slots=True)
class UnknownName:
    """A name that heads a ranked list of one answer and belongs to nobody who is tracked."""

    folded: str
    name: str
    prompt_key: int
    answer_key: int
    seen_at: datetime


@dataclass(frozen=True, slots=True)
class SeenName:
    """A name, the prompt that brought it up, and the newest answer that did."""

    folded: str
    name: str
    prompt_id: str
    prompt: str
    answer_id: str
    seen_at: datetime


def stored_claim(
    answer_id: str, simulation_key: int, platform: str, mode: str, prompt_id: str, *claim: str
) -> StoredClaim:
    """Build a claim with its place."""
    return StoredClaim(answer_id, simulation_key, platform, mode, prompt_id, Claim(*claim))


A, C, T, U, N = answers.c, answer_claims.c, tone_judgements.c, unknown_names.c, name_decisions.c
OF_BATCH = and_(A.company_id == bindparam("company_id"), A.batch_key == bindparam("batch_key"))
CLAIMS = Query(
    select(
        A.id,
        simulations.c.key,
        simulations.c.platform,
        simulations.c.mode,
        prompts.c.id,
        C.kind,
        C.verdict,
        C.method,
        C.claim,
        C.fact,
        C.source,
    )
    .join(answers, A.key == C.answer_key)
    .join(asks, asks.c.key == A.ask_key)
    .join(simulations, simulations.c.key == asks.c.simulation_key)
    .join(prompts, prompts.c.key == A.prompt_key)
    .where(OF_BATCH)
    .order_by(C.answer_key, C.ordinal),
    stored_claim,
)
TONES = Query(
    select(T.answer_key, T.label, T.quote)
    .join(answers, A.key == T.answer_key)
    .where(OF_BATCH, T.method == bindparam("method"))
    .order_by(T.answer_key),
    ToneJudgement,
)
SEEN = Query(
    select(U.name_folded, U.name, prompts.c.id, prompts.c.text, A.id, U.seen_at)
    .join(answers, A.key == U.answer_key)
    .join(prompts, prompts.c.key == U.prompt_key)
    .join(run_batches, and_(run_batches.c.key == A.batch_key, run_batches.c.status == "success"))
    .where(
        U.company_id == bindparam("company_id"),
        U.brand_key == bindparam("brand_key"),
        U.seen_at >= bindparam("since", type_=U.seen_at.type),
    )
    .order_by(U.seen_at.desc(), U.prompt_key),
    SeenName,
)
DECIDED = Query(
    select(N.name_folded, N.decision).where(
        N.company_id == bindparam("company_id"), N.brand_key == bindparam("brand_key")
    ),
    plain,
)


class Judgements(Repository):
    """What was concluded from the answers of one company."""

    async def add_claims(self, found: Sequence[tuple[int, Sequence[Claim]]], first: int = 0) -> None:
        """Store the claims of answers by their keys, numbered from `first`; a number that is taken stays as it is."""
        names = ("kind", "verdict", "method", "claim", "fact", "source")
        rows = [
            {
                "answer_key": answer_key,
                "ordinal": ordinal,
                "company_id": self.company_id,
                **{name: getattr(claim, name) for name in names},
            }
            for answer_key, claims in found
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

    async def add_tones(self, method: str, judged: Sequence[ToneJudgement], now: datetime) -> None:
        """Store how a method judged answers; a judgement that exists stays as it is."""
        own = {"company_id": self.company_id, "method": method, "created_at": now}
        rows = [
            {**own, "answer_key": one.answer_key, "label": one.label, "quote": one.quote} for one in judged
        ]
        if rows:
            await self._write(self._insert_or_ignore(tone_judgements), rows)

    async def tones(self, batch_key: int, method: str) -> list[ToneJudgement]:
        """Return what a method judged of a batch."""
        return await self._all(TONES, batch_key=batch_key, method=method)

    async def note_names(self, brand_key: int, found: Sequence[UnknownName]) -> None:
        """Remember names that nobody tracks; of one prompt the newest answer is kept."""
        for one in found:
            place = {"brand_key": brand_key, "name_folded": one.folded, "prompt_key": one.prompt_key}
            told = {"name": one.name, "answer_key": one.answer_key, "seen_at": one.seen_at}
            own = {**place, **told, "company_id": self.company_id}
            added = await self._write(self._insert_or_ignore(unknown_names), own)
            if added.rowcount == 0:
                same = and_(*(U[name] == value for name, value in place.items()), U.seen_at < one.seen_at)
                await self._write(update(unknown_names).where(same).values(told))

    async def seen_names(self, brand_key: int, since: datetime) -> list[SeenName]:
        """Return the names of successful batches seen since an instant, newest first."""
        return await self._all(SEEN, brand_key=brand_key, since=since)

    async def decisions(self, brand_key: int) -> dict[str, str]:
        """Return what a person said of each name, by its folded form."""
        return dict(await self._all(DECIDED, brand_key=brand_key))

    async def decide(self, brand_key: int, folded: str, decision: str, now: datetime) -> None:
        """Keep what a person said of a name, in place of what was said before."""
        place = {"brand_key": brand_key, "name_folded": folded}
        told = {"decision": decision, "decided_at": now}
        same = and_(N.company_id == self.company_id, *(N[name] == value for name, value in place.items()))
        changed = await self._write(update(name_decisions).where(same).values(told))
        if changed.rowcount == 0:
            await self._write(insert(name_decisions), {**place, **told, "company_id": self.company_id})

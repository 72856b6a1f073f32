"""Suggested competitors of a brand, what people decided about them, and the answers that they are found in."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, bindparam, delete, func, insert, select, type_coerce, update

from storage.documents import (
    EvidenceText,
    SuggestionEvidence,
    SuggestionEvidenceDocument,
    suggestion_evidence_json,
)
from storage.encoding import unpacked
from storage.ids import new_id
from storage.queries import Query
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.answers import answer_texts, answers, channels, mentions
from storage.tables.prompts import prompts, run_batches
from storage.tables.suggestions import competitor_suggestions, suggestion_looks


@dataclass(frozen=True, slots=True)
class SuggestionDraft:
    """One name as it was found."""

    name: str
    name_folded: str
    answers: int
    prompts: int
    beside: int
    platforms: Sequence[str]
    evidence: Sequence[SuggestionEvidence]
    method: str


@dataclass(frozen=True, slots=True)
class Suggestion(SuggestionDraft):
    """One suggestion; `state` is suggested, confirmed or dismissed."""

    key: int
    id: str
    state: str
    first_seen: datetime
    last_seen: datetime
    decided_at: datetime | None


@dataclass(frozen=True, slots=True)
class SuggestionLook:
    """What was searched last, and how many answers that were."""

    fingerprint: str
    answers: int
    looked_at: datetime


@dataclass(frozen=True, slots=True)
class PublishedAnswer:
    """One valid answer of a published batch."""

    id: str
    text: str
    prompt: str
    platform: str
    names_brand: bool
    captured_at: datetime


def published_answer(
    id: str, text: bytes, prompt: str, platform: str, named: bool | None, captured_at: datetime
) -> PublishedAnswer:
    """Build one answer; one without a mention of the brand does not name it."""
    return PublishedAnswer(id, unpacked(text), prompt, platform, bool(named), captured_at)


OURS = (competitor_suggestions.c.company_id == bindparam("company_id")) & (
    competitor_suggestions.c.brand_key == bindparam("brand_key")
)
EVIDENCE = type_coerce(competitor_suggestions.c.evidence, EvidenceText(SuggestionEvidenceDocument))
FIELDS = row_columns(Suggestion, competitor_suggestions, evidence=EVIDENCE)
OF_BRAND = Query(
    select(*FIELDS)
    .where(OURS)
    .order_by(
        competitor_suggestions.c.prompts.desc(),
        competitor_suggestions.c.answers.desc(),
        competitor_suggestions.c.name_folded,
    ),
    Suggestion,
)
LOOK = Query(
    select(suggestion_looks.c.fingerprint, suggestion_looks.c.answers, suggestion_looks.c.looked_at).where(
        suggestion_looks.c.company_id == bindparam("company_id"),
        suggestion_looks.c.brand_key == bindparam("brand_key"),
    ),
    SuggestionLook,
)
PUBLISHED = Query(
    select(func.count())
    .select_from(run_batches)
    .where(
        run_batches.c.company_id == bindparam("company_id"),
        run_batches.c.brand_key == bindparam("brand_key"),
        run_batches.c.status == "success",
    ),
    int,
)
ANSWERS = Query(
    select(
        answers.c.id,
        answer_texts.c.text,
        prompts.c.text,
        channels.c.platform,
        mentions.c.named,
        answers.c.captured_at,
    )
    .select_from(answers)
    .join(run_batches, and_(run_batches.c.key == answers.c.batch_key, run_batches.c.status == "success"))
    .join(answer_texts, answer_texts.c.answer_key == answers.c.key)
    .join(prompts, prompts.c.key == answers.c.prompt_key)
    .join(channels, channels.c.key == answers.c.channel_key)
    .outerjoin(
        mentions,
        and_(
            mentions.c.answer_key == answers.c.key,
            mentions.c.revision_key == bindparam("revision_key"),
            mentions.c.entity_key == 0,
        ),
    )
    .where(
        answers.c.company_id == bindparam("company_id"),
        answers.c.brand_key == bindparam("brand_key"),
        answers.c.valid.is_(True),
    )
    .order_by(answers.c.captured_at.desc(), answers.c.key.desc())
    .limit(bindparam("limit")),
    published_answer,
)


class SuggestionRepository(Repository):
    """The suggested competitors of one company's brands."""

    async def of_brand(self, brand_key: int) -> list[Suggestion]:
        """Return the suggestions of a brand in every state, those of most prompts first."""
        return await self._all(OF_BRAND, brand_key=brand_key)

    async def last_look(self, brand_key: int) -> SuggestionLook | None:
        """Return what the suggestions of a brand rest on; None before the first search."""
        return await self._first(LOOK, brand_key=brand_key)

    async def published(self, brand_key: int) -> int:
        """Return how many published batches a brand has."""
        return await self._first(PUBLISHED, brand_key=brand_key) or 0

    async def answers(self, brand_key: int, revision_key: int, limit: int) -> list[PublishedAnswer]:
        """Return the newest valid answers of published batches, as a revision read them."""
        return await self._all(ANSWERS, brand_key=brand_key, revision_key=revision_key, limit=limit)

    async def add(self, brand_key: int, draft: SuggestionDraft, now: datetime) -> None:
        """Store a name that was not known yet."""
        own = {"id": new_id(), "company_id": self.company_id, "brand_key": brand_key, "state": "suggested"}
        times = {"first_seen": now, "last_seen": now}
        await self._write(insert(competitor_suggestions), {**own, **fields_of(draft), **times})

    async def see(self, known: Suggestion, draft: SuggestionDraft, state: str, now: datetime) -> None:
        """Bring a known name up to date."""
        values = {**fields_of(draft), "state": state, "last_seen": now}
        await self._write(update(competitor_suggestions).where(self._row(known)).values(values))

    async def forget(self, known: Suggestion) -> None:
        """Delete an undecided name that is no longer found."""
        await self._write(
            delete(competitor_suggestions).where(
                self._row(known), competitor_suggestions.c.state == "suggested"
            )
        )

    async def decide(self, known: Suggestion, state: str, now: datetime) -> None:
        """Note what a person decided."""
        values = {"state": state, "decided_at": now}
        await self._write(update(competitor_suggestions).where(self._row(known)).values(values))

    async def looked(self, brand_key: int, look: SuggestionLook) -> None:
        """Record what was searched."""
        row = (suggestion_looks.c.brand_key == brand_key) & (suggestion_looks.c.company_id == self.company_id)
        await self._write(delete(suggestion_looks).where(row))
        values = {
            "brand_key": brand_key,
            "company_id": self.company_id,
            "fingerprint": look.fingerprint,
            "answers": look.answers,
            "looked_at": look.looked_at,
        }
        await self._write(insert(suggestion_looks), values)

    def _row(self, known: Suggestion) -> Any:
        return (competitor_suggestions.c.key == known.key) & (
            competitor_suggestions.c.company_id == self.company_id
        )


def fields_of(draft: SuggestionDraft) -> dict[str, Any]:
    """Return the columns of what was found."""
    return {
        "name": draft.name,
        "name_folded": draft.name_folded,
        "answers": draft.answers,
        "prompts": draft.prompts,
        "beside": draft.beside,
        "platforms": list(draft.platforms),
        "evidence": suggestion_evidence_json(draft.evidence),
        "method": draft.method,
    }

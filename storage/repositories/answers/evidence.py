"""Answers as evidence: their location, their text, and the entities and sources that they name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, select

from storage.encoding import unpacked
from storage.filters import MembershipFilter
from storage.queries import Query
from storage.repositories.answers.answer_filters import JOINED, TRUNCATED, VALID
from storage.repositories.answers.judged_mentions import judged, tone
from storage.repositories.answers.judgements import Claim
from storage.repositories.answers.reparsed_answers import AS_READ
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.answers import (
    answer_readings,
    answer_texts,
    answers,
    channels,
    mentions,
    reparsed_answers,
)
from storage.tables.brands import brands
from storage.tables.judgements import answer_claims
from storage.tables.prompts import asks, prompt_sets, prompts, run_batches


@dataclass(frozen=True, slots=True)
class EvidenceAnswer:
    """One answer with its location; `branded` is None until the current revision has read it."""

    key: int
    id: str
    brand_key: int
    brand_id: str
    revision_key: int | None
    batch_id: str
    batch_status: str
    platform: str
    mode: str
    source: str
    country: str
    prompt_id: str
    prompt: str
    prompt_set_id: str | None
    repeat: int
    status: str
    valid: bool
    retrieval: str
    truncated: bool
    measurable: bool | None
    branded: bool | None
    served_model: str | None
    requested_model: str
    captured_at: datetime


@dataclass(frozen=True, slots=True)
class EvidenceMention:
    """An answer's statements about one entity, with every match; key 0 is the brand."""

    entity_key: int
    named: bool
    rank: int | None
    tone: str | None
    recommendation: str | None
    judged_by: str | None
    judged_on: str | None
    """The words of the answer that decided the judgment."""
    quote: str | None
    cites_own: bool
    occurrences: int
    absences: int
    uncertain: int
    spans: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity named by one answer, with its rank in a list."""

    answer_key: int
    entity_key: int
    rank: int | None
    tone: str | None
    recommendation: str | None
    cites_own: bool
    quote: str | None


FIELDS = (
    answers.c.key,
    answers.c.id,
    answers.c.brand_key,
    brands.c.id,
    brands.c.revision_key,
    run_batches.c.id,
    run_batches.c.status,
    channels.c.platform,
    channels.c.mode,
    channels.c.source,
    channels.c.country,
    prompts.c.id,
    prompts.c.text,
    prompt_sets.c.id,
    asks.c.repeat,
    func.coalesce(reparsed_answers.c.status, answers.c.status),
    VALID,
    func.coalesce(reparsed_answers.c.retrieval, answers.c.retrieval),
    TRUNCATED,
    answer_readings.c.measurable,
    answer_readings.c.branded,
    answers.c.served_model,
    answers.c.requested_model,
    answers.c.captured_at,
)
OURS = answers.c.company_id == bindparam("company_id")


@dataclass(frozen=True, slots=True)
class ReceivedAnswer:
    """The text of an answer as received, before any extraction."""

    id: str
    platform: str
    prompt: str
    text: str


def received_answer(answer_id: str, platform: str, prompt: str, packed: bytes) -> ReceivedAnswer:
    """Build an answer with its text unpacked."""
    return ReceivedAnswer(answer_id, platform, prompt, unpacked(packed))


NEWEST_OF_BATCH = Query(
    select(answers.c.id, channels.c.platform, prompts.c.text, answer_texts.c.text)
    .join(run_batches, run_batches.c.key == answers.c.batch_key)
    .join(channels, channels.c.key == answers.c.channel_key)
    .join(prompts, prompts.c.key == answers.c.prompt_key)
    .join(answer_texts, answer_texts.c.answer_key == answers.c.key)
    .where(OURS, run_batches.c.id == bindparam("batch_id"), answers.c.valid.is_(True))
    .order_by(answers.c.key.desc())
    .limit(bindparam("most")),
    received_answer,
)


def revision(key: int | None) -> tuple[int | None]:
    """Build the key of the current revision, which a brand without measurements does not have."""
    return (key,)


REVISION = Query(
    select(brands.c.revision_key)
    .join(answers, answers.c.brand_key == brands.c.key)
    .where(OURS, answers.c.id == bindparam("answer_id")),
    revision,
    brief=True,
)
BY_ID = Query(
    select(*FIELDS).select_from(JOINED).where(OURS, answers.c.id == bindparam("answer_id")),
    EvidenceAnswer,
    brief=True,
)
TEXT = Query(
    select(func.coalesce(reparsed_answers.c.text, answer_texts.c.text))
    .select_from(answers)
    .join(answer_texts, answer_texts.c.answer_key == answers.c.key)
    .outerjoin(reparsed_answers, AS_READ)
    .where(OURS, answers.c.key == bindparam("answer_key")),
    unpacked,
    brief=True,
)


def keyed_text(key: int, stored: bytes) -> tuple[int, str]:
    """Build the key of an answer with its text unpacked."""
    return key, unpacked(stored)


TEXTS_AT_ONCE = 100
TEXTS = Query(
    select(answers.c.key, func.coalesce(reparsed_answers.c.text, answer_texts.c.text))
    .select_from(answers)
    .join(answer_texts, answer_texts.c.answer_key == answers.c.key)
    .outerjoin(reparsed_answers, AS_READ)
    .where(OURS, MembershipFilter(answers.c.key, "keys")),
    keyed_text,
)


def seen_on_screen(
    seen: Mapping[str, Any] | None, absent_reason: str | None
) -> tuple[Mapping[str, Any] | None, str | None]:
    """Build the details that were observed on a screen."""
    return seen, absent_reason


SEEN = Query(
    select(answers.c.seen, answers.c.absent_reason).where(OURS, answers.c.key == bindparam("answer_key")),
    seen_on_screen,
    brief=True,
)
MENTIONS = Query(
    select(
        *row_columns(
            EvidenceMention,
            mentions,
            tone=tone(mentions),
            recommendation=judged("recommendation", mentions),
            judged_by=judged("method", mentions),
            judged_on=judged("quote", mentions),
        )
    )
    .join(answers, answers.c.key == mentions.c.answer_key)
    .where(
        OURS,
        mentions.c.revision_key == bindparam("revision_key"),
        mentions.c.answer_key == bindparam("answer_key"),
    )
    .order_by(mentions.c.entity_key),
    EvidenceMention,
    brief=True,
)
CLAIMS = Query(
    select(*row_columns(Claim, answer_claims))
    .where(
        answer_claims.c.company_id == bindparam("company_id"),
        answer_claims.c.answer_key == bindparam("answer_key"),
    )
    .order_by(answer_claims.c.ordinal),
    Claim,
    brief=True,
)
NAMED_IN = Query(
    select(
        *row_columns(
            NamedEntity,
            mentions,
            tone=tone(mentions),
            recommendation=judged("recommendation", mentions),
        )
    )
    .join(answers, answers.c.key == mentions.c.answer_key)
    .where(
        OURS,
        mentions.c.revision_key == bindparam("revision_key"),
        MembershipFilter(mentions.c.answer_key, "keys"),
        mentions.c.named.is_(True),
    )
    .order_by(mentions.c.answer_key, mentions.c.entity_key),
    NamedEntity,
)


class EvidenceRepository(Repository):
    """The answers of one company as evidence."""

    async def find(self, answer_id: str) -> EvidenceAnswer | None:
        """Return one answer as the current revision reads it; None if it is unknown or belongs to another company."""
        owner = await self._first(REVISION, answer_id=answer_id)
        return owner and await self._first(BY_ID, answer_id=answer_id, revision_key=owner[0])

    async def newest_of_batch(self, batch_id: str, most: int) -> list[ReceivedAnswer]:
        """Return the newest valid answers of a batch, extracted or not."""
        return await self._all(NEWEST_OF_BATCH, batch_id=batch_id, most=most)

    async def text(self, answer: EvidenceAnswer) -> str:
        """Return the text of an answer in the parsing used by its revision."""
        return await self._first(TEXT, answer_key=answer.key, revision_key=answer.revision_key) or ""

    async def texts(self, revision_key: int, keys: Sequence[int]) -> dict[int, str]:
        """Return the texts of answers in the parsing used by a revision, by the answers' keys.

        They are unpacked here, so that other requests get their turn after every hundred.
        """
        found: dict[int, str] = {}
        for first in range(0, len(keys), TEXTS_AT_ONCE):
            some = list(keys[first : first + TEXTS_AT_ONCE])
            found.update(await self._all(TEXTS, revision_key=revision_key, keys=some))
        return found

    async def seen(self, answer: EvidenceAnswer) -> tuple[Mapping[str, Any] | None, str | None]:
        """Return the screen details of an observed answer, and why nothing was displayed."""
        return await self._first(SEEN, answer_key=answer.key) or (None, None)

    async def mentions(self, answer: EvidenceAnswer) -> list[EvidenceMention]:
        """Return every entity that an answer names, possibly names, negates or cites; the brand first."""
        return await self._all(MENTIONS, answer_key=answer.key, revision_key=answer.revision_key)

    async def claims(self, answer: EvidenceAnswer) -> list[Claim]:
        """Return an answer's claims about the brand, next to the facts they were checked against."""
        return await self._all(CLAIMS, answer_key=answer.key)

    async def named_in(self, revision_key: int, keys: Sequence[int]) -> list[NamedEntity]:
        """Return the entities that these answers name."""
        return await self._all(NAMED_IN, revision_key=revision_key, keys=list(keys)) if keys else []

"""Audits of matching: the answers a sample is drawn from, the sample, and what a person says of each answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, bindparam, insert, select, update

from storage.encoding import unpacked
from storage.ids import new_id
from storage.queries import Query
from storage.repositories.answers.judged_mentions import judged
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.answers import answer_texts, answers, channels, mentions
from storage.tables.audits import mention_audits, mention_labels
from storage.tables.prompts import prompts, run_batches


@dataclass(frozen=True, slots=True)
class AuditableAnswer:
    """One valid answer to a prompt that does not name the brand, as a revision read it."""

    key: int
    prompt: str
    platform: str
    mode: str
    source: str
    country: str
    named: bool
    tone: str | None


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One audit; `revision_key` is the reading that it judges."""

    key: int
    id: str
    revision_key: int
    seed: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One answer of a sample. `named` and `tone` are a person's, None until labeled."""

    answer_key: int
    answer_id: str
    prompt: str
    text: str
    read_as_named: bool
    read_tone: str | None
    named: bool | None
    tone: str | None


def auditable_answer(
    key: int,
    prompt: str,
    platform: str,
    mode: str,
    source: str,
    country: str,
    named: bool | None,
    tone: str | None,
) -> AuditableAnswer:
    """Build an answer; one without a mention of the brand does not name it."""
    return AuditableAnswer(key, prompt, platform, mode, source, country, bool(named), tone)


def label_row(
    answer_key: int, answer_id: str, prompt: str, text: bytes, read_as_named: bool, read_tone: str | None,
    named: bool | None, tone: str | None,
) -> LabelRow:  # fmt: skip
    """Build a label with the answer's text."""
    return LabelRow(answer_key, answer_id, prompt, unpacked(text), read_as_named, read_tone, named, tone)


POPULATION = Query(
    select(
        answers.c.key,
        prompts.c.id,
        channels.c.platform,
        channels.c.mode,
        channels.c.source,
        channels.c.country,
        mentions.c.named,
        judged("label", mentions),
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
    .order_by(answers.c.key),
    auditable_answer,
)
NEWEST = Query(
    select(*row_columns(AuditRow, mention_audits))
    .where(
        mention_audits.c.company_id == bindparam("company_id"),
        mention_audits.c.brand_key == bindparam("brand_key"),
    )
    .order_by(mention_audits.c.created_at.desc(), mention_audits.c.key.desc())
    .limit(1),
    AuditRow,
)
SAMPLE = Query(
    select(
        *row_columns(
            LabelRow, mention_labels, answer_id=answers.c.id, prompt=prompts.c.text, text=answer_texts.c.text
        )
    )
    .select_from(mention_labels)
    .join(answers, answers.c.key == mention_labels.c.answer_key)
    .join(prompts, prompts.c.key == answers.c.prompt_key)
    .join(answer_texts, answer_texts.c.answer_key == answers.c.key)
    .where(
        mention_labels.c.company_id == bindparam("company_id"),
        mention_labels.c.audit_key == bindparam("audit_key"),
    )
    .order_by(mention_labels.c.answer_key),
    label_row,
)


class AuditRepository(Repository):
    """The audits of one company's brands."""

    async def population(self, brand_key: int, revision_key: int) -> list[AuditableAnswer]:
        """Return every valid answer of published batches, as a revision read it."""
        return await self._all(POPULATION, brand_key=brand_key, revision_key=revision_key)

    async def add(
        self, brand_key: int, revision_key: int, seed: int, sample: Sequence[AuditableAnswer], now: datetime
    ) -> None:
        """Store a sample that waits for its labels."""
        values = {
            "id": new_id(),
            "company_id": self.company_id,
            "brand_key": brand_key,
            "revision_key": revision_key,
            "seed": seed,
            "created_at": now,
        }
        await self._write(insert(mention_audits), values)
        audit = await self.newest(brand_key)
        if audit is None:
            raise LookupError("the audit was not stored")
        rows = [
            {
                "audit_key": audit.key,
                "answer_key": answer.key,
                "company_id": self.company_id,
                "read_as_named": answer.named,
                "read_tone": answer.tone,
            }
            for answer in sample
        ]
        await self._write(insert(mention_labels), rows)

    async def newest(self, brand_key: int) -> AuditRow | None:
        """Return the newest audit of a brand."""
        return await self._first(NEWEST, brand_key=brand_key)

    async def sample(self, audit_key: int) -> list[LabelRow]:
        """Return the answers of an audit with what is known of each."""
        return await self._all(SAMPLE, audit_key=audit_key)

    async def label(
        self, audit_key: int, answer_key: int, named: bool, tone: str | None, now: datetime
    ) -> None:
        """Store what a person says of an answer; a second label replaces the first."""
        row = (
            (mention_labels.c.audit_key == audit_key)
            & (mention_labels.c.answer_key == answer_key)
            & (mention_labels.c.company_id == self.company_id)
        )
        values = {"named": named, "tone": tone, "labeled_at": now}
        await self._write(update(mention_labels).where(row).values(values))

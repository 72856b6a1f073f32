"""Where answers mention whom: texts and spans for a judge, and when each platform last named the brand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    and_,
    bindparam,
    func,
    select,
)

from storage.queries import Query
from storage.repositories.answers.answers import unpacked
from storage.repositories.answers.reparsed_answers import AS_READ
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.answers import (
    THE_BRAND,
    answer_readings,
    answer_texts,
    answers,
    channels,
    mentions,
    reparsed_answers,
)
from storage.tables.prompts import asks, prompts, run_batches


@dataclass(frozen=True, slots=True)
class MentioningAnswerRow:
    """One valid answer with its text, as a judge of what it says needs it."""

    text: str
    key: int
    id: str
    simulation_key: int
    platform: str
    mode: str
    prompt_key: int
    prompt_id: str
    prompt: str
    branded: bool
    captured_at: datetime
    language: str | None
    """In which the engine was asked (BCP 47), where it is known."""


@dataclass(frozen=True, slots=True)
class MentionedSpanRow:
    """Where one answer names one entity; key 0 is the brand itself."""

    answer_key: int
    entity_key: int
    named: bool
    spans: Sequence[Mapping[str, Any]]
    quote: str | None


def mentioning_answer(text: bytes, *fields: Any) -> MentioningAnswerRow:
    """Build one answer with its text."""
    return MentioningAnswerRow(unpacked(text), *fields)


MENTIONING_ANSWERS = Query(
    select(
        func.coalesce(reparsed_answers.c.text, answer_texts.c.text),
        answers.c.key,
        answers.c.id,
        asks.c.simulation_key,
        channels.c.platform,
        channels.c.mode,
        answers.c.prompt_key,
        prompts.c.id,
        prompts.c.text,
        answer_readings.c.branded,
        answers.c.captured_at,
        func.coalesce(answers.c.language, prompts.c.language),
    )
    .select_from(answers)
    .join(
        answer_readings,
        and_(
            answer_readings.c.answer_key == answers.c.key,
            answer_readings.c.revision_key == bindparam("revision_key"),
        ),
    )
    .join(answer_texts, answer_texts.c.answer_key == answers.c.key)
    .outerjoin(reparsed_answers, AS_READ)
    .join(asks, asks.c.key == answers.c.ask_key)
    .join(channels, channels.c.key == answers.c.channel_key)
    .join(prompts, prompts.c.key == answers.c.prompt_key)
    .where(
        answers.c.company_id == bindparam("company_id"),
        answers.c.batch_key == bindparam("batch_key"),
        func.coalesce(reparsed_answers.c.valid, answers.c.valid).is_(True),
        answers.c.key > bindparam("after"),
    )
    .order_by(answers.c.key)
    .limit(bindparam("limit")),
    mentioning_answer,
)
MENTIONED_SPANS = Query(
    select(*row_columns(MentionedSpanRow, mentions))
    .join(answers, answers.c.key == mentions.c.answer_key)
    .where(
        answers.c.company_id == bindparam("company_id"),
        answers.c.batch_key == bindparam("batch_key"),
        mentions.c.revision_key == bindparam("revision_key"),
        mentions.c.answer_key >= bindparam("low"),
        mentions.c.answer_key <= bindparam("high"),
    )
    .order_by(mentions.c.answer_key, mentions.c.entity_key),
    MentionedSpanRow,
)


class MentioningAnswerRepository(Repository):
    """The texts of one company's valid answers, with the mentions that a revision read in them."""

    async def after(
        self, revision_key: int, batch_key: int, answer_key: int, limit: int
    ) -> tuple[list[MentioningAnswerRow], list[MentionedSpanRow]]:
        """Return the next valid answers of a batch after one, with their texts, by key, and whom they name where."""
        place = {"revision_key": revision_key, "batch_key": batch_key}
        answer_rows = await self._all(MENTIONING_ANSWERS, **place, after=answer_key, limit=limit)
        if not answer_rows:
            return [], []
        low, high = answer_rows[0].key, answer_rows[-1].key
        return answer_rows, await self._all(MENTIONED_SPANS, **place, low=low, high=high)


@dataclass(frozen=True, slots=True)
class MentionHistory:
    """How a platform named the brand so far in answers to prompts that do not name it."""

    last_named_at: datetime
    best_rank: int | None


def keyed_history(platform: str, *fields: Any) -> tuple[str, MentionHistory]:
    """Build one platform's history."""
    return platform, MentionHistory(*fields)


IN_HISTORY = (
    select(answers.c.key)
    .join(
        answer_readings,
        and_(
            answer_readings.c.answer_key == answers.c.key,
            answer_readings.c.revision_key == bindparam("revision_key"),
        ),
    )
    .join(run_batches, and_(run_batches.c.key == answers.c.batch_key, run_batches.c.status == "success"))
    .where(
        answers.c.key == mentions.c.answer_key,
        answers.c.company_id == bindparam("company_id"),
        answers.c.batch_key != bindparam("batch_key"),
        answer_readings.c.branded.is_(False),
    )
    .correlate(mentions)
    .exists()
)


def first_in(column: ColumnElement[Any], order: ColumnElement[Any], *chosen: ColumnElement[bool]) -> Any:
    """Return the first value of a channel's history in the order of an index, so that no more is read."""
    return (
        select(column)
        .where(
            mentions.c.revision_key == bindparam("revision_key"),
            mentions.c.entity_key == THE_BRAND,
            mentions.c.channel_key == channels.c.key,
            *chosen,
            IN_HISTORY,
        )
        .order_by(order)
        .limit(1)
        .correlate(channels)
        .scalar_subquery()
    )


OF_CHANNELS = select(
    channels.c.platform,
    first_in(mentions.c.captured_at, mentions.c.captured_at.desc(), mentions.c.named.is_(True)).label("last"),
    # Only who is named has a rank.
    first_in(mentions.c.rank, mentions.c.rank, mentions.c.rank.is_not(None)).label("best"),
).subquery()
HISTORY = Query(
    select(OF_CHANNELS.c.platform, func.max(OF_CHANNELS.c.last), func.min(OF_CHANNELS.c.best))
    .where(OF_CHANNELS.c.last.is_not(None))
    .group_by(OF_CHANNELS.c.platform),
    keyed_history,
)


class MentionHistoryRepository(Repository):
    """How the platforms that one company asked named its brands so far."""

    async def by_platform(self, revision_key: int, batch_key: int) -> dict[str, MentionHistory]:
        """Return how each platform that ever named the brand did so, one batch left out."""
        return dict(await self._all(HISTORY, revision_key=revision_key, batch_key=batch_key))

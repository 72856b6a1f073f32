"""Mention history: when each platform last named the brand, and its best rank there."""

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
from storage.repository import Repository
from storage.tables.answers import (
    THE_BRAND,
    answer_readings,
    answers,
    channels,
    mentions,
)
from storage.tables.prompts import run_batches


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
    """Return the first value of a channel's history in the order of an index, so that no more is looked at."""
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

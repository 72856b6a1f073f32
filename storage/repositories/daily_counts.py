"""Daily counts: in how many answers of a day each entity is named, ranked, cited and judged."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, and_, bindparam, case, cast, delete, func, insert, or_, select

from storage.queries import Query
from storage.repositories.answers.answer_filters import (
    DAY,
    DAYS_SINCE_1970,
    OF_CHANNEL,
    AnswerFilter,
    conditions,
    day_of,
)
from storage.repositories.answers.reparsed_answers import IS_VALID
from storage.repositories.revisions import OWN_REVISION, owned_revision
from storage.repository import Repository
from storage.tables.answers import answer_readings, answers, channels, mentions
from storage.tables.prompts import prompts, run_batches
from storage.tables.results import daily_rollups


@dataclass(frozen=True, slots=True)
class DayNaming:
    """In how many valid answers of a day an entity is named; `valid` is only set for the brand, key 0."""

    day: date
    entity_key: int
    named: int
    valid: int


@cache
def namings_of(names: tuple[str, ...]) -> Query[DayNaming]:
    """Return the query that adds up the counts of days under one choice of filters on channels."""
    counts = select(
        daily_rollups.c.day,
        daily_rollups.c.entity_key,
        cast(func.sum(daily_rollups.c.named), BigInteger),
        cast(func.sum(daily_rollups.c.valid), BigInteger),
    ).where(
        OWN_REVISION,
        daily_rollups.c.revision_key == bindparam("revision_key"),
        daily_rollups.c.day >= bindparam("first", type_=daily_rollups.c.day.type),
        daily_rollups.c.day <= bindparam("last", type_=daily_rollups.c.day.type),
    )
    if names:
        counts = counts.where(
            daily_rollups.c.channel_key.in_(select(channels.c.key).where(*conditions(names)))
        )
    return Query(
        counts.group_by(daily_rollups.c.day, daily_rollups.c.entity_key).order_by(
            daily_rollups.c.day, daily_rollups.c.entity_key
        ),
        DayNaming,
    )


WHEN = and_(
    answers.c.company_id == bindparam("company_id"),
    answers.c.brand_key == bindparam("brand_key"),
    answers.c.captured_at >= bindparam("since", type_=answers.c.captured_at.type),
    answers.c.captured_at < bindparam("until", type_=answers.c.captured_at.type),
    IS_VALID,
)
PUBLISHED = and_(run_batches.c.key == answers.c.batch_key, run_batches.c.status == "success")
SCORED = and_(
    answer_readings.c.branded.is_(False),
    or_(prompts.c.prompt_set_key.is_not(None), run_batches.c.source == "import"),
)


def counted(condition: Any) -> Any:
    """Count the rows where a condition holds."""
    return cast(func.coalesce(func.sum(case((condition, 1), else_=0)), 0), BigInteger)


def channel_counts(day: int, channel: int, *counts: int) -> tuple[tuple[date, int], tuple[int, ...]]:
    """Group the counts of one day and channel."""
    return (day_of(day), channel), counts


def entity_counts(
    day: int, channel: int, entity: int, *counts: int
) -> tuple[tuple[date, int, int], tuple[int, ...]]:
    """Group the counts of one entity on one day in one channel."""
    return (day_of(day), channel, entity), counts


DAY_ANSWERS = Query(
    select(
        DAYS_SINCE_1970,
        answers.c.channel_key,
        func.count(),
        counted(SCORED),
        counted(answer_readings.c.measurable),
    )
    .join(
        answer_readings,
        and_(
            answer_readings.c.answer_key == answers.c.key,
            answer_readings.c.revision_key == bindparam("revision_key"),
        ),
    )
    .join(prompts, prompts.c.key == answers.c.prompt_key)
    .join(run_batches, PUBLISHED)
    .where(WHEN)
    .group_by(DAYS_SINCE_1970, answers.c.channel_key),
    channel_counts,
)
DAY_MENTIONS = Query(
    select(
        DAYS_SINCE_1970,
        answers.c.channel_key,
        mentions.c.entity_key,
        counted(mentions.c.named),
        counted(and_(mentions.c.named, SCORED)),
        counted(mentions.c.rank.is_not(None)),
        cast(func.coalesce(func.sum(mentions.c.rank), 0), BigInteger),
        counted(and_(mentions.c.cites_own, answer_readings.c.measurable)),
    )
    .join(answers, answers.c.key == mentions.c.answer_key)
    .join(
        answer_readings,
        and_(
            answer_readings.c.answer_key == answers.c.key,
            answer_readings.c.revision_key == mentions.c.revision_key,
        ),
    )
    .join(prompts, prompts.c.key == answers.c.prompt_key)
    .join(run_batches, PUBLISHED)
    .where(WHEN, mentions.c.revision_key == bindparam("revision_key"))
    .group_by(DAYS_SINCE_1970, answers.c.channel_key, mentions.c.entity_key),
    entity_counts,
)
MENTION_COUNTS = (
    "named",
    "scored_named",
    "ranked",
    "rank_sum",
    "cited_own",
)


class DailyCountRepository(Repository):
    """The daily counts of one company."""

    async def namings(
        self, revision_key: int, first: date, last: date, filters: AnswerFilter
    ) -> list[DayNaming]:
        """Return how many answers of each day name each entity; filters on anything but channels are ignored."""
        names = tuple(name for name in filters.names if name in OF_CHANNEL)
        values = {name: value for name, value in filters.values.items() if name in names}
        return await self._all(namings_of(names), revision_key=revision_key, first=first, last=last, **values)

    async def recount(self, brand_key: int, revision_key: int, days: Sequence[date]) -> None:
        """Recompute the counts of these days from the rows themselves; repeating it is harmless."""
        for day in days:
            ours = daily_rollups.c.revision_key.in_(owned_revision(self.company_id, revision_key))
            await self._write(
                delete(daily_rollups).where(
                    ours, daily_rollups.c.revision_key == revision_key, daily_rollups.c.day == day
                )
            )
            rows = await self.of_day(brand_key, revision_key, day)
            if rows:
                await self._write(insert(daily_rollups), rows)

    async def of_day(self, brand_key: int, revision_key: int, day: date) -> list[dict[str, Any]]:
        """Count one day from the answers and mentions of successful batches."""
        return await self.between(brand_key, revision_key, day, day)

    async def between(
        self, brand_key: int, revision_key: int, first: date, last: date
    ) -> list[dict[str, Any]]:
        """Count each of these days, both included, from the answers and mentions of successful batches."""
        values = {
            "brand_key": brand_key,
            "revision_key": revision_key,
            "since": datetime(first.year, first.month, first.day, tzinfo=UTC),
            "until": datetime(last.year, last.month, last.day, tzinfo=UTC) + DAY,
        }
        answer_counts = dict(await self._all(DAY_ANSWERS, **values))
        mention_counts = dict(await self._all(DAY_MENTIONS, **values))
        named: dict[date, set[int]] = {day: {0} for day, _ in answer_counts}
        for day, _, entity in mention_counts:
            named.setdefault(day, {0}).add(entity)
        return [
            {
                "revision_key": revision_key,
                "entity_key": entity,
                "day": day,
                "channel_key": channel,
                **dict(zip(("valid", "scored_valid", "measurable"), seen, strict=True)),
                **dict(
                    zip(
                        MENTION_COUNTS,
                        mention_counts.get((day, channel, entity), (0,) * len(MENTION_COUNTS)),
                        strict=True,
                    )
                ),
            }
            for (day, channel), seen in sorted(answer_counts.items())
            for entity in sorted(named[day])
        ]

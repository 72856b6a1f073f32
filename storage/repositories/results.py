"""Results: stored calculations with their receipts, trend points, and counts of each day."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Select, and_, bindparam, case, cast, delete, func, insert, or_, select

from storage.ids import new_id
from storage.repositories.answers.answer_filters import OF_CHANNEL, AnswerFilter, conditions
from storage.repositories.answers.reparsed_answers import IS_VALID
from storage.repositories.brand_scores import BrandRankings, BrandScore
from storage.statements.queries import Query, plain
from storage.statements.repository import Repository
from storage.statements.tables.answers import answer_readings, answers, channels, mentions
from storage.statements.tables.brands import analysis_revisions, brands
from storage.statements.tables.prompts import prompts, run_batches
from storage.statements.tables.results import daily_rollups, metric_points, score_calculations


@dataclass(frozen=True, slots=True)
class CalculationRow:
    """One stored result: headline (score, factors, interval, change), per platform, ranking, receipt."""

    key: int
    id: str
    brand_key: int
    revision_key: int
    batch_key: int
    receipt_id: str
    status: str
    score: float | None
    headline: Mapping[str, Any]
    receipt: Mapping[str, Any]
    calculated_at: datetime


@dataclass(frozen=True, slots=True)
class CalculationDraft:
    """A result that is to be stored."""

    receipt_id: str
    status: str
    score: float | None
    headline: Mapping[str, Any]
    platforms: Mapping[str, Any]
    rankings: Mapping[str, Any]
    receipt: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PointDraft:
    """One value of one metric of one batch; channel 0 is all channels together.

    `low` and `high` are the 95 % interval of all such questions, `prompts_low` and `prompts_high` that of the same
    prompts; `noise_source` says how the noise of single answers was known.
    """

    metric: str
    channel_key: int
    day: date
    value: float
    samples: int
    low: float | None
    high: float | None
    prompts_low: float | None
    prompts_high: float | None
    noise_source: str | None


@dataclass(frozen=True, slots=True)
class DayNaming:
    """In how many valid answers of a day an entity is named; `valid` is only set for the brand, key 0."""

    day: date
    entity_key: int
    named: int
    valid: int


@dataclass(frozen=True, slots=True)
class Point:
    """One batch's value of a metric on a day."""

    day: date
    value: float
    samples: int
    low: float | None
    high: float | None
    prompts_low: float | None
    prompts_high: float | None
    noise_source: str | None
    batch_id: str


C = score_calculations.c
CALCULATION = (
    C.key,
    C.id,
    C.brand_key,
    C.revision_key,
    C.batch_key,
    C.receipt_id,
    C.status,
    C.score,
    C.headline,
    C.receipt,
    C.calculated_at,
)
OURS = and_(
    C.company_id == bindparam("company_id"),
    C.brand_key == bindparam("brand_key"),
    C.revision_key == bindparam("revision_key"),
)
NEWEST = (C.calculated_at.desc(), C.key.desc())
OF_BRAND = Query(
    select(*CALCULATION).where(OURS).order_by(*NEWEST).limit(bindparam("limit")), CalculationRow, brief=True
)
PLATFORMS = Query(
    select(C.platforms, C.calculated_at, C.receipt).where(OURS).order_by(*NEWEST).limit(1), plain, brief=True
)
NEWEST_OF_BRAND = (
    select(C.key)
    .where(C.brand_key == brands.c.key, C.revision_key == brands.c.revision_key)
    .order_by(*NEWEST)
    .limit(1)
    .correlate(brands)
    .scalar_subquery()
)
LATEST = score_calculations.alias("latest")
CURRENT = (
    select(brands.c.id, brands.c.name, LATEST.c.score, LATEST.c.status, LATEST.c.calculated_at)
    .select_from(brands)
    .join(LATEST, LATEST.c.key == NEWEST_OF_BRAND)
    .where(brands.c.company_id == bindparam("company_id"))
    .order_by(LATEST.c.calculated_at.desc(), LATEST.c.key.desc())
)
IS_ACTIVE = brands.c.archived_at.is_(None)
SCORES = Query(CURRENT.where(IS_ACTIVE), BrandScore, brief=True)
RANKINGS = Query(
    CURRENT.where(IS_ACTIVE).add_columns(LATEST.c.rankings, LATEST.c.receipt).limit(bindparam("limit")),
    BrandRankings,
    brief=True,
)
BRAND_RANKINGS = Query(
    CURRENT.add_columns(LATEST.c.rankings, LATEST.c.receipt).where(brands.c.key == bindparam("brand_key")),
    BrandRankings,
    brief=True,
)
BY_RECEIPT = Query(
    select(*CALCULATION)
    .where(C.company_id == bindparam("company_id"), C.receipt_id == bindparam("receipt_id"))
    .order_by(*NEWEST)
    .limit(1),
    CalculationRow,
)
OF_BATCH = Query(
    select(*CALCULATION).where(
        C.company_id == bindparam("company_id"),
        C.revision_key == bindparam("revision_key"),
        C.batch_key == bindparam("batch_key"),
    ),
    CalculationRow,
)

P = metric_points.c
POINTS = Query(
    select(
        P.day,
        P.value,
        P.samples,
        P.low,
        P.high,
        P.prompts_low,
        P.prompts_high,
        P.noise_source,
        run_batches.c.id,
    )
    .join(run_batches, run_batches.c.key == P.batch_key)
    .join(analysis_revisions, analysis_revisions.c.key == P.revision_key)
    .where(
        analysis_revisions.c.company_id == bindparam("company_id"),
        P.revision_key == bindparam("revision_key"),
        P.metric == bindparam("metric"),
        P.channel_key == bindparam("channel_key"),
        P.day >= bindparam("since", type_=P.day.type),
    )
    .order_by(P.day, P.batch_key),
    Point,
    brief=True,
)
NEWEST_DAY = Query(
    select(P.day)
    .join(analysis_revisions, analysis_revisions.c.key == P.revision_key)
    .where(
        analysis_revisions.c.company_id == bindparam("company_id"),
        P.revision_key == bindparam("revision_key"),
        P.metric == bindparam("metric"),
        P.channel_key == bindparam("channel_key"),
    )
    .order_by(P.day.desc())
    .limit(1),
    plain,
    brief=True,
)

NEWEST_VALUE = Query(
    select(P.value, P.samples)
    .join(analysis_revisions, analysis_revisions.c.key == P.revision_key)
    .where(
        analysis_revisions.c.company_id == bindparam("company_id"),
        P.revision_key == bindparam("revision_key"),
        P.metric == bindparam("metric"),
        P.channel_key == bindparam("channel_key"),
        P.day >= bindparam("since", type_=P.day.type),
    )
    .order_by(P.day.desc(), P.batch_key.desc())
    .limit(1),
    plain,
    brief=True,
)

D = daily_rollups.c


@cache
def namings_of(names: tuple[str, ...]) -> Query[DayNaming]:
    """Return the query that adds up the counts of days under one choice of filters on channels."""
    counts = (
        select(
            D.day,
            D.entity_key,
            cast(func.sum(D.named), BigInteger),
            cast(func.sum(D.valid), BigInteger),
        )
        .join(analysis_revisions, analysis_revisions.c.key == D.revision_key)
        .where(
            analysis_revisions.c.company_id == bindparam("company_id"),
            D.revision_key == bindparam("revision_key"),
            D.day >= bindparam("first", type_=D.day.type),
            D.day <= bindparam("last", type_=D.day.type),
        )
    )
    if names:
        counts = counts.where(D.channel_key.in_(select(channels.c.key).where(*conditions(names))))
    return Query(counts.group_by(D.day, D.entity_key).order_by(D.day, D.entity_key), DayNaming)


A, R, M = answers.c, answer_readings.c, mentions.c
WHEN = and_(
    A.company_id == bindparam("company_id"),
    A.brand_key == bindparam("brand_key"),
    A.captured_at >= bindparam("since", type_=A.captured_at.type),
    A.captured_at < bindparam("until", type_=A.captured_at.type),
    IS_VALID,
)
PUBLISHED = and_(run_batches.c.key == A.batch_key, run_batches.c.status == "success")
SCORED = and_(
    R.branded.is_(False), or_(prompts.c.prompt_set_key.is_not(None), run_batches.c.source == "import")
)


def counted(condition: Any) -> Any:
    """Count the rows where a condition holds."""
    return cast(func.coalesce(func.sum(case((condition, 1), else_=0)), 0), BigInteger)


def channel_counts(channel: int, *counts: int) -> tuple[int, tuple[int, ...]]:
    """Group the counts of one channel."""
    return channel, counts


def entity_counts(entity: int, channel: int, *counts: int) -> tuple[tuple[int, int], tuple[int, ...]]:
    """Group the counts of one entity in one channel."""
    return (entity, channel), counts


DAY_ANSWERS = Query(
    select(A.channel_key, func.count(), counted(SCORED), counted(R.measurable))
    .join(answer_readings, and_(R.answer_key == A.key, R.revision_key == bindparam("revision_key")))
    .join(prompts, prompts.c.key == A.prompt_key)
    .join(run_batches, PUBLISHED)
    .where(WHEN)
    .group_by(A.channel_key),
    channel_counts,
)
DAY_MENTIONS = Query(
    select(
        M.entity_key,
        A.channel_key,
        counted(M.named),
        counted(and_(M.named, SCORED)),
        counted(M.rank.is_not(None)),
        cast(func.coalesce(func.sum(M.rank), 0), BigInteger),
        counted(and_(M.cites_own, R.measurable)),
        counted(M.tone == "positive"),
        counted(M.tone == "neutral"),
        counted(M.tone == "negative"),
    )
    .join(answers, A.key == M.answer_key)
    .join(answer_readings, and_(R.answer_key == A.key, R.revision_key == M.revision_key))
    .join(prompts, prompts.c.key == A.prompt_key)
    .join(run_batches, PUBLISHED)
    .where(WHEN, M.revision_key == bindparam("revision_key"))
    .group_by(M.entity_key, A.channel_key),
    entity_counts,
)
MENTION_COUNTS = (
    "named",
    "scored_named",
    "ranked",
    "rank_sum",
    "cited_own",
    "positive",
    "neutral",
    "negative",
)


class ResultRepository(Repository):
    """The calculations, trend points and daily counts of one company."""

    async def latest(self, brand_key: int, revision_key: int, limit: int = 1) -> list[CalculationRow]:
        """Return the newest calculations of the brand in this revision, newest first."""
        return await self._all(OF_BRAND, brand_key=brand_key, revision_key=revision_key, limit=limit)

    async def platforms(
        self, brand_key: int, revision_key: int
    ) -> tuple[Mapping[str, Any], datetime, Mapping[str, Any]] | None:
        """Return the per-engine part of the newest calculation, when it was made, and its receipt."""
        return await self._first(PLATFORMS, brand_key=brand_key, revision_key=revision_key)

    async def scores(self) -> list[BrandScore]:
        """Return the score in force of every brand that was ever measured, last measured first."""
        return await self._all(SCORES)

    async def rankings(self, brand_key: int | None, limit: int) -> list[BrandRankings]:
        """Return the rankings in force of one brand, or of every brand, last measured first."""
        if brand_key is None:
            return await self._all(RANKINGS, limit=limit)
        return await self._all(BRAND_RANKINGS, brand_key=brand_key)

    async def by_receipt(self, receipt_id: str) -> CalculationRow | None:
        """Return the calculation that a receipt belongs to."""
        return await self._first(BY_RECEIPT, receipt_id=receipt_id)

    async def of_batch(self, revision_key: int, batch_key: int) -> CalculationRow | None:
        """Return the calculation of one batch in one revision."""
        return await self._first(OF_BATCH, revision_key=revision_key, batch_key=batch_key)

    async def add(
        self,
        draft: CalculationDraft,
        points: Sequence[PointDraft],
        *,
        brand_key: int,
        revision_key: int,
        batch_key: int,
        replay_of: int | None,
        now: datetime,
        signature: str = "",
    ) -> None:
        """Store a result and its trend points, in place of what this revision said of the batch before."""
        origin = {"revision_key": revision_key, "batch_key": batch_key}
        for table in (score_calculations, metric_points):
            same = (table.c.revision_key == revision_key) & (table.c.batch_key == batch_key)
            await self._write(
                delete(table).where(same, table.c.revision_key.in_(self._revisions(revision_key)))
            )
        owner = {"id": new_id(), "company_id": self.company_id, "brand_key": brand_key, **origin}
        names = ("receipt_id", "status", "score", "headline", "platforms", "rankings", "receipt")
        values = {name: getattr(draft, name) for name in names}
        await self._write(
            insert(score_calculations),
            {**owner, **values, "replay_of": replay_of, "calculated_at": now, "signature": signature},
        )
        rows = [{**origin, **asdict(point)} for point in points]
        if rows:
            await self._write(insert(metric_points), rows)

    async def points(self, revision_key: int, metric: str, since: date, channel_key: int = 0) -> list[Point]:
        """Return every batch's value of a metric since a day, oldest first, over all channels by default."""
        return await self._all(
            POINTS, revision_key=revision_key, metric=metric, since=since, channel_key=channel_key
        )

    async def newest_day(self, revision_key: int, metric: str, channel_key: int = 0) -> date | None:
        """Return the last day on which a metric has a value, over all channels by default."""
        found = await self._first(
            NEWEST_DAY, revision_key=revision_key, metric=metric, channel_key=channel_key
        )
        return found[0] if found else None

    async def newest_value(self, revision_key: int, metric: str, since: date) -> tuple[float, int] | None:
        """Return the newest value of a metric over all channels, not older than a day, with its samples."""
        return await self._first(
            NEWEST_VALUE, revision_key=revision_key, metric=metric, since=since, channel_key=0
        )

    async def namings(
        self, revision_key: int, first: date, last: date, filters: AnswerFilter
    ) -> list[DayNaming]:
        """Return how many answers of each day name each entity; filters on anything but channels are ignored."""
        names = tuple(name for name in filters.names if name in OF_CHANNEL)
        values = {name: value for name, value in filters.values.items() if name in names}
        return await self._all(namings_of(names), revision_key=revision_key, first=first, last=last, **values)

    async def recount(self, brand_key: int, revision_key: int, days: Sequence[date]) -> None:
        """Write the counts of these days anew from the rows themselves; repeating it is harmless."""
        for day in days:
            ours = D.revision_key.in_(self._revisions(revision_key))
            await self._write(delete(daily_rollups).where(ours, D.revision_key == revision_key, D.day == day))
            rows = await self.counts(brand_key, revision_key, day)
            if rows:
                await self._write(insert(daily_rollups), rows)

    def _revisions(self, revision_key: int) -> Select[Any]:
        """Return the choice of a revision of this company, for tables whose rows have no owner of their own."""
        V = analysis_revisions.c
        return select(V.key).where(V.key == revision_key, V.company_id == self.company_id)

    async def counts(self, brand_key: int, revision_key: int, day: date) -> list[dict[str, Any]]:
        """Count one day from the answers and mentions of successful batches."""
        since = datetime(day.year, day.month, day.day, tzinfo=UTC)
        values = {
            "brand_key": brand_key,
            "revision_key": revision_key,
            "since": since,
            "until": since + timedelta(days=1),
        }
        answer_counts = dict(await self._all(DAY_ANSWERS, **values))
        mention_counts = dict(await self._all(DAY_MENTIONS, **values))
        entities = {entity for entity, _ in mention_counts} | {0}
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
                        mention_counts.get((entity, channel), (0,) * len(MENTION_COUNTS)),
                        strict=True,
                    )
                ),
            }
            for entity in sorted(entities)
            for channel, seen in sorted(answer_counts.items())
        ]

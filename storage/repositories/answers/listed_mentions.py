"""The mentions of a brand as a list shows them: page by page over all batches, and how many each day holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    FromClause,
    Integer,
    Select,
    Text,
    and_,
    bindparam,
    case,
    cast,
    func,
    join,
    literal_column,
    select,
    type_coerce,
)

from storage.filters import OptionalCondition, OptionalJoin, optional
from storage.queries import Listing, Query
from storage.repositories.answers.answer_filters import CONDITIONS, OF_CHANNEL, UNFILTERED, AnswerFilter
from storage.repositories.answers.judged_mentions import judged, tone
from storage.repositories.revisions import OWN_REVISION
from storage.repository import Repository
from storage.tables.answers import THE_BRAND, answers, channels, mentions
from storage.tables.brands import analysis_revisions
from storage.tables.prompts import prompt_sets, prompts, run_batches
from storage.tables.results import daily_rollups


class ListedMention(NamedTuple):
    """One mention as a list shows it."""

    answer_id: str
    batch_id: str
    platform: str
    mode: str
    source: str
    country: str
    served_model: str | None
    prompt: str
    prompt_set_id: str | None
    quote: str
    spans: Sequence[Mapping[str, Any]]
    occurrences: int
    rank: int | None
    tone: str | None
    recommendation: str | None
    cites_own: bool
    captured_at: datetime


@dataclass(frozen=True, slots=True)
class DayCount:
    """How many mentions of the brand one day holds in one platform."""

    day: date
    platform: str
    named: int


@dataclass(frozen=True, slots=True)
class PageWindow:
    """Where a page of mentions lies: in the days from `oldest` to `newest`, after those that are newer still."""

    total: int
    newer: int
    newest: date | None
    oldest: date | None


HIDDEN = (
    select(answers.c.key)
    .join(run_batches, run_batches.c.key == answers.c.batch_key)
    .join(analysis_revisions, analysis_revisions.c.brand_key == run_batches.c.brand_key)
    .where(
        analysis_revisions.c.company_id == bindparam("company_id"),
        analysis_revisions.c.key == bindparam("revision_key"),
        run_batches.c.status != "success",
    )
)
"""Answers of batches that no number shows: few, so they are looked up once and not for every mention."""
NAMED = (
    mentions.c.revision_key == bindparam("revision_key"),
    mentions.c.entity_key == THE_BRAND,
    mentions.c.named.is_(True),
    mentions.c.answer_key.not_in(HIDDEN.correlate(None)),
)
SINCE = mentions.c.captured_at >= bindparam("since", type_=mentions.c.captured_at.type)


def page_of(
    chosen: Select[*tuple[Any, ...]], order: ColumnElement[Any] = mentions.c.captured_at
) -> Select[*tuple[Any, ...]]:
    """Skip to the page in the index alone, and look up only the mentions that are on it."""
    before = mentions.c.captured_at < bindparam("before", type_=mentions.c.captured_at.type)
    return shown_page(
        chosen.where(*NAMED, SINCE, before).order_by(order.desc(), mentions.c.answer_key.desc())
    )


def shown_page(chosen: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """Look up what a list shows of the mentions that are on the page."""
    page_mentions = chosen.limit(bindparam("limit")).offset(bindparam("offset")).subquery()
    shown = mentions.alias("shown")
    of_page = and_(
        shown.c.revision_key == bindparam("revision_key"),
        shown.c.answer_key == page_mentions.c.answer_key,
        shown.c.entity_key == 0,
    )
    return described(shown, join(page_mentions, shown, of_page))


def described(shown: FromClause, source: FromClause) -> Select[*tuple[Any, ...]]:
    """Read what a list shows of mentions, newest first; `source` is them, or a join that has them."""
    return (
        select(
            answers.c.id,
            run_batches.c.id,
            channels.c.platform,
            channels.c.mode,
            channels.c.source,
            channels.c.country,
            answers.c.served_model,
            prompts.c.text,
            prompt_sets.c.id,
            shown.c.quote,
            shown.c.spans,
            shown.c.occurrences,
            shown.c.rank,
            tone(shown),
            judged("recommendation", shown),
            shown.c.cites_own,
            shown.c.captured_at,
        )
        .select_from(source)
        .join(answers, answers.c.key == shown.c.answer_key)
        .join(run_batches, run_batches.c.key == answers.c.batch_key)
        .join(channels, channels.c.key == shown.c.channel_key)
        .join(prompts, prompts.c.key == answers.c.prompt_key)
        .outerjoin(prompt_sets, prompt_sets.c.key == prompts.c.prompt_set_key)
        .where(answers.c.company_id == bindparam("company_id"))
        .order_by(shown.c.captured_at.desc(), shown.c.answer_key.desc())
    )


OF_CHANNELS = select(channels.c.key).where(
    channels.c.platform == func.coalesce(bindparam("platform", type_=Text), channels.c.platform),
    channels.c.country == func.coalesce(bindparam("country", type_=Text), channels.c.country),
    channels.c.mode == func.coalesce(bindparam("mode", type_=Text), channels.c.mode),
)
KEYS = select(mentions.c.answer_key)
PAGE = Query(page_of(KEYS), ListedMention, brief=True)
NEWEST_SHOWN = 5
NEWEST = Query(
    described(mentions, mentions)
    .where(
        mentions.c.revision_key == bindparam("revision_key"),
        mentions.c.entity_key == THE_BRAND,
        mentions.c.named.is_(True),
        run_batches.c.status == "success",
    )
    .limit(literal_column(str(NEWEST_SHOWN), Integer)),
    ListedMention,
    brief=True,
)
"""The limit is fixed: the plan that PostgreSQL keeps begins with the newest mentions only if few are read."""
# Sorting a platform's mentions of these days costs less than passing by those of all others, as an index that is
# in this order already would make the database do.
SORTED = type_coerce(mentions.c.captured_at, BigInteger) + 0
CHANNELS_PAGE = Query(
    page_of(KEYS.where(mentions.c.channel_key.in_(OF_CHANNELS)), SORTED), ListedMention, brief=True
)


EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
DAYS = Query(
    select(daily_rollups.c.day, channels.c.platform, daily_rollups.c.named)
    .join(channels, channels.c.key == daily_rollups.c.channel_key)
    .where(
        OWN_REVISION,
        daily_rollups.c.revision_key == bindparam("revision_key"),
        daily_rollups.c.entity_key == 0,
        daily_rollups.c.named > 0,
    )
    .order_by(daily_rollups.c.day.desc(), channels.c.platform),
    DayCount,
)
NAMED_DAYS = (
    select(daily_rollups.c.day, cast(func.sum(daily_rollups.c.named), BigInteger).label("named"))
    .where(
        OWN_REVISION,
        daily_rollups.c.revision_key == bindparam("revision_key"),
        daily_rollups.c.entity_key == 0,
        daily_rollups.c.named > 0,
    )
    .group_by(daily_rollups.c.day)
)


def select_page_days(days: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """Find the days that a page lies in by adding up the counts of days, newest first."""
    counted = days.subquery()
    up_to = cast(func.sum(counted.c.named).over(order_by=counted.c.day.desc()), BigInteger)
    running = select(counted.c.day, counted.c.named, up_to.label("up_to")).subquery()
    offset, limit = (bindparam(name, type_=Integer) for name in ("offset", "limit"))
    return select(
        func.coalesce(func.max(running.c.up_to), 0),
        func.coalesce(func.max(case((running.c.up_to <= offset, running.c.up_to))), 0),
        func.max(case((running.c.up_to > offset, running.c.day))),
        func.min(
            case(
                (
                    and_(running.c.up_to > offset, running.c.up_to - running.c.named < offset + limit),
                    running.c.day,
                )
            )
        ),
    )


STRETCH = Query(select_page_days(NAMED_DAYS), PageWindow)
CHANNELS_STRETCH = Query(
    select_page_days(NAMED_DAYS.where(daily_rollups.c.channel_key.in_(OF_CHANNELS))), PageWindow
)


TIMES: Mapping[str, ColumnElement[bool]] = {
    "since": SINCE,
    "until": mentions.c.captured_at < bindparam("until", type_=mentions.c.captured_at.type),
}
OF_PROMPTS = {
    name: condition for name, condition in CONDITIONS.items() if name not in OF_CHANNEL | TIMES.keys()
}
OF_MANY = OF_PROMPTS.keys() - {"prompt_id"}
PROMPT_KEYS = select(prompts.c.key).where(
    prompts.c.company_id == bindparam("company_id"), *optional(OF_PROMPTS)
)
TO_PROMPT = (
    select(answers.c.key)
    .where(
        answers.c.prompt_key.in_(
            select(prompts.c.key).where(
                prompts.c.company_id == bindparam("company_id"), OF_PROMPTS["prompt_id"]
            )
        )
    )
    .correlate(None)
)
"""The answers to one prompt, which are so few that their mentions are looked up and not chosen from all."""
CHOSEN = KEYS.select_from(
    OptionalJoin(mentions, answers, answers.c.key == mentions.c.answer_key, OF_MANY)
).where(
    *NAMED,
    *optional(TIMES),
    OptionalCondition(mentions.c.channel_key.in_(OF_CHANNELS), *OF_CHANNEL),
    OptionalCondition(mentions.c.answer_key.in_(TO_PROMPT), "prompt_id"),
    OptionalCondition(answers.c.company_id == bindparam("company_id"), *OF_MANY),
    OptionalCondition(answers.c.prompt_key.in_(PROMPT_KEYS), *OF_MANY),
)
FILTERED = Listing(
    shown_page(CHOSEN.order_by(mentions.c.captured_at.desc(), mentions.c.answer_key.desc())),
    select(func.count()).select_from(CHOSEN.subquery("counted")),
    ListedMention,
)
"""A page and its count for filters that counts of days and channels cannot answer.

Every mention within the times is counted, and its prompt looked up only where a filter is about prompts.
"""


class ListedMentionRepository(Repository):
    """The mentions of one company's brands, newest first."""

    async def days(self, revision_key: int) -> list[DayCount]:
        """Return how many mentions of the brand each day and platform hold, newest day first, platforms by name."""
        return await self._all(DAYS, revision_key=revision_key)

    async def newest(self, revision_key: int, chosen: AnswerFilter = UNFILTERED) -> list[ListedMention]:
        """Return the newest five mentions without counting how many there are."""
        if chosen is not UNFILTERED:
            return (await self.page(revision_key, NEWEST_SHOWN, 0, chosen))[0]
        return await self._all(NEWEST, revision_key=revision_key)

    async def page(
        self, revision_key: int, limit: int, offset: int, chosen: AnswerFilter = UNFILTERED
    ) -> tuple[list[ListedMention], int]:
        """Return one page over all batches, newest first, and how many mentions there are.

        Of all mentions, and of those of channels, whole days are skipped by their counts, so a deep page costs what
        the first one does; by times and prompts they are counted one by one.
        """
        values: dict[str, Any] = {"revision_key": revision_key, "limit": limit}
        names = () if chosen is UNFILTERED else chosen.names
        if not OF_CHANNEL.isdisjoint(names):
            values |= {name: getattr(chosen, name) for name in OF_CHANNEL}
        if not OF_CHANNEL.issuperset(names):
            return await self._page(FILTERED.of(names), **{**values, **chosen.values}, offset=offset)
        stretch_query, page_query = (CHANNELS_STRETCH, CHANNELS_PAGE) if names else (STRETCH, PAGE)
        stretch = await self._first(stretch_query, **values, offset=offset)
        assert stretch is not None
        if stretch.newest is None or stretch.oldest is None:
            return [], stretch.total
        since, before = start_of(stretch.oldest), start_of(stretch.newest) + timedelta(days=1)
        rest = offset - stretch.newer
        return await self._all(page_query, **values, since=since, before=before, offset=rest), stretch.total


def start_of(day: date) -> datetime:
    """Return the first instant of a day in UTC."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC)

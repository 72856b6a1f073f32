"""Daily counts of AI crawler visits and of referrals from AI products, and the published addresses of bots."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import BigInteger, ColumnElement, Table, bindparam, case, cast, delete, func, select

from storage.queries import Query, plain
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.crawler_visits import (
    ai_referrals,
    bot_address_lists,
    counted_log_lines,
    crawler_visits,
    log_intakes,
)

MOST_PATHS_READ: Final = 50
"""Pages that a period's list has, the most visited first."""


class VisitKey(NamedTuple):
    """What visits of one count have in common."""

    day: date
    site: str
    bot: str
    path: str
    status_class: int
    verification: str


class ReferralKey(NamedTuple):
    """What referrals of one count have in common."""

    day: date
    site: str
    product: str
    path: str


class LineKey(NamedTuple):
    """A counted line: its day and its digest."""

    day: date
    digest: int


@dataclass(frozen=True, slots=True)
class IntakeCounts:
    """What became of lines of a log."""

    lines: int
    counted: int
    duplicates: int
    skipped: int


@dataclass(frozen=True, slots=True)
class DailyBotVisits:
    """One bot's visits on a day with one verification and status class."""

    day: date
    bot: str
    verification: str
    status_class: int
    visits: int


@dataclass(frozen=True, slots=True)
class PathVisits:
    """How often bots that are not impostors asked for one path, and how many kinds of them did."""

    site: str
    path: str
    visits: int
    bots: int
    failed: int


@dataclass(frozen=True, slots=True)
class DailyReferrals:
    """People who came from one product on a day."""

    day: date
    product: str
    visits: int


@dataclass(frozen=True, slots=True)
class LandingPage:
    """A page that people came to from AI products."""

    site: str
    path: str
    product: str
    visits: int


@dataclass(frozen=True, slots=True)
class LogIntake:
    """Lines of a period by the way they came, and when the last came."""

    source: str
    lines: int
    counted: int
    duplicates: int
    skipped: int
    last_at: datetime


SINCE = bindparam("since", type_=crawler_visits.c.day.type)
UNTIL = bindparam("until", type_=crawler_visits.c.day.type)
OUR_VISITS = (
    crawler_visits.c.company_id == bindparam("company_id"),
    crawler_visits.c.brand_key == bindparam("brand_key"),
    crawler_visits.c.day >= SINCE,
    crawler_visits.c.day <= UNTIL,
)
OUR_REFERRALS = (
    ai_referrals.c.company_id == bindparam("company_id"),
    ai_referrals.c.brand_key == bindparam("brand_key"),
    ai_referrals.c.day >= SINCE,
    ai_referrals.c.day <= UNTIL,
)


def total(column: ColumnElement[int]) -> ColumnElement[int]:
    """Return a sum as a whole number; PostgreSQL makes a decimal of it."""
    return cast(func.sum(column), BigInteger)


VISITS, REFERRED = total(crawler_visits.c.visits), total(ai_referrals.c.visits)
DAYS = Query(
    select(*row_columns(DailyBotVisits, crawler_visits, visits=VISITS))
    .where(*OUR_VISITS)
    .group_by(
        crawler_visits.c.day,
        crawler_visits.c.bot,
        crawler_visits.c.verification,
        crawler_visits.c.status_class,
    )
    .order_by(crawler_visits.c.day, crawler_visits.c.bot),
    DailyBotVisits,
)
FAILED = total(case((crawler_visits.c.status_class >= 4, crawler_visits.c.visits), else_=0))
PATHS = Query(
    select(
        crawler_visits.c.site,
        crawler_visits.c.path,
        VISITS,
        func.count(crawler_visits.c.bot.distinct()),
        FAILED,
    )
    .where(*OUR_VISITS, crawler_visits.c.verification != "not_this_bot")
    .group_by(crawler_visits.c.site, crawler_visits.c.path)
    .order_by(VISITS.desc(), crawler_visits.c.site, crawler_visits.c.path)
    .limit(bindparam("limit")),
    PathVisits,
)
REFERRALS = Query(
    select(ai_referrals.c.day, ai_referrals.c.product, REFERRED)
    .where(*OUR_REFERRALS)
    .group_by(ai_referrals.c.day, ai_referrals.c.product)
    .order_by(ai_referrals.c.day, ai_referrals.c.product),
    DailyReferrals,
)
LANDINGS = Query(
    select(*row_columns(LandingPage, ai_referrals, visits=REFERRED))
    .where(*OUR_REFERRALS)
    .group_by(ai_referrals.c.site, ai_referrals.c.path, ai_referrals.c.product)
    .order_by(REFERRED.desc(), ai_referrals.c.site, ai_referrals.c.path, ai_referrals.c.product)
    .limit(bindparam("limit")),
    LandingPage,
)
INTAKES = Query(
    select(
        log_intakes.c.source,
        *(total(column) for column in row_columns(IntakeCounts, log_intakes)),
        func.max(log_intakes.c.last_at),
    )
    .where(
        log_intakes.c.company_id == bindparam("company_id"), log_intakes.c.brand_key == bindparam("brand_key")
    )
    .group_by(log_intakes.c.source)
    .order_by(log_intakes.c.source),
    LogIntake,
)
DAY = bindparam("day", type_=crawler_visits.c.day.type)
VISIT_PATHS = Query(
    select(crawler_visits.c.bot, crawler_visits.c.path)
    .where(
        crawler_visits.c.company_id == bindparam("company_id"),
        crawler_visits.c.brand_key == bindparam("brand_key"),
        crawler_visits.c.day == DAY,
    )
    .distinct(),
    plain,
)
REFERRAL_PATHS = Query(
    select(ai_referrals.c.product, ai_referrals.c.path)
    .where(
        ai_referrals.c.company_id == bindparam("company_id"),
        ai_referrals.c.brand_key == bindparam("brand_key"),
        ai_referrals.c.day == DAY,
    )
    .distinct(),
    plain,
)


CAME_IN = Query(select(log_intakes.c.key).where(log_intakes.c.day >= DAY).limit(1), plain)


class CrawlerVisitRepository(Repository):
    """The counts of one company."""

    async def known_paths(self, brand_key: int, day: date) -> set[tuple[str, str]]:
        """Return bot or product and path of every count of a day."""
        visited = await self._all(VISIT_PATHS, brand_key=brand_key, day=day)
        landed = await self._all(REFERRAL_PATHS, brand_key=brand_key, day=day)
        return {(str(name), str(path)) for name, path in (*visited, *landed)}

    async def new_lines(self, brand_key: int, lines: Collection[LineKey]) -> set[LineKey]:
        """Remember lines as counted; return those that were not before."""
        rows = [
            {
                "brand_key": brand_key,
                "company_id": self.company_id,
                "day": line.day,
                "digest": line.digest,
            }
            for line in sorted(set(lines))
        ]
        if not rows:
            return set()
        statement = (
            self._insert_into(counted_log_lines)
            .on_conflict_do_nothing()
            .returning(counted_log_lines.c.day, counted_log_lines.c.digest)
        )
        return {LineKey(*row) for row in await self._write(statement, rows)}

    async def add(
        self,
        brand_key: int,
        visits: Mapping[VisitKey, int],
        referrals: Mapping[ReferralKey, int],
    ) -> None:
        """Add counts to those that are here."""
        await self._add(
            crawler_visits, brand_key, ((key._asdict(), number) for key, number in sorted(visits.items()))
        )
        await self._add(
            ai_referrals, brand_key, ((key._asdict(), number) for key, number in sorted(referrals.items()))
        )

    async def add_intake(self, brand_key: int, source: str, counts: IntakeCounts, now: datetime) -> None:
        """Add to what became of the lines that came in today."""
        new = self._insert_into(log_intakes)
        changed = {
            name: log_intakes.c[name] + new.excluded[name]
            for name in ("lines", "counted", "duplicates", "skipped")
        }
        statement = new.on_conflict_do_update(
            index_elements=[log_intakes.c.brand_key, log_intakes.c.day, log_intakes.c.source],
            set_={**changed, "last_at": new.excluded.last_at},
        )
        row = {
            "company_id": self.company_id,
            "brand_key": brand_key,
            "day": now.date(),
            "source": source,
            "lines": counts.lines,
            "counted": counts.counted,
            "duplicates": counts.duplicates,
            "skipped": counts.skipped,
            "last_at": now,
        }
        await self._write(statement, row)

    async def _add(
        self, table: Table, brand_key: int, counts: Iterable[tuple[Mapping[str, Any], int]]
    ) -> None:
        rows = [
            {"company_id": self.company_id, "brand_key": brand_key, **names, "visits": number}
            for names, number in counts
        ]
        if not rows:
            return
        new = self._insert_into(table)
        same = [name for name in rows[0] if name not in ("company_id", "visits")]
        await self._write(
            new.on_conflict_do_update(
                index_elements=same, set_={"visits": table.c.visits + new.excluded.visits}
            ),
            rows,
        )

    async def days(self, brand_key: int, since: date, until: date) -> list[DailyBotVisits]:
        """Return visits by day, bot, verification and status class."""
        return await self._all(DAYS, brand_key=brand_key, since=since, until=until)

    async def paths(
        self, brand_key: int, since: date, until: date, limit: int = MOST_PATHS_READ
    ) -> list[PathVisits]:
        """Return the pages that bots asked for, most visited first; impostors are left out."""
        return await self._all(PATHS, brand_key=brand_key, since=since, until=until, limit=limit)

    async def referrals(self, brand_key: int, since: date, until: date) -> list[DailyReferrals]:
        """Return referrals by day and product."""
        return await self._all(REFERRALS, brand_key=brand_key, since=since, until=until)

    async def landings(
        self, brand_key: int, since: date, until: date, limit: int = MOST_PATHS_READ
    ) -> list[LandingPage]:
        """Return the pages that people came to from AI products, most visited first."""
        return await self._all(LANDINGS, brand_key=brand_key, since=since, until=until, limit=limit)

    async def intakes(self, brand_key: int) -> list[LogIntake]:
        """Return how many lines came in by files and by the endpoint, and when the last came."""
        return await self._all(INTAKES, brand_key=brand_key)


class AllCrawlerVisitRepository(Repository):
    """The counts of every company, for who deletes what is old."""

    async def any_since(self, day: date) -> bool:
        """Return whether a log came in on a day or after it."""
        return await self._first(CAME_IN, day=day) is not None

    async def delete_old(self, lines_before: date, counts_before: date) -> int:
        """Delete digests of lines and counts of days before these; return how many rows went."""
        deleted = (
            await self._write(delete(counted_log_lines).where(counted_log_lines.c.day < lines_before))
        ).rowcount
        for table in (crawler_visits, ai_referrals, log_intakes):
            deleted += (await self._write(delete(table).where(table.c.day < counts_before))).rowcount
        return deleted


@dataclass(frozen=True, slots=True)
class BotAddressList:
    """The networks of one bot, where the list is from and when it was read."""

    bot: str
    source: str
    prefixes: Sequence[str]
    fetched_at: datetime


ALL = Query(
    select(*row_columns(BotAddressList, bot_address_lists)).order_by(bot_address_lists.c.bot),
    BotAddressList,
)


class BotAddressRepository(Repository):
    """The lists of the installation."""

    async def all(self) -> list[BotAddressList]:
        """Return every list."""
        return await self._all(ALL)

    async def save(self, lists: Sequence[BotAddressList]) -> None:
        """Store lists in the place of those that are here for the same bots."""
        rows: list[Mapping[str, Any]] = [
            {
                "bot": known.bot,
                "source": known.source,
                "prefixes": list(known.prefixes),
                "fetched_at": known.fetched_at,
            }
            for known in lists
        ]
        if rows:
            await self._write(
                self._insert_or_change(bot_address_lists, "source", "prefixes", "fetched_at"), rows
            )

"""Crawler counts of a brand for a period: bots, days, pages, responses, referrals, and log imports."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from measurement.imports.access_logs.bot_verification import NOT_THIS_BOT, NOT_VERIFIED, VERIFIED
from measurement.imports.access_logs.visit_kinds import KnownBot, known_bots
from storage.repositories.crawler_visits import DailyBotVisits, LandingPage, LogIntake, PathVisits
from storage.workspace import Workspace

MOST_LISTED = 25


@dataclass(frozen=True, slots=True)
class BotVisits:
    """One bot in a period. `purpose` is search, user_request, training or ads; `visits` excludes impostors."""

    bot: str
    operator: str
    purpose: str
    visits: int
    verified: int
    not_verified: int
    not_this_bot: int
    failed: int
    last_day: date


@dataclass(frozen=True, slots=True)
class CrawlerDay:
    """A day's visits by bot, without impostors, and its referrals."""

    day: date
    visits: int
    bots: Mapping[str, int]
    referrals: int


@dataclass(frozen=True, slots=True)
class ReferringProduct:
    """People who came from one AI product."""

    product: str
    visits: int


@dataclass(frozen=True, slots=True)
class CrawlerReport:
    """The counts of a period; `statuses` are visits by the first digit of the HTTP status, without impostors."""

    first_day: date
    last_day: date
    bots: Sequence[BotVisits]
    days: Sequence[CrawlerDay]
    statuses: Mapping[int, int]
    pages: Sequence[PathVisits]
    referrals: Sequence[ReferringProduct]
    landings: Sequence[LandingPage]
    intakes: Sequence[LogIntake]
    addresses_known: int
    addresses_from: datetime | None

    @property
    def visits(self) -> int:
        """Visits of bots, without impostors."""
        return sum(bot.visits for bot in self.bots)

    @property
    def verified(self) -> int:
        """Visits from addresses that operators publish."""
        return sum(bot.verified for bot in self.bots)

    @property
    def not_this_bot(self) -> int:
        """Requests of impostors under a bot's name."""
        return sum(bot.not_this_bot for bot in self.bots)

    @property
    def referred(self) -> int:
        """People who came from AI products."""
        return sum(product.visits for product in self.referrals)


async def crawler_report(
    workspace: Workspace,
    brand_key: int,
    first_day: date,
    last_day: date,
    address_lists: Mapping[str, datetime] | None = None,
) -> CrawlerReport:
    """Return a brand's counts from the first through the last day."""
    counts = workspace.crawler_visits
    daily = await counts.days(brand_key, first_day, last_day)
    referred = await counts.referrals(brand_key, first_day, last_day)
    by_product: dict[str, int] = defaultdict(int)
    referred_on: dict[date, int] = defaultdict(int)
    for row in referred:
        by_product[row.product] += row.visits
        referred_on[row.day] += row.visits
    genuine = [row for row in daily if row.verification != NOT_THIS_BOT]
    statuses: dict[int, int] = defaultdict(int)
    for row in genuine:
        statuses[row.status_class] += row.visits
    lists = address_lists or {}
    return CrawlerReport(
        first_day=first_day,
        last_day=last_day,
        bots=_bots(daily),
        days=_days(genuine, referred_on),
        statuses=dict(sorted(statuses.items())),
        pages=await counts.paths(brand_key, first_day, last_day, MOST_LISTED),
        referrals=[
            ReferringProduct(name, visits)
            for name, visits in sorted(by_product.items(), key=lambda pair: (-pair[1], pair[0]))
        ],
        landings=await counts.landings(brand_key, first_day, last_day, MOST_LISTED),
        intakes=await counts.intakes(brand_key),
        addresses_known=len(lists),
        addresses_from=min(lists.values(), default=None),
    )


def period_until(last_day: date, days: int) -> tuple[date, date]:
    """Return the first and last day of a period of `days` days."""
    return last_day - timedelta(days=days - 1), last_day


def _bots(daily: Sequence[DailyBotVisits]) -> list[BotVisits]:
    unknown = KnownBot("", "", "")
    rows: dict[str, list[DailyBotVisits]] = defaultdict(list)
    for row in daily:
        rows[row.bot].append(row)

    def visits(bot: str, *verifications: str) -> int:
        return sum(row.visits for row in rows[bot] if row.verification in verifications)

    bots = [
        BotVisits(
            bot=bot,
            operator=known_bots().get(bot, unknown).operator,
            purpose=known_bots().get(bot, unknown).purpose,
            visits=visits(bot, VERIFIED, NOT_VERIFIED),
            verified=visits(bot, VERIFIED),
            not_verified=visits(bot, NOT_VERIFIED),
            not_this_bot=visits(bot, NOT_THIS_BOT),
            failed=sum(
                row.visits for row in rows[bot] if row.status_class >= 4 and row.verification != NOT_THIS_BOT
            ),
            last_day=max(row.day for row in rows[bot]),
        )
        for bot in rows
    ]
    return sorted(bots, key=lambda row: (-row.visits, -row.not_this_bot, row.bot))


def _days(genuine: Sequence[DailyBotVisits], referred_on: Mapping[date, int]) -> list[CrawlerDay]:
    by_day: dict[date, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in genuine:
        by_day[row.day][row.bot] += row.visits
    return [
        CrawlerDay(day, sum(by_day[day].values()), dict(by_day[day]), referred_on.get(day, 0))
        for day in sorted({*by_day, *referred_on})
    ]

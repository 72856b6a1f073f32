"""Which period a scheduled report is of: the seven days before a Monday, or the calendar month that has ended."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final

from storage.repositories.notification_choices import MONTHLY_REPORT, WEEKLY_REPORT

DUE_AT: Final = timedelta(hours=7)
"""Reports are due at seven o'clock UTC of their day."""


@dataclass(frozen=True, slots=True)
class ReportPeriod:
    """What a report looks at and what it is compared with: whole UTC days, each end exclusive.

    `key` names the period among all of its `kind`, such as 2026-W08 and 2026-02.
    """

    kind: str
    key: str
    words: str
    since: datetime
    until: datetime
    before: datetime
    """Where the earlier period begins, which ends where this one begins."""

    @property
    def title(self) -> str:
        """What a report of it is called."""
        return "Weekly report" if self.kind == WEEKLY_REPORT else "Monthly report"


def week_due(now: datetime) -> ReportPeriod:
    """Return the week whose report is due; before Monday seven o'clock it is still the last one."""
    seen = now - DUE_AT
    year, week, day = seen.isocalendar()
    monday = datetime.combine(seen.date() - timedelta(days=day - 1), time(), seen.tzinfo)
    since = monday - timedelta(days=7)
    words = f"{since.date()} to {monday.date() - timedelta(days=1)}"
    return ReportPeriod(WEEKLY_REPORT, f"{year}-W{week:02}", words, since, monday, since - timedelta(days=7))


def month_due(now: datetime) -> ReportPeriod:
    """Return the month whose report is due: the one that ended on the last first of a month at seven o'clock."""
    first = _first_of_month(now - DUE_AT)
    since = _first_of_month(first - timedelta(days=1))
    before = _first_of_month(since - timedelta(days=1))
    return ReportPeriod(MONTHLY_REPORT, f"{since:%Y-%m}", f"{since:%B %Y}", since, first, before)


def _first_of_month(moment: datetime) -> datetime:
    return datetime(moment.year, moment.month, 1, tzinfo=moment.tzinfo)

"""Weekly and monthly reports: queued once per period for each person and webhook that chose them, with verdicts."""

import logging
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from typing import Any, Final

from analytics.metric_names import MetricName
from analytics.metrics import shown
from measurement.statistics.period_comparison import compare_periods
from storage.database import Database
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand
from storage.repositories.mails import MailDraft, ReportReader
from storage.repositories.notification_choices import MONTHLY_REPORT, WEEKLY_REPORT
from storage.repositories.webhooks import DeliveryDraft, ReportReceiver
from storage.workspace import Workspace
from workflows.mail.messages import day_of

DUE_AT: Final = timedelta(hours=7)
"""Reports are due at seven o'clock UTC of their day."""


@dataclass(frozen=True, slots=True)
class ReportPeriod:
    """The period of a report and the one it is compared with: whole UTC days, each end exclusive.

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


log = logging.getLogger(__name__)

AT_ONCE: Final = 200
MOST_BRANDS: Final = 50


class ScheduledReports:
    """A source of the scheduler; queued reports have a deduplication key, so it may run at any time."""

    def __init__(self, database: Database, *, mailed: bool = True) -> None:
        self._database = database
        self._mailed = mailed

    async def start_due(self, now: datetime) -> int:
        """Queue the reports of the periods that have ended for who has none yet; return how many were queued."""
        return sum([await self._queue_due(period, now) for period in (week_due(now), month_due(now))])

    async def _queue_due(self, period: ReportPeriod, now: datetime) -> int:
        prefix, operators = f"{period.kind}:{period.key}:", self._database.operators
        receivers: list[ReportReader | ReportReceiver] = [
            *await operators.webhook_queue.without_report(period.kind, prefix, AT_ONCE)
        ]
        if self._mailed:
            receivers += await operators.mail_queue.readers_without(period.kind, prefix, AT_ONCE)
        by_company: defaultdict[str, list[ReportReader | ReportReceiver]] = defaultdict(list)
        for receiver in receivers:
            by_company[receiver.company_id].append(receiver)
        queued = 0
        for company_id, company_receivers in by_company.items():
            try:
                await self._queue(company_id, company_receivers, period, now)
            except Exception:
                # A company that cannot be read, or goes just now, keeps no other one's people waiting.
                log.exception("queueing the reports of company %s", company_id)
            else:
                queued += len(company_receivers)
        return queued

    async def _queue(
        self,
        company_id: str,
        receivers: Sequence[ReportReader | ReportReceiver],
        period: ReportPeriod,
        now: datetime,
    ) -> None:
        company = await self._database.operators.companies.find(company_id)
        if company is None:
            return
        content = await report_of(self._database.workspace(company_id), company.name, period)
        prefix = f"{period.kind}:{period.key}:"
        mails = [
            MailDraft(period.kind, reader.email, content, prefix + reader.user_id, reader.user_id)
            for reader in receivers
            if isinstance(reader, ReportReader)
        ]
        deliveries = [
            DeliveryDraft(receiver.webhook_id, period.kind, {"kind": period.kind, "report": content}, prefix)
            for receiver in receivers
            if isinstance(receiver, ReportReceiver)
        ]
        async with self._database.transaction(company_id) as writing:
            await writing.mails.queue(mails, now)
            await writing.webhooks.queue(deliveries, now)


async def report_of(workspace: Workspace, company: str, period: ReportPeriod) -> dict[str, Any]:
    """Return what the report of a company says: every brand with its score in force and how its period went."""
    scores = {score.brand_id: score for score in await workspace.results.scores()}
    brands: list[dict[str, Any]] = []
    for brand in (await workspace.brands.active())[:MOST_BRANDS]:
        score = scores.get(brand.id)
        brands.append(
            {
                "id": brand.id,
                "name": brand.name,
                "score": shown(MetricName.VISIBILITY_SCORE, score.score) if score else None,
                "calculatedOn": day_of(score.calculated_at) if score else None,
                "change": await change_of(workspace, brand, period) if score else None,
            }
        )
    issues = await workspace.issues.open_counts()
    return {
        "title": period.title,
        "company": company,
        "period": period.words,
        "from": day_of(period.since),
        "to": day_of(period.until - timedelta(days=1)),
        "brands": brands,
        "openIssues": sum(issues.values()),
    }


async def change_of(workspace: Workspace, brand: Brand, period: ReportPeriod) -> dict[str, Any]:
    """Return the verdict on a brand's period against the one before, as the comparison of two periods gives it."""
    after = AnswerFilter(since=period.since, until=period.until)
    before = replace(after, since=period.before, until=period.since)
    comparison = await compare_periods(workspace, brand, before, after, None)
    change, primary = comparison.change, comparison.change.primary
    interval = primary.interval if primary else None
    return {
        "verdict": change.verdict,
        "answers": comparison.after.score.answers if comparison.after else 0,
        "points": None if primary is None or primary.delta is None else round(100 * primary.delta, 1),
        "interval": [round(100 * bound, 1) for bound in interval] if interval else None,
    }

"""The weekly report: queued once a week for everybody who chose it, from Monday seven o'clock UTC on."""

import logging
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from analytics.metric_names import MetricName
from analytics.metrics import shown
from storage.database import Database
from storage.repositories.mail_queue import ReportReader
from storage.repositories.mails import MailDraft
from storage.workspace import Workspace
from workflows.mail.messages import day_of

log = logging.getLogger(__name__)

MONDAY_AT: Final = timedelta(hours=7)
AT_ONCE: Final = 200
MOST_BRANDS: Final = 50


class WeeklyReports:
    """A source of the scheduler; what it queued is known by its key, so that it may look at any time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def start_due(self, now: datetime) -> int:
        """Queue this week's report for who has none yet; return how many were queued."""
        prefix = f"weekly_report:{week_of(now)}:"
        readers = await self._database.operators.mail_queue.readers_without(prefix, AT_ONCE)
        by_company: defaultdict[str, list[ReportReader]] = defaultdict(list)
        for reader in readers:
            by_company[reader.company_id].append(reader)
        queued = 0
        for company_id, company_readers in by_company.items():
            try:
                await self._queue(company_id, company_readers, prefix, now)
            except Exception:
                # A company that cannot be read, or goes just now, keeps no other one's people waiting.
                log.exception("queueing the weekly reports of company %s", company_id)
            else:
                queued += len(company_readers)
        return queued

    async def _queue(
        self, company_id: str, readers: Sequence[ReportReader], prefix: str, now: datetime
    ) -> None:
        content = await report_of(self._database.workspace(company_id), readers[0], self._database)
        drafts = [
            MailDraft("weekly_report", reader.email, content, prefix + reader.user_id, reader.user_id)
            for reader in readers
        ]
        async with self._database.transaction(company_id) as writing:
            await writing.mails.queue(drafts, now)


async def report_of(workspace: Workspace, reader: ReportReader, database: Database) -> dict[str, Any]:
    """Return what the report of a company says: every brand with its score in force, if there is one."""
    person = await database.operators.users.by_id(reader.user_id)
    scores = {score.brand_id: score for score in await workspace.results.scores()}
    brands: list[dict[str, Any]] = []
    for brand in (await workspace.brands.active())[:MOST_BRANDS]:
        score = scores.get(brand.id)
        value = shown(MetricName.VISIBILITY_SCORE, score.score) if score else None
        calculated_on = day_of(score.calculated_at) if score else None
        brands.append({"name": brand.name, "score": value, "calculatedOn": calculated_on})
    issues = await workspace.issues.open_counts()
    return {
        "company": person.company_name if person else "",
        "brands": brands,
        "openIssues": sum(issues.values()),
    }


def week_of(now: datetime) -> str:
    """Return the week whose report is due, as 2026-W08; before Monday seven o'clock it is still the last one."""
    year, week, _ = (now - MONDAY_AT).isocalendar()
    return f"{year}-W{week:02}"

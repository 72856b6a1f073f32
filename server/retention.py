"""Data retention: how long temporary data is kept, and the sweeps that delete it."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

import anyio

from measurement.imports.access_logs.log_import import KEPT_DAYS
from measurement.planning.clock import Clock
from oauth.grants import Grants
from readiness.scans.scan_service import delete_old_reports
from storage.database import Database
from workflows.engine.run_engine import RunEngine

log = logging.getLogger(__name__)

SWEEP_SECONDS = 3600.0
RUN_RECORDS = timedelta(days=7)
MAIL_RECORDS = timedelta(days=90)
DELIVERY_RECORDS = timedelta(days=45)
"""Longer than a month: the record of a monthly report prevents a second one."""
CRAWLER_COUNTS = timedelta(days=400)
AT_ONCE = 2000


class Sweep(Protocol):
    """Deletes one kind of expired data."""

    async def sweep(self, now: datetime) -> int:
        """Delete expired data and return the number deleted. Safe to repeat and to run in several processes."""
        ...


class Sweeper:
    """Runs all sweeps periodically. Safe to run in several processes at once."""

    def __init__(self, sweeps: Sequence[Sweep], now: Clock) -> None:
        self._sweeps = sweeps
        self._now = now

    async def run(self) -> None:
        """Sweep until cancelled."""
        while True:
            await self.sweep()
            await anyio.sleep(SWEEP_SECONDS)

    async def sweep(self) -> int:
        """Run every sweep once. A sweep that fails is logged and does not stop the others."""
        deleted = 0
        for sweep in self._sweeps:
            try:
                deleted += await sweep.sweep(self._now())
            except Exception:
                log.exception("sweeping %s", type(sweep).__name__)
        return deleted


class RunRecordSweep:
    """The durable engine's records of runs that ended a week ago. Our own run rows are kept."""

    def __init__(self, engine: RunEngine) -> None:
        self._engine = engine

    async def sweep(self, now: datetime) -> int:
        """Delete them."""
        return await self._engine.forget(now - RUN_RECORDS)


class RawAnswerSweep:
    """What engines sent, byte for byte; the text of an answer and all that was read in it stay."""

    def __init__(self, database: Database, days: int) -> None:
        self._database = database
        self._days = days

    async def sweep(self, now: datetime) -> int:
        """Delete those that are older than the setting says, unless an open issue rests on the answer.

        Zero days keep everything. What is old is found while others may write, and deleted some at a time.
        """
        deleted, after = 0, 0
        raw_answers = self._database.operators.raw_answers
        while self._days and (keys := await raw_answers.page(after, AT_ONCE)):
            after = keys[-1]
            old = await raw_answers.captured_before(keys, now - timedelta(days=self._days))
            if old:
                async with self._database.operation() as operators:
                    deleted += await operators.raw_answers.delete(old)
        return deleted


class ReportSweep:
    """Readiness reports whose time is over."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def sweep(self, now: datetime) -> int:
        """Delete them, the latest of each URL excepted."""
        return await delete_old_reports(self._database, now)


class MailSweep:
    """The record of mails that ended long ago."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def sweep(self, now: datetime) -> int:
        """Delete them."""
        async with self._database.operation() as operators:
            return await operators.mail_queue.delete_ended(now - MAIL_RECORDS, AT_ONCE)


class WebhookSweep:
    """The record of deliveries to webhooks that ended long ago."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def sweep(self, now: datetime) -> int:
        """Delete them."""
        async with self._database.operation() as operators:
            return await operators.webhook_queue.delete_ended(now - DELIVERY_RECORDS, AT_ONCE)


class CrawlerVisitSweep:
    """Counts of AI crawlers' visits after 400 days, and digests of lines that are not taken any more."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def sweep(self, now: datetime) -> int:
        """Delete them."""
        lines_before = now.date() - timedelta(days=KEPT_DAYS + 1)
        async with self._database.operation() as operators:
            return await operators.crawler_visits.delete_old(lines_before, (now - CRAWLER_COUNTS).date())


class ExpiredAccessSweep:
    """OAuth codes, tokens, grants and clients that can no longer be used."""

    def __init__(self, grants: Grants) -> None:
        self._grants = grants

    async def sweep(self, now: datetime) -> int:
        """Delete them. The grants define how long each is kept."""
        return await self._grants.sweep()

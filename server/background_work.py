"""Background work of a process: runs, schedules, deletions, verification, email and webhooks."""

import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import time
from typing import TYPE_CHECKING

import anyio

from measurement.extraction.reextract import HistoryReextractor
from measurement.imports.access_logs.address_lists import AddressLists
from measurement.planning.clock import utc_now
from measurement.planning.engine_keys import EngineKeys
from measurement.planning.schedules import repeat_nightly
from measurement.publication.publish import Publisher
from measurement.receipts.nightly import NightlyVerification
from oauth.authenticate import LastUses
from server.retention import (
    CrawlerVisitSweep,
    ExpiredAccessSweep,
    MailSweep,
    RawAnswerSweep,
    ReportSweep,
    RunRecordSweep,
    Sweep,
    Sweeper,
    WebhookSweep,
)
from server.settings import Settings
from storage.database import Database
from storage.errors import SchemaTooNew
from workflows.brand_deletion import BrandDeletions
from workflows.company_deletion import CompanyDeletions
from workflows.engine.run_engine import RunEngine
from workflows.intervention_checks import InterventionChecks
from workflows.mail.scheduled_reports import ScheduledReports
from workflows.model_checks import ModelChecks
from workflows.monitoring import MonitorService
from workflows.pricing import Pricing
from workflows.run_executor import Executor
from workflows.runs import RunService
from workflows.scheduler import ScheduledAgents, ScheduledPromptSets, Scheduler, ScheduleSource

if TYPE_CHECKING:
    from workflows.mail.delivery import MailDelivery
    from workflows.mail.smtp import SmtpSettings
    from workflows.webhooks.service import WebhookService

FLUSH_SECONDS = 4.0
"""How often last uses of credentials are written. Each write is a commit, and a commit invalidates cached results."""
STATISTICS_HOUR = time(4, 53)
"""When SQLite's planner statistics are refreshed for live measurements. Imports refresh them immediately."""
PAUSE_SECONDS = 2.0
"""How often a paused process checks whether it may work."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BackgroundWork:
    """The work of one process. Executor, mail delivery and webhooks are created when the work begins."""

    settings: Settings
    database: Database
    publisher: Publisher
    run_engine: RunEngine
    engine_keys: EngineKeys
    last_uses: LastUses
    monitors: MonitorService
    address_lists: AddressLists
    executor: Callable[[], Executor]
    webhooks: "Callable[[], WebhookService]"
    mail_delivery: "Callable[[SmtpSettings], MailDelivery]"

    @asynccontextmanager
    async def running(self, execute_after: float = 0.0) -> AsyncGenerator[None]:
        """Execute runs unless the settings say otherwise, and write last uses, until the block ends.

        `execute_after` seconds pass before runs are executed, so that a client that waits is answered first.
        """
        async with anyio.create_task_group() as group:
            group.start_soon(self._flush)
            if self.settings.execute:
                group.start_soon(self.execute, execute_after)
            try:
                yield
            finally:
                group.cancel_scope.cancel()
        await self.last_uses.flush()

    @property
    def scheduler(self) -> Scheduler:
        """Who starts by the clock what is due; another kind of thing that is due joins the list."""
        desk = RunService(self.run_engine, Pricing(self.engine_keys))
        missed = self.settings.missed_schedules
        sources: list[ScheduleSource] = [
            ScheduledPromptSets(self.database, desk, missed),
            ScheduledAgents(self.database, desk, missed),
            self.monitors,
            ScheduledReports(self.database, mailed=self.settings.smtp is not None),
        ]
        return Scheduler(sources, utc_now)

    @property
    def sweeper(self) -> Sweeper:
        """Who deletes what is old; another kind of thing joins the list."""
        sweeps: list[Sweep] = [
            RunRecordSweep(self.run_engine),
            RawAnswerSweep(self.database, self.settings.raw_answer_days),
            ReportSweep(self.database),
            MailSweep(self.database),
            WebhookSweep(self.database),
            BrandDeletions(self.database, utc_now),
            CompanyDeletions(self.database, utc_now),
            CrawlerVisitSweep(self.database),
        ]
        if self.settings.oauth is not None:
            from oauth.server import grants_of  # loaded only when OAuth is enabled

            sweeps.append(ExpiredAccessSweep(grants_of(self.settings.oauth, self.database, utc_now)))
        return Sweeper(sweeps, utc_now)

    async def execute(self, after: float = 0.0) -> None:
        """Execute runs, start due runs, reprocess changed brands and delete expired data, until cancelled.

        On SQLite it waits while another process does this work. A restored copy waits until it is resumed. All of this
        work ends once a newer version of seenby has migrated the database.
        """
        await anyio.sleep(after)
        await self._wait_until_resumed()
        try:
            await self._work()
        except* SchemaTooNew as newer:
            error: BaseException = newer
            while isinstance(error, BaseExceptionGroup):
                error = error.exceptions[0]
            log.error("this process does no more background work: %s", error)

    async def _work(self) -> None:
        rereader = HistoryReextractor(self.database, self.publisher, utc_now)
        async with (
            self.run_engine.standing_by(self.executor, self.monitors),
            anyio.create_task_group() as group,
        ):
            group.start_soon(rereader.run)
            group.start_soon(NightlyVerification(self.database, self.publisher, utc_now).run)
            group.start_soon(InterventionChecks(self.database, utc_now).run)
            group.start_soon(self.address_lists.run)
            group.start_soon(ModelChecks(self.database, self.engine_keys, utc_now).run)
            group.start_soon(
                repeat_nightly,
                self.database,
                "planner statistics",
                STATISTICS_HOUR,
                utc_now,
                self.database.refresh_statistics,
            )
            if self.settings.backup_folder is not None:
                from server.backups import NightlyBackup  # loaded only when backups are scheduled

                backups = NightlyBackup(self.settings, self.database, self.settings.backup_folder, utc_now)
                group.start_soon(backups.run)
            group.start_soon(self.scheduler.run)
            group.start_soon(self.sweeper.run)
            group.start_soon(self.webhooks().delivery.run)
            if self.settings.smtp is not None:
                group.start_soon(self.mail_delivery(self.settings.smtp).run)

    async def _wait_until_resumed(self) -> None:
        """Return when no pause holds: schedules, runs, mails and webhooks wait for a word of the operator."""
        pause = await self.database.operators.work_pauses.current()
        if pause is None:
            return
        log.warning(
            "work is paused since %s, %s: no engine is asked and no mail or webhook is sent. "
            "When no other copy works any more: seenby resume",
            pause.since.isoformat(timespec="seconds"),
            pause.reason,
        )
        while await self.database.operators.work_pauses.current() is not None:
            await anyio.sleep(PAUSE_SECONDS)
        log.warning("work is resumed")

    async def _flush(self) -> None:
        while True:
            await anyio.sleep(FLUSH_SECONDS)
            await self.last_uses.flush()

"""Notifies companies each night about models that will be retired."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime, time

from measurement.planning.clock import Clock
from measurement.planning.engine_keys import EngineKeys
from measurement.planning.engine_models import ModelReport, report_models
from measurement.planning.engine_names import platform_name
from measurement.planning.schedules import repeat_nightly
from storage.database import Database
from storage.repositories.notifications import AlikeDrafts, NotificationDraft

log = logging.getLogger(__name__)

HOUR = time(4, 41)
EVER = datetime(1970, 1, 1, tzinfo=UTC)


class ModelChecks:
    """Reads providers' lists of models at one hour of the day, for every company that measures."""

    def __init__(self, database: Database, keys: EngineKeys, now: Clock) -> None:
        self._database = database
        self._keys = keys
        self._now = now

    async def run(self) -> None:
        """Check every night until cancelled."""
        await repeat_nightly(self._database, "model checks", HOUR, self._now, self.check_all)

    async def check_all(self) -> int:
        """Notify every company of its retiring models, and return their number; failures are isolated."""
        told = 0
        measured = await self._database.operators.brands.measured(EVER)
        for company_id in dict.fromkeys(brand.company_id for brand in measured):
            try:
                told += await self._check(company_id)
            except Exception:
                log.exception("checking the models of company %s", company_id)
        return told

    async def _check(self, company_id: str) -> int:
        now = self._now()
        leaving = [
            report
            for report in await report_models(self._keys, company_id, now.date())
            if report.needs_choice
        ]
        async with self._database.transaction(company_id) as writing:
            await writing.notifications.add_alike(models_leaving(leaving, now), now)
        return len(leaving)


def models_leaving(leaving: Sequence[ModelReport], now: datetime) -> AlikeDrafts:
    """Return the notification about retiring models of one check."""
    return AlikeDrafts(
        [model_notification(report, now) for report in leaving],
        lambda count: f"{count} models go away or are gone",
        "/settings/engines",
    )


def model_notification(report: ModelReport, now: datetime) -> NotificationDraft:
    """Say that a model goes away: once for each day that is announced, and once a month where none is."""
    engine = platform_name(report.platform)
    when = report.retires_on.isoformat() if report.retires_on else f"{now:%Y-%m}"
    return NotificationDraft(
        kind="system_alert",
        severity="info" if report.standing == "retiring" else "warning",
        title=f"{engine}: the model {report.model} {ENDINGS[report.standing]}{day_words(report)}",
        message=advice(report),
        dedup_key=f"system_alert:model:{report.platform}:{report.model}:{report.standing}:{when}",
        path="/settings/engines",
    )


ENDINGS = {
    "retiring": "will be retired",
    "retired": "was retired",
    "absent": "is not in the provider's list any more",
}


def day_words(report: ModelReport) -> str:
    """Return the day of retirement for a title."""
    return f" on {report.retires_on}" if report.retires_on and report.standing != "absent" else ""


def advice(report: ModelReport) -> str:
    """Say what to do; models are never switched automatically."""
    named = f" The provider names {report.replacement} in its place." if report.replacement else ""
    return (
        "Models are never switched automatically. Choose another one before that day: answers of another model "
        f"begin a new series, and changes across the switch are not compared.{named}"
    )

"""Tells each night of models that are asked for and will not be served much longer."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime, time

from measurement.planning.clock import Clock
from measurement.planning.engine_keys import EngineKeys
from measurement.planning.engine_models import ModelReport, report_models
from measurement.planning.engine_names import platform_name
from measurement.planning.nightly import repeat_nightly
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
        """Look every night until cancelled."""
        await repeat_nightly(HOUR, self._now, self.check_all)

    async def check_all(self) -> int:
        """Tell every company of its models that go away; return of how many. One company's failure stops no other."""
        told = 0
        async with self._database.presence.alone("checks of models"):
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
    """Return how the models are told that one look found to go away."""
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
    """Say what to do; nothing is switched by itself."""
    named = f" The provider names {report.replacement} in its place." if report.replacement else ""
    return (
        "It is never switched by itself. Choose another one for the server before that day: answers of another model "
        f"begin a new series, and changes across the switch are not compared.{named}"
    )

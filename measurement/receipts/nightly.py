"""Verify the results of every brand each night, and notify the company if one does not hold."""

import logging
from datetime import UTC, datetime, time

from measurement.planning.clock import Clock
from measurement.planning.schedules import repeat_nightly
from measurement.publication.publish import Publisher
from measurement.receipts.brand_verification import Verification, verify_brand
from storage.database import Database
from storage.repositories.brands import MeasuredBrand
from storage.repositories.notifications import NotificationDraft

log = logging.getLogger(__name__)

HOUR = time(3, 17)
"""A time at which most brands have no scheduled measurement."""
MOST_ANSWERS = 20_000
"""Answers of a brand up to which its results are recomputed.

Above that number, digests, texts and totals are checked, and no answer is read again.
"""
EVER = datetime(1970, 1, 1, tzinfo=UTC)
NAMED = 3


class NightlyVerification:
    """Verifies at one hour of the day, in one of all processes, and notifies once about the same problem."""

    def __init__(self, database: Database, publisher: Publisher, now: Clock) -> None:
        self._database = database
        self._publisher = publisher
        self._now = now

    async def run(self) -> None:
        """Verify every night until cancelled."""
        await repeat_nightly(self._database, "verification", HOUR, self._now, self.verify_all)

    async def verify_all(self) -> int:
        """Verify every measured brand; return how many do not hold or cannot be verified.

        A failure of one does not stop the others.
        """
        failed = 0
        for brand in await self._database.operators.brands.measured(EVER):
            try:
                failed += not await self._holds(brand)
            except Exception:
                log.exception("verifying brand %s", brand.id)
                failed += 1
        return failed

    async def _holds(self, measured: MeasuredBrand) -> bool:
        """Verify one brand, and notify its company if something differs."""
        company = measured.company_id
        workspace = self._database.workspace(company)
        brand = await workspace.brands.find(measured.id)
        if brand is None:
            return True
        quick = await workspace.answers.count(brand.key) > MOST_ANSWERS
        verified = await verify_brand(
            self._database, self._publisher, company, brand.id, self._now, quick=quick
        )
        broken = [verification for verification in verified if not verification.holds]
        if broken:
            log.error("stored results of brand %s do not hold: %s", brand.id, broken[0].wrong[:NAMED])
            async with self._database.transaction(company) as writing:
                draft = alarm(brand.name, brand.key, brand.id, broken, self._now())
                await writing.notifications.add(draft, self._now())
        return not broken


def alarm(
    name: str, brand_key: int, brand_id: str, broken: list[Verification], now: datetime
) -> NotificationDraft:
    """Return the notification about stored results that contradict their answers."""
    first = broken[0]
    return NotificationDraft(
        kind="system_alert",
        severity="critical",
        title=f"Stored results of {name} do not hold",
        message=(
            f"{len(broken)} calculations differ from what their answers say, the newest of them "
            f"in {', '.join(first.wrong[:NAMED])}. An operator can verify the brand to see every row. "
            "Restore the database from a backup, or find out who changed it."
        ),
        dedup_key=f"system_alert:verification:{brand_id}:{now.date()}",
        brand_key=brand_key,
        path=f"/brands/{brand_id}/score",
    )

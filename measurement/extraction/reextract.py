"""Extract history again in the background after a brand's names, competitors or sites have changed."""

import logging
from datetime import UTC, datetime, timedelta
from typing import Protocol

import anyio

from analytics.errors import InvalidAliases
from measurement.planning.brand_identity import identify
from measurement.planning.clock import Clock
from storage.database import Database
from storage.repositories.brands import MeasuredBrand

log = logging.getLogger(__name__)

LOOK_SECONDS = 5.0
LOOKS_UNTIL_ALL = 60
MARGIN = timedelta(minutes=1)
"""How far before the last check a change may be dated: clocks differ, and transactions take time."""
EVER = datetime(1970, 1, 1, tzinfo=UTC)


class HistoryReader(Protocol):
    """Recomputes the numbers of a brand with its current names."""

    async def bring_up_to_date(self, company_id: str, brand_id: str) -> object:
        """Extract every answer of a brand again and replace its numbers in a single step; safe to repeat."""
        ...


class HistoryReextractor:
    """Brings brands up to date with their current names. It stores each result, so it may be killed at any time."""

    def __init__(self, database: Database, publisher: HistoryReader, now: Clock) -> None:
        self._database = database
        self._publisher = publisher
        self._now = now

    async def run(self) -> None:
        """Check for recently changed brands until cancelled, and for every brand now and then."""
        looks, since = 0, EVER
        while True:
            started = self._now()
            await self.look(since)
            looks += 1
            since = EVER if looks % LOOKS_UNTIL_ALL == 0 else started - MARGIN
            await anyio.sleep(LOOK_SECONDS)

    async def look(self, since: datetime = EVER) -> int:
        """Process brands changed since an instant; return how many. A failure is logged and retried.

        It never raises: a database that is briefly unavailable must not stop the server that runs beside it.
        """
        try:
            changed = await self._database.operators.brands.measured(since)
        except Exception:
            log.exception("finding brands to read again")
            return 0
        return sum([await self._tried(brand) for brand in changed])

    async def _tried(self, brand: MeasuredBrand) -> bool:
        try:
            return await self._read(brand)
        except InvalidAliases:
            log.warning("brand %s cannot be read again: two of its names are the same", brand.id)
        except Exception:
            log.exception("brand %s could not be read again yet", brand.id)
        return False

    async def _read(self, measured_brand: MeasuredBrand) -> bool:
        if not await self._is_stale(measured_brand):
            return False
        async with self._database.presence.alone("rereading"):
            if not await self._is_stale(measured_brand):
                return False  # another process did it meanwhile
            log.info("reading the history of brand %s again", measured_brand.id)
            await self._publisher.bring_up_to_date(measured_brand.company_id, measured_brand.id)
        return True

    async def _is_stale(self, measured_brand: MeasuredBrand) -> bool:
        """Return whether the brand's numbers are based on names or a reader that are no longer current."""
        workspace = self._database.workspace(measured_brand.company_id)
        brand = await workspace.brands.find(measured_brand.id)
        if brand is None:
            return False
        identity = await identify(workspace, brand)
        current = await workspace.revisions.current(brand.key)
        return current is not None and current.fingerprint != identity.fingerprint

"""The turns of scans: a site is visited by one scan at a time, four sites at once, in all processes together."""

import random
from collections.abc import Callable
from datetime import datetime

import anyio

from readiness.fetching import urls
from storage.database import Database

AT_ONCE = 4
LONGEST_WAIT = 300.0
"""Seconds after which a scan gives up waiting; every scan ends within its 90."""
LOOK_SECONDS = 0.3
LOCK = "scan-turns"


def site_of(url: urls.Url) -> str:
    """Return what counts as one site: the registrable domain, or host and port where there is none, as at home."""
    return urls.registrable(url.host) or url.authority


class Turns:
    """Hands out turns, which the database keeps: a process that dies leaves its turns to the next."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def take(self, company_id: str, scan_id: str, site: str) -> bool:
        """Let a waiting scan visit its site now; False while it has to wait on."""
        await self.fail_orphans()
        # One at a time decides: of two that come at once, neither can overlook the other.
        async with (
            self._database.presence.alone(LOCK),
            self._database.transaction(company_id) as workspace,
        ):
            return await workspace.readiness.take_turn(scan_id, site, AT_ONCE)

    async def wait(self) -> None:
        """Sleep until the next look; those who wait do not all look at once."""
        await anyio.sleep(random.uniform(0.5, 1.5) * LOOK_SECONDS)

    async def fail_orphans(self) -> None:
        """Fail the scans, waiting or visiting, whose process is not alive any more."""
        dead = await self._database.presence.find_orphaned_executors(
            await self._database.operators.readiness.executors()
        )
        if dead:
            async with self._database.operation() as operators:
                await operators.readiness.fail_orphaned_scans(dead, self._now())

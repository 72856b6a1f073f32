"""Announcements as a running server shows them: on pages, in GET /mcp, and in headers of deprecated tools."""

import logging
from datetime import UTC, datetime, time, timedelta
from email.utils import format_datetime
from typing import Any, Final

import anyio

from measurement.planning.clock import Clock
from storage.database import Database
from storage.repositories.notifications import Announcement

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 60.0
SHOWN_AFTER: Final = timedelta(days=30)
"""How long a change stays listed after its date, for users who were away."""


class Notices:
    """Current announcements as plain lists that pages and the protocol read. A background task refreshes them."""

    def __init__(self, database: Database, base_url: str, now: Clock) -> None:
        self._database = database
        self._base_url = base_url
        self._now = now
        self.listed: list[dict[str, Any]] = []
        """Announcements that pages and GET /mcp show, soonest first."""
        self.headers: dict[str, dict[str, str]] = {}
        """Extra response headers of deprecated tools, by tool."""

    async def run(self) -> None:
        """Refresh the announcements until cancelled."""
        while True:
            try:
                await self.load()
            except Exception:
                log.exception("reading announcements")
            await anyio.sleep(LOOK_SECONDS)

    async def load(self) -> None:
        """Read what is announced."""
        announced = await self._database.operators.announcements.since((self._now() - SHOWN_AFTER).date())
        self.listed[:] = [shown(announcement) for announcement in announced]
        self.headers.clear()
        for announcement in reversed(announced):  # of two for one tool, the sooner one counts
            for tool in announcement.tools:
                self.headers[tool] = self._headers_of(announcement)

    def _headers_of(self, announcement: Announcement) -> dict[str, str]:
        """Return the fields of RFC 9745 and RFC 8594, and where more is said."""
        sunset = datetime.combine(announcement.effective_on, time(), UTC)
        return {
            "Deprecation": f"@{int(announcement.created_at.timestamp())}",
            "Sunset": format_datetime(sunset, usegmt=True),
            "Link": f'<{self._base_url}/docs>; rel="deprecation"; type="text/html"',
        }


def shown(announcement: Announcement) -> dict[str, Any]:
    """Return an announcement as clients and pages read it."""
    return {
        "title": announcement.title,
        "body": announcement.body,
        "effectiveOn": announcement.effective_on.isoformat(),
        "announcedAt": announcement.created_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
        "tools": list(announcement.tools),
    }

"""Readiness as MCP resources: the method, and every report that was made public."""

import json
from collections.abc import Sequence

from readiness.report.document import Report, markdown
from server.mcp.resources import Document, ResourceEntry
from storage.database import Database

METHOD = "seenby://method/readiness"
REPORTS = "seenby://readiness/reports/"
LISTED = 100


def readiness_method() -> Document:
    """Describe how a readiness report comes about."""
    entry = ResourceEntry(
        uri=METHOD,
        name="readiness-method",
        title="Readiness method",
        description="Checks, weights, applicability, arithmetic, bots and limits of readiness reports.",
    )
    return Document(entry, _text)


def _text() -> str:
    from readiness.report.methodology import (
        methodology,  # loads the whole catalogue, which start-up cannot spare
    )

    method = methodology()
    whole = json.dumps(method, ensure_ascii=False, indent=2)
    return f"# Readiness method, model {method['model']['current']}\n\n```json\n{whole}\n```\n"


class ReadinessReports:
    """The public reports as Markdown; the newest are listed, all can be read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def entries(self) -> Sequence[ResourceEntry]:
        """Name the newest reports."""
        return [
            ResourceEntry(
                uri=REPORTS + report.id,
                name=f"readiness-report-{report.id}",
                title=f"Readiness report of {report.url_key.partition('/')[0]}",
                description=f"Public readiness report, scanned {report.scanned_at:%Y-%m-%d}.",
            )
            for report in await self._database.operators.readiness.newest(LISTED)
        ]

    async def read(self, uri: str) -> str | None:
        """Return a report's Markdown."""
        if not uri.startswith(REPORTS):
            return None
        stored = await self._database.operators.readiness.find(uri.removeprefix(REPORTS))
        return None if stored is None else markdown(Report.load(stored))

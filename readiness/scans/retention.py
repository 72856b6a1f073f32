"""How long readiness reports live: 400 days, and the latest of a URL for ever."""

from datetime import datetime, timedelta

from readiness.report.document import RETENTION_DAYS
from storage.database import Database


async def delete_old_reports(database: Database, now: datetime) -> int:
    """Delete the reports whose time is over, with the scans they came from; return how many reports went."""
    async with database.operation() as operators:
        return await operators.readiness.delete_reports(now - timedelta(days=RETENTION_DAYS))

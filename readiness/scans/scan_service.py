"""Scans in the background: started on a page, watched by their id, and deleted after their retention."""

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

import anyio
from anyio.abc import TaskGroup, TaskStatus

from readiness.fetching.errors import ScanRefused, ScanUnderWay, ScanWithoutReport
from readiness.report.document import RETENTION_DAYS
from readiness.scans.scanner import Scanner, ScanRequest, SiteOwner
from readiness.scans.site_ownership import SiteOwnership, clean_statement
from storage.database import Database
from storage.errors import StorageError
from storage.repositories.readiness import Scan
from storage.workspace import CompanyRole

log = logging.getLogger(__name__)


class ScanService:
    """Starts scans in the background of a process that serves; what it learns is in the database for all of them."""

    def __init__(self, database: Database, scanner: Scanner, ownership: SiteOwnership | None = None) -> None:
        self._database = database
        self._scanner = scanner
        self._ownership = ownership
        self._group: TaskGroup | None = None

    @property
    def requests(self) -> int:
        """How many requests one scan may make."""
        return self._scanner.requests

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[None]:
        """Take orders until the block ends; scans that still run then are stored as interrupted."""
        async with anyio.create_task_group() as group:
            self._group = group
            try:
                yield
            finally:
                self._group = None
                group.cancel_scope.cancel()

    async def start(self, company_id: str, role: CompanyRole, request: ScanRequest) -> str:
        """Begin a scan and return its id while it goes on; that of an equal one that the company has under way.

        Raises ScanRefused when there is none, and WriteRefused for a viewer.
        """
        if self._group is None:
            raise ScanRefused("this server takes no scans just now", "Try again in a minute.")
        try:
            return await self._group.start(self._work, self._scanner.acting_as(role), company_id, request)
        except ScanUnderWay as under_way:
            return under_way.scan_id

    async def prove_owner(self, company_id: str, url: str, statement: str) -> SiteOwner:
        """Return the owner of a site whose token was found there just now, with what they say of it.

        Raises ScanRefused, which says how to publish the token, when it is nowhere to be found.
        """
        if self._ownership is None:
            raise ScanRefused("this server proves no ownership", "Scan the site without it.")
        words = clean_statement(statement)
        proof = await self._ownership.prove(company_id, url)
        if proof is None:
            ways = "; or ".join(self._ownership.instructions(company_id, url))
            raise ScanRefused(
                "the site does not show your company's token", f"Publish {ways}. Then try again."
            )
        return SiteOwner(proof, words)

    async def find(self, company_id: str, scan_id: str) -> Scan | None:
        """Return a scan; one whose process died has failed."""
        own = self._database.workspace(company_id).readiness
        scan = await own.scan(scan_id)
        if scan is None or scan.state != "running":
            return scan
        await self._scanner.fail_orphaned_scans()
        return await own.scan(scan_id)

    async def _work(
        self, scanner: Scanner, company_id: str, request: ScanRequest, *, task_status: TaskStatus[str]
    ) -> None:
        """Run one scan to its end; only an error before its start reaches the caller."""
        begun: list[str] = []

        def begin(scan_id: str) -> None:
            begun.append(scan_id)
            task_status.started(scan_id)

        def note(stage: str, requests: int, limit: int) -> None:
            if self._group is not None:
                self._group.start_soon(self._note, company_id, begun[0], stage, requests)

        try:
            await scanner.scan(company_id, request, note, begin)
        except ScanWithoutReport as error:
            log.info("a scan ended without a report: %s", error.reason)
        except ScanRefused:
            if not begun:
                raise
            log.info("a scan had no turn")
        except Exception:
            if not begun:
                raise
            log.exception("a scan failed")

    async def _note(self, company_id: str, scan_id: str, stage: str, requests: int) -> None:
        try:
            async with self._database.transaction(company_id) as workspace:
                await workspace.readiness.advance(scan_id, stage, requests)
        except StorageError:
            log.warning("the progress of a scan could not be stored")


async def delete_old_reports(database: Database, now: datetime) -> int:
    """Delete the reports whose time is over, with the scans they came from; return how many reports went."""
    async with database.operation() as operators:
        return await operators.readiness.delete_reports(now - timedelta(days=RETENTION_DAYS))
